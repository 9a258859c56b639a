"""Eldfall Chronicles: how many things an Engaged model may declare, and how many free it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kb.engine.eldfall.declare import DECLARATIONS
from kb.engine.eldfall.state import ENDS
from kb.engine.kernel import LEGAL, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.reading.eldfall import words as w
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import Mark
from kb.reading.situation import Found, Situation

_ASK, _THING, _STATE, _WAY, _STEP, _ACTION, _NOT = "ask", "thing", "state", "way", "movement step", "action", "not"
ENEMY = "the enemy"
DECLARED: Mapping[str, str] = w.TABLES["declared"]
_LEXICON = w.lexicon({**w.TABLES["options"], **DECLARED, **w.TABLES["where"]})
_DECLARES = w.listed("declares")
_BESIDES, _FREES = w.pattern("besides"), w.pattern("frees")


def _clauses(text: str) -> list[list[Mark]]:
    return w.clauses_of(text, _LEXICON, (":", "and", "or", "plus", "=", "+", "/"))


def _has(clause: Sequence[Mark], *concepts: str) -> bool:
    return any(mark.concept in concepts for mark in clause)


def _step(clauses: Sequence[Sequence[Mark]]) -> str | None:
    """The step that is spoken of; `not counting the movement step` is the other one."""
    found = set()
    for clause in clauses:
        for at, mark in enumerate(clause):
            if mark.concept == _ACTION:
                found.add("action")
            elif mark.concept == _STEP:
                past = any(each.concept == _NOT for each in clause[max(0, at - 7) : at]) or clause[-1].text == "over"
                found.add("action" if past else "movement")
    doubt(len(found) > 1, "two steps")
    return found.pop() if found else None


def options(text: str) -> Situation | None:
    """How many things an Engaged model may declare."""
    low = text.casefold()
    clauses = _clauses(low)
    asking = [clause for clause in clauses if _asks_for(clause, _THING)]
    told = [mark for clause in clauses for mark in clause]
    if len(asking) != 1 or not _has(told, "engaged") or _BESIDES.search(low) or _listed(clauses):
        raise Unclear("no count of declarations")
    words = {word for mark in told for word in mark.text.split()}
    step = _step(clauses)
    doubt(not words & _DECLARES and step is None, "no declarations")
    found = open_in(step or "action")
    given = _best(step or "action") | {"declares": found[0]}
    says = f"Engaged, {step or 'action'} step"
    return Situation("eldfall.declare", given, says, lambda _: Found(len(found), "declarations"))


def open_in(step: str) -> list[str]:
    """What an Engaged model may declare in a step, in the best case."""
    return [each for each in DECLARATIONS if _status(_best(step) | {"declares": each}) == LEGAL]


def _best(step: str) -> dict[str, Any]:
    return {"engaged_by": [ENEMY], "step": step, "on_self": True, "towards": ENEMY}


def _asks_for(clause: Sequence[Mark], concept: str) -> bool:
    """Whether the noun behind `how many` is this."""
    for at, mark in enumerate(clause):
        if mark.concept == _ASK:
            return any(each.concept == concept for each in clause[at + 1 : at + 5]) or mark.text.endswith(
                ("kinds of", "sorts of", "types of")
            )
    return False


def _status(given: dict[str, Any]) -> str:
    return run(procedure("eldfall.declare"), given, Rules()).status


def _listed(clauses: Sequence[Sequence[Mark]]) -> int:
    return sum(_has(clause, *DECLARED) for clause in clauses if not _has(clause, _ASK))


def freeing(text: str) -> Situation | None:
    """How many States of the enemy, or how many ways, end being Engaged."""
    low = text.casefold()
    clauses = _clauses(low)
    states = any(_asks_for(clause, _STATE) for clause in clauses)
    ways = any(_asks_for(clause, _WAY) for clause in clauses)
    told = [mark for clause in clauses for mark in clause]
    doubt(states == ways or not _has(told, "engaged", "foe") or not _FREES.search(low), "States or ways")
    if re.search(r"\d|\bturns?\b|\blong\b|\bnot\b|n't\b", low) or (ways and not _has(told, "engaged")):
        raise Unclear("numbers, times and denials")
    events = next(field.choices for field in ENDS.given if field.name == "event")

    def find(verdict: Verdict) -> Found:
        ending = [each for each in events if _ends(each) and each not in ("enemy-unarmed", "enemy-takes-ranged-weapon")]
        put = [each for each in ending if each.startswith("enemy-")]
        number = len(put) if states else len(ending) - len(put) + 1
        return Found(number, "States" if states else "ways", deciding="eldfall/engaged#ends")

    return Situation("eldfall.ends", {"event": "enemy-petrified"}, "what ends being Engaged", find)


def _ends(event: str) -> bool:
    return run(procedure("eldfall.ends"), {"event": event}, Rules()).result.get("engaged_after") is False
