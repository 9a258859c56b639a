"""A question becomes a ranked list of passages.

The stages, in order: spell, encode, gather candidates, score each by its vectors and its words, put together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.concepts import Lexicon
from kb.index import ABSENT, KINDS, Document, Index
from kb.passage import Ask, Passage
from kb.question import Question
from kb.sentences import sentence_spans
from kb.words import stems, top

NUMBER = re.compile(
    r"(?<!\bpage )(?<!\bstep )(?<!\brule )(?<!\d)\d|"
    r"(?<!\bthe )\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half)\s+\w",
    re.I,
)
"What tells an amount in a passage; `one` stands for somebody as often."
ABOUT = 0.2
"Of two sentences of a passage that are this far apart in cosine, the farther may still be what is asked for."
TEXT, ASK, SENTENCE = (KINDS.index(kind) for kind in ("text", "ask", "sentence"))
CANDIDATES = 100
"Passages taken from each of the two searches in a range too large to score whole."
WHOLE = 1000
"Up to this many passages a range is scored whole."
ELSEWHERE = 4000
"Up to this many passages in all, other games' are looked at."
SPREADING = 50
"The best passages, whose scores their kin and what they refer to share in."
LONG = 600
"Characters above which a question is a story, maybe longer than the encoder reads."
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth. `benchmarks/fusion.py` shows what was tried for PLAIN."""

    ask: float
    "Nearest phrasing of the question that the corpus has for the passage; at 0 a phrasing counts as text."
    text: float
    sentence: float
    words: float
    "BM25 of the question's words, scaled to 0..1 among the candidates."
    concepts: float
    "BM25 of the question's concepts, scaled likewise."
    title: float
    taught: float = 0.0
    "What the game's phrasings, weighed against each other, say."
    title_numbers: bool = True
    "Whether a number in a title counts (`702.19. Trample`)."
    kin: float = 0.0
    "Share of the score of the passage before and after, where they stand under the same heading or point."
    referred: float = 0.0
    "Share of the highest score of a passage that refers to it."


WITH_ASKS = Weights(ask=0.48, text=0.01, sentence=0, words=0.11, concepts=0.13, title=0.02, taught=0.25)
"Fitted on questions to games whose passages have players' phrasings."
PLAIN = Weights(
    ask=0, text=0.46, sentence=0.15, words=0.15, concepts=0, title=0.23, title_numbers=False, kin=0.07, referred=0.2
)
"For games without them, as documents are imported."


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
    found = Document(passage, tuple(entries), words)
    return found if lexicon is None else replace(found, concepts=lexicon.tokens, tags=lexicon.tags)


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """BM25 scores as shares of the highest."""
    highest = float(scores.max()) if len(scores) else 0.0
    return scores / np.float32(highest) if highest > 0 else scores


def _fuse(
    w: Weights,
    cosines: NDArray[np.float32],
    lexical: NDArray[np.float32],
    concepts: NDArray[np.float32],
    title: Floats,
    taught: NDArray[np.float32],
) -> Floats:
    text = np.maximum(cosines[:, TEXT], 0)
    sentence = np.where(cosines[:, SENTENCE] == ABSENT, text, np.maximum(cosines[:, SENTENCE], 0))
    ask = np.where(cosines[:, ASK] == ABSENT, np.maximum(text, sentence), np.maximum(cosines[:, ASK], 0))
    if not w.ask:
        text = np.maximum(text, cosines[:, ASK])
    dense = w.ask * ask + w.text * text + w.sentence * sentence
    fused = dense + w.words * _scaled(lexical) + w.concepts * _scaled(concepts) + w.title * title + w.taught * taught
    return np.asarray(fused, dtype=np.float64)


Links = Callable[[int], tuple[int, ...]]


def _spread(w: Weights, numbers: NDArray[np.int64], scores: Floats, kin: Links, referred: Links) -> Floats:
    """The scores, with what the best passages hand on to their kin and to what they refer to."""
    if not w.kin and not w.referred:
        return scores
    at = {int(number): i for i, number in enumerate(numbers)}
    from_kin, from_referring = np.zeros_like(scores), np.zeros_like(scores)
    for i in np.argsort(-scores, kind="stable")[:SPREADING]:
        number = int(numbers[i])
        for other in kin(number):
            if other in at:
                from_kin[at[other]] += scores[i]
        for other in referred(number):
            if other in at:
                from_referring[at[other]] = max(from_referring[at[other]], scores[i])
    return np.asarray((scores + w.kin * from_kin + w.referred * from_referring) / (1 + 2 * w.kin + w.referred))


def _are_kin(one: Passage, other: Passage) -> bool:
    if (one.game, one.page) != (other.game, other.page):
        return False
    below = one.parent is not None and one.parent in (other.parent, other.id)
    return below or other.parent == one.id or (one.path, one.title) == (other.path, other.title)


class Retriever:
    """Searches an opened index. Safe to share between threads."""

    def __init__(self, index: Index, weights: Weights | None = None) -> None:
        """`weights` for every game; without them each game's own kind decides."""
        self.index = index
        self.weights = weights
        self._kin = lru_cache(maxsize=65536)(self._kin_of)
        self._referred = lru_cache(maxsize=65536)(self._referred_by)
        self._title = lru_cache(maxsize=65536)(self._title_words)
        self._sentences = lru_cache(maxsize=4096)(self._sentence_spans)

    def encode(self, question: Question) -> NDArray[np.float32]:
        """The question's unit vector. The asking clause of a long story, which the encoder may read to no end, counts
        as much as the story."""
        vector = self.index.encoder.encode_query(question.text.strip()[:4000])
        if len(question.text) <= LONG:
            return vector
        both = vector + self.index.encoder.encode_query(question.core[:4000])
        return np.asarray(both / np.linalg.norm(both), dtype=np.float32)

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
        concepts = taught = np.zeros(len(numbers), dtype=np.float32)
        named = [] if lexicon is None else lexicon.tokens(question.text[:4000])
        if named:
            concepts = self.index.words.scores(named, start, stop)[numbers - start]
        weights = self.weights or self._weights(start, stop)
        if weights.taught and (said := self.index.taught(vector, query, named, start, stop)) is not None:
            taught = said[numbers - start]
        title = self._titles(numbers, query, start, stop, weights.title_numbers)
        fused = _fuse(weights, cosines, lexical, concepts, title, taught)
        scores = _spread(weights, numbers, fused, self._kin, self._referred)
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
                    "taught": float(taught[at]),
                },
            )
            for at in best
        ]

    def _candidates(
        self, vector: NDArray[np.float32], query: Iterable[str], start: int, stop: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """(numbers, cosines by kind, BM25) of the passages worth scoring."""
        scores = self.index.words.scores(query, start, stop)
        if stop - start <= WHOLE:
            numbers = np.arange(start, stop, dtype=np.int64)
            return numbers, self.index.cosines_in(vector, start, stop), scores
        near, _ = self.index.nearest(vector, CANDIDATES, start, stop)
        numbers = np.union1d(near, top(scores, CANDIDATES) + start)
        return numbers, self.index.cosines(vector, numbers), scores[numbers - start]

    def _weights(self, start: int, stop: int) -> Weights:
        """WITH_ASKS where there are as many phrasings as passages."""
        first, last = self.index.kinds[ASK].rows(start, stop)
        return WITH_ASKS if last - first >= stop - start else PLAIN

    def _kin_of(self, number: int) -> tuple[int, ...]:
        """The passages before and after that stand under the same heading, or are its point or of the same point."""
        passage = self.index.passage(number)
        beside = [n for n in (number - 1, number + 1) if 0 <= n < len(self.index)]
        return tuple(n for n in beside if _are_kin(passage, self.index.passage(n)))

    def _referred_by(self, number: int) -> tuple[int, ...]:
        """The passages of its game that a passage refers to."""
        passage = self.index.passage(number)
        found = (self.index.number(id_) for id_ in passage.see if id_.startswith(f"{passage.game}/"))
        return tuple({n for n in found if n is not None and n != number})

    def _titles(
        self, numbers: NDArray[np.int64], query: Iterable[str], start: int, stop: int, with_numbers: bool
    ) -> Floats:
        """How much of the question and of the title are the same words: idf(both)² / (idf(question) · idf(title))."""
        wanted = frozenset(query)

        def weight(words: Iterable[str]) -> float:
            return sum(self.index.words.idf(word, start, stop) for word in words)

        whole = weight(wanted)
        match = np.zeros(len(numbers))
        for at, number in enumerate(numbers.tolist()):
            title = self._title(number, with_numbers)
            if not wanted.isdisjoint(title):
                match[at] = weight(wanted & title) ** 2 / (whole * weight(title))
        return match

    def _title_words(self, number: int, with_numbers: bool) -> frozenset[str]:
        """The stems of a passage's title."""
        words = self.index.words.title_stems(number)
        return frozenset(word for word in words if with_numbers or not word[0].isdigit())

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
        """The cosine of the nearest passage's text in any other game; 0 where the corpus has one game or is large.

        Not of their phrasings: those of all games are 50 MB, which drive everything else out of the processor's cache.
        """
        others = [span for name, span in self.index.games.items() if name != game]
        if not others or len(self.index) > ELSEWHERE:
            return 0.0
        best = 0.0
        for start, stop in others:
            _, cosines = self.index.entries_like(vector, start, stop, TEXT, 1)
            best = max(best, float(cosines[0]) if len(cosines) else 0.0)
        return best

    def deciding(self, question: Question, vector: NDArray[np.float32], hit: Hit) -> tuple[int, int]:
        """The sentence of a passage that is nearest to the question, as a span of its text.

        Where an amount is asked for it is the nearest of those that tell one, if one is about as near.
        """
        spans = self._sentences(hit.number)
        if len(spans) < 2:
            return spans[0] if spans else (0, 0)
        count = len(spans) if question.asks_amount else 1
        rows, cosines = self.index.entries_like(vector, hit.number, hit.number + 1, SENTENCE, count)
        near = [spans[place] for (_, place), cosine in zip(rows, cosines, strict=True) if cosine >= cosines[0] - ABOUT]
        nearest = near[0] if near else spans[0]
        if not question.asks_amount:
            return nearest
        return next((span for span in near if NUMBER.search(hit.passage.text[slice(*span)])), nearest)

    def _sentence_spans(self, number: int) -> list[tuple[int, int]]:
        return sentence_spans(self.index.passage(number).text)

    def explain(self, hits: Iterable[Hit]) -> list[dict[str, Any]]:
        """The ranking as rows for people and machines."""
        return [{"passage": hit.passage.id, "score": hit.score, **hit.parts} for hit in hits]
