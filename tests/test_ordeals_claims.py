"""Book of Ordeals: what its claims say to the phrasings that editors have answered, and to questions of all sorts."""

from __future__ import annotations

import pytest
from claim_desk import answered, examples_named, examples_there, matched, verdict

from kb.claims import left_open

GAME = "ordeals"


def test_ordeals_claims__agree_with_the_phrasings_that_are_answered() -> None:
    said = answered(GAME)
    wrong = [ask.text for found, ask in said if found and found != ask.verdict]
    assert len(wrong) <= len(said) * 0.06, wrong
    assert sum(found == ask.verdict for found, ask in said) >= len(said) * 0.45


def test_ordeals_claims__name_examples_that_exist() -> None:
    assert examples_named(GAME) <= examples_there(GAME)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("gap of 20 mm between the bases. engaged?", "yes"),
        ("gap of 30 mm between the bases. engaged?", "no"),
        ("I beat him down to zero. May I use the push to hop back?", "no"),
        ("Won the exchange, both alive, may I push myself back?", "yes"),
        ("Pushed the wolf off. Is it still engaged with me?", "no"),
        ("Nobody is near my archer and she is free. May she fire?", "yes"),
        ("Aim, is that a standard deed?", "yes"),
        ("My mail, does it lower his roll?", "no"),
        ("A wolf is on my boot. May I drink a potion?", "no"),
        ("A wolf is 3 inches off, I poked it with my reach, and my friend says both of us are Engaged. Right?", "no"),
        ("One attack per act no matter what, right?", "no"),
        ("Does shoving him eat one of my deeds?", "no"),
        ("We are locked, I win, push him off, and I want to shoot him with my last Deed. OK?", "yes"),
        ("A skeleton touches my archer. He fires at another one far away. Opponent says nope. Is he right?", "yes"),
        ("Two skeletons on me, I dropped one of them. Free to go?", "no"),
        ("Two skeletons on me, I killed both. Free to go?", "yes"),
        ("Lost the exchange, nobody pushed. I think I can just walk off.", "no"),
        ("A thug claims only he may push since it was his act", "no"),
        ("The model next to me is my own goblin. Engaged?", "no"),
        ("So when I attack and lose I take no damage, right?", "no"),
        ("My mate is locked with my target plus a rat. Plus one for me?", "no"),
        ("It's my Act, I assault a guy who has 2 mates engaged with me. Does he get +2?", "no"),
        ("Started my Act 6 inches away, walked into contact and assaulted. Charge bonus?", "yes"),
        ("Is the order of my Deeds prescribed?", "no"),
        ("On equal totals does anyone lose Endurance?", "no"),
        ("Tie = free?", "no"),
        ("Attack 2x with a reach spear from 2 inches?", "no"),
        ("He is 1.2 inches off. Is he tied up with me?", "no"),
        ("A gnoll chews on my mage's sleeve. May she loose an arrow?", "no"),
        ("A gnoll chews on my mage's sleeve. Is loosing an arrow forbidden?", "yes"),
        ("I won the exchange and shoved him two inches off. Am I free now?", "yes"),
        ("I won the exchange but left him where he is. Am I free now?", "no"),
        ("My friend killed the only orc on me. May I walk away?", "yes"),
        ("My friend killed one of the two orcs on me. May I walk away?", "no"),
        ("He says a tie hurts the defender. Is he right?", "no"),
        ("I say a tie hurts nobody. Am I wrong?", "no"),
        ("Does the winner have to push?", "no"),
        ("May the winner choose not to push?", "yes"),
        ("I moved into contact and hit him in the same Act. Plus one?", "yes"),
        ("I was in contact when my Act began. Do I get the charge bonus?", "no"),
        ("My mate is on my target and on another foe. Does he give me +1?", "no"),
        ("My knight is on 1 Endurance. Is he out?", "no"),
        ("My knight is on 0 Endurance. Is he out?", "yes"),
    ],
)
def test_ordeals_claims__verdict(question: str, wanted: str) -> None:
    assert verdict(GAME, question) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "Can I push him into the lava?",
        "Does the charge bonus count for my second Assault too?",
        "Do I get +1 for standing on a hill?",
        "He went Out of Action. May I push the corpse off the bridge?",
        "I took him Out of Action. May I push him away?",
        "Is my foe's hit shut off by the curse?",
        "40k: may I fall back and shoot?",
        "Is he free or does he stay engaged?",
        # where the friend stands is not told
        "Does my mate standing behind the orc give me +1?",
        # amounts that are to be reckoned with
        "I charged him with two mates on him, rolled 3, might 1, his total is 7. Am I hurt?",
    ],
)
def test_ordeals_claims__no_verdict_where_the_rules_are_silent(question: str) -> None:
    assert verdict(GAME, question) is None


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Which way is he pushed?", "gaps#push-direction"),
        ("May I fire into a melee where my friend is?", "gaps#fire-into-combat"),
        ("In catan, how long is the longest road?", "gaps#other-games"),
        ("May the winner push?", None),
        ("Is my archer Engaged with a foe at 1 inch?", None),
    ],
)
def test_ordeals_claims__left_open_is_what_the_rules_do_not_say(question: str, passage: str | None) -> None:
    claim = left_open(matched(GAME, question))
    assert (claim.passage if claim else None) == (f"{GAME}/{passage}" if passage else None)
