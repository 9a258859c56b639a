"""Searching vectors: exact within a range, close to exact through the quantizer."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from kb import vectors
from kb.blobs import Memory
from kb.vectors import ABSENT, VectorStore, write_quantizer

DIM = 32


def units(rows: int, seed: int = 1) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).standard_normal((rows, DIM)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def store(rows: NDArray[np.float32], per_passage: list[int], quantized: bool = False) -> VectorStore:
    files = Memory()
    for name, array in {"text.vectors": rows, "text.first": np.cumsum([0, *per_passage], dtype=np.int64)}.items():
        with files.create(name) as file:
            file.write(array.tobytes())
    if quantized:
        write_quantizer(files, "text", DIM)
    return VectorStore(files, "text", DIM)


def test_search__is_exact_and_stays_in_its_range() -> None:
    rows, query = units(500), units(1, seed=2)[0]
    found, cosines = store(rows, [1] * 500).search(query, 7, 100, 300)
    expected = 100 + np.argsort(-(rows[100:300] @ query))[:7]
    assert found.tolist() == expected.tolist()
    np.testing.assert_allclose(cosines, rows[expected] @ query, atol=1e-6)


def test_search__more_than_there_are_and_none_at_all() -> None:
    small = store(units(3), [1, 0, 2])
    assert len(small.search(units(1)[0], 10, 0, 3)[0]) == 3
    assert len(small.search(units(1)[0], 10, 1, 2)[0]) == 0


def test_best__is_the_maximum_over_a_passages_rows_and_absent_without() -> None:
    rows, query = units(6), units(1, seed=3)[0]
    made, cosines = store(rows, [2, 0, 1, 3, 0]), units(6) @ query
    expected = [cosines[0:2].max(), ABSENT, cosines[2], cosines[3:6].max(), ABSENT]
    np.testing.assert_allclose(made.best_in(query, 0, 5), expected, atol=1e-6)
    np.testing.assert_allclose(made.best(query, np.array([4, 3, 1])), [ABSENT, expected[3], ABSENT], atol=1e-6)
    np.testing.assert_allclose(made.best_in(query, 1, 4), expected[1:4], atol=1e-6)
    assert len(made.best(query, np.zeros(0, dtype=np.int64))) == 0


def test_nearest__gives_k_passages_though_one_has_many_near_rows() -> None:
    query = units(1)[0]
    crowd = np.repeat(query[None], 30, axis=0)
    rows = np.concatenate([units(4, seed=5), crowd, units(4, seed=6)])
    nearest = store(rows, [1] * 4 + [30] + [1] * 4).nearest(query, 5, 0, 9)
    assert nearest[0] == 4
    assert len(set(nearest.tolist())) == 5


def test_owners__number_and_place() -> None:
    numbers, places = store(units(6), [2, 0, 1, 3]).owners(np.array([0, 1, 2, 3, 5]))
    assert numbers.tolist() == [0, 0, 2, 3, 3]
    assert places.tolist() == [0, 1, 0, 0, 2]


def test_quantizer__recalls_99_of_100_exact_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "APPROXIMATE_FROM", 5000)
    monkeypatch.setattr(vectors, "TRAINED_ON", 2000)
    rows = units(8000)
    quantized = store(rows, [1] * 8000, quantized=True)
    recalls = []
    for query in units(50, seed=9):
        found, cosines = quantized.search(query, 10, 0, 8000)
        exact = np.argsort(-(rows @ query))[:10]
        recalls.append(len(set(found.tolist()) & set(exact.tolist())) / 10)
        np.testing.assert_allclose(cosines, rows[found] @ query, atol=1e-6)
    assert np.mean(recalls) >= 0.99


def test_quantizer__a_range_is_still_searched_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "APPROXIMATE_FROM", 1000)
    monkeypatch.setattr(vectors, "TRAINED_ON", 1000)
    monkeypatch.setattr(vectors, "CANDIDATES", 1)
    rows, query = units(1200), units(1, seed=2)[0]
    found, _ = store(rows, [1] * 1200, quantized=True).search(query, 5, 10, 1100)
    assert found.tolist() == (10 + np.argsort(-(rows[10:1100] @ query))[:5]).tolist()


@pytest.mark.parametrize("k", [1, 3, 50, 400])
def test_search__scanned_and_by_faiss_is_the_same(monkeypatch: pytest.MonkeyPatch, k: int) -> None:
    rows, query = units(400), units(1, seed=2)[0]
    scanned = store(rows, [1] * 400).search(query, k, 0, 400)
    monkeypatch.setattr(vectors, "SCANNED", 0)
    by_faiss = store(rows, [1] * 400).search(query, k, 0, 400)
    assert scanned[0].tolist() == by_faiss[0].tolist()
    np.testing.assert_allclose(scanned[1], by_faiss[1], atol=1e-6)


def test_search__of_equals_the_first() -> None:
    query = units(1)[0]
    rows = np.concatenate([units(3, seed=5), np.repeat(query[None], 5, axis=0)])
    assert store(rows, [1] * 8).search(query, 3, 0, 8)[0].tolist() == [3, 4, 5]


def test_search__what_is_kept_is_this_questions_and_this_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, made = units(900), store(units(900), [1] * 900)
    for query in units(3, seed=7):
        for start, stop in ((0, 900), (100, 500), (500, 900)):
            for _ in range(2):
                np.testing.assert_allclose(made.best_in(query, start, stop), rows[start:stop] @ query, atol=1e-6)
    scans = made._kept.cache_info()
    assert (scans.hits, scans.misses) == (9, 9)
