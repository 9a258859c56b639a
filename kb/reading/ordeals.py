"""Book of Ordeals: readers of questions that tell a situation."""

from __future__ import annotations

from kb.reading.ordeals_blows import blows
from kb.reading.ordeals_bonus import bonus
from kb.reading.ordeals_counts import deeds, supplies
from kb.reading.ordeals_exchange import exchange, totals
from kb.reading.ordeals_needed import needed
from kb.reading.ordeals_told import take_in
from kb.reading.situation import Reader, Situation


def fight(text: str) -> Situation | None:
    """An exchange, told by rolls, by totals or by what it did."""
    told = take_in(text)
    if told is None:
        return None
    return bonus(told) or exchange(told) or totals(told) or blows(told)


READERS: tuple[Reader, ...] = (supplies, deeds, needed, fight)
