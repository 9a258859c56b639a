"""Verdicts, checks and odds as terminal text. Alone in the engine in knowing rich, which it imports late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kb.engine.bench import Bench
from kb.engine.check import BORNE_OUT, CANNOT_TELL, CONTRADICTED, DIFFERS, HOLDS, UNTESTED, Outcome
from kb.engine.coverage import Coverage, Mutation
from kb.engine.fields import Field, show
from kb.engine.kernel import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure, Verdict
from kb.engine.odds import Odds, Spread

if TYPE_CHECKING:
    from rich.console import Console

MARKS = {HOLDS: "✓", DIFFERS: "✗", CANNOT_TELL: "?", BORNE_OUT: "✓", CONTRADICTED: "✗", UNTESTED: "·"}
STYLES = {
    HOLDS: "green", DIFFERS: "bold red", CANNOT_TELL: "yellow", BORNE_OUT: "green", CONTRADICTED: "bold red",
    UNTESTED: "yellow", RESOLVED: "bold", LEGAL: "bold green", ILLEGAL: "bold red", UNDETERMINED: "bold yellow",
}  # fmt: skip
BAR = 40
"Columns of the longest bar."
LONG = 1_000_000
"Fractions with longer denominators tell nobody anything; `--json` has them."


def value_text(value: Any) -> str:
    """A result as a person reads it; nothing reads `none`."""
    if value is None or value in ("", [], (), {}):
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_text(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(
            f"({value_text(e)})" if isinstance(e, list | tuple | Mapping) else value_text(e) for e in value
        )
    return value if isinstance(value, str) else show(value)


def verdict_lines(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """(text, style) per line: what came out, then a step per clause."""
    yield f"{verdict.procedure}: {verdict.status} ({verdict.rules})", STYLES[verdict.status]
    if verdict.forbidden_by:
        yield f"  forbidden by {verdict.forbidden_by}", ""
    for missing in verdict.missing:
        yield f"  missing: {missing}", "yellow"
    for name, value in verdict.result.items():
        yield f"  {name}: {value_text(value)}", ""
    for number, step in enumerate(verdict.steps, 1):
        yield f"  {number}. {step.says}  [{step.clause}]", "dim"


def outcome_lines(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """(text, style) per line: one for an example that holds; expected, got and the steps for one that does not."""
    example = outcome.example
    yield f"{MARKS[outcome.status]} {example.game}/{example.id}: {example.title}", STYLES[outcome.status]
    if outcome.status == HOLDS:
        return
    yield f"    {outcome.status} ({example.file}:{example.line})", STYLES[outcome.status]
    for each in outcome.differences:
        if each.key == "error" and each.expected is None:
            yield f"    refused: {each.got}", ""
        else:
            yield f"    {each.key}: expected {value_text(each.expected)}, got {value_text(each.got)}", ""
    if outcome.verdict:
        for text, style in verdict_lines(outcome.verdict):
            yield f"    {text}", style


def check_lines(bench: Bench) -> Iterator[tuple[str, str]]:
    """(text, style) per line of `kb check`."""
    for outcome in bench.outcomes:
        yield from outcome_lines(outcome)
    for ruling in bench.rulings():
        named = ", ".join(name for name, _ in ruling.examples)
        text = f"{MARKS[ruling.state]} {ruling.state}: {ruling.passage} ({ruling.title})"
        yield f"{text} by {named}" if named else text, STYLES[ruling.state]
    count = {status: sum(o.status == status for o in bench.outcomes) for status in (HOLDS, DIFFERS, CANNOT_TELL)}
    words = {HOLDS: ("holds", "hold"), DIFFERS: ("differs", "differ"), CANNOT_TELL: (CANNOT_TELL, CANNOT_TELL)}
    summary = ", ".join(f"{number} {words[status][number > 1]}" for status, number in count.items() if number)
    yield f"{summary} ({bench.rules.label})", "bold green" if bench.all_hold else "bold red"


def changed_lines(bench: Bench) -> Iterator[tuple[str, str]]:
    """(text, style) per example that turns out differently than under the rules as amended."""
    pairs = bench.changed()
    yield f"{len(pairs)} of {len(bench.outcomes)} examples turn out differently than as amended:", "bold"
    for was, now in pairs:
        yield f"  {was.example.game}/{was.example.id}: {was.example.title}", ""
        yield f"    as amended: {_essence(was)}", ""
        yield f"    {bench.rules.label}: {_essence(now)}", ""


def _essence(outcome: Outcome) -> str:
    if outcome.verdict is None:
        return f"refused: {outcome.error}"
    verdict = outcome.verdict
    parts = [verdict.status, *(f"missing {each}" for each in verdict.missing)]
    parts += [f"{key} {value_text(verdict.result[key])}" for key in outcome.example.expect if key in verdict.result]
    return ", ".join(parts) + (f" (forbidden by {verdict.forbidden_by})" if verdict.forbidden_by else "")


def coverage_lines(coverage: Coverage) -> Iterator[tuple[str, str]]:
    """(text, style) per line of a game's coverage."""
    yield (
        f"{coverage.game}: {'complete' if coverage.complete else 'incomplete'}",
        ("bold green" if coverage.complete else "bold red"),
    )
    for passages, what in (
        (coverage.uncovered, "no clause carries it out, and coverage.yaml does not say why"),
        (coverage.stale_excuses, "excused in coverage.yaml, although a clause carries it out"),
        (coverage.without_passage, "a clause carries it out, but the corpus has no such passage"),
        (coverage.unexercised, "its clause acts in no example"),
        (coverage.unproved, "no example bears it out"),
    ):
        for passage in passages:
            yield f"  ✗ {passage}: {what}", "red"
    for passage, reason in coverage.excused.items():
        yield f"  not mechanical: {passage}: {reason}", "dim"


def mutation_lines(mutations: Iterable[Mutation]) -> Iterator[tuple[str, str]]:
    """(text, style) per clause: how many examples notice that it is off."""
    survivors = 0
    for each in mutations:
        survivors += each.survived
        if each.survived:
            yield f"✗ {each.clause}: no example notices that it is switched off", "bold red"
        else:
            shown = ", ".join(each.noticed_by[:3]) + (" …" if len(each.noticed_by) > 3 else "")
            yield f"✓ {each.clause}: noticed by {len(each.noticed_by)} ({shown})", "green"
    yield f"{survivors or 'no'} survivor{'' if survivors == 1 else 's'}", "bold red" if survivors else "bold green"


def odds_lines(odds: Odds, procedure: Procedure) -> Iterator[tuple[str, str]]:
    """(text, style) per line: a bar chart per result, who wins before how much."""
    yield f"{odds.procedure}: {procedure.title} ({odds.rules})", "bold"
    for spread in sorted(odds.spreads.values(), key=lambda each: any(type(value) is int for value in each.chances)):
        yield from _spread_lines(spread)


def _spread_lines(spread: Spread) -> Iterator[tuple[str, str]]:
    mean = "" if spread.expected is None else f": expected {float(spread.expected):.4g}"
    if len(spread.chances) == 1:
        yield f"{spread.name}: always {value_text(next(iter(spread.chances)))}", ""
        return
    yield f"{spread.name}{mean}", "bold"
    most = max(spread.chances.values())
    width = max(len(value_text(value)) for value in spread.chances)
    for value, chance in spread.chances.items():
        bar = "█" * max(1, round(BAR * chance / most))
        exact = f"  {chance}" if chance.denominator < LONG else ""
        yield f"  {value_text(value):>{width}}  {float(chance):7.2%}  {bar}{exact}", ""


def procedure_lines(procedure: Procedure, fields: bool = True) -> Iterator[tuple[str, str]]:
    """(text, style) per line: what a procedure takes and yields."""
    yield f"{procedure.name}: {procedure.title}", "bold"
    if fields:
        yield "  given:", ""
        yield from ((f"    {line}", "") for line in _field_lines(procedure.given))
        yield "  result:", ""
        yield from ((f"    {line}", "") for line in _field_lines(procedure.result, given=False))


def procedure_json(procedure: Procedure) -> dict[str, Any]:
    """The plain dict of `kb run --json` without a procedure's input: what it takes and yields."""
    given = [_field_json(each, given=True) for each in procedure.given]
    result = [_field_json(each, given=False) for each in procedure.result]
    return {"name": procedure.name, "title": procedure.title, "given": given, "result": result}


def _field_json(field: Field, given: bool) -> dict[str, Any]:
    described: dict[str, Any] = {"name": field.name, "kind": field.kind, "allowed": field.allowed}
    if given:
        described["required"] = field.required
        if not field.required:
            described["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    bounds = {"low": field.low, "high": field.high, "sides": field.die}
    described |= {key: value for key, value in bounds.items() if value is not None}
    words = {"unit": field.unit, "choices": list(field.choices), "help": field.help}
    described |= {key: value for key, value in words.items() if value}
    if field.fields:
        described["fields"] = [_field_json(each, given) for each in field.fields]
    if field.item is not None:
        described["item"] = _field_json(field.item, given)
    return described


def _field_lines(fields: Iterable[Field], given: bool = True, depth: int = 0) -> Iterator[str]:
    for field in fields:
        default = f", default {value_text(field.default)}" if given and not field.required and not field.fields else ""
        needed = ", required" if given and field.required else ""
        helped = f": {field.help}" if field.help else ""
        yield f"{'  ' * depth}{field.name or 'each'} ({field.allowed}{default}{needed}){helped}"
        yield from _field_lines(field.fields, given, depth + 1)
        if field.item is not None and (field.item.fields or field.item.help):
            yield from _field_lines([field.item], given, depth + 1)


def show_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Prints lines; colours only where the terminal has them."""
    console = _console()
    for text, style in lines:
        console.print(text, style=style or None, markup=False, highlight=False, soft_wrap=True)


def _console() -> Console:
    from rich.console import Console

    return Console()
