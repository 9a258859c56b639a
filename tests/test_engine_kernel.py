"""The kernel runs clauses in order, knows no game, and never guesses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kb.corpus import Corpus
from kb.engine import plugins
from kb.engine.clauses import Says, clause, says
from kb.engine.house import rules_in_force
from kb.engine.kernel import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure, Rules, run
from kb.errors import UsageError

KERNEL = Path(plugins.__file__).parent


def throw(corpus: Corpus, you: dict[str, Any], they: dict[str, Any], **rules: Any) -> Any:
    return run(plugins.procedure("toy.throw"), {"you": you, "they": they}, rules_in_force(corpus.passages, **rules))


def test_run__records_a_step_per_clause_that_acted(toy: Corpus) -> None:
    verdict = throw(toy, {"roll": 4, "charm": True}, {"roll": 3})
    assert verdict.status == RESOLVED
    assert verdict.result == {"winner": "you", "yours": 5, "theirs": 3}
    assert [(step.clause, dict(step.values)) for step in verdict.steps] == [
        ("toy/rules#charm", {"bonus": 1}),
        ("toy/rules#higher", {"winner": "you"}),
    ]
    assert verdict.to_json()["steps"][0] == {
        "clause": "toy/rules#charm",
        "says": "The charm adds 1: 5.",
        "values": {"bonus": 1},
    }


def test_run__a_superseded_clause_is_off_as_amended_and_on_as_printed(toy: Corpus) -> None:
    amended = throw(toy, {"roll": 3}, {"roll": 3})
    printed = throw(toy, {"roll": 3}, {"roll": 3}, as_printed=True)
    assert (amended.result["winner"], [s.clause for s in amended.steps]) == ("you", ["toy/faq#tie"])
    assert (printed.result["winner"], [s.clause for s in printed.steps]) == (None, ["toy/rules#tie"])
    assert (amended.rules, printed.rules) == ("as amended", "as printed")


def test_run__what_a_missing_rule_leaves_open_is_not_in_the_result(toy: Corpus) -> None:
    verdict = throw(toy, {"roll": 3, "torn": True}, {"roll": 2})
    assert verdict.status == UNDETERMINED
    assert verdict.result == {"theirs": 2}
    assert verdict.missing == ("what a torn charm adds: no passage states it",)


def test_run__a_roll_that_is_not_given_is_missing(toy: Corpus) -> None:
    verdict = throw(toy, {"roll": 3}, {})
    assert (verdict.status, verdict.missing, verdict.result) == (UNDETERMINED, ("they.roll (a D6)",), {})


def test_each__an_illegal_item_does_not_stop_the_others(toy: Corpus) -> None:
    evening = plugins.procedure("toy.evening")
    given = {"players": [{"name": "Ann"}, {"name": "Bo"}], "throwers": ["Ann", "Ann", "Bo"]}
    verdict = run(evening, given, rules_in_force(toy.passages))
    assert (verdict.status, verdict.forbidden_by) == (ILLEGAL, "toy/rules#turns")
    assert verdict.result["throws"] == (True, False, True)
    assert run(evening, {**given, "throwers": ["Ann", "Bo"]}, Rules()).status == LEGAL


def test_rules__change_a_number_by_its_name(toy: Corpus) -> None:
    rules = Rules(numbers={"toy/rules#charm": {"bonus": 3}})
    given = {"you": {"roll": 1, "charm": True}, "they": {"roll": 3}}
    assert run(plugins.procedure("toy.throw"), given, rules).result["yours"] == 4


@clause("toy/rules#nothing")
def stumbles(state: Any) -> Says | None:
    """Works on what an earlier clause sets."""
    return says("Never.", half=state.missing_value / 2)


def test_run__a_clause_without_its_basis_is_undetermined_but_our_own_fault_is_raised() -> None:
    procedure = Procedure("toy.x", "x", (), (), lambda given: object(), (stumbles,))
    with pytest.raises(UsageError, match="stumbles failed on this input"):
        run(procedure, {}, Rules(off=frozenset({"toy/rules#replaced"})))
    verdict = run(procedure, {}, Rules().without("toy/rules#other"))
    assert (verdict.status, verdict.missing) == (UNDETERMINED, ("toy/rules#nothing: its basis is off",))


def test_clause__its_rule_is_the_first_line_of_the_docstring() -> None:
    assert stumbles.rule == "Works on what an earlier clause sets."


def test_kernel__is_short_and_names_no_game() -> None:
    text = (KERNEL / "kernel.py").read_text()
    assert len(text.splitlines()) < 150
    for module in (
        "kernel",
        "clauses",
        "fields",
        "check",
        "coverage",
        "examples",
        "house",
        "odds",
        "pins",
        "records",
        "report",
    ):
        source = (KERNEL / f"{module}.py").read_text().lower()
        assert not [game for game in plugins.BUNDLED if game in source], module
