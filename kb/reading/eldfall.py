"""Eldfall Chronicles: readers of questions that tell a situation, or that count what an Engaged model may do.

Most yes/no questions of this game are settled by the FAQ and the rulings; what is read here is what has to be counted.
"""

from __future__ import annotations

import re

from kb.engine.eldfall.declare import DECLARATIONS
from kb.engine.eldfall.state import ENDS
from kb.engine.kernel import LEGAL, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.reading.eldfall_zone import counted
from kb.reading.situation import Found, Reader, Situation
from kb.reading.tokens import NUMBER_WORDS

_NUMBER = r"(two|three|four|five|six|seven|eight|nine|ten|\d+)"
_MODELS = r"(?:enem\w+|foes?|models?|minis?|guys?|opponents?|\w+men|knights?|orcs?|goblins?|skeletons?|fighters?)"
_ENGAGING = re.compile(
    rf"\b{_NUMBER} (?:\w+ )?(?:{_MODELS}|of them)\b.{{0,30}}\b(?:engag\w+|pin\w*)\b|\bengaged (?:by|with) {_NUMBER}\b"
)
_SEES = re.compile(r"\b(?:los|line of sight|see|sees|sight)\b")
_WALKS_TO = re.compile(
    r"\b(?:walk|move|go|choose|pick|step)\w*\b.*\b(?:towards?|to|at|choose|pick)\b|\b(?:choose|pick)\b"
)
_HOW_MANY = re.compile(r"\bhow many\b|\bnumber of\b")
_OPTIONS = re.compile(
    r"\b(?:things?|actions?|options?|declarations?|choices?|possibilit\w+)\b|\bdeclare\b|\bmay\b.*\bdo\b|"
    r"\bcan\b.*\bdo\b"
)
_MOVEMENT = re.compile(r"\bmovement (?:step|phase)?\b")
_NOT_MOVEMENT = re.compile(
    r"\b(?:not counting|without|besides|apart from|outside|other than|except|excluding|beyond|ignoring|"
    r"aside from)\b.*\bmove"
)
_STATES = re.compile(r"\bstates?\b")
_WAYS = re.compile(r"\b(?:ways?|methods?|exits?)\b.*\b(?:free|engage\w*|out|disengage|stop)\b")


def seen(text: str) -> Situation | None:
    """To how many of the enemies that engage it a model has Line of Sight, or towards how many it must walk."""
    low = text.casefold()
    match = _ENGAGING.search(low)
    if not match or not _HOW_MANY.search(low) or re.search(r"\bnot\b|\bdon't\b|n't\b|\bawareness\b", low):
        return None
    numbers = re.findall(rf"\b(?:{_NUMBER})\b", low)
    word = match[1] or match[2]
    if any(number != word for number in numbers):
        return None
    many = int(word) if word.isdigit() else int(NUMBER_WORDS[word])
    asks = low[[each.start() for each in _HOW_MANY.finditer(low)][-1] :]
    enemies = [f"enemy {number + 1}" for number in range(many)]
    if _SEES.search(asks):
        return _automatic_sight(enemies)
    return _chosen(enemies) if _WALKS_TO.search(asks) and re.search(r"\bwalk|\bmov", low) else None


def _automatic_sight(enemies: list[str]) -> Situation:
    given = {"engaged_by": enemies, "to": enemies[0], "in_awareness": True}

    def find(verdict: Verdict) -> Found:
        if verdict.result.get("line_of_sight") is not True:
            return Found()
        return Found(len(verdict.given["engaged_by"]), "models", deciding="eldfall/engaged#line-of-sight")

    return Situation("eldfall.react", given, f"engaged by {len(enemies)} enemy models", find)


def _chosen(enemies: list[str]) -> Situation:
    given = {"engaged_by": enemies, "declares": "walk", "towards": enemies[0]}

    def find(verdict: Verdict) -> Found:
        return Found(1, "enemy", deciding="eldfall/engaged#movement-several") if verdict.status == LEGAL else Found()

    return Situation("eldfall.declare", given, f"engaged by {len(enemies)} enemy models, a Walk towards one", find)


def options(text: str) -> Situation | None:
    """How many things an Engaged model may declare."""
    low = text.casefold()
    if not _HOW_MANY.search(low) or not re.search(r"\bengag", low) or not _OPTIONS.search(low) or _STATES.search(low):
        return None
    if re.search(
        r"\d|\b(?:enem\w+|times|models? (?:can|may) engage|points?|inch\w*|ap|range|friends?|all(?:y|ies)|cost|"
        r"turns?)\b",
        low,
    ):
        return None
    movement = bool(_MOVEMENT.search(low)) and not _NOT_MOVEMENT.search(low)
    step = "movement" if movement else "action"
    given = {"engaged_by": ["enemy"], "step": step, "declares": "walk" if movement else "melee-attack", "on_self": True}
    given |= {"towards": "enemy"} if movement else {}

    def find(verdict: Verdict) -> Found:
        return Found(sum(_legal({**given, "declares": each}) for each in DECLARATIONS), "declarations")

    return Situation("eldfall.declare", given, f"Engaged, {step} step", find)


def _legal(given: dict[str, object]) -> bool:
    return run(procedure("eldfall.declare"), given, Rules()).status == LEGAL


def freeing(text: str) -> Situation | None:
    """How many States of the enemy, or how many ways, end being Engaged."""
    low = text.casefold()
    if not _HOW_MANY.search(low) or re.search(r"\d|\bturns?\b|\blong\b", low):
        return None
    states = _STATES.search(low) and re.search(
        r"\b(?:free|frees|release|releases|end|ends|stop|stops|break|breaks|loose)\b", low
    )
    if not states and not (_WAYS.search(low) and "engage" in low):
        return None
    events = next(field.choices for field in ENDS.given if field.name == "event")

    def find(verdict: Verdict) -> Found:
        ending = [each for each in events if _ends(each) and each not in ("enemy-unarmed", "enemy-takes-ranged-weapon")]
        put = [each for each in ending if each.startswith("enemy-")]
        return Found(len(put) if states else len(ending) - len(put) + 1, "States" if states else "ways", deciding="eldfall/engaged#ends")

    return Situation("eldfall.ends", {"event": "enemy-petrified"}, "what ends being Engaged", find)


def _ends(event: str) -> bool:
    return run(procedure("eldfall.ends"), {"event": event}, Rules()).result.get("engaged_after") is False


READERS: tuple[Reader, ...] = (counted, seen, options, freeing)
