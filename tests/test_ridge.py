"""Yes or no by the answered phrasings of a passage: the sparse kernel against the plain one."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from kb import ridge
from kb.claims import asked_frame
from kb.passage import Ask
from kb.question import Question
from kb.ridge import FRAME, MEANING, RIDGE, WORDS, Leaning

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


@pytest.fixture
def leaning() -> Leaning:
    return Leaning(ASKS, units(len(ASKS)))


def units(rows: int, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((rows, 16)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def plain(text: str, vector: np.ndarray) -> float:
    """The same written as tables."""
    taught = [ask for ask in ASKS if ask.verdict]
    vectors = np.asarray(units(len(ASKS))[: len(taught)], dtype=np.float64)
    counts = Counter(piece for ask in taught for piece in ridge._pieces(ask.text))
    idf = {piece: math.log1p(len(taught) / count) for piece, count in counts.items()}

    def bag(of: str) -> np.ndarray:
        pieces = ridge._pieces(of)
        row = np.array([idf[piece] if piece in pieces else 0.0 for piece in idf])
        strange = len(pieces - idf.keys()) * max(idf.values()) ** 2
        return row / (math.sqrt(float((row**2).sum()) + strange) or 1.0)

    def kernel(vectors_of: np.ndarray, texts: list[str]) -> np.ndarray:
        frames = ridge._features([asked_frame(Question(each)) for each in texts])
        own = ridge._features([asked_frame(Question(ask.text)) for ask in taught])
        words = np.array([bag(each) for each in texts]) @ np.array([bag(ask.text) for ask in taught]).T
        turned = ((frames[:, None] - own[None]) ** 2).sum(axis=2)
        return np.exp(-MEANING * (2 - 2 * vectors_of @ vectors.T) - WORDS * (2 - 2 * words) - FRAME * turned)

    wanted = np.array([1.0 if ask.verdict == "yes" else -1.0 for ask in taught])
    learnt = kernel(vectors, [ask.text for ask in taught]) + RIDGE * np.eye(len(taught))
    return float(kernel(np.asarray(vector, dtype=np.float64)[None], [text])[0] @ np.linalg.solve(learnt, wanted))


@pytest.mark.parametrize("text", ["may he walk away", "am I stuck here", "zzqx", "", "must I leave the fight"])
def test_leaning__is_the_ridge_written_as_tables(leaning: Leaning, text: str) -> None:
    vector = units(1, seed=2)[0]
    assert leaning.to(Question(text), vector) == pytest.approx(plain(text, vector), abs=1e-9)


def test_leaning__says_what_a_phrasing_was_answered(leaning: Leaning) -> None:
    assert leaning.to(Question("may I walk away"), units(len(ASKS))[0]) > 0.3
    assert leaning.to(Question("am I stuck"), units(len(ASKS))[5]) < -0.3


def test_leaning__phrasings_of_one_answer_teach_nothing() -> None:
    assert Leaning(ASKS[:4] * 2, units(8)).to(Question("may I walk away"), units(1)[0]) == 0
