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
        self._chosen = [at for at, ask in enumerate(asks) if ask.verdict]
        self.asks = [asks[at] for at in self._chosen]
        self._vectors = vectors

    @property
    def is_taught(self) -> bool:
        """Whether there are enough phrasings of both answers."""
        return len(self.asks) >= FEWEST and len({ask.verdict for ask in self.asks}) == 2

    def to(self, question: Question, vector: NDArray[np.float32]) -> float:
        """The leaning for a question; 0 where the passage's phrasings can't tell."""
        if not self.is_taught:
            return 0.0
        near = self._likeness(
            np.asarray(vector, dtype=np.float64)[None, :], [question.text], _features([asked_frame(question)])
        )
        return float((near @ self._weights)[0])

    @property
    def vectors(self) -> Floats:
        """The phrasings' vectors. The index has them in its mapped file: here they would take 15 MB."""
        return np.asarray(self._vectors[self._chosen], dtype=np.float64)

    @cached_property
    def _idf(self) -> dict[str, float]:
        counts = Counter(piece for ask in self.asks for piece in _pieces(ask.text))
        return {piece: math.log1p(len(self.asks) / count) for piece, count in counts.items()}

    @cached_property
    def _postings(self) -> tuple[dict[str, int], NDArray[np.int32], NDArray[np.int32], Floats]:
        """Piece -> its place; where the phrasings that have it begin; the phrasings; each phrasing's length.

        A table of phrasings and pieces would take 30 MB for the bundled corpus and be nearly all zeros.
        """
        rows: dict[str, list[int]] = {piece: [] for piece in self._idf}
        for row, ask in enumerate(self.asks):
            for piece in _pieces(ask.text):
                rows[piece].append(row)
        starts = np.cumsum([0, *(len(found) for found in rows.values())], dtype=np.int32)
        lengths = np.array([self._length(_pieces(ask.text)) for ask in self.asks])
        together = np.fromiter((row for found in rows.values() for row in found), dtype=np.int32)
        return {piece: at for at, piece in enumerate(rows)}, starts, together, lengths

    @cached_property
    def _frames(self) -> Floats:
        return _features([asked_frame(Question(ask.text)) for ask in self.asks])

    @cached_property
    def _weights(self) -> Floats:
        wanted = np.array([1.0 if ask.verdict == "yes" else -1.0 for ask in self.asks])
        likeness = self._likeness(self.vectors, [ask.text for ask in self.asks], self._frames)
        return np.asarray(np.linalg.solve(likeness + RIDGE * np.eye(len(wanted)), wanted))

    def _likeness(self, vectors: Floats, texts: Sequence[str], frames: Floats) -> Floats:
        """The kernel between these texts and the passage's phrasings."""
        meaning = 2 - 2 * vectors @ self.vectors.T
        words = 2 - 2 * np.array([self._shared(text) for text in texts])
        turned = ((frames[:, None, :] - self._frames[None, :, :]) ** 2).sum(axis=2)
        return np.asarray(np.exp(-MEANING * meaning - WORDS * words - FRAME * turned))

    def _shared(self, text: str) -> Floats:
        """The product of a text's bag with each phrasing's."""
        places, starts, rows, lengths = self._postings
        products = np.zeros(len(self.asks))
        pieces = _pieces(text)
        for piece in sorted(pieces & places.keys()):
            at = places[piece]
            products[rows[starts[at] : starts[at + 1]]] += self._idf[piece] ** 2
        return products / (self._length(pieces) * lengths)

    def _length(self, pieces: set[str]) -> float:
        """Of a bag of weighed words and word pairs; what no phrasing has counts as the rarest."""
        squares = (self._idf.get(piece, self._rarest) ** 2 for piece in sorted(pieces))
        return math.sqrt(sum(squares)) or 1.0

    @cached_property
    def _rarest(self) -> float:
        return max(self._idf.values(), default=1.0)


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
