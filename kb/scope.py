"""Which game a question is about that names none: each game's chance, by what it finds there and by its words.

A conditional logit over the games. Its three weights were fitted on questions that neither claims nor phrasings had
seen. Of 5,459 questions whose game was known, each asked without it, nearly 98 in 100 have their own game as the
likeliest; where that has a chance of `SURE` or more (87 in 100), it is another one's in one of a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kb.silence import Judgement
from kb.words import Words

SURE = 0.95
"Chance from which a game is the one that is meant."
LIKELY = 0.7
"Chance from which a game is meant where no other one has anything to say."
ANSWERABLE, CONFIDENCE, WORDS = 0.14, 0.45, 0.51
"What the log odds of the two chances and the log shares of the words weigh."
ABSENT = 0.05
"A word that a game does not have counts as if so much of a passage had it."
LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one game makes of a question."""

    judgement: Judgement
    stems: Sequence[str]
    "The question's, each once."
    start: int
    "Number of the game's first passage."
    stop: int


def chances(candidates: Sequence[Candidate], words: Words) -> list[float]:
    """The chance of each game that the question is about it; they sum to 1."""
    said = [
        ANSWERABLE * _log_odds(each.judgement.answerable)
        + CONFIDENCE * _log_odds(each.judgement.confidence)
        + WORDS * sum(_log_share(words, stem, each.start, each.stop) for stem in each.stems)
        for each in candidates
    ]
    weights = [math.exp(value - max(said)) for value in said]
    return [weight / sum(weights) for weight in weights]


def _log_odds(chance: float) -> float:
    kept = min(max(chance, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))


def _log_share(words: Words, stem: str, start: int, stop: int) -> float:
    """The logarithm of the share of a game's passages in which a stem stands, or by whose phrasings it is asked."""
    return math.log((words.frequency(stem, start, stop) + ABSENT) / (stop - start + 2 * ABSENT))
