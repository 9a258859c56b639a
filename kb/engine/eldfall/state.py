"""Eldfall Chronicles: what being Engaged means for getting free, for reacting and for the Recovery Roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.clauses import Says, clause, forbids, lacks, says
from kb.engine.fields import boolean, choice, list_of, named, text
from kb.engine.kernel import Procedure

WAYS_OUT = {
    "leaves-reach": "It left the enemy model's melee weapon reach",
    "dodge-disengage": "It Disengaged with a Dodge",
    "enemy-incapacitated": "The enemy model is Incapacitated",
    "enemy-petrified": "The enemy model is Petrified",
    "enemy-crouched": "The enemy model is Crouched",
    "enemy-dead": "The enemy model is Dead",
}
"The events that end the State by the passage on getting free."
UNARMED = ("enemy-unarmed", "enemy-takes-ranged-weapon")
NO_WAY_OUT = ("dodge", "melee-attack", "walks-towards", "enemy-wounded", "other")


@dataclass
class Ending:
    """An event, and whether the model is Engaged after it."""

    given: dict[str, Any]
    engaged_after: bool | None = None

    @property
    def event(self) -> str:
        return str(self.given["event"])


@clause("eldfall/engaged#ends")
def ways_out(ending: Ending) -> Says | None:
    """It ends out of the enemy's reach, by a Dodge, or with the enemy Incapacitated, Petrified, Crouched or Dead."""
    if ending.event in WAYS_OUT:
        ending.engaged_after = False
        return says(f"{WAYS_OUT[ending.event]}: no longer Engaged by it.", engaged_after=False)
    if ending.event in NO_WAY_OUT:
        ending.engaged_after = True
        return says(f"{ending.event} is none of the ways in which Engaged ends.", engaged_after=True)
    return None


@clause("eldfall/rulings#ranged-in-hand")
def enemy_takes_a_ranged_weapon(ending: Ending) -> Says | None:
    """An enemy with a Ranged Weapon in hand has no Engagement zone."""
    if ending.event != "enemy-takes-ranged-weapon":
        return None
    ending.engaged_after = False
    return says("The enemy model now holds a Ranged Weapon: it engages nobody.", engaged_after=False)


@clause("eldfall/rulings#unarmed-zone")
def enemy_without_melee_weapon(ending: Ending) -> Says | None:
    """An Unarmed enemy has no Engagement zone."""
    if ending.event != "enemy-unarmed":
        return None
    ending.engaged_after = False
    return says("The enemy model has no Melee Weapon in hand any more: it engages nobody.", engaged_after=False)


@clause("eldfall/rulings#incapacitated-engaged")
def incapacitated_stays_engaged(ending: Ending) -> Says | None:
    """An Incapacitated model can still be Engaged."""
    if ending.event != "self-incapacitated":
        return None
    ending.engaged_after = True
    return says("It is Incapacitated itself, and still Engaged.", engaged_after=True)


@clause("eldfall/glossary#engaged")
def other_enemies(ending: Ending) -> Says | None:
    """Every enemy model that engages it causes the State."""
    others = ending.given["also_engaged_by"]
    if not others or ending.engaged_after is not False:
        return None
    names = " and ".join(others)
    if ending.event == "dodge-disengage":
        return lacks(
            f"{names} engaged it as well, and no passage tells whether one Dodge Disengages from all.",
            "whether a Dodge Disengages from every enemy model or from one",
        )
    ending.engaged_after = True
    return says(f"{names} still engages it.", engaged_after=True)


ENDS = Procedure(
    name="eldfall.ends",
    title="Does a model stop being Engaged",
    given=(
        choice(
            "event",
            (*WAYS_OUT, *UNARMED, "self-incapacitated", *NO_WAY_OUT),
            help="What happens. `dodge` is one without Disengaging, `other` anything that no passage names.",
            words=("leave", "leaves reach", "dodge", "disengage", "incapacitated", "petrified", "crouched", "dead"),
        ),
        list_of(
            "also_engaged_by",
            named("enemy", unique=True),
            default=(),
            help="Other enemy models that engage it, untouched by the event.",
            words=("also engaged by", "other enemies", "another enemy"),
        ),
    ),
    result=(boolean("engaged_after", nullable=True, words=("still engaged", "free")),),
    make_state=Ending,
    clauses=(
        ways_out,
        enemy_takes_a_ranged_weapon,
        enemy_without_melee_weapon,
        incapacitated_stays_engaged,
        other_enemies,
    ),
    words=("disengage", "get free", "still engaged", "stop being engaged", "ends"),
)


@dataclass
class Reaction:
    """A model that wants to react."""

    given: dict[str, Any]
    line_of_sight: bool | None = None
    may_react: bool | None = None


@clause("eldfall/engaged#line-of-sight")
def automatic_line_of_sight(reaction: Reaction) -> Says | None:
    """An Engaged model automatically has LoS to every enemy model that engages it."""
    if reaction.given["to"] not in reaction.given["engaged_by"]:
        return None
    reaction.line_of_sight = True
    return says(f"{reaction.given['to']} engages it: LoS is automatic.", line_of_sight=True)


@clause("eldfall/engaged#line-of-sight")
def outside_awareness(reaction: Reaction) -> Says | None:
    """An Engaged model cannot react against models outside its Awareness."""
    to, aware, engaged = reaction.given["to"], reaction.given["in_awareness"], bool(reaction.given["engaged_by"])
    if not engaged and aware is not True:
        return lacks(
            "Not Engaged: the passages tell nothing of its Awareness.",
            "whether a model that is not Engaged may react against models outside its Awareness",
            leaves_open=("may_react",),
        )
    if aware is None:
        known = f"whether {to} is in its Awareness"
        return lacks(f"It depends on {known}.", known, leaves_open=("may_react",))
    reaction.may_react = aware
    if not aware:
        return forbids(f"Engaged, and {to} is outside its Awareness: no reaction.")
    return says(f"{to} is in its Awareness: nothing here forbids to react.")


REACT = Procedure(
    name="eldfall.react",
    title="May an Engaged model react against a model",
    given=(
        list_of(
            "engaged_by",
            named("enemy", unique=True),
            default=(),
            help="The enemy models that engage it; none: it is not Engaged.",
            words=("engaged by", "engaged", "engages me", "in melee with"),
        ),
        text("to", help="The model that it reacts against.", words=("react to", "react against", "against")),
        boolean(
            "in_awareness",
            None,
            nullable=True,
            help="That model is in its Awareness.",
            words=("awareness", "in awareness", "sees", "behind", "in the back"),
        ),
    ),
    result=(
        boolean(
            "line_of_sight",
            nullable=True,
            help="True: automatic. Null: the passages here do not settle it.",
            words=("line of sight", "los", "see"),
        ),
        boolean("may_react", nullable=True, help="False: forbidden here.", words=("react", "reaction")),
    ),
    make_state=Reaction,
    clauses=(automatic_line_of_sight, outside_awareness),
    judges=True,
    words=("react", "reaction", "line of sight", "los"),
)


@dataclass
class Recovery:
    """An Incapacitated model's Recovery Roll."""

    given: dict[str, Any]
    reroll: str = "allowed"


@clause("eldfall/rulings#incapacitated-engaged")
def reroll_prohibited(recovery: Recovery) -> Says:
    """The Reroll of the Recovery Roll is prohibited if the model, or an ally in Base-to-Base contact, is Engaged."""
    if recovery.given["engaged"]:
        recovery.reroll = "prohibited"
        return says("The Incapacitated model is Engaged: no Reroll.", reroll="prohibited")
    if recovery.given["ally_in_base_contact_engaged"]:
        recovery.reroll = "prohibited"
        return says("An ally in Base-to-Base contact is Engaged: no Reroll.", reroll="prohibited")
    return says("Neither it nor an ally in contact is Engaged: nothing prohibits the Reroll.", reroll="allowed")


RECOVERY = Procedure(
    name="eldfall.recovery",
    title="May the Recovery Roll be rerolled",
    given=(
        boolean(
            "engaged",
            False,
            help="The Incapacitated model is Engaged.",
            words=("engaged", "in melee", "locked in combat", "enemy over him"),
        ),
        boolean(
            "ally_in_base_contact_engaged",
            False,
            help="Another allied model in Base-to-Base contact with it is Engaged.",
            words=("ally engaged", "friend engaged", "engaged ally", "buddy in base contact", "friend in base contact"),
        ),
    ),
    result=(choice("reroll", ("allowed", "prohibited"), words=("reroll", "re-roll", "recovery")),),
    make_state=Recovery,
    clauses=(reroll_prohibited,),
    words=("recovery", "recovery roll", "reroll"),
)
