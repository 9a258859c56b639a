from __future__ import annotations

import pytest

from kb.claims import Claim, match, settle
from kb.concepts import Lexicon
from kb.polarity import frame, is_doubtful
from kb.question import Question, with_points
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
        "range gets checked at declaring and never again, y/n",
        "surely he may still shoot",
        "he cant shoot then huh",
        "locked by the orc and off he walks, thumbs up or down",
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
        # what is added behind it asks nothing
        ("The old rule holds, faq or no faq?", "The old rule holds?"),
        ("He may shoot, is it not so?", "He may shoot"),
        ("He may shoot, have I got that right?", "He may shoot"),
        (
            "It's enough that he was near, doesn't matter where he is, right?",
            "It's enough that he was near, doesn't matter",
        ),
        # nor does what leads up to it
        ("Am I understanding good that Move is not possible?", "Move is not possible?"),
        ("Am I right that I can't shoot?", "I can't shoot?"),
        # a condition ends where the sentence goes on, and is no part of a word
        ("A die without any icon belongs to no form?", "A die   belongs to no form?"),
        ("Whoever stays put before engaging has lost his move?", "Whoever stays put   has lost his move?"),
        ("does the before-or-after rule hold?", "does the before-or-after rule hold?"),
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
        ("A locked model may shoot. Do I have this right?", "A locked model may shoot.", "right"),
        ("A locked model may shoot. Has my cousin got it wrong?", "A locked model may shoot.", "wrong"),
        ("He says I may shoot. Much as I hate him, is the purist right?", "He says I may shoot.", "right"),
        ("We are locked. Is he wrong to shoot?", "Is he wrong to shoot?", None),
    ],
)
def test_question__statement_is_what_is_to_be_judged(text: str, statement: str, truth: str | None) -> None:
    assert (Question(text).statement, Question(text).asks_truth) == (statement, truth)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("He says I may shoot. Am I right?", False),
        ("He says I may. She says I may not. Is he right?", True),
        ("Ben: 'you may.' Ana: 'nope.' Is Ben right?", True),
        ("He wants to shoot. Is he right?", True),
        ("I shoot. Does that work?", False),
        ("Does that work? Half the table thinks I can't shoot.", True),
    ],
)
def test_question__is_ambiguous_where_more_than_one_statement_may_be_meant(text: str, wanted: bool) -> None:
    assert Question(text).is_ambiguous == wanted


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
        ("am I compelled to push", "may I push"),
        ("Guard isn't a type of Assault", "Guard is a type of Assault"),
        ("nobody can be engaged", "he can be engaged"),
        ("is Move off the table", "is Move open"),
        ("is there no need to roll", "do I roll"),
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
        ("isn't a guard engaged", "is a guard engaged"),
        ("is it not so that he is engaged", "is it so that he is engaged"),
        ("does it hold, faq or no faq", "does it hold"),
    ],
)
def test_frame__rhetoric_turns_nothing_round(one: str, other: str) -> None:
    assert frame(one).fits(frame(other))


@pytest.mark.parametrize(
    "text",
    [
        "is it illegal with no target",
        "may he not be barred from it",
        "may I roll dice, not cards",
        "is he free now, or still engaged",
        "is he barred from everything but that",
        "he was near, doesn't matter when",
        "has he Guard as well as thing",
        "neither may shoot",
    ],
)
def test_is_doubtful__what_turns_it_round_can_not_be_told(text: str) -> None:
    assert is_doubtful(text)


@pytest.mark.parametrize(
    "text", ["he is not engaged", "I'm not engaged", "he has no zone", "so no shooting", "he never may"]
)
def test_is_doubtful__a_plain_negation_is_read(text: str) -> None:
    assert not is_doubtful(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("may I shoot", "no"),
        ("so I may not shoot, right?", "yes"),
        ("is it forbidden to shoot", "yes"),
        ("may I shoot, not run?", None),
        ("is it forbidden not to shoot", None),
        ("shooting is forbidden unless he runs, right?", None),
        ("he does not see me, I may shoot, right?", None),
        ("can I skip shooting", None),
    ],
)
def test_settle__no_verdict_where_it_can_not_be_told_which_way_round_it_is_put(text: str, wanted: str | None) -> None:
    lexicon = Lexicon({"shoot": ["shoot", "shooting"]})
    claim = Claim("A fighter may shoot.", "toy/a#b", False, "may", (frozenset({"shoot"}),), (), frozenset(), None)
    settled = settle(match(Question(text), [claim], lexicon))
    assert (settled.verdict if settled else None) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how far do you push the loser", True),
        ("I won. How many inches may I shove him then?", True),
        ("whats the charge bonus", True),
        ("may I push the loser", False),
        ("what happens to the loser", False),
    ],
)
def test_asks_amount__how_many_how_far_which_bonus(text: str, wanted: bool) -> None:
    assert Question(text).asks_amount == wanted


def test_sentences__abbreviations_and_numbers_end_none() -> None:
    text = "See p. 60, e.g. the second point. It replaces the b. point. It says 1.5 hexes!\n• Next line"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "See p. 60, e.g. the second point.",
        "It replaces the b. point.",
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


def test_speller__mends_the_small_words_that_make_a_question(speller: Speller) -> None:
    assert speller.correct("cna he strike, dose it fatigue").text == "can he strike, does it fatigue"
    assert Speller(["dose"], lambda word: True).correct("dose it").text == "dose it"


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


@pytest.mark.parametrize(
    ("text", "statement", "truth"),
    [
        ("he may shoot. yes or no?", "he may shoot.", "right"),
        ("he wants to shoot that one. nope, right?", "he wants to shoot that one.", "wrong"),
        ("he says he is free. agreed?", "he says he is free.", "right"),
    ],
)
def test_question__a_tag_alone_asks_of_what_was_said_before(text: str, statement: str, truth: str) -> None:
    question = Question(text)
    assert (question.statement, question.asks_truth) == (statement, truth)


@pytest.mark.parametrize("tag", ["y/n", "agreed?", "or not?", "yeah?", "rite?", "or am i missing something?"])
def test_question__a_tag_is_no_part_of_what_is_asked(tag: str) -> None:
    asked = Question(f"the engaged archer can shoot, {tag}").main
    assert asked == "the engaged archer can shoot"
    assert not is_doubtful(asked)


def test_question__at_once_is_no_condition() -> None:
    assert "at once" in Question("can I hit all of them at once if I am engaged").main


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the foe is 0,8 inch away", "the foe is 0.8 inch away"),
        ('he stands 1,5" off', 'he stands 1.5" off'),
        ("rolls of 3,4 and 1,000 points", "rolls of 3,4 and 1,000 points"),
    ],
)
def test_with_points__a_comma_within_a_number(text: str, read: str) -> None:
    assert with_points(text) == read
