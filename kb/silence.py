"""Whether the corpus answers at all: a calibrated chance that the best passage settles the question.

A logistic model over a handful of signals. Its weights come from benchmarks/calibrate.py, which fits them on question
sets of this repository by cross-validation; `calibration.yaml` in a corpus directory replaces them for that corpus.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.index import Index
from kb.passage import SAYS_NOTHING
from kb.question import Question
from kb.retrieval import Hit
from kb.words import stems

FEATURES = ("ask", "near", "score", "covered", "unknown", "gap", "lead")


@dataclass(frozen=True, slots=True)
class Calibration:
    """The model: chance = 1 / (1 + exp(-(bias + weights · signals)))."""

    weights: Mapping[str, float]
    bias: float
    threshold: float
    "Below this chance the answer is silence."


DEFAULT = Calibration(
    {"ask": 6.0, "near": 2.0, "score": 4.0, "covered": 3.0, "unknown": -2.0, "gap": -6.0, "lead": 1.0}, -5.5, 0.5
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the signals say."""

    confidence: float
    silent: bool
    signals: Mapping[str, float]


def signals(question: Question, hits: Sequence[Hit], index: Index, span: tuple[int, int]) -> dict[str, float]:
    """The signals of a ranked list. `hits` include passages that record what the rules do not say."""
    says = [hit for hit in hits if hit.passage.kind not in SAYS_NOTHING]
    gaps = [hit for hit in hits if hit.passage.kind in SAYS_NOTHING]
    if not says:
        return dict.fromkeys(FEATURES, 0.0)
    best = says[0]
    second = next((hit for hit in says[1:]), best)
    covered, unknown = _coverage(question, best, index, span)
    return {
        "ask": max(best.parts["ask"], 0.0),
        "near": max(best.parts["text"], best.parts["sentence"], 0.0),
        "score": best.score,
        "covered": covered,
        "unknown": unknown,
        "gap": max((_nearness(hit) for hit in gaps), default=0.0) - _nearness(best),
        "lead": best.score - second.score,
    }


def _nearness(hit: Hit) -> float:
    return max(hit.parts["ask"], hit.parts["text"], hit.parts["sentence"])


def _coverage(question: Question, hit: Hit, index: Index, span: tuple[int, int]) -> tuple[float, float]:
    """By weight, the share of the question's words that the passage is found by, and that no passage knows."""
    asked = set(stems(question.text))
    if not asked:
        return 0.0, 0.0
    weight = {word: index.words.idf(word, *span) for word in asked}
    total = sum(weight.values())
    passage = hit.passage
    own = set(stems(" ".join((*passage.path, passage.title, passage.text, *passage.aliases))))
    own.update(stem for ask in passage.asks for stem in stems(ask.text))
    nowhere = {word for word in asked if not index.words.frequency(word, *span)}
    return sum(weight[w] for w in asked & own) / total, sum(weight[w] for w in nowhere) / total


def judge(
    question: Question, hits: Sequence[Hit], index: Index, span: tuple[int, int], calibration: Calibration = DEFAULT
) -> Judgement:
    """The chance that the best passage settles the question, and whether that is too small to answer."""
    found = signals(question, hits, index, span)
    logit = calibration.bias + sum(calibration.weights.get(name, 0.0) * value for name, value in found.items())
    confidence = 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
    return Judgement(confidence, confidence < calibration.threshold, found)
