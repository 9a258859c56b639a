"""Book of Ordeals: what it takes to win, to do Harm, to take somebody out."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import Verdict
from kb.engine.ordeals.sides import DIE
from kb.reading.numbers import LOSER, Combination, combinations
from kb.reading.ordeals.asking import asking, plain
from kb.reading.ordeals.exchange import circumstances
from kb.reading.ordeals.numbers import SINGLE, units
from kb.reading.ordeals.story import NO_MODIFIERS, UNKNOWN, Story, read_story
from kb.reading.ordeals.words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.persons import ME
from kb.reading.scene import Scene, take_apart
from kb.reading.situation import Found, Situation

NEED = re.compile(
    r"\b(?:need\w*|must|have to|has to|minimum|min|at least|least|lowest|smallest|required?|requires|takes? to|"
    r"enough to|kill roll|(?:roll|number|throw|score|margin|difference) (?:that )?(?:beats?|wins?|kills?|gets?|"
    r"does|finish\w*|takes?|drops?|"
    r"hurts?)|"
    r"how much damage to (?:kill|take|drop|down|finish|remove|slay)|"
    r"takes? (?:it|him|her|them|@\w+) out|kills? (?:it|him|her|them|@\w+)|gotta)\b"
)
BOUNDS = re.compile(r"\b(?:at least|at minimum|at the least|or more|or better|or higher|need\w*|minimum)\b")
OUT = re.compile(
    r"\b(?:kill\w*|out of action|take \S+ out|takes? out|drops?|dead|finish\w*|slay\w*|down|knock\w* out|out|ko|"
    r"one shots?|one-shots?|oneshots?|remove\w*|off the board)\b"
)
HARM = re.compile(r"\b(?:harm\w*|hurt\w*|wound\w*|through|damage (?:him|her|it|them)|scratch)\b")
WIN = re.compile(r"\b(?:wins?|beats?|defeats?|outrolls?|bests?|over (?:him|her|it|them|@\w+)|ahead)\b")
ROLL = re.compile(r"\b(?:roll|die|dice|d12|number|throw|score)\b")
MARGIN = re.compile(
    r"\bleast\b.*\bby\b|\b(?:by how (?:much|many)|margin|difference|damage|how (?:much|many points) .*\b(?:win|beat)\b)"
)


def needed(text: str) -> Situation | None:
    """The least difference, damage or roll that reaches something in one exchange."""
    scene = tell_apart(text, take_apart(text, lexicon()))
    places = asking(scene) or _demanded(scene)
    if len(places) != 1:
        return None
    ask = IT_TAKES.sub("need to", plain(scene.clauses[places[0]]))
    if POSSIBLE.search(ask):
        return _possible(scene, places, ask)
    if ROLL.search(ask) and (survives := MOST.search(ask)):
        return _most(scene, places, survives)
    if re.search(r"\b(?:most|max|maximum|highest|biggest)\b(?<!at most)", ask):
        return None
    if not (NEED.search(ask) or (ROLL.search(ask) and NEED.search(text.casefold()))) or UNKNOWN.search(
        NO_MODIFIERS.sub(" ", BOUNDS.sub(" ", text.casefold()))
    ):
        return None
    goal = _goal(ask) or _goal(text.casefold())
    if goal == "win":
        # With a Ward told, more than a win may be meant.
        goal = _goal(WIN.sub(" ", text.casefold())) or goal
    wants = "roll" if ROLL.search(ask) else "difference" if MARGIN.search(ask) else None
    if wants is None and BARE.search(ask):
        wants, goal = "roll", goal or "win"
    needing = re.search(r"\b(?:does|do|must|can|would|should|will) @(\w+)", ask)
    if goal is None or wants is None or (needing and needing[1] not in scene.sides):
        return None
    unnamed = not needing and scene.sides[0] != ME and scene.sides[1] in ("first", "second")
    if (needing and needing[1] == scene.sides[1]) or (unnamed and wants == "roll"):
        # Whoever needs the roll comes first.
        scene.sides = (scene.sides[1], scene.sides[0])
    scene.text = BOUNDS.sub(" ", scene.text)
    story = read_story(scene, set(places))
    given = _given(scene, story, goal, wants)
    if given is None:
        return None
    return Situation("ordeals.needed", given, _says(scene, given), lambda verdict: _found(verdict, wants))


def _says(scene: Scene, given: dict[str, Any]) -> str:
    """The reading in a line: `to take out a Foe with Ward 2, total 5; your Might 3 (charge)`."""
    goal = {"win": "to beat", "harm": "to hurt", "out": "to take out"}[given["goal"]]
    target = ", ".join(f"{kind.title()} {number}" for kind, number in given["defender"].items())
    total = f", total {given['total']}" if "total" in given else ""
    mine = f"{_whose(scene)} Might {given['might']}{circumstances(given)}"
    return f"{goal} a Foe with {target or 'the default Ward and Endurance'}{total}; {mine}"


IT_TAKES = re.compile(r"\b(?:(?:does|would|will|did) (?:it|@\w+) take to|(?:it|@\w+) takes? to)\b")
BARE = re.compile(r"\bwhat (?:do|does|would|must|should) @\w+ need(?: now| to win| to beat \S+)?$|\bneed what$")
"What is needed in an exchange is a roll, and to win it, unless something else is named."


MOST = re.compile(
    r"(?:highest|biggest|most|max\w*|worst|largest|best) "
    r"(?:(?:\w+ )?(?:rolls?|number|die|dice|d12|throw)\b.*?)?@(\w+)\b"
    r".*?(?:@(\w+) (?:(?:can|will|would|am|is) )?(?:still )?|without (?:killing|dropping|finishing) @(\w+))"
    r"(?:surviv\w*|stand\w*|lives?|stays? (?:up|alive|in)|up|alive|in|make it|$)\b"
)
"`the highest number he can roll and I still stand`"


def _most(scene: Scene, places: list[int], asked: re.Match[str]) -> Situation | None:
    """The highest roll that leaves the other one standing: one less than takes it out."""
    roller, survivor = asked[1], asked[2] or asked[3]
    if {roller, survivor} != set(scene.sides) or UNKNOWN.search(NO_MODIFIERS.sub(" ", scene.text.casefold())):
        return None
    scene.sides = (roller, survivor)
    story = read_story(scene, set(places))
    given = None if story.help.counting else _given(scene, story, "out", "roll")
    if given is None:
        return None
    said = f"{scene.names.get(survivor, survivor)} to survive; {_says(scene, given)}"

    def find(verdict: Verdict) -> Found:
        most = min(verdict.result["roll"] - 1, DIE)
        return Found(most, "on the D12 at most", deciding="ordeals/glossary#out-of-action") if most else Found()

    return Situation("ordeals.needed", given, said, find)


POSSIBLE = re.compile(
    r"\b(?:can|could) @\w+ (?:even|still|ever|possibly|actually) (?:win|beat)|"
    r"\b(?:can|could) @me (?:win|beat|kill|take (?:\w+ |@\w+ ){0,4}?out|finish|drop)\b|"
    r"\b(?:possible|chance|way)\b.*\b(?:win|beat)\b"
)
"Asks whether any roll does it."


def _possible(scene: Scene, places: list[int], ask: str) -> Situation | None:
    """Whether a D12 can beat a total."""
    story = read_story(scene, set(places))
    given = (
        None
        if scene.sides[0] != ME or story.charged == scene.sides[1]
        else _given(scene, story, _goal(ask) or "win", "roll")
    )
    if given is None:
        return None
    return Situation("ordeals.needed", given, _says(scene, given), _whether)


def _whether(verdict: Verdict) -> Found:
    return Found(verdict="yes" if verdict.result["possible"] else "no", deciding="ordeals/close-combat#exchange-2")


def _whose(scene: Scene) -> str:
    """`your`, or the word for whoever needs the roll."""
    return "your" if scene.sides[0] == ME else f"{scene.names.get(scene.sides[0], 'its')}:"


def _demanded(scene: Scene) -> list[int]:
    """`needed roll: …`, where no words ask."""
    clauses = [plain(clause) for clause in scene.clauses]
    return [at for at, text in enumerate(clauses) if NEED.search(text) and ROLL.search(text)][:1]


def _goal(text: str) -> str | None:
    return "out" if OUT.search(text) else "harm" if HARM.search(text) else "win" if WIN.search(text) else None


def _given(scene: Scene, story: Story, goal: str, wants: str) -> dict[str, Any] | None:
    """The Foe's numbers and the bonuses of the one who wants to win; None where something does not fit."""
    mine, foe = scene.sides
    rolls = mine == ME or wants == "roll"
    found = combinations(units(scene, story.used), scene.sides, SINGLE, 0.0)
    if rolls:
        # Whoever asks what to roll has not rolled, and its own Ward does nothing here.
        found = _without(found, mine, "roll", "total")
        found = _without(found, mine, "ward", "endurance") or found
    if wants == "difference":
        found = _without(found, foe, "roll", "total") or found
    if len(found) != 1 or story.blocked or story.help.unclear:
        return None
    facts = {(fact.what, fact.party): int(fact.value) for fact in found[0].facts if fact.what != "skip"}
    if rolls and {("ward", mine), ("endurance", mine)} & set(facts):
        return None
    if {what for what, _ in facts} - {"might", "ward", "endurance", "total", "roll"} or ("roll", mine) in facts:
        return None

    def of(what: str) -> int | None:
        parties = (foe, LOSER, "both") if rolls else (foe, mine, LOSER, "both")
        return next((facts[what, party] for party in parties if (what, party) in facts), None)

    given: dict[str, Any] = {
        "goal": goal,
        "might": facts.get(("might", mine), facts.get(("might", "both"), 0)) if rolls else 0,
        "defender": {kind: number for kind in ("ward", "endurance") if (number := of(kind)) is not None},
    }
    roll = of("roll")
    total = of("total") if roll is None else roll + (of("might") or 0)
    if wants == "roll":
        if total is None:
            return None
        given["total"] = total
        given |= _bonuses(scene, story)
    elif total is not None:
        return None
    return given


def _without(found: list[Combination], party: str, *kinds: str) -> list[Combination]:
    """The combinations in which a party has no number of these kinds."""
    return [each for each in found if not any(f.party == party and f.what in kinds for f in each.facts)]


def _bonuses(scene: Scene, story: Story) -> dict[str, Any]:
    helped = story.help.owner in (None, scene.sides[0]) and story.actor in (None, scene.sides[0])
    return story.charge_of(scene.sides[0]) | (story.help.engaged if helped else {})


UNITS = {"roll": "on the D12 at least", "difference": "apart at least"}


def _found(verdict: Verdict, wants: str) -> Found:
    """The number. A roll that no D12 shows is told as such, in the steps, and is no value."""
    if wants == "roll" and not verdict.result["possible"]:
        return Found()
    goal = verdict.given["goal"]
    deciding = "ordeals/close-combat#exchange-2" if goal == "win" else "ordeals/close-combat#exchange-3"
    return Found(verdict.result[wants], UNITS[wants], deciding=deciding)
