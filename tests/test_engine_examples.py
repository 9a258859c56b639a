"""Files of worked examples: read with their lines, refused with the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.engine import documents
from kb.engine.examples import load_examples
from kb.errors import ExampleError, KBError

GOOD = """\
- id: one
  title: "One"
  procedure: toy.throw
  given: {you: {roll: 5}, they: {roll: 4}}
  expect: {winner: you}
  bears_out: [toy/rules#higher]
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "more.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_load__keeps_file_and_line(toy: Corpus, tmp_path: Path) -> None:
    file = write(tmp_path, GOOD + GOOD.replace("id: one", "id: two"))
    first, second = load_examples([tmp_path], toy.by_id)
    assert (first.id, first.game, first.origin, first.line) == ("one", "toy", "own", 1)
    assert (second.file, second.line) == (str(file), 7)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("expect:", "expct:", 'unknown key "expct". Perhaps "expect" is meant'),
        ("winner:", "winer:", 'expect: unknown key "winer". Perhaps "winner" is meant'),
        ("winner: you", "status: legl", 'expect: status "legl". Perhaps "legal" is meant'),
        ("{winner: you}", "{}", "expect is empty, so nothing is tested"),
        ("{winner: you}", "{winner: you, error: x}", "error stands alone"),
        ("{winner: you}", "{forbidden_by: toy/rules#turn}", 'Perhaps "toy/rules#turns" is meant'),
        ("toy.throw", "toy.thro", 'there is no procedure "toy.thro". Perhaps "toy.throw" is meant'),
        ("toy.throw", "tay.throw", 'there is no procedure "tay.throw"'),
        ("rules#higher", "rules#highr", 'bears_out: there is no passage "toy/rules#highr". Perhaps "toy/rules#higher"'),
        ("bears_out: [", "from: nowhere\n  bears_out: [", 'from is "nowhere"'),
        ("id: one", "id: 1", "id is missing or no text"),
        ("given: {", "given: [] # {", "given is missing or no mapping"),
        ("roll: 5", "roll: 5, roll: 5", '"roll" is given twice'),
        ("roll: 5", "roll: [5", "not valid YAML"),
    ],
)
def test_load__refuses(toy: Corpus, tmp_path: Path, old: str, new: str, message: str) -> None:
    file = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ExampleError) as refused:
        load_examples([file], toy.by_id)
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{file}:")
    assert refused.value.line is not None


def test_load__an_id_stands_once_in_a_game(toy: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ExampleError, match='the id "one" stands twice'):
        load_examples([write(tmp_path, GOOD + GOOD)], toy.by_id)


@pytest.mark.parametrize("text", ["id: one", "- one", "3"])
def test_load__refuses_what_is_no_list_of_examples(toy: Corpus, tmp_path: Path, text: str) -> None:
    with pytest.raises(ExampleError, match="Begin each one with"):
        load_examples([write(tmp_path, text)], toy.by_id)


def test_load__names_a_path_that_is_not_there(toy: Corpus, tmp_path: Path) -> None:
    with pytest.raises(KBError, match="there is no file or folder"):
        load_examples([tmp_path / "nowhere"], toy.by_id)


def test_parse__plain_words_stay_words() -> None:
    assert documents.parse("{on: engaged, a: yes, b: no, c: 010, d: 1:30, e: 2026-03-28}", None) == {
        "on": "engaged", "a": "yes", "b": "no", "c": "010", "d": "1:30", "e": "2026-03-28",
    }  # fmt: skip
    assert documents.parse("{a: true, b: null, c: -3, d: 1.5}", None) == {"a": True, "b": None, "c": -3, "d": 1.5}


@pytest.mark.parametrize(
    "text", ["!!python/object/apply:os.getcwd []", "a: &x [*x]", "a: *b", '{"a": 1, "a": 2}', "\0"]
)
def test_parse__unsafe_or_broken_text_is_one_clear_error(text: str) -> None:
    with pytest.raises(ExampleError, match="not valid YAML"):
        documents.parse(text, "given.yaml")


def test_parse__reads_json_with_tabs() -> None:
    assert documents.parse('{\n\t"a": [1, true, null]\n}', None) == {"a": [1, True, None]}
