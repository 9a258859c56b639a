"""Verdicts, odds and what-if tables as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from kb.engine.check import HOLDS, Outcome
from kb.engine.kernel import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure, Verdict
from kb.engine.odds import Odds, Spread
from kb.engine.report import value_text
from kb.errors import ExampleError
from kb.web.inputs import label, variable
from kb.web.site import Site
from kb.web.template import fill
from kb.web.trial import WhatIf, has_odds, percent

STATUS_WORDS = {RESOLVED: "", LEGAL: "Legal", ILLEGAL: "Illegal", UNDETERMINED: "Can't be told"}
SHORT = 4
"Charts with no more bars than this come first."
LONG_FRACTION = 100_000
"A fraction with a longer denominator tells nobody anything."


@dataclass(frozen=True, slots=True)
class Result:
    """One named result, for people."""

    label: str
    value: str
    help: str
    empty: bool


def results(procedure: Procedure, verdict: Verdict) -> list[Result]:
    """What came out, in the procedure's order; results that are nothing come with `empty`."""
    fields = {field.name: field for field in procedure.result}
    return [
        Result(label(fields[name]), words_for(value), fields[name].help, value in (None, [], (), {}, ""))
        for name, value in verdict.result.items()
        if name in fields
    ]


def verdict_html(procedure: Procedure, verdict: Verdict, site: Site) -> Markup:
    """The verdict with its steps, each at its passage."""
    return fill(
        "verdict",
        verdict=verdict,
        word="" if dice_open(procedure, verdict) else STATUS_WORDS[verdict.status],
        dice_open=dice_open(procedure, verdict),
        results=results(procedure, verdict),
        steps=[(step.says, site.title(step.clause), site.passage_url(step.clause)) for step in verdict.steps],
        forbidden=_named(site, verdict.forbidden_by),
    )


def dice_open(procedure: Procedure, verdict: Verdict) -> bool:
    """Whether nothing came out only because rolls were not given."""
    return has_odds(procedure) and verdict.status == UNDETERMINED and not verdict.steps


def words_for(value: Any) -> str:
    """A result for people: yes and no instead of true and false."""
    return ("yes" if value else "no") if isinstance(value, bool) else value_text(value)


def _named(site: Site, passage: str | None) -> tuple[str, str] | None:
    return (site.title(passage), site.passage_url(passage)) if passage else None


def refused_html(error: ExampleError) -> Markup:
    """What is still missing or not allowed in the form."""
    return fill("refused", error=error)


def outcome_html(outcome: Outcome, changed: bool) -> Markup:
    """How the example that the form began with turns out under the rules chosen."""
    differences = [(each.key, words_for(each.expected), words_for(each.got)) for each in outcome.differences]
    return fill(
        "outcome",
        outcome=outcome,
        holds=outcome.status == HOLDS,
        differences=differences,
        changed=changed,
    )


@dataclass(frozen=True, slots=True)
class Chart:
    """The chances of one result."""

    title: str
    mean: str | None
    rows: tuple[tuple[str, str, float, str], ...]
    "(value, chance, width of the bar in percent, exact fraction)."
    flat: bool
    "All values are equally likely: a roll as such, of which a picture tells nothing."


def odds_html(procedure: Procedure, odds: Odds) -> Markup:
    """A bar chart per result: a table whose cells are drawn as bars. Who and whether come before how much."""
    fields = {field.name: field for field in procedure.result}
    charts = [_chart(label(fields[name]), spread) for name, spread in odds.spreads.items()]
    charts.sort(key=lambda chart: (len(chart.rows) > SHORT, chart.mean is not None))
    several = [chart for chart in charts if len(chart.rows) > 1]
    return fill(
        "odds",
        charts=[chart for chart in several if not chart.flat],
        flat=[chart for chart in several if chart.flat],
        always=[chart for chart in charts if len(chart.rows) == 1],
    )


def _chart(title: str, spread: Spread) -> Chart:
    most = max(spread.chances.values())
    return Chart(
        title,
        None if spread.expected is None else f"{float(spread.expected):.2f}",
        tuple(
            (words_for(value), percent(chance), float(chance / most) * 100, _fraction(chance))
            for value, chance in spread.chances.items()
        ),
        len(set(spread.chances.values())) == 1 and len(spread.chances) > SHORT,
    )


def _fraction(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= LONG_FRACTION else ""


def what_if_html(procedure: Procedure, table: WhatIf) -> Markup:
    """The table of one varied value."""
    fields = {field.name: field for field in procedure.result}
    heads = [label(fields[name]) if name in fields else name.replace("_", " ").capitalize() for name in table.columns]
    means = [name.endswith(", on average") for name in table.columns]
    rows = [
        (words_for(value), now, [_cell(cell, mean) for cell, mean in zip(cells, means, strict=True)])
        for value, now, cells in table.rows
    ]
    return fill("whatif", varied=path_label(procedure, table.path), heads=heads, rows=rows)


def _cell(value: Any, mean: bool) -> tuple[str, float | None]:
    """(text, share for a bar) of a cell."""
    if isinstance(value, Fraction):
        return (f"{float(value):.2f}", None) if mean else (percent(value), float(value))
    return words_for(value), None


def path_label(procedure: Procedure, path: str) -> str:
    """A varied value for people: `Attacker: Might`."""
    owner, _, _ = path.rpartition(".")
    name = label(variable(procedure.given)[path])
    return f"{owner.replace('.', ' ').replace('_', ' ').capitalize()}: {name.lower()}" if owner else name
