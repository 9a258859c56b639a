"""Betrayal of the Second Era, step 5 of an engage: what becomes of each die.

Decided where the pages leave room: a free die is discarded whether or not its result was resolved, since the cooldown
track holds skill dice, fatigue and status effect dice and no enemy dice. A die of which nothing can be resolved ends on
the cooldown track if its code would exhaust it anyway; for another code no passage tells.
"""

from __future__ import annotations

from itertools import pairwise

from kb.engine.betrayal.scene import Engage
from kb.engine.clauses import Says, clause, forbids, lacks, says

EXHAUSTING = ("instant", "cooldown-track")
"Codes that bring a die to the cooldown track."


@clause("betrayal/engage#steps-5a")
def changes_come_first(engage: Engage) -> Says | None:
    """Rerolls and changes of results come before other abilities are resolved."""
    resolved = [die for die in engage.given["dice"] if die["resolve"]]
    for earlier, later in pairwise(resolved):
        if later["modifies"] and not earlier["modifies"]:
            return forbids(f"{later['name']} rerolls or changes a result, so it comes before {earlier['name']}.")
    changing = sum(die["modifies"] for die in resolved)
    return says(f"Rerolls and changes come first ({changing}).", changing=changing) if changing else None


@clause("betrayal/engage#steps-5a")
def resolving_is_optional(engage: Engage) -> Says | None:
    """Resolving a die's result is optional."""
    engage.die.chosen = engage.die.given["resolve"]
    return None if engage.die.chosen else says(f"The player does not resolve {engage.die.name}.")


@clause("betrayal/engage#steps-5b")
def one_at_a_time(engage: Engage) -> Says | None:
    """Abilities are resolved one at a time in the player's order."""
    if not engage.die.chosen:
        return None
    engage.die.under_way = True
    engage.order.append(engage.die.name)
    return says(f"{engage.die.name} is resolved as number {len(engage.order)}.", number=len(engage.order))


@clause("betrayal/engage#steps-3")
def only_on_the_declared_target(engage: Engage) -> Says | None:
    """What refers to a target can only be resolved on the declared unit."""
    die = engage.die
    if not die.under_way or engage.target not in die.aims or engage.target in engage.engaged:
        return None
    die.drop(engage.target)
    return says(f"{die.name} refers to a target, and none is declared.")


@clause("betrayal/engage#target-range")
def in_range_when_resolved(engage: Engage) -> Says | None:
    """The target must be in range both when it is declared and when the die is resolved."""
    die = engage.die
    if not die.under_way or die.given["in_range"] or engage.target not in die.aims:
        return None
    if engage.unit_name(die.given["result"]["to"]) != engage.target:
        return None
    die.drop(engage.target)
    return says(f"The target is not in range when {die.name} is resolved, so {die.name} cannot be resolved on it.")


@clause("betrayal/engage#partial")
def rest_of_the_result(engage: Engage) -> Says | None:
    """As much of a result as possible is resolved, and the rest is ignored."""
    die = engage.die
    if not die.dropped or not die.aims:
        return None
    die.partly = True
    return says(f"The rest of {die.name} is resolved, on {engage.shown(*die.aims)}.")


@clause("betrayal/engage#steps-5b-free-dice")
def free_dice_are_discarded(engage: Engage) -> Says | None:
    """Free dice are discarded once resolved, go into no active slot in Defensive form and never give tenacity."""
    die = engage.die
    if not die.given["free"]:
        return None
    engage.place("discarded")
    no_icon = " It has no tenacity icon." if die.tenacity else ""
    return says(f"{die.name} is a free enemy Combat die and is discarded.{no_icon}")


@clause("betrayal/engage#steps-5b-tenacity")
def tenacity_result(engage: Engage, *, gain: int = 1) -> Says | None:
    """A tenacity result exhausts the die and gives 1 tenacity."""
    die = engage.die
    if not die.under_way or die.placed or not die.tenacity:
        return None
    die.exhausted = True
    engage.tenacity += gain
    if die.damage:
        return lacks(
            f"{die.name}: {gain} tenacity; no passage tells whether damage of the same result is dealt too.",
            "whether one result gives tenacity and damage",
            leaves_open=("damage", "dealt", "hp", "defeated"),
        )
    return says(f"{die.name} is exhausted for {gain} tenacity.", gain=gain, tenacity=engage.tenacity)


@clause("betrayal/engage#steps-5b-unresolved")
def unresolved_dice_are_exhausted(engage: Engage) -> Says | None:
    """A die whose result the player chose not to resolve is exhausted."""
    if engage.die.chosen or engage.die.placed:
        return None
    engage.die.exhausted = True
    return says(f"{engage.die.name} was left unresolved and is exhausted.")


@clause("betrayal/engage#partial")
def nothing_of_the_result(engage: Engage) -> Says | None:
    """A result of which nothing can be resolved is ignored; where its die goes is stated for exhausting codes only."""
    die = engage.die
    if not die.idle or die.placed or die.exhausted:
        return None
    if die.given["code"] in EXHAUSTING:
        return says(f"Nothing of {die.name} can be resolved.")
    die.placed = True
    return lacks(
        f"Nothing of {die.name} can be resolved, and no passage tells where its die goes then.",
        f"where a die goes of which nothing could be resolved ({die.name})",
        leaves_open=("placed",),
    )


@clause("betrayal/engage#code-instant")
def instant(engage: Engage) -> Says | None:
    """An Instant die is resolved at once and then exhausted."""
    if not coded(engage, "instant"):
        return None
    engage.die.exhausted = True
    return says(f"{engage.die.name} is Instant: resolved, then exhausted.")


@clause("betrayal/engage#code-drained")
def drained(engage: Engage) -> Says | None:
    """A Drained die is resolved at once and goes to the race sheet for the rest of the battle."""
    if not coded(engage, "drained"):
        return None
    engage.place("race-sheet")
    return says(f"{engage.die.name} is Drained: it goes to the race sheet for the rest of the battle.")


@clause("betrayal/engage#code-active-slot")
def active_slot(engage: Engage) -> Says | None:
    """A die with the code Active Slot goes into an active slot and stays there."""
    if not coded(engage, "active-slot"):
        return None
    engage.place("active-slot")
    return says(f"{engage.die.name} goes into an active slot.")


@clause("betrayal/engage#code-status-effect")
def status_effect(engage: Engage) -> Says | None:
    """A Status Effect die is placed in its own way, for example on an enemy or in a hex."""
    if not coded(engage, "status-effect"):
        return None
    engage.place("status")
    return says(f"{engage.die.name} is a Status Effect: it is placed as its ability says.")


@clause("betrayal/engage#code-cooldown-track")
def cooldown_track(engage: Engage) -> Says | None:
    """A die with the code Cooldown Track goes to the cooldown track."""
    if not coded(engage, "cooldown-track"):
        return None
    engage.place("cooldown")
    return says(f"{engage.die.name} goes to the cooldown track.")


@clause("betrayal/engage#skill-codes")
def exhausted_to_the_cooldown_track(engage: Engage) -> Says | None:
    """An exhausted die goes to the leftmost open position of the cooldown track."""
    die = engage.die
    if die.placed or not die.exhausted:
        return None
    engage.place("cooldown")
    return says(f"{die.name} goes to the leftmost open position of the cooldown track.")


@clause("betrayal/engage#skill-codes")
def every_ability_has_a_code(engage: Engage) -> Says | None:
    """Every skill die ability has at least one code, which says where the die goes."""
    die = engage.die
    if not die.under_way or die.placed or die.given["code"] is not None:
        return None
    return lacks(f"The code of {die.name} is not given.", f"the code of {die.name}", leaves_open=("placed",))


def coded(engage: Engage, code: str) -> bool:
    """The die at hand is resolved, still to be placed, and has this code."""
    die = engage.die
    return die.under_way and not die.placed and not die.exhausted and bool(die.given["code"] == code)
