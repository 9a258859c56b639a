"""Book of Ordeals: readers of questions that tell a situation."""

from __future__ import annotations

from kb.reading.ordeals.deeds import deeds
from kb.reading.ordeals.fights import fight, needed
from kb.reading.ordeals.supplies import supplies
from kb.reading.ordeals.words import written_out
from kb.reading.situation import Reader, Situation
from kb.reading.tokens import tokenize


def in_bounds(reader: Reader) -> Reader:
    """The same for texts with no more numbers than a question has: one with more is no situation, and takes long."""

    def read(text: str) -> Situation | None:
        if sum(token.kind == "number" for token in tokenize(text)) > MOST_NUMBERS:
            return None
        return reader(written_out(text))

    return read


MOST_NUMBERS = 24
READERS: tuple[Reader, ...] = tuple(in_bounds(reader) for reader in (supplies, deeds, needed, fight))
