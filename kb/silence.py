"""Whether the corpus answers at all, and how sure the first citation is: two calibrated chances (`kb.calibration`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.calibration import FOUND, PLAIN, Calibration
from kb.index import Index
from kb.passage import SAYS_NOTHING
from kb.question import Question
from kb.retrieval import AskHit, Hit
from kb.words import stems

ASKED_OF_GAP = 0.8
"Where the best passage only says what the rules do not say, and a phrasing of such a one is this near, that is it."
LEAST = 0.2
"Where phrasings tell, a first citation that is less likely right than this is none."


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the signals say."""

    answerable: float
    "Chance that the corpus answers the question."
    confidence: float
    "Chance that the first citation settles it."
    silent: bool
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the search found for a question in one game."""

    question: Question
    hits: Sequence[Hit]
    "Best first, gaps among them."
    asks: Sequence[AskHit]
    "The nearest phrasings, best first."
    claimed: bool
    elsewhere: float
    "Cosine of the nearest passage's text in any other game; 0 where there is none."


def judge(evidence: Evidence, index: Index, span: tuple[int, int], calibration: Calibration) -> Judgement:
    """The chances, and whether the answer is silence."""
    if not any(hit.passage.kind not in SAYS_NOTHING for hit in evidence.hits):
        return Judgement(0.0, 0.0, True, dict.fromkeys(FOUND, 0.0))
    found = signals(evidence, index, span)
    answerable = calibration.answerable.chance(found)
    right = calibration.right.chance(found)
    hopeless = bool(evidence.asks) and right < LEAST
    return Judgement(answerable, right, answerable < calibration.threshold or hopeless or _is_gap(evidence), found)


def _is_gap(evidence: Evidence) -> bool:
    """Whether it is all but told that the rules do not say it."""
    nearest = evidence.asks[0] if evidence.asks else None
    if nearest is None or nearest.kind not in SAYS_NOTHING or nearest.cosine < ASKED_OF_GAP:
        return False
    return evidence.hits[0].passage.kind in SAYS_NOTHING


def signals(evidence: Evidence, index: Index, span: tuple[int, int]) -> dict[str, float]:
    """The signals of what was found; see `kb.calibration.FOUND`."""
    saying = [hit for hit in evidence.hits if hit.passage.kind not in SAYS_NOTHING]
    gaps = [hit for hit in evidence.hits if hit.passage.kind in SAYS_NOTHING]
    best = saying[0]
    farthest = evidence.asks[-1].cosine if evidence.asks else 0.0
    of_passages = [hit.cosine for hit in evidence.asks if hit.kind not in SAYS_NOTHING]
    of_gaps = [hit.cosine for hit in evidence.asks if hit.kind in SAYS_NOTHING]
    nearest = evidence.asks[:5]
    return {
        "ask": max(best.parts["ask"], 0.0),
        "ask_best": max(of_passages, default=farthest),
        "ask_gap": max(of_gaps, default=farthest),
        "ask_mean": sum(hit.cosine for hit in nearest[:3]) / 3,
        "gaps_of_5": sum(hit.kind in SAYS_NOTHING for hit in nearest) / 5,
        "near": max(best.parts["text"], best.parts["sentence"], 0.0),
        "score": best.score,
        "score_gap": gaps[0].score if gaps else 0.0,
        "lead": best.score - (saying[1].score if len(saying) > 1 else 0.0),
        "covered": _covered(evidence.question, best, index, span),
        "words": min(len(evidence.question.words), 40) / 40,
        "claim": float(evidence.claimed),
        "yes_no": float(evidence.question.wants_yes_or_no),
        "elsewhere": max(0.0, evidence.elsewhere - max(of_passages, default=0.0)),
    }


def _covered(question: Question, hit: Hit, index: Index, span: tuple[int, int]) -> float:
    """By weight, the share of the question's words that the passage is found by."""
    asked = set(stems(question.text))
    if not asked:
        return 0.0
    weight = {word: index.words.idf(word, *span) for word in asked}
    found_by = [word for word in asked if index.words.frequency(word, hit.number, hit.number + 1)]
    return sum(weight[word] for word in found_by) / sum(weight.values())


def calibration_for(asks: Sequence[AskHit], own: Calibration) -> Calibration:
    """The corpus's calibration where the game has phrasings to weigh, else PLAIN."""
    return own if asks else PLAIN
