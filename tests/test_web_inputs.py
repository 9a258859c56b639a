"""What a form begins with, and what is left of it in an address."""

from __future__ import annotations

import pytest

from kb.corpus import load_corpus
from kb.engine import plugins
from kb.engine.examples import load_examples
from kb.engine.fields import BIGGEST, boolean, choice, die, integer, list_of, mapping, named, record, text, validate
from kb.engine.kernel import Procedure
from kb.web.inputs import (
    at,
    beginning,
    blank,
    known_names,
    label,
    names_at,
    put,
    span,
    variable,
    without_defaults,
)

CORPUS = load_corpus()
EVERY = list(plugins.procedures().values())
FIELDS = (
    record("attacker", integer("might", 0, low=0), die("roll", 12), boolean("big", False)),
    record("pet", integer("might", low=1), nullable=True, default=None),
    list_of(
        "models", record("model", text("name", unique=True), named("foe", None, among=("models.name",), nullable=True))
    ),
    mapping("hp", integer("hp", low=0), default={}),
    choice("form", ("magic", "bow")),
)


def test_blank__defaults_then_the_least_that_is_allowed() -> None:
    assert beginning(FIELDS) == {
        "attacker": {"might": 0, "roll": None, "big": False},
        "pet": None,
        "models": [],
        "hp": {},
        "form": "magic",
    }
    assert blank(integer("n", low=2, high=5)) == 2
    assert blank(integer("n", high=-3)) == -3


def test_beginning__fills_in_and_drops_what_does_not_fit() -> None:
    given = {"attacker": {"might": "<script>", "roll": 99}, "models": [{"name": "Orc"}], "form": "bow", "junk": 1}
    assert beginning(FIELDS, given) == {
        "attacker": {"might": 0, "roll": None, "big": False},
        "pet": None,
        "models": [{"name": "Orc", "foe": None}],
        "hp": {},
        "form": "bow",
    }


@pytest.mark.parametrize("procedure", EVERY, ids=lambda p: p.name)
def test_examples__come_through_the_form_unchanged(procedure: Procedure) -> None:
    """Whatever an example gives is what the form hands to the engine, and short enough forms mean the same."""
    corpus = CORPUS
    folder = corpus.directory / procedure.game / "examples"
    for example in load_examples([folder], corpus.by_id):
        if example.procedure != procedure.name or "error" in example.expect:
            continue
        whole = beginning(procedure.given, example.given)
        assert validate(procedure.given, whole) == validate(procedure.given, example.given), example.id
        short = without_defaults(procedure.given, whole)
        assert validate(procedure.given, short) == validate(procedure.given, example.given), example.id


def test_names__are_found_where_the_field_says() -> None:
    whole = {"models": [{"name": "Orc"}, {"name": "Elf"}, {"name": ""}], "target": {"name": "Bear"}}
    field = named("on", choices=("target",), among=("models.name", "target.name"))
    assert known_names(field, whole) == ["target", "Orc", "Elf", "Bear"]
    assert list(names_at(whole, "nothing.there")) == []


def test_span__all_of_few_values_and_a_stretch_of_many() -> None:
    assert span(die("roll", 12), 5) == list(range(1, 13))
    assert span(boolean("engaged", choices=("winner-chooses",)), True) == [False, True, "winner-chooses"]
    assert span(integer("might"), 2) == list(range(-4, 9))
    assert span(integer("might", low=0), 2) == list(range(13))
    assert span(integer("n", low=1, high=100), 50) == list(range(44, 57))
    assert span(integer("n", low=0), BIGGEST)[0] > 0


def test_put__copies_and_leaves_absent_records_alone() -> None:
    values = {"a": {"b": 1}, "c": None}
    assert put(values, "a.b", 2) == {"a": {"b": 2}, "c": None}
    assert values == {"a": {"b": 1}, "c": None}
    assert put(values, "c.b", 2) == values
    assert at(values, "a.b") == 1
    assert at(values, "c.b") is None


def test_label__names_the_unit() -> None:
    assert label(integer("loser_endurance")) == "Loser endurance"
    assert label(integer("distance", unit="hexes")) == "Distance (hexes)"
    assert label(integer("push_inches", unit="inches")) == "Push inches"


def test_variable__reaches_into_records() -> None:
    assert list(variable(FIELDS)) == ["attacker.might", "attacker.roll", "attacker.big", "pet.might", "form"]
