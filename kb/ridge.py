"""Yes or no by kernel ridge regression over the answered phrasings of one passage.

Phrasings that are nearly the same by embedding and answered the other way (`am I free`, `am I stuck`) lie side by
side, so the nearest one tells little. A ridge over all of a passage's phrasings weighs them against each other: by
meaning, by words with their neighbours, and by the way they are put round. (Rasmussen & Williams, Gaussian Processes
for Machine Learning, 2.2.)
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kb.claims import asked_frame
from kb.passage import Ask
from kb.polarity import Frame
from kb.question import Question

FEWEST = 6
"Answered phrasings that a passage needs, of both answers."
MEANING, WORDS, FRAME, RIDGE = 1.5, 0.5, 0.3, 0.3
Floats = NDArray[np.float64]
_WORD = re.compile(r"[a-z0-9']+")


class Leaning:
    """What the answered phrasings of a passage say to a question: above 0 yes, below 0 no, the farther the surer."""

    def __init__(self, asks: Sequence[Ask], vectors: NDArray[np.float32]) -> None:
        chosen = [at for at, ask in enumerate(asks) if ask.verdict]
        self.asks = [asks[at] for at in chosen]
        self.vectors = np.asarray(vectors[chosen], dtype=np.float64)

    @property
    def is_taught(self) -> bool:
        """Whether there are enough phrasings of both answers."""
        return len(self.asks) >= FEWEST and len({ask.verdict for ask in self.asks}) == 2

    def to(self, question: Question, vector: NDArray[np.float32]) -> float:
        """The leaning for a question; 0 where the passage's phrasings can't tell."""
        if not self.is_taught:
            return 0.0
        near = self._likeness(
            np.asarray(vector, dtype=np.float64)[None, :],
            self._bags([question.text]),
            _features([asked_frame(question)]),
        )
        return float((near @ self._weights)[0])

    @cached_property
    def _idf(self) -> dict[str, float]:
        counts = Counter(piece for ask in self.asks for piece in _pieces(ask.text))
        return {piece: math.log1p(len(self.asks) / count) for piece, count in counts.items()}

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {piece: at for at, piece in enumerate(self._idf)}

    @cached_property
    def _own(self) -> tuple[Floats, Floats]:
        frames = [asked_frame(Question(ask.text)) for ask in self.asks]
        return self._bags([ask.text for ask in self.asks]), _features(frames)

    @cached_property
    def _weights(self) -> Floats:
        wanted = np.array([1.0 if ask.verdict == "yes" else -1.0 for ask in self.asks])
        likeness = self._likeness(self.vectors, *self._own)
        return np.asarray(np.linalg.solve(likeness + RIDGE * np.eye(len(wanted)), wanted))

    def _likeness(self, vectors: Floats, bags: Floats, frames: Floats) -> Floats:
        """The kernel between these texts and the passage's phrasings."""
        own_bags, own_frames = self._own
        meaning = 2 - 2 * vectors @ self.vectors.T
        words = 2 - 2 * bags @ own_bags.T
        turned = ((frames[:, None, :] - own_frames[None, :, :]) ** 2).sum(axis=2)
        return np.asarray(np.exp(-MEANING * meaning - WORDS * words - FRAME * turned))

    def _bags(self, texts: Sequence[str]) -> Floats:
        """Unit rows of weighed words and word pairs; what no phrasing has counts into the length only."""
        table = np.zeros((len(texts), len(self._columns)))
        rarest = max(self._idf.values(), default=1.0)
        for row, text in enumerate(texts):
            pieces = _pieces(text)
            strange = sum(piece not in self._idf for piece in pieces)
            for piece in pieces & self._idf.keys():
                table[row, self._columns[piece]] = self._idf[piece]
            table[row] /= math.sqrt(float((table[row] ** 2).sum()) + strange * rarest**2) or 1.0
        return table


def _pieces(text: str) -> set[str]:
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return set(words) | {f"{a} {b}" for a, b in pairwise(words)}


def _features(frames: Sequence[Frame]) -> Floats:
    return np.array(
        [
            (
                f.negated,
                f.asks == "must",
                f.asks == "optional",
                f.asks == "forbidden",
                f.state == "free",
                f.state == "held",
                f.only,
                f.prevents,
            )
            for f in frames
        ],
        dtype=np.float64,
    )
