"""Book of Ordeals: parts of the exchange by themselves, for when only a part is told.

`ordeals.bonus` is what one side adds to its die; `ordeals.totals` an exchange whose totals are known; `ordeals.blow`
what becomes of one blow or several on one Character: margin, damage, Harm, Endurance left.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Each, Says, clause, ends, says
from kb.engine.fields import Field, boolean, integer, list_of, record, refuse
from kb.engine.kernel import Procedure
from kb.engine.ordeals.assault import (
    ASSAULT,
    Assault,
    charge,
    difference_is_damage,
    foe_taken_out,
    fully_absorbed,
    group_assault,
    harm_off_endurance,
    out_of_action,
    ward_off_the_damage,
    winner_may_push,
)
from kb.engine.ordeals.sides import (
    ALLIES,
    ATTACKER_WORDS,
    CHARGED,
    DAMAGE_MODIFIER,
    DEFENDER_WORDS,
    DIE,
    MIGHT,
    character,
)


@dataclass
class Bonus(Assault):
    """What one Character adds to its die; `attacker_total` is its total so far."""

    roll: int | None = None

    @property
    def total(self) -> int | None:
        return None if self.roll is None else self.attacker_total

    @property
    def bonus(self) -> int:
        return self.attacker_total - (self.roll or 0)


def start_bonus(given: dict[str, Any]) -> Bonus:
    return Bonus(given, attacker_total=given["roll"] or 0, roll=given["roll"])


@clause("ordeals/close-combat#exchange-1")
def own_might(bonus: Bonus) -> Says:
    """Each adds its own Might to its roll."""
    might = bonus.given["might"]
    bonus.attacker_total += might
    rolled = "" if bonus.roll is None else f"{bonus.roll} "
    return says(f"{rolled}+ Might {might} = {bonus.attacker_total}.", total=bonus.attacker_total)


@clause("ordeals/close-combat#group-assault")
def allies_help_the_acting_one(bonus: Bonus, *, bonus_per_ally: int = 1) -> Says | None:
    """Only the acting Character gains +1 Might for its allies on the same Foe."""
    if bonus.given["acting"]:
        return group_assault(bonus, bonus_per_ally=bonus_per_ally)
    return says("It is not the acting Character: allies add nothing.", bonus=0) if bonus.given["allies"] else None


def _might(help: str) -> Field:
    (attacker,) = (each for each in ASSAULT.given if each.name == "attacker")
    words = next(each.words for each in attacker.fields if each.name == "might")
    return integer("might", MIGHT, low=0, help=help, words=words)


ENGAGED_AT_START = next(each for each in ASSAULT.given if each.name == "engaged_at_act_start")

BONUS = Procedure(
    name="ordeals.bonus",
    title="What a Character adds to its D12",
    given=(
        integer("roll", None, low=1, high=DIE, nullable=True, help="Its D12; null: only the bonuses are wanted."),
        _might("Its Might, without Charge and Group Assault."),
        boolean("acting", True, help="It is its own Act. The bonuses of Group Assault are the acting Character's."),
        CHARGED,
        ENGAGED_AT_START,
        ALLIES,
    ),
    result=(
        integer("bonus", help="All that is added to the die.", words=("bonus", "bonuses", "add", "added", "on top")),
        integer("total", nullable=True, help="Null without a roll.", words=("total", "altogether", "in all", "sum")),
    ),
    make_state=start_bonus,
    clauses=(own_might, charge, allies_help_the_acting_one),
    words=("bonus", "total", "add"),
)


def start_totals(given: dict[str, Any]) -> Assault:
    totals = {f"{side}_total": given[side]["total"] for side in ("attacker", "defender")}
    return Assault(given, **totals)


def _known_total(name: str, whose: str, words: tuple[str, ...]) -> Field:
    stats = [each for each in character(name, whose=whose, words=words, rolls=False).fields if each.name != "might"]
    total = integer("total", help=f"{whose} roll with all that is added.", words=("total", "totals", "sum"))
    return record(name, total, *stats, help=f"{whose} numbers.", words=words)


TOTALS = Procedure(
    name="ordeals.totals",
    title="One Assault whose totals are known",
    given=(
        _known_total("attacker", "The acting Character's", ATTACKER_WORDS),
        _known_total("defender", "Its Foe's", DEFENDER_WORDS),
        DAMAGE_MODIFIER,
    ),
    result=tuple(each for each in ASSAULT.result if each.name != "push_inches"),
    make_state=start_totals,
    clauses=(
        difference_is_damage,
        ward_off_the_damage,
        fully_absorbed,
        harm_off_endurance,
        out_of_action,
        winner_may_push,
        foe_taken_out,
    ),
    words=("total", "totals"),
)


@dataclass
class Blow(Assault):
    """Blows on one Character, one after the other; `given` holds the one at hand."""

    blows: list[dict[str, Any]] = field(default_factory=list)
    endurance: int = 0
    harms: list[int] = field(default_factory=list)

    @property
    def loser(self) -> str:
        return "loser"

    @property
    def total_harm(self) -> int:
        return sum(self.harms)

    @property
    def is_out(self) -> bool:
        return self.out_of_action is not None


MEASURES = ("difference", "damage", "harm")


def start_blows(given: dict[str, Any]) -> Blow:
    """Refuses a blow that is told in none of the three ways, or in two."""
    for place, blow in enumerate(given["blows"]):
        told = [name for name in MEASURES if blow[name] is not None]
        if len(told) != 1:
            raise refuse(f"blows[{place}]", None, f"Give one of {', '.join(MEASURES)}", f"has {len(told)} of them")
    own = {name: given[name] for name in ("loser", "damage_modifier")}
    return Blow(own, blows=given["blows"], endurance=given["loser"]["endurance"])


def each_blow(state: Blow) -> Generator[None, str | None, None]:
    """Points the state at each blow in turn and carries the Endurance on."""
    own = state.given
    for blow in state.blows:
        state.given = {**own, "loser": {**own["loser"], "endurance": state.endurance}, **blow}
        state.damage, state.harm, state.loser_endurance = blow["damage"] or 0, blow["harm"] or 0, None
        yield
        state.endurance = state.endurance if state.loser_endurance is None else state.loser_endurance
        state.harms.append(state.harm)


@clause("ordeals/glossary#out-of-action")
def off_the_board(state: Blow) -> Says | None:
    """A Character that is Out of Action is removed from the board, so no further blow falls on it."""
    if state.out_of_action is None:
        return None
    state.harm = 0
    return ends("It is Out of Action and off the board: no further blow.")


@clause("ordeals/close-combat#exchange-2")
def margin_is_damage(state: Blow) -> Says | None:
    """The winner deals damage equal to the difference, Damage modifiers applied; a tie deals none."""
    margin, modifier = state.given["difference"], state.given["damage_modifier"]
    if margin is None:
        return None
    state.damage = max(0, margin + modifier) if margin else 0
    modified = f", {modifier:+d} by Damage modifiers" if modifier and margin else ""
    return says(f"A difference of {margin}{modified}: {state.damage} damage.", damage=state.damage)


@clause("ordeals/close-combat#exchange-3")
def ward_off_this_blow(state: Blow) -> Says | None:
    """The loser takes its Ward off the damage; what is left is Harm."""
    return ward_off_the_damage(state) if state.given["harm"] is None else None


BLOW = Procedure(
    name="ordeals.blow",
    title="What becomes of a blow: Ward, Harm, Endurance, Out of Action",
    given=(
        record(
            "loser",
            *character("loser", whose="The loser's", words=(), rolls=False).fields[1:],
            default={},
            help="Who takes the blows.",
            words=("loser",),
        ),
        list_of(
            "blows",
            record(
                "blow",
                integer("difference", None, low=0, nullable=True, help="By how much the exchange was lost."),
                integer("damage", None, low=0, nullable=True, help="Damage before Ward."),
                integer("harm", None, low=0, nullable=True, help="Harm, Ward already off."),
            ),
            low=1,
            help="The blows in order, each by one of the three.",
            words=("blows", "hits", "exchanges", "wounds"),
        ),
        DAMAGE_MODIFIER,
    ),
    result=(
        integer("damage", help="Of the last blow, before Ward.", words=("damage",)),
        integer("harm", help="Of the last blow.", words=("harm", "damage taken")),
        integer("total_harm", help="Of all blows."),
        list_of("harms", integer("harm"), help="Of each blow."),
        integer("endurance", help="What is left.", words=("endurance left", "hp left", "health left")),
        boolean("is_out", help="Out of Action.", words=("out of action", "dead", "killed", "knocked out", "taken out")),
    ),
    make_state=start_blows,
    clauses=(
        Each(
            each_blow,
            (off_the_board, margin_is_damage, ward_off_this_blow, fully_absorbed, harm_off_endurance, out_of_action),
        ),
    ),
    words=("damage", "harm", "blow", "hit"),
)
