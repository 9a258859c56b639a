"""Yes or no: what claims and the phrasings that editors answered say together.

A question takes its verdict from a phrasing that is all but the same question, else from a claim that its concepts
match, else from what the answered phrasings of the best passage lean to. Where these contradict each other, or where a
phrasing that the rules do not answer is the nearest, there is no verdict: a wrong one is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.claims import Settled, asked_frame
from kb.passage import SAYS_NOTHING
from kb.polarity import is_doubtful
from kb.question import Question
from kb.retrieval import AskHit

SAME = 0.95
"Phrasings this near are the same question."
LEANS = 0.4
"Leaning from which a verdict is given without a claim."
ALIKE, LEANS_ALIKE = 0.8, 0.15
"Where an answered phrasing is this near, so much leaning is enough."
BEHIND = 0.06
"How much nearer another phrasing may be than the one that bears the verdict out."
APART = 0.05
"How much farther off the nearest phrasing that is answered the other way has to be."
STORY = 30
"Words from which a story is too long to be judged by its likeness."
DOUBT = 0.8
"Leaning from which a claim that says otherwise is not believed."

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
    "The claim, or the phrasing that the question was taken for."
    passage: str | None = None
    "The passage that settles it, where that is not the best one found."


def find_verdict(
    question: Question, settled: Settled | None, asks: Sequence[AskHit], leaning: float, best: Sequence[str] = ()
) -> Finding | None:
    """The verdict of a question; None where it is not settled.

    `asks` are the nearest phrasings, best first; `best` are the two best passages, `leaning` is what the phrasings of
    the first one say.
    """
    if not question.wants_yes_or_no:
        return None
    if asks and asks[0].kind in SAYS_NOTHING and (settled is None or asks[0].cosine >= SAME):
        return None
    same = _same(question, asks)
    if same is not None and (settled is None or settled.verdict == same.ask.verdict or same.cosine > 0.985):
        assert same.ask.verdict is not None
        return Finding(same.ask.verdict, same.ask.text)
    if same is not None:
        return None
    leans = "yes" if leaning > 0 else "no"
    if settled is not None:
        strays = bool(best) and not settled.is_named and settled.claim.passage not in best
        if leans != settled.verdict and abs(leaning) >= (0 if strays else DOUBT):
            return None
        claim = settled.claim
        return Finding(settled.verdict, f"{claim.text} {'True' if claim.holds else 'Not so'}.", claim.passage)
    return _leant(question, asks, leaning)


def _leant(question: Question, asks: Sequence[AskHit], leaning: float) -> Finding | None:
    """The verdict that a passage's phrasings lean to, where the nearest one put the same way round bears it out."""
    if abs(leaning) < LEANS_ALIKE or is_doubtful(question.statement):
        return None
    leans = "yes" if leaning > 0 else "no"
    wanted = asked_frame(question)
    like: AskHit | None = None
    for hit in asks:
        if hit.cosine < (like.cosine - APART if like else asks[0].cosine - BEHIND):
            break
        if hit.ask.verdict and asked_frame(Question(hit.ask.text)).fits(wanted):
            if hit.ask.verdict != leans or (like is None and _differs(question, Question(hit.ask.text))):
                return None
            like = like or hit
    if like is None:
        return None
    alike = like.cosine >= ALIKE
    if not alike and (abs(leaning) < LEANS or len(question.words) >= STORY):
        return None
    return Finding(leans, like.ask.text)


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
        if hit.ask.verdict:
            other = Question(hit.ask.text)
            if asked_frame(other).fits(wanted) and not _differs(question, other):
                return hit
    return None
