"""Book of Ordeals: what the worked examples do not reach — odds, house rules, all Acts of a kind, exact distances."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given as cases
from hypothesis import settings
from hypothesis import strategies as st

from kb.engine.kernel import Rules, run
from kb.engine.odds import odds, outcomes
from kb.engine.ordeals import ACT, ASSAULT, DUEL, ENGAGEMENT
from kb.engine.ordeals.assault import Assault, charge, group_assault
from kb.errors import ExampleError

AS_AMENDED = Rules()
D12 = range(1, 13)
SIDE = st.fixed_dictionaries(
    {
        "might": st.integers(0, 5),
        "ward": st.integers(0, 5),
        "endurance": st.integers(1, 12),
        "roll": st.integers(1, 12),
    }
)


def assault(given: dict[str, Any], rules: Rules = AS_AMENDED) -> dict[str, Any]:
    return dict(run(ASSAULT, given, rules).result)


# One Assault


@settings(derandomize=True, deadline=None)
@cases(SIDE, SIDE)
def test_assault__swapping_the_sides_swaps_the_result(one: dict[str, int], other: dict[str, int]) -> None:
    there = assault({"attacker": one, "defender": other})
    back = assault({"attacker": other, "defender": one})
    swapped = {"attacker": "defender", "defender": "attacker", None: None}
    assert back["winner"] == swapped[there["winner"]]
    assert back["out_of_action"] == swapped[there["out_of_action"]]
    assert (back["harm"], back["loser_endurance"]) == (there["harm"], there["loser_endurance"])


@settings(derandomize=True, deadline=None)
@cases(SIDE, SIDE, st.integers(-12, 12))
def test_assault__harm_is_never_negative_and_never_given_by_a_tie(
    one: dict[str, int], other: dict[str, int], modifier: int
) -> None:
    result = assault({"attacker": one, "defender": other, "damage_modifier": modifier})
    assert result["harm"] >= 0
    assert result["damage"] >= result["harm"]
    assert (result["winner"] is None) == (one["might"] + one["roll"] == other["might"] + other["roll"])
    assert result["winner"] or result["damage"] == 0


def test_group_assault__counts_the_defender_in_any_capitals_and_named_twice() -> None:
    state = Assault({"allies": [{"engaged_with": ["Defender", "defender "]}, {"engaged_with": ["defender", "x"]}]})
    group_assault(state)
    assert (state.attacker_total, state.defender_total) == (1, 0)


def test_charge__gives_the_defender_nothing() -> None:
    state = Assault({"charged": True, "engaged_at_act_start": False})
    charge(state)
    assert (state.attacker_total, state.defender_total) == (1, 0)


def test_house_rules__change_the_numbers() -> None:
    given = {
        "attacker": {"roll": 5},
        "defender": {"roll": 5},
        "charged": True,
        "allies": [{"engaged_with": ["defender"]}],
    }
    house = Rules(
        numbers={
            "ordeals/close-combat#charge": {"bonus": 3},
            "ordeals/close-combat#group-assault": {"bonus_per_ally": 2},
            "ordeals/close-combat#exchange-4": {"inches": 4},
        }
    )
    assert assault(given)["damage"] == 2
    assert (assault(given, house)["damage"], assault(given, house)["push_inches"]) == (5, 4)


# Odds


def by_hand(might: tuple[int, int], ward: tuple[int, int]) -> dict[tuple[int, int], Fraction]:
    """Harm to attacker and defender over all rolls, reckoned without the engine."""
    found: dict[tuple[int, int], Fraction] = {}
    for one, other in product(D12, D12):
        margin = one + might[0] - other - might[1]
        harm = (max(0, -margin - ward[0]) if margin < 0 else 0, max(0, margin - ward[1]) if margin > 0 else 0)
        found[harm] = found.get(harm, Fraction(0)) + Fraction(1, 144)
    return found


@pytest.mark.parametrize("might", [(0, 0), (2, 0), (1, 4)])
@pytest.mark.parametrize("ward", [(0, 0), (0, 3), (2, 1)])
def test_odds__of_one_assault_agree_with_counting(might: tuple[int, int], ward: tuple[int, int]) -> None:
    given = {
        "attacker": {"might": might[0], "ward": ward[0]},
        "defender": {"might": might[1], "ward": ward[1]},
    }
    names = [each.name for each in ASSAULT.result]
    found: dict[tuple[int, int], Fraction] = {}
    for values, chance in outcomes(ASSAULT, given, AS_AMENDED).items():
        result = dict(zip(names, values, strict=True))
        key = (result["harm"] * (result["winner"] == "defender"), result["harm"] * (result["winner"] == "attacker"))
        found[key] = found.get(key, Fraction(0)) + chance
    assert found == by_hand(might, ward)


def test_odds__of_one_assault_agree_with_icepool() -> None:
    def harm(one: int, other: int) -> int:
        return max(0, one + 2 - other - 1)

    die = icepool.map(harm, icepool.d(12), icepool.d(12))
    found = odds(ASSAULT, {"attacker": {"might": 2}, "defender": {"ward": 1}}, AS_AMENDED)
    out = found.chance(out_of_action="defender")
    assert out == sum(die.probability(value) for value in die.outcomes() if value >= 6)
    assert sum(found.chance(winner=who) for who in ("attacker", "defender", None)) == 1


def test_duel__agrees_with_playing_out_every_roll() -> None:
    might, ward, endurance = (2, 0), (0, 1), (4, 5)
    blow = by_hand(might, ward)

    @cache
    def play(attacker: int, defender: int, exchanges: int) -> dict[tuple[int, int], Fraction]:
        if exchanges == 0 or attacker <= 0 or defender <= 0:
            return {(attacker, defender): Fraction(1)}
        ends: dict[tuple[int, int], Fraction] = {}
        for (to_attacker, to_defender), chance in blow.items():
            for end, share in play(attacker - to_attacker, defender - to_defender, exchanges - 1).items():
                ends[end] = ends.get(end, Fraction(0)) + chance * share
        return ends

    sides = {
        "attacker": {"might": might[0], "ward": ward[0], "endurance": endurance[0]},
        "defender": {"might": might[1], "ward": ward[1], "endurance": endurance[1]},
    }
    for exchanges in (1, 2, 5):
        ends = play(*endurance, exchanges)
        found = odds(DUEL, {**sides, "exchanges": exchanges}, AS_AMENDED)
        assert found.chance(out_of_action="attacker") == sum(share for (a, _), share in ends.items() if a <= 0)
        assert found.chance(out_of_action="defender") == sum(share for (_, d), share in ends.items() if d <= 0)
        assert found.spreads["defender_harm"].expected == sum((endurance[1] - d) * s for (_, d), s in ends.items())
        assert found.chance(attacker_endurance=4) == sum(share for (a, _), share in ends.items() if a == 4)
        assert found.chance(defender_endurance=0) == found.chance(out_of_action="defender")


def test_duel__of_one_exchange_is_one_assault() -> None:
    given = {"attacker": {"might": 1}, "defender": {"ward": 2}, "charged": True, "damage_modifier": 1}
    one, fight = odds(ASSAULT, given, AS_AMENDED), odds(DUEL, given, AS_AMENDED)
    for side in ("attacker", "defender", None):
        assert one.chance(out_of_action=side) == fight.chance(out_of_action=side)
    harm_of_both = [fight.spreads[f"{side}_harm"].expected for side in ("attacker", "defender")]
    assert sum(each for each in harm_of_both if each is not None) == one.spreads["harm"].expected


def test_duel__house_rules_hold() -> None:
    nobody_falls = Rules(off=frozenset({"ordeals/glossary#out-of-action"}))
    assert odds(DUEL, {"exchanges": 4}, nobody_falls).chance(out_of_action=None) == 1


def test_duel__a_charge_does_not_outlast_its_act() -> None:
    assert odds(DUEL, {"charged": True, "exchanges": 2}, AS_AMENDED).chance(out_of_action=None) > 0
    with pytest.raises(ExampleError, match=r"exchanges: 3 .*not stated\. Allowed with a Charge: 1 to 2"):
        odds(DUEL, {"charged": True, "exchanges": 3}, AS_AMENDED)


def test_duel__a_fight_without_end_is_refused_at_once() -> None:
    with pytest.raises(ExampleError, match=r"exchanges: 100"):
        odds(DUEL, {"attacker": {"endurance": 90}, "defender": {"endurance": 90}, "exchanges": 100}, AS_AMENDED)


# Acts

KINDS: tuple[dict[str, Any], ...] = (
    {"deed": "Move"},
    {"deed": "Move", "ends_engaged": True},
    {"deed": "Assault"},
    {"deed": "Assault", "wins_and_pushes": True},
    {"deed": "Assault", "foe_out_of_action": True, "ends_engaged": True},
    {"deed": "Stand"},
    {"deed": "Fire"},
)


@pytest.mark.parametrize("engaged", [True, False])
@pytest.mark.parametrize("reach", [True, False])
def test_act__every_act_of_four_deeds_keeps_the_rules(engaged: bool, reach: bool) -> None:
    for deeds in product(KINDS, repeat=4):
        verdict = run(ACT, {"engaged": engaged, "reach": reach, "deeds": list(deeds)}, AS_AMENDED)
        judged = verdict.result["deeds"]
        assert (verdict.status == "legal") == all(each["legal"] for each in judged)
        assert sum(each["legal"] for each in judged) <= 3
        held, assaults = engaged, []
        for deed, each in zip(deeds, judged, strict=True):
            if held and each["legal"]:
                assert deed["deed"] in ("Assault", "Stand")
            if not each["legal"]:
                assert each["forbidden_by"]
                continue
            if deed["deed"] == "Assault":
                assaults.append(held)
                assert held or reach
            if deed.get("wins_and_pushes") or deed.get("foe_out_of_action"):
                held = False
            held = held or deed.get("ends_engaged", False)
        assert verdict.result["engaged_after"] is held
        assert len(assaults) < 2 or all(assaults)
        assert not (engaged and any(verdict.result["charge_bonus"]))
        assert verdict.result["exchanges"] == len(assaults)


@pytest.mark.parametrize("word", ["assault", "ASSAULT", " Assault "])
def test_act__deeds_are_read_in_any_capitals(word: str) -> None:
    verdict = run(ACT, {"engaged": True, "deeds": [{"deed": word}]}, AS_AMENDED)
    assert verdict.result["deeds"][0]["deed"] == "Assault"


def test_act__an_unknown_deed_is_refused_with_the_nearest() -> None:
    with pytest.raises(ExampleError, match=r'deeds\[1\]\.deed: "asault" is no Deed\. Perhaps "Assault" is meant'):
        run(ACT, {"deeds": [{"deed": "Stand"}, {"deed": "asault"}]}, AS_AMENDED)


def test_act__each_step_names_its_deed() -> None:
    steps = run(ACT, {"engaged": True, "deeds": [{"deed": "Stand"}, {"deed": "Move"}]}, AS_AMENDED).steps
    assert [step.says.split(":")[0] for step in steps] == ["Deed 1, Stand", "Deed 2, Move"]


# Engagement


@settings(derandomize=True, deadline=None)
@cases(st.integers(-40, 40), st.integers(-40, 40), st.sampled_from([(3, 4), (6, 8), (10, 0), (0, 10), (7, 7), (8, 7)]))
def test_engagement__is_exact_in_tenths_of_an_inch(x: int, y: int, gap: tuple[int, int]) -> None:
    characters = [
        {"name": "a", "side": "red", "x": x / 10, "y": y / 10},
        {"name": "b", "side": "blue", "x": (x + gap[0]) / 10, "y": (y + gap[1]) / 10},
    ]
    engaged = run(ENGAGEMENT, {"characters": characters}, AS_AMENDED).result["engaged"]
    assert bool(engaged) is (gap[0] ** 2 + gap[1] ** 2 <= 100)


def test_engagement__house_rule_widens_it() -> None:
    characters = [{"name": "a", "side": "1", "x": 0, "y": 0}, {"name": "b", "side": "2", "x": 2, "y": 0}]
    wider = Rules(numbers={"ordeals/close-combat#engaged": {"inches": 2}})
    assert run(ENGAGEMENT, {"characters": characters}, AS_AMENDED).result["engaged"] == []
    assert run(ENGAGEMENT, {"characters": characters}, wider).result["engaged"] == [["a", "b"]]
