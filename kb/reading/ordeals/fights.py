"""Book of Ordeals: an exchange or several, told by rolls, by totals or by what they did, read and run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kb.engine.kernel import UNDETERMINED, Rules, run
from kb.engine.ordeals.sides import ENDURANCE
from kb.engine.plugins import procedure
from kb.errors import ExampleError
from kb.reading.numbers import Fact
from kb.reading.ordeals.blows import beside_the_point, blows
from kb.reading.ordeals.bonus import bonus
from kb.reading.ordeals.exchange import exchange
from kb.reading.ordeals.told import SCORES, Told, take_in
from kb.reading.situation import Found, Situation


def fight(text: str) -> Situation | None:
    """An exchange, told by rolls, by totals or by what it did."""
    return agreed(take_in(text), situation)


def agreed(tolds: Sequence[Told], solve: Callable[[Told], Situation | None]) -> Situation | None:
    """The best reading: where the numbers may be meant in several ways, only if all of them come to the same."""
    if not tolds:
        return None
    fewest = min(beside_the_point(told) for told in tolds)
    readings = [solve(told) for told in tolds if beside_the_point(told) == fewest]
    if readings[0] is None:
        return None
    complete = [each for each in readings if each is not None and not each.missing]
    if readings[0].missing or len(complete) < 2:
        return readings[0]
    return _agreed(readings[0], [found for each in complete if (found := outcome(each)) is not None])


def _agreed(best: Situation, outcomes: Sequence[Found]) -> Situation | None:
    """The best reading, if all come to what was asked; a number beside it is told only if all come to that as well."""
    asked = {(None if each.beside else each.value, each.verdict) for each in outcomes}
    if len(asked) > 1:
        return None
    if len({each.value for each in outcomes}) < 2:
        return best
    return replace(best, find=lambda verdict: replace(best.find(verdict), value=None, unit="", beside=False))


def situation(told: Told) -> Situation | None:
    """What one way to understand a question comes to."""
    if told.has("damage_modifier") and COUNTED_IN.search(told.text):
        return None
    told = _worn(told)
    return bonus(told) or exchange(told) or blows(told)


EARLIER = re.compile(
    r"\b(?:earlier|already|last (?:turn|act|round|exchange)|before(?:hand)?|previously|so far|first)\b"
)


def _worn(told: Told) -> Told:
    """With Harm of an earlier exchange off the Endurance, where the exchange at hand is told by its scores."""
    harms = [fact for fact in told.facts if fact.what == "harm"]
    asked = {ask.what for ask in told.asks}
    party = harms[0].party if harms else ""
    if not told.has(*SCORES) or not asked <= {"endurance", "out"} or party not in told.scene.sides:
        return told
    if len({fact.party for fact in harms}) > 1 or told.has("damage", "difference") or not EARLIER.search(told.text):
        return told
    endurance = int(told.of("endurance", party) or ENDURANCE) - sum(int(fact.value) for fact in harms)
    rest = [fact for fact in told.facts if fact.what != "harm" and (fact.what, fact.party) != ("endurance", party)]
    return replace(told, facts=(*rest, Fact("endurance", endurance, party)))


def outcome(situation: Situation) -> Found | None:
    """What a reading comes to by the rules as they stand; None where it comes to nothing."""
    try:
        verdict = run(procedure(situation.procedure), situation.given, Rules())
    except ExampleError:
        return None
    found = situation.find(verdict) if verdict.status != UNDETERMINED or verdict.result else Found()
    return None if found.value is None and found.verdict is None else found


COUNTED_IN = re.compile(r"\b(?:includ\w*|already|counted|for (?:each|every)|per)\b")
"Whether a Damage modifier is in the numbers already, and how often it counts, is not for sure then."
