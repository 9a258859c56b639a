"""Exact chances: a procedure is run over every roll that is not given. Fractions, no sampling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeVar

from kb.engine.fields import validate
from kb.engine.kernel import ILLEGAL, Procedure, Rules, Run
from kb.errors import ExampleError

MOST_RUNS = 2_000_000
"More rolls than this are refused: they would take minutes."

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Spread:
    """One result's chances."""

    name: str
    chances: Mapping[Any, Fraction]
    "By value, in the values' order."
    expected: Fraction | None
    "The mean, where the values are numbers."

    def to_json(self) -> dict[str, Any]:
        return {
            "expected": None if self.expected is None else float(self.expected),
            "expected_exact": None if self.expected is None else str(self.expected),
            "distribution": [
                {"value": _thaw(value), "chance": float(chance), "exact": str(chance)}
                for value, chance in self.chances.items()
            ],
        }


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of everything that a procedure yields."""

    procedure: str
    given: Mapping[str, Any]
    "The input, defaults filled in; a roll that is null was run over."
    rules: str
    house: bool
    spreads: Mapping[str, Spread]
    "Per result, by its name."

    def chance(self, **results: Any) -> Fraction:
        """The chance of one result: ``odds.chance(winner="attacker")``."""
        ((name, value),) = results.items()
        return self.spreads[name].chances.get(_freeze(value), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`: floats for reading, the exact fractions as text."""
        return {
            "procedure": self.procedure,
            "given": dict(self.given),
            "rules": self.rules,
            "house": self.house,
            "results": {name: spread.to_json() for name, spread in self.spreads.items()},
        }


def odds(procedure: Procedure, given: Mapping[str, Any], rules: Rules) -> Odds:
    """The chances of each result. Raises ExampleError for bad input, and where a rule that is missing decides."""
    clean = validate(procedure.given, given)
    joint = procedure.odds(clean, rules) if procedure.odds else outcomes(procedure, clean, rules)
    spreads = {field.name: _spread(field.name, place, joint) for place, field in enumerate(procedure.result)}
    return Odds(procedure.name, clean, rules.label, rules.house, spreads)


def outcomes(procedure: Procedure, given: Mapping[str, Any], rules: Rules) -> dict[tuple[Any, ...], Fraction]:
    """The chance of each tuple of results, in the order of `procedure.result`; lists and mappings as tuples."""
    clean = validate(procedure.given, given)
    names = [field.name for field in procedure.result]
    ready = Run(procedure, rules)
    counts: dict[tuple[Any, ...], int] = defaultdict(int)
    for rolled in rolls(procedure, clean):
        state = ready.state(rolled)
        if ready.acts and any(said.missing or said.forbids for _, said in ready.acts):
            _cannot_tell(ready, rolled)
        counts[tuple(_freeze(getattr(state, name)) for name in names)] += 1
    total = sum(counts.values())
    return {values: Fraction(count, total) for values, count in counts.items()}


def rolls(procedure: Procedure, clean: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The validated input once per way in which its open dice can fall, all equally likely."""
    dice = [(path, sides) for path, sides in procedure.rolls if _open(clean, path)]
    runs = prod(sides for _, sides in dice)
    if runs > MOST_RUNS:
        raise ExampleError(f"{procedure.name}: {runs:,} ways to roll", f"Give some rolls; {MOST_RUNS:,} at most")
    for faces in product(*(range(1, sides + 1) for _, sides in dice)):
        rolled = dict(clean)
        copied: dict[str, dict[str, Any]] = {}
        for (path, _), face in zip(dice, faces, strict=True):
            _put(rolled, path, face, copied)
        yield rolled


def chain(start: State, step: Callable[[State], Mapping[State, Fraction]], times: int) -> dict[State, Fraction]:
    """Where a Markov chain may be after so many steps, and how likely. `step` is asked once per state."""
    known: dict[State, Mapping[State, Fraction]] = {}
    now: dict[State, Fraction] = {start: Fraction(1)}
    for _ in range(times):
        after: dict[State, Fraction] = defaultdict(Fraction)
        for state, chance in now.items():
            if state not in known:
                known[state] = step(state)
            for following, share in known[state].items():
                after[following] += chance * share
        now = dict(after)
    return now


def _cannot_tell(ready: Run, rolled: Mapping[str, Any]) -> None:
    verdict = ready.verdict(dict(rolled))
    why = f"{verdict.forbidden_by} forbids it" if verdict.status == ILLEGAL else "; ".join(verdict.missing)
    raise ExampleError(f"{verdict.procedure}: the odds can't be told: {why}", "Give what is missing, or other input")


def _open(values: Any, path: tuple[str, ...]) -> bool:
    """True where the die's record is there and its roll is not."""
    for name in path[:-1]:
        values = values[name]
        if values is None:
            return False
    return values[path[-1]] is None


def _put(values: dict[str, Any], path: tuple[str, ...], face: int, copied: dict[str, dict[str, Any]]) -> None:
    """Sets a roll, copying the records on the way once, so that the runs share everything else."""
    for depth, name in enumerate(path[:-1]):
        key = ".".join(path[: depth + 1])
        if key not in copied:
            copied[key] = values[name] = dict(values[name])
        values = copied[key]
    values[path[-1]] = face


def _spread(name: str, place: int, joint: Mapping[tuple[Any, ...], Fraction]) -> Spread:
    chances: dict[Any, Fraction] = defaultdict(Fraction)
    for values, chance in joint.items():
        chances[values[place]] += chance
    numeric = all(isinstance(value, int | Fraction) and not isinstance(value, bool) for value in chances)
    expected = sum((value * chance for value, chance in chances.items()), Fraction(0)) if numeric else None
    return Spread(name, dict(sorted(chances.items(), key=lambda each: _order(each[0]))), expected)


def _order(value: Any) -> tuple[int, Any]:
    """Numbers by size, then texts, then the rest; null last."""
    if isinstance(value, int | float | Fraction):
        return (0, value)
    return (3, "") if value is None else (1, value) if isinstance(value, str) else (2, repr(value))


def _freeze(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_freeze(each) for each in value)
    if isinstance(value, Mapping):
        return tuple((key, _freeze(each)) for key, each in value.items())
    return value


def _thaw(value: Any) -> Any:
    return [_thaw(each) for each in value] if isinstance(value, tuple) else value
