"""Eldfall Chronicles: what its claims say to phrasings that editors have answered, and to questions of all sorts."""

from __future__ import annotations

import pytest
from claim_desk import answered, desk, examples_named, examples_there, verdict

GAME = "eldfall"


def test_eldfall_claims__agree_with_the_phrasings_that_are_answered() -> None:
    said = answered(GAME)
    wrong = [ask.text for found, ask in said if found and found != ask.verdict]
    assert len(wrong) <= len(said) * 0.06, wrong
    assert sum(found == ask.verdict for found, ask in said) >= len(said) * 0.45


def test_eldfall_claims__name_examples_that_exist() -> None:
    assert examples_named(GAME) <= examples_there(GAME)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("pikeman has me engaged, i walk towards the exit. legal?", "no"),
        ("can my engaged hero just stand there and idle", "yes"),
        ("my gunner is in melee with an ogre, can she fire at the ogre", "no"),
        ("engaged, can i bandage my buddy with an assist", "no"),
        ("engaged, assist on me myself, allowed", "yes"),
        ("locked in with two pirates, may i dodge", "yes"),
        ("boxer next to my thief, no weapon, just fists. is my thief engaged", "no"),
        ("does a puny dagger do it for engaging", "yes"),
        ("wizard bumps into wizard, only spells on both sides, are they stuck in melee", "no"),
        ("chanra with her staff touches my archer. engaged?", "yes"),
        ("i only wounded him, hes still standing with his club and reaches me. am i free", "no"),
        ("pushed 4 inches back, out of reach of his sword. nobody else near. am i free now", "yes"),
        ("enemy is out cold at my feet, does he still engage me", "no"),
        ("can my downed knight hit the orc standing over him", "no"),
        ("downed guy has an orc with axe on him, reroll his recovery?", "no"),
        ("nobody engaged anywhere near my downed guy, so the recovery reroll is fine?", "yes"),
        ("thug stabs me from behind and engages me, i have los to him right", "yes"),
        ("sniper outside my awareness fires at my engaged knight, can the knight react to him", "no"),
        ("hit and retreat, still engaged after the attack, do i get to walk", "no"),
        ("artificer, greatsword in both hands, enchants himself. ok?", "yes"),
        ("is an engaged artificer allowed to buff himself with an enchantment", "yes"),
        ("two orcs on me, must i walk to the closer one", "no"),
        ("two orcs on me, i walk at the far one. thats ok?", "yes"),
        ("two orcs on me, i want to walk between them", "no"),
        ("in my movement step while engaged, may i dodge", "no"),
        ("engaged, so i cant run to the tower, right", "yes"),
        ("engaged mage wants to throw a fireball at someone across the board, fine?", "no"),
        ("does the sword on his belt count while he holds the bow", "no"),
        ("do you need a real melee weapon to pin someone", "yes"),
        ("must i attack when im engaged", "no"),
        ("am i forced to walk at him when engaged", "no"),
        ("how many dice for the dodge", None),
        ("does a shield count for engaging", None),
        ("can i shoot an orc who is fighting my friend", None),
        ("whats the range of the longbow", None),
        ("does a stunned guy engage", None),
        ("troll has my medic, can she assist the wounded knight next to her", "no"),
        ("warlock zaps me with flare in base contact, no dagger no nothing. am i stuck with him", "no"),
        ("does he need to have the axe out to pin me", "yes"),
        ("my archer shot this turn, sword on her hip. does she hold the orc who steps up to her", "no"),
        ("friend touching my fallen guy is engaged, so no reroll of the recovery?", "yes"),
        ("fallen guy free of enemies but his pal in base contact is engaged. reroll ok?", "no"),
        ("engaged by a guy behind me, do i have to turn to see him", "no"),
        ("my skirmisher attacked, still engaged, uses hit and retreat to slip off. fine?", "no"),
        ("could it be that the goblin engages me and i dont engage the goblin", "yes"),
        ("engaged, i wanna climb the ladder in movement", "no"),
        ("one knight on me, my walk must lead straight to him?", "yes"),
        ("three on me, my pick which one i walk to?", "yes"),
        ("three on me, must my walk go to the one who engaged first", "no"),
        ("dodged and disengaged from the only orc, does he still have me", "no"),
        ("left the lancer's reach, noone else near, im unengaged yes?", "yes"),
        ("do i get a free hit when he walks off", None),
        ("how many hp has a knight", None),
        ("can petrified guys be engaged", None),
        ("does a dodge need a roll", None),
    ],
)
def test_eldfall_claims__questions_in_wild_words(question: str, wanted: str | None) -> None:
    assert verdict(GAME, question) == wanted


def test_eldfall_claims__what_the_rules_leave_open_is_not_settled() -> None:
    _, _, passages = desk(GAME)
    said = [
        (ask.text, verdict(GAME, ask.text)) for passage in passages if passage.kind == "gap" for ask in passage.asks
    ]
    settled = [text for text, found in said if found]
    assert len(settled) <= len(said) * 0.04, settled
