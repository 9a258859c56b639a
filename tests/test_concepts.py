"""Phrases of players and the concepts they say: numbers, what hides what, where a negation ends."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from kb import phrases
from kb.concepts import Lexicon, load_lexicon
from kb.errors import CorpusError

DISTANCES = {"near": ["<=1 inch", "half inch", "within inch"], "far": [">1 inch", "inch and half", "more than inch"]}


@pytest.mark.parametrize(
    "text", ["0.9 inches", '1" away', "half an inch", "1/2 inch", 'at .5"', "within an inch", "1in"]
)
def test_lexicon__numbers_up_to_the_limit(text: str) -> None:
    assert Lexicon(DISTANCES).tags(text) == {"near"}


@pytest.mark.parametrize("text", ["1.5 inches", '2" away', "two inches", "an inch and a half", "more than an inch"])
def test_lexicon__numbers_above_the_limit(text: str) -> None:
    assert Lexicon(DISTANCES).tags(text) == {"far"}


def test_lexicon__a_number_without_its_unit_says_nothing() -> None:
    assert not Lexicon(DISTANCES).tags("I rolled 2 in the exchange and he rolled 1")


def test_lexicon__only_named_concepts_hide_what_is_within() -> None:
    phrases = {"engaged": ["combat"], "free": ["out of combat"], "dice": ["roll in combat"]}
    lexicon = Lexicon({**phrases, "_hiding": ["free"]})
    assert lexicon.tags("am I out of combat") == {"free"}
    assert lexicon.tags("what do we roll in combat") == {"dice", "engaged"}


def test_lexicon__all_concepts_but_some_count_within_longer_phrases() -> None:
    phrases = {"push": ["push"], "two": ["push 2 inch"], "foe": ["orc"], "story": ["push the orc back"]}
    lexicon = Lexicon({**phrases, "_always": ["*", "-foe"]})
    assert lexicon.tags("push the orc back") == {"push", "story"}


def test_lexicon__a_negation_ends_where_a_condition_begins() -> None:
    lexicon = Lexicon({"fire": ["fire"], "engaged": ["engaged"]})
    assert lexicon.tags("no fire while engaged") == {"-fire", "engaged"}


def test_lexicon__forgetting_its_steps_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["push the orc back", "no push", "push 2 inches", "an orc", "push the orc away"] * 3
    lists = {"push": ["push", "push (him|her|) back"], "two": ["push 2 inch"], "story": ["push the orc back"]}
    expected = [Lexicon(lists).tags(text) for text in texts]
    monkeypatch.setattr(phrases, "MOST", 2)
    forgetful = Lexicon(lists)
    assert [forgetful.tags(text) for text in texts] == expected
    assert forgetful._phrases._steps <= 2


def test_lexicon__phrases_that_begin_alike_share_their_beginning() -> None:
    lexicon = Lexicon(
        {"a": ["walk to the old bridge"], "b": ["walk to the old tower"], "c": ["(walk|run) to old bridge"]}
    )
    assert lexicon.tags("walk to the old bridge") == {"a", "c"}
    assert lexicon.tags("walk to the old tower") == {"b"}
    assert lexicon.tags("run to the old bridge") == {"c"}
    root = lexicon._phrases._root
    assert sum(node.sole is root for node in root.next["walk"]) == 1


def test_lexicon__small_numbers_count_as_the_same_however_they_are_written() -> None:
    lexicon = Lexicon({"two": ["fights two"], "three": ["3 deeds"], "literal": ["=2 of them"], "far": [">2 inches"]})
    assert lexicon.tags("he fights 2") == lexicon.tags("he fights two") == {"two"}
    assert lexicon.tags("three deeds") == lexicon.tags("3 deeds") == {"three"}
    assert lexicon.tags("two of them") == {"literal"}
    assert lexicon.tags("3 inches") == lexicon.tags("three inches") == {"far"}
    assert lexicon.tags("two inches") == set()


def test_lexicon__phrases_wait_for_their_first_word() -> None:
    phrases = {
        "a": ["walk on", "(not|) run", "* on", "{tree} grows"],
        "tree": ["oak", "(old|) elm"],
        "far": [">1 inch"],
    }
    lexicon = Lexicon(phrases)
    assert lexicon.tags("sail away") == set()
    assert "walk" not in lexicon._phrases._root.next
    for text in ("walk on", "not run", "run", "sail on", "old elm grows", "elm grows", "oak grows"):
        assert "a" in lexicon.tags(text), text
    assert lexicon.tags("2 inches") == {"far"}
    assert not lexicon.tags("not sail")
    assert set(lexicon._phrases._waiting) == set()


def test_lexicon__threads_that_ask_at_once_find_all_in_place() -> None:
    phrases = {f"c{n}": [f"walk (to|on|) {'x' * n} {word}" for word in ("a1", "b2", "c3")] for n in range(1, 120)}
    for _ in range(5):
        lexicon, start = Lexicon(phrases), threading.Barrier(8)
        found: list[frozenset[str]] = []

        def look(lexicon: Lexicon = lexicon, start: threading.Barrier = start, found: list = found) -> None:
            start.wait()
            found.append(lexicon.tags(f"walk to {'x' * 119} c3"))

        threads = [threading.Thread(target=look) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [{"c119"}] * 8


@pytest.mark.parametrize("text", ['a: ["x {a}"]', 'a: ["x {b}"]\nb: ["y", "{c} z"]\nc: ["x {a}"]'])
def test_load__a_list_made_of_itself_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "concepts.yaml").write_text(text)
    with pytest.raises(CorpusError, match="made of itself"):
        load_lexicon(tmp_path / "concepts.yaml")
