"""Which number counts what, and whose it is, decided for all numbers of a question together.

Every number gets the readings that the words around it allow, each with a cost. The cheapest combination in which no
party has two rolls or two Wards is taken, unless another one that means something else costs hardly more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NEARLY = 0.25
"Two combinations whose costs differ by less cannot be told apart."
MOST = 8
"Combinations that are looked at."
WORST = 4.0
"A dearer combination is no reading."
REPEATED = 0.6
"What it costs to take a number for one that was told before."
BOTH, LOSER = "both", "loser"
SOUGHT = -1
"Stands for a number that is looked for."


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, read."""

    what: str
    "might, roll, damage …; `skip` for a number that means nothing here."
    value: float | int
    party: str = ""
    turn: int = 0
    "Which exchange, where several are told."
    through: int = -1
    "Where the mention stands by which the party was told, if that may mean either."
    doubt: float = 0.0
    "How far-fetched this meaning of that mention is: counted once, however many numbers go by it."


@dataclass(frozen=True, slots=True)
class Choice:
    """One reading of one number, or of numbers that stand together (`9 + 2`, `7 vs 7`)."""

    cost: float
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """A reading of every number."""

    cost: float
    facts: tuple[Fact, ...]

    @property
    def meaning(self) -> tuple[tuple[str, float | int, str, int], ...]:
        return tuple(sorted((f.what, f.value, f.party, f.turn) for f in self.facts if f.what != "skip"))


def combinations(
    units: Sequence[Sequence[Choice]], sides: tuple[str, str], single: frozenset[str], uneven: float
) -> list[Combination]:
    """The combinations that make sense, the best first, each that means something else once; none where none does.

    `single` names what a party can have only one of; `uneven` is the cost of a roll or total that only one side has.
    """
    found: dict[object, Combination] = {}
    for each in _search([sorted(unit, key=lambda choice: choice.cost) for unit in units], sides, single, uneven):
        found.setdefault(each.meaning, each)
    ranked = list(found.values())
    return [each for each in ranked if each.cost - ranked[0].cost < NEARLY][:MOST]


def _search(
    units: Sequence[Sequence[Choice]], sides: tuple[str, str], single: frozenset[str], uneven: float
) -> list[Combination]:
    """The cheapest combinations, best first."""
    found: list[Combination] = []
    least = [min((choice.cost for choice in unit), default=WORST * 2) for unit in units]
    rest = [sum(least[at:]) for at in range(len(units) + 1)]

    def bound() -> float:
        return min(WORST, found[0].cost + NEARLY) if found else WORST

    def descend(at: int, cost: float, facts: tuple[Fact, ...]) -> None:
        if cost + rest[at] > bound():
            return
        if at == len(units):
            doubts = {fact.through: fact.doubt for fact in facts if fact.through >= 0}
            total = cost + sum(doubts.values()) + uneven * _unevenness(facts, sides) + REPEATED * _repeats(facts)
            if total <= bound():
                found.append(Combination(round(total, 4), facts))
                found.sort(key=lambda each: each.cost)
            return
        for choice in units[at]:
            if _fits(facts, choice.facts, single):
                descend(at + 1, cost + choice.cost, facts + choice.facts)

    descend(0, 0.0, ())
    return found


def _fits(facts: tuple[Fact, ...], more: tuple[Fact, ...], single: frozenset[str]) -> bool:
    """Whether nobody gets two different numbers of one kind, and no `he` means two people."""
    for new in more:
        for old in facts:
            if new.through >= 0 and new.through == old.through and new.party != old.party:
                return False
            if (
                new.what in single
                and old.what == new.what
                and old.turn == new.turn
                and old.value != new.value
                and _same(old, new)
            ):
                return False
    return True


def _repeats(facts: Sequence[Fact]) -> int:
    told = [(fact.what, fact.party, fact.turn) for fact in facts if fact.what in ("might", "ward", "endurance", "roll")]
    return len(told) - len(set(told))


def _same(old: Fact, new: Fact) -> bool:
    return old.party == new.party or BOTH in (old.party, new.party)


def _unevenness(facts: Sequence[Fact], sides: tuple[str, str]) -> int:
    """How many kinds of score only one side has; a side with both kinds counts more."""
    have: dict[str, set[str]] = {"roll": set(), "total": set()}
    for fact in facts:
        if fact.what in have:
            have[fact.what] |= set(sides) if fact.party == BOTH else {fact.party}
    mixed = len(have["roll"] & have["total"])
    apart = not mixed and len(have["roll"]) == len(have["total"]) == 1
    summed = have["total"] & {fact.party for fact in facts if fact.what == "might" and fact.value}
    return 2 * len(summed) + sum(len(parties) == 1 for parties in have.values()) - apart + 5 * mixed
