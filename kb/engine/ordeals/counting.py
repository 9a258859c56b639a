"""Book of Ordeals: what is left of an Act, what it takes to win, what a warband costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.clauses import Says, clause, forbids, lacks, says
from kb.engine.fields import boolean, choice, integer, record, refuse
from kb.engine.kernel import Procedure
from kb.engine.ordeals.assault import Assault, charge, group_assault
from kb.engine.ordeals.blow import ENGAGED_AT_START
from kb.engine.ordeals.sides import ALLIES, CHARGED, DEFENDER_WORDS, DIE, MIGHT, character, said


@dataclass
class Deeds:
    """Deeds spent and left."""

    given: dict[str, Any]
    deeds_left: int = 0
    assaults: int = 0
    "Assaults that may still be made."

    @property
    def engaged(self) -> bool:
        return bool(self.given["engaged"] or self.given["moved_in"])


@clause("ordeals/glossary#act")
def three_deeds_less_those_spent(state: Deeds, *, deeds: int = 3) -> Says:
    """A Character takes up to 3 Deeds in its Act."""
    spent = state.given["spent"]
    if spent > deeds:
        return forbids(f"{spent} Deeds are more than the {deeds} of an Act.", spent=spent)
    state.deeds_left = deeds - spent
    return says(f"{deeds} Deeds in an Act, {spent} spent: {state.deeds_left} left.", deeds_left=state.deeds_left)


@clause("ordeals/close-combat#repeat")
def engaged_repeats(state: Deeds) -> Says | None:
    """Engaged when the Assault Deed starts, it may take the Assault Deed again."""
    if not state.engaged:
        return None
    state.assaults = state.deeds_left
    return says(f"Engaged at each, so each Deed left may be an Assault: {state.assaults}.", assaults=state.assaults)


@clause("ordeals/close-combat#repeat")
def not_engaged_once(state: Deeds, *, once: int = 1) -> Says | None:
    """Not Engaged when the Assault Deed starts, it may Assault only once in that Act."""
    if state.engaged or state.given["reach"] is not True:
        return None
    state.assaults = min(state.deeds_left, max(0, once - state.given["assaults_made"]))
    return says(f"Not Engaged: {once} Assault in an Act, so {state.assaults} left.", assaults=state.assaults)


@clause("ordeals/glossary#assault")
def nobody_within_reach(state: Deeds) -> Says | None:
    """An Assault is close combat within 1 inch, where it would be Engaged; only Reach goes further."""
    if state.engaged or state.given["reach"] is True:
        return None
    if state.given["reach"] is None:
        known = "whether the Character is Engaged or has Reach"
        return lacks(f"It depends on {known}.", known, leaves_open=("assaults",))
    return says("Not Engaged and without Reach: nobody to Assault.", assaults=0)


DEEDS = Procedure(
    name="ordeals.deeds",
    title="How many Deeds and Assaults an Act has left",
    given=(
        integer("spent", 0, low=0, unit="Deeds", help="Deeds spent so far, Moves and Assaults among them."),
        boolean("engaged", False, help="Engaged when its Act started, and still.", words=("engaged", "in melee")),
        boolean("moved_in", False, help="It moved into Engagement in this Act.", words=("moved in", "charged")),
        integer("assaults_made", 0, low=0, help="Assaults among the Deeds spent."),
        boolean("reach", None, nullable=True, help="It Assaults by Reach. Null: not known.", words=("reach",)),
    ),
    result=(
        integer("deeds_left", words=("deeds", "actions")),
        integer("assaults", help="Assaults that may still be made.", words=("assaults", "attacks")),
    ),
    make_state=Deeds,
    clauses=(three_deeds_less_those_spent, engaged_repeats, not_engaged_once, nobody_within_reach),
    words=("how many", "deeds", "assaults"),
)


@dataclass
class Needed(Assault):
    """What it takes; `attacker_total` holds what is added to the die."""

    difference: int = 0
    roll: int | None = None
    possible: bool | None = None

    @property
    def harming(self) -> bool:
        return self.given["goal"] in ("harm", "out")


@clause("ordeals/close-combat#exchange-2")
def win_at_all(needed: Needed, *, least: int = 1) -> Says:
    """A tie deals no damage, so the total has to be higher."""
    needed.difference = least
    return says(f"To win, the total has to be higher by {least}.", difference=least)


@clause("ordeals/close-combat#exchange-3")
def through_the_ward(needed: Needed, *, least: int = 1) -> Says | None:
    """The loser takes its Ward off the damage; what is left is Harm."""
    if not needed.harming:
        return None
    ward = needed.given["defender"]["ward"]
    needed.difference = ward + least
    return says(f"Ward {ward} comes off, so a difference of {needed.difference} does Harm.", ward=ward)


@clause("ordeals/glossary#out-of-action")
def endurance_to_nothing(needed: Needed) -> Says | None:
    """A Character is Out of Action once its Endurance is reduced to 0 or less."""
    if needed.given["goal"] != "out":
        return None
    defender = needed.given["defender"]
    needed.difference = defender["ward"] + defender["endurance"]
    return says(
        f"Ward {defender['ward']} comes off, then Endurance {defender['endurance']} has to go: {needed.difference}.",
        difference=needed.difference,
    )


@clause("ordeals/close-combat#exchange-1")
def roll_for_it(needed: Needed, *, sides: int = DIE) -> Says | None:
    """Both roll a D12, and each adds its own Might."""
    total = needed.given["total"]
    if total is None:
        return None
    needed.roll = max(1, total + needed.difference - needed.attacker_total - needed.given["might"])
    needed.possible = needed.roll <= sides
    bonus = needed.attacker_total + needed.given["might"]
    possible = "" if needed.possible else f", more than a D{sides} has"
    return says(
        f"{total} + {needed.difference} - {bonus} of bonuses: {needed.roll} on the die{possible}.", roll=needed.roll
    )


NEEDED = Procedure(
    name="ordeals.needed",
    title="What it takes to win, to do Harm, to take a Foe out",
    given=(
        choice("goal", ("win", "harm", "out"), "win", help="What is to be reached in one exchange."),
        integer("total", None, nullable=True, help="The Foe's total. Null: only the difference is wanted."),
        integer("might", MIGHT, low=0, help="Might of the one who wants to win."),
        record(
            "defender",
            *character("defender", whose="The Foe's", words=DEFENDER_WORDS, rolls=False).fields[1:],
            default={},
            help="The Foe's Ward and Endurance.",
        ),
        CHARGED,
        ENGAGED_AT_START,
        ALLIES,
    ),
    result=(
        integer("difference", help="The least difference that does it.", words=("by how much", "difference")),
        integer("roll", nullable=True, help="The lowest roll that does it.", words=("roll", "need", "die")),
        boolean("possible", nullable=True, help="Whether a D12 can show it."),
    ),
    make_state=Needed,
    clauses=(win_at_all, through_the_ward, endurance_to_nothing, charge, group_assault, roll_for_it),
    words=("need", "must", "at least", "minimum"),
)


@dataclass
class Recruits:
    """A number of basic Characters and what they cost."""

    given: dict[str, Any]
    cost: int | None = None
    characters: int | None = None
    left: int | None = None
    short: int | None = None
    affordable: bool | None = None


def hire(given: dict[str, Any]) -> Recruits:
    """Refuses to count nothing."""
    if given["characters"] is None and given["supplies"] is None:
        raise refuse("characters", None, "Give characters, supplies or both", "and supplies: one is wanted")
    return Recruits(given)


@clause("ordeals/glossary#character")
def fifty_supplies_each(recruits: Recruits, *, supplies: int = 50) -> Says:
    """A basic Character costs 50 Supplies."""
    number, budget = recruits.given["characters"], recruits.given["supplies"]
    if number is not None:
        recruits.cost = number * supplies
        if budget is not None:
            recruits.left, recruits.short = max(0, budget - recruits.cost), max(0, recruits.cost - budget)
            recruits.affordable = not recruits.short
            told = (
                f"{recruits.left} of {budget} left" if recruits.affordable else f"{recruits.short} more than {budget}"
            )
            return says(
                f"{number} basic Characters at {supplies} Supplies: {recruits.cost}, {told}.", left=recruits.left
            )
        return says(f"{number} basic Characters at {supplies} Supplies: {recruits.cost}.", cost=recruits.cost)
    recruits.characters = budget // supplies
    return says(f"{budget} Supplies at {supplies} each: {recruits.characters} basic Characters.")


RECRUIT = Procedure(
    name="ordeals.recruit",
    title="What basic Characters cost",
    given=(
        integer("characters", None, low=0, nullable=True, help="How many basic Characters.", words=("characters",)),
        integer(
            "supplies",
            None,
            low=0,
            nullable=True,
            help="How many Supplies there are.",
            words=said("supplies|supply|supplys"),
        ),
    ),
    result=(
        integer("cost", nullable=True, unit="Supplies", words=("cost", "price")),
        integer("characters", nullable=True, help="How many can be had.", words=("how many",)),
        integer("left", nullable=True, unit="Supplies", help="Supplies left after it, where both are given."),
        integer("short", nullable=True, unit="Supplies", help="Supplies wanting for it, where both are given."),
        boolean("affordable", nullable=True, help="Whether the Supplies are enough, where both are given."),
    ),
    make_state=hire,
    clauses=(fifty_supplies_each,),
    words=("cost", "supplies", "recruit", "hire"),
)
