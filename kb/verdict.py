"""Yes or no: what claims and the phrasings that editors answered say together, and how sure that makes it.

A question that is all but the same as an answered phrasing has its verdict. Else a claim that its concepts match, what
the answered phrasings of the two best passages lean to, and which answered phrasing is the nearest each speak for yes
or for no; a logistic model weighs them. It is fitted on questions by which neither claims nor phrasings were written,
so that its chance is what a stranger's question meets with. Below `Calibration.sure` there is no verdict: a wrong one
is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.calibration import Calibration
from kb.claims import Settled
from kb.framing import asked_frame, frame_of
from kb.passage import SAYS_NOTHING
from kb.polarity import Frame
from kb.question import Question
from kb.retrieval import AskHit

SAME = 0.95
"Phrasings this near are the same question."
SURELY_SAME = 0.985
"Phrasings this near are the same question even where a claim says otherwise."
ALIKE = 0.8
"A phrasing this near says what the question was taken for; one farther off would only confuse."

_OPPOSITES = [
    tuple(frozenset(side.split()) for side in pair.split("|"))
    for pair in (
        "away from off leave leaves leaving|towards toward closer to into",
        "safe unhurt unharmed|hurt wounded damage harm harmed",
        "before|after",
        "first|last second third",
        "more|less fewer",
        "win wins won winner|lose loses lost loser",
        "own my mine|his her their opponent's enemy's foe's",
        "with having|without lacking",
        "within inside|outside beyond",
        "normal|expert",
        "alive standing active|dead down out",
        "same|other another different",
        "all every each both|one single",
    )
]
"Words that change what is asked where a phrasing has the other side's."
_ALONE = frozenset("more less fewer only never always least both twice instead again besides".split())
"Words that change what is asked where a phrasing lacks them."
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NOT = re.compile(r"\b(?:not|no|never|nobody|nothing|none|without|neither|cannot)\b|n['’]?t\b", re.I)


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and what it was taken from."""

    verdict: str
    says: str
    "The claim, or the phrasing that the question was taken for; empty where none is near enough to be shown."
    passage: str | None = None
    "The passage that settles it, where that is not the best one found."
    example: str | None = None
    "The worked example that bears it out."


@dataclass(frozen=True, slots=True)
class Case:
    """What speaks for yes or for no."""

    question: Question
    settled: Settled | None
    "The claim that answers, if its passage is among those found."
    asks: Sequence[AskHit]
    "The nearest phrasings, best first."
    leaning: float = 0.0
    "What the answered phrasings of the best passage say: above 0 yes, below 0 no."
    second: float = 0.0
    "The same of the second best."


def find_verdict(case: Case, calibration: Calibration) -> Finding | None:
    """The verdict of a question; None where it is not settled, or not surely enough."""
    question, settled, asks = case.question, case.settled, case.asks
    if not question.wants_yes_or_no:
        return None
    if asks and asks[0].kind in SAYS_NOTHING and (settled is None or asks[0].cosine >= SAME):
        return None
    same = _same(question, asks)
    if same is not None:
        assert same.ask.verdict is not None
        agreed = settled is None or settled.verdict == same.ask.verdict or same.cosine > SURELY_SAME
        return Finding(same.ask.verdict, same.ask.text, example=same.ask.example) if agreed else None
    yes = calibration.verdict.chance(signals(case))
    if max(yes, 1 - yes) < calibration.sure:
        return None
    return _borne_out(case, "yes" if yes > 0.5 else "no")


def _borne_out(case: Case, verdict: str) -> Finding:
    """The verdict with the claim that says so, else with a phrasing close by that was answered so."""
    settled = case.settled
    if settled is not None and settled.verdict == verdict:
        claim = settled.claim
        return Finding(verdict, f"{claim.text} {'True' if claim.holds else 'Not so'}.", claim.passage, claim.example)
    like = next((hit for hit in case.asks if hit.ask.verdict == verdict and hit.cosine >= ALIKE), None)
    return Finding(verdict, like.ask.text if like else "")


def signals(case: Case) -> dict[str, float]:
    """What is weighed; see `kb.calibration.VERDICT`."""
    settled, asked = case.settled, asked_frame(case.question)
    return {
        "claim": 0.0 if settled is None else 1.0 if settled.verdict == "yes" else -1.0,
        "leaning": case.leaning,
        "second": case.second,
        "nearest": _nearest(case, "yes", asked) - _nearest(case, "no", asked),
    }


def _nearest(case: Case, verdict: str, wanted: Frame) -> float:
    """The cosine of the nearest phrasing that is put the same way round and was answered so."""
    answered = (hit for hit in case.asks if hit.ask.verdict == verdict)
    farthest = case.asks[-1].cosine if case.asks else 0.0
    return next((hit.cosine for hit in answered if frame_of(hit.ask.text).fits(wanted)), farthest)


def _differs(question: Question, other: Question) -> bool:
    """Whether words set the two apart that make little difference to an embedding."""
    ours, theirs = frozenset(question.words), frozenset(other.words)
    if (
        (ours ^ theirs) & _ALONE
        or set(_NUMBER.findall(question.text)) != set(_NUMBER.findall(other.text))
        or any(
            (ours & one and theirs & two and not ours & two and not theirs & one)
            or (ours & two and theirs & one and not ours & one and not theirs & two)
            for one, two in _OPPOSITES
        )
    ):
        return True
    return _tells_not(question) != _tells_not(other)


def _tells_not(question: Question) -> bool:
    """Whether the story before what is asked says that something is not so."""
    return _NOT.search(question.text.replace(question.asking, " ")) is not None


def _same(question: Question, asks: Sequence[AskHit]) -> AskHit | None:
    """The answered phrasing that is the same question, put the same way round."""
    wanted = asked_frame(question)
    for hit in asks:
        if hit.cosine < SAME:
            return None
        if hit.ask.verdict and frame_of(hit.ask.text).fits(wanted) and not _differs(question, Question(hit.ask.text)):
            return hit
    return None
