"""Which passage a question is about, learned from the phrasings of a game's passages by ridge regression.

The nearest phrasing is one voice among thousands. Here all of a game's phrasings are weighed against each other at
once: a linear model from a phrasing's vector, its words and its concepts to the passage that it belongs to (Hastie,
Tibshirani & Friedman, The Elements of Statistical Learning, 4.2). What it says is one signal of the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kb.blobs import Readable, Rows, Writable, number_of
from kb.encoder import Vectors
from kb.words import stems

FEWEST = 1.0
"Phrasings for each passage from which a game is worth it."
MOST = 20_000
"Phrasings up to which it is tried: bounds memory (at most 160 MB while building). `kb build` names games with more."
PIECES = 1_600
"Words and concepts that count, the most frequent."
RARE = 3
"A word or concept that fewer phrasings have tells nothing of others."
MEANING, WORDS, CONCEPTS, RIDGE = 1.0, 1.0, 0.7, 3.0
"Lengths of a phrasing's vector, bag of words and bag of concepts; what holds the weights down."


@dataclass(frozen=True, slots=True)
class Phrasing:
    """What is learned from."""

    text: str
    concepts: Sequence[str]
    passage: int
    "The place of its passage among the game's."


class TaughtWriter:
    """Learns one game after the other; memory holds one."""

    def __init__(self, files: Writable) -> None:
        self._files = files
        self._starts: list[tuple[int, int]] = [(0, 0)]
        self._spools = {name: files.scratch() for name in ("pieces", "rarity", "weights")}

    def add_game(self, phrasings: Sequence[Phrasing], vectors: Vectors, passages: int) -> None:
        """Learns a game's phrasings, whose vectors have shape (n, dim); too few or too many are left alone."""
        counted, cells = self._starts[-1]
        if FEWEST * passages <= len(phrasings) <= MOST and passages > 1:
            columns = _columns(phrasings)
            numbers = np.array([number_of(piece) for piece in columns], dtype=np.uint64)
            # How much a piece tells: the more, the rarer it is.
            rarity = np.log1p(len(phrasings) / np.array([*columns.values()])).astype(np.float32)
            weights = _fit(phrasings, vectors, [*columns], rarity, passages)
            self._spools["pieces"].write(numbers.data)
            self._spools["rarity"].write(rarity.data)
            self._spools["weights"].write(weights.data)
            counted, cells = counted + len(numbers), cells + weights.size
        self._starts.append((counted, cells))

    def finish(self) -> None:
        """Writes everything."""
        types = {"pieces": np.uint64, "rarity": np.float32, "weights": np.float32}
        for name, spool in self._spools.items():
            with self._files.create(f"taught.{name}") as file:
                file.write(np.ascontiguousarray(spool.array(np.dtype(types[name]))).data)
            spool.close()
        with self._files.create("taught.starts") as file:
            file.write(np.array(self._starts, dtype=np.int64).data)


class Taught:
    """What was learned, opened. Safe to share between threads."""

    def __init__(self, files: Readable, dim: int) -> None:
        self._dim = dim
        self._starts = Rows(files.blob("taught.starts"), np.int64, 2)
        self._pieces = Rows(files.blob("taught.pieces"), np.uint64)
        self._rarity = Rows(files.blob("taught.rarity"), np.float32)
        self._weights = Rows(files.blob("taught.weights"), np.float32)

    def scores(
        self, game: int, passages: int, vector: Vectors, words: Iterable[str], concepts: Iterable[str]
    ) -> Vectors | None:
        """For each passage of the game with this number how much a question is about it, about 0 to 1.

        None where the game's phrasings were not learned from. `vector` is the question's, `words` are its stems.
        """
        (first, begin), (last, end) = self._starts[game : game + 2].tolist()
        if begin == end:
            return None
        weights = self._weights[begin:end].reshape(-1, passages)
        known = self._pieces[first:last]
        rarity = self._rarity[first:last]
        # Not `vector @ weights`: BLAS would round by how many threads it brings.
        found = MEANING * np.einsum("i,ij->j", vector, weights[: self._dim]) + weights[self._dim]
        for bag, length in ((words, WORDS), (concepts, CONCEPTS)):
            wanted = np.array([number_of(piece) for piece in dict.fromkeys(bag)], dtype=np.uint64)
            places = np.searchsorted(known, wanted)
            inside = places < len(known)
            places = places[inside][known[places[inside]] == wanted[inside]]
            if len(places):
                shares = _shares(rarity[places], length)
                found += np.einsum("i,ij->j", shares, weights[self._dim + 1 + places])
        return np.asarray(found, dtype=np.float32)


def _columns(phrasings: Sequence[Phrasing]) -> dict[str, int]:
    """Words and concepts worth counting, in the order of their numbers -> how many phrasings have them."""
    counts: Counter[str] = Counter()
    for each in phrasings:
        counts.update({*stems(each.text), *each.concepts})
    often = [(piece, count) for piece, count in counts.most_common(PIECES) if count >= RARE]
    return dict(sorted(often, key=lambda each: number_of(each[0])))


def _shares(rarity: Vectors, length: float) -> Vectors:
    """What each piece of a bag counts: the more, the rarer it is; together they are as long as wanted."""
    return rarity * np.float32(length / np.linalg.norm(rarity))


def _fit(phrasings: Sequence[Phrasing], vectors: Vectors, pieces: Sequence[str], rarity: Vectors, size: int) -> Vectors:
    """The weights, a row for each number of a vector, one for what all have, one for each piece."""
    dim = vectors.shape[1]
    columns = {piece: at for at, piece in enumerate(pieces)}
    design = np.zeros((len(phrasings), dim + 1 + len(pieces)), dtype=np.float32)
    design[:, :dim] = MEANING * vectors
    design[:, dim] = 1.0
    for row, each in enumerate(phrasings):
        for bag, length in ((stems(each.text), WORDS), (each.concepts, CONCEPTS)):
            places = [columns[piece] for piece in dict.fromkeys(bag) if piece in columns]
            if places:
                design[row, dim + 1 + np.array(places)] = _shares(rarity[places], length)
    wanted = np.zeros((len(phrasings), size), dtype=np.float32)
    wanted[np.arange(len(phrasings)), [each.passage for each in phrasings]] = 1.0
    alike = (design.T @ design).astype(np.float64)
    alike[np.diag_indices_from(alike)] += RIDGE
    return np.linalg.solve(alike, (design.T @ wanted).astype(np.float64)).astype(np.float32)
