"""Table talk: short questions as players type them, by many hands; what is computed of them has to be right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.computing import Computed, compute
from kb.corpus import load_corpus
from kb.engine.bench import open_bench

SETS = Path(__file__).parent.parent / "benchmarks" / "questions"
READ = {"betrayal": 0.5, "eldfall": 0.3, "ordeals": 0.55}
"Share of the questions with a number that are read, at least: readers leave alone what they are not sure of."


def rows(game: str) -> list[dict[str, Any]]:
    text = (SETS / f"talk_{game}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("game", sorted(READ))
def test_table_talk__is_computed_right_or_not_at_all(game: str) -> None:
    rules = open_bench(load_corpus(), game=game).rules
    wrong, read, sums = [], 0, 0
    for row in rows(game):
        found = compute(row["text"], game, rules)
        value, verdict = (found.found.value, found.found.verdict) if isinstance(found, Computed) else (None, None)
        sums += row["value"] is not None
        read += row["value"] is not None and value is not None
        differs = None not in (value, row["value"]) and str(value) != str(row["value"])
        if differs or (None not in (verdict, row["verdict"]) and verdict != row["verdict"]):
            wrong.append((row["id"], row["text"], value, verdict))
        if row["type"] == "unanswerable" and isinstance(found, Computed):
            wrong.append((row["id"], row["text"], value, verdict))
    assert wrong == []
    assert read >= READ[game] * sums
