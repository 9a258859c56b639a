"""Answers as text: what the terminal leads with, and what `copy as quote` puts on the clipboard."""

from __future__ import annotations

from typing import Any

import pytest
from web_shelf import site

from kb.answer import ANSWERED, COMPUTED, SILENT, WHICH_GAME, Answer, AnswerStep
from kb.passage import cite
from kb.render import headline, markdown


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": COMPUTED, "value": 5, "unit": "Harm"}, "5 Harm."),
        ({"status": COMPUTED, "value": 2, "unit": "light fatigue"}, "2 light fatigue."),
        ({"status": COMPUTED, "value": 0, "unit": "Harm"}, "0 Harm."),
        ({"status": COMPUTED, "value": "1/6"}, "1/6."),
        ({"status": COMPUTED, "verdict": "yes", "value": 3, "unit": "Endurance left"}, "Yes. 3 Endurance left."),
        ({"status": COMPUTED, "verdict": "no", "unit": "Harm"}, "No."),
        ({"status": ANSWERED}, ""),
        ({"status": SILENT, "verdict": None}, "The rules here are silent."),
        ({"status": WHICH_GAME}, "Which game? The question fits several."),
    ],
)
def test_headline__verdict_first_then_the_value_with_its_unit(answer: dict[str, Any], words: str) -> None:
    assert headline(Answer("?", "ordeals", text="", **answer)) == words


def test_markdown__question_value_steps_and_every_line_quoted_with_its_source() -> None:
    passage = site().passage("ordeals/close-combat#engaged-leaving")
    assert passage is not None
    step = AnswerStep("ordeals/close-combat#exchange-3", "Step 3", "6 damage - Ward 1 = 5.", {})
    answer = Answer("How much Harm? ", "ordeals", COMPUTED, "", (cite(passage),), value=5, unit="Harm", steps=(step,))
    lines = markdown(answer).splitlines()
    assert lines[:4] == ["**How much Harm?**", "", "5 Harm.", ""]
    assert "- 6 damage - Ward 1 = 5. (`ordeals/close-combat#exchange-3`)" in lines
    quoted = [line for line in lines if line.startswith("> ")]
    assert "\n".join(line[2:] for line in quoted[:-1]) == passage.text
    assert quoted[-1].startswith("> — Leaving Engagement")
    assert "restated" in quoted[-1]
    assert quoted[-1].endswith("ordeals/close-combat#engaged-leaving")
