"""Answers and terms as terminal text and as Markdown to copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.answer import COMPUTED, SILENT, WHICH_GAME, Answer
from kb.passage import Citation

if TYPE_CHECKING:
    from rich.console import Console

    from kb.termpage import TermPage

MARKS = {"holds": "✓", "differs": "✗", "cannot tell": "?"}


def headline(answer: Answer) -> str:
    """The answer in a line: verdict or value first."""
    if answer.status == SILENT:
        return "The rules here are silent."
    if answer.status == WHICH_GAME:
        return "Which game? The question fits several."
    parts = []
    if answer.verdict is not None:
        parts.append(answer.verdict.capitalize() + ".")
    if answer.value is not None:
        parts.append(f"{answer.value} {answer.unit}".strip() + ".")
    return " ".join(parts)


def markdown(answer: Answer) -> str:
    """The answer as Markdown: what `copy as quote` puts on the clipboard."""
    lines = [f"**{answer.question.strip()}**", ""]
    head = headline(answer)
    if head:
        lines += [head, ""]
    if answer.status == COMPUTED:
        lines += [f"- {step.says} (`{step.clause}`)" for step in answer.steps] + [""]
    for citation in answer.citations[:2]:
        lines += [*(f"> {line}" for line in citation.quote.splitlines()), f"> — {attribution(citation)}", ""]
    return "\n".join(lines).rstrip() + "\n"


def attribution(citation: Citation) -> str:
    """Where a quotation stands, for people."""
    replaced = f"; replaced by {', '.join(citation.superseded_by)}" if citation.superseded_by else ""
    return f"{citation.title} [{citation.badge}] {citation.passage}{replaced}"


def print_answer(answer: Answer, explain: bool = False) -> None:
    """Prints an answer for people."""
    console = _console()
    head = headline(answer)
    if head:
        console.print(head, style="bold green" if answer.verdict == "yes" else "bold")
    if answer.reading is not None and answer.reading.says:
        console.print(f"Read as: {answer.reading.says}", style="italic", markup=False)
    for line in _computed(answer):
        console.print(line, markup=False)
    if answer.undefined:
        console.print(answer.undefined, style="yellow", markup=False)
    if answer.missing and answer.status != SILENT:
        console.print(f"To compute it, say: {'; '.join(answer.missing)}", style="yellow", markup=False)
    for citation in answer.citations:
        _print_citation(console, citation)
    for choice in answer.games:
        console.print(f"\n{choice.title} (--game {choice.game})", style="bold")
        for citation in choice.citations[:2]:
            _print_citation(console, citation)
    if answer.status == SILENT:
        _print_silence(console, answer)
    for proof in answer.examples:
        console.print(f"  {MARKS.get(proof.status, '?')} example {proof.id}: {proof.title}", style="dim")
        for step in proof.steps:
            console.print(f"      {step.says}  ({step.clause})", style="dim", markup=False)
    for passage, status in answer.borne_out.items():
        console.print(f"  {passage}: {status} by its examples", style="dim")
    if answer.did_you_mean:
        console.print(f"Did you mean: {answer.did_you_mean}")
    if answer.status != SILENT:
        console.print(f"confidence {answer.confidence:.2f}", style="dim")
    if explain and answer.explain:
        _print_explanation(console, answer)


def _computed(answer: Answer) -> Iterator[str]:
    for number, step in enumerate(answer.steps, 1):
        yield f"  {number}. {step.says}  ({step.clause})"


def _print_silence(console: Console, answer: Answer) -> None:
    for what in answer.missing:
        console.print(f"  missing: {what}")
    if answer.nearest:
        console.print("Nearest passages (not an answer):", style="dim")
    for citation in answer.nearest:
        console.print(f"  {attribution(citation)}", style="dim", markup=False)


def _print_citation(console: Console, citation: Citation) -> None:
    from rich.padding import Padding
    from rich.text import Text

    quote = Text(citation.quote, style="strike" if citation.superseded_by else "")
    start, end = citation.deciding
    if end > start:
        quote.stylize("bold", start, end)
    console.print()
    console.print(Padding(quote, (0, 0, 0, 2)))
    console.print(f"  — {attribution(citation)}", style="cyan", markup=False)


def _print_explanation(console: Console, answer: Answer) -> None:
    from rich.table import Table

    rows = (answer.explain or {}).get("hits", [])
    if not rows:
        return
    table = Table(*rows[0], title="Ranking")
    for row in rows:
        table.add_row(*(f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)


def print_term(page: TermPage) -> None:
    """Prints a glossary term's page."""
    console = _console()
    default = f"  [default {page.default}]" if page.default else ""
    console.print(f"{page.term} ({page.game_title}){default}", style="bold", markup=False)
    console.print(f"  {page.definition}", markup=False)
    console.print(f"  — {page.badge}, {page.passage}", style="cyan", markup=False)
    if not page.defined:
        console.print("  The source uses this word and does not define it.", style="yellow")
    for label, values in (
        ("Also called", page.aliases),
        ("Points to", page.points_to),
        ("Pages this corpus does not have", page.missing),
        ("Mentions", page.mentions),
        ("Used in", [f"{use.passage}: {use.sentence}" for use in page.used_in]),
        ("Rulings", page.rulings),
    ):
        if values:
            console.print(f"{label}:", style="bold")
            for value in values:
                console.print(f"  {value}", markup=False, highlight=False)


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)
