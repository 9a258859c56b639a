"""A game without readers of its own is read by the words that its procedures' fields bring along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kb.computing import Computed, Incomplete, compute
from kb.corpus import Corpus
from kb.engine.kernel import Rules
from kb.reading import read

PRINTED = Rules(off=frozenset({"toy/faq#tie"}), label="as printed")


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("I rolled 5, he rolled 2. Who wins?", {"you": {"roll": 5}, "they": {"roll": 2}}),
        ("he rolled 2 and I rolled 5, who wins", {"you": {"roll": 5}, "they": {"roll": 2}}),
        ("My roll is 3. Her roll: 3. What is my total?", {"you": {"roll": 3}, "they": {"roll": 3}}),
        (
            "I rolled two and hold the charm; she rolled 3. Do I win?",
            {"you": {"roll": 2, "charm": True}, "they": {"roll": 3}},
        ),
        (
            "I have no charm. I rolled 4, he rolled 4. Does he win?",
            {"you": {"roll": 4, "charm": False}, "they": {"roll": 4}},
        ),
    ],
)
def test_read__fills_the_fields_that_are_named(toy: Corpus, question: str, given: Mapping[str, Any]) -> None:
    situation = read(question, "toy")
    assert situation is not None
    assert (situation.procedure, situation.given, situation.missing) == ("toy.throw", given, ())


@pytest.mark.parametrize(
    ("question", "value", "verdict"),
    [
        ("I rolled 5, he rolled 2. Who wins?", "you", None),
        ("I rolled 2 and I hold the charm, he rolled 2. What is my total?", 3, None),
        ("I rolled 2, he rolled 5. Do I win?", None, "no"),
        ("He rolled 5 and I rolled 2. He wins, right?", None, "yes"),
    ],
)
def test_compute__takes_out_what_is_asked(toy: Corpus, question: str, value: object, verdict: str | None) -> None:
    computed = compute(question, "toy", PRINTED)
    assert isinstance(computed, Computed)
    assert (computed.found.value, computed.found.verdict) == (value, verdict)


def test_compute__asks_for_a_die_that_is_not_told(toy: Corpus) -> None:
    computed = compute("I rolled 5. Who wins?", "toy", PRINTED)
    assert isinstance(computed, Incomplete)
    assert computed.missing == ("they roll",)


@pytest.mark.parametrize(
    "question",
    [
        "who wins",  # tells nothing
        "I rolled 5 and 3, he rolled 2. Who wins?",  # a number that stands by no field
        "I rolled 5, then I rolled 6, he rolled 2. Who wins?",  # a field told twice
        "rolled 5 and rolled 2, who wins?",  # nobody's
        "I rolled 5 with my lucky die, he rolled 2. Who wins?",  # what no field explains may matter
        "I rolled 5, he rolled 2. Do I lose?",  # neither a field's word nor a result's
        "I rolled 5, he rolled 2. Who starts?",  # no result of the procedure
        "players I and he. I rolled 5, he rolled 2. Who wins?",  # a list can't be filled
        "I rolled 5, he rolled 2. " * 40 + "Who wins?",
    ],
)
def test_read__reads_nothing_where_a_word_or_number_is_left_over(toy: Corpus, question: str) -> None:
    assert read(question, "toy") is None
