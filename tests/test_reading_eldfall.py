"""Eldfall Chronicles: questions in players' words, read and computed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.computing import Computed, compute
from kb.engine.kernel import Rules
from kb.reading import read
from kb.yamlfile import read_yaml

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = read_yaml(HERE / "fixtures" / "reading" / "eldfall.yaml")
FOREIGN = ("crossgame", "unanswerable")
"Types of questions put to another game that may be put in the words of this one."
QUESTIONS = HERE.parent / "benchmarks" / "questions"


def computed(text: str) -> Computed | None:
    found = compute(text, "eldfall", Rules())
    return found if isinstance(found, Computed) else None


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["text"][:60])
def test_questions__come_to_what_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    found = computed(case["text"])
    if "asks" in case:
        assert found is None
    else:
        assert found is not None
        assert found.found.value == case.get("value"), found.says
        assert found.found.verdict == case.get("verdict"), found.says


@pytest.mark.parametrize("game", ["eldfall", "ordeals", "betrayal"])
def test_own_question_sets__nothing_is_wrong(game: str) -> None:
    for line in (QUESTIONS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = computed(row["text"])
        if found is not None and (game == "eldfall" or row["type"] not in FOREIGN):
            assert game == "eldfall"
            assert found.found.value == row["value"], row["text"]
            assert found.found.verdict in (None, row["verdict"]), row["text"]


def test_own_question_set__every_sum_is_read() -> None:
    rows = [json.loads(line) for line in (QUESTIONS / "eldfall.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [r["text"] for r in rows if r["value"] is not None and computed(r["text"]) is None] == []


def test_zone__is_computed_from_what_each_has_in_hand() -> None:
    situation = read(
        "Three enemies next to me: one with an axe, one unarmed, one firing a bow. How many engage me?", "eldfall"
    )
    assert situation is not None
    assert situation.procedure == "eldfall.engagement"
    assert [model.get("in_hand") for model in situation.given["models"]] == [None, "melee", "unarmed", "ranged"]
