"""Book of Ordeals: questions on what basic Characters cost."""

from __future__ import annotations

import re

from kb.engine.kernel import Verdict
from kb.reading.ordeals.asking import asking
from kb.reading.ordeals.story import UNKNOWN
from kb.reading.ordeals.words import lexicon, words
from kb.reading.parties import tell_apart
from kb.reading.scene import Item, Scene, take_apart
from kb.reading.situation import Found, Situation

BUDGET = words("budget")
PLAIN_ONES = re.compile(
    r"\b(?:basic|plain|normal|standard|default|regular|ordinary|vanilla)\b.{0,12}\b(?:characters?|guys?|models?|"
    r"minis?|dudes?|fighters?|recruits?|ones?|units?|figures?|miniatures?|men|people|soldiers?|members?|hirelings?)\b|"
    r"\bbasics\b|\bbasic \w+(?:s|men)\b"
)
HOW_MANY = re.compile(r"\bhow many\b|^(?:basic|normal|plain|standard) \w+ for\b|\bnumber\b|\bhow large\b")
HOW_MUCH = re.compile(
    r"\b(?:costs?|prices?|pay|how much|supplies needed|need|how many suppl\w+|supplies (?:for|of|do|are)|bills?|eat|"
    r"sets? (?:me|us|him|her|you|them) back|runs? (?:me|us|you)|comes? to|amount|total)\b"
)
NOTHING_MORE = re.compile(
    r"\b(?:nothing|no|without|w/o)(?: any)? (?:extras?|else|more|gear|upgrades?|discounts?|weapons?)\b"
)
EXTRAS = words("extras")
BOUNDS = re.compile(r"\bneed\b|\bat (?:the )?(?:most|max)\b|\bup to\b")
MORE = re.compile(r"\b(?:left|already|spent|remaining|plus|each|extra|after|then|more|half|discount\w*)\b")
"With these the sum is another one."


def supplies(text: str) -> Situation | None:
    """What basic Characters cost, or how many there are for so many Supplies."""
    low = NOTHING_MORE.sub(" ", text.casefold())
    if (
        not BUDGET.search(low)
        or not PLAIN_ONES.search(low)
        or UNKNOWN.search(BOUNDS.sub(" ", low))
        or EXTRAS.search(low)
    ):
        return None
    scene = tell_apart(text, take_apart(text, lexicon()))
    numbers = [item for item in scene.items if item.tag == "N"]
    asks = "?" in text or asking(scene) or HOW_MUCH.search(low)
    if not asks or not all(isinstance(number.value, int) for number in numbers):
        return None
    kinds = [_counts(scene, number) for number in numbers]
    told = {
        kind: sum(int(n.value or 0) for n, each in zip(numbers, kinds, strict=True) if each == kind) for kind in kinds
    }
    added = kinds.count("characters") > 1 and ADDED.search(low) and not SOMEBODY_ELSE.search(low)
    if not told or kinds.count("supplies") > 1 or (len(told) < len(kinds) and not added):
        return None
    said = " for ".join(f"{value} {NOUNS[what]}" for what, value in told.items())
    if len(told) == 2:
        wanted = next((what for what, pattern in BOTH_TOLD if pattern.search(low)), None)
        return Situation("ordeals.recruit", told, said, lambda verdict: _of_both(verdict, wanted)) if wanted else None
    wants = HOW_MANY if "supplies" in told else HOW_MUCH
    if MORE.search(ADDED.sub(" ", low) if added else low) or not wants.search(low):
        return None
    return Situation("ordeals.recruit", told, said, _number)


NOUNS = {"supplies": "Supplies", "characters": "basic Characters"}
BOTH_TOLD = (
    (
        "short",
        re.compile(r"\bshort\b|\b(?:how (?:much|many)|what) (?:\w+ )?(?:more|is missing|am i missing|do i lack)\b"),
    ),
    ("affordable", re.compile(r"\b(?:enough|afford|suffice|can i (?:buy|hire|get|recruit|field))\b")),
    ("left", re.compile(r"\b(?:left|keep|remain\w*|over|change|after|spare)\b")),
)
SOMEBODY_ELSE = re.compile(r"\b(?:he|she|they|his|her|their|opponent\w*|enemy|foe|friend|mate|buddy)\b")
ADDED = re.compile(r"\bplus\b|\+|\band\b")
"What is asked where both the Supplies and the Characters are told."


def _counts(scene: Scene, number: Item) -> str:
    """What a number counts: Supplies where the word stands by it."""
    clause = next(clause for clause in scene.clauses if number in clause.items)
    at = clause.items.index(number)
    of_supplies = re.match(r"[au]*S", clause.tags[at + 1 :]) or re.search(r"S[=a]*$", clause.tags[:at])
    # `how many do I keep from 500 after buying 7`: a budget.
    text = " ".join(i.text for i in clause.items[:at])
    budget = re.search(r"\b(?:from|out of|have|got|having|with)$", text) or "enough" in [
        i.text for i in clause.items[at + 1 : at + 2]
    ]
    return "supplies" if of_supplies or (budget and not re.match(r"a*d", clause.tags[at + 1 :])) else "characters"


def _number(verdict: Verdict) -> Found:
    cost = verdict.result["cost"]
    return Found(verdict.result["characters"], "basic Characters") if cost is None else Found(cost, "Supplies")


def _of_both(verdict: Verdict, wanted: str) -> Found:
    result = verdict.result
    if wanted == "affordable":
        return Found(result["cost"], "Supplies", "yes" if result["affordable"] else "no", beside=True)
    if wanted == "short":
        return Found(result["short"], "Supplies short") if result["short"] else Found()
    return Found(result["left"], "Supplies left") if result["affordable"] else Found()
