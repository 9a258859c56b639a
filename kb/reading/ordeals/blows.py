"""Book of Ordeals: blows of which only the difference, the damage or the Harm is told."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import Verdict
from kb.engine.ordeals.sides import SIDES
from kb.reading.numbers import LOSER, Fact
from kb.reading.ordeals.allies import OTHERS
from kb.reading.ordeals.exchange import NAMES_DAMAGE, fought, modifier_of, untold_numbers
from kb.reading.ordeals.outcome import Ended, found
from kb.reading.ordeals.told import MEASURED, NEXT, Told
from kb.reading.persons import ME, THIRD
from kb.reading.situation import Found, Situation

STATS = ("ward", "endurance")
TIMES = {"twice": 2, "thrice": 3}
MOST = 12
"More blows than this are no question of a game."


def blows(told: Told) -> Situation | None:
    """One blow or several on one Character, or some on each."""
    known = (*MEASURED, *STATS, "might", "count", "damage_modifier")
    if told.story.help.unclear == OTHERS or not told.has(*MEASURED) or not told.only(*known) or told.story.blocked:
        return None
    facts = [fact for fact in told.facts if fact.what in MEASURED]
    if told.has("damage_modifier") and told.has("harm", "damage"):
        # Whether it is in what is told already cannot be known.
        return None
    facts = _repeated(told, facts)
    kinds = {fact.what for fact in facts}
    if "difference" in kinds and told.has("might") and OF_THE_DICE.search(told.text):
        return None
    if not facts or kinds == {"harm", "difference"} or kinds == {"harm", "damage"} or untold_numbers(told):
        return None
    parties = {fact.party for fact in facts} - {LOSER}
    if len(parties) > 1:
        # Of one who is mentioned nowhere no blow is told.
        unnamed = {"first", "second"} & set(told.scene.sides)
        return None if unnamed or told.has("damage_modifier") else _exchanged(told, facts)
    victim = parties.pop() if parties else _victim(told)
    if victim is None or _is_about_another(told, victim):
        return None
    return _on_one(told, facts, victim)


def _is_about_another(told: Told, victim: str) -> bool:
    """Whether it asks after one whose Ward or Endurance is told and whom no blow hits: then the blows are misread."""
    asked = {ask.party for ask in told.asks if ask.party in told.scene.sides} - {victim}
    if asked and set(told.scene.sides) & set(THIRD):
        # `it … he`, with nobody named, may be one and the same.
        return True
    warded = {fact.party for fact in told.facts if fact.what == "ward"}
    if warded == {told.scene.other(victim)} and victim != LOSER and told.wants("harm", "endurance", "out", "harmed"):
        # Nobody tells the Ward of one whom no blow hits.
        return True
    return victim != LOSER and any(fact.what in STATS and fact.party in asked for fact in told.facts)


def beside_the_point(told: Told) -> int:
    """How many Wards and Endurances are told of somebody whom no blow hits: nobody tells such things for nothing."""
    victims = {fact.party for fact in told.facts if fact.what in MEASURED}
    if not victims or LOSER in victims or told.has("roll", "total"):
        return 0
    return sum(fact.what in STATS and fact.party in set(told.scene.sides) - victims for fact in told.facts)


OF_THE_DICE = re.compile(
    r"\b(?:dice|die|d12|rolls?|rolled|throw|threw)\b.{0,30}\b(?:by|higher|lower|more|better|beats?|ahead)\b"
)
"Such a difference is not that of the totals, where somebody has Might."
TIED = re.compile(r"\b(?:ties?|tied|draws?|drew|drawn)\b")
"An exchange that ends so does nothing."
AGAIN = re.compile(r"(?<!\d )\bagain\b(?! (?:by|for)\b)|\b(?:times|each time|every time|in a row)\b")


def _repeated(told: Told, facts: list[Fact]) -> list[Fact]:
    """The blows, `twice` and `three hits of 3 each` written out; none where how many there are cannot be told."""
    counts = {int(fact.value) for fact in told.facts if fact.what == "count"}
    counts |= {TIMES[item.text] for item in told.scene.items if item.text in TIMES}
    if len(counts) > 1 or (not counts and len(facts) == 1 and AGAIN.search(told.text)):
        return []
    many = counts.pop() if counts else len(facts)
    if many != len(facts) and many == len(facts) + len(TIED.findall(told.text)):
        return facts
    if many != len(facts):
        return facts * many if len(facts) == 1 and many <= MOST else []
    return facts


def _victim(told: Told) -> str | None:
    """Who takes the blows where nobody is named: the one whose Ward or Endurance is told, or who is asked about."""
    named = {fact.party for fact in told.facts if fact.what in STATS} - {LOSER, "both"}
    named = named or {ask.party for ask in told.asks if ask.party}
    return LOSER if not named else named.pop() if len(named) == 1 else None


def _on_one(told: Told, facts: list[Fact], victim: str) -> Situation:
    given: dict[str, Any] = {
        "loser": told.stats(victim, *STATS),
        "blows": [{fact.what: int(fact.value)} for fact in facts],
    }
    if modifier := modifier_of(told, told.scene.other(victim) if victim in told.scene.sides else None):
        given["damage_modifier"] = modifier
    stats = "".join(f", {kind.title()} {number}" for kind, number in given["loser"].items())
    struck = ", ".join(f"{fact.what} {fact.value}" for fact in facts)
    struck += f", damage modifier {modifier:+d}" if modifier else ""
    return Situation("ordeals.blow", given, f"{told.name(victim)}{stats}: {struck}", lambda v: _found(told, victim, v))


def _found(told: Told, victim: str, verdict: Verdict) -> Found:
    result = verdict.result
    other = told.scene.other(victim) if victim in told.scene.sides else "winner"
    several = len(verdict.given["blows"]) > 1
    if several and told.wants("damage", "difference"):
        return Found()
    ended = Ended(
        sides=(victim, other),
        winner=other,
        damage=result["damage"],
        harms={victim: result["total_harm"]},
        endurance={victim: result["endurance"]},
        wards={victim: verdict.given["loser"]["ward"]},
        out=victim if result["is_out"] else None,
        may_push=None if result["is_out"] else other,
        names=told.scene.names,
        names_damage=bool(NAMES_DAMAGE.search(told.text)),
    )
    if told.wants("total", "winner", "difference", "tie", "engaged") or (
        told.wants("push") and told.tells_of_the_fallen
    ):
        return Found()
    if told.wants("damage") and told.has("harm"):
        # Back from the Harm to the damage: no clause goes that way.
        return Found()
    return found(told.asks, ended, verdict)


def _exchanged(told: Told, facts: list[Fact]) -> Situation | None:
    """Blows on both: exchanges won by one and the other."""
    if any(fact.party == LOSER or fact.what == "harm" for fact in facts):
        return None
    if ME not in told.scene.sides and "w" not in told.tags and not NEXT.search(told.text):
        # `the orc lost by 4, the ogre by 3`: perhaps to a third one.
        return None
    first, _ = told.scene.sides
    winners = [told.name(told.scene.other(fact.party)) for fact in facts]
    said = ", then ".join(
        f"{winner} {'win' if winner == 'you' else 'wins'} by {fact.value}"
        for winner, fact in zip(winners, facts, strict=True)
    )
    won = [{"winner": SIDES[fact.party == first], "difference": int(fact.value)} for fact in facts]
    return fought(told, won, said)
