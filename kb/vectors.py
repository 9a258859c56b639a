"""Vectors on disk, searched by FAISS within a contiguous range.

The vectors lie in one file in single precision, mapped, not loaded. A range is searched exactly, by FAISS's brute-force
scan over just those rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.encoder import Vectors
from kb.store import Readable, Rows

Numbers = NDArray[np.int64]


class VectorStore:
    """Unit vectors by row number. Safe to share between threads."""

    def __init__(self, files: Readable, dim: int) -> None:
        self.dim = dim
        self._rows = Rows(files.blob("vectors.f32"), np.float32, dim)

    def __len__(self) -> int:
        return len(self._rows)

    def search(self, vector: Vectors, k: int, start: int = 0, stop: int | None = None) -> tuple[Numbers, Vectors]:
        """The `k` rows from `start` up to `stop` with the highest cosine, best first, with their cosines."""
        rows = self._rows[start:stop]
        k = min(k, len(rows))
        if k == 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
        faiss = _faiss()
        cosines, found = faiss.knn(vector[None, :], rows, k, metric=faiss.METRIC_INNER_PRODUCT)
        return np.asarray(found[0], dtype=np.int64) + start, np.asarray(cosines[0], dtype=np.float32)

    def cosines(self, vector: Vectors, start: int = 0, stop: int | None = None) -> Vectors:
        """The cosine of every row from `start` up to `stop`."""
        faiss = _faiss()
        rows = self._rows[start:stop]
        return np.asarray(faiss.pairwise_distances(vector[None, :], rows, metric=faiss.METRIC_INNER_PRODUCT)[0])

    def take(self, rows: Numbers) -> Vectors:
        """The vectors of these rows, shape (n, dim)."""
        return self._rows.take(rows)


def _faiss() -> Any:
    import faiss

    if faiss.omp_get_max_threads() != 1:
        faiss.omp_set_num_threads(1)  # latency under load: callers bring the threads
    return faiss
