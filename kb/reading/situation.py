"""What a reader found in a question: a procedure, its input, and which result the player wants to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.engine.kernel import Verdict

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Found:
    """The result that was asked for, taken from a verdict of the engine."""

    value: Value = None
    unit: str = ""
    verdict: str | None = None
    "`yes` or `no` where the question asks for that."
    deciding: str | None = None
    "The clause that settles it, where it is not the last one that acted."
    beside: bool = False
    "The number was not asked for: it stands beside the verdict that was."


@dataclass(frozen=True, slots=True)
class Situation:
    """A question, read."""

    procedure: str
    given: Mapping[str, Any]
    says: str
    "The reading in a line, so that a wrong one shows: `you 9 + Might 2, foe 5, Ward 1`."
    find: Callable[[Verdict], Found]
    "Takes what was asked for out of the engine's verdict."
    missing: tuple[str, ...] = ()
    "Facts that the outcome turns on and that the question does not give: then nothing is computed."
    names: Mapping[str, str] = field(default_factory=dict)
    "The procedure's words for the parties -> the player's (`attacker` -> `you`)."


Reader = Callable[[str], Situation | None]
"Takes a question's text. None: this reader does not understand it. A reader that is not sure returns None."
