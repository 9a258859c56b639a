"""Questions about what becomes of an engage: where its dice go, how many units are engaged."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from kb.engine.kernel import Verdict
from kb.reading.asking import Focus, foci
from kb.reading.betrayal.fatigue import difficulty
from kb.reading.betrayal.found import counted, is_negated, unread
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import BOTH, Count, Told
from kb.reading.finding import Find, amount, claim
from kb.reading.marks import CARDINAL, ORDINAL, said_in
from kb.reading.situation import Found, Situation
from kb.reading.stance import Stance, stance

KNOWN = SCENERY | frozenset(
    "dice free_dice instant drained active_slot status_effect unresolved exhausted track unavailable tenacity engage "
    "expert normal difficulty available damage stamina_dice magicka_dice combat_dice come_off fatigue".split()
)
CODES = {"instant": "instant", "drained": "drained", "active_slot": "active-slot", "status_effect": "status-effect"}
GOES = dict.fromkeys(("track", "unavailable", "exhausted"), "cooldown")
GOES |= {"drained": "race-sheet", "active_slot": "active-slot"}
"Concept in what is asked -> place of `betrayal.engage`."
DECIDING = {"race-sheet": "betrayal/engage#code-drained", "active-slot": "betrayal/engage#code-active-slot"}
EXHAUSTS = {
    "instant": "betrayal/engage#code-instant",
    "unresolved": "betrayal/engage#steps-5b-unresolved",
    "tenacity": "betrayal/engage#steps-5b-tenacity",
    "status": "betrayal/engage#code-status-effect",
}
"What settles that dice of a kind go to the cooldown track."
FORMS = frozenset("move form defensive_form other_form magic_form roll adventurer".split())
DICE = ("dice", "stamina_dice", "magicka_dice", "combat_dice", "free_dice")


@dataclass
class Rolled:
    """The dice of a roll by what becomes of them, and what lay on the track before."""

    dice: list[dict[str, Any]] = field(default_factory=list)
    before: int = 0
    resolved: int = 0
    total: int | None = None
    told: list[str] = field(default_factory=list)

    def add(self, number: int, what: str, **die: Any) -> None:
        first = len(self.dice) + 1
        self.dice += [{"name": f"{what} {place}", "code": "instant", **die} for place in range(first, first + number)]
        self.told.append(f"{number} {what}")

    def add_code(self, told: Told, number: int, code: str) -> None:
        """Dice by their code; a Status Effect die that is removed is exhausted."""
        gone = code == "status-effect" and bool({"removed", "off", "remove"} & said_in(told.marks))
        self.add(number, "status" if gone else code, code="instant" if gone else code)


def read_placed(text: str) -> Situation | None:
    """How many dice of a roll go to a place, or lie on the cooldown track in the end."""
    told = tell(text)
    if not told.has(*CODES, "exhausted", "unresolved") or told.concepts - KNOWN or stance(told):
        return None
    focus = next((each for each in foci(told, NOUNS) if each.concept in (*DICE, "")), None)
    level, engage = difficulty(told), told.of("engage", kind=ORDINAL)
    where = _where(told, focus) if focus else ""
    if (
        any("no" in told.before(at) for at in told.places("open"))
        or not where
        or level is None
        or [each.value for each in engage] not in ([], [1, 2], *([n] for n in range(99)))
    ):
        return None
    ones = [each for each in told.of("engage", "this_turn", "turn") if each.value == 1]
    rolled = _rolled(told, [*engage, *ones], told.marks[focus.at].clause if focus else -1)
    if rolled is None or not rolled.dice or unread(told, [*engage, *ones, *told.counts]):
        return None
    action = engage[-1].value if engage else 1
    if (action > 1 or rolled.before) and (where != "cooldown" or focus is None or "of" in focus.words[:4]):
        return None
    given = {"engage_action": action, "difficulty": level or "normal", "target": None, "dice": rolled.dice}
    says = ", ".join(rolled.told) + (f", {counted(rolled.before, 'die')} on the track before" if rolled.before else "")
    return Situation("betrayal.engage", given, says, _find(where, rolled))


GOING = re.compile(
    r"\b(?:go|goes|gone|went|stay\w*|keep\w*|kept|put|place[ds]?|back|return\w*|ends?|lands?|lies?|drop\w*|exhaust\w*|"
    r"discard\w*|park\w*|leave|sits?|take|takes|move[ds]?)\b"
)
ELSEWHERE = {"rows": re.compile(r"\brows?\b|\bback to me\b|\bready\b"), "discarded": re.compile("discard")}
FREE = "betrayal/engage#steps-5b-free-dice"
SHOWN: dict[str, dict[str, Any]] = {
    "free_dice": {"free": True},
    "unresolved": {"resolve": False},
    "instant": {"code": "instant"},
    "drained": {"code": "drained"},
    "tenacity": {"result": {"tenacity": True}},
}
"Kind of a die in a question -> what the engine is told of it."
OPEN = frozenset(
    "volley unless if instead over ended ends until when which whose companion neither nor will otherwise".split()
)


def _where(told: Told, focus: Focus) -> str:
    """The place that is asked for."""
    clause = told.marks[focus.at].clause
    start = 0 if focus.how == "keyword" else focus.at
    asked = [GOES[mark.concept] for mark in told.marks[start:] if mark.clause == clause and mark.concept in GOES]
    lying = {"lying", "lie", "lies", "there", "on it"} & said_in(told.clause_of(clause))
    lying = lying or {mark.text for mark in told.clause_of(clause - 1)} & {"lying", "there"}
    return asked[0] if len(set(asked)) == 1 else "cooldown" if not asked and lying and told.has("track") else ""


def _rolled(told: Told, aside: list[Count], asking: int) -> Rolled | None:
    rolled = Rolled()
    for count in told.counts:
        if count in aside or (count.kind == CARDINAL and not count.value):
            continue
        if count.kind != CARDINAL:
            # `a second die is left unresolved`, `an Instant die`
            tells = count.what in DICE and count.clause != asking and _concepts(told, count) & {*CODES, *EXHAUSTS}
            if tells and not _take(told, rolled, replace(count, value=1)):
                return None
            continue
        if count.value < 0 or (is_negated(count) and not {"unresolved", "resolve"} & _concepts(told, count)):
            return None
        if count.clause == asking:
            # `how many of the five`: the whole roll.
            rolled.total = count.value if rolled.total is None else rolled.total
            if count.value != rolled.total:
                return None
        elif not _take(told, rolled, count):
            return None
    for at, mark in enumerate(told.marks):
        if mark.concept in CODES and mark.clause != asking and told.words[at - 1] in ("a", "an") and "di" in mark.text:
            # `an Instant die` is one phrase
            rolled.add_code(told, 1, CODES[mark.concept])
    fits = rolled.total is None or rolled.total == len(rolled.dice)
    fits = fits and (not 0 < rolled.resolved < len(rolled.dice) or all(die["code"] == "instant" for die in rolled.dice))
    return rolled if fits else None


def _concepts(told: Told, count: Count) -> set[str]:
    own = told.marks[count.at - len(count.left) : count.at + 1 + len(count.right)]
    rest = [mark for mark in told.clause_of(count.clause + 1) if mark.concept != "break"]
    return {mark.concept for mark in [*own, *(rest if rest and rest[0].text in ("both", "all") else [])]}


def _take(told: Told, rolled: Rolled, count: Count) -> bool:
    """Gives a number its part; False where it has none."""
    own = _concepts(told, count)
    number = count.value
    if count.what == BOTH and count.back:
        return True
    refuses = "resolve" in own and is_left_alone(told, count)
    if count.what == "fatigue" or (count.what not in (*DICE, "instant", "tenacity", "") and not count.back):
        return False
    if count.what == "free_dice" and not count.back:
        rolled.add(number, "free", free=True)
    elif ({"unresolved", "leave"} & own or refuses) and 0 < rolled.resolved == len(rolled.dice) - number:
        if len({die["name"].split()[0] for die in rolled.dice}) > 1:
            return False
        rolled.dice[rolled.resolved :] = [{**die, "resolve": False} for die in rolled.dice[rolled.resolved :]]
    elif "unresolved" in own or refuses:
        rolled.add(number, "unresolved", resolve=False)
    elif codes := [CODES[concept] for concept in CODES if concept in own]:
        if len(codes) > 1:
            return False
        rolled.add_code(told, number, codes[0])
    elif "tenacity" in own:
        rolled.add(number, "tenacity", result={"tenacity": True})
    elif "exhausted" in own:
        rolled.add(number, "exhausted")
    elif "resolve" in own and number <= len(rolled.dice):
        # `four came up tenacity, I resolve three`
        rolled.resolved = number
    elif own & {"track", "unavailable"}:
        rolled.before += number
        rolled.told.append(f"{number} there before")
    elif count.what in ("dice", "") and rolled.total in (None, number):
        rolled.total = number
    else:
        return False
    return True


def is_left_alone(told: Told, count: Count) -> bool:
    """`one I didn't care to resolve`."""
    words = told.words[count.at : count.at + 1 + len(count.right)]
    return any(word in ("not", "never") or word.endswith("n't") or word in ("didnt", "dont", "wont") for word in words)


def _find(where: str, rolled: Rolled) -> Find:
    kinds = [die["name"].rpartition(" ")[0] for die in rolled.dice]
    exhausts = next((EXHAUSTS[kind] for kind in EXHAUSTS if kind in kinds), "betrayal/engage#skill-codes")
    on_track = where == "cooldown"

    def find(verdict: Verdict) -> Found:
        placed, fatigue = verdict.result.get("placed"), int(verdict.result.get("light_fatigue") or 0) * on_track
        if placed is None:
            return Found()
        number = list(placed.values()).count(where) + fatigue + rolled.before * on_track
        return Found(number, "dice", None, "betrayal/engage#steps-1" if fatigue else DECIDING.get(where, exhausts))

    return find


ENGAGED = SCENERY | frozenset("necrotic engage hit target damage within companion named_dice dice".split())
ONLY_THE_TARGET = "betrayal/faq#engaged-units"


def read_engaged(text: str) -> Situation | None:
    """How many units are engaged, where a target and others are hit."""
    told = tell(text)
    burns = {"danger"} if all("burn" in mark.text for mark in told.marks if mark.concept == "danger") else set()
    if not told.has("engage") or not told.has("target") or told.concepts - ENGAGED - burns or not _splash(told):
        return None
    yes_no = stance(told)
    focus = next((each for each in foci(told, NOUNS) if _asks_units(told, each)), None)
    counts = [*told.of("unit", "companion", ""), *(each for each in told.of("hit") if "others" in each.right[:1])]
    claims = [each for each in counts if yes_no and told.marks[each.at].asks and "all" in each.left[-1:]]
    damage = [each for each in told.counts if each.what == "damage" or (each.back and each not in claims)]
    hit = [
        each
        for each in counts
        if each not in claims and each.kind == CARDINAL and (not each.back or "others" in each.right[:1])
    ]
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
    return Situation("betrayal.engage", given, says, _engaged(claims, yes_no))


def _splash(told: Told) -> bool:
    if told.has("necrotic") or "volley" in told.words:
        return True
    splashes = {"also", "splash", "too", "and", "plus", "beside", "caught", "catches", "adjacent"} & set(told.words)
    return bool(splashes) and (told.has("damage", "hit") or "splash" in told.words)


def _asks_units(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    engaged = any(mark.concept == "engage" for mark in clause) or focus.concept == ""
    units = focus.concept in ("unit", "") or any(mark.concept == "unit" for mark in clause)
    return focus.how in ("many", "keyword") and units and engaged


def _engaged(claims: list[Count], yes_no: Stance | None) -> Find:
    def number(got: dict[str, Any]) -> int | None:
        return None if got.get("engaged") is None else len(got["engaged"])

    if claims and yes_no:
        return claim(number, "units", lambda units: units == claims[0].value, yes_no, ONLY_THE_TARGET)
    return amount(number, "units", ONLY_THE_TARGET)
