"""Yes or no: what claims and the phrasings that editors answered say together.

A question takes its verdict from a claim that its concepts match, or from labelled phrasings that are all but the same
question, put the same way round. Where the two disagree, or where a phrasing that no passage answers is as near, there
is no verdict: a wrong one is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.claims import Claim, Settled, asked_frame
from kb.passage import SAYS_NOTHING
from kb.polarity import frame
from kb.question import Question
from kb.retrieval import AskHit

SAME = 0.93
"Phrasings this near are the same question: their verdict comes before a claim's."
NEAR = 0.74
"Least cosine of a phrasing whose verdict is taken without a claim."
DOUBT = 0.66
"Phrasings this near may contradict a claim."
WINDOW = 0.08
"Phrasings this much farther than the nearest have a say."


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and what it was taken from."""

    verdict: str
    says: str
    "The claim, or the phrasing that the question was taken for."
    claim: Claim | None = None
    passage: str | None = None
    "The passage that settles it."


def find_verdict(question: Question, settled: Settled | None, asks: Sequence[AskHit]) -> Finding | None:
    """The verdict from a claim and from the phrasings like the question, best first; None where it is not settled."""
    if not question.wants_yes_or_no:
        return None
    if _gap_is_nearest(asks):
        return None
    phrasing = _phrasing(question, asks)
    if settled is None:
        if phrasing is None or phrasing[1].cosine < NEAR:
            return None
        return _of_phrasing(*phrasing)
    if phrasing is not None and phrasing[0] != settled.verdict:
        if phrasing[1].cosine >= SAME:
            return _of_phrasing(*phrasing)
        if phrasing[1].cosine >= DOUBT:
            return None
    claim = settled.claim
    return Finding(settled.verdict, f"{claim.text} {'True' if claim.holds else 'Not so'}.", claim, claim.passage)


def _of_phrasing(verdict: str, hit: AskHit) -> Finding:
    return Finding(verdict, hit.ask.text)


def _gap_is_nearest(asks: Sequence[AskHit]) -> bool:
    """Whether the nearest phrasing is one that the rules do not answer."""
    return bool(asks) and asks[0].kind in SAYS_NOTHING


def _phrasing(question: Question, asks: Sequence[AskHit]) -> tuple[str, AskHit] | None:
    """The verdict of the labelled phrasings near the question, where they agree, with the nearest of them."""
    wanted = asked_frame(question)
    fitting = [hit for hit in asks if hit.ask.verdict and frame(Question(hit.ask.text).main).fits(wanted)]
    if not fitting:
        return None
    best = fitting[0]
    close = [hit for hit in fitting if hit.cosine >= best.cosine - WINDOW]
    if best.cosine < SAME and any(hit.ask.verdict != best.ask.verdict for hit in close):
        return None
    assert best.ask.verdict is not None
    return best.ask.verdict, best
