"""Which game a question without one is about."""

from __future__ import annotations

import math

import pytest

from kb import answering
from kb.knowledge import Knowledge, open_knowledge
from kb.scope import SURE, Candidate, chances
from kb.silence import Judgement


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_knowledge()


class _Shares:
    """A lexical index with so many passages of each game (numbered by tens) for each stem."""

    def __init__(self, found: dict[str, list[int]]) -> None:
        self.found = found

    def frequency(self, stem: str, start: int = 0, stop: int | None = None) -> int:
        return self.found[stem][start // 10]


def _candidate(n: int, answerable: float = 0.8, confidence: float = 0.8) -> Candidate:
    judgement = Judgement(answerable, confidence, False, {})
    return Candidate(judgement, ["deed", "engag"], 10 * n, 10 * n + 10)


WORDS = _Shares({"deed": [0, 6, 0], "engag": [5, 5, 5]})


def test_chances__sum_to_one_and_go_by_the_words_that_one_game_alone_has() -> None:
    found = chances([_candidate(0), _candidate(1), _candidate(2)], WORDS)  # type: ignore[arg-type]
    assert math.isclose(sum(found), 1)
    assert found[1] > 2 * found[0]
    assert math.isclose(found[0], found[2])


def test_chances__a_game_that_answers_is_likelier_than_one_that_does_not() -> None:
    first, second = chances([_candidate(0), _candidate(2, 0.001, 0.01)], WORDS)  # type: ignore[arg-type]
    assert first > SURE > second


def test_chances__of_certainties_are_finite() -> None:
    assert chances([_candidate(0, 1.0, 1.0), _candidate(2, 0.0, 0.0)], WORDS)[0] > SURE  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "game"),
    [
        ("how many deeds in an act", "ordeals"),
        ("may he Aid his mate with a foe half an inch off", "ordeals"),
        ("my adventurer is on expert, does the second engage cost more fatigue", "betrayal"),
        ("a petrified enemy: does his model still engage mine", "eldfall"),
        ("chanra's staff, two casters touching, engaged?", "eldfall"),
    ],
)
def test_words_of_one_game__decide(knowledge: Knowledge, question: str, game: str) -> None:
    answer = knowledge.ask(question)
    assert answer.game == game
    assert all(citation.passage.startswith(f"{game}/") for citation in answer.citations)


@pytest.mark.parametrize(
    "question", ["what does engaged mean", "can I shoot while engaged", "how do i get out of engagement"]
)
def test_words_of_all_games__are_asked_about(knowledge: Knowledge, question: str) -> None:
    answer = knowledge.ask(question)
    assert (answer.status, answer.verdict) == ("which-game", None)
    assert {"eldfall", "ordeals"} <= {choice.game for choice in answer.games}


def test_game_that_is_surely_meant_and_has_nothing_to_say__keeps_the_others_silent(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "how many deeds in an act"
    assert knowledge.ask(question).game == "ordeals"
    monkeypatch.setattr(answering.Desk, "is_silent", property(lambda desk: desk.game == "ordeals"))
    assert knowledge.ask(question).status == "silent"


def test_many_games__only_those_of_the_nearest_passages_are_looked_at(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    made = answering.Desk.__init__

    def counted(desk: answering.Desk, *args: object) -> None:
        made(desk, *args)  # type: ignore[arg-type]
        looked_at.append(desk.game)

    monkeypatch.setattr(answering.Desk, "__init__", counted)
    monkeypatch.setattr(answering, "MOST_GAMES", 1)
    assert knowledge.ask("may a petrified model be engaged by my Melee Weapon").game == "eldfall"
    assert looked_at == ["eldfall"]
