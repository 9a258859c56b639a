"""Book of Ordeals: what one side adds to its die, and its total."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kb.engine.kernel import Verdict
from kb.engine.ordeals.sides import DIE
from kb.reading.ordeals.exchange import circumstances, untold_numbers
from kb.reading.ordeals.outcome import DECIDES
from kb.reading.ordeals.told import Told
from kb.reading.situation import Found, Situation

EXTREME = re.compile(
    r"\b(?:highest|best|top|max(?:imum)?|biggest|greatest|lowest|worst|min(?:imum)?|smallest|"
    r"least)\b(?= (?:possible )?(?:total|score|result|number|i |he |you )|.*\btotal\b)"
)
"`the highest total I can get`: of the best roll a D12 has."


def bonus(told: Told) -> Situation | None:
    """The total of one side, or its bonuses without a roll."""
    kinds = {ask.what for ask in told.asks}
    if (
        not kinds <= {"total", "bonus", "charge"}
        or kinds == {"charge"}
        or not told.only("roll", "might", "ward", "endurance", "count")
    ):
        return None
    many = told.story.help.counting + told.story.help.busy
    if any(fact.what == "count" and fact.value not in (many, many + 1) for fact in told.facts):
        return None
    party = next((ask.party for ask in told.asks if ask.party in told.scene.sides), None) or _only_one(told)
    rolls = told.rolls().get(party or "", [])
    if not rolls and "total" in kinds and (best := EXTREME.search(told.text)):
        rolls = [1 if best.group().startswith(("low", "worst", "min", "small", "least")) else DIE]
    # `Which bonuses do I have, all told?` wants no total of a die that was not rolled.
    what = "bonus" if "bonus" in kinds else "total"
    if party is None or told.story.blocked or untold_numbers(told) or len(rolls) > 1:
        return None
    if what == "total" and not rolls:
        return None
    given, missing = _given(told, party, rolls)
    if given is None:
        return None
    said = f"{told.name(party)}: {_said(given)}"
    charges = "no" if told.story.engaged_at_start else "yes" if told.story.charged == party else None
    if "charge" in kinds and charges is None:
        return None
    charges = charges if "charge" in kinds else None
    return Situation("ordeals.bonus", given, said, lambda v: replace(_found(what, v), verdict=charges), missing)


def _only_one(told: Told) -> str | None:
    """Who is meant where nobody is named: whose roll is told, or the acting one."""
    rolled = list(told.rolls()) or [told.story.actor or told.scene.sides[0]]
    return rolled[0] if len(rolled) == 1 else None


def _given(told: Told, party: str, rolls: list[int]) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    story, help = told.story, told.story.help
    if help.unclear:
        return None, ()
    acting = story.actor in (None, party)
    given: dict[str, Any] = {"acting": acting}
    if rolls:
        given["roll"] = rolls[0]
    if (might := told.of("might", party)) is not None:
        given["might"] = int(might)
    given |= story.charge_of(party)
    if help.counting + help.busy and (help.owner or party) == party:
        if story.actor is None and rolls and not story.charged:
            return given, ("whose Act it is: only the acting Character gains from its allies",)
        given |= help.engaged
    nothing_told = not rolls and not story.charged and not help.counting and not help.busy and "might" not in given
    return (None if nothing_told else given), ()


def _said(given: dict[str, Any]) -> str:
    parts = [str(given["roll"])] if "roll" in given else []
    parts += [f"Might {given['might']}"] if given.get("might") else []
    return " + ".join(parts) + circumstances(given) + ("" if given["acting"] else " (not its Act)")


def _found(what: str, verdict: Verdict) -> Found:
    """The total; or of the bonuses asked for those that were told."""
    if what == "total":
        acted = {step.clause for step in verdict.steps}
        deciding = DECIDES["total"] if DECIDES["total"] in acted else None
        return Found(verdict.result["total"], "in total", deciding=deciding)
    return Found(verdict.result["bonus"], "Might in bonuses")
