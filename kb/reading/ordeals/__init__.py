"""Book of Ordeals: readers of questions that tell a situation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.engine.kernel import UNDETERMINED, Rules, run
from kb.engine.plugins import procedure
from kb.errors import ExampleError
from kb.reading.ordeals.blows import beside_the_point, blows
from kb.reading.ordeals.bonus import bonus
from kb.reading.ordeals.deeds import deeds
from kb.reading.ordeals.exchange import exchange, totals
from kb.reading.ordeals.needed import needed
from kb.reading.ordeals.supplies import supplies
from kb.reading.ordeals.told import Told, take_in, written_out
from kb.reading.situation import Found, Reader, Situation
from kb.reading.tokens import tokenize


def fight(text: str) -> Situation | None:
    """An exchange, told by rolls, by totals or by what it did.

    Where the numbers may be meant in several ways, each is computed; only if all come to the same is it an answer.
    """
    tolds = take_in(text)
    if not tolds:
        return None
    fewest = min(beside_the_point(told) for told in tolds)
    readings = [_situation(told) for told in tolds if beside_the_point(told) == fewest]
    if readings[0] is None:
        return None
    complete = [each for each in readings if each is not None and not each.missing]
    if readings[0].missing or len(complete) < 2:
        return readings[0]
    return _agreed(readings[0], [found for each in complete if (found := _outcome(each)) is not None])


def _agreed(best: Situation, outcomes: Sequence[Found]) -> Situation | None:
    """The best reading, if all come to what was asked; a number beside it is told only if all come to that as well."""
    asked = {(None if each.beside else each.value, each.verdict) for each in outcomes}
    if len(asked) > 1:
        return None
    if len({each.value for each in outcomes}) < 2:
        return best
    return replace(best, find=lambda verdict: replace(best.find(verdict), value=None, unit="", beside=False))


def _situation(told: Told) -> Situation | None:
    if told.has("damage_modifier") and COUNTED_IN.search(told.text):
        return None
    return bonus(told) or exchange(told) or totals(told) or blows(told)


def _outcome(situation: Situation) -> Found | None:
    """What a reading comes to by the rules as they stand; None where it comes to nothing."""
    try:
        verdict = run(procedure(situation.procedure), situation.given, Rules())
    except ExampleError:
        return None
    found = situation.find(verdict) if verdict.status != UNDETERMINED or verdict.result else Found()
    return None if found.value is None and found.verdict is None else found


def in_bounds(reader: Reader) -> Reader:
    """The same for texts with no more numbers than a question has: one with more is no situation, and takes long."""

    def read(text: str) -> Situation | None:
        if sum(token.kind == "number" for token in tokenize(text)) > MOST_NUMBERS:
            return None
        return reader(written_out(text))

    return read


COUNTED_IN = re.compile(r"\b(?:includ\w*|already|counted|for (?:each|every)|per)\b")
"Whether a Damage modifier is in the numbers already, and how often it counts, is not for sure then."
MOST_NUMBERS = 24
READERS: tuple[Reader, ...] = tuple(in_bounds(reader) for reader in (supplies, deeds, needed, fight))
