"""Betrayal of the Second Era, step 3 of an engage in numbers: distance, range, sight, how many targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kb.engine.betrayal import target
from kb.engine.betrayal.target import MAGIC, TARGET, Declaring, before_declaring, is_form
from kb.engine.betrayal.turn import MANY
from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import REQUIRED, integer
from kb.engine.kernel import Procedure

TILE = "same_or_adjacent_tile"
TAKES = ("form", "distance", "hexes_between", "range", "magicka")


class HowMany:
    """Targets that an engage may have."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.most = 0


@clause("betrayal/glossary#move")
def move_up_first(measuring: Declaring) -> Says | None:
    """A move action, up to Stamina hexes, may bring the adventurer closer before the engage, as far as the next hex."""
    closer, far = measuring.given["closer"], measuring.distance
    if not closer or far is None:
        return None
    measuring.distance = max(far - closer, min(far, 1))
    return says(f"{closer} hexes closer: distance {measuring.distance}.", closer=closer, distance=measuring.distance)


@clause("betrayal/engage#steps-2")
def range_not_given(measuring: Declaring) -> Says | None:
    """The battle form determines the range; without the form's range nothing within it can be told."""
    given = measuring.given
    if measuring.range is not None or measuring.distance is None or given["form"] is None:
        return None
    what = "the Magicka stat" if is_form(given["form"], MAGIC) else f"the range of the {given['form']} form"
    return lacks(f"Not given: {what}.", what, leaves_open=("range", "in_range"))


@clause("betrayal/engage#steps-3")
def targets_of_an_engage(declaring: HowMany, *, target_units: int = 1) -> Says:
    """An adventurer can choose only 1 target unit per engage, unless an ability says otherwise."""
    each, engages = declaring.given["ability_allows"] or target_units, declaring.given["engages"]
    declaring.most = each * engages
    why = "as the ability says" if declaring.given["ability_allows"] else "unless an ability says otherwise"
    over_all = f"; in {engages} engages up to {declaring.most}" if engages > 1 else ""
    return says(f"Targets in one engage: up to {each}, {why}{over_all}.", most=declaring.most)


RANGE = Procedure(
    name="betrayal.range",
    title="Distance, the range of the battle form, and whether the one is within the other",
    given=(
        *(each for each in TARGET.given if each.name in TAKES),
        integer(
            "closer",
            0,
            low=0,
            high=MANY,
            unit="hexes",
            help="Hexes straight toward the target that the adventurer moves before the engage. Default: 0.",
            words=("closer", "walk up", "move up", "run up", "approach", "towards"),
        ),
    ),
    result=tuple(each for each in TARGET.result if each.name != "in_sight"),
    make_state=before_declaring,
    clauses=(
        target.count_the_hexes,
        move_up_first,
        target.form_sets_the_range,
        target.magic_reaches_magicka,
        target.defensive_has_no_range,
        range_not_given,
        target.within_range,
    ),
    judges=True,
    words=("range", "distance", "how far", "in range", "how far away", "reach"),
)

SIGHT = Procedure(
    name="betrayal.sight",
    title="Whether a unit is in sight",
    given=tuple(replace(each, default=REQUIRED, nullable=False) for each in TARGET.given if each.name == TILE),
    result=tuple(each for each in TARGET.result if each.name == "in_sight"),
    make_state=Declaring,
    clauses=(target.same_or_adjacent_tile, target.within_sight),
    judges=True,
    words=("sight", "line of sight", "see", "in sight", "visible"),
)

TARGETS = Procedure(
    name="betrayal.targets",
    title="How many targets an engage may have",
    given=(
        *(each for each in TARGET.given if each.name == "ability_allows"),
        integer(
            "engages",
            1,
            low=0,
            high=MANY,
            unit="engages",
            help="Over so many engages, each with its own target. Default: 1.",
            words=("engages", "over all engages"),
        ),
    ),
    result=(integer("most", high=MANY, unit="targets", help="The most targets.", words=("targets", "target units")),),
    make_state=HowMany,
    clauses=(targets_of_an_engage,),
    words=("how many targets", "most targets", "number of targets"),
)
