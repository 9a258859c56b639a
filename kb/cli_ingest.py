"""`kb import` and `kb lint`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli_options import corpus_options, game_option, json_option, put

if TYPE_CHECKING:
    from kb.ingest.writer import Report

SHOWN = 25
"Findings that are printed; --json has them all."


@click.command("import")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…", type=click.Path(path_type=Path))
@click.option("--game", "-g", required=True, help="The game's short name: its folder in the corpus.")
@click.option("--to", type=click.Path(path_type=Path), help="Corpus folder [KB_CORPUS, else ./corpus].")
@click.option("--title", help="The game's title.")
@click.option("--format", "format_name", help="Take the sources for this format instead of looking at them.")
@click.option("--document", help="The document's title, as a citation names it.")
@click.option(
    "--authority",
    type=click.Choice(["rulebook", "official-faq", "clarification", "community", "house"]),
    default="rulebook",
    show_default=True,
)
@click.option("--url", help="Where the document stands.")
@click.option("--licence", help="The licence that it is under.")
@click.option("--owner", help="Who owns the game, as a sentence.")
@click.option("--force", is_flag=True, help="Overwrite pages that were edited by hand.")
@json_option
@corpus_options
def import_command(
    sources: tuple[Path, ...],
    game: str,
    to: Path | None,
    title: str | None,
    format_name: str | None,
    document: str | None,
    authority: str,
    url: str | None,
    licence: str | None,
    owner: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Turn documents into a corpus that a person can edit.

    SOURCE is a file or folder: plain text (tooltips that copying fused into sentences are taken out), numbered rules
    text, Markdown, HTML pages, a MediaWiki dump, a PDF or a BEIR corpus.jsonl. All or nothing is written.
    """
    from kb.ingest.draft import Options
    from kb.ingest.formats import import_sources
    from kb.ingest.writer import write_draft
    from kb.progress import progress_bar

    folder = to or Path(os.environ.get("KB_CORPUS") or "corpus")
    with progress_bar("Importing") as advance:
        options = Options(
            game=game,
            title=title,
            document=document,
            authority=authority,
            url=url,
            licence=licence,
            owner=owner,
            progress=advance,
        )
        report = write_draft(import_sources(sources, options, format_name), options, folder, force=force)
    if as_json:
        put(report.to_json())
    else:
        _show(report)


def _show(report: Report) -> None:
    kinds = ", ".join(_count(n, kind) for kind, n in report.passages.items())
    click.echo(f"{report.folder}: {_count(report.pages, 'page')} with {kinds or 'no passages'}")
    if report.words_in:
        left_out = f", {report.words_left_out:,} left out (see below)" if report.words_left_out else ""
        click.echo(f"words: {report.words_in:,} in the source, {report.words_out:,} in the corpus{left_out}")
    for names, what in (
        (report.kept, "edited by hand and kept"),
        (report.overwritten, "edited by hand and overwritten"),
        (report.gone, "ids of the earlier import that are gone"),
    ):
        if names:
            click.echo(f"{what}: {_some(names)}")
    if report.findings:
        click.echo(f"\n{_count(len(report.findings), 'finding')}:")
    for finding in report.findings[:SHOWN]:
        line = f":{finding.line}" if finding.line else ""
        mend = f" {finding.mend}." if finding.mend else ""
        place = f"{finding.where}{line}: " if finding.where else ""
        click.echo(f"  {place}{finding.what}.{mend}")
    if len(report.findings) > SHOWN:
        click.echo(f"  … and {len(report.findings) - SHOWN} more (--json lists them all)")
    root = report.folder.parent
    click.echo(f'\nnext: kb lint {report.folder}\n      kb ask --corpus {root} --game {report.game} "…"')


def _count(number: int, noun: str) -> str:
    plural = noun if number == 1 or noun in ("undefined", "faq") else f"{noun}s"
    return f"{number:,} {plural}"


def _some(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


@click.command()
@click.argument("directory", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@game_option
@json_option
@corpus_options
def lint(directory: Path | None, game: str | None, as_json: bool) -> None:
    """Check a corpus and say what to mend.

    DIR is a corpus folder or one game's folder. Exit code 1 when there are findings.
    """
    from kb.linter import lint as run

    faults = run(directory, game)
    if as_json:
        put({"ok": not faults, "findings": [fault.to_json() for fault in faults]})
    else:
        for fault in faults:
            click.echo(str(fault))
        click.echo(_count(len(faults), "finding") if faults else "no findings", err=bool(faults))
    sys.exit(1 if faults else 0)


COMMANDS = [import_command, lint]
