"""Yes or no by kernel ridge regression over the answered phrasings of one passage.

Phrasings that are nearly the same by embedding and answered the other way (`am I free`, `am I stuck`) lie side by
side, so the nearest one tells little. A ridge over all of a passage's phrasings weighs them against each other: by
meaning, by words with their neighbours, by concepts, and by the way they are put round. (Rasmussen & Williams, Gaussian
Processes for Machine Learning, 2.2.) It is solved when the index is built; a question reads the weights from there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.blobs import Readable, Rows, Writable, number_of
from kb.framing import asked_frame
from kb.polarity import Frame
from kb.question import Question

FEWEST = 6
"Answered phrasings that a passage needs, of both answers."
MEANING, WORDS, CONCEPTS, FRAME, RIDGE = 0.7, 0.2, 0.7, 0.5, 0.1
PIECES = 4096
"Words taken at a time where phrasings are compared: bounds memory."
Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
_WORD = re.compile(r"[a-z0-9']+")
_FEATURES = 8


@dataclass(frozen=True, slots=True)
class Answered:
    """A phrasing that was answered yes or no."""

    text: str
    verdict: str
    "yes | no"
    tags: Set[str]
    "The tags of its concepts."
    place: int
    "Its place among the passage's phrasings."


class LeaningWriter:
    """Learns from one passage after the other, in their order."""

    def __init__(self, files: Writable) -> None:
        self._files = files
        self._spool = files.scratch()
        self._starts = [0]

    def add_passage(self, answered: Sequence[Answered], vectors: Vectors) -> None:
        """Learns from a passage; `vectors`, of shape (n, dim), are those of all of its phrasings."""
        data = b""
        if len(answered) >= FEWEST and len({each.verdict for each in answered}) == 2:
            data = _learned(answered, vectors)
        self._spool.write(data)
        self._starts.append(self._starts[-1] + len(data))

    def finish(self) -> None:
        """Writes everything."""
        with self._files.create("leaning.data") as file:
            file.write(np.ascontiguousarray(self._spool.array(np.dtype(np.uint8))).data)
        self._spool.close()
        with self._files.create("leaning.starts") as file:
            file.write(np.array(self._starts, dtype=np.int64).data)


class Leanings:
    """What was learned from all passages, opened. Safe to share between threads."""

    def __init__(self, files: Readable) -> None:
        self._data = Rows(files.blob("leaning.data"), np.uint8)
        self._starts = Rows(files.blob("leaning.starts"), np.int64)

    def of(self, passage: int) -> Leaning | None:
        """What the passage with this number taught; None where its phrasings can't tell."""
        first, last = self._starts[passage : passage + 2].tolist()
        return Leaning(self._data[first:last]) if first < last else None


class Leaning:
    """What the answered phrasings of a passage say to a question: above 0 yes, below 0 no, the farther the surer."""

    def __init__(self, packed: NDArray[np.uint8]) -> None:
        parts = _Unpacked(packed)
        self._places = parts.next(np.int32)
        self._weights = parts.next(np.float64)
        self._frames = parts.next(np.float64).reshape(-1, _FEATURES)
        self._words = _Postings.unpacked(parts)
        self._concepts = _Postings.unpacked(parts)

    def to(self, question: Question, tags: Set[str], vector: Vectors, vectors: Vectors) -> float:
        """The leaning for a question with these tags; `vectors` are those of all of the passage's phrasings."""
        meaning = np.vecdot(vectors[self._places], vector).astype(np.float64)
        shared = self._words.shared(_pieces(question.text)), self._concepts.shared(tags)
        likeness = _likeness(meaning, *shared, _features([asked_frame(question)]), self._frames)
        return float(likeness[0] @ self._weights)


def _learned(answered: Sequence[Answered], vectors: Vectors) -> bytes:
    """The places of the phrasings, what each adds to the leaning, and all that it is compared by."""
    places = np.array([each.place for each in answered], dtype=np.int32)
    own = np.asarray(vectors[places], dtype=np.float64)
    frames = _features([asked_frame(Question(each.text)) for each in answered])
    words, alike = _bags([_pieces(each.text) for each in answered])
    concepts, akin = _bags([each.tags for each in answered])
    likeness = _likeness(own @ own.T, alike, akin, frames, frames)
    wanted = np.array([1.0 if each.verdict == "yes" else -1.0 for each in answered])
    weights = np.linalg.solve(likeness + RIDGE * np.eye(len(wanted)), wanted)
    return _packed([places, weights, frames, *words.arrays, *concepts.arrays])


def _likeness(meaning: Floats, words: Floats, concepts: Floats, frames: Floats, others: Floats) -> Floats:
    """The kernel between some texts and a passage's phrasings, from the cosines of their vectors and bags."""
    turned = ((frames[:, None, :] - others[None, :, :]) ** 2).sum(axis=2)
    apart = MEANING * (2 - 2 * meaning) + WORDS * (2 - 2 * words) + CONCEPTS * (2 - 2 * concepts)
    return np.asarray(np.exp(-apart - FRAME * turned))


# --- words and concepts that texts share ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Postings:
    """Words and word pairs, or concepts, each with the phrasings that have it."""

    numbers: NDArray[np.uint64]
    "What stands for each piece, ascending."
    weights: Floats
    starts: NDArray[np.int32]
    rows: NDArray[np.int32]
    "The phrasings of the first piece, of the second one, …"
    lengths: Floats
    "Each phrasing's length as a bag."

    @classmethod
    def of(cls, having: Mapping[str, Sequence[int]], phrasings: int) -> _Postings:
        """From the phrasings that have each piece."""
        found = sorted((number_of(piece), rows) for piece, rows in having.items())
        counts = [len(rows) for _, rows in found]
        weights = np.array([_weight(phrasings, count) for count in counts])
        rows = np.array([row for _, rows in found for row in rows], dtype=np.int32)
        return cls(
            np.array([number for number, _ in found], dtype=np.uint64),
            weights,
            np.cumsum([0, *counts], dtype=np.int32),
            rows,
            np.sqrt(np.bincount(rows, np.repeat(weights**2, counts), phrasings)),
        )

    @classmethod
    def unpacked(cls, parts: _Unpacked) -> _Postings:
        """From an index."""
        types = (np.uint64, np.float64, np.int32, np.int32, np.float64)
        return cls(*(parts.next(kind) for kind in types))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What an index keeps of it."""
        return self.numbers, self.weights, self.starts, self.rows, self.lengths

    def shared(self, pieces: Set[str]) -> Floats:
        """The cosine of a bag with each phrasing's; a piece that no phrasing has makes it as long as the rarest."""
        wanted = np.sort(np.array([number_of(piece) for piece in pieces], dtype=np.uint64))
        at = np.searchsorted(self.numbers, wanted)
        known = at < len(self.numbers)
        known[known] = self.numbers[at[known]] == wanted[known]
        at = at[known]
        squares = self.weights[at] ** 2
        rarest = float(self.weights.max()) if len(self.weights) else 1.0
        length = math.sqrt(squares.sum() + (len(wanted) - len(at)) * rarest**2)
        spans = [self.rows[start:stop] for start, stop in zip(self.starts[at], self.starts[at + 1], strict=True)]
        rows = np.concatenate([np.zeros(0, dtype=np.int32), *spans])
        products = np.bincount(rows, np.repeat(squares, [len(span) for span in spans]), len(self.lengths))
        return np.asarray(products / np.maximum(length * self.lengths, 1e-9))


def _bags(bags: Sequence[Set[str]]) -> tuple[_Postings, Floats]:
    """What is in the bags, and the cosine of each with each other."""
    having: dict[str, list[int]] = {}
    for row, bag in enumerate(bags):
        for piece in sorted(bag):
            having.setdefault(piece, []).append(row)
    postings = _Postings.of(having, len(bags))
    return postings, _products(postings)


def _products(bags: _Postings) -> Floats:
    """The cosine of each phrasing's bag with each other's."""
    found = np.zeros((len(bags.lengths), len(bags.lengths)))
    for first in range(0, len(bags.weights), PIECES):
        starts = bags.starts[first : first + PIECES + 1]
        piece = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        table = np.zeros((len(bags.lengths), len(starts) - 1))
        table[bags.rows[starts[0] : starts[-1]], piece] = bags.weights[first : first + PIECES][piece]
        found += table @ table.T
    found /= np.maximum(bags.lengths[:, None] * bags.lengths[None, :], 1e-9)  # a bag may be empty
    np.fill_diagonal(found, 1.0)
    return found


def _weight(phrasings: int, having: int) -> float:
    """What a word or word pair counts: the more, the rarer it is."""
    return math.log1p(phrasings / having)


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


# --- arrays in a row ------------------------------------------------------------------------------------------------


def _packed(arrays: Sequence[NDArray[Any]]) -> bytes:
    """Arrays one behind the other, each after its length in bytes, each on an address that eight divides."""
    parts: list[bytes] = []
    for array in arrays:
        data = np.ascontiguousarray(array).tobytes()
        parts += [len(data).to_bytes(8, "little"), data, b"\0" * (-len(data) % 8)]
    return b"".join(parts)


class _Unpacked:
    """Arrays that were packed, taken one after the other without a copy."""

    def __init__(self, packed: NDArray[np.uint8]) -> None:
        self._packed = packed
        self._at = 0

    def next(self, kind: Any) -> NDArray[Any]:
        size = int.from_bytes(self._packed[self._at : self._at + 8].tobytes(), "little")
        begin = self._at + 8
        self._at = begin + size + -size % 8
        return self._packed[begin : begin + size].view(kind)
