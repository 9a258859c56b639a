"""The command line: one short function per verb. What a command does lives below; this reads options and prints."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from kb.cli_options import corpus_options, game_option, json_option, put
from kb.errors import KBError, UsageError

# Verbs that live in modules of their own; loaded when they are used, so that `kb --help` is at once.
_ELSEWHERE = {
    "check": ("kb.cli_engine", "Run the worked examples and say which hold."),
    "run": ("kb.cli_engine", "Run one procedure on given values."),
    "odds": ("kb.cli_engine", "Exact chances over all rolls of a procedure."),
    "pin": ("kb.cli_engine", "Record that a clause has been read against its passage."),
    "import": ("kb.cli_ingest", "Turn documents into a corpus that a person can edit."),
    "lint": ("kb.cli_ingest", "Check a corpus and say what to mend."),
    "eval": ("kb.cli_eval", "Score question sets and draw the risk/coverage curve."),
}


class _Lazy(click.Group):
    """A group whose commands are imported when they are needed, and whose errors are one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module = importlib.import_module(_ELSEWHERE[cmd_name][0])
        return next((command for command in module.COMMANDS if command.name == cmd_name), None)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.list_commands(ctx):
            from difflib import get_close_matches

            close = get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f"Did you mean `kb {close[0]}`?" if close else "`kb --help` lists the commands."
            ctx.fail(f"there is no command {args[0]!r}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = {name: command.get_short_help_str(70) for name, command in self.commands.items()}
        rows = own | {name: summary for name, (_, summary) in _ELSEWHERE.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(rows.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KBError as error:
            click.echo(f"kb: {error}", err=True)
            ctx.exit(2)
        except BrokenPipeError:
            # The reader went away (`kb passages | head`): that is no fault.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="rules-kb", prog_name="kb")
def main() -> None:
    """Cited answers to tabletop rules questions, proved by worked examples.

    Exit codes: 0 answered, or all hold; 1 silent, or something falls short; 2 wrong use or broken input.
    """


@main.command()
@click.argument("text", nargs=-1)
@click.option(
    "--batch", type=click.Path(allow_dash=True), help='JSON lines {"id","text","game"?}; - is standard input.'
)
@click.option("-k", "count", default=5, show_default=True, type=click.IntRange(1, 50), help="Passages at most.")
@click.option("--as-printed", is_flag=True, help="Rules as first printed, without what replaces them.")
@click.option("--explain", is_flag=True, help="Show how the ranking came about.")
@game_option
@json_option
@corpus_options
def ask(
    text: tuple[str, ...],
    batch: str | None,
    count: int,
    as_printed: bool,
    explain: bool,
    game: str | None,
    as_json: bool,
) -> None:
    """Answer a question with the passages that settle it."""
    from kb.knowledge import open_knowledge
    from kb.render import print_answer

    if bool(text) == bool(batch):
        raise UsageError(
            "give a question, or --batch with a file of questions", 'Try: kb ask "can I move while engaged"'
        )
    knowledge = open_knowledge()
    rows: Iterable[dict[str, Any]] = _batch(batch) if batch else [{"text": " ".join(text)}]
    silent = False
    for row in rows:
        answer = knowledge.ask(
            row["text"], game=row.get("game") or game, k=count, as_printed=as_printed, explain=explain
        )
        silent |= answer.status == "silent"
        if batch or as_json:
            put(answer.to_json() | {"id": row.get("id")})
        else:
            print_answer(answer, explain=explain)
    if silent and not batch:
        sys.exit(1)


def _batch(source: str) -> Iterator[dict[str, Any]]:
    """The questions of a batch, each checked."""
    try:
        with click.open_file(source, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _batch_row(line, source, number)
    except OSError as error:
        raise UsageError(f"{source} can't be read ({error.strerror})", "Name a file of JSON lines, or -") from None
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not UTF-8", "Save it as UTF-8 and try again") from None


def _batch_row(line: str, source: str, number: int) -> dict[str, Any]:
    mend = 'Write one {"id": …, "text": "…", "game": …} per line'
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"this is not JSON ({error})", mend, where=source, line=number) from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise UsageError("no text in this line", mend, where=source, line=number)
    if not isinstance(row.get("game"), str | None):
        raise UsageError("game is no text", mend, where=source, line=number)
    return row


@main.command()
@click.argument("name", nargs=-1, required=True)
@game_option
@json_option
@corpus_options
def term(name: tuple[str, ...], game: str | None, as_json: bool) -> None:
    """Show a glossary term: definition, default, where it is used, what it points to."""
    from kb.knowledge import open_knowledge
    from kb.render import print_term

    for page in open_knowledge().term(" ".join(name), game=game):
        if as_json:
            put(page.to_json())
        else:
            print_term(page)


@main.command()
@game_option
@json_option
@click.option("--kind", help="Only passages of this kind.")
@corpus_options
def passages(game: str | None, kind: str | None, as_json: bool) -> None:
    """List every passage of the corpus."""
    from kb.corpus import load_corpus

    corpus = load_corpus()
    name = corpus.game(game).name if game else None
    for passage in corpus.passages:
        if name in (None, passage.game) and kind in (None, passage.kind):
            if as_json:
                put(passage.to_json())
            else:
                click.echo(f"{passage.id}  [{passage.kind}, {passage.source.badge}]  {passage.title}")


@main.command()
@click.option("--model", help="A sentence-transformers model: its name or folder.")
@click.option("--force", is_flag=True, help="Rebuild even where nothing changed.")
@json_option
@corpus_options
def build(model: str | None, force: bool, as_json: bool) -> None:
    """Build or refresh the search index."""
    from kb.knowledge import build_index

    report = build_index(model=model, force=force)
    if as_json:
        put(report)
    else:
        click.echo(
            f"{report['passages']} passages of {report['games']} games, {report['embedded']} texts embedded, "
            f"{report['reused']} reused, in {report['seconds']:.1f} s: {report['directory']}"
        )
        for game in report["unlearned"]:
            click.echo(
                f"{game}: more phrasings than are learned from. Each is still searched; "
                "take out those that say the same to have what they have in common learned again.",
                err=True,
            )


@main.command()
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets the table's phones in.")
@click.option("--open/--no-open", "open_browser", default=True, help="Open a browser.")
@corpus_options
def serve(port: int, host: str, open_browser: bool) -> None:
    """Run the browser app."""
    from kb.web.serve import serve as run_app

    run_app(host, port, open_browser)


if __name__ == "__main__":
    main()
