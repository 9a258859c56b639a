from __future__ import annotations

import pytest

from kb.polarity import frame
from kb.question import Question
from kb.sentences import sentence_spans
from kb.spelling import Speller


@pytest.mark.parametrize(
    "text",
    [
        "can i shoot",
        "he is on me, do i have to fight",
        "so I just stay there, right?",
        "two bases that touch are engaged, arent they",
        "combat dice with magic ok?",
        "my ally touches him and I am down. am I allowed to reroll",
        "Is it legal?",
    ],
)
def test_question__wants_yes_or_no(text: str) -> None:
    assert Question(text).wants_yes_or_no


@pytest.mark.parametrize(
    "text",
    [
        "what can i do",
        "how much damage do I take",
        "engaged movement",
        "when does it end?",
        "who may push",
        "push distance",
        "By how many foes is she engaged: one, two, three?",
        "He has two wounds left. After how many hits is he out?",
        "I am stuck with it all act long. Max swings?",
        "Fresh turn, hasn't moved yet, and I want all of it. What is the most he can do",
        "I took two of them. Deeds remaining in the act?",
        "Fatigue for engaging = ?",
        "",
    ],
)
def test_question__wants_something_else(text: str) -> None:
    assert not Question(text).wants_yes_or_no


@pytest.mark.parametrize(
    "text",
    ["one hp left, is he down", "I left his reach, am I free", "empty roll, are we done?", "we roll d20 here, right?"],
)
def test_question__an_amount_in_front_of_a_verb_is_no_question_for_a_number(text: str) -> None:
    assert Question(text).wants_yes_or_no


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("Ward, does it come off the damage?", "does Ward come off the damage?"),
        ("The loser, is he free?", "is The loser free?"),
        ("One hp left, is he down?", "is he down?"),
        ("After a draw we stay stuck?", "After a draw we stay stuck?"),
        ("Am I free (no push)?", "Am I free  ?"),
        ("Locked in means no shooting, not even at him?", "Locked in means no shooting"),
    ],
)
def test_question__main_is_what_is_asked(text: str, main: str) -> None:
    assert Question(text).main == main


@pytest.mark.parametrize(
    ("text", "statement", "truth"),
    [
        ("I shoot the far one. He says no. Is he right?", "I shoot the far one.", "wrong"),
        ("I shoot the far one. He says I can't. Is he wrong?", "I shoot the far one.", "right"),
        ("I shoot the far one. He says that is cheating. Is he right?", "I shoot the far one.", "wrong"),
        ("We are locked. He says I may shoot. Is he right?", "He says I may shoot.", "right"),
        ("Lost it. I think I can just walk off.", "I think I can just walk off.", None),
    ],
)
def test_question__statement_is_what_is_to_be_judged(text: str, statement: str, truth: str | None) -> None:
    assert (Question(text).statement, Question(text).asks_truth) == (statement, truth)


@pytest.mark.parametrize(
    "text",
    ["engaged or what?", "so when I lose I bleed, right?", "my mage is locked and wants to run", "default hp six?"],
)
def test_question__asks_without_a_verb(text: str) -> None:
    assert Question(text).wants_yes_or_no


def test_question__core_is_the_clause_that_asks() -> None:
    story = "We had a great night. The ogre came at my mage. Can she still cast? I think not."
    assert Question(story).core == "Can she still cast?"


def test_question__words_of_a_question_without_words() -> None:
    assert Question(" 🎲🎲 ?! ").words == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("am I free now", "am I stuck now"),
        ("may I choose a target", "must I choose a target"),
        ("can I reroll", "is it forbidden to reroll"),
        ("do I have to push", "can I decline to push"),
        ("can he be engaged", "can he not be engaged"),
        ("does it stop me", "does it let me"),
        ("may I only walk", "may I walk"),
    ],
)
def test_frame__tells_opposites_apart(one: str, other: str) -> None:
    assert not frame(one).fits(frame(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("isn't he engaged?", "is he engaged?"),
        ("they are engaged, arent they", "they are engaged"),
        ("can't I shoot", "can I shoot"),
        ("must I pay", "do I have to pay"),
    ],
)
def test_frame__rhetoric_turns_nothing_round(one: str, other: str) -> None:
    assert frame(one).fits(frame(other))


def test_sentences__abbreviations_and_numbers_end_none() -> None:
    text = "See p. 60, e.g. the second point. It says 1.5 hexes!\n• Next line"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "See p. 60, e.g. the second point.",
        "It says 1.5 hexes!",
        "Next line",
    ]


def test_sentences__spans_cover_every_word() -> None:
    text = "One. Two? Three\nFour."
    joined = " ".join(text[a:b] for a, b in sentence_spans(text))
    assert joined.split() == text.split()


@pytest.fixture
def speller() -> Speller:
    english = {"striker", "mutch", "the"}
    return Speller(["fatigue", "engaged", "strike", "much", "cooldown"], lambda word: word in english - {"mutch"})


def test_speller__mends_by_the_words_of_the_corpus(speller: Speller) -> None:
    mended = speller.correct("how Mutch fatige wen engadged")
    assert mended.text == "how much fatigue wen engaged"
    assert mended.changed == {"mutch": "much", "fatige": "fatigue", "engadged": "engaged"}


def test_speller__leaves_real_words_and_names_alone(speller: Speller) -> None:
    assert speller.correct("the striker of Vvardenfell").changed == {}


@pytest.mark.parametrize("word", ["thrice", "scratches", "binned", "scratched", "removals", "cooling"])
def test_speller__leaves_numbers_and_inflected_words_alone(word: str) -> None:
    known = {"scratch", "removal", "bin", "cool"}
    mended = Speller(["twice", "scratching", "banned", "remove", "cooldown"], known.__contains__).correct(word)
    assert mended.changed == {}


def test_speller__mends_common_words_that_change_what_is_asked() -> None:
    mended = Speller(["engage"], {"my"}.__contains__).correct("move befroe and aftre my engage, haev to?")
    assert mended.text == "move before and after my engage, have to?"
