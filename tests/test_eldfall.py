"""Eldfall Chronicles: every declaration and every pair of models held against the rules written down once more."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kb.engine.eldfall import DECLARE, ENDS, ENGAGEMENT, REACT, RECOVERY
from kb.engine.kernel import Rules, Verdict, run
from kb.errors import ExampleError

AS_AMENDED = Rules()


def declare(**given: Any) -> Verdict:
    return run(DECLARE, given, AS_AMENDED)


# Declarations


def expected(given: dict[str, Any]) -> bool:
    """Whether the passages leave a declaration legal, in other words than the clauses."""
    engagers = given["engaged_by"]
    if not engagers:
        return True
    if given["via"] == "hit-and-retreat" and given["declares"] == "walk":
        return False
    if given["via"] == "enchantment" and given["on_self"]:
        return True
    if given["role"] == "active" and given["step"] == "movement":
        straight = given["directly"] and given["towards"] in engagers
        return given["declares"] == "idle" or (given["declares"] == "walk" and straight)
    return given["declares"] in ("melee-attack", "dodge") or (given["declares"] == "assist" and given["on_self"])


@pytest.mark.parametrize("engaged_by", [[], ["a"], ["a", "b"]])
@pytest.mark.parametrize("via", [None, "hit-and-retreat", "enchantment"])
def test_declare__every_combination(engaged_by: list[str], via: str | None) -> None:
    declarations = ("idle", "walk", "melee-attack", "ranged-attack", "assist", "dodge", "spell", "jump")
    for role, step, declares, towards, on_self, directly in product(
        ("active", "reactive"),
        ("movement", "action"),
        declarations,
        ("a", "b", "c", None),
        (True, False),
        (True, False),
    ):
        given = {
            "engaged_by": engaged_by,
            "via": via,
            "role": role,
            "step": step,
            "declares": declares,
            "towards": towards,
            "on_self": on_self,
            "directly": directly,
        }
        verdict = declare(**given)
        assert (verdict.status == "legal") is expected(given), given
        assert (verdict.forbidden_by is None) is (verdict.status == "legal")


@pytest.mark.parametrize("word", ["Melee Attack", "melee_attack", " melee  attack", "MELEE-ATTACK"])
def test_declare__names_are_read_however_they_are_written(word: str) -> None:
    assert declare(engaged_by=["a"], declares=word).status == "legal"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("attack", "melee-attack"),
        ("unarmed", "unarmed-attack"),
        ("spells", "spell"),
        ("walk-away", "walk"),
        ("asist", "assist"),
        ("melee", "melee-attack"),
    ],
)
def test_declare__what_is_nearly_a_declaration_is_refused(word: str, meant: str) -> None:
    with pytest.raises(ExampleError, match=f'declares: "{word}" .*Perhaps "{meant}" is meant'):
        declare(engaged_by=["a"], declares=word)


@pytest.mark.parametrize("word", ["cast-spell", "run", "hide", "use item", "ranged"])
def test_declare__any_other_name_is_none_of_the_three(word: str) -> None:
    assert declare(engaged_by=["a"], step="action", declares=word).forbidden_by == "eldfall/engaged#actions"
    assert declare(engaged_by=[], step="action", declares=word).status == "legal"


def test_declare__hit_and_retreat_alone_means_its_walk() -> None:
    assert declare(engaged_by=["a"], via="hit-and-retreat").forbidden_by == "eldfall/faq#hit-and-retreat"


def test_declare__an_incapacitated_model_may_still_idle() -> None:
    assert declare(declares="idle", incapacitated=True).status == "legal"
    assert declare(declares="enchantment", via="enchantment", on_self=True, incapacitated=True).status == "illegal"


@pytest.mark.parametrize("word", ["unarmed-attack", "melee-attack-spell"])
def test_declare__what_no_passage_settles_is_undetermined(word: str) -> None:
    verdict = declare(engaged_by=["a"], step="action", declares=word)
    assert (verdict.status, len(verdict.missing)) == ("undetermined", 1)
    assert declare(engaged_by=[], step="action", declares=word).status == "legal"
    assert declare(engaged_by=["a"], step="movement", declares=word).forbidden_by == "eldfall/engaged#movement"


# Who engages

HANDS = ("melee", "ranged", "none", "unarmed", "spell")
STATES = (None, "incapacitated", "petrified", "crouched", "dead")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("accessory", [True, False])
def test_engagement__every_engager(state: str | None, accessory: bool) -> None:
    for in_hand, side, reaches in product(HANDS, ("red", "blue"), (True, False)):
        models = [
            {"name": "a", "side": "red", "in_hand": in_hand, "accessory_engages": accessory, "state": state},
            {"name": "b", "side": side, "in_hand": "none", "in_reach_of": ["a"] if reaches else []},
        ]
        verdict = run(ENGAGEMENT, {"models": models}, AS_AMENDED)
        near = side == "blue" and reaches and state is None
        if near and in_hand == "ranged" and accessory:
            assert verdict.status == "undetermined"
            continue
        assert verdict.status == "resolved"
        assert verdict.result["engaged_by"] == {
            "a": [],
            "b": ["a"] if near and (in_hand == "melee" or accessory) else [],
        }


@pytest.mark.parametrize("state", STATES)
def test_engagement__every_state_of_the_engaged(state: str | None) -> None:
    models = [
        {"name": "a", "side": "red", "in_hand": "melee"},
        {"name": "b", "side": "blue", "in_hand": "melee", "state": state, "in_reach_of": ["a"]},
    ]
    verdict = run(ENGAGEMENT, {"models": models}, AS_AMENDED)
    if state == "dead":
        assert verdict.missing == ("whether a model that is Dead can be Engaged",)
        assert verdict.result["engaged_by"] == {"a": []}
    else:
        assert verdict.result["engaged_by"] == {"a": [], "b": ["a"]}


def test_engagement__without_the_ruling_an_incapacitated_model_is_undetermined() -> None:
    models = [
        {"name": "a", "side": "red", "in_hand": "melee"},
        {"name": "b", "side": "blue", "in_hand": "melee", "state": "incapacitated", "in_reach_of": ["a"]},
    ]
    rules = Rules(off=frozenset({"eldfall/rulings#incapacitated-engaged"}))
    assert run(ENGAGEMENT, {"models": models}, rules).status == "undetermined"


# Getting free, reacting, recovering


def test_ends__exactly_the_ways_of_the_passage() -> None:
    free = {"leaves-reach", "dodge-disengage", "enemy-incapacitated", "enemy-petrified", "enemy-crouched", "enemy-dead"}
    free |= {"enemy-unarmed", "enemy-takes-ranged-weapon"}
    (event,) = [each for each in ENDS.given if each.name == "event"]
    after = {each: run(ENDS, {"event": each}, AS_AMENDED).result["engaged_after"] for each in event.choices}
    assert {each for each, engaged in after.items() if engaged is False} == free
    assert set(after.values()) == {True, False}


@pytest.mark.parametrize("aware", [True, False, None])
@pytest.mark.parametrize("engaged_by", [[], ["a"], ["b"], ["a", "b"]])
def test_react__line_of_sight_and_awareness(engaged_by: list[str], aware: bool | None) -> None:
    verdict = run(REACT, {"engaged_by": engaged_by, "to": "a", "in_awareness": aware}, AS_AMENDED)
    assert verdict.result["line_of_sight"] is (True if "a" in engaged_by else None)
    outside = "illegal" if engaged_by else "undetermined"
    assert verdict.status == {True: "legal", False: outside, None: "undetermined"}[aware]


@pytest.mark.parametrize("engaged", [True, False])
@pytest.mark.parametrize("ally", [True, False])
def test_recovery__either_engagement_prohibits_the_reroll(engaged: bool, ally: bool) -> None:
    verdict = run(RECOVERY, {"engaged": engaged, "ally_in_base_contact_engaged": ally}, AS_AMENDED)
    assert verdict.result["reroll"] == ("prohibited" if engaged or ally else "allowed")
