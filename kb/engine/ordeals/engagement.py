"""Book of Ordeals: who is Engaged with whom, from where the Characters stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from kb.engine.clauses import Says, clause, says
from kb.engine.fields import list_of, mapping, named, number, record
from kb.engine.kernel import Procedure

Character = dict[str, Any]


@dataclass
class Table:
    """Characters on the board and the pairs of them that may be Engaged."""

    given: dict[str, Any]
    pairs: list[tuple[Character, Character]] = field(default_factory=list)

    @property
    def engaged(self) -> list[list[str]]:
        return [[one["name"], other["name"]] for one, other in self.pairs]

    @property
    def engaged_with(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {each["name"]: [] for each in self.given["characters"]}
        for one, other in self.engaged:
            found[one].append(other)
            found[other].append(one)
        return found


def set_up(given: dict[str, Any]) -> Table:
    """Every pair, in the order in which the Characters are given."""
    return Table(given, list(combinations(given["characters"], 2)))


@clause("ordeals/glossary#foe")
def foes(table: Table) -> Says | None:
    """A Foe is a Character of an opponent."""
    friends = [pair for pair in table.pairs if pair[0]["side"] == pair[1]["side"]]
    if not friends:
        return None
    table.pairs = [pair for pair in table.pairs if pair not in friends]
    return says(f"Of the same side, so no Foes: {_names(friends)}.")


@clause("ordeals/close-combat#engaged")
def within_1_inch(table: Table, *, inches: int = 1) -> Says | None:
    """A Character within 1 inch of a Foe is Engaged."""
    if not table.pairs:
        return None
    table.pairs = [pair for pair in table.pairs if _square_of_distance(*pair) <= inches**2]
    return says(f"Within {inches} inch of each other: {_names(table.pairs) or 'no two Foes'}.", engaged=table.engaged)


def _square_of_distance(one: Character, other: Character) -> Fraction:
    """In square inches, exact for what was written: 0.1 is a tenth, so that 0.6 across and 0.8 up are 1 inch."""
    across, up = (Fraction(str(one[axis])) - Fraction(str(other[axis])) for axis in ("x", "y"))
    return across**2 + up**2


def _names(pairs: list[tuple[Character, Character]]) -> str:
    return ", ".join(f"{one['name']} and {other['name']}" for one, other in pairs)


ENGAGEMENT = Procedure(
    name="ordeals.engagement",
    title="Who is Engaged with whom",
    given=(
        list_of(
            "characters",
            record(
                "character",
                named("name", unique=True, help="The Character's name."),
                named("side", help="Whose Character it is."),
                number("x", unit="inches", help="Base edge, across the board."),
                number("y", unit="inches", help="Base edge, up the board."),
            ),
            help="The Characters, each as the point of its base edge.",
            words=("characters", "models", "miniatures", "figures"),
        ),
    ),
    result=(
        list_of(
            "engaged",
            list_of("pair", named("name"), unordered=True),
            unordered=True,
            help="Pairs of Foes that are Engaged with each other.",
            words=("engaged", "in combat", "in melee"),
        ),
        mapping(
            "engaged_with",
            list_of("names", named("name"), unordered=True),
            help="Per Character, the Foes it is Engaged with.",
        ),
    ),
    make_state=set_up,
    clauses=(foes, within_1_inch),
    words=("engaged", "engagement", "distance", "how close"),
)
