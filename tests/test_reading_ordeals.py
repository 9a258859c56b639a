"""Book of Ordeals: questions in players' words, read and computed."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fight_stories import Beater, Helper, Teller

from kb.computing import Computed, compute
from kb.engine.kernel import Rules
from kb.reading import read
from kb.reading.ordeals.asked import Asked
from kb.reading.ordeals.told import take_in
from kb.yamlfile import read_yaml

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = read_yaml(HERE / "fixtures" / "reading" / "ordeals.yaml")
OWN_SET = HERE.parent / "benchmarks" / "questions" / "ordeals.jsonl"


def computed(text: str) -> Computed | None:
    found = compute(text, "ordeals", Rules())
    return found if isinstance(found, Computed) else None


def same(found: object, wanted: object) -> bool:
    return str(found).casefold() == str(wanted).casefold()


def holds(part: Any, whole: Any) -> bool:
    """Whether everything in one stands in the other too."""
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(key in whole and holds(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(holds, part, whole))
    return bool(part == whole)


@pytest.mark.parametrize(
    "case", [c for c in CASES if not c.get("unread") and "asks" not in c], ids=lambda c: c["text"][:60]
)
def test_questions__come_to_what_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    found = computed(case["text"])
    assert found is not None
    if "value" in case:
        assert same(found.found.value, case["value"]), found.says
    if "verdict" in case:
        assert found.found.verdict == case["verdict"], found.says
    if "procedure" in case:
        assert found.procedure == case["procedure"]
        assert holds(case["given"], found.verdict.given), found.verdict.given


@pytest.mark.parametrize("case", [c for c in CASES if c.get("unread")], ids=lambda c: c["text"][:60])
def test_questions_not_read_yet__are_never_read_wrong(case: dict[str, Any]) -> None:
    found = computed(case["text"])
    if found is not None:
        assert found.found.value is None or found.found.beside or same(found.found.value, case.get("value"))
        assert found.found.verdict in (None, case.get("verdict"))


@pytest.mark.parametrize("case", [c for c in CASES if "asks" in c], ids=lambda c: c["text"][:60])
def test_questions_that_leave_something_open__are_not_computed(case: dict[str, Any]) -> None:
    assert computed(case["text"]) is None


def test_own_question_set__every_sum_is_right_and_nothing_is_wrong() -> None:
    rows = [json.loads(line) for line in OWN_SET.read_text(encoding="utf-8").splitlines()]
    wrong, unread = [], []
    for row in rows:
        found = computed(row["text"])
        value, verdict = (found.found.value, found.found.verdict) if found else (None, None)
        if row["type"] == "unanswerable" and found:
            wrong.append(row["text"])
        if row["value"] is not None and value is None:
            unread.append(row["text"])
        if row["value"] is not None and value is not None and not same(value, row["value"]):
            wrong.append(row["text"])
        if verdict is not None and verdict != row["verdict"]:
            wrong.append(row["text"])
    assert wrong == []
    assert len(unread) <= 2, unread


@pytest.mark.parametrize("teller", [Teller, Beater, Helper])
@pytest.mark.parametrize("seed", range(3))
def test_made_up_stories__are_read_right_or_not_at_all(teller: type[Teller | Beater | Helper], seed: int) -> None:
    stories = [told.story() for told in [teller(seed)] for _ in range(120)]
    wrong, unread = [], 0
    for story in stories:
        found = computed(story.text)
        unread += found is None
        if found and story.value is not None and found.found.value != story.value:
            wrong.append((story, found.says))
        if found and story.verdict is not None and found.found.verdict != story.verdict:
            wrong.append((story, found.says))
    assert wrong == []
    assert unread <= 12


def test_missing__the_other_roll_is_asked_for() -> None:
    situation = read("I rolled a 9 with Might 2. How much damage do I do?", "ordeals")
    assert situation is not None
    assert situation.missing == ("the D12 of foe",)


def test_missing__whose_act_it_is_decides_with_allies() -> None:
    text = "Two friends are engaged with the ogre. I rolled 6, the ogre rolled 7. Who wins?"
    situation = read(text, "ordeals")
    assert situation is not None
    assert "whose Act" in situation.missing[0]


def test_whose_act__is_the_player_s_where_it_counts_its_allies_by_the_rule() -> None:
    text = "Two friends are engaged with the ogre and no other. I rolled 6, the ogre rolled 7. Do I win?"
    situation = read(text, "ordeals")
    assert situation is not None
    assert not situation.missing
    assert "its Act, 2 of 2 allies" in situation.says


def test_says__repeats_the_reading_in_a_line() -> None:
    situation = read("I charged the ogre: 9 for me with Might 2, the ogre rolled 5, Ward 1. Harm?", "ordeals")
    assert situation is not None
    assert situation.says == "you: 9 + Might 2 (charge); ogre: 5, Ward 1"


def test_two_readings__that_come_to_different_sums_are_no_answer() -> None:
    told = take_in("My knight faces the ogre. My knight rolled 9, the ogre rolled 5. He has Ward 2. Harm?")
    assert len(told) == 2
    assert computed("My knight faces the ogre. My knight rolled 9, the ogre rolled 5. He has Ward 2. Harm?") is None


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I rolled 9, he rolled 5. How much damage do I take?", [Asked("harm", "me")]),
        ("I rolled 9, he 5. Is he dead, and his Endurance?", [Asked("out", "foe", True), Asked("endurance", "foe")]),
        ("I rolled 9, he rolled 5. Do I survive?", [Asked("out", "me", True, True)]),
        ("I rolled 9, he rolled 5. Who wins?", [Asked("winner")]),
        ("I rolled 9, he rolled 5. What Harm if he has Ward 1?", [Asked("harm")]),
    ],
)  # fmt: skip
def test_asked__what_and_about_whom(text: str, asks: list[Asked]) -> None:
    assert list(take_in(text)[0].asks) == asks


def test_deciding_clause__is_cited_first() -> None:
    found = computed("I rolled 9 with Might 2, he rolled 5 with Ward 1. How much Harm?")
    assert found is not None
    assert found.clauses[0] == "ordeals/close-combat#exchange-3"


@pytest.mark.parametrize(
    "text",
    [
        "I rolled 9, he rolled 5. " * 400 + "Damage?",
        "1 " * 700 + "?",
        "he " * 480 + "9?",
        "(" * 1400,
        "a" * 10_000,
        "",
        "???",
    ],
    ids=lambda text: text[:20],
)
def test_absurd_texts__are_left_alone_soon(text: str) -> None:
    start = time.perf_counter()
    assert read(text, "ordeals") is None
    assert time.perf_counter() - start < 2
