"""Which way round a question is put, its claim of truth (`am I wrong that …`) counted in."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from kb.polarity import Frame, frame
from kb.question import Question


def asked_frame(question: Question, main: str | None = None) -> Frame:
    """Which way round a question is put; a condition (`if he is not engaged`) turns nothing round."""
    asked = frame(question.main if main is None else main)
    if question.asks_truth == "wrong":
        return replace(asked, negated=not asked.negated)
    return asked


@lru_cache(maxsize=4096)
def frame_of(phrasing: str) -> Frame:
    """Which way round a phrasing of the corpus is put."""
    return asked_frame(Question(phrasing))
