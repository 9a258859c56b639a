"""A clause is pinned to its passage's text; a change names the clause."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from kb.corpus import Corpus, load_corpus
from kb.engine.pins import load_pins, pin, stale_pins
from kb.errors import ExampleError


@pytest.fixture
def copy(toy: Corpus, tmp_path: Path) -> Corpus:
    shutil.copytree(toy.directory, tmp_path / "corpus")
    return load_corpus(tmp_path / "corpus")


def test_pins__of_the_toy_fit(toy: Corpus) -> None:
    assert stale_pins(toy.passages, toy.directory) == ()


def test_pins__name_the_clause_whose_passage_changed(copy: Corpus) -> None:
    changed = [
        replace(p, text=p.text.replace("1", "2")) if p.id == "toy/rules#charm" else p
        for p in copy.passages
        if p.id != "toy/rules#higher"
    ]
    stale = {each.clause: each for each in stale_pins(changed, copy.directory)}
    assert {clause: each.why for clause, each in stale.items()} == {
        "toy/rules#charm": "changed",
        "toy/rules#higher": "no passage",
    }
    assert str(stale["toy/rules#charm"]) == (
        "toy/rules#charm: the passage has changed since the clause was written; read it again, then `kb pin`"
        " (toy_rules.charm)"
    )


def test_pins__unpinned_and_left_over(copy: Corpus) -> None:
    file = copy.directory / "toy" / "pins.yaml"
    file.write_text(file.read_text().replace("rules#charm", "rules#amulet"))
    assert {each.clause: each.why for each in stale_pins(copy.passages, copy.directory)} == {
        "toy/rules#charm": "unpinned",
        "toy/rules#amulet": "no clause",
    }
    assert pin("toy", copy.passages, copy.directory) == ("toy/rules#amulet", "toy/rules#charm")
    assert stale_pins(copy.passages, copy.directory) == ()


def test_pin__only_the_clauses_named(copy: Corpus) -> None:
    changed = [replace(p, text=p.text + " More.") for p in copy.passages]
    assert pin("toy", changed, copy.directory, only=["toy/rules#charm"]) == ("toy/rules#charm",)
    assert "toy/rules#charm" not in {each.clause for each in stale_pins(changed, copy.directory)}
    assert "toy/rules#tie" in {each.clause for each in stale_pins(changed, copy.directory)}


def test_load_pins__refuses_a_pin_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "pins.yaml"
    file.write_text("toy/rules#charm: [1]")
    with pytest.raises(ExampleError, match="is no text"):
        load_pins(file)
