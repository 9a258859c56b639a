"""Book of Ordeals: readers of questions that tell a situation."""

from __future__ import annotations

from kb.engine.kernel import UNDETERMINED, Rules, run
from kb.engine.plugins import procedure
from kb.errors import ExampleError
from kb.reading.ordeals_blows import beside_the_point, blows
from kb.reading.ordeals_bonus import bonus
from kb.reading.ordeals_deeds import deeds
from kb.reading.ordeals_exchange import exchange, totals
from kb.reading.ordeals_needed import needed
from kb.reading.ordeals_supplies import supplies
from kb.reading.ordeals_told import Told, take_in
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
    return readings[0] if len({_outcome(each) for each in complete} - {None}) < 2 else None


def _situation(told: Told) -> Situation | None:
    return bonus(told) or exchange(told) or totals(told) or blows(told)


def _outcome(situation: Situation) -> Found | None:
    """What a reading comes to by the rules as they stand; None where it comes to nothing."""
    try:
        verdict = run(procedure(situation.procedure), situation.given, Rules())
    except ExampleError:
        return None
    found = situation.find(verdict) if verdict.status != UNDETERMINED or verdict.result else Found()
    return None if found.value is None and found.verdict is None else Found(found.value, verdict=found.verdict)


def in_bounds(reader: Reader) -> Reader:
    """The same for texts of the length of a question: a longer one is no situation, and reading it takes long."""

    def read(text: str) -> Situation | None:
        if len(text) > LONGEST or sum(token.kind == "number" for token in tokenize(text)) > MOST_NUMBERS:
            return None
        return reader(text)

    return read


LONGEST = 1_500
"Characters."
MOST_NUMBERS = 24
READERS: tuple[Reader, ...] = tuple(in_bounds(reader) for reader in (supplies, deeds, needed, fight))
