"""Questions about how many units an engage has engaged: the target, and none that is only damaged."""

from __future__ import annotations

import re
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import unread
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import Find, amount, claim
from kb.reading.marks import CARDINAL
from kb.reading.situation import Situation
from kb.reading.stance import Stance, stance

KNOWN = SCENERY | frozenset("necrotic engage hit target damage within companion named_dice dice".split())
DECIDING = "betrayal/faq#engaged-units"


def read_engaged(text: str) -> Situation | None:
    """How many units are engaged, where a target and others are hit."""
    told = tell(text)
    burns = {"danger"} if all("burn" in mark.text for mark in told.marks if mark.concept == "danger") else set()
    if not told.has("engage") or not told.has("target") or told.concepts - KNOWN - burns or not _splash(told):
        return None
    yes_no = stance(told)
    focus = next((each for each in foci(told, NOUNS) if _asks_units(told, each)), None)
    counts = told.of("unit", "companion", "")
    claims = [each for each in counts if yes_no and told.marks[each.at].asks and "all" in each.left[-1:]]
    damage = [each for each in told.counts if each.what == "damage" or (each.back and each not in claims)]
    hit = [each for each in counts if each not in claims and each.kind == CARDINAL and not each.back]
    targets = told.of("target")
    ones = [each for each in told.of("engage", "dice", "hit") if each.value == 1]
    if any(each.value != 1 for each in targets) or unread(told, [*hit, *claims, *targets, *ones, *damage]):
        return None
    if len(hit) > 1 or not (hit or damage or "splash" in told.words):
        return None
    if (focus is None and not claims) or (yes_no and not claims):
        return None
    names = [f"unit {number}" for number in range(1, (hit[0].value if hit else 1) + 1)]
    none = re.search(r"\bnone of (?:them|these|those|us) (?:\w+ ){0,2}?target", " ".join(told.words))
    struck = {"damage": 1, "to": names[0] if none else "target", "also": names[bool(none) :]}
    given = {
        "target": None if none else {"kind": "enemy"},
        "others": [{"name": name, "kind": "enemy"} for name in names],
        "dice": [{"name": "die", "code": "instant", "result": struck}],
    }
    says = f"{'no target' if none else 'the target'} and {len(names)} others damaged"
    return Situation("betrayal.engage", given, says, _find(claims, yes_no))


def _splash(told: Told) -> bool:
    if told.has("necrotic") or "volley" in told.words:
        return True
    return (told.has("damage", "hit") or "splash" in told.words) and bool(
        {"also", "splash", "too", "and", "plus", "beside", "caught", "catches", "adjacent"} & set(told.words)
    )


def _asks_units(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    engaged = any(mark.concept == "engage" for mark in clause) or focus.concept == ""
    units = focus.concept in ("unit", "") or any(mark.concept == "unit" for mark in clause)
    return focus.how in ("many", "keyword") and units and engaged


def _find(claims: list[Count], yes_no: Stance | None) -> Find:
    def number(got: dict[str, Any]) -> int | None:
        return None if got.get("engaged") is None else len(got["engaged"])

    if claims and yes_no:
        return claim(number, "units", lambda units: units == claims[0].value, yes_no, DECIDING)
    return amount(number, "units", DECIDING)
