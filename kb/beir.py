"""A BEIR folder becomes passages and judged queries: public test sets for the retrieval."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.corpus import file_digest
from kb.errors import UsageError
from kb.passage import Passage, Source

MEASURES = ("nDCG@10", "R@1", "R@5", "R@10", "RR@10", "Success@1", "Success@5")
READ_AS = "2"
"Raise when passages are made of the rows in another way: older indexes are then refreshed."
_NUMBER = re.compile(r"\d+(?:\.\w{1,3})+")


@dataclass(frozen=True, slots=True)
class Judged:
    """Queries with their relevance judgements."""

    name: str
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]
    "Query id -> passage ref -> 0, 1, 2 …"


def digest(folder: Path) -> str:
    """What an index of the folder's corpus is known by."""
    return hashlib.sha256((READ_AS + file_digest(folder / "corpus.jsonl")).encode()).hexdigest()


def passages(folder: Path) -> Iterator[Passage]:
    """The passages of a folder's corpus.jsonl; `_id` becomes `ref`, the title's ` › ` steps the heading path.

    Where ids end in rule numbers (`cr:702.19b`), a number that a text names is a reference to that rule.
    """
    path = folder / "corpus.jsonl"
    name = folder.name
    rows = list(_rows(path))
    numbered = {rule: str(row["_id"]) for row in rows if _NUMBER.fullmatch(rule := _last_part(row))}
    for number, row in enumerate(rows, 1):
        steps = [step.strip() for step in str(row.get("title") or "").split("›") if step.strip()]
        text = str(row.get("text") or row.get("title") or "")
        named = dict.fromkeys(n for n in _NUMBER.findall(text) if n in numbered and n != _last_part(row))
        yield Passage(
            id=f"{name}/corpus#{row['_id']}",
            game=name,
            page="corpus",
            anchor=str(row["_id"]),
            kind="rule",
            title=steps[-1] if steps else str(row["_id"]),
            path=tuple(steps[:-1]),
            text=text,
            markdown=text,
            source=Source("rulebook", name),
            file=str(path),
            lines=(number, number),
            see=tuple(f"{name}/corpus#{numbered[n]}" for n in named),
            ref=str(row["_id"]),
        )


def _last_part(row: dict[str, object]) -> str:
    return str(row["_id"]).rpartition(":")[2]


def judged(folder: Path) -> Judged:
    """The queries and qrels of a folder."""
    queries = {str(row["_id"]): str(row["text"]) for row in _rows(folder / "queries.jsonl")}
    qrels: dict[str, dict[str, int]] = {}
    for candidate in (folder / "qrels.tsv", folder / "qrels" / "test.tsv"):
        if candidate.is_file():
            with candidate.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines, delimiter="\t"):
                    qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
            break
    else:
        raise UsageError("no qrels.tsv in this folder", "A BEIR folder has queries.jsonl and qrels.tsv", where=folder)
    return Judged(folder.name, {i: t for i, t in queries.items() if i in qrels}, qrels)


def _rows(path: Path) -> Iterable[dict[str, object]]:
    if not path.is_file():
        raise UsageError("there is no such file", "A BEIR folder has corpus.jsonl or queries.jsonl", where=path)
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    row = json.loads(line)
                    row["_id"]
                except (ValueError, KeyError, TypeError):
                    raise UsageError("this is no BEIR row", 'It needs "_id"', where=path, line=number) from None
                yield row


def measure(found: Judged, runs: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, float]:
    """The measures of ranked lists: query id -> (passage ref, score), best first."""
    import ir_measures

    wanted = [ir_measures.parse_measure(name) for name in MEASURES]
    qrels = [ir_measures.Qrel(q, d, rel) for q, row in found.qrels.items() for d, rel in row.items()]
    run = [ir_measures.ScoredDoc(q, d, score) for q, ranked in runs.items() for d, score in ranked]
    results = ir_measures.calc_aggregate(wanted, qrels, run)
    return {str(name): float(value) for name, value in results.items()}


def per_query(
    found: Judged, runs: Mapping[str, Sequence[tuple[str, float]]], name: str = "nDCG@10"
) -> dict[str, float]:
    """One measure for every query: what a paired comparison needs."""
    import ir_measures

    qrels = [ir_measures.Qrel(q, d, rel) for q, row in found.qrels.items() for d, rel in row.items()]
    run = [ir_measures.ScoredDoc(q, d, score) for q, ranked in runs.items() for d, score in ranked]
    scored = ir_measures.iter_calc([ir_measures.parse_measure(name)], qrels, run)
    values = dict.fromkeys(found.queries, 0.0)
    return values | {row.query_id: float(row.value) for row in scored}
