"""Book of Ordeals: what it takes to win, to do Harm, to take somebody out."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.numbers import LOSER, combinations
from kb.reading.ordeals_asking import asking, plain
from kb.reading.ordeals_numbers import SINGLE, units
from kb.reading.ordeals_story import UNKNOWN, Story, read_story
from kb.reading.ordeals_words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.scene import Scene, take_apart
from kb.reading.situation import Found, Situation

NEED = re.compile(
    r"\b(?:need\w*|must|have to|has to|minimum|min|at least|least|lowest|smallest|required?|requires|takes? to|"
    r"takes? (?:it|him|her|them|@\w+) out|kills? (?:it|him|her|them|@\w+)|gotta)\b"
)
BOUNDS = re.compile(r"\b(?:at least|at minimum|at the least|or more|or better|or higher|need\w*|minimum)\b")
OUT = re.compile(
    r"\b(?:kill\w*|out of action|take \S+ out|takes? out|drops?|dead|finish\w*|slay\w*|down|knock\w* out|out|ko)\b"
)
HARM = re.compile(r"\b(?:harm\w*|hurt\w*|wound\w*|through|damage (?:him|her|it|them)|scratch)\b")
WIN = re.compile(r"\b(?:wins?|beats?|defeats?|outrolls?|best)\b")
ROLL = re.compile(r"\b(?:roll|die|dice|d12|number|throw|score)\b")
MARGIN = re.compile(
    r"\bleast\b.*\bby\b|\b(?:by how (?:much|many)|margin|difference|damage|how (?:much|many points) .*\b(?:win|beat)\b)"
)


def needed(text: str) -> Situation | None:
    """The least difference, damage or roll that reaches something in one exchange."""
    scene = tell_apart(text, take_apart(text, lexicon()))
    places = asking(scene)
    if len(places) != 1:
        return None
    ask = plain(scene.clauses[places[0]])
    if not NEED.search(ask) or UNKNOWN.search(BOUNDS.sub(" ", text.casefold())):
        return None
    goal = _goal(ask) or _goal(text.casefold())
    if goal == "win":
        # With a Ward told, more than a win may be meant.
        goal = _goal(WIN.sub(" ", text.casefold())) or goal
    wants = "roll" if ROLL.search(ask) else "difference" if MARGIN.search(ask) else None
    needing = re.search(r"\b(?:does|do|must|can|would|should|will) @(\w+)", ask)
    if goal is None or wants is None or (needing and needing[1] != scene.sides[0]):
        return None
    scene.text = BOUNDS.sub(" ", scene.text)
    story = read_story(scene, set(places))
    given = _given(scene, story, goal, wants)
    if given is None:
        return None
    target = ", ".join(f"{kind} {number}" for kind, number in given["defender"].items())
    total = f", total {given['total']}" if "total" in given else ""
    said = f"{goal}: Foe {target or 'with the defaults'}{total}; your Might {given['might']}"
    return Situation("ordeals.needed", given, said, lambda verdict: _found(verdict, wants))


def _goal(text: str) -> str | None:
    return "out" if OUT.search(text) else "harm" if HARM.search(text) else "win" if WIN.search(text) else None


def _given(scene: Scene, story: Story, goal: str, wants: str) -> dict[str, Any] | None:
    """The Foe's numbers and the bonuses of the one who wants to win; None where something does not fit."""
    found = combinations(units(scene, story.used), scene.sides, SINGLE, 0.0)
    if len(found) != 1 or story.blocked or story.help.unclear:
        return None
    mine, foe = scene.sides
    facts = {(fact.what, fact.party): int(fact.value) for fact in found[0].facts if fact.what != "skip"}
    if mine == "me" and {("ward", mine), ("endurance", mine)} & set(facts):
        return None
    if {what for what, _ in facts} - {"might", "ward", "endurance", "total", "roll"} or ("roll", mine) in facts:
        return None

    def of(what: str) -> int | None:
        parties = (foe, LOSER, "both") if mine == "me" else (foe, mine, LOSER, "both")
        return next((facts[what, party] for party in parties if (what, party) in facts), None)

    given: dict[str, Any] = {
        "goal": goal,
        "might": facts.get(("might", mine), facts.get(("might", "both"), 0)) if mine == "me" else 0,
        "defender": {kind: number for kind in ("ward", "endurance") if (number := of(kind)) is not None},
    }
    roll = of("roll")
    total = of("total") if roll is None else roll + (of("might") or 0)
    if total is None and wants == "roll" and re.search(r"\b(?:a|the) total of\b", scene.text.casefold()):
        # `with my Might of 2, what must the die show to beat a total of 11`
        total = facts.get(("total", mine))
    if wants == "roll":
        if total is None or mine != "me":
            return None
        given["total"] = total
        given |= _bonuses(scene, story)
    elif total is not None:
        return None
    return given


def _bonuses(scene: Scene, story: Story) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if story.charged == scene.sides[0]:
        found |= {"charged": True, "engaged_at_act_start": story.engaged_at_start}
    if story.help.owner in (None, scene.sides[0]) and story.actor in (None, scene.sides[0]):
        found["allies"] = [{"engaged_with": ["defender"]}] * story.help.counting
    return found


UNITS = {"roll": "on the D12 at least", "difference": "apart at least"}


def _found(verdict: Verdict, wants: str) -> Found:
    """The number. A roll that no D12 shows is told as such, in the steps, and is no value."""
    if wants == "roll" and not verdict.result["possible"]:
        return Found()
    goal = verdict.given["goal"]
    deciding = "ordeals/close-combat#exchange-2" if goal == "win" else "ordeals/close-combat#exchange-3"
    return Found(verdict.result[wants], UNITS[wants], deciding=deciding)
