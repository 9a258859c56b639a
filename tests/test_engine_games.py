"""The bundled games: every example holds, every passage is carried out or excused, no clause could be missing."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as examples_of
from hypothesis import strategies as st

from kb.corpus import load_corpus
from kb.engine import plugins
from kb.engine.bench import Bench, open_bench
from kb.engine.check import HOLDS, outcome
from kb.engine.fields import validate
from kb.engine.house import rules_in_force
from kb.engine.kernel import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure, run
from kb.engine.odds import outcomes
from kb.engine.pins import stale_pins
from kb.errors import ExampleError

GAMES = sorted(plugins.BUNDLED)
CONTRACT = {
    "ordeals.assault": (
        "attacker defender charged engaged_at_act_start allies damage_modifier",
        "attacker_total defender_total winner damage harm loser_endurance out_of_action may_push engaged_after",
    ),
    "ordeals.act": ("engaged reach deeds", "deeds charge_bonus"),
    "ordeals.engagement": ("characters", "engaged"),
    "ordeals.duel": ("exchanges", ""),
    "betrayal.fatigue": ("engage_actions difficulty", "light_fatigue total"),
    "betrayal.gather": ("stamina magicka form dice", "stamina_dice magicka_dice"),
    "betrayal.target": ("form distance range same_or_adjacent_tile declared_by_rule targets", ""),
    "betrayal.engage": (
        "engage_action difficulty form target others dice triggers",
        "light_fatigue damage hp defeated tenacity placed triggered engaged",
    ),
    "betrayal.turn": ("actions difficulty", ""),
    "betrayal.partial": ("cost parts wording", ""),
    "eldfall.engagement": ("models", "engaged_by"),
    "eldfall.declare": ("engaged_by role step declares towards on_self directly via", ""),
    "eldfall.ends": ("event", "engaged_after"),
    "eldfall.react": ("engaged_by to in_awareness", "line_of_sight"),
    "eldfall.recovery": ("engaged ally_in_base_contact_engaged", "reroll"),
}


@cache
def bench(game: str) -> Bench:
    return open_bench(load_corpus(), game=game)


@pytest.mark.parametrize("name", CONTRACT)
def test_procedures__have_the_fields_that_others_rely_on(name: str) -> None:
    given, result = CONTRACT[name]
    procedure = plugins.procedure(name)
    assert set(given.split()) <= {each.name for each in procedure.given}
    assert set(result.split()) <= {each.name for each in procedure.result}


@pytest.mark.parametrize("game", GAMES)
def test_examples__all_hold(game: str) -> None:
    assert len(bench(game).examples) >= 25
    assert [(each.example.id, each.differences) for each in bench(game).outcomes if each.status != HOLDS] == []


@pytest.mark.parametrize("game", GAMES)
def test_coverage__is_complete(game: str) -> None:
    (found,) = bench(game).coverage()
    assert found.complete, found


@pytest.mark.parametrize("game", GAMES)
def test_mutations__no_clause_survives(game: str) -> None:
    assert [each.clause for each in bench(game).mutations() if each.survived] == []


@pytest.mark.parametrize("game", GAMES)
def test_pins__fit(game: str) -> None:
    corpus = bench(game).corpus
    assert [str(each) for each in stale_pins((p for p in corpus.passages if p.game == game), corpus.directory)] == []


@pytest.mark.parametrize("game", GAMES)
def test_results__are_as_declared(game: str) -> None:
    for each in bench(game).outcomes:
        if each.verdict is not None:
            fields = [f for f in plugins.procedure(each.verdict.procedure).result if f.name in each.verdict.result]
            assert validate(fields, each.verdict.result).keys() == each.verdict.result.keys(), each.example.id


@pytest.mark.parametrize("game", GAMES)
def test_clauses__are_short_and_say_their_rule(game: str) -> None:
    for functions in plugins.clauses_of(plugins.procedures(game).values()).values():
        for clause in functions:
            where = f"{clause.function.__module__}.{clause.function.__name__}"
            assert clause.rule.endswith("."), where
            assert len(inspect.getsource(clause.function).splitlines()) <= 30, where


def test_as_printed__shows_what_the_faq_changed() -> None:
    printed = open_bench(load_corpus(), game="betrayal", as_printed=True)
    assert printed.changed()


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-3, 14)
    | st.just(1_000_000)
    | st.sampled_from(["", "x", "3", "magic", "none", "walk"])
)
JUNK = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3)
)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything inside a plain value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [above, *(path for key, each in inner for path in places(each, (*above, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@examples_of(st.data())
def test_run__any_input_gives_a_verdict_or_is_refused(game: str, data: st.DataObject) -> None:
    example = data.draw(st.sampled_from(bench(game).examples))
    given: Any = dict(example.given)
    for _ in range(data.draw(st.integers(1, 3))):
        given = replaced(given, data.draw(st.sampled_from(places(given))), data.draw(JUNK))
    try:
        verdict = run(plugins.procedure(example.procedure), given, bench(game).rules)
    except ExampleError:
        return
    assert verdict.status in (RESOLVED, LEGAL, ILLEGAL, UNDETERMINED)
    assert (verdict.status == UNDETERMINED) <= bool(verdict.missing)
    assert (verdict.status == ILLEGAL) == (verdict.forbidden_by is not None)


@pytest.mark.parametrize("game", GAMES)
def test_mutations__never_crash(game: str) -> None:
    rules = rules_in_force(bench(game).corpus.passages)
    for clause in plugins.clauses_of(plugins.procedures(game).values()):
        for example in bench(game).examples:
            assert outcome(example, rules.without(clause)).status


def with_rolls(procedure: Procedure) -> bool:
    return bool(procedure.rolls) and procedure.odds is None


@pytest.mark.parametrize("name", [name for name, each in plugins.procedures().items() if with_rolls(each)])
def test_odds__sum_to_one(name: str) -> None:
    found = outcomes(plugins.procedure(name), {}, rules_in_force(load_corpus().passages))
    assert sum(found.values()) == 1
