"""Eldfall Chronicles: readers of questions that tell a situation, or that count what an Engaged model may do."""

from __future__ import annotations

from kb.reading.eldfall.counts import counted, state
from kb.reading.eldfall.ends import ends
from kb.reading.eldfall.kinds import kinds
from kb.reading.eldfall.may import declares
from kb.reading.eldfall.options import freeing, options, pick
from kb.reading.eldfall.reroll import reroll
from kb.reading.eldfall.sides import sides
from kb.reading.situation import Reader

READERS: tuple[Reader, ...] = (counted, pick, options, freeing, state, sides, reroll, declares, ends, kinds)
