"""Each clause function by itself is missed by an example, not only all functions of a passage together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.corpus import load_corpus
from kb.engine import plugins
from kb.engine.bench import open_bench
from kb.engine.check import Outcome
from kb.engine.clauses import Clause, Each
from kb.engine.examples import Example
from kb.engine.kernel import Procedure, Rules, run
from kb.errors import ExampleError

GAMES = ("ordeals", "eldfall")


def without(clauses: tuple[Clause | Each, ...], gone: Clause) -> tuple[Clause | Each, ...]:
    kept = (each for each in clauses if each is not gone)
    return tuple(
        replace(each, clauses=without(each.clauses, gone)) if isinstance(each, Each) else each for each in kept
    )


def comes_out(procedure: Procedure, example: Example) -> object:
    try:
        verdict = run(procedure, example.given, Rules())
    except ExampleError as fault:
        return str(fault)
    named = {key: verdict.result.get(key, "open") for key in example.expect if key not in ("status", "forbidden_by")}
    told = [getattr(verdict, key) for key in ("status", "forbidden_by") if key in example.expect]
    return named, told


@pytest.mark.parametrize("game", GAMES)
def test_clause_functions__each_is_missed_by_an_example(game: str) -> None:
    outcomes: tuple[Outcome, ...] = open_bench(load_corpus(), game=game).outcomes
    survivors = []
    for procedure in plugins.procedures(game).values():
        examples = [each.example for each in outcomes if each.example.procedure == procedure.name]
        functions = list(plugins.walk(procedure.clauses))
        for clause in functions if len(functions) > 1 else ():
            mutant = replace(procedure, clauses=without(procedure.clauses, clause))
            if all(comes_out(mutant, each) == comes_out(procedure, each) for each in examples):
                survivors.append(f"{procedure.name}: {clause.function.__name__}")
    assert survivors == []
