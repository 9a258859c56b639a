"""Eldfall Chronicles: whether one event ends being Engaged by the one enemy that is spoken of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.engine.kernel import Verdict
from kb.polarity import frame, is_doubtful
from kb.question import SAYS, Question
from kb.reading.eldfall import words as w
from kb.reading.eldfall.declared import is_unread, nouns_of
from kb.reading.marks import Mark, marks_of
from kb.reading.situation import Found, Situation

_EVENTS: dict[str, str] = w.TABLES["events"]
_LEXICON = w.lexicon({**_EVENTS, **w.TABLES["ends"], "not": w.PHRASES[w.NOT]})


def ends(text: str) -> Situation | None:
    """Whether the model is free, or still Engaged, after what happened to the enemy or to it."""
    question = Question(text)
    unread = is_unread(question) or question.asks_truth
    marks = _marks(text)
    events = {mark.concept for mark in marks} & _EVENTS.keys()
    asking = _marks(question.asking)
    asked = {mark.concept for mark in asking} & {"free", "held"}
    if unread or len(events) != 1 or not asked or any(mark.concept == "unsure" for mark in marks):
        return None
    if SAYS.search(text) or not any(
        mark.concept in ("held", "leaves-reach", "dodge-disengage") or mark.text in _BY for mark in marks
    ):
        return None
    (event,) = events
    at = next(at for at, mark in enumerate(marks) if mark.concept == event)
    around = {mark.text for mark in marks[max(0, at - 6) : at + 3] if mark.sentence == marks[at].sentence}
    numbers = [n for n, mark in enumerate(marks) if mark.value is not None and not _is_the_one(marks, n)]
    if numbers or any(mark.concept == "not" for mark in marks[max(0, at - 4) : at]):
        return None
    alone = at > 0 and marks[at - 1].text == "i" and (at + 1 == len(marks) or marks[at + 1].concept == "break")
    if event.startswith("enemy") and (_OWN.search(text.casefold()) or around & _ITSELF or alone):
        return None
    by = next((n for n, mark in enumerate(asking) if mark.text in ("by", "from", "of")), len(asking))
    named = nouns_of(asking[by:])
    if named and not named & nouns_of([mark for mark in marks if mark.sentence == marks[at].sentence]):
        return None
    plain = " ".join("thing" if mark.concept in asked | events else mark.text for mark in asking)
    put = frame(plain)
    if is_doubtful(plain) or put.asks != "may" or put.only:
        return None
    free = ("free" in asked) != put.negated

    def find(verdict: Verdict) -> Found:
        return Found(verdict="yes" if verdict.result["engaged_after"] != free else "no")

    return Situation("eldfall.ends", {"event": event}, event, find)


_OWN = re.compile(
    r"\b(?:that|who|which) (?:doesn|isn|don|does not|is not)|\b(?:i['’]?m|i am|i was|i got|i get|me being)\b"
)
_ITSELF = frozenset("my am being becoming becomes falling falls going model models".split())
"Beside an event, these may tell it of the player's own model."
_BY = ("him", "her", "it", "them", "enemy", "engager")


def _marks(text: str) -> list[Mark]:
    return [mark for mark in marks_of(text.casefold().replace("’", "'"), _LEXICON) if mark.concept != "passing"]


def _is_the_one(marks: Sequence[Mark], at: int) -> bool:
    """`the one enemy`: there is no other."""
    return marks[at].value == 1 and at > 0 and marks[at - 1].text in ("the", "that", "no", "my")
