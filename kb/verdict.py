"""Yes or no, from questions that the corpus's editors have answered and worked examples bear out.

A question takes the verdict of the phrasings that are like it, where those agree and are put the same way round. Where
they differ, or none is near, there is no verdict: a wrong one is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.polarity import frame
from kb.question import Question
from kb.retrieval import AskHit

NEAR = 0.62
"Least cosine of the nearest phrasing."
WINDOW = 0.08
"Phrasings this much farther than the nearest have a say."


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and the phrasing that it was taken from."""

    verdict: str
    ask: AskHit
    strength: float
    "Cosine of the nearest phrasing."


def find_verdict(
    question: Question, asks: Sequence[AskHit], near: float = NEAR, window: float = WINDOW
) -> Finding | None:
    """The verdict for a question from the phrasings like it, best first; None where it is not settled."""
    if not question.wants_yes_or_no:
        return None
    wanted = frame(question.core)
    fitting = [hit for hit in asks if hit.ask.verdict and frame(hit.ask.text).fits(wanted)]
    if not fitting or fitting[0].cosine < near:
        return None
    best = fitting[0]
    close = [hit for hit in fitting if hit.cosine >= best.cosine - window]
    if any(hit.ask.verdict != best.ask.verdict for hit in close):
        return None
    assert best.ask.verdict is not None
    return Finding(best.ask.verdict, best, best.cosine)
