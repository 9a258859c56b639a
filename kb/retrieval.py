"""A question becomes a ranked list of passages.

The stages, in order: spell, encode, gather candidates, score each by its vectors and its words, put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.concepts import Lexicon
from kb.index import ABSENT, KINDS, Document, Index
from kb.passage import Ask, Passage
from kb.question import Question
from kb.sentences import sentence_spans
from kb.words import stems

TEXT, ASK, SENTENCE = (KINDS.index(kind) for kind in ("text", "ask", "sentence"))
CANDIDATES = 100
"Passages taken from each of the two searches in a range too large to score whole."
WHOLE = 4000
"Up to this many passages a range is scored whole."
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth. Fitted in benchmarks/fusion.py; see there for what was tried."""

    ask: float = 0.43
    "Nearest phrasing of the question that the corpus has for the passage."
    text: float = 0.11
    sentence: float = 0.11
    words: float = 0.2
    "BM25 of the question's words, scaled to 0..1 among the candidates."
    concepts: float = 0.11
    "BM25 of the question's concepts, scaled likewise."
    title: float = 0.04


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with how well it fits, and why."""

    number: int
    passage: Passage
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    "Raw signals: cosines by kind, BM25, title match."


@dataclass(frozen=True, slots=True)
class AskHit:
    """A phrasing that is like the question."""

    ask: Ask
    number: int
    "The passage's number."
    cosine: float
    kind: str = "rule"
    "The passage's kind."


def document(passage: Passage, lexicon: Lexicon | None = None) -> Document:
    """What a passage is found by: its text under its headings, each phrasing, each sentence, all words and concepts."""
    headed = " › ".join((*passage.path, passage.title)) + "\n" + passage.text
    spans = sentence_spans(passage.text)
    sentences = [passage.text[start:end] for start, end in spans] if len(spans) > 1 else []
    entries = [("text", headed), *(("ask", ask.text) for ask in passage.asks), *(("sentence", s) for s in sentences)]
    words = "\n".join((headed, *passage.aliases, *(ask.text for ask in passage.asks)))
    if lexicon is not None:
        words += "\n" + " ".join(token for line in words.splitlines() for token in lexicon.tokens(line))
    return Document(passage, tuple(entries), words)


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """BM25 scores as shares of the highest."""
    highest = float(scores.max()) if len(scores) else 0.0
    return scores / np.float32(highest) if highest > 0 else scores


class Retriever:
    """Searches an opened index. Safe to share between threads."""

    def __init__(self, index: Index, weights: Weights | None = None) -> None:
        self.index = index
        self.weights = weights or Weights()

    def encode(self, question: Question) -> NDArray[np.float32]:
        """The question's unit vector. A long story is cut where the encoder ends, so its asking clause leads."""
        text = question.text.strip()
        if len(text) > 600:
            text = f"{question.core} {text}"
        return self.index.encoder.encode_query(text[:4000])

    def search(
        self,
        question: Question,
        game: str | None = None,
        k: int = 10,
        vector: NDArray[np.float32] | None = None,
        lexicon: Lexicon | None = None,
    ) -> list[Hit]:
        """The best `k` passages of a game, best first."""
        vector = self.encode(question) if vector is None else vector
        start, stop = self.index.range(game)
        query = stems(question.text[:4000])
        numbers, cosines, lexical = self._candidates(vector, query, start, stop)
        if not len(numbers):
            return []
        concepts = np.zeros(len(numbers), dtype=np.float32)
        if lexicon is not None and (named := lexicon.tokens(question.text[:4000])):
            concepts = self.index.words.scores(named, start, stop)[numbers - start]
        title = self._titles(numbers, query, start, stop)
        scores = self._fuse(cosines, lexical, concepts, title)
        best = np.argsort(-scores, kind="stable")[:k]
        return [
            Hit(
                int(numbers[at]),
                self.index.passage(int(numbers[at])),
                float(scores[at]),
                {
                    "ask": float(cosines[at, ASK]),
                    "text": float(cosines[at, TEXT]),
                    "sentence": float(cosines[at, SENTENCE]),
                    "words": float(lexical[at]),
                    "title": float(title[at]),
                },
            )
            for at in best
        ]

    def _candidates(
        self, vector: NDArray[np.float32], query: Iterable[str], start: int, stop: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """(numbers, cosines by kind, BM25) of the passages worth scoring."""
        query = list(query)
        if stop - start <= WHOLE:
            numbers = np.arange(start, stop, dtype=np.int64)
            return numbers, self.index.cosines_in(vector, start, stop), self.index.words.scores(query, start, stop)
        near, _ = self.index.nearest(vector, CANDIDATES, start, stop)
        named, _ = self.index.words.search(query, CANDIDATES, start, stop)
        numbers = np.union1d(near, named)
        scores = self.index.words.scores(query, start, stop)
        return numbers, self.index.cosines(vector, numbers), scores[numbers - start]

    def _fuse(
        self, cosines: NDArray[np.float32], lexical: NDArray[np.float32], concepts: NDArray[np.float32], title: Floats
    ) -> Floats:
        w = self.weights
        text = np.maximum(cosines[:, TEXT], 0)
        sentence = np.where(cosines[:, SENTENCE] == ABSENT, text, np.maximum(cosines[:, SENTENCE], 0))
        ask = np.where(cosines[:, ASK] == ABSENT, np.maximum(text, sentence), np.maximum(cosines[:, ASK], 0))
        dense = w.ask * ask + w.text * text + w.sentence * sentence
        fused = dense + w.words * _scaled(lexical) + w.concepts * _scaled(concepts) + w.title * title
        return np.asarray(fused, dtype=np.float64)

    def _titles(self, numbers: NDArray[np.int64], query: Iterable[str], start: int, stop: int) -> Floats:
        """How much of the question and of the title are the same words: idf(both)² / (idf(question) · idf(title))."""
        wanted = set(query)
        idf: dict[str, float] = {}

        def weight(words: Iterable[str]) -> float:
            total = 0.0
            for word in words:
                if word not in idf:
                    idf[word] = self.index.words.idf(word, start, stop)
                total += idf[word]
            return total

        whole = weight(wanted)
        match = np.zeros(len(numbers))
        for at, number in enumerate(numbers):
            title = set(self.index.words.title_stems(int(number)))
            shared = title & wanted
            if shared:
                match[at] = weight(shared) ** 2 / (whole * weight(title))
        return match

    def asks_like(self, vector: NDArray[np.float32], game: str | None, k: int = 10) -> list[AskHit]:
        """The phrasings nearest to the question, best first."""
        start, stop = self.index.range(game)
        rows, cosines = self.index.entries_like(vector, start, stop, ASK, k)
        found = []
        for (number, ordinal), cosine in zip(rows, cosines, strict=True):
            passage = self.index.passage(number)
            found.append(AskHit(passage.asks[ordinal], number, float(cosine), passage.kind))
        return found

    def nearest_elsewhere(self, vector: NDArray[np.float32], game: str) -> float:
        """The cosine of the nearest phrasing in any other game; 0 where the corpus has one game or is large."""
        others = [span for name, span in self.index.games.items() if name != game]
        if not others or len(self.index) > WHOLE:
            return 0.0
        best = 0.0
        for start, stop in others:
            _, cosines = self.index.entries_like(vector, start, stop, ASK, 1)
            best = max(best, float(cosines[0]) if len(cosines) else 0.0)
        return best

    def deciding(self, vector: NDArray[np.float32], hit: Hit) -> tuple[int, int]:
        """The sentence of a passage that is nearest to the question, as a span of its text."""
        spans = sentence_spans(hit.passage.text)
        if len(spans) < 2:
            return spans[0] if spans else (0, 0)
        rows, _ = self.index.entries_like(vector, hit.number, hit.number + 1, SENTENCE, 1)
        return spans[rows[0][1]] if rows else spans[0]

    def explain(self, hits: Iterable[Hit]) -> list[dict[str, Any]]:
        """The ranking as rows for people and machines."""
        return [{"passage": hit.passage.id, "score": hit.score, **hit.parts} for hit in hits]
