"""The lexical index: BM25 by bm25s, restricted to a range of passages in microseconds.

bm25s scores every posting when the index is built. The postings are stored without the inverse document frequency,
which is computed for the range that a query searches: a word that is rare in the game at hand weighs as much as if the
game were alone, whatever other games the corpus holds. A query reads arrays only and does not import bm25s (0.2 s).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.blobs import Readable, Rows, Writable
from kb.stemming import stem

Scores = NDArray[np.float32]
Numbers = NDArray[np.int64]
POSTING = np.dtype([("stem", "<i4"), ("passage", "<i4"), ("weight", "<f4")])
MERGED_AT_ONCE = 4_000_000
"Postings held in memory while the games' are merged (12 bytes each, and as much again to sort them)."

SHORT = 200
"Characters up to which a text's stems are kept: phrasings and titles, which every question looks at again."

STOP = frozenset(
    """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again further
    then once here there when where why how all any both each few more most other some such no nor not only own same so
    than too very s t can will just don should now""".split()
)
"The full English stop list with its question words: questions are made of them and rules are not about them."
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")


def words(text: str) -> list[str]:
    """A text's words, lower case, without possessive endings; a rule number (`702.19b`) is a word, so are its parts."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        plain = word.replace("’", "'").removesuffix("'s")
        found.append(plain)
        if "." in plain:
            found.extend(plain.split("."))
    return found


def stems(text: str) -> list[str]:
    """The stems of a text's words, stop words left out, repetitions kept."""
    return list(_kept_stems(text) if len(text) <= SHORT else _stems(text))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(intern(stem(word)) for word in words(text) if word not in STOP)


_kept_stems = lru_cache(maxsize=16_384)(_stems)


class WordsWriter:
    """Takes the games one after the other and writes the index; memory holds one game and the vocabulary."""

    def __init__(self, files: Writable) -> None:
        self._files = files
        self._vocabulary: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._surface: Counter[str] = Counter()
        self._spool = files.scratch()
        self._parts = [0]
        self._titles: list[NDArray[np.int32]] = []
        self._title_lengths: list[Numbers] = []
        self._size = 0

    def add_game(self, texts: Sequence[str], titles: Sequence[str]) -> None:
        """Adds the passages of one game: what each is found by, and its title."""
        documents: list[list[int]] = []
        for text in texts:
            found = [word for word in words(text) if word not in STOP]
            self._surface.update(set(found))
            documents.append([self._number(word) for word in found])
        title_stems = [[self._number(word) for word in words(title) if word not in STOP] for title in titles]
        self._titles.append(np.array([number for title in title_stems for number in title], dtype=np.int32))
        self._title_lengths.append(np.array([len(title) for title in title_stems], dtype=np.int64))
        postings = _postings(documents)
        postings["passage"] += self._size
        self._spool.write(postings.data)
        self._parts.append(self._parts[-1] + len(postings))
        self._size += len(texts)

    def finish(self) -> None:
        """Merges the games' postings, sorted by stem and passage, and writes everything."""
        starts = self._merge()
        lengths = np.concatenate([np.zeros(1, dtype=np.int64), *self._title_lengths])
        titles = np.concatenate([np.zeros(0, dtype=np.int32), *self._titles])
        arrays = {"starts": starts, "title_starts": np.cumsum(lengths), "titles": titles}
        for name, array in arrays.items():
            with self._files.create(f"words.{name}") as file:
                file.write(array.data)
        record = {"stems": list(self._vocabulary), "surface": dict(self._surface)}
        with self._files.create("words.json") as file:
            file.write(json.dumps(record, ensure_ascii=False).encode())

    def _merge(self) -> Numbers:
        """Writes all postings in order, as many stems at a time as memory may hold; returns where each stem's begin."""
        spooled = self._spool.array(POSTING)
        parts = [spooled[a:b] for a, b in pairwise(self._parts) if a < b]
        counts = np.zeros(len(self._vocabulary) + 1, dtype=np.int64)
        for part in parts:
            counts[1:] += np.bincount(part["stem"], minlength=len(self._vocabulary))
        starts = np.cumsum(counts)
        with self._files.create("words.passages") as passages, self._files.create("words.weights") as weights:
            first = 0
            while first < len(self._vocabulary):
                last = max(first + 1, int(np.searchsorted(starts, starts[first] + MERGED_AT_ONCE, side="right")) - 1)
                pieces = [part[slice(*np.searchsorted(part["stem"], (first, last)))] for part in parts]
                together = np.concatenate([np.zeros(0, dtype=POSTING), *pieces])
                together = together[np.argsort(together["stem"], kind="stable")]
                passages.write(np.ascontiguousarray(together["passage"]).data)
                weights.write(np.ascontiguousarray(together["weight"]).data)
                first = last
        self._spool.close()
        return starts

    def _number(self, word: str) -> int:
        """The number of a word's stem."""
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = self._vocabulary.setdefault(stem(word), len(self._vocabulary))
        return number


def _postings(documents: list[list[int]]) -> NDArray[Any]:
    """One game's postings sorted by stem, then passage; the weight is BM25's without its IDF."""
    used = sorted({number for document in documents for number in document})
    if not used:
        return np.zeros(0, dtype=POSTING)
    import bm25s

    local = {number: i for i, number in enumerate(used)}
    retriever = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    numbered = [[local[number] for number in document] for document in documents]
    retriever.index((numbered, local), create_empty_token=False, show_progress=False)
    frequency: Numbers = np.asarray(np.diff(retriever.scores["indptr"]), dtype=np.int64)
    postings = np.zeros(int(frequency.sum()), dtype=POSTING)
    postings["stem"] = np.repeat(np.array(used), frequency)
    postings["passage"] = retriever.scores["indices"]
    postings["weight"] = retriever.scores["data"] / np.repeat(_idf(frequency, len(documents)), frequency)
    return postings


def _idf(frequency: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Lucene's inverse document frequency; always positive."""
    return np.asarray(np.log1p((size - frequency + 0.5) / (frequency + 0.5)))


def top(scores: Scores, k: int) -> Numbers:
    """Where the `k` highest positive scores stand, best first; of equals the first."""
    best = np.flatnonzero(scores > 0)  # the comparison first: six times faster than looking for non-zeros
    if len(best) > k:
        limit = np.partition(scores[best], len(best) - k)[len(best) - k]
        best = best[scores[best] >= limit]
    return best[np.lexsort((best, -scores[best]))][:k]


class Words:
    """The lexical index, opened. Safe to share between threads."""

    def __init__(self, files: Readable) -> None:
        self._record = files.blob("words.json")
        self._starts = Rows(files.blob("words.starts"), np.int64)
        self._passages = Rows(files.blob("words.passages"), np.int32)
        self._weights = Rows(files.blob("words.weights"), np.float32)
        self._title_starts = Rows(files.blob("words.title_starts"), np.int64)
        self._titles = Rows(files.blob("words.titles"), np.int32)
        self._size = len(self._title_starts) - 1
        self.title_stems = lru_cache(maxsize=65536)(self._title_stems)
        self.idf = lru_cache(maxsize=16384)(self._idf)
        self._span = lru_cache(maxsize=16384)(self._find_span)

    @cached_property
    def _loaded(self) -> tuple[dict[str, int], dict[str, int], list[str]]:
        record = json.loads(self._record.read())
        known: list[str] = record["stems"]
        return {stemmed: i for i, stemmed in enumerate(known)}, record["surface"], known

    @property
    def vocabulary(self) -> dict[str, int]:
        """Stem -> its number."""
        return self._loaded[0]

    @property
    def surface(self) -> dict[str, int]:
        """Every word of the corpus as written (lower case, no stop words) -> in how many passages it stands."""
        return self._loaded[1]

    def _title_stems(self, passage: int) -> tuple[str, ...]:
        """The stems of a passage's title."""
        first, last = self._title_starts[passage : passage + 2]
        return tuple(self._loaded[2][i] for i in self._titles[int(first) : int(last)])

    def frequency(self, stemmed: str, start: int = 0, stop: int | None = None) -> int:
        """In how many of the passages `start` up to `stop` the stem stands."""
        first, last = self._span(stemmed, start, self._size if stop is None else stop)
        return last - first

    def _idf(self, stemmed: str, start: int = 0, stop: int | None = None) -> float:
        """How much the stem tells among these passages; a stem that none has weighs as if half a passage had it."""
        stop = self._size if stop is None else stop
        return float(_idf(np.array([self.frequency(stemmed, start, stop)]), stop - start)[0])

    def scores(self, query: Iterable[str], start: int = 0, stop: int | None = None) -> Scores:
        """BM25 of every passage from `start` up to `stop` for the query's stems; a repeated stem counts again."""
        stop = self._size if stop is None else stop
        total = np.zeros(stop - start, dtype=np.float32)
        for stemmed, times in Counter(query).items():
            first, last = self._span(stemmed, start, stop)
            if first < last:
                weight = np.float32(times * self.idf(stemmed, start, stop))
                total[self._passages[first:last] - start] += weight * self._weights[first:last]
        return total

    def search(self, query: Iterable[str], k: int, start: int = 0, stop: int | None = None) -> tuple[Numbers, Scores]:
        """The best `k` passages that share a stem with the query, best first, with their scores."""
        total = self.scores(query, start, stop)
        best = top(total, k)
        return best + start, total[best]

    def _find_span(self, stemmed: str, start: int, stop: int) -> tuple[int, int]:
        """Where the stem's postings of these passages lie."""
        number = self.vocabulary.get(stemmed)
        if number is None:
            return 0, 0
        first, last = (int(value) for value in self._starts[number : number + 2])
        if start > 0 or stop < self._size:
            inside = np.searchsorted(self._passages[first:last], (start, stop))
            first, last = first + int(inside[0]), first + int(inside[1])
        return first, last
