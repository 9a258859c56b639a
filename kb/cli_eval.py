"""`kb eval`: question sets and BEIR folders, scored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli_options import corpus_options, json_option, put
from kb.errors import UsageError

if TYPE_CHECKING:
    from kb.evaluate import Graded, Item
    from kb.knowledge import Knowledge


@click.command(name="eval")
@click.argument("files", nargs=-1, metavar="[QUESTIONS.jsonl…]", type=click.Path(path_type=Path))
@click.option(
    "--beir",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="CORPUS_DIR QUERIES_DIR",
    help="Score the retrieval on a BEIR corpus and its judged queries.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Draw risk/coverage and reliability (PNG or SVG).")
@click.option("--calibrate", is_flag=True, help="Fit when the corpus answers on these questions; written into it.")
@click.option(
    "--unseen",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="QUESTIONS.jsonl",
    help="With --calibrate: questions by which the corpus was not written; how sure a verdict is, is fitted on these.",
)
@click.option("--misses", is_flag=True, help="List what went wrong.")
@json_option
@corpus_options
def evaluate(
    files: tuple[Path, ...],
    beir: tuple[Path, Path] | None,
    picture: Path | None,
    calibrate: bool,
    unseen: tuple[Path, ...],
    misses: bool,
    as_json: bool,
) -> None:
    """Score question sets: citations, verdicts, values, silence, per game and per type."""
    if unseen and not calibrate:
        raise UsageError("--unseen is for --calibrate", "Name the questions without it to score them")
    if bool(files) == bool(beir):
        raise UsageError("name question files, or --beir with two folders", "Try: kb eval benchmarks/questions/*.jsonl")
    if beir:
        _beir(*beir, as_json=as_json)
        return
    from kb.evaluate import draw, grade_all, load_items, reliability, risk_coverage, tables
    from kb.knowledge import open_knowledge
    from kb.progress import progress_bar

    knowledge = open_knowledge()
    items = [item for path in files for item in load_items(path)]
    if calibrate:
        more = [item for path in unseen for item in load_items(path)]
        _calibrate(knowledge, items, more, ", ".join(path.name for path in (*files, *unseen)))
        return
    started = time.perf_counter()
    with progress_bar("Asking") as advance:
        graded = grade_all(lambda text, game: knowledge.ask(text, game), items, advance)
    seconds = time.perf_counter() - started
    if picture:
        draw(graded, picture)
    found = tables(graded)
    if as_json:
        put(
            {
                "scores": [{"label": s.label, **{m: v for m, (v, _) in s.means.items()}} for s in found],
                "misses": [{"id": g.item.id, "text": g.item.text, "fault": g.fault} for g in graded if g.fault],
                "risk_coverage": [asdict(point) for point in risk_coverage(graded)],
                "reliability": reliability(graded),
                "questions": len(graded),
                "seconds": round(seconds, 3),
            }
        )
        return
    _print(found, f"{len(graded)} questions, {1000 * seconds / len(graded):.1f} ms each")
    if misses:
        for line in _misses(graded):
            click.echo(line)


def _calibrate(knowledge: Knowledge, items: Sequence[Item], unseen: Sequence[Item], source: str) -> None:
    from kb.answering import samples
    from kb.calibrate import fit, to_yaml
    from kb.calibration import PLAIN
    from kb.progress import progress_bar

    knowledge.calibration = PLAIN  # what is fitted does not depend on it, and the one at hand may be unreadable
    with progress_bar("Asking") as advance:
        both = [*items, *unseen]
        taken = list(samples(knowledge, both, advance, len(unseen) or len(both)))
    found = fit(taken, f"{len(both)} questions: {source}")
    path = knowledge.directory / "calibration.yaml"
    path.write_text(to_yaml(found), encoding="utf-8")
    click.echo(
        f"{path}: silence {found.silence:.3f}, false silence {found.false_silence:.3f}, verdict {found.verdict:.3f}, "
        f"wrong verdict {found.wrong_verdict:.3f}, each on questions not fitted on"
    )


def _misses(graded: Sequence[Graded]) -> Iterator[str]:
    for each in graded:
        if each.fault:
            yield f"{each.item.id} [{each.item.game}/{each.item.type}] {each.item.text!r}: {each.fault}"


def _print(found: Sequence[Any], caption: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from kb.evaluate import MEASURES

    table = Table("", *MEASURES, caption=caption)
    for row in found:
        cells = (f"{row.means[m][0]:.3f} /{row.means[m][1]}" if m in row.means else "" for m in MEASURES)
        table.add_row(row.label, *cells)
    Console(width=150).print(table)


def _beir(corpus: Path, queries: Path, as_json: bool) -> None:
    from kb import beir
    from kb.build import ensure
    from kb.knowledge import index_beside
    from kb.progress import progress_bar
    from kb.question import Question
    from kb.retrieval import Retriever, document

    found = beir.judged(queries)
    with progress_bar("Building the index") as advance:
        index = ensure(
            beir.digest(corpus),
            lambda: map(document, beir.passages(corpus)),
            index_beside(corpus),
            progress=advance,
        )
    retriever = Retriever(index)
    started = time.perf_counter()
    runs = {
        query: [(hit.passage.ref or "", hit.score) for hit in retriever.search(Question(text), corpus.name, 10)]
        for query, text in found.queries.items()
    }
    seconds = time.perf_counter() - started
    measures = beir.measure(found, runs)
    if as_json:
        put({"set": found.name, "queries": len(runs), **measures, "seconds": round(seconds, 3)})
        return
    click.echo(f"{found.name}: {len(runs)} queries, {1000 * seconds / len(runs):.1f} ms each")
    for name, value in measures.items():
        click.echo(f"  {name:10} {value:.4f}")


COMMANDS = [evaluate]
