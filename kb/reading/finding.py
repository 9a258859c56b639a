"""What a reading asks of the engine's verdict: a number, a claim about a number, whether something is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from kb.engine.kernel import ILLEGAL, LEGAL, Verdict
from kb.reading.counts import Count
from kb.reading.situation import Found
from kb.reading.stance import Stance

Find = Callable[[Verdict], Found]
Pick = Callable[[dict[str, Any]], Any]
AT_LEAST = frozenset({"at least", "enough", "suffices", "minimum", "least", "sufficient"})
AT_MOST = frozenset({"at most", "up to", "max", "maximum", "tops"})


def result(name: str) -> Pick:
    """The result of that name; `a.b` is b of the mapping a."""
    first, _, rest = name.partition(".")

    def pick(results: dict[str, Any]) -> Any:
        value = results.get(first)
        return value.get(rest, 0) if rest and isinstance(value, dict) else value

    return pick


def amount(pick: Pick, unit: str, deciding: str | None = None) -> Find:
    """The number that is asked for."""
    return lambda verdict: Found(pick(dict(verdict.result)), unit, None, deciding)


def each_of(pick: Callable[[dict[str, Any]], Mapping[str, int]], unit: str, deciding: str | None = None) -> Find:
    """What each of several comes to: `spider 7, rat 2`."""

    def find(verdict: Verdict) -> Found:
        if verdict.status == ILLEGAL:
            return Found()
        amounts = pick(dict(verdict.result))
        return Found(", ".join(f"{name} {value}" for name, value in amounts.items()), unit, None, deciding)

    return find


def if_legal(pick: Pick, unit: str, deciding: str | None = None) -> Find:
    """The number that is asked for, where what leads to it is allowed."""
    return lambda verdict: (
        Found(pick(dict(verdict.result)), unit, None, deciding) if verdict.status == LEGAL else Found()
    )


def claim(pick: Pick, unit: str, holds: Callable[[int], bool], stance: Stance, deciding: str | None = None) -> Find:
    """Whether what the question says of the number is so, and the number."""

    def find(verdict: Verdict) -> Found:
        value = pick(dict(verdict.result))
        if not isinstance(value, int):
            return Found()
        return Found(value, unit, said(holds(value), stance), deciding)

    return find


def allowed(
    stance: Stance | None, pick: Pick | None = None, unit: str = "", deciding: str | None = None, no: str | None = None
) -> Find:
    """Whether the engine calls it legal, and a number beside it; `no` is the deciding clause of a refusal."""

    def find(verdict: Verdict) -> Found:
        if verdict.status not in (LEGAL, ILLEGAL):
            return Found()
        value = pick(dict(verdict.result)) if pick else None
        legal = verdict.status == LEGAL
        told = said(legal, stance) if stance else None
        return Found(value, unit if pick else "", told, deciding if legal else no or deciding)

    return find


def said(so: bool, stance: Stance) -> str | None:
    """`yes` or `no` to the question that was put."""
    if stance.yes_means_so is None:
        return None
    return "yes" if so == stance.yes_means_so else "no"


def compared(count: Count) -> Callable[[int], bool]:
    """What the words beside a claimed number say of the true one: exactly, at least, more than, …"""
    words, claimed = " ".join((*count.left[-3:], *count.right[:4])), count.value
    if "more than" in words or "over" in count.left[-1:]:
        return lambda value: value > claimed
    if "less than" in words or "fewer than" in words or "under" in count.left[-1:]:
        return lambda value: value < claimed
    if _any(words, AT_LEAST):
        return (lambda value: value <= claimed) if "enough" in words else (lambda value: value >= claimed)
    if _any(words, AT_MOST):
        return lambda value: value <= claimed
    return lambda value: value == claimed


def _any(words: str, phrases: Collection[str]) -> bool:
    return any(phrase in words for phrase in phrases)
