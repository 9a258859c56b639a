"""Book of Ordeals: several exchanges in a row, the Endurance of both carried on.

Charge and Group Assault are left out: of a bonus that lasts beyond one exchange no passage tells, and allies may come
and go. `ordeals.assault` has them for one exchange.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Each, Says, clause, ends
from kb.engine.fields import choice, die, integer, list_of, record, refuse
from kb.engine.kernel import Procedure
from kb.engine.ordeals.assault import (
    Assault,
    difference_is_damage,
    fully_absorbed,
    harm_off_endurance,
    out_of_action,
    roll_and_might,
    ward_off_the_damage,
)
from kb.engine.ordeals.sides import ATTACKER_WORDS, DEFENDER_WORDS, DIE, SIDES, character


@dataclass
class Fight(Assault):
    """A fight under way; `given` is the exchange at hand."""

    whole: dict[str, Any] = field(default_factory=dict)
    endurance: dict[str, int] = field(default_factory=dict)
    harm_of: dict[str, int] = field(default_factory=dict)

    @property
    def attacker_endurance(self) -> int:
        return self.endurance["attacker"]

    @property
    def defender_endurance(self) -> int:
        return self.endurance["defender"]

    @property
    def attacker_harm(self) -> int:
        return self.harm_of["attacker"]

    @property
    def defender_harm(self) -> int:
        return self.harm_of["defender"]


def start(given: dict[str, Any]) -> Fight:
    """Refuses an exchange that tells neither both rolls nor who won by how much."""
    for place, exchange in enumerate(given["exchanges"]):
        rolled = [exchange[f"{side}_roll"] for side in SIDES]
        told = (exchange["winner"] is not None) == (exchange["difference"] is not None)
        if not told or (None in rolled) == (exchange["winner"] is None) or (any(rolled) and None in rolled):
            raise refuse(f"exchanges[{place}]", None, "Give both rolls, or winner and difference", "tells neither")
    return Fight(
        given,
        whole=given,
        endurance={side: given[side]["endurance"] for side in SIDES},
        harm_of=dict.fromkeys(SIDES, 0),
    )


def each_exchange(fight: Fight) -> Generator[None, str | None, None]:
    """Points the fight at each exchange in turn and carries the Endurance on."""
    for exchange in fight.whole["exchanges"]:
        fight.given = {"damage_modifier": 0} | {
            side: {**fight.whole[side], "endurance": fight.endurance[side], "roll": exchange[f"{side}_roll"]}
            for side in SIDES
        }
        fight.winner, fight.damage, fight.harm, fight.loser_endurance = None, 0, 0, None
        margin = exchange["difference"] or 0
        fight.attacker_total = margin if exchange["winner"] == "attacker" else 0
        fight.defender_total = margin if exchange["winner"] == "defender" else 0
        yield
        if fight.loser is not None and fight.loser_endurance is not None:
            fight.endurance[fight.loser] = fight.loser_endurance
            fight.harm_of[fight.loser] += fight.harm


@clause("ordeals/glossary#out-of-action")
def the_fight_is_over(fight: Fight) -> Says | None:
    """A Character that is Out of Action is removed from the board, so no further exchange takes place."""
    return ends(f"The {fight.out_of_action} is off the board: no further exchange.") if fight.out_of_action else None


@clause("ordeals/close-combat#exchange-1")
def roll_and_might_where_rolled(fight: Fight) -> Says | None:
    """Both roll a D12, and each adds its own Might."""
    return None if fight.given["attacker"]["roll"] is None else roll_and_might(fight)


FIGHT = Procedure(
    name="ordeals.fight",
    title="Several exchanges in a row",
    given=(
        character("attacker", whose="One side's", words=ATTACKER_WORDS, rolls=False),
        character("defender", whose="The other side's", words=DEFENDER_WORDS, rolls=False),
        list_of(
            "exchanges",
            record(
                "exchange",
                die("attacker_roll", DIE, help="One side's D12."),
                die("defender_roll", DIE, help="The other side's D12."),
                choice("winner", SIDES, None, nullable=True, help="Who won, where the rolls are not told."),
                integer("difference", None, low=1, nullable=True, help="By how much."),
            ),
            low=1,
            help="The exchanges in order, each by both rolls or by winner and difference.",
            words=("exchanges", "rounds", "blows"),
        ),
    ),
    result=(
        integer("attacker_endurance", words=("endurance left", "hp left")),
        integer("defender_endurance", words=("endurance left", "hp left")),
        integer("attacker_harm", help="In all.", words=("harm",)),
        integer("defender_harm", help="In all.", words=("harm",)),
        choice("out_of_action", SIDES, nullable=True, words=("out of action", "dead", "killed")),
    ),
    make_state=start,
    clauses=(
        Each(
            each_exchange,
            (
                the_fight_is_over,
                roll_and_might_where_rolled,
                difference_is_damage,
                ward_off_the_damage,
                fully_absorbed,
                harm_off_endurance,
                out_of_action,
            ),
        ),
    ),
    words=("exchanges", "fight", "rounds"),
)
