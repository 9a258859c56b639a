"""Yes or no by kernel ridge regression over the answered phrasings of one passage.

Phrasings that are nearly the same by embedding and answered the other way (`am I free`, `am I stuck`) lie side by
side, so the nearest one tells little. A ridge over all of a passage's phrasings weighs them against each other: by
meaning, by words with their neighbours, by concepts, and by the way they are put round. (Rasmussen & Williams, Gaussian
Processes for Machine Learning, 2.2.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kb.claims import asked_frame, frame_of
from kb.concepts import Lexicon
from kb.passage import Ask
from kb.polarity import Frame
from kb.question import Question

FEWEST = 6
"Answered phrasings that a passage needs, of both answers."
MEANING, WORDS, CONCEPTS, FRAME, RIDGE = 1.0, 0.35, 1.0, 0.5, 0.2
Floats = NDArray[np.float64]
_WORD = re.compile(r"[a-z0-9']+")


class Leaning:
    """What the answered phrasings of a passage say to a question: above 0 yes, below 0 no, the farther the surer."""

    def __init__(self, asks: Sequence[Ask], vectors: NDArray[np.float32], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
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
        words, concepts, weights = self._taught
        meaning = np.asarray(self.vectors @ np.asarray(vector, dtype=np.float64))
        shared = words.shared(_pieces(question.text)), concepts.shared(self._lexicon.tags(question.text))
        return float(self._likeness(meaning, *shared, _features([asked_frame(question)]))[0] @ weights)

    @property
    def vectors(self) -> Floats:
        """The phrasings' vectors. The index has them in its mapped file: here they would take 15 MB."""
        return np.asarray(self._vectors[self._chosen], dtype=np.float64)

    @cached_property
    def _frames(self) -> Floats:
        return _features([frame_of(ask.text) for ask in self.asks])

    @cached_property
    def _taught(self) -> tuple[_Postings, _Postings, Floats]:
        """What the phrasings share words by, what they share concepts by, what each of them adds to the leaning."""
        words, alike = _bags([_pieces(ask.text) for ask in self.asks])
        concepts, akin = _bags([self._lexicon.tags(ask.text) for ask in self.asks])
        likeness = self._likeness(self.vectors @ self.vectors.T, alike, akin, self._frames)
        wanted = np.array([1.0 if ask.verdict == "yes" else -1.0 for ask in self.asks])
        return words, concepts, np.asarray(np.linalg.solve(likeness + RIDGE * np.eye(len(wanted)), wanted))

    def _likeness(self, meaning: Floats, words: Floats, concepts: Floats, frames: Floats) -> Floats:
        """The kernel between some texts and the passage's phrasings, from the cosines of their vectors and bags."""
        turned = ((frames[:, None, :] - self._frames[None, :, :]) ** 2).sum(axis=2)
        apart = MEANING * (2 - 2 * meaning) + WORDS * (2 - 2 * words) + CONCEPTS * (2 - 2 * concepts)
        return np.asarray(np.exp(-apart - FRAME * turned))


def _bags(bags: Sequence[Set[str]]) -> tuple[_Postings, Floats]:
    """What is in the bags, and the cosine of each with each other."""
    rows: dict[str, list[int]] = {}
    for row, bag in enumerate(bags):
        for piece in sorted(bag):  # in an order of their own, so that sums are the same in every run
            rows.setdefault(piece, []).append(row)
    postings = _Postings(rows, len(bags))
    return postings, _products(rows, postings.lengths)


def _products(rows: Mapping[str, Sequence[int]], lengths: Floats) -> Floats:
    """The cosine of each phrasing's bag with each other's."""
    found = np.zeros((len(lengths), len(lengths)))
    for having in rows.values():
        if len(having) > 1:
            found[np.ix_(having, having)] += _weight(len(lengths), len(having)) ** 2
    found /= np.maximum(lengths[:, None] * lengths[None, :], 1e-9)  # a bag may be empty
    np.fill_diagonal(found, 1.0)
    return found


def _weight(phrasings: int, having: int) -> float:
    """What a word or word pair counts: the more, the rarer it is."""
    return math.log1p(phrasings / having)


class _Postings:
    """Words and word pairs, or concepts, each with the phrasings that have it.

    Known by their hashes: as strings those of the bundled corpus would take 30 MB of a process that answers. A table of
    phrasings and pieces would take as much, and be nearly all zeros.
    """

    def __init__(self, rows: Mapping[str, Sequence[int]], phrasings: int) -> None:
        weights = np.array([_weight(phrasings, len(having)) for having in rows.values()])
        squares = np.zeros(phrasings)
        for having, weight in zip(rows.values(), weights, strict=True):
            squares[having] += weight**2
        self.lengths = np.sqrt(squares)
        "Each phrasing's length as a bag."
        hashes = np.array([hash(piece) for piece in rows], dtype=np.int64)
        order = np.argsort(hashes)
        found = list(rows.values())
        self._hashes = hashes[order]
        self._weights = weights[order]
        self._rows = np.fromiter((row for at in order for row in found[at]), dtype=np.int32)
        self._starts = np.cumsum([0, *(len(found[at]) for at in order)], dtype=np.int32)
        self._rarest = float(weights.max()) if len(found) else 1.0

    def shared(self, pieces: Set[str]) -> Floats:
        """The cosine of a bag with each phrasing's; a piece that no phrasing has makes it as long as the rarest."""
        products = np.zeros(len(self.lengths))
        squares = 0.0
        for piece in sorted(pieces):
            at = int(np.searchsorted(self._hashes, hash(piece)))
            known = at < len(self._hashes) and self._hashes[at] == hash(piece)
            square = float(self._weights[at] if known else self._rarest) ** 2
            squares += square
            if known:
                products[self._rows[self._starts[at] : self._starts[at + 1]]] += square
        return products / np.maximum(math.sqrt(squares) * self.lengths, 1e-9)


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
