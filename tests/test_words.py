"""The lexical index: what counts as a word, scores within a range, what a game owes to its neighbours (nothing)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.blobs import Memory
from kb.stemming import stem
from kb.words import STOP, Words, WordsWriter, stems, top, words

FIRST = ("An Engaged Character may only Assault or Stand.", "A Character has six Endurance.", "Nothing of note here.")
SECOND = ("Engaged engaged engaged models stay.", "The Ward of a Character, 2 inches away.")


def opened(*games: tuple[str, ...]) -> Words:
    files = Memory()
    writer = WordsWriter(files)
    for texts in games:
        writer.add_game(texts, [text.partition(" ")[0] for text in texts])
    writer.finish()
    return Words(files)


def test_words__possessives_digits_and_rule_numbers() -> None:
    assert words("The winner’s 2 dice (702.19b): don't re-roll!") == [
        "the", "winner", "2", "dice", "702.19b", "702", "19b", "don't", "re", "roll",
    ]  # fmt: skip


def test_stop__has_127_words_with_the_question_words() -> None:
    assert len(STOP) == 127
    assert {"what", "when", "can", "why"} <= STOP


def test_stems__drop_stop_words_and_keep_repetitions() -> None:
    assert stems("When engaged, are Engaged characters engaging?") == ["engag", "engag", "charact", "engag"]


def test_scores__are_bm25_worked_out_by_hand() -> None:
    index = opened(("red red blue", "blue green", "green green green green"))
    lengths = np.array([3, 2, 4])
    idf = np.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    tf = np.array([2, 0, 0])
    expected = idf * tf / (tf + 1.5 * (1 - 0.75 + 0.75 * lengths / lengths.mean()))
    np.testing.assert_allclose(index.scores(["red"]), expected, rtol=1e-5)
    np.testing.assert_allclose(index.scores(["red", "red"]), 2 * expected, rtol=1e-5)


def test_scores__of_a_game_are_the_same_with_other_games_beside_it() -> None:
    alone, beside = opened(SECOND), opened(FIRST, SECOND)
    query = stems("engaged character ward")
    np.testing.assert_allclose(alone.scores(query), beside.scores(query, 3, 5), rtol=1e-6)
    assert alone.idf("engag") == pytest.approx(beside.idf("engag", 3, 5))
    assert beside.idf("engag") != pytest.approx(beside.idf("engag", 3, 5))


def test_search__stays_in_its_range_and_leaves_out_what_shares_no_word() -> None:
    index = opened(FIRST, SECOND)
    numbers, scores = index.search(stems("engaged character"), 10, 0, 3)
    assert numbers.tolist() == [0, 1]
    assert scores[0] > scores[1] > 0
    assert (
        index.search(stems("engaged character"), 10)[0].tolist()
        == sorted(range(5), key=lambda n: -index.scores(stems("engaged character"))[n])[
            : np.count_nonzero(index.scores(stems("engaged character")))
        ]
    )


def test_search__unknown_words_find_nothing() -> None:
    numbers, scores = opened(FIRST).search(["zyzzyva"], 5)
    assert len(numbers) == len(scores) == 0


def test_search__empty_game_and_empty_texts() -> None:
    index = opened((), ("", "of the"), FIRST)
    assert index.search(stems("endurance"), 5)[0].tolist() == [3]
    assert index.search(stems("endurance"), 5, 0, 2)[0].tolist() == []


def test_top__ties_come_in_order_and_zeros_never() -> None:
    assert top(np.array([0, 2, 1, 2, 2], dtype=np.float32), 2).tolist() == [1, 3]
    assert top(np.array([0, 2, 1, 0], dtype=np.float32), 10).tolist() == [1, 2]


def test_surface__counts_passages_per_written_word() -> None:
    surface = opened(FIRST, SECOND).surface
    assert surface["engaged"] == 2
    assert surface["character"] == 3
    assert "may" in surface
    assert "only" not in surface


def test_title_stems__are_those_of_the_passage() -> None:
    index = opened(("Charging models", "of it"), ("Towers stand",))
    assert [index.title_stems(n) for n in range(3)] == [("charg",), (), ("tower",)]


def test_merge__in_small_steps_gives_the_same_postings(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = opened(FIRST, SECOND, FIRST)
    monkeypatch.setattr("kb.words.MERGED_AT_ONCE", 2)
    stepwise = opened(FIRST, SECOND, FIRST)
    for word in whole.vocabulary:
        np.testing.assert_array_equal(whole.scores([word]), stepwise.scores([word]))


def test_stem__snowball_english() -> None:
    assert [stem(word) for word in ("assaulting", "assaults", "dice")] == ["assault", "assault", "dice"]


@given(st.text(max_size=300))
def test_words__any_text_gives_plain_words(text: str) -> None:
    for word in words(text):
        assert word
        assert not any(letter.isspace() or letter == "_" for letter in word)


@given(
    st.lists(st.lists(st.sampled_from("axe bow cup dig elm".split()), max_size=6).map(" ".join), min_size=1, max_size=8)
)
def test_scores__a_range_scores_as_if_it_stood_alone(texts: list[str]) -> None:
    query = stems("axe bow bow elm")
    beside = opened(tuple(FIRST), tuple(texts), tuple(SECOND))
    alone = opened(tuple(texts))
    start, stop = len(FIRST), len(FIRST) + len(texts)
    np.testing.assert_allclose(beside.scores(query, start, stop), alone.scores(query), rtol=1e-5)
    numbers, _ = beside.search(query, 3, start, stop)
    assert all(start <= number < stop for number in numbers)


def test_stems__a_list_of_ones_own_each_time() -> None:
    stems("walking archers").append("changed")
    assert stems("walking archers") == ["walk", "archer"]


def test_stems__short_and_long_texts_alike() -> None:
    text = "Walking archers, the tower's guards: "
    assert stems(text * 20) == stems(text) * 20
