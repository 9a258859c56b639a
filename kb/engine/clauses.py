"""What a game's module is written with: clauses, what they say, and lists of them.

A clause is one short function that carries out one passage. What it did becomes a step of the verdict; what it forbids
or cannot tell becomes the verdict's status. Nothing is guessed: what lacks a fact or a rule says so with `lacks`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Says:
    """What a clause returns when it did something. Made by `says`, `ends`, `forbids` and `lacks`."""

    text: str
    values: Mapping[str, Any]
    forbids: bool = False
    ends: bool = False
    missing: tuple[str, ...] = ()
    leaves_open: tuple[str, ...] = ()
    "Names of the results that what is missing leaves open."


def says(text: str, **values: Any) -> Says:
    """The clause acted: `text` is one short sentence, `values` the numbers it set."""
    return Says(text, values)


def ends(text: str, **values: Any) -> Says:
    """The clause acted, and no later clause of its list is carried out."""
    return Says(text, values, ends=True)


def forbids(text: str, **values: Any) -> Says:
    """The clause forbids it: the verdict is illegal and its list ends."""
    return Says(text, values, forbids=True, ends=True)


def lacks(text: str, *missing: str, leaves_open: tuple[str, ...] = (), **values: Any) -> Says:
    """The outcome cannot be told; `missing` names the rule or fact. Later clauses are still carried out.

    `leaves_open` names the results that cannot be told; without it, none of them can. They are left out of the verdict.
    """
    return Says(text, values, missing=missing or (text,), leaves_open=leaves_open)


@dataclass(frozen=True, slots=True)
class Clause:
    """A function that carries out the passage `id`. Calling it calls the function."""

    id: str
    function: Callable[..., Says | None]
    numbers: Mapping[str, int] = field(hash=False)
    "The rule's numbers by name, as the passage has them: the function's keyword-only parameters."

    @property
    def rule(self) -> str:
        """The rule in one sentence: the docstring's first line."""
        return (self.function.__doc__ or "").strip().split("\n")[0]

    def __call__(self, state: Any, **numbers: int) -> Says | None:
        return self.function(state, **numbers)


def clause(passage: str) -> Callable[[Callable[..., Says | None]], Clause]:
    """Marks a function of one state as the clause that carries out `passage` (a full passage id)."""

    def mark(function: Callable[..., Says | None]) -> Clause:
        parameters = inspect.signature(function).parameters.values()
        return Clause(passage, function, {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY})

    return mark


@dataclass(frozen=True, slots=True)
class Each:
    """Clauses carried out once per item.

    `over(state)` is a generator: it points the state at an item, yields, and is sent the id of the clause that forbade
    this item, or None: ``for state.deed in state.deeds: forbidden_by = yield``.
    """

    over: Callable[[Any], Generator[None, str | None, None]]
    clauses: tuple[Clause | Each, ...]
