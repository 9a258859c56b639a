"""Situations and declarations in players' words, worked out by hand, that claims and phrasings settle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kb.knowledge import open_knowledge
from kb.yamlfile import read_yaml

CASES: list[dict[str, Any]] = read_yaml(Path(__file__).parent / "fixtures" / "told.yaml")
RIGHT, WRONG = 0.75, 0.03
"Shares of all cases: at least, at most."


def test_told__most_are_answered_and_hardly_any_wrongly() -> None:
    knowledge = open_knowledge()
    said = [(case, knowledge.ask(case["text"], case["game"]).verdict) for case in CASES]
    wrong = [(case["text"], verdict) for case, verdict in said if verdict not in (None, case["verdict"])]
    right = sum(verdict == case["verdict"] for case, verdict in said)
    assert len(wrong) <= WRONG * len(said), wrong
    assert right >= RIGHT * len(said)
