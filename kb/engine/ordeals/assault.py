"""Book of Ordeals: one Assault, which is one exchange between the attacker (the acting Character) and the defender.

Decided where the pages leave room, each at its clause: a negative modifier makes damage 0 and not less; names in
`engaged_with` are compared without regard to capitals; nobody may push a Foe that the exchange took Out of Action,
since the push is given only where both are still active (asked for outright, it is undetermined).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.clauses import Says, clause, forbids, lacks, says
from kb.engine.fields import boolean, choice, integer
from kb.engine.kernel import Procedure
from kb.engine.ordeals.sides import (
    ALLIES,
    ATTACKER_WORDS,
    CHARGED,
    DAMAGE_MODIFIER,
    DEFENDER_WORDS,
    SIDES,
    character,
    other,
    said,
)


@dataclass
class Assault:
    """An exchange under way."""

    given: dict[str, Any]
    attacker_total: int = 0
    defender_total: int = 0
    winner: str | None = None
    damage: int = 0
    harm: int = 0
    loser_endurance: int | None = None
    out_of_action: str | None = None
    may_push: str | None = None
    push_inches: int = 0
    engaged_after: bool | str | None = None

    @property
    def loser(self) -> str | None:
        return other(self.winner) if self.winner else None


@clause("ordeals/close-combat#exchange-1")
def roll_and_might(assault: Assault) -> Says:
    """Both roll a D12, and each adds its own Might."""
    attacker, defender = assault.given["attacker"], assault.given["defender"]
    assault.attacker_total = attacker["roll"] + attacker["might"]
    assault.defender_total = defender["roll"] + defender["might"]
    return says(
        f"Attacker {attacker['roll']} + Might {attacker['might']} = {assault.attacker_total}, "
        f"defender {defender['roll']} + Might {defender['might']} = {assault.defender_total}.",
        attacker_total=assault.attacker_total,
        defender_total=assault.defender_total,
    )


@clause("ordeals/close-combat#charge")
def charge(assault: Assault, *, bonus: int = 1) -> Says | None:
    """It gains +1 Might for moving in and Assaulting in one Act, unless it was already Engaged when the Act started."""
    if not assault.given["charged"]:
        return None
    if assault.given["engaged_at_act_start"]:
        return says("The attacker was already Engaged when its Act started: no Charge bonus.", bonus=0)
    assault.attacker_total += bonus
    return says(
        f"The attacker charged: +{bonus} Might, total {assault.attacker_total}.",
        bonus=bonus,
        attacker_total=assault.attacker_total,
    )


@clause("ordeals/close-combat#charge")
def charge_of_an_earlier_act(assault: Assault) -> Says | None:
    """The bonus is for the Act of the move; what becomes of it afterwards is not stated."""
    side = assault.given["charged_in_earlier_act"]
    if side is None:
        return None
    return lacks(
        f"The {side} charged in an earlier Act, and no passage tells whether its +1 Might lasts until this exchange.",
        "how long the Charge bonus lasts beyond the Act in which the Character moved and Assaulted",
    )


@clause("ordeals/close-combat#group-assault")
def group_assault(assault: Assault, *, bonus_per_ally: int = 1) -> Says | None:
    """The acting Character gains +1 Might for each ally Engaged with the same Foe and with no other."""
    allies = assault.given["allies"]
    if not allies:
        return None
    count = sum(_only_with_defender(ally["engaged_with"]) for ally in allies)
    gain = count * bonus_per_ally
    assault.attacker_total += gain
    return says(
        f"Allies Engaged with the defender and with no other: {count} of {len(allies)}, +{gain} Might, "
        f"total {assault.attacker_total}.",
        counted=count,
        bonus=gain,
        attacker_total=assault.attacker_total,
    )


def _only_with_defender(engaged_with: list[str]) -> bool:
    return {name.strip().casefold() for name in engaged_with} == {"defender"}


@clause("ordeals/close-combat#exchange-2")
def difference_is_damage(assault: Assault) -> Says:
    """The winner deals damage equal to the difference, Damage modifiers applied; a tie deals none."""
    margin = assault.attacker_total - assault.defender_total
    if margin == 0:
        return says("A tie: no winner, no damage.", damage=0)
    assault.winner = "attacker" if margin > 0 else "defender"
    modifier = assault.given["damage_modifier"]
    # There is no dealing less than nothing: a modifier can at most take the whole blow away.
    assault.damage = max(0, abs(margin) + modifier)
    modified = f", {modifier:+d} by Damage modifiers" if modifier else ""
    return says(
        f"The {assault.winner} wins by {abs(margin)}{modified}: {assault.damage} damage.",
        winner=assault.winner,
        difference=abs(margin),
        damage=assault.damage,
    )


@clause("ordeals/close-combat#exchange-3")
def ward_off_the_damage(assault: Assault) -> Says | None:
    """The loser takes its Ward off the damage; what is left is Harm."""
    if assault.loser is None:
        return None
    ward = assault.given[assault.loser]["ward"]
    assault.harm = assault.damage - ward
    return says(f"{assault.damage} damage - Ward {ward} = {assault.harm}.", ward=ward, harm=assault.harm)


@clause("ordeals/glossary#harm")
def fully_absorbed(assault: Assault) -> Says | None:
    """A blow that Ward absorbs completely does no Harm."""
    if assault.loser is None or assault.harm > 0:
        return None
    assault.harm = 0
    return says("Nothing of the blow is left: no Harm.", harm=0)


@clause("ordeals/close-combat#exchange-3")
def harm_off_endurance(assault: Assault) -> Says | None:
    """Harm is subtracted from the loser's Endurance."""
    if assault.loser is None:
        return None
    endurance = assault.given[assault.loser]["endurance"]
    assault.loser_endurance = endurance - assault.harm
    return says(
        f"The {assault.loser}'s Endurance {endurance} - Harm {assault.harm} = {assault.loser_endurance}.",
        loser_endurance=assault.loser_endurance,
    )


@clause("ordeals/glossary#out-of-action")
def out_of_action(assault: Assault, *, endurance: int = 0) -> Says | None:
    """A Character whose Endurance is 0 or less is Out of Action."""
    if assault.loser_endurance is None or assault.loser_endurance > endurance:
        return None
    assault.out_of_action = assault.loser
    return says(
        f"Endurance {assault.loser_endurance}: the {assault.loser} is Out of Action.", out_of_action=assault.loser
    )


@clause("ordeals/close-combat#exchange-4")
def winner_may_push(assault: Assault, *, inches: int = 2) -> Says | None:
    """If both are still active the winner may push either one 2 inches away; otherwise both stay Engaged."""
    if assault.out_of_action:
        return None
    if assault.winner is None:
        assault.engaged_after = True
        return says("Nobody won, so nobody may push: both stay Engaged.", may_push=None, engaged_after=True)
    assault.may_push, assault.push_inches = assault.winner, inches
    assault.engaged_after = "winner-chooses"
    return says(
        f"Both are still active: the {assault.winner} may push either one {inches} inches away, or both stay Engaged.",
        may_push=assault.winner,
        inches=inches,
    )


@clause("ordeals/close-combat#exchange-4")
def push(assault: Assault) -> Says | None:
    """A push ends the Assault and parts the two; without it both stay Engaged."""
    pushed = assault.given["pushes"]
    if pushed is None:
        return None
    if pushed == "nobody":
        assault.engaged_after = assault.out_of_action is None
        return says("Nobody is pushed.", engaged_after=assault.engaged_after)
    if assault.out_of_action:
        return lacks(
            f"The push is given only where both are still active, and the {assault.out_of_action} is Out of Action.",
            "whether a winner may push after the exchange took its Foe Out of Action",
            leaves_open=("may_push",),
        )
    if assault.may_push is None:
        return forbids("Only the winner may push, and a tie has none.")
    assault.engaged_after = False
    whom = "itself" if pushed == "self" else "its opponent"
    return says(f"The {assault.winner} pushes {whom} away: both are free of each other.", engaged_after=False)


@clause("ordeals/close-combat#engaged-leaving")
def foe_taken_out(assault: Assault) -> Says | None:
    """A Character gets free when a Foe is taken Out of Action."""
    if assault.out_of_action is None:
        return None
    assault.engaged_after = False
    return says(f"The {assault.out_of_action} is Out of Action: the other one is free of it.", engaged_after=False)


@clause("ordeals/glossary#reach")
def assault_by_reach(assault: Assault) -> Says | None:
    """Reach lets a Character Assault from beyond 1 inch without becoming Engaged."""
    if not assault.given["by_reach"]:
        return None
    assault.engaged_after = False
    return says("The Assault was made by Reach from beyond 1 inch: the two are not Engaged.", engaged_after=False)


ASSAULT = Procedure(
    name="ordeals.assault",
    title="One Assault: who wins, how much Harm, who is Out of Action",
    given=(
        character("attacker", whose="The acting Character's", words=ATTACKER_WORDS),
        character("defender", whose="Its Foe's", words=DEFENDER_WORDS),
        CHARGED,
        boolean(
            "engaged_at_act_start",
            False,
            help="The attacker was already Engaged when its Act started.",
            words=("already engaged", "started engaged", "engaged at the start", "already in combat"),
        ),
        ALLIES,
        DAMAGE_MODIFIER,
        boolean(
            "by_reach",
            False,
            help="The Assault is made with Reach from beyond 1 inch.",
            words=("by reach", "with reach", "using reach", "from reach"),
        ),
        choice(
            "pushes",
            ("self", "opponent", "nobody"),
            None,
            nullable=True,
            help="Whom the winner pushes, once it has chosen.",
            words=("push", "pushes", "pushed", "shove", "knock back"),
        ),
        choice(
            "charged_in_earlier_act",
            SIDES,
            None,
            nullable=True,
            help="Who charged in an Act before this one.",
            words=("charged last turn", "charged before"),
        ),
    ),
    result=(
        integer("attacker_total", help="Roll and Might of the attacker, bonuses included."),
        integer("defender_total", help="Roll and Might of the defender."),
        choice("winner", SIDES, nullable=True, help="Null on a tie.", words=("win", "wins", "winner", "won")),
        integer(
            "damage",
            help="What the winner deals, before Ward.",
            words=said("damage|hits of|hits for|hit of|blows of|blow of|damages|dam|damage points"),
        ),
        integer(
            "harm",
            help="What is left of it after Ward.",
            words=said("harm|damage taken|hurt|harms|net damage|damage suffered|points of harm"),
        ),
        integer(
            "loser_endurance", nullable=True, help="Null on a tie.", words=("endurance left", "hp left", "health left")
        ),
        choice(
            "out_of_action",
            SIDES,
            nullable=True,
            words=said(
                "out of action|dead|killed|knocked out|taken out|die|dies|died|kill|kills|slain|take out|"
                "takes out|took out|down|downed|gone|finished|a goner|goner|ko|out|drop|drops|dropped|removed|"
                "toast|eliminated|one shot|one shots|oneshot|one shotted|finish off|perish|perishes|go down|"
                "goes down|bite the dust|bites the dust|defeat for good|slay|slays|finish|off the board"
            ),
        ),
        choice("may_push", SIDES, nullable=True, help="Who may push.", words=("push", "shove")),
        integer("push_inches", unit="inches", help="How far; 0 where nobody may.", words=("how far", "push distance")),
        boolean(
            "engaged_after",
            choices=("winner-chooses",),
            nullable=True,
            help="Whether the two are Engaged with each other afterwards; other Foes nearby are not looked at.",
            words=("still engaged", "stay engaged", "free"),
        ),
    ),
    make_state=Assault,
    clauses=(
        roll_and_might,
        charge,
        charge_of_an_earlier_act,
        group_assault,
        difference_is_damage,
        ward_off_the_damage,
        fully_absorbed,
        harm_off_endurance,
        out_of_action,
        winner_may_push,
        push,
        foe_taken_out,
        assault_by_reach,
    ),
    words=("assault", "attack", "fight", "exchange", "melee", "close combat"),
)
