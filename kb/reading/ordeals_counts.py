"""Book of Ordeals: questions that count Deeds, Assaults, Supplies, or what it takes to win."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.ordeals_asking import asking, plain
from kb.reading.ordeals_story import UNKNOWN
from kb.reading.ordeals_words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.scene import Item, Scene, take_apart
from kb.reading.situation import Found, Situation

COUNT = re.compile(r"\b(?:how many|number of|how often|how much|max\w*|most|left|remain\w*)\b")
ASSAULTS = re.compile(r"\b(?:assaults?|attacks?|swings?|hits?|hit|swing|attack|strikes?|fight)\b")
DEEDS = re.compile(r"\b(?:deeds?|actions?)\b")
REACH = re.compile(r"\breach\b")
NEVER_ENGAGED = re.compile(
    r"\b(?:never|not|un-?|without|staying|isn't|isnt|am not)\b.{0,24}\b(?:engaged|within 1|within one|contact)|"
    r"\bunengaged\b|\bfrom (?:beyond|outside|two|2|1\.5|three|3)\b|\b(?:two|2|1\.5|three|3) inches"
)
ENGAGED = re.compile(
    r"\b(?:start\w*|begin\w*|began|already|whole|all (?:the )?time|from the start|throughout|always|engaged|in melee|stuck|"
    r"in combat|in contact|locked)\b"
)
MOVED_IN = re.compile(
    r"\b(?:move[sd]?|moving|walk\w*|run|runs|ran|running|charg\w*|rush\w*|step\w*)\b.{0,30}"
    r"\b(?:in|into|up|contact|next|adjacent|to|engagement|at)\b|\bcharg\w*"
)
FREED = re.compile(r"\b(?:push\w*|kill\w*|dead|out of action|free|leave\w*|break)\b")
BUDGET = re.compile(r"\b(?:suppl\w+|cost\w*|price\w*|pay|afford|hire|buy|recruit\w*)\b")
PLAIN_GUYS = re.compile(
    r"\b(?:basic|plain|normal|standard|default|regular|ordinary|vanilla)\b.{0,12}"
    r"\b(?:characters?|guys?|models?|minis?|dudes?|fighters?|recruits?|ones?|units?|figures?|miniatures?|men|people|soldiers?)\b"
)


def supplies(text: str) -> Situation | None:
    """What basic Characters cost, or how many there are for so many Supplies."""
    low = text.casefold()
    if not BUDGET.search(low) or not PLAIN_GUYS.search(low) or UNKNOWN.search(low):
        return None
    scene = tell_apart(text, take_apart(text, lexicon()))
    numbers = [item for item in scene.items if item.tag == "N"]
    if len(numbers) != 1 or not ("?" in text or asking(scene)):
        return None
    (number,) = numbers
    clause = next(clause for clause in scene.clauses if number in clause.items)
    at = clause.items.index(number)
    counts_supplies = re.match(r"[au]*S", clause.tags[at + 1 :]) or re.search(r"S[=a]*$", clause.tags[:at])
    if number.value is None or not float(number.value).is_integer():
        return None
    if counts_supplies and re.search(r"\bhow many\b", low):
        given: dict[str, Any] = {"supplies": int(number.value)}
        return Situation("ordeals.recruit", given, f"{number.text} Supplies", lambda v: Found(v.result["characters"]))
    if counts_supplies or not re.search(r"\b(?:cost|costs|price|pay|how much|how many suppl\w+)\b", low):
        return None
    given = {"characters": int(number.value)}
    return Situation("ordeals.recruit", given, f"{number.text} basic Characters", _cost)


def _cost(verdict: Verdict) -> Found:
    return Found(verdict.result["cost"], "Supplies")


def deeds(text: str) -> Situation | None:
    """How many Deeds or Assaults an Act has left."""
    scene = tell_apart(text, take_apart(text, lexicon()))
    places = asking(scene)
    low = " ".join(clause.text for clause in scene.clauses)
    if len(places) != 1 or FREED.search(low) or UNKNOWN.search(REACH.sub(" ", _without_bounds(low))):
        return None
    ask = plain(scene.clauses[places[0]])
    if len(re.findall(r"\bhow many\b", ask)) > 1:
        return None
    wants = "assaults" if ASSAULTS.search(ask) else "deeds_left"
    if not COUNT.search(ask) or not (ASSAULTS.search(low) or DEEDS.search(low)):
        return None
    if re.search(r"\b(?:cost|exchange|endurance|harm|damage|might|ward)\b", low) or not (
        DEEDS.search(ask) or wants == "assaults" or re.search(r"\bleft\b|\bmore\b|\bremain", ask)
    ):
        return None
    given = _spent(scene, low)
    if given is None or not _situated(low, given, wants):
        return None
    said = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in given.items())
    return Situation("ordeals.deeds", given, said, lambda v: _count(v, wants))


def _without_bounds(text: str) -> str:
    return re.sub(r"\bat (?:the )?(?:most|least|max)\b|\bup to\b", " ", text)


def _count(verdict: Verdict, wants: str) -> Found:
    if verdict.status == "illegal" or wants not in verdict.result:
        return Found()
    deciding = "ordeals/close-combat#repeat" if wants == "assaults" else "ordeals/glossary#act"
    acted = {step.clause for step in verdict.steps}
    return Found(verdict.result[wants], deciding=deciding if deciding in acted else None)


def _spent(scene: Scene, low: str) -> dict[str, Any] | None:
    """The Deeds spent, and how; None where a number is no Deed's."""
    spent, assaults = 0, 0
    for clause in scene.clauses:
        for at, item in enumerate(clause.items):
            if item.tag != "N" or item.value is None:
                continue
            kind = _counts(clause.items[at + 1 :])
            before = " ".join(each.text for each in clause.items[:at])
            if item.value == 3 and re.search(r"\bof (?:my|his|her|the|its|your)?$", before):
                continue
            if kind == "skip":
                continue
            if kind is None:
                return None
            spent += int(item.value)
            assaults += int(item.value) if kind == "assaults" else 0
    reach = bool(REACH.search(low)) and bool(NEVER_ENGAGED.search(low))
    moved = bool(MOVED_IN.search(low)) and not reach
    named_deed = re.search(r"\b(?:one|first|a) deed\b|\bwith (?:my|his|the|her) first\b|\bfirst\b", low)
    if (moved and not spent) or (named_deed and not spent and not re.search(r"\bfirst (?:of|in)\b", low)):
        spent = 1
    given: dict[str, Any] = {"spent": spent, "assaults_made": assaults}
    if reach:
        return {**given, "reach": True}
    return {**given, "engaged": bool(ENGAGED.search(low)) and not moved, "moved_in": moved}


def _counts(after: list[Item]) -> str | None:
    """What a number counts: inches and the three Deeds of an Act are nothing spent."""
    words = " ".join(item.text for item in after[:3])
    if after and after[0].tag == "i":
        return "skip"
    if DEEDS.match(words) or re.match(r"of (?:my|the|his|her|its|your|those|these)\b", words):
        return "deeds"
    return "assaults" if re.match(r"(?:assaults?|attacks?)\b", words) else None


def _situated(low: str, given: dict[str, Any], wants: str) -> bool:
    """Whether the question tells a situation, and not only asks for the rule."""
    if wants == "deeds_left":
        return bool(given["spent"])
    if re.search(r"\b(?:but not|un-?engaged|not engaged)\b", low) and not given.get("reach"):
        return False
    return bool(given.get("reach") or given.get("engaged") or given.get("moved_in"))
