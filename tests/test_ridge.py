"""Yes or no by the answered phrasings of a passage: the sparse kernel against the plain one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence, Set

import numpy as np
import pytest

from kb import ridge
from kb.blobs import Memory
from kb.concepts import Lexicon
from kb.framing import asked_frame
from kb.passage import Ask
from kb.question import Question
from kb.ridge import CONCEPTS, FRAME, MEANING, RIDGE, WORDS, Answered, Leanings, LeaningWriter

ASKS = [
    Ask(text, verdict, None)
    for text, verdict in (
        ("may I walk away", "yes"),
        ("can he leave the fight", "yes"),
        ("is walking off allowed", "yes"),
        ("am I free to go", "yes"),
        ("must I stay", "no"),
        ("am I stuck", "no"),
        ("is it forbidden to leave", "no"),
        ("who goes first", None),
    )
]


LEXICON = Lexicon({"leave": ["walk away", "walk off", "leave", "go"], "held": ["stuck", "stay"], "first": ["first"]})


class Learned:
    """Phrasings learned from, through the files of an index."""

    def __init__(self, asks: Sequence[Ask], vectors: np.ndarray) -> None:
        files = Memory()
        writer = LeaningWriter(files)
        answered = [Answered(a.text, a.verdict, LEXICON.tags(a.text), n) for n, a in enumerate(asks) if a.verdict]
        for passage in ([], answered, answered[:1]):
            writer.add_passage(passage, vectors)
        writer.finish()
        self.all, self.vectors = Leanings(files), vectors

    def to(self, text: str, vector: np.ndarray) -> float:
        leaning = self.all.of(1)
        assert leaning is not None
        return leaning.to(Question(text), LEXICON.tags(text), vector, self.vectors)


@pytest.fixture
def leaning() -> Learned:
    return Learned(ASKS, units(len(ASKS)))


def units(rows: int, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((rows, 16)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def plain(text: str, vector: np.ndarray) -> float:
    """The same written as tables."""
    taught = [ask for ask in ASKS if ask.verdict]
    vectors = np.asarray(units(len(ASKS))[: len(taught)], dtype=np.float64)
    frames = ridge._features([asked_frame(Question(ask.text)) for ask in taught])

    def cosines(of: str, bag: Callable[[str], Set[str]]) -> np.ndarray:
        counts = Counter(piece for ask in taught for piece in bag(ask.text))
        idf = {piece: math.log1p(len(taught) / count) for piece, count in counts.items()}

        def row(text: str) -> np.ndarray:
            pieces = bag(text)
            known = np.array([idf[piece] if piece in pieces else 0.0 for piece in idf])
            strange = len(pieces - idf.keys()) * max(idf.values()) ** 2
            return known / (math.sqrt(float((known**2).sum()) + strange) or 1.0)

        return np.array([row(of) @ row(ask.text) for ask in taught])

    def kernel(vector_of: np.ndarray, of: str) -> np.ndarray:
        turned = ((ridge._features([asked_frame(Question(of))]) - frames) ** 2).sum(axis=1)
        apart = MEANING * (2 - 2 * vectors @ vector_of) + WORDS * (2 - 2 * cosines(of, ridge._pieces))
        return np.exp(-apart - CONCEPTS * (2 - 2 * cosines(of, LEXICON.tags)) - FRAME * turned)

    wanted = np.array([1.0 if ask.verdict == "yes" else -1.0 for ask in taught])
    learnt = np.array([kernel(row, ask.text) for row, ask in zip(vectors, taught, strict=True)])
    np.fill_diagonal(learnt, 1.0)  # a text without concepts is as near to itself as any
    weights = np.linalg.solve(learnt + RIDGE * np.eye(len(taught)), wanted)
    return float(kernel(np.asarray(vector, dtype=np.float64), text) @ weights)


@pytest.mark.parametrize("text", ["may he walk away", "am I stuck here", "zzqx", "", "must I leave the fight"])
def test_leaning__is_the_ridge_written_as_tables(leaning: Learned, text: str) -> None:
    vector = units(1, seed=2)[0]
    assert leaning.to(text, vector) == pytest.approx(plain(text, vector), abs=1e-6)


def test_leaning__says_what_a_phrasing_was_answered(leaning: Learned) -> None:
    assert leaning.to("may I walk away", units(len(ASKS))[0]) > 0.3
    assert leaning.to("am I stuck", units(len(ASKS))[5]) < -0.3


def test_leaning__phrasings_of_one_answer_teach_nothing() -> None:
    assert Learned(ASKS[:4] * 2, units(8)).all.of(1) is None


def test_leaning__passages_without_answers_teach_nothing(leaning: Learned) -> None:
    assert leaning.all.of(0) is None
    assert leaning.all.of(2) is None


def test_leaning__concepts_tell_where_words_and_vectors_do_not() -> None:
    same = np.repeat(units(1), 8, axis=0)
    asks = [Ask(f"may it {how} here", "yes", None) for how in ("go", "leave", "walk off", "walk away")]
    asks += [Ask(f"may it {how} here", "no", None) for how in ("stay", "be stuck", "first stay", "first be stuck")]
    leaning = Learned(asks, same)
    assert leaning.to("may it not be stuck", same[0]) < leaning.to("may it not leave", same[0])
