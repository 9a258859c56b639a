"""What the bench does with an input: runs it, varies it, works out its odds, writes it down as an example."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import yaml

from kb.engine import plugins
from kb.engine.house import parse_house_rules, rules_in_force
from kb.engine.kernel import Procedure, Rules, Verdict, run
from kb.engine.odds import Odds, odds
from kb.errors import ExampleError
from kb.knowledge import Knowledge
from kb.web.inputs import at, put, span, variable, without_defaults

AMENDED, PRINTED, HOUSE = "As amended", "As first printed", "House rules"


def rules_for(knowledge: Knowledge, game: str, which: str, house: str = "") -> Rules:
    """The rule set of that name; `house` is the text of the house rules. `ExampleError` where that can't be read."""
    own = None
    if which == HOUSE and house.strip():
        own = parse_house_rules(house, plugins.clauses_of(plugins.procedures(game).values()))
    return rules_in_force(knowledge.passages(game), as_printed=which == PRINTED, house=own)


def house_template(procedure: Procedure) -> str:
    """House rules to begin with: everything that can be changed, as comments."""
    clauses = plugins.clauses_of([procedure])
    lines = ['name: "Our table"', "off: []", "# Clauses that can be switched off:"]
    lines += [f"#   {id_}   {functions[0].rule}" for id_, functions in clauses.items()]
    numbered = {id_: {n: v for f in functions for n, v in f.numbers.items()} for id_, functions in clauses.items()}
    changeable = {id_: numbers for id_, numbers in numbered.items() if numbers}
    if changeable:
        lines += ["# Numbers that can be changed: take the # away.", "numbers:"]
        lines += [f'#  "{id_}": {{{_pairs(numbers)}}}' for id_, numbers in changeable.items()]
    return "\n".join(lines) + "\n"


def _pairs(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in numbers.items())


def has_odds(procedure: Procedure) -> bool:
    """Whether there are rolls to be left open."""
    return bool(procedure.rolls) or procedure.odds is not None


def odds_of(procedure: Procedure, given: Mapping[str, Any], rules: Rules) -> Odds:
    """The exact odds with every roll left open."""
    opened = dict(given)
    for path, _ in procedure.rolls:
        opened = put(opened, ".".join(path), None)
    return _odds(procedure.name, json.dumps(opened, sort_keys=True), rules, _numbers(rules))


@lru_cache(maxsize=256)
def _odds(procedure: str, given: str, rules: Rules, numbers: str) -> Odds:
    """Kept, since a page is drawn again for every key. `numbers` tells house rules apart, which `rules` may not."""
    return odds(plugins.procedure(procedure), json.loads(given), rules)


def _numbers(rules: Rules) -> str:
    return json.dumps({key: dict(value) for key, value in rules.numbers.items()}, sort_keys=True)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A table: one value varied, what comes out for each."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, bool, tuple[Any, ...]], ...]
    "(value, whether it is the one that the form has, what stands in each column)."
    chances: bool = False
    "True where the columns are chances and means, because rolls are open."


def what_if(procedure: Procedure, given: Mapping[str, Any], rules: Rules, path: str) -> WhatIf:
    """The table for one varied value. Columns that never change are left out, unless all are."""
    field = variable(procedure.given)[path]
    now = at(given, path)
    values = span(field, now)
    open_rolls = has_odds(procedure) and (
        procedure.odds is not None or any(at(given, ".".join(p)) is None for p, _ in procedure.rolls)
    )
    results = [_row(procedure, put(given, path, value), rules, open_rolls) for value in values]
    names = list(dict.fromkeys(name for row in results for name in row))
    changing = [name for name in names if len({repr(row.get(name)) for row in results}) > 1] or names[:3]
    rows = tuple(
        (value, value == now and type(value) is type(now), tuple(row.get(name) for name in changing))
        for value, row in zip(values, results, strict=True)
    )
    return WhatIf(path, tuple(changing), rows, open_rolls)


def _row(procedure: Procedure, given: Mapping[str, Any], rules: Rules, open_rolls: bool) -> dict[str, Any]:
    try:
        if not open_rolls:
            verdict = run(procedure, given, rules)
            return {"status": verdict.status, **verdict.result}
        found = odds(procedure, given, rules)
    except ExampleError as error:
        return {"refused": error.found}
    row: dict[str, Any] = {}
    for name, spread in found.spreads.items():
        if spread.expected is not None:
            row[f"{name}, on average"] = spread.expected
        elif len(spread.chances) <= 4:
            row |= {f"{name}: {_value(value)}": chance for value, chance in spread.chances.items()}
    return row


def _value(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def example_yaml(procedure: Procedure, given: Mapping[str, Any], verdict: Verdict, title: str) -> str:
    """The trial as a worked example, to be put into `examples/` of the game's corpus."""
    expect: dict[str, Any] = {"status": verdict.status}
    if verdict.forbidden_by:
        expect["forbidden_by"] = verdict.forbidden_by
    expect |= {name: _plain(value) for name, value in verdict.result.items()}
    example = {
        "id": slug(title),
        "title": title,
        "procedure": procedure.name,
        "given": without_defaults(procedure.given, given),
        "expect": expect,
        "bears_out": list(dict.fromkeys(step.clause for step in verdict.steps)),
    }
    return yaml.safe_dump([example], sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)


def slug(title: str) -> str:
    """An id out of a title."""
    words = re.findall(r"[a-z0-9]+", title.casefold())
    return "-".join(words[:8]) or "example"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def percent(chance: Fraction) -> str:
    """A chance for people: exact where it is nothing or everything, else with one decimal."""
    if chance in (0, 1):
        return "0 %" if chance == 0 else "100 %"
    shown = f"{float(chance) * 100:.1f}"
    return "under 0.1 %" if shown == "0.0" else "over 99.9 %" if shown == "100.0" else f"{shown} %"


def examples_of(knowledge: Knowledge, game: str) -> Sequence[Any]:
    """The game's worked examples, in file order."""
    return [outcome.example for outcome in knowledge.proofs(game).outcomes.values()]
