"""Book of Ordeals: questions on what basic Characters cost."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.ordeals_asking import asking
from kb.reading.ordeals_story import UNKNOWN
from kb.reading.ordeals_words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.scene import Item, Scene, take_apart
from kb.reading.situation import Found, Situation

BUDGET = re.compile(r"\b(?:suppl\w+|costs?|prices?|pay|afford|hire|hiring|buys?|recruit\w*)\b")
PLAIN_ONES = re.compile(
    r"\b(?:basic|plain|normal|standard|default|regular|ordinary|vanilla)\b.{0,12}\b(?:characters?|guys?|models?|minis?|"
    r"dudes?|fighters?|recruits?|ones?|units?|figures?|miniatures?|men|people|soldiers?|members?|hirelings?)\b"
)
HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b|\bhow large\b")
HOW_MUCH = re.compile(
    r"\b(?:costs?|prices?|pay|how much|supplies needed|need|how many suppl\w+|supplies (?:for|of|do|are)|"
    r"amount|total)\b"
)
BOUNDS = re.compile(r"\bat (?:the )?(?:most|max)\b|\bup to\b")
MORE = re.compile(r"\b(?:left|already|spent|remaining|plus|each|extra|after|then|more|half|discount\w*)\b")
"With these the sum is another one."


def supplies(text: str) -> Situation | None:
    """What basic Characters cost, or how many there are for so many Supplies."""
    low = text.casefold()
    if not BUDGET.search(low) or not PLAIN_ONES.search(low) or UNKNOWN.search(BOUNDS.sub(" ", low)) or MORE.search(low):
        return None
    scene = tell_apart(text, take_apart(text, lexicon()))
    numbers = [item for item in scene.items if item.tag == "N"]
    asks = "?" in text or asking(scene) or HOW_MUCH.search(scene.clauses[-1].text)
    if len(numbers) != 1 or not asks:
        return None
    return _one_number(scene, numbers[0], low)


def _one_number(scene: Scene, number: Item, low: str) -> Situation | None:
    if not isinstance(number.value, int):
        return None
    clause = next(clause for clause in scene.clauses if number in clause.items)
    at = clause.items.index(number)
    of_supplies = re.match(r"[au]*S", clause.tags[at + 1 :]) or re.search(r"S[=a]*$", clause.tags[:at])
    if of_supplies:
        return _reading("supplies", number) if HOW_MANY.search(low) else None
    return _reading("characters", number) if HOW_MUCH.search(low) else None


def _reading(what: str, number: Item) -> Situation:
    given: dict[str, Any] = {what: number.value}
    says = f"{number.text} Supplies" if what == "supplies" else f"{number.text} basic Characters"
    return Situation("ordeals.recruit", given, says, _number)


def _number(verdict: Verdict) -> Found:
    cost = verdict.result["cost"]
    return Found(verdict.result["characters"], "basic Characters") if cost is None else Found(cost, "Supplies")
