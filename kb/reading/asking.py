"""Which amounts a question asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.reading.counts import Told
from kb.reading.marks import Mark
from kb.reading.pronouns import QUALIFIERS
from kb.reading.stance import opens, stance


@dataclass(frozen=True, slots=True)
class Focus:
    """An amount that is asked for."""

    concept: str
    "What of; empty where the question does not name it."
    how: str
    "many | much | far | often | what | keyword"
    words: tuple[str, ...]
    "The words of its clause from there on."
    at: int


def foci(told: Told, nouns: frozenset[str]) -> list[Focus]:
    """The amounts that a question asks for, in order; a question in keywords asks for what its last part names."""
    found = [focus for at in range(len(told.marks)) if (focus := _focus(told, at, nouns))]
    found = [each for each in found if not _embedded(told, each)]
    return found if found or stance(told) is not None else list(_keywords(told, nouns))


def _embedded(told: Told, focus: Focus) -> bool:
    """`is it up to me how many I target`: the clause asks for yes or no."""
    clause = [mark for mark in told.clause_of(told.marks[focus.at].clause) if mark.concept != "break"]
    parted = any(mark.text in ("and", "but", "then", "or") for mark in told.marks[max(focus.at - 2, 0) : focus.at])
    return clause[0] is not told.marks[focus.at] and not parted and opens(" ".join(mark.text for mark in clause))


def _focus(told: Told, at: int, nouns: frozenset[str]) -> Focus | None:
    word = told.marks[at].text
    after = told.marks[at + 1] if at + 1 < len(told.marks) else None
    if word in ("how", "hows") and after is not None:
        how = {"many": "many", "much": "much", "far": "far", "often": "often", "tired": "much"}.get(after.text, "")
        if after.concept == "fatigue":
            how = "much"
        if not how:
            return None
        noun = "fatigue" if after.text == "tired" else _noun(told.marks, at + 2, nouns)
        if told.marks[at + 2 : at + 3] and told.marks[at + 2].text == "times":
            how = "often"
        return Focus(noun, how, _rest(told, at), at)
    starts = at == 0 or told.marks[at - 1].concept == "break"
    if word in ("total", "sum") and starts and after is not None and after.text not in ("is", "was", ","):
        noun = _noun(told.marks, at + 1, nouns)
        return Focus(noun, "keyword", _rest(told, at), at) if noun else None
    if word in ("what", "whats", "what's", "which", "wot", "wat"):
        return Focus(_noun(told.marks, at + 1, nouns), "what", _rest(told, at), at)
    return None


def _noun(marks: list[Mark], at: int, nouns: frozenset[str]) -> str:
    """The first noun from a place on with nothing but adjectives before it."""
    for mark in marks[at : at + 8]:
        if mark.concept in nouns:
            return mark.concept
        if mark.concept == "break" or not (
            mark.text in QUALIFIERS | _BEFORE_NOUN or mark.kind or mark.concept in _SOFT
        ):
            return ""
    return ""


_BEFORE_NOUN = frozenset(
    "is was would be 's the a my our their his her number amount total sum max maximum most highest greatest "
    "least biggest furthest farthest longest largest in all overall much of kind count many stat are for "
    "pooled exact final maximal then now".split()
)
_SOFT = frozenset("limit pooled available price".split())


def _rest(told: Told, at: int) -> tuple[str, ...]:
    clause = told.marks[at].clause
    return tuple(mark.text for mark in told.marks[at:] if mark.clause == clause and mark.concept != "break")


SUMS = frozenset("total sum altogether overall pooled max maximum all".split())
"Words that ask for an amount where its noun stands before: `3 and 2 damage. Total?`"


def _keywords(told: Told, nouns: frozenset[str]) -> Iterator[Focus]:
    """`total fatigue?`, `max targets in an engage`: the last part with a noun of its own."""
    clauses = {mark.clause for mark in told.marks if mark.concept in nouns}
    asking = [mark.clause for mark in told.marks if mark.asks and mark.clause in clauses]
    chosen = max(asking or clauses, default=None)
    asked = {word for mark in told.marks if mark.asks for word in mark.text.split()}
    if chosen is None or (asked and not asking and not asked & SUMS):
        return
    words = [mark.text for mark in told.clause_of(chosen)]
    nouns_at = [at for at, mark in enumerate(told.marks) if mark.clause == chosen and mark.concept in nouns]
    if told.words[max(nouns_at[0] - 1, 0)] in ("no", "not", "never") or words[0] in ("so", "only", "all", "just"):
        return
    counted = {each.end for each in told.counts}
    for at, mark in enumerate(told.marks):
        if mark.clause == chosen and mark.concept in nouns and at not in counted:
            first = next(place for place, other in enumerate(told.marks) if other.clause == chosen)
            yield Focus(mark.concept, "keyword", _rest(told, first), at)
            return
