"""Yes or no: what a passage's phrasings lean to counts only where the nearest one bears it out."""

from __future__ import annotations

import pytest

from kb.passage import Ask
from kb.question import Question
from kb.retrieval import AskHit
from kb.verdict import find_verdict


def near(text: str, cosine: float, verdict: str | None = "no") -> AskHit:
    return AskHit(Ask(text, verdict), 0, cosine)


@pytest.mark.parametrize(
    ("question", "asks", "leaning", "wanted"),
    [
        ("May I climb up?", [near("may I climb", 0.8)], -0.2, "no"),
        ("May I climb up?", [near("may I climb", 0.7)], -0.5, "no"),
        ("May I climb up?", [near("may I climb", 0.7)], -0.2, None),
        ("May I climb up?", [], -0.9, None),
        # another phrasing put the same way round, answered the other way and as near
        ("May I climb up?", [near("may I climb", 0.8), near("may I go up", 0.78, "yes")], -0.9, None),
        ("May I climb up?", [near("may I go up", 0.8, "yes"), near("may I climb", 0.79)], -0.9, None),
        # the one that would bear it out is put the other way round, or much farther off than what is nearest
        ("May I climb up?", [near("must I climb", 0.8)], -0.9, None),
        ("May I climb up?", [near("climbing", 0.9, None), near("may I climb", 0.8)], -0.9, None),
        # a word apart that turns it round, or a story that says what is not so
        ("May I climb before the fight?", [near("may I climb after the fight", 0.96)], -0.9, None),
        ("We don't touch. May I climb?", [near("may I climb", 0.9)], -0.9, None),
        ("May I climb 3 inches?", [near("may I climb 2 inches", 0.96)], -0.9, None),
        ("More than one climb per Act?", [near("one climb per Act?", 0.99)], -0.9, None),
        # a long story may hold anything
        ("The orc is down. " * 8 + "May I climb up?", [near("may I climb", 0.7)], -0.9, None),
    ],
)
def test_find_verdict__without_a_claim_takes_a_phrasing_that_bears_out_the_leaning(
    question: str, asks: list[AskHit], leaning: float, wanted: str | None
) -> None:
    found = find_verdict(Question(question), None, asks, leaning)
    assert (found.verdict if found else None) == wanted
