"""Questions about Betrayal of the Second Era with numbers in them: read into the engine's input, and what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kb.computing import Computed, compute
from kb.corpus import load_corpus
from kb.engine.bench import open_bench
from kb.engine.kernel import Rules
from kb.reading import read
from kb.reading.betrayal.words import WORDS, tell
from kb.reading.counts import Count
from kb.reading.stance import stance
from kb.yamlfile import read_yaml

FIXTURES = Path(__file__).parent / "fixtures" / "reading" / "betrayal.yaml"
QUESTIONS: list[dict[str, Any]] = read_yaml(FIXTURES)
ANSWERED = [each for each in QUESTIONS if "asks" not in each]
REFUSED = [each for each in QUESTIONS if "asks" in each]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return open_bench(load_corpus(), game="betrayal").rules


def answer(text: str, rules: Rules) -> Computed | None:
    return compute(text, "betrayal", rules)


def counts(text: str) -> list[tuple[int, str]]:
    return [(each.value, each.what) for each in tell(text).counts if each.kind != "implicit"]


@pytest.mark.parametrize("question", ANSWERED, ids=lambda each: each["text"][:60])
def test_question__is_answered_as_by_hand(question: dict[str, Any], rules: Rules) -> None:
    computed = answer(question["text"], rules)
    assert computed is not None
    assert "value" not in question or computed.found.value == question["value"]
    assert "verdict" not in question or computed.found.verdict == question["verdict"]
    assert "procedure" not in question or computed.procedure == question["procedure"]
    for name, value in question.get("given", {}).items():
        assert computed.verdict.given[name] == value
    assert computed.clauses
    assert computed.says


@pytest.mark.parametrize("question", REFUSED, ids=lambda each: each["text"][:60])
def test_question__that_lacks_a_fact_or_has_a_stranger_in_it_is_not_computed(
    question: dict[str, Any], rules: Rules
) -> None:
    assert answer(question["text"], rules) is None


def test_unknown_skill_line__the_missing_stat_is_named() -> None:
    situation = read("Stamina 3. May I roll 4 Bow dice?", "betrayal")
    assert situation is not None
    assert situation.missing == ("the stat of bow dice",)


def test_target_in_range__the_missing_tile_is_named() -> None:
    situation = read("My form's range is 4 and the troll is 3 hexes away. Can I declare it as my target?", "betrayal")
    assert situation is not None
    assert situation.missing == ("whether the target is on the same or an adjacent tile",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 Stamina dice and two free Combat dice", [(3, "stamina_dice"), (2, "free_dice")]),
        ("Stamina is 3, Magicka 2", [(3, "stamina"), (2, "magicka")]),
        ("I engaged twice and want one more", [(2, "engage"), (1, "engage")]),
        ("dice deal 2, 1 and 4 damage", [(2, "damage"), (1, "damage"), (4, "damage")]),
        ("engage number 2", [(2, "engage")]),
        ("a tile with 7 sides", [(7, "")]),
        ("the next one costs nothing new", [(0, "")]),
        ("is it a single 4", [(4, "")]),
    ],
)
def test_counts__are_bound_to_what_they_count(text: str, expected: list[tuple[int, str]]) -> None:
    assert counts(text) == expected


@pytest.mark.parametrize(
    ("text", "yes_means_so"),
    [
        ("May I roll 3 dice?", True),
        ("Is that too many?", False),
        ("Am I over any limit with these?", False),
        ("Can't I roll 3 dice?", True),
        ("My mate says four engages cost 8 fatigue. Is he right?", True),
        ("My mate says four engages cost 8 fatigue. Is he wrong?", False),
        ("She says 1 isn't enough. Is she right?", False),
        ("Two attacks, 2 fatigue, correct?", True),
    ],
)
def test_stance__which_way_round_a_question_is_put(text: str, yes_means_so: bool) -> None:
    found = stance(tell(text))
    assert found is not None
    assert found.yes_means_so is yes_means_so


@pytest.mark.parametrize(
    "text", ["How many dice may I roll?", "Four engages, total fatigue?", "can you tell me how far"]
)
def test_stance__an_amount_is_no_yes_or_no(text: str) -> None:
    assert stance(tell(text)) is None


def test_words__no_phrase_stands_for_two_concepts() -> None:
    seen: dict[str, str] = {}
    for concept, listed in WORDS.items():
        for phrase in listed.split("|"):
            assert seen.setdefault(phrase, concept) == concept, phrase


def test_count__near_is_what_belongs_to_it() -> None:
    first, second = tell("engaged twice already and want 2 more engages").counts
    assert isinstance(first, Count)
    assert "already" in first.near
    assert "more" in second.near
    assert "already" not in second.near
