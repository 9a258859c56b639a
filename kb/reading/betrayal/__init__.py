"""Reads questions about Betrayal of the Second Era that tell a situation."""

from kb.reading.betrayal.damage import read_damage, read_defense, read_necrotic
from kb.reading.betrayal.dice import read_dice, read_icons
from kb.reading.betrayal.fatigue import read_fatigue
from kb.reading.betrayal.placed import read_engaged, read_placed
from kb.reading.betrayal.reach import read_reach, read_targets, read_weapons
from kb.reading.betrayal.sought import read_sought
from kb.reading.betrayal.tenacity import read_cost, read_tenacity
from kb.reading.betrayal.turn import read_cooldown, read_move, read_position, read_rest, read_turn
from kb.reading.situation import Reader, Situation

PLAIN: tuple[Reader, ...] = (
    read_placed,
    read_engaged,
    read_fatigue,
    read_move,
    read_icons,
    read_dice,
    read_reach,
    read_targets,
    read_weapons,
    read_defense,
    read_damage,
    read_necrotic,
    read_cost,
    read_tenacity,
    read_turn,
    read_cooldown,
    read_position,
    read_rest,
)


def _sought(text: str) -> Situation | None:
    return read_sought(text, PLAIN)


READERS: tuple[Reader, ...] = (*PLAIN, _sought)
