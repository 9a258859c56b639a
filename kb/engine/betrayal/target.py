"""Betrayal of the Second Era, step 3 of an engage: whether a target may be declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.clauses import Says, clause, ends, forbids, lacks, says
from kb.engine.fields import boolean, integer, refuse, text
from kb.engine.kernel import Procedure

MAGIC, DEFENSIVE = "magic", "defensive"
"The two battle forms that the rules single out; every other one goes by its own name."


@dataclass
class Declaring:
    """A target about to be declared."""

    given: dict[str, Any]
    distance: int | None = None
    range: int | None = None
    in_range: bool | None = None
    in_sight: bool | None = None


def is_form(form: str | None, name: str) -> bool:
    """Whether two names of battle forms are the same; capitals and an added "form" mean nothing."""
    return form is not None and plain_form(form) == plain_form(name)


def plain_form(form: str) -> str:
    return form.casefold().strip().removesuffix("form").removesuffix("battle ").strip()


@clause("betrayal/engage#declaring-target")
def declared_where_the_game_asks(target: Declaring) -> Says | None:
    """A target is declared only when the game structure or an effect asks for it, not at will."""
    if target.given["declared_by_rule"] or not target.given["targets"]:
        return None
    return forbids("Nothing in the game asks for a target here, and a target is not declared at will.")


@clause("betrayal/engage#steps-3")
def how_many_targets(target: Declaring, *, target_units: int = 1) -> Says | None:
    """Declaring a target is optional, and an engage has one target unit unless an ability says otherwise."""
    declared, allowed = target.given["targets"], target.given["ability_allows"] or target_units
    if not declared:
        return ends("No target is declared: that is optional.", targets=0)
    if declared > allowed:
        return forbids(f"{declared} targets are declared, and {allowed} is allowed.", targets=declared, allowed=allowed)
    return says(f"{declared} of {allowed} allowed target is declared.", targets=declared, allowed=allowed)


@clause("betrayal/glossary#range")
def count_the_hexes(target: Declaring, *, destination: int = 1) -> Says | None:
    """Range counts the hexes between two hexes and the destination hex, occupied or not."""
    between = target.given["hexes_between"]
    if between is None:
        return None
    target.distance = between + destination
    return says(
        f"{between} hexes between and the destination hex: distance {target.distance}.", distance=target.distance
    )


@clause("betrayal/engage#steps-2")
def form_sets_the_range(target: Declaring) -> Says | None:
    """The battle form determines the adventurer's range."""
    target.range = target.given["range"]
    if target.range is None:
        return None
    return says(f"The {target.given['form'] or 'current'} form has range {target.range}.", range=target.range)


@clause("betrayal/glossary#magic")
def magic_reaches_magicka(target: Declaring) -> Says | None:
    """In the Magic form the range goes up to the Magicka stat."""
    magicka = target.given["magicka"]
    if not is_form(target.given["form"], MAGIC) or magicka is None:
        return None
    target.range = magicka
    return says(f"The Magic form reaches as far as Magicka: {magicka}.", range=magicka)


@clause("betrayal/glossary#defensive")
def defensive_has_no_range(target: Declaring) -> Says | None:
    """The Defensive form has no range, so no unit is within it."""
    if not is_form(target.given["form"], DEFENSIVE):
        return None
    target.range, target.in_range = None, False
    return forbids("The Defensive form has no range, so no unit can be within it.")


@clause("betrayal/engage#steps-3")
def within_range(target: Declaring) -> Says | None:
    """The target must be within the range of the current battle form."""
    if target.distance is None or target.range is None:
        return None
    target.in_range = target.distance <= target.range
    how = f"distance {target.distance}, range {target.range}"
    if not target.in_range:
        return forbids(f"The target is out of range: {how}.", distance=target.distance, range=target.range)
    return says(f"The target is within range: {how}.", distance=target.distance, range=target.range)


@clause("betrayal/glossary#sight")
def same_or_adjacent_tile(target: Declaring) -> Says | None:
    """A unit has sight to a unit on the same tile or an adjacent tile."""
    target.in_sight = target.given["same_or_adjacent_tile"]
    if target.in_sight is None:
        return None
    where = "on the same or an adjacent tile" if target.in_sight else "neither on the same nor on an adjacent tile"
    return says(f"The target is {where}.", in_sight=target.in_sight)


@clause("betrayal/engage#steps-3")
def within_sight(target: Declaring) -> Says | None:
    """The target must be in sight."""
    if target.in_sight is None:
        return None
    return says("The target is in sight.") if target.in_sight else forbids("The target is not in sight.")


@clause("betrayal/engage#steps-3")
def facts_not_given(target: Declaring) -> Says | None:
    """Range and sight cannot be judged without the distance, the form's range and the tiles."""
    facts = {
        "distance: how many hexes away the target is": target.distance,
        "range: the range of the battle form": target.range,
        "same_or_adjacent_tile: whether the target is on the same or an adjacent tile": target.in_sight,
    }
    missing = [what for what, value in facts.items() if value is None]
    return lacks("What the range or the sight turns on is not given.", *missing) if missing else None


def before_declaring(given: dict[str, Any]) -> Declaring:
    """Refuses two ways of giving the distance at once."""
    if given["distance"] is not None and given["hexes_between"] is not None:
        raise refuse(
            "hexes_between", given["hexes_between"], "Give the distance or the hexes between", "is one too many"
        )
    return Declaring(given, distance=given["distance"])


TARGET = Procedure(
    name="betrayal.target",
    title="Declaring a target: how many, in range, in sight, at all",
    given=(
        text(
            "form",
            None,
            nullable=True,
            help="The battle form: magic, defensive or any other name.",
            words=("form", "battle form", "stance", "magic", "defensive", "bow", "melee"),
        ),
        integer(
            "distance",
            None,
            low=0,
            nullable=True,
            unit="hexes",
            help="Distance to the target, the destination hex counted.",
            words=("distance", "away", "far", "hexes away", "hexes", "spaces"),
        ),
        integer(
            "hexes_between",
            None,
            low=0,
            nullable=True,
            unit="hexes",
            help="Hexes that lie between the two, if the distance is not given.",
            words=("between", "hexes between", "in between"),
        ),
        integer(
            "range",
            None,
            low=0,
            nullable=True,
            unit="hexes",
            help="Range of the battle form.",
            words=("range", "reach", "reaches", "range of"),
        ),
        integer(
            "magicka",
            None,
            low=0,
            nullable=True,
            unit="hexes",
            help="The Magicka stat, which is the range of the magic form.",
            words=("magicka", "magika", "mana", "magicka stat"),
        ),
        boolean(
            "same_or_adjacent_tile",
            None,
            nullable=True,
            help="The target stands on the same tile or an adjacent one.",
            words=(
                "same tile",
                "adjacent tile",
                "next tile",
                "neighbouring tile",
                "in sight",
                "line of sight",
                "can see",
            ),
        ),
        boolean(
            "declared_by_rule",
            True,
            help="The game structure (an engage, an effect) asks for a target here. Default: yes.",
            words=("at will", "just pick", "randomly", "outside an engage", "without engaging"),
        ),
        integer(
            "targets",
            1,
            low=0,
            unit="units",
            help="How many units are declared as targets; 0 for none. Default: 1.",
            words=("targets", "target", "units", "enemies", "monsters", "foes"),
        ),
        integer(
            "ability_allows",
            None,
            low=1,
            nullable=True,
            unit="units",
            help="How many targets an ability allows, where one says so.",
            words=("ability says", "ability allows", "skill lets"),
        ),
    ),
    result=(
        integer(
            "distance",
            nullable=True,
            unit="hexes",
            help="Distance, the destination hex counted.",
            words=("distance", "far"),
        ),
        integer(
            "range",
            nullable=True,
            unit="hexes",
            help="Range of the form; null where it has none.",
            words=("range", "reach"),
        ),
        boolean("in_range", nullable=True, words=("in range", "reach")),
        boolean("in_sight", nullable=True, words=("in sight", "line of sight", "see")),
    ),
    make_state=before_declaring,
    clauses=(
        declared_where_the_game_asks,
        how_many_targets,
        count_the_hexes,
        form_sets_the_range,
        magic_reaches_magicka,
        defensive_has_no_range,
        within_range,
        same_or_adjacent_tile,
        within_sight,
        facts_not_given,
    ),
    judges=True,
    words=(
        "target",
        "declare a target",
        "choose a target",
        "aim",
        "shoot",
        "in range",
        "out of range",
        "in sight",
        "reach",
    ),
)
