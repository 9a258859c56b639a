"""The lexical index: BM25 by bm25s, restricted to a range of passages in microseconds.

bm25s scores every posting when the index is built. The postings are stored without the inverse document frequency,
which is computed for the range that a query searches: a word that is rare in the game at hand weighs as much as if the
game were alone, whatever other games the corpus holds. A query reads arrays only and does not import bm25s (0.2 s).
"""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kb.store import Readable, Rows, Writable

Scores = NDArray[np.float32]
Numbers = NDArray[np.int64]

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
_local = threading.local()


def words(text: str) -> list[str]:
    """The words of a text, lower case, no possessive endings; a rule number (`702.19b`) is a word, and so are its parts."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        plain = word.replace("’", "'").removesuffix("'s")
        found.append(plain)
        if "." in plain:
            found.extend(plain.split("."))
    return found


def stem(word: str) -> str:
    """A word's stem (Snowball English)."""
    if not hasattr(_local, "stemmer"):
        import Stemmer  # one per thread: a stemmer keeps state while it works

        _local.stemmer = Stemmer.Stemmer("english")
    return str(_local.stemmer.stemWord(word))


def stems(text: str) -> list[str]:
    """The stems of a text's words, stop words left out, repetitions kept."""
    return [stem(word) for word in words(text) if word not in STOP]


class WordsWriter:
    """Takes the games one after the other and writes the index; memory holds one game and the vocabulary."""

    def __init__(self, files: Writable) -> None:
        self._files = files
        self._vocabulary: dict[str, int] = {}
        self._surface: Counter[str] = Counter()
        self._parts: list[tuple[NDArray[np.int32], NDArray[np.int32], Scores]] = []
        self._titles: list[NDArray[np.int32]] = []
        self._size = 0

    def add_game(self, texts: Sequence[str], titles: Sequence[str]) -> None:
        """Adds the passages of one game: what each is found by, and its title."""
        documents: list[list[int]] = []
        for text in texts:
            found = [word for word in words(text) if word not in STOP]
            self._surface.update(set(found))
            documents.append([self._number(stem(word)) for word in found])
        self._titles.extend(np.array([self._number(s) for s in stems(t)], dtype=np.int32) for t in titles)
        terms, passages, weights = _postings(documents)
        self._parts.append((terms, passages + np.int32(self._size), weights))
        self._size += len(texts)

    def finish(self) -> None:
        """Merges the games' postings, sorted by stem and passage, and writes everything."""
        counts = np.zeros(len(self._vocabulary) + 1, dtype=np.int64)
        for terms, _, _ in self._parts:
            counts[1:] += np.bincount(terms, minlength=len(self._vocabulary))
        starts = np.cumsum(counts)
        passages = np.empty(int(starts[-1]), dtype=np.int32)
        weights = np.empty(int(starts[-1]), dtype=np.float32)
        cursor = starts[:-1].copy()
        for terms, part_passages, part_weights in self._parts:
            distinct, first, count = np.unique(terms, return_index=True, return_counts=True)
            at = np.arange(len(terms)) - np.repeat(first, count) + np.repeat(cursor[distinct], count)
            passages[at] = part_passages
            weights[at] = part_weights
            cursor[distinct] += count
        title_starts = np.cumsum([0, *(len(title) for title in self._titles)], dtype=np.int64)
        titles = np.concatenate([np.zeros(0, dtype=np.int32), *self._titles])
        arrays = {"starts": starts, "passages": passages, "weights": weights}
        for name, array in {**arrays, "title_starts": title_starts, "titles": titles}.items():
            with self._files.create(f"words.{name}") as file:
                file.write(np.ascontiguousarray(array).data)
        record = {"passages": self._size, "stems": list(self._vocabulary), "surface": dict(self._surface)}
        with self._files.create("words.json") as file:
            file.write(json.dumps(record, ensure_ascii=False).encode())

    def _number(self, stemmed: str) -> int:
        return self._vocabulary.setdefault(stemmed, len(self._vocabulary))


def _postings(documents: list[list[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32], Scores]:
    """(stem, passage, weight) of one game sorted by stem, then passage; the weight is BM25's without its IDF."""
    used = sorted({term for document in documents for term in document})
    nothing = np.zeros(0, dtype=np.int32)
    if not used:
        return nothing, nothing, np.zeros(0, dtype=np.float32)
    import bm25s

    local = {term: i for i, term in enumerate(used)}
    retriever = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    numbered = [[local[term] for term in document] for document in documents]
    retriever.index((numbered, local), create_empty_token=False, show_progress=False)
    starts = np.asarray(retriever.scores["indptr"], dtype=np.int64)
    frequency = np.diff(starts)
    terms = np.repeat(np.array(used, dtype=np.int32), frequency)
    idf = _idf(frequency, len(documents))
    weights = np.asarray(retriever.scores["data"]) / np.repeat(idf, frequency)
    return terms, np.asarray(retriever.scores["indices"], dtype=np.int32), weights.astype(np.float32)


def _idf(frequency: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """Lucene's inverse document frequency; always positive."""
    return np.asarray(np.log1p((size - frequency + 0.5) / (frequency + 0.5)))


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

    def title_stems(self, passage: int) -> list[str]:
        """The stems of a passage's title."""
        first, last = self._title_starts[passage : passage + 2]
        return [self._loaded[2][i] for i in self._titles[int(first) : int(last)]]

    def frequency(self, stemmed: str, start: int = 0, stop: int | None = None) -> int:
        """In how many of the passages `start` up to `stop` the stem stands."""
        first, last = self._span(stemmed, start, self._size if stop is None else stop)
        return last - first

    def idf(self, stemmed: str, start: int = 0, stop: int | None = None) -> float:
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
                weight = np.float32(times * _idf(np.array([last - first]), stop - start)[0])
                total[self._passages[first:last] - start] += weight * self._weights[first:last]
        return total

    def search(self, query: Iterable[str], k: int, start: int = 0, stop: int | None = None) -> tuple[Numbers, Scores]:
        """The best `k` passages that share a stem with the query, best first, with their scores."""
        total = self.scores(query, start, stop)
        best = np.flatnonzero(total)
        if len(best) > k:
            best = best[np.argpartition(-total[best], k)[:k]]
        best = best[np.lexsort((best, -total[best]))]
        return best + start, total[best]

    def _span(self, stemmed: str, start: int, stop: int) -> tuple[int, int]:
        """Where the stem's postings of these passages lie."""
        number = self.vocabulary.get(stemmed)
        if number is None:
            return 0, 0
        first, last = (int(value) for value in self._starts[number : number + 2])
        if start > 0 or stop < self._size:
            inside = np.searchsorted(self._passages[first:last], (start, stop))
            first, last = first + int(inside[0]), first + int(inside[1])
        return first, last
