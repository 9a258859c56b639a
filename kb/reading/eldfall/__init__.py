"""Eldfall Chronicles: readers of questions that tell a situation, or that count what an Engaged model may do."""

from __future__ import annotations

from contextlib import suppress

from kb.reading.eldfall.counts import counted, sides, state
from kb.reading.eldfall.options import freeing, options
from kb.reading.eldfall.words import Unclear
from kb.reading.situation import Reader, Situation


def _sure(reader: Reader) -> Reader:
    """The reader; what is unclear to it, it does not understand."""

    def read(text: str) -> Situation | None:
        with suppress(Unclear):
            return reader(text)
        return None

    return read


READERS: tuple[Reader, ...] = tuple(map(_sure, (counted, options, freeing, state, sides)))
