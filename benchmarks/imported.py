"""Imports source texts into a fresh corpus, asks a question set of it, and compares every figure with the source.

usage: python benchmarks/imported.py SOURCES QUESTIONS.jsonl [--show] [--min-cite3 0.85]

SOURCES is a folder of texts named `<game>-….txt`. QUESTIONS has `{"id","game","scope","type","text","gold"}` per line,
with gold ids of the bundled corpora; `imported_ids.yaml` says which imported passages say the same. The corpus is what
`kb import` makes of the texts, nothing added by hand.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from kb.corpus import load_corpus
from kb.ingest.dates import iso_date
from kb.ingest.draft import Options
from kb.ingest.formats import import_sources
from kb.ingest.writer import write_draft

IDS = Path(__file__).with_name("imported_ids.yaml")
WORD = re.compile(r"[+−-]?\d+|[^\W\d_]+(?:['’][^\W\d_]+)*")
FIGURE_OR_MODAL = re.compile(
    r"[+−-]?\d+|may|must|can|cannot|can't|could|might|shall|should|will|would|wouldn't|won't|not|never|no|only|unless|up"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--show", action="store_true", help="print the questions that were missed")
    parser.add_argument("--min-cite3", type=float, default=0.85)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch) / "corpus"
        complete = [import_text(path, corpus) for path in sorted(options.sources.glob("*.txt"))]
        rows = [json.loads(line) for line in options.questions.read_text(encoding="utf-8").splitlines() if line.strip()]
        rows = [row for row in rows if row["game"] in {path.name for path in corpus.iterdir()}]
        answers = ask(rows, corpus, Path(scratch) / "index")
        measures = score(rows, answers, load_ids(corpus), options.show)
    print("  ".join(f"{name} {value:.3f}" for name, value in measures.items()))
    if not all(complete) or measures["cite@3"] < options.min_cite3 or measures["leak"] > 0:
        sys.exit(1)


def import_text(source: Path, corpus: Path) -> bool:
    """Imports a text, prints what became of it, and says whether each of its figures and modals came through."""
    game = source.stem.split("-")[0]
    options = Options(game=game)
    report = write_draft(import_sources([source], options), options, corpus)
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(report.folder.glob("*.md")))
    lost = lost_figures(source.read_text(encoding="utf-8"), text)
    kinds = ", ".join(f"{count} {kind}" for kind, count in report.passages.items())
    print(f"{source.name}: {kinds}; {len(report.findings)} findings; figures and modals lost: {lost or 'none'}")
    return not lost


def lost_figures(source: str, imported: str) -> list[str]:
    """The source's figures and modals that the imported text has with neither of their neighbours."""
    # What the import reads and writes in another form: dates, marks of questions and answers, links without address.
    source = re.sub(
        r"\b[A-Z][a-z]{2,8} (?:\d{1,2}, )?\d{4}\b", lambda match: iso_date(match.group()) or match.group(), source
    )
    source = re.sub(r"^(?:[QA](?: \([^)]*\))?:|Source.{0,12}$)", "", source, flags=re.M)
    imported = re.sub(r"\{#[^{}]*?(?:default=(\S+?))?\}", r"\1", imported)
    before, after = WORD.findall(source.casefold()), WORD.findall(imported.casefold())
    pairs = set(pairwise(after))
    ends = {after[-1]}
    lost = []
    for n, word in enumerate(before):
        around = [pair for pair in (tuple(before[n - 1 : n + 1]), tuple(before[n : n + 2])) if len(pair) == 2]
        if FIGURE_OR_MODAL.fullmatch(word) and not any(pair in pairs for pair in around) and word not in ends:
            lost.append(" ".join(before[max(0, n - 2) : n + 3]))
    return lost


def load_ids(corpus: Path) -> Mapping[str, Sequence[str]]:
    """The table of ids; each imported id in it must exist."""
    table: dict[str, list[str]] = yaml.safe_load(IDS.read_text(encoding="utf-8"))
    there = {p.id for p in load_corpus(corpus).passages}
    games = {name.split("/")[0] for name in there}
    gone = {i for ids in table.values() for i in ids if i.split("/")[0] in games} - there
    if gone:
        sys.exit(f"{IDS.name} names passages that the import no longer makes: {sorted(gone)}")
    return table


def ask(rows: Iterable[dict[str, Any]], corpus: Path, index: Path) -> dict[str, dict[str, Any]]:
    """The answers of `kb ask --batch`, by question id."""
    lines = [
        json.dumps({"id": row["id"], "text": row["text"], **({"game": row["game"]} if row["scope"] == "game" else {})})
        for row in rows
    ]
    done = subprocess.run(
        [sys.executable, "-m", "kb.cli", "ask", "--batch", "-", "--json"],
        input="\n".join(lines) + "\n",
        text=True,
        capture_output=True,
        env={**os.environ, "KB_CORPUS": str(corpus), "KB_INDEX": str(index)},
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"kb ask failed: {done.stderr.strip()}")
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def score(
    rows: Sequence[dict[str, Any]], answers: Mapping[str, dict[str, Any]], ids: Mapping[str, Sequence[str]], show: bool
) -> dict[str, float]:
    """cite@1, cite@3, silence where nothing settles it, and leaks between games.

    found@3 also counts the passages that a silent answer names as the nearest.
    """
    counts: Counter[str] = Counter()
    for row in rows:
        answer = answers[row["id"]]
        cited = citations(answer, row["game"])
        counts["asked of a game"] += row["scope"] == "game"
        counts["leak"] += row["scope"] == "game" and any(not c.startswith(f"{row['game']}/") for c in cited)
        if row["type"] == "unanswerable":
            counts["unanswerable"] += 1
            counts["silent"] += answer["status"] in ("silent", "which-game")
            continue
        gold = {imported for bundled in row["gold"] for imported in ids.get(bundled, ())}
        counts["answerable"] += 1
        counts["first"] += bool(cited) and cited[0] in gold
        counts["third"] += any(c in gold for c in cited[:3])
        nearest = [c["passage"] for c in answer.get("nearest") or ()]
        counts["found"] += any(c in gold for c in (cited or nearest)[:3])
        if show and not any(c in gold for c in cited[:3]):
            print(f"  {row['id']} {answer['status']}: {row['text']}\n    wanted {sorted(gold)}\n    cited  {cited[:3]}")
    return {
        "questions": float(len(rows)),
        "cite@1": counts["first"] / counts["answerable"],
        "cite@3": counts["third"] / counts["answerable"],
        "found@3": counts["found"] / counts["answerable"],
        "silence": counts["silent"] / max(1, counts["unanswerable"]),
        "leak": counts["leak"] / max(1, counts["asked of a game"]),
    }


def citations(answer: Mapping[str, Any], game: str) -> list[str]:
    """The passages cited, those of the game's own list where the answer asks which game is meant."""
    if answer["status"] == "which-game":
        return [c["passage"] for each in answer["games"] if each["game"] == game for c in each["citations"]]
    return [] if answer["status"] == "silent" else [c["passage"] for c in answer["citations"]]


if __name__ == "__main__":
    main()
