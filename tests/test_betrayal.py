"""Betrayal of the Second Era: the procedures, held against counting by hand and the rules they must not break."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.corpus import load_corpus
from kb.engine import plugins
from kb.engine.bench import open_bench
from kb.engine.betrayal import dice, react, turn
from kb.engine.betrayal.scene import AtHand, Engage
from kb.engine.fields import Field
from kb.engine.kernel import Rules, Verdict, run
from kb.errors import ExampleError

PRINTED_DAMAGE = "betrayal/engage#steps-5b-damage"
POOLED_DAMAGE = "betrayal/faq#pooled-damage"
AMENDED = Rules(off=frozenset({PRINTED_DAMAGE}))
AS_PRINTED = Rules(off=frozenset({POOLED_DAMAGE}))


def play(procedure: str, rules: Rules = AMENDED, **values: Any) -> Verdict:
    return run(plugins.procedure(f"betrayal.{procedure}"), values, rules)


def slash(damage: int, name: str = "Slash", **more: Any) -> dict[str, Any]:
    return {"name": name, "code": "instant", "result": {"damage": damage}, **more}


def test_examples__pooled_damage_turns_out_differently_as_printed() -> None:
    changed = {now.example.id for _, now in open_bench(load_corpus(), game="betrayal", as_printed=True).changed()}
    assert {"damage-pooled", "damage-prevention-is-pooled"} <= changed
    assert not changed & {"damage-to-an-adventurer-is-not-pooled", "react-shatter-on-the-target"}


@pytest.mark.parametrize(
    ("difficulty", "total"), [("normal", [0, 0, 1, 2, 3]), ("expert", [0, 0, 2, 4, 6])], ids=["normal", "expert"]
)
def test_fatigue__first_engage_is_free_and_each_further_one_costs_the_same(difficulty: str, total: list[int]) -> None:
    assert [play("fatigue", engage_actions=n, difficulty=difficulty).result["total"] for n in range(5)] == total


def test_fatigue__a_house_rule_changes_the_price_in_every_procedure() -> None:
    house = Rules(off=AMENDED.off, numbers={"betrayal/engage#steps-1": {"each": 3}})
    assert play("fatigue", house, engage_actions=2).result["total"] == 3
    assert play("turn", house, actions=["engage", "engage"]).result["total"] == 3
    assert play("engage", house, engage_action=2).result["light_fatigue"] == 3


def test_turn__every_order_of_up_to_four_actions() -> None:
    """An engage action never has a move on both sides; more than one move is otherwise not stated."""
    for length in range(5):
        for actions in product(("move", "engage"), repeat=length):
            order = "".join(action[0] for action in actions)
            breach = any(
                "m" in order[:place] and "m" in order[place:] for place in range(length) if order[place] == "e"
            )
            wanted = "illegal" if breach else "undetermined" if order.count("m") > 1 else "legal"
            assert play("turn", actions=list(actions)).status == wanted, order


def test_turn__free_movement_never_matters() -> None:
    for actions in permutations(("move", "engage", "free-move", "free-move")):
        assert play("turn", actions=list(actions)).status == "legal"


def test_target__range_and_sight_are_both_needed() -> None:
    for distance, tile in product(range(1, 6), (True, False)):
        verdict = play("target", form="bow", distance=distance, range=3, same_or_adjacent_tile=tile)
        assert (verdict.status == "legal") == (distance <= 3 and tile)


def test_target__magic_without_magicka_goes_by_the_range_that_is_given() -> None:
    assert play("target", form="Magic form", distance=3, range=3, same_or_adjacent_tile=True).status == "legal"
    assert play("target", form="magic", distance=3, same_or_adjacent_tile=True).status == "undetermined"


@settings(max_examples=50, derandomize=True)
@given(
    st.integers(0, 3), st.integers(0, 3), st.lists(st.sampled_from(["stamina", "magicka", "free"]), max_size=6)
)  # fmt: skip
def test_gather__each_die_counts_against_its_own_stat_and_free_ones_against_none(
    stamina: int, magicka: int, kinds: list[str]
) -> None:
    rolled = [
        {"name": "die", "free": True} if kind == "free" else {"name": "die", "stat": kind, "form": None}
        for kind in kinds
    ]
    verdict = play("gather", stamina=stamina, magicka=magicka, form="sword", dice=rolled)
    within = kinds.count("stamina") <= stamina and kinds.count("magicka") <= magicka
    assert verdict.status == ("legal" if within else "illegal")
    assert verdict.result["stamina_dice"] == kinds.count("stamina")
    assert verdict.result["combat_dice"] == kinds.count("free")


def test_gather__without_the_form_only_what_turns_on_it_is_open() -> None:
    plain, icon = {"name": "Acrobatics", "stat": "stamina"}, {"name": "Bow", "stat": "stamina", "form": "bow"}
    assert play("gather", stamina=1, dice=[plain]).status == "legal"
    assert play("gather", stamina=1, dice=[icon]).missing == ("the current battle form",)
    assert play("gather", stamina=0, dice=[icon]).status == "illegal"


@settings(max_examples=50, derandomize=True)
@given(st.lists(st.integers(0, 4), max_size=5), st.integers(1, 8), st.integers(0, 3))
def test_engage__pooled_damage_is_the_sum_less_what_is_prevented(hits: list[int], hp: int, prevents: int) -> None:
    rolled = [slash(damage, f"die {number}") for number, damage in enumerate(hits)]
    verdict = play("engage", target={"kind": "enemy", "hp": hp, "prevents": prevents}, dice=rolled)
    taken = max(sum(hits) - prevents, 0)
    assert verdict.status == "resolved"
    assert verdict.result["damage"].get("target", 0) == taken
    assert verdict.result["hp"] == {"target": max(hp - taken, 0)}
    assert verdict.result["defeated"] == (["target"] if taken >= hp else [])
    assert len(verdict.result["dealt"]) == (1 if any(hits) else 0)


def test_engage__as_printed_every_die_deals_its_damage_on_its_own() -> None:
    rolled = [slash(2), slash(3, "Stab")]
    printed = play("engage", AS_PRINTED, target={"hp": 9}, dice=rolled)
    assert [part["damage"] for part in printed.result["dealt"]] == [2, 3]
    assert [part["damage"] for part in play("engage", target={"hp": 9}, dice=rolled).result["dealt"]] == [5]
    assert printed.result["hp"] == {"target": 4}


def test_engage__the_order_of_the_dice_changes_no_total() -> None:
    rolled = [
        slash(1),
        slash(2, "Stab"),
        {"name": "Volley", "code": "instant", "result": {"damage": 1, "to": "Bandit"}},
    ]
    given_units = {"target": {"hp": 5}, "others": [{"name": "Bandit", "hp": 3}]}
    results = [play("engage", **given_units, dice=list(order)).result for order in permutations(rolled)]
    assert {(each["damage"]["target"], each["damage"]["Bandit"], len(each["dealt"])) for each in results} == {(3, 1, 2)}


def test_engage__defense_leaves_hp_open_and_keeps_the_pool() -> None:
    verdict = play("engage", target={"hp": 5, "defense": 1}, dice=[slash(2)])
    assert verdict.status == "undetermined"
    assert verdict.result["damage"] == {"target": 2}
    assert not {"hp", "defeated"} & set(verdict.result)


def test_engage__unknown_defense_and_prevention_count_as_none() -> None:
    verdict = play("engage", target={"hp": 5, "defense": None, "prevents": None}, dice=[slash(2)])
    assert (verdict.status, verdict.result["hp"]) == ("resolved", {"target": 3})


def test_engage__a_named_target_goes_by_its_name_and_by_target() -> None:
    rolled = [slash(1), {"name": "Stab", "code": "instant", "result": {"damage": 2, "to": "Ogre"}}]
    verdict = play(
        "engage", target={"name": "Ogre", "hp": 9}, dice=rolled, triggers=[{"owner": "Ogre", "on": "engaged"}]
    )
    assert verdict.result["damage"] == {"Ogre": 3}
    assert verdict.result["triggered"] == ["Ogre"]


def test_engage__nobody_but_the_target_is_ever_engaged() -> None:
    for kind, on in product(("enemy", "companion", "adventurer"), ("engaged", "after-engaged")):
        volley = {"name": "Volley", "code": "instant", "result": {"damage": 1, "to": "Bystander"}}
        verdict = play(
            "engage",
            target={"kind": "enemy"},
            others=[{"name": "Bystander", "kind": kind, "hp": 2}],
            dice=[volley],
            triggers=[{"owner": "Bystander", "on": on}],
        )
        assert (verdict.result["engaged"], verdict.result["triggered"]) == (["target"], [])


def test_engage__without_the_faq_a_damaged_bystander_is_an_open_question() -> None:
    rules = AMENDED.without("betrayal/faq#engaged-units")
    volley = {"name": "Volley", "code": "instant", "result": {"damage": 1, "to": "Bandit"}}
    trigger = {"owner": "Bandit", "on": "engaged"}
    verdict = play("engage", rules, target={}, others=[{"name": "Bandit"}], dice=[volley], triggers=[trigger])
    assert verdict.status == "undetermined"
    assert "counts as engaged" in verdict.missing[0]


def test_engage__a_unit_may_bear_any_name() -> None:
    volley = {"name": "Volley", "code": "instant", "result": {"damage": 1, "to": "text"}}
    assert play("engage", others=[{"name": "text", "defense": 1}], dice=[volley]).result["damage"] == {"text": 1}


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("instant", "cooldown"),
        ("cooldown-track", "cooldown"),
        ("drained", "race-sheet"),
        ("active-slot", "active-slot"),
        ("status-effect", "status"),
    ],
)
def test_engage__where_a_die_goes(code: str, place: str) -> None:
    def placed(**more: Any) -> Any:
        return play("engage", dice=[{"name": "die", "code": code, **more}]).result["placed"]["die"]

    assert placed() == place
    assert placed(resolve=False) == "cooldown"
    assert placed(result={"tenacity": True}) == "cooldown"
    assert placed(free=True) == "discarded"
    assert placed(free=True, resolve=False) == "discarded"


def test_partial__every_ability_of_two_parts() -> None:
    for cost, wording, first, second in product(
        (None, True, False), ("plain", "to", "then"), (True, False), (True, False)
    ):
        happens = play("partial", cost=cost, wording=wording, parts=[{"can": first}, {"can": second}]).result["happens"]
        nothing = cost is False or (wording != "plain" and not first)
        assert happens == ([False, False] if nothing else [first, second])


BAD = [
    ("fatigue", {"engage_actions": -1}, "engage_actions"),
    ("fatigue", {"engage_actions": 1.5}, "engage_actions"),
    ("fatigue", {"engage_actions": 2, "difficulty": "hard"}, "normal, expert"),
    ("turn", {"actions": ["jump"]}, "actions[0]"),
    ("target", {"form": "bow", "distance": -1}, "distance"),
    ("target", {"form": " ", "distance": 1}, "form"),
    ("target", {"form": "bow", "targets": -2}, "targets"),
    ("gather", {"stamina": -1, "form": "bow", "dice": []}, "stamina"),
    ("gather", {"form": "bow", "dice": [{"name": "x", "stat": "luck"}]}, "stamina, magicka"),
    ("gather", {"form": "bow", "dice": [], "chosen_weapons": ["Axe"]}, "chosen_weapons"),
    ("engage", {"engage_action": 0}, "engage_action"),
    ("engage", {"target": {"kind": "dragon"}}, "enemy, companion, adventurer"),
    ("engage", {"target": {"hp": 0}}, "target.hp"),
    ("engage", {"dice": [{"name": "x", "code": "instnat"}]}, "instant"),
    ("engage", {"dice": [{"name": "x", "result": {"damage": 1, "to": "Nobody"}}]}, "dice[0].result.to"),
    ("engage", {"triggers": [{"owner": "Nobody", "on": "engaged"}]}, "triggers[0].owner"),
    ("engage", {"targett": None}, "target"),
    ("partial", {"parts": []}, "parts"),
    ("partial", {"parts": [{"can": True}], "cost": 2}, "cost"),
]


@pytest.mark.parametrize(("procedure", "values", "told"), BAD, ids=[f"{name}-{told}" for name, _, told in BAD])
def test_bad_input__is_refused_with_the_field_or_what_is_allowed(
    procedure: str, values: dict[str, Any], told: str
) -> None:
    with pytest.raises(ExampleError) as fault:
        play(procedure, **values)
    assert told in str(fault.value)


def test_clause__first_engage_is_free() -> None:
    tiring = turn.Tiring({"engage_actions": 2, "difficulty": "expert"})
    turn.gain_fatigue(tiring)
    assert (tiring.light_fatigue, tiring.total) == ([0, 2], 2)


def test_clause__an_enemy_reacts_even_if_it_would_rather_not() -> None:
    engage = Engage({"triggers": [{"owner": "target", "on": "after-engaged", "able": True, "uses": False}]})
    engage.engaged = ["target"]
    react.units_react(engage)
    assert engage.must_react == ["target"]


def test_clause__a_free_die_is_discarded_before_its_code_is_looked_at() -> None:
    engage = Engage({}, die=AtHand({"name": "x", "free": True, "code": "active-slot", "result": {"tenacity": True}}))
    engage.die.under_way = True
    dice.free_dice_are_discarded(engage)
    assert dice.active_slot(engage) is None
    assert dice.tenacity_result(engage) is None
    assert engage.placed == {"x": "discarded"}


def inputs(fields: tuple[Field, ...]) -> list[Field]:
    found = []
    for each in fields:
        found.append(each)
        found += inputs(each.fields) + (inputs(each.item.fields) if each.item else [])
    return found


def test_procedures__say_what_every_input_means() -> None:
    for procedure in plugins.procedures("betrayal").values():
        assert procedure.words
        assert [each.name for each in inputs(procedure.given) if not each.help and each.name != "name"] == []


def test_clauses__state_their_rule_in_one_sentence() -> None:
    for clauses in plugins.clauses_of(plugins.procedures("betrayal").values()).values():
        for each in clauses:
            assert each.rule.endswith("."), each.function.__name__
            assert len(each.rule) <= 120
