"""Questions about the damage of several dice, and about tenacity."""

from __future__ import annotations

import re
from typing import Any

from kb.engine.kernel import LEGAL, Verdict
from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import TAKEN, others_act, tells_numbers, unread
from kb.reading.betrayal.packets import UNITS, Roll, head, is_claim, roll_told
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import Find, amount, each_of, result, said
from kb.reading.marks import CARDINAL, ORDINAL
from kb.reading.situation import Found, Situation
from kb.reading.stance import Stance, stance

KNOWN = SCENERY | frozenset(
    "damage deal hit engage dice pooled no_defense companion adventurer unresolved prevents move magic_form other_form "
    "spell stamina_dice magicka_dice named_dice weapon tile available".split()
)
LUMP = tuple("pool|lump|together|at once|one go|single|combined|as one|one hit|added up|one ".split("|"))
EACH = frozenset("each both everyone everybody respectively apiece".split())
OWN = frozenset(
    "what how i we so it they which and but it's first last my the a an me one each two both that this these those "
    "another his her mine its volley".split()
)
GIVERS = frozenset("from by".split())
"`2 from my friend`: damage of another engage."
DECIDING = "betrayal/faq#pooled-damage"


def read_damage(text: str) -> Situation | None:
    """Damage pooled per unit, or not pooled."""
    told = tell(text)
    if not told.has("damage", "pooled", "prevents", "unit", "companion", "target") or told.concepts - KNOWN:
        return None
    if told.of("engage", kind=ORDINAL) or any(each.value > 1 for each in told.of("engage")):
        return None
    rates = {mark.clause for mark in told.marks if mark.text in ("per", "each", "every")}
    if rates & {told.marks[at].clause for at in told.places("prevents")}:
        return None
    if re.search(r"\d or (?:just |only )?\d", " ".join(told.words)):
        # Which of the two it is, is asked.
        return None
    yes_no = stance(told)
    asked = [each for each in foci(told, NOUNS) if _asks_damage(told, each)]
    focus = _bare(told, yes_no) or (asked[0] if asked else None)
    if focus is None and (yes_no is None or not any(word in yes_no.text for word in LUMP)):
        return None
    roll = roll_told(told, focus, yes_no)
    if roll is None or not roll.packets:
        return None
    taken = {each.at for each in roll.used}
    claims = [each for each in told.counts if each.at not in taken and is_claim(told, each, yes_no)]
    if unread(told, [*roll.used, *claims]) or len(claims) > 1:
        return None
    strangers = [mark for at, mark in enumerate(told.marks) if at and told.words[at - 1] == "from" and not mark.concept]
    if any(mark.text.isalpha() and mark.text not in OWN for mark in strangers):
        return None
    for at, mark in enumerate(told.marks[1:], start=1):
        opens = at == 1 or told.marks[at - 2].concept == "break"
        name = opens and not told.marks[at - 1].concept and told.words[at - 1].isalpha()
        name = name and told.marks[at - 1].value is None and told.words[at - 1] not in OWN
        if name and mark.text in ("adds", "deals", "does", "hits", "deal", "do"):
            # `Lydia adds 2`
            return None
    if others_act(told) or any(GIVERS & told.before(at, 2) for at in told.places("person")):
        return None
    unit = _asked_unit(told, roll, focus)
    if unit is None and focus and EACH & set(focus.words) and not (yes_no or claims):
        given, units = _given(roll), {unit: _shown(unit) for unit in roll.units}
        find = each_of(lambda got: {who: got["damage"].get(unit, 0) for who, unit in units.items()}, "damage", DECIDING)
        return Situation("betrayal.pool", given, _says(given), find)
    if unit is None or (yes_no and (not tells_numbers(told) or yes_no.unclear)):
        return None
    given = _given(roll)
    return Situation("betrayal.pool", given, _says(given), _find(unit, yes_no, claims, focus))


def _asks_damage(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    asks = any(mark.concept in ("pooled", "damage") or TAKEN & {*mark.text.split()} for mark in clause)
    hurts = focus.concept in ("unit", "target", "companion", "") and focus.how == "keyword" and asks
    bare = focus.how == "much" and focus.concept == ""
    return focus.concept == "damage" or hurts or bare or (focus.how in ("much", "what", "keyword") and asks)


def _bare(told: Told, yes_no: Stance | None) -> Focus | None:
    """`pooled total please`: a last clause that asks for the sum without a verb."""
    counted = {count.clause for count in told.counts if count.kind == CARDINAL}
    last = max(mark.clause for mark in told.marks if mark.concept != "break")
    sums = [at for at, mark in enumerate(told.marks) if mark.clause == last and mark.text in ("sum", "total", "net")]
    if sums and not yes_no and last not in counted and told.marks[sums[0]].asks:
        return Focus("damage", "keyword", (), sums[0])
    bare = [at for at, mark in enumerate(told.marks) if mark.concept == "pooled" and mark.clause not in counted]
    asks = any(each.how != "keyword" for each in foci(told, NOUNS))
    return None if yes_no or asks or not bare else Focus("damage", "keyword", (), bare[-1])


def _asked_unit(told: Told, roll: Roll, focus: Focus | None) -> str | None:
    """The unit whose damage is asked for."""
    if len(roll.units) == 1:
        return roll.units[0]
    if focus is None:
        return None
    clause = told.clause_of(told.marks[focus.at].clause)
    named = {head(mark) for mark in clause if mark.concept in UNITS} | {m.text.removesuffix("'s") for m in clause}
    asked = [unit for unit in roll.units if unit in named]
    asked = asked or [unit for unit in roll.units if any(len(name) > 2 and unit.endswith(name) for name in named)]
    return asked[0] if len(asked) == 1 else None


def _given(roll: Roll) -> dict[str, Any]:
    units = []
    for unit in roll.units:
        kind = unit if unit in ("companion", "adventurer") else "enemy"
        units.append({"name": _shown(unit), "kind": kind, "prevents": roll.prevents.get(unit, 0)})
    dice = [
        {"name": f"die {number}", "damage": packet.count.value, "to": _shown(packet.unit), "resolve": packet.resolve}
        for number, packet in enumerate(roll.packets, start=1)
    ]
    return {"units": units, "dice": dice}


def _shown(unit: str) -> str:
    """The engine keeps the bare word `target` for a declared target."""
    return "the target" if unit == "target" else unit


def _says(given: dict[str, Any]) -> str:
    parts = [f"{die['damage']} to {die['to']}{'' if die['resolve'] else ' (not resolved)'}" for die in given["dice"]]
    prevented = [f"{unit['name']} prevents {unit['prevents']}" for unit in given["units"] if unit["prevents"]]
    return "damage of the dice: " + ", ".join(parts + prevented)


def _find(unit: str, yes_no: Stance | None, claims: list[Count], focus: Focus | None) -> Find:
    def find(verdict: Verdict) -> Found:
        pooled = verdict.status == LEGAL
        value = dict(verdict.result).get("damage", {}).get(_shown(unit), 0)
        if yes_no is None:
            return Found(value, "damage", None, DECIDING) if pooled else Found()
        so = pooled and (not claims or claims[0].value == value)
        if yes_no.text.startswith("any"):
            so = value > 0
        return Found(value if pooled and (claims or focus) else None, "damage", said(so, yes_no), DECIDING)

    return find


DEFENSE = SCENERY | frozenset("pushed defense damage hit engage expert normal".split())
OVER = re.compile(
    r"\b(?:action|engage|attack)(?: action)? (?:is|was|has|are)?(?: now)? ?(?:over|done|ended|ends|finished)\b|"
    r"\bafterwards\b|\bnext (?:engage|attack|turn|action)\b|"
    r"\bafter (?:the|that|my|his|her|this) (?:engage|attack|action|turn)\b"
)
STILL = re.compile(
    r"\b(?:during|while|middle|before (?:the|that|my) (?:action|engage)|same (?:action|engage)|reduces?)\b"
)


def read_defense(text: str) -> Situation | None:
    """`Defense 3, down to 1, the action is over`: what it is then."""
    told, plain = tell(text), text.casefold()
    asks = any("defense" in (each.concept, *each.words[:5]) for each in foci(told, NOUNS))
    if not asks or stance(told) or told.concepts - DEFENSE or STILL.search(plain) or not OVER.search(plain):
        return None
    told_of = [*told.of("defense"), *(each for each in told.of("") if "down" in each.left[-2:])]
    ones = [each for each in told.of("engage", "turn", "this_turn") if each.value == 1]
    if not told_of or unread(told, [*told_of, *told.of("damage"), *ones]):
        return None
    full = max(told_of, key=lambda each: each.value)
    if any(not {"down", "to", "now", "left", "reduced"} & set(each.left[-4:]) for each in told_of if each is not full):
        return None
    given = {"defense": full.value, "action_over": True}
    says = f"defense {full.value}, the action is over"
    return Situation("betrayal.defense", given, says, amount(result("defense"), ""))


NECROTIC = SCENERY | frozenset("necrotic true_damage damage ability hit within companion adventurer".split())


def read_necrotic(text: str) -> Situation | None:
    """How much damage Necrotic deals."""
    told = tell(text)
    if not told.has("necrotic") or told.concepts - NECROTIC or stance(told):
        return None
    focus = next((each for each in foci(told, NOUNS | {"true_damage"}) if each.how in ("much", "keyword")), None)
    units = [each for each in told.of("unit", "person", "adventurer", "companion") if each.value > 0]
    if focus is None or focus.concept not in ("damage", "true_damage", "") or unread(told, units):
        return None
    adjacent = sum(each.value for each in units)
    pick = "total" if adjacent > 1 and told.has("pooled") and "each" not in told.words else "each"
    says = f"Necrotic, {adjacent} adjacent units" if adjacent else "Necrotic"
    given = {"adjacent_units": adjacent} if adjacent else {}
    return Situation("betrayal.necrotic", given, says, amount(result(pick), "true damage"))
