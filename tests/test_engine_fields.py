"""Input is held against its fields; what does not fit is refused with its path, its value and what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from kb.engine import fields as f
from kb.errors import ExampleError

FIELDS = (
    f.record("attacker", f.integer("might", 0, low=0), f.die("roll", 12)),
    f.boolean("charged", False),
    f.choice("form", ("magic", "defensive"), None, nullable=True),
    f.list_of("models", f.record("", f.named("name", unique=True), f.number("x", 0)), default=(), high=3),
    f.list_of("seen", f.named("", among=("models.name",), choices=("nobody",)), default=()),
    f.mapping("left", f.integer("", low=0), default={}),
)
GOOD = {"attacker": {"might": 2, "roll": 12}}


def test_validate__fills_defaults_and_copies() -> None:
    given: dict[str, Any] = {"attacker": {}, "models": [{"name": "Ann"}]}
    clean = f.validate(FIELDS, given)
    assert clean == {
        "attacker": {"might": 0, "roll": None},
        "charged": False,
        "form": None,
        "models": [{"name": "Ann", "x": 0}],
        "seen": [],
        "left": {},
    }
    clean["models"][0]["name"] = "Bo"
    assert given["models"][0]["name"] == "Ann"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"attacker": {"roll": 13}}, "attacker.roll: 13 is not allowed. Allowed: a whole number, 1 to 12, or null."),
        ({"attacker": {"roll": 0}}, "attacker.roll: 0 is not allowed"),
        ({"attacker": {"might": -1}}, "attacker.might: -1 is not allowed. Allowed: a whole number, 0 or more."),
        ({"attacker": {"might": True}}, "attacker.might: true is not allowed"),
        ({"attacker": {"might": "3"}}, 'attacker.might: "3" is not allowed'),
        ({"attacker": {"might": 2.0}}, "attacker.might: 2.0 is not allowed"),
        ({"attacker": {"migt": 2}}, 'attacker.migt: unknown key "migt". Perhaps "might" is meant'),
        ({"attacker": {"might": 10**400}}, "is too large. 1,000,000 at most."),
        ({"attacker": [1]}, "attacker: [1] is not a mapping"),
        ({"charged": 1}, "charged: 1 is not allowed. Allowed: true or false."),
        ({"charged": None}, "charged: null is not allowed"),
        ({"form": "magick"}, 'form: "magick" is not allowed. Allowed: one of magic, defensive, or null.'),
        ({"form": ["magic"]}, 'form: ["magic"] is not allowed'),
        ({"models": {"name": "Ann"}}, "is not a list"),
        ({"models": [{"name": ""}]}, 'models[0].name: "" is not allowed'),
        ({"models": [{"name": "Ann", "x": float("nan")}]}, "models[0].x: NaN is not allowed"),
        ({"models": [{"name": "Ann"}, {"name": "Ann"}]}, 'models[1].name: "Ann" stands twice'),
        ({"models": [{"name": n} for n in "abcd"]}, "models: 4 entries are not allowed"),
        ({"models": [{"name": "Ann"}], "seen": ["Anne"]}, 'seen[0]: "Anne" is not there. Perhaps "Ann" is meant'),
        ({"left": {"Ann": -1}}, "left.Ann: -1 is not allowed"),
        ({"left": {1: 1}}, "left: 1 is not a name"),
        ({"chraged": True}, 'chraged: unknown key "chraged". Perhaps "charged" is meant'),
    ],
)
def test_validate__refuses(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ExampleError) as refused:
        f.validate(FIELDS, {**GOOD, **change})
    assert message in str(refused.value)


def test_validate__names_a_required_field_that_is_missing() -> None:
    with pytest.raises(ExampleError, match=r"attacker: missing\. It is required"):
        f.validate(FIELDS, {})


def test_validate__a_name_may_be_one_of_the_fixed_ones() -> None:
    assert f.validate(FIELDS, {**GOOD, "seen": ["nobody"]})["seen"] == ["nobody"]


@pytest.mark.parametrize("given", [None, [], "attacker", 3])
def test_validate__refuses_what_is_no_mapping(given: Any) -> None:
    with pytest.raises(ExampleError, match=r"the input: .* is not a mapping"):
        f.validate(FIELDS, given)


def test_boolean__may_have_words_besides() -> None:
    field = (f.boolean("engaged_after", choices=("winner-chooses",)),)
    assert f.validate(field, {"engaged_after": "winner-chooses"}) == {"engaged_after": "winner-chooses"}
    with pytest.raises(ExampleError, match="true or false or winner-chooses"):
        f.validate(field, {"engaged_after": "true"})
