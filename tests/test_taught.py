"""Which passage a question is about, learned from phrasings."""

from __future__ import annotations

import numpy as np
import pytest
from index_documents import document

from kb.blobs import Memory
from kb.build import build
from kb.taught import Phrasing, Taught, TaughtWriter
from kb.words import stems

DIM = 8
TEXTS = ("how far does a pike reach", "what is the reach of a pike", "is a pike longer than a sword")
OTHERS = ("how far does a knight move", "what is the move of a knight", "is a knight faster than a squire")


def units(rows: int, seed: int) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((rows, DIM)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def phrasings(concepts: bool = False) -> list[Phrasing]:
    said = [(("cxpikeq",), ("cxknightq",)) if concepts else ((), ())]
    pairs = [(TEXTS, 0, said[0][0]), (OTHERS, 1, said[0][1])]
    return [Phrasing(text, concept, at) for texts, at, concept in pairs for text in texts]


def taught(*games: tuple[list[Phrasing], np.ndarray, int]) -> Taught:
    files = Memory()
    writer = TaughtWriter(files)
    for game in games:
        writer.add_game(*game)
    writer.finish()
    return Taught(files, DIM)


def test_scores__the_passage_whose_phrasings_have_the_words() -> None:
    same = np.repeat(units(1, 0), 6, axis=0)  # the vectors tell nothing
    learned = taught((phrasings(), same, 2))
    for text, best in (("pike reach far", 0), ("a knight that wants to move far", 1)):
        scores = learned.scores(0, 2, same[0], stems(text), ())
        assert scores is not None
        assert scores.argmax() == best


def test_scores__vectors_and_concepts_tell_without_words() -> None:
    vectors = units(6, 1)
    learned = taught((phrasings(concepts=True), vectors, 2))
    assert learned.scores(0, 2, vectors[4], (), ()).argmax() == 1  # type: ignore[union-attr]
    middle = (vectors[:3].mean(axis=0) + vectors[3:].mean(axis=0)) / 2
    pike = learned.scores(0, 2, middle, (), ("cxpikeq",))
    knight = learned.scores(0, 2, middle, (), ("cxknightq",))
    assert pike[0] - pike[1] > knight[0] - knight[1]  # type: ignore[index]


def test_scores__a_game_says_the_same_whatever_stands_beside_it() -> None:
    vectors = units(6, 2)
    game = (phrasings(), vectors, 2)
    few = ([Phrasing("who begins", (), 1)], units(1, 3), 3)
    alone, between = taught(game), taught(few, game, few)
    wanted = alone.scores(0, 2, vectors[0], stems(TEXTS[0]), ())
    assert np.array_equal(between.scores(1, 2, vectors[0], stems(TEXTS[0]), ()), wanted)
    assert between.scores(0, 3, vectors[0], stems(TEXTS[0]), ()) is None


@pytest.mark.parametrize("words", [(), ("zzqx",), ("pike", "pike", "pike")])
def test_scores__strange_words_and_repeated_ones_do_no_harm(words: tuple[str, ...]) -> None:
    vectors = units(6, 4)
    learned = taught((phrasings(), vectors, 2))
    plain = learned.scores(0, 2, vectors[0], dict.fromkeys(words), ())
    assert np.array_equal(learned.scores(0, 2, vectors[0], words, ()), plain)
    assert np.isfinite(plain).all()  # type: ignore[arg-type]


def test_build__names_a_game_with_more_phrasings_than_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.writer.MOST", 2)
    asked = [(f"what of {word}", f"and {word}", f"{word}, how") for word in ("pike", "knight")]
    made = [document("alpha", i, f"Rule {i}", f"Text {i}.", asks) for i, asks in enumerate(asked)]
    made += [document("beta", i, f"Rule {i}", f"Text {i}.", asks[:1]) for i, asks in enumerate(asked)]
    assert build("digest", lambda: made, None).manifest["unlearned"] == ["alpha"]
