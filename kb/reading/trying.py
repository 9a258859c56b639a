"""Readings tried by the rules as they stand: whether several agree, and which number brings something about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kb.engine.kernel import UNDETERMINED, Rules, run
from kb.engine.plugins import procedure
from kb.errors import ExampleError
from kb.reading.situation import Found, Situation


def outcome(situation: Situation) -> Found | None:
    """What a reading comes to by the rules as they stand; None where it comes to nothing."""
    try:
        verdict = run(procedure(situation.procedure), situation.given, Rules())
    except ExampleError:
        return None
    found = situation.find(verdict) if verdict.status != UNDETERMINED or verdict.result else Found()
    return None if found.value is None and found.verdict is None else found


def agreed(readings: Sequence[Situation | None]) -> Situation | None:
    """The first reading, the best one: where there are several, only if all of them come to what was asked."""
    best = readings[0] if readings else None
    complete = [each for each in readings if each is not None and not each.missing]
    if best is None or best.missing or len(complete) < 2:
        return best
    outcomes = [found for each in complete if (found := outcome(each)) is not None]
    if len({(None if each.beside else each.value, each.verdict) for each in outcomes}) > 1:
        return None
    if len({each.value for each in outcomes}) < 2:
        return best
    # A number beside what was asked is told only if all come to that as well.
    return replace(best, find=lambda verdict: replace(best.find(verdict), value=None, unit="", beside=False))


BOUNDS = {"least": " at least", "most": " at most"}


def picked(tried: Mapping[int, tuple[Situation, bool]], pick: str, unit: str, deciding: str) -> Situation | None:
    """What was tried, with the number that is asked for among those that do it.

    `tried` holds every number in its order with the situation and whether it does it; `pick` is least, most, count,
    whether or only. None where the numbers that do it lie so that nobody would ask for that one.
    """
    values = list(tried)
    fits = [value for value, (_, does) in tried.items() if does]
    if pick == "whether":
        so, (shown, _) = "yes" if fits else "no", tried[fits[0] if fits else values[-1]]
        return replace(shown, find=lambda _: Found(verdict=so, deciding=deciding))
    edge = {"least": values[-1], "most": values[0]}.get(pick)
    if not fits or (len(fits) > 1 and (pick == "only" or edge not in (None, *fits))):
        # Nobody asks for the lowest roll of those that are too low.
        return None
    answer = fits[-1] if pick == "most" else fits[0]
    found = Found(len(fits) if pick == "count" else answer, unit + BOUNDS.get(pick, ""), deciding=deciding)
    shown, _ = tried[answer]
    return replace(shown, find=lambda _: found, says=f"{found.value} {found.unit}: {shown.says}")
