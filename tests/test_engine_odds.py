"""Chances are exact: they agree with running every roll by hand, and with icepool."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given as examples_of
from hypothesis import strategies as st

from kb.corpus import Corpus, load_corpus
from kb.engine import plugins
from kb.engine.fields import validate
from kb.engine.house import rules_in_force
from kb.engine.kernel import Procedure, Rules, Run, run
from kb.engine.odds import MOST_RUNS, chain, odds, outcomes
from kb.errors import ExampleError


def test_outcomes__agree_with_running_every_roll(toy: Corpus) -> None:
    throw, rules = plugins.procedure("toy.throw"), rules_in_force(toy.passages)
    by_hand: Counter[Any] = Counter()
    for you, they in product(range(1, 7), repeat=2):
        result = run(throw, {"you": {"roll": you, "charm": True}, "they": {"roll": they}}, rules).result
        by_hand[(result["winner"], result["yours"], result["theirs"])] += 1
    found = outcomes(throw, {"you": {"charm": True}}, rules)
    assert found == {key: Fraction(count, 36) for key, count in by_hand.items()}


@pytest.mark.parametrize("charm", [False, True])
def test_odds__agree_with_icepool(toy: Corpus, charm: bool) -> None:
    found = odds(plugins.procedure("toy.throw"), {"you": {"charm": charm}}, rules_in_force(toy.passages))
    yours = icepool.d6 + int(charm)
    assert found.chance(winner="you") == (yours >= icepool.d6).probability(True)
    assert found.spreads["yours"].expected == yours.mean()
    assert sum(found.spreads["winner"].chances.values()) == 1


def test_odds__a_roll_that_is_given_stays(toy: Corpus) -> None:
    found = odds(plugins.procedure("toy.throw"), {"you": {"roll": 6}}, rules_in_force(toy.passages))
    assert found.chance(winner="you") == 1
    assert found.given["they"] == {"roll": None}


def test_odds__hold_under_house_rules(toy: Corpus) -> None:
    rules = Rules(off=frozenset({"toy/rules#tie"}), numbers={"toy/rules#charm": {"bonus": 5}}, house=True)
    found = odds(plugins.procedure("toy.throw"), {"you": {"charm": True}}, rules)
    assert found.chance(winner="you") == 1
    assert found.to_json()["house"] is True


def test_odds__json_has_floats_and_exact_fractions(toy: Corpus) -> None:
    found = odds(plugins.procedure("toy.throw"), {}, rules_in_force(toy.passages)).to_json()["results"]
    assert found["winner"]["distribution"][0] == {"value": "they", "chance": 15 / 36, "exact": "5/12"}
    assert found["yours"]["expected_exact"] == "7/2"
    assert found["winner"]["expected"] is None


def test_odds__a_missing_rule_is_no_chance(toy: Corpus) -> None:
    with pytest.raises(ExampleError, match="the odds can't be told: what a torn charm adds"):
        odds(plugins.procedure("toy.throw"), {"you": {"torn": True}}, rules_in_force(toy.passages))


@pytest.mark.parametrize(("might", "ward", "endurance"), [(0, 0, 6), (3, 2, 5), (1, 13, 1)])
def test_odds__of_an_assault_agree_with_icepool_and_with_brute_force(might: int, ward: int, endurance: int) -> None:
    side = {"ward": ward, "endurance": endurance}
    given = {"attacker": {"might": might, **side}, "defender": side}
    found = odds(plugins.procedure("ordeals.assault"), given, rules_in_force(load_corpus().passages))
    margin = icepool.d12 + might - icepool.d12
    assert found.chance(winner="attacker") == (margin > 0).probability(True)
    assert found.chance(winner=None) == margin.probability(0)
    assert found.spreads["harm"].expected == (abs(margin) - ward).map(lambda harm: max(harm, 0)).mean()
    margins = [a + might - d for a, d in product(range(1, 13), repeat=2)]
    fatal = sum(margin - ward >= endurance for margin in margins)
    assert found.chance(out_of_action="defender") == Fraction(fatal, 144)


@pytest.mark.slow
def test_run__a_hundred_thousand_assaults_take_seconds() -> None:
    procedure = plugins.procedure("ordeals.assault")
    ready = Run(procedure, rules_in_force(load_corpus().passages))
    clean = validate(procedure.given, {"attacker": {"might": 2, "roll": 9}, "defender": {"ward": 1, "roll": 5}})
    began = time.perf_counter()
    harm = sum(ready.state(clean).harm for _ in range(100_000))
    assert harm == 500_000
    assert time.perf_counter() - began < 30  # about 1.5 seconds on a quiet machine


def test_odds__too_many_rolls_are_refused() -> None:
    from kb.engine.fields import die

    dice = tuple(die(f"d{number}", 20) for number in range(6))
    procedure = Procedure("toy.many", "x", dice, (), dict, ())
    with pytest.raises(ExampleError, match=f"64,000,000 ways to roll. Give some rolls; {MOST_RUNS:,} at most"):
        odds(procedure, {}, Rules())


@examples_of(st.fractions(0, 1, max_denominator=12), st.integers(0, 6))
def test_chain__agrees_with_the_closed_form(share: Fraction, times: int) -> None:
    def step(down: int) -> dict[int, Fraction]:
        return {1: Fraction(1)} if down else {0: 1 - share, 1: share}

    after = chain(0, step, times)
    assert after.get(0, 0) == (1 - share) ** times
    assert sum(after.values()) == 1


def test_chain__asks_once_per_state() -> None:
    asked: list[int] = []

    def step(state: int) -> dict[int, Fraction]:
        asked.append(state)
        return {(state + 1) % 3: Fraction(1)}

    assert chain(0, step, 30) == {0: Fraction(1)}
    assert asked == [0, 1, 2]
