"""Vectors on disk, searched by FAISS within a contiguous range of passages.

The vectors of one kind lie in one file in single precision, mapped, not loaded, in the passages' order; a passage has
none, one or several. A range is scanned exactly: one of up to SCANNED rows, as a rulebook has, by one product in numpy
whose result is kept, since the parts of an answer ask for the same; a larger one by FAISS over just its rows, 8 ms for
100,000. Where a whole store is searched and holds more, FAISS's 4-bit product quantizer (half a byte for two
dimensions, held in memory) finds a thousand candidates in 5 ms per million rows, and their exact cosines decide.
`benchmarks/scale.py` measures the recall.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.blobs import Readable, Rows, Writable
from kb.encoder import Vectors

Numbers = NDArray[np.int64]
SCANNED = 20_000
"Rows up to which a range's cosines are worked out whole and kept: 80 KB."
KEPT = 32
"Of so many ranges and questions."
APPROXIMATE_FROM = 100_000
"Rows from which on a search over the whole store goes through the quantizer."
CANDIDATES = 1000
"How many of the quantizer's nearest are scored exactly, at least."
FEW = 64
"Rows whose cosines are not worth keeping."
TRAINED_ON = 20_000
"Rows that the quantizer is trained on, evenly spread."
ABSENT = -1.0
"The cosine given where a passage has no vector of a kind: no higher than any that occurs."


class VectorStore:
    """The unit vectors of one kind and the passages they belong to. Safe to share between threads."""

    def __init__(self, files: Readable, kind: str, dim: int) -> None:
        self.dim = dim
        self._rows = Rows(files.blob(f"{kind}.vectors"), np.float32, dim)
        self._first = Rows(files.blob(f"{kind}.first"), np.int64)
        self._quantized = files.blob(f"{kind}.faiss") if len(self._rows) >= APPROXIMATE_FROM else None
        self._kept = lru_cache(maxsize=KEPT)(self._scan)

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, start: int, stop: int) -> tuple[int, int]:
        """The rows of the passages `start` up to `stop`."""
        return int(self._first[start : start + 1][0]), int(self._first[stop : stop + 1][0])

    def search(self, vector: Vectors, k: int, start: int, stop: int) -> tuple[Numbers, Vectors]:
        """The `k` rows of the passages `start` up to `stop` with the highest cosine, best first, with their cosines."""
        first, last = self.rows(start, stop)
        k = min(k, last - first)
        if k <= 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        if self._quantized is not None and last - first == len(self._rows):
            return self._search_quantized(vector, k)
        if last - first <= SCANNED:
            cosines = self._cosines_in(vector, first, last)
            best = _highest_of(cosines, k)
            return best + first, cosines[best]
        faiss = load_faiss()
        cosines, found = faiss.knn(vector[None, :], self._rows[first:last], k, metric=faiss.METRIC_INNER_PRODUCT)
        return np.asarray(found[0], dtype=np.int64) + first, np.asarray(cosines[0], dtype=np.float32)

    def _cosines_in(self, vector: Vectors, first: int, last: int) -> Vectors:
        """The cosines of a range of rows."""
        if not FEW < last - first <= SCANNED:
            return _cosines(vector, self._rows[first:last])
        return self._kept(np.ascontiguousarray(vector, dtype=np.float32).tobytes(), first, last)

    def _scan(self, vector: bytes, first: int, last: int) -> Vectors:
        cosines = _cosines(np.frombuffer(vector, dtype=np.float32), self._rows[first:last])
        cosines.flags.writeable = False
        return cosines

    def _search_quantized(self, vector: Vectors, k: int) -> tuple[Numbers, Vectors]:
        _, found = self._quantizer.search(vector[None, :], max(CANDIDATES, 10 * k))
        rows = np.sort(found[0][found[0] >= 0]).astype(np.int64)
        cosines = _cosines(vector, self._rows.take(rows))
        best = np.argsort(-cosines, kind="stable")[:k]
        return rows[best], cosines[best]

    @cached_property
    def _quantizer(self) -> Any:
        assert self._quantized is not None
        self._quantized.check()
        return load_faiss().deserialize_index(np.frombuffer(self._quantized.data, dtype=np.uint8))

    def all(self) -> Vectors:
        """Every row, mapped, and verified first."""
        return self._rows[:]

    def of(self, number: int) -> Vectors:
        """The vectors of one passage, in order, shape (n, dim)."""
        first, last = self.rows(number, number + 1)
        return np.asarray(self._rows[first:last])

    def owners(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        """(passage, place among the passage's rows) of each row."""
        first = self._first[:]
        numbers = np.searchsorted(first, rows, side="right") - 1
        return numbers, rows - first[numbers]

    def nearest(self, vector: Vectors, k: int, start: int, stop: int) -> Numbers:
        """The at most `k` passages that have the nearest rows, best first."""
        wide = k
        while True:
            rows, _ = self.search(vector, wide, start, stop)
            numbers, _ = self.owners(rows)
            _, at = np.unique(numbers, return_index=True)
            if len(at) >= k or len(rows) < wide:
                return numbers[np.sort(at)][:k]
            wide *= 2  # several rows of one passage took places

    def best(self, vector: Vectors, numbers: Numbers) -> Vectors:
        """The highest cosine of each of these passages; ABSENT where it has no row."""
        first = self._first.take(numbers)
        count = self._first.take(numbers + 1) - first
        ends = np.cumsum(count)
        rows = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - count), count)
        return _highest(_cosines(vector, self._rows.take(rows)), ends - count, count)

    def best_in(self, vector: Vectors, start: int, stop: int) -> Vectors:
        """The same for every passage from `start` up to `stop`."""
        bounds = self._first[start : stop + 1]
        cosines = self._cosines_in(vector, int(bounds[0]), int(bounds[-1]))
        return _highest(cosines, bounds[:-1] - bounds[0], np.diff(bounds))


def _cosines(vector: Vectors, rows: Vectors) -> Vectors:
    # Not `rows @ vector`: BLAS would bring threads of its own and round by where a row stands.
    return np.asarray(np.vecdot(rows, vector), dtype=np.float32)


def _highest_of(cosines: Vectors, k: int) -> Numbers:
    """Where the `k` highest stand, best first; of equals the first."""
    at = np.arange(len(cosines))
    if k < len(cosines):
        at = np.flatnonzero(cosines >= np.partition(cosines, len(cosines) - k)[len(cosines) - k])
    return at[np.argsort(-cosines[at], kind="stable")][:k]


def _highest(cosines: Vectors, first: Numbers, count: Numbers) -> Vectors:
    """The maximum of each run of `count` cosines; ABSENT for an empty run."""
    best = np.full(len(count), ABSENT, dtype=np.float32)
    filled = count > 0
    if filled.any():
        best[filled] = np.maximum.reduceat(cosines, first[filled])
    return best


def write_quantizer(files: Writable, kind: str, dim: int) -> None:
    """Trains and writes the quantizer of a store whose vectors are written, if it is large enough to need one."""
    rows = Rows(files.blob(f"{kind}.vectors"), np.float32, dim)
    if len(rows) < APPROXIMATE_FROM:
        return
    faiss = load_faiss()
    quantizer = faiss.index_factory(dim, f"PQ{dim // 2}x4fs", faiss.METRIC_INNER_PRODUCT)
    quantizer.train(rows.take(np.linspace(0, len(rows) - 1, TRAINED_ON).astype(np.int64)))
    for start in range(0, len(rows), TRAINED_ON):
        quantizer.add(rows[start : start + TRAINED_ON])
    with files.create(f"{kind}.faiss") as file:
        file.write(faiss.serialize_index(quantizer).data)


def load_faiss() -> Any:
    """FAISS, held to one thread: under load the callers bring the threads."""
    import faiss

    if faiss.omp_get_max_threads() != 1:
        faiss.omp_set_num_threads(1)
    return faiss
