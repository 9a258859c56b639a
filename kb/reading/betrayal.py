"""Reads questions about Betrayal of the Second Era that tell a situation."""

from kb.reading.betrayal_damage import read_damage, read_necrotic
from kb.reading.betrayal_dice import read_dice
from kb.reading.betrayal_engaged import read_engaged
from kb.reading.betrayal_fatigue import read_fatigue
from kb.reading.betrayal_icons import read_icons
from kb.reading.betrayal_placed import read_placed
from kb.reading.betrayal_reach import read_reach, read_targets, read_weapons
from kb.reading.betrayal_tenacity import read_tenacity
from kb.reading.betrayal_track import read_cooldown, read_position, read_rest
from kb.reading.betrayal_turn import read_move, read_turn
from kb.reading.situation import Reader

READERS: tuple[Reader, ...] = (
    read_placed,
    read_engaged,
    read_fatigue,
    read_move,
    read_icons,
    read_dice,
    read_reach,
    read_targets,
    read_weapons,
    read_damage,
    read_necrotic,
    read_tenacity,
    read_turn,
    read_cooldown,
    read_position,
    read_rest,
)
