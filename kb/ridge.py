"""Yes or no by kernel ridge regression over the answered phrasings of one passage.

Phrasings that are nearly the same by embedding and answered the other way (`am I free`, `am I stuck`) lie side by
side, so the nearest one tells little. A ridge over all of a passage's phrasings weighs them against each other: by
meaning, by words with their neighbours, and by the way they are put round. (Rasmussen & Williams, Gaussian Processes
for Machine Learning, 2.2.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
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
    def _postings(self) -> _Postings:
        """Which phrasings have a piece, and what it weighs."""
        rows: dict[str, list[int]] = {}
        for row, ask in enumerate(self.asks):
            for piece in _pieces(ask.text):
                rows.setdefault(piece, []).append(row)
        return _Postings(rows, len(self.asks))

    @cached_property
    def _lengths(self) -> Floats:
        """Each phrasing's length as a bag."""
        return np.array([self._postings.length(_pieces(ask.text)) for ask in self.asks])

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
        """The cosine of a text's bag with each phrasing's."""
        postings = self._postings
        products = np.zeros(len(self.asks))
        pieces = _pieces(text)
        for at in map(postings.place, sorted(pieces)):
            if at >= 0:
                products[postings.rows_of(at)] += postings.weights[at] ** 2
        return products / (postings.length(pieces) * self._lengths)


class _Postings:
    """Words and word pairs, each with the phrasings that have it.

    Known by their hashes: as strings those of the bundled corpus would take 30 MB of a process that answers. A table of
    phrasings and pieces would take as much, and be nearly all zeros.
    """

    def __init__(self, rows: Mapping[str, Sequence[int]], phrasings: int) -> None:
        hashes = np.array([hash(piece) for piece in rows], dtype=np.int64)
        order = np.argsort(hashes)
        found = [list(rows.values())[at] for at in order]
        self._hashes = hashes[order]
        self._rows = np.fromiter((row for each in found for row in each), dtype=np.int32)
        self._starts = np.cumsum([0, *map(len, found)], dtype=np.int32)
        self.weights = np.log1p(phrasings / np.diff(self._starts))
        "The rarer a piece, the more it weighs."
        self._rarest = float(self.weights.max()) if len(found) else 1.0

    def place(self, piece: str) -> int:
        """Where a piece stands; -1 for one that no phrasing has."""
        at = int(np.searchsorted(self._hashes, hash(piece)))
        return at if at < len(self._hashes) and self._hashes[at] == hash(piece) else -1

    def rows_of(self, at: int) -> NDArray[np.int32]:
        return self._rows[self._starts[at] : self._starts[at + 1]]

    def length(self, pieces: set[str]) -> float:
        """Of a bag of weighed pieces; what no phrasing has counts as the rarest."""
        places = map(self.place, sorted(pieces))  # in an order of their own, so that the sum is the same in every run
        return math.sqrt(sum((self.weights[at] if at >= 0 else self._rarest) ** 2 for at in places)) or 1.0


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
