"""Ranking, on small corpora with the real encoder: one of plain rules, one whose passages have players' phrasings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kb import beir, retrieval
from kb.build import build
from kb.passage import Ask, Passage, Source
from kb.question import Question
from kb.retrieval import PLAIN, WITH_ASKS, Hit, Retriever, document

FILLER = """The camp lies by the river and the smoke of its fires can be seen from the hills. Every evening the scouts
come back with tales of the road. Nobody remembers who built the old bridge, but its stones are worn. Merchants pass
with salt, cloth and iron, and the children follow their carts to the gate. In winter the snow lies deep on the roofs
and the wolves come down from the woods. The elders speak of a time when the valley was a lake. """.replace("\n", " ")
STORY = "My brother and I met at the shop on Sunday and each of us brought what we had painted over the summer. "
PLAIN_RULES = (
    ("701.1", ("Actions",), "Attack", "701.1 To attack, roll two dice and add the strength of your unit."),
    ("701.2", ("Actions",), "Move", "701.2 A unit moves up to six inches. A unit that moved may not shoot this turn."),
    ("701.3", ("Actions",), "Shoot", "701.3 A unit may shoot at an enemy it can see. It may not have moved this turn."),
    ("702.1", ("Keywords",), "Flying", "702.1 A unit with this ignores terrain and can be blocked only by its like."),
    ("702.2", ("Keywords",), "Terror", "702.2 Enemies near a unit with this roll one die less. Flying units do not."),
    ("703.1", ("Healing",), "Potions", "703.1 Drinking takes the whole turn and restores three wounds."),
    ("703.2", ("Healing",), "Rest", f"703.2 {FILLER * 3}A unit that rests regains all of its wounds at dawn."),
    ("704.1", ("Winning the game",), "Crowns", "704.1 Whoever holds four of them at sunset has won."),
    ("705.1", ("Conditions",), "Dazzled", "705.1 A bright light does this. See rule 706.4."),
    ("706.4", ("Results",), "Lost turns", "706.4 Lay the card on its side; it stands up again at dusk."),
    ("707.1", ("Sieges",), "Walls", "707.1 A siege begins when the walls are surrounded."),
    ("707.2", ("Sieges",), "Walls", "707.2 Each day the garrison eats one ration."),
)
ASKED_RULES = (
    (
        "charge",
        "Charge",
        "Declare it before moving; the unit doubles its movement.",
        ("Can I run into the enemy from further away?", "How do I rush someone?"),
    ),
    ("flee", "Flee", "A broken unit turns and moves towards its own edge.", ("My men ran off, where do they go?",)),
    ("push", "Push", "The winner moves the loser two inches straight back.", ("How far is he shoved?",)),
)


def passage(game: str, anchor: str, path: tuple[str, ...], title: str, text: str, *asks: str) -> Passage:
    source = Source("house", "Rules of the tests")
    phrasings = tuple(Ask(ask) for ask in asks)
    id_ = f"{game}/page#{anchor}"
    return Passage(
        id_, game, "page", anchor, "rule", title, path, text, text, source, "page.md", (1, 1), asks=phrasings
    )


def passages() -> Iterator[Passage]:
    for anchor, title, text, asks in ASKED_RULES:
        yield passage("asked", anchor, (), title, text, *asks)
    for anchor, path, title, text in PLAIN_RULES:
        made = passage("plain", anchor, path, title, text)
        yield replace(made, see=("plain/page#706.4",)) if "See rule 706.4" in text else made


@pytest.fixture(scope="module")
def retriever() -> Retriever:
    return Retriever(build("tests", lambda: map(document, passages()), None))


def found(retriever: Retriever, text: str, game: str | None = "plain", k: int = 3) -> list[str]:
    return [hit.passage.anchor for hit in retriever.search(Question(text), game, k)]


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("What does flying do?", "702.1"),
        ("what happens if I attack", "701.1"),
        ("At which enemies may a unit shoot?", "701.3"),
        ("How do I win the game?", "704.1"),
        ("When does a unit that rests get its wounds back?", "703.2"),
        ("please explain 702.2", "702.2"),
    ],
)
def test_plain__the_passage_that_settles_it_leads(retriever: Retriever, text: str, anchor: str) -> None:
    assert found(retriever, text)[0] == anchor


def test_plain__a_heading_finds_what_stands_below_it(retriever: Retriever) -> None:
    assert set(found(retriever, "healing", k=2)) == {"703.1", "703.2"}


def test_plain__what_a_good_passage_refers_to_moves_up(retriever: Retriever) -> None:
    question = "My archer was dazzled by a bright light, can it shoot?"
    without = Retriever(retriever.index, replace(PLAIN, referred=0))
    before, after = (found(each, question, k=99) for each in (without, retriever))
    assert after[0] == before[0] == "705.1"
    assert after.index("706.4") < before.index("706.4")
    assert [anchor for anchor in after if anchor != "706.4"] == [anchor for anchor in before if anchor != "706.4"]


def test_plain__only_passages_under_the_same_heading_lift_each_other(retriever: Retriever) -> None:
    question = Question("When does a siege begin?")
    lifted = retriever.search(question, "plain", 99)
    alone = Retriever(retriever.index, replace(PLAIN, kin=0)).search(question, "plain", 99)
    scale = (1 + 2 * PLAIN.kin + PLAIN.referred) / (1 + PLAIN.referred)
    gaining = {hit.passage.anchor for hit in lifted if hit.score * scale > 0.001 + _score(alone, hit.passage.anchor)}
    assert gaining == {"707.1", "707.2"}


def _score(hits: list[Hit], anchor: str) -> float:
    return next(hit.score for hit in hits if hit.passage.anchor == anchor)


def test_plain__a_story_with_a_question_in_it_is_found_by_the_question(retriever: Retriever) -> None:
    story = STORY * 8 + "Does flying let my griffins cross the walls? Thanks in advance!"
    assert set(found(retriever, story, k=2)) == {"702.1", "702.2"}  # both speak of flying


def test_with_asks__a_phrasing_finds_what_the_text_does_not_say(retriever: Retriever) -> None:
    assert found(retriever, "how do I rush somebody", "asked")[0] == "charge"
    assert found(retriever, "my troops ran off, where to?", "asked")[0] == "flee"
    assert found(retriever, "how far do I get shoved", "asked")[0] == "push"


def test_weights__are_those_of_the_kind_of_game(retriever: Retriever) -> None:
    question = "Can a unit shoot after it moved?"
    for game, weights in (("plain", PLAIN), ("asked", WITH_ASKS)):
        chosen = [(hit.number, hit.score) for hit in retriever.search(Question(question), game)]
        named = [
            (hit.number, hit.score) for hit in Retriever(retriever.index, weights).search(Question(question), game)
        ]
        assert chosen == named


def test_search__keeps_to_its_game(retriever: Retriever) -> None:
    question = Question("How do I rush someone, or may I shoot?")
    assert {hit.passage.game for hit in retriever.search(question, "plain", 99)} == {"plain"}
    assert {hit.passage.game for hit in retriever.search(question, "asked", 99)} == {"asked"}
    assert {hit.passage.game for hit in retriever.search(question, None, 99)} == {"plain", "asked"}


@pytest.mark.parametrize("game", ["plain", "asked"])
@pytest.mark.parametrize("text", ["Can a unit shoot after it moved?", "zzqx", "", "🎲", "the", "unit " * 2000])
def test_search__gives_so_many_in_order(retriever: Retriever, game: str, text: str) -> None:
    hits = retriever.search(Question(text), game, 3)
    scores = [hit.score for hit in hits]
    assert len(hits) == 3
    assert scores == sorted(scores, reverse=True)
    assert all(-0.01 <= score <= 1.01 for score in scores)


def test_beir__a_rule_number_in_a_text_is_a_reference(tmp_path: Path) -> None:
    rows = (
        {"_id": "cr:104.3a", "title": "Ending › Conceding", "text": "104.3a A player may concede. See rule 800.4."},
        {"_id": "cr:800.4", "title": "Many players", "text": "800.4 Unlike 1.5 or 104.3b, and as in 104.3a and 800.4."},
    )
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    first, second = beir.passages(tmp_path)
    assert first.see == (second.id,)
    assert second.see == (first.id,)


def test_search__a_large_range_is_scored_once_and_finds_the_same(
    retriever: Retriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = retriever.search(Question("Can a unit shoot after it moved?"), "plain", k=3)
    monkeypatch.setattr(retrieval, "WHOLE", 0)
    scored: list[tuple[int, ...]] = []
    scores = retriever.index.words.scores
    monkeypatch.setattr(retriever.index.words, "scores", lambda q, *span: scored.append(span) or scores(q, *span))
    parts = retriever.search(Question("Can a unit shoot after it moved?"), "plain", k=3)
    assert [hit.number for hit in parts] == [hit.number for hit in whole]
    assert scored == [retriever.index.range("plain")]
