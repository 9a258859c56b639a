"""`kb check`, `kb run`, `kb odds` and `kb pin`: the engine on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from kb.cli_options import corpus_options, game_option, json_option, put
from kb.errors import UsageError


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--as-printed, --without and --house: which rules are in force."""
    for option in (
        click.option("--house", type=click.Path(path_type=Path), help="A file of house rules."),
        click.option("--without", multiple=True, metavar="CLAUSE", help="Switch a clause off (repeatable)."),
        click.option("--as-printed", is_flag=True, help="Rules as first printed, without what replaces them."),
    ):
        function = option(function)
    return function


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH…]")
@click.option("--coverage", is_flag=True, help="Passages without a clause, clauses and rulings without an example.")
@click.option("--mutate", is_flag=True, help="Switch each clause off in turn; one that no example misses survives.")
@rule_options
@game_option
@json_option
@corpus_options
def check(
    paths: tuple[str, ...],
    coverage: bool,
    mutate: bool,
    as_printed: bool,
    without: tuple[str, ...],
    house: Path | None,
    game: str | None,
    as_json: bool,
) -> None:
    """Run the worked examples and say which hold.

    PATH is a file or folder of examples, or a game's name; without any, all examples of the corpus are run.
    """
    from kb.corpus import load_corpus
    from kb.engine import report
    from kb.engine.bench import open_bench

    bench = open_bench(load_corpus(), paths, game=game, as_printed=as_printed, without=without, house=house)
    result = bench.to_json() if as_json else {}
    ok = bench.all_hold
    if not as_json:
        report.show_lines(report.check_lines(bench))
    if as_printed or without or house:
        _add(result, "changed", _changed_json(bench), report.changed_lines(bench), as_json)
    if coverage:
        covered = bench.coverage()
        ok &= all(each.complete for each in covered)
        lines = (line for each in covered for line in report.coverage_lines(each))
        _add(result, "coverage", [each.to_json() for each in covered], lines, as_json)
    if mutate:
        mutations = bench.mutations()
        ok &= not any(each.survived for each in mutations)
        _add(result, "mutations", [each.to_json() for each in mutations], report.mutation_lines(mutations), as_json)
    if as_json:
        put(result | {"ok": ok})
    sys.exit(0 if ok else 1)


def _add(result: dict[str, Any], key: str, value: Any, lines: Any, as_json: bool) -> None:
    """One more part of the report: into the JSON, or printed."""
    from kb.engine.report import show_lines

    if as_json:
        result[key] = value
    else:
        show_lines([("", "")])
        show_lines(lines)


def _changed_json(bench: Any) -> list[dict[str, Any]]:
    return [
        {"id": was.example.id, "game": was.example.game, "as_amended": was.to_json(), "now": now.to_json()}
        for was, now in bench.changed()
    ]


@click.command()
@click.argument("name", required=False, metavar="[PROCEDURE]")
@click.option("--given", "source", metavar="FILE|-", help="YAML or JSON with the values; - is standard input.")
@rule_options
@game_option
@json_option
@corpus_options
def run(
    name: str | None,
    source: str | None,
    as_printed: bool,
    without: tuple[str, ...],
    house: Path | None,
    game: str | None,
    as_json: bool,
) -> None:
    """Run one procedure on given values; without a name, list the procedures.

    Exit codes: 0 there is a verdict; 1 it cannot be told, something is missing; 2 the values are not well formed.
    """
    from kb.corpus import load_corpus
    from kb.engine import kernel, plugins, report
    from kb.engine.bench import rules_for

    if name is None or source is None:
        _list_procedures(name, game, as_json)
        return
    procedure = plugins.procedure(name)
    rules = rules_for(load_corpus(), as_printed=as_printed, without=without, house=house)
    verdict = kernel.run(procedure, _given(source), rules)
    if as_json:
        put(verdict.to_json())
    else:
        report.show_lines(report.verdict_lines(verdict))
    sys.exit(1 if verdict.status == kernel.UNDETERMINED else 0)


@click.command()
@click.argument("name", metavar="PROCEDURE")
@click.option("--given", "source", metavar="FILE|-", help="YAML or JSON; rolls that are not given are run over.")
@rule_options
@json_option
@corpus_options
def odds(
    name: str, source: str | None, as_printed: bool, without: tuple[str, ...], house: Path | None, as_json: bool
) -> None:
    """Exact chances over all rolls of a procedure. Without --given, its defaults."""
    from kb.corpus import load_corpus
    from kb.engine import plugins, report
    from kb.engine.bench import rules_for
    from kb.engine.odds import odds as odds_of

    procedure = plugins.procedure(name)
    rules = rules_for(load_corpus(), as_printed=as_printed, without=without, house=house)
    result = odds_of(procedure, _given(source) if source else {}, rules)
    if as_json:
        put(result.to_json())
    else:
        report.show_lines(report.odds_lines(result, procedure))


@click.command()
@click.argument("clauses", nargs=-1, metavar="[CLAUSE…]")
@game_option
@json_option
@corpus_options
def pin(clauses: tuple[str, ...], game: str | None, as_json: bool) -> None:
    """Record that clauses have been read against their passages: these, else all of them."""
    from kb.corpus import load_corpus
    from kb.engine import pins
    from kb.engine.bench import clauses_in, games_of
    from kb.engine.house import find_clauses

    corpus = load_corpus()
    only = find_clauses(clauses, clauses_in(corpus))
    games = [each for each in games_of(corpus, game) if not only or any(c.startswith(f"{each}/") for c in only)]
    renewed = {each: pins.pin(each, corpus.passages, corpus.directory, only) for each in games}
    if as_json:
        put({"renewed": {each: list(changed) for each, changed in renewed.items()}})
        return
    for each, changed in renewed.items():
        click.echo(f"{each}: {len(changed)} pins renewed" if changed else f"{each}: every pin fits")
        for clause in changed:
            click.echo(f"  {clause}")


def _given(source: str) -> Mapping[str, Any]:
    """The values of a YAML or JSON file, or of standard input."""
    from kb.engine.documents import parse

    try:
        with click.open_file(source, encoding="utf-8-sig") as file:
            given = parse(file.read(), "standard input" if source == "-" else source)
    except OSError as fault:
        raise UsageError(f"{source} can't be read ({fault.strerror})", "Name a YAML or JSON file, or -") from None
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not UTF-8", "Save it as UTF-8 and try again") from None
    if not isinstance(given, Mapping):
        raise UsageError(f"{source} holds no mapping", "Write one `field: value` per line")
    return given


def _list_procedures(name: str | None, game: str | None, as_json: bool) -> None:
    from kb.engine import plugins, report

    found = [plugins.procedure(name)] if name else list(plugins.procedures(game).values())
    if as_json:
        put([report.procedure_json(each) for each in found])
        return
    for each in found:
        report.show_lines(report.procedure_lines(each))


COMMANDS = [check, run, odds, pin]
