"""Questions about the damage of several dice, and about tenacity."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kb.engine.kernel import LEGAL, Verdict
from kb.reading.asking import Focus, Stance, foci, stance
from kb.reading.betrayal_found import Find, said, tells_numbers, unread
from kb.reading.betrayal_words import NOUNS, SCENERY, tell
from kb.reading.counts import CARDINAL, ORDINAL, Count, Mark, Told
from kb.reading.situation import Found, Situation

KNOWN = SCENERY | frozenset(
    "damage deal hit engage dice pooled no_defense companion adventurer unresolved prevents move magic_form other_form "
    "stamina_dice magicka_dice named_dice weapon tile available".split()
)
DEALS = frozenset(
    "deal deals dealt do does did hit hits for inflict inflicts show shows showed cause causes take takes took catches catch "
    "suffers suffer with got gets get another would should".split()
)
LUMP = (
    "pooled",
    "pool",
    "lump",
    "together",
    "at once",
    "in one go",
    "one go",
    "single",
    "combined",
    "as one",
    "one hit",
    "added up",
    "one ",
)
STRIKES = frozenset("hit hits strike strikes damage damages wounds smacks smack burns".split())
TAKES = frozenset("take takes took suffer suffers catches catch caught gets eats".split())
TO = frozenset("to on against at onto into upon".split())
DETERMINERS = frozenset(
    "the a an my our his her their that this another your one fellow friend's buddy's same of poor big".split()
)
DECIDING = "betrayal/faq#pooled-damage"


@dataclass(frozen=True)
class Packet:
    """Damage of one die."""

    count: Count
    unit: str = ""
    resolve: bool = True


@dataclass
class Roll:
    """The dice of a question and whom they hit."""

    packets: list[Packet] = field(default_factory=list)
    prevents: dict[str, int] = field(default_factory=dict)
    used: list[Count] = field(default_factory=list)

    @property
    def units(self) -> list[str]:
        return list(dict.fromkeys(packet.unit for packet in self.packets))


def read_damage(text: str) -> Situation | None:
    """Damage pooled per unit, or not pooled."""
    told = tell(text)
    if not told.has("damage", "pooled") or told.concepts - KNOWN:
        return None
    yes_no = stance(told)
    asked = [each for each in foci(told, NOUNS) if _asks_damage(told, each)]
    focus = _bare(told, yes_no) or next(iter(asked), None)
    if focus is None and (yes_no is None or not any(word in yes_no.text for word in LUMP)):
        return None
    roll = _roll(told, focus, yes_no)
    if roll is None or not roll.packets:
        return None
    claims = [
        each for each in told.counts if each.at not in {used.at for used in roll.used} and _claims(told, each, yes_no)
    ]
    if unread(told, [*roll.used, *claims]) or len(claims) > 1:
        return None
    asked = _asked_unit(told, roll, focus)
    if asked is None or (yes_no and (not tells_numbers(told) or yes_no.obliges or yes_no.yes_means_so is None)):
        return None
    given = _given(told, roll)
    return Situation("betrayal.pool", given, _says(given), _find(asked, yes_no, claims, focus))


def _asks_damage(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    asks = any(
        mark.concept in ("pooled", "damage") or mark.text in ("take", "takes", "suffer", "suffers") for mark in clause
    )
    return focus.concept == "damage" or (focus.how in ("much", "what", "keyword") and asks)


def _bare(told: Told, yes_no: Stance | None) -> Focus | None:
    """`pooled total please`: a last clause that asks for the sum without a verb."""
    counted = {count.clause for count in told.counts if count.kind == CARDINAL}
    bare = [at for at, mark in enumerate(told.marks) if mark.concept == "pooled" and mark.clause not in counted]
    asks = any(each.how != "keyword" for each in foci(told, NOUNS))
    return None if yes_no or asks or not bare else Focus("damage", "keyword", (), bare[-1])


def _claims(told: Told, count: Count, yes_no: Stance | None) -> bool:
    """A number in the part that asks for yes or no: `one pooled 4?`"""
    if yes_no is None or told.marks[count.at].sentence != max(mark.sentence for mark in told.marks):
        return False
    before = told.marks[max(count.at - 2, 0) : count.at]
    return any(mark.concept == "pooled" or mark.text in ("one", "single", "a", "of", "=", "makes") for mark in before)


def _roll(told: Told, focus: Focus | None, yes_no: Stance | None) -> Roll | None:
    roll = Roll(used=[*told.of("dice", kind=ORDINAL), *told.of("damage", "hit", kind=ORDINAL)])
    asking = told.marks[focus.at].clause if focus else max(mark.clause for mark in told.marks) + 1
    for count in told.counts:
        mark = told.marks[count.at]
        if count.kind != CARDINAL or mark.text == "both":
            roll.used.append(count)
        elif yes_no and _claims(told, count, yes_no) and roll.packets:
            continue
        elif count.what in ("dice", "named_dice", "stamina_dice", "magicka_dice") and not count.back:
            roll.used.append(count)
        elif count.what in ("unit", "companion", "adventurer"):
            if count.value != 1:
                return None
            roll.used.append(count)
        elif count.value < 0 or mark.clause == asking:
            return None
        elif not _add(told, roll, count):
            return None
    return _checked(told, roll)


def _deals(told: Told, count: Count) -> bool:
    """A bare number that is damage: `deals 3`, `does 2 to the bear`."""
    before = count.left[-1] if count.left else ""
    return count.back and (before in DEALS or bool(count.right and count.right[0] in TO))


def _add(told: Told, roll: Roll, count: Count) -> bool:
    """Takes a number as damage, as what is prevented, or as a word about damage told before; False where it is neither."""
    marks = _own(told, count)
    concepts = {mark.concept for mark in marks}
    if count.what == "damage" and "prevents" in {
        m.concept for m in told.clause_of(count.clause) if told.marks.index(m) < count.at
    }:
        roll.prevents[_subject(told, count)] = count.value
        roll.used.append(count)
        return True
    if count.left[-1:] == ("of",):
        return False
    if count.left and count.left[-1] in ("the", "that") and "unresolved" in concepts:
        return _leave(roll, count)
    if count.what == "damage" or _deals(told, count) or (count.back and roll.packets and _in_a_row(told, count)):
        roll.packets.append(Packet(count, _unit(told, count), "unresolved" not in concepts))
        roll.used.append(count)
        return True
    return False


def _in_a_row(told: Told, count: Count) -> bool:
    """`3 and 2`: it follows another number."""
    return any(mark.value is not None for mark in told.marks[max(count.at - 3, 0) : count.at])


def _leave(roll: Roll, count: Count) -> bool:
    """`I leave the 2 unresolved`: the die that was told before."""
    same = [place for place, packet in enumerate(roll.packets) if packet.count.value == count.value]
    if len(same) != 1:
        return False
    roll.packets[same[0]] = replace(roll.packets[same[0]], resolve=False)
    roll.used.append(count)
    return True


def _own(told: Told, count: Count) -> list[Mark]:
    """The marks that belong to a number."""
    return told.marks[count.at - len(count.left) : count.at + 1 + len(count.right)]


def _unit(told: Told, count: Count) -> str:
    """Whom the damage goes to, by the words after it, or by who takes it; empty where nothing near tells."""
    others = [each.at for each in told.counts if each.at > count.at and each.kind == CARDINAL and each.what != "dice"]
    stop = min(
        [at for at, mark in enumerate(told.marks) if at > count.at and mark.concept == "break"] + others, default=None
    )
    after = told.marks[count.at + 1 : stop]
    for place, mark in enumerate(after):
        if mark.text in TO or (mark.text.split()[-1] in TO and not mark.concept):
            return _name(after[place + 1 :])
    numbers = [each.end for each in told.counts if each.at < count.at and each.kind == CARDINAL]
    start = next(at for at, mark in enumerate(told.marks) if mark.clause == told.marks[count.at].clause)
    before = told.marks[max([start, *(end + 1 for end in numbers)]) : count.at]
    struck = [place for place, mark in enumerate(before) if mark.text in STRIKES]
    takes = any(mark.text in TAKES for mark in before)
    return _name(before[struck[-1] + 1 :]) if struck else _name(before) if takes else ""


def _subject(told: Told, count: Count) -> str:
    """The first unit of the clause."""
    clause = told.clause_of(count.clause)
    return next((_head(mark) for mark in clause if mark.concept in ("unit", "target", "companion", "adventurer")), "")


def _name(marks: list[Mark]) -> str:
    """The unit's word: `the big rat` is a rat."""
    for mark in marks[:5]:
        if mark.text in ("me", "myself", "us"):
            return "adventurer"
        if mark.concept in ("unit", "target", "companion", "adventurer"):
            named = next((m for m in marks[marks.index(mark) + 1 : marks.index(mark) + 2] if m.concept == "unit"), mark)
            return _head(named)
        if (
            mark.text not in DETERMINERS
            and not mark.concept
            and mark.text.isalpha()
            and mark.text not in ("it", "him", "her", "them")
        ):
            return mark.text
    return ""


def _head(mark: Mark) -> str:
    if mark.concept in ("companion", "adventurer"):
        return mark.concept
    return mark.text.removesuffix("'s").removesuffix("s").split()[-1]


def _checked(told: Told, roll: Roll) -> Roll | None:
    """Units filled in from the neighbours, and the number of dice held against the packets."""
    named = [packet.unit for packet in roll.packets if packet.unit]
    if len(set(named)) <= 1:
        unit = named[0] if named else _only_unit(told)
        if len(named) < len(roll.packets) and named and _others(told, roll) - set(named):
            return None
        roll.packets = [replace(packet, unit=unit) for packet in roll.packets]
    else:
        roll.packets = [
            replace(packet, unit=packet.unit or _following(roll, place)) for place, packet in enumerate(roll.packets)
        ]
    if not all(packet.unit for packet in roll.packets):
        return None
    if "" in roll.prevents and len(roll.units) == 1:
        roll.prevents[roll.units[0]] = roll.prevents.pop("")
    if set(roll.prevents) - set(roll.units):
        return None
    return _spread(told, roll)


def _others(told: Told, roll: Roll) -> set[str]:
    """Units that are named where the damage is told."""
    clauses = {packet.count.clause for packet in roll.packets}
    marks = [
        mark for mark in told.marks if mark.clause in clauses and mark.concept in ("unit", "companion", "adventurer")
    ]
    return {_head(mark) for mark in marks}


def _only_unit(told: Told) -> str:
    names = [_head(mark) for mark in told.marks if mark.concept in ("unit", "companion", "adventurer", "target")]
    named = list(dict.fromkeys(name for name in names if name != "target"))
    return named[0] if len(named) == 1 else "target" if not named else ""


def _following(roll: Roll, place: int) -> str:
    """`3 and 2 to the target`: the 3 goes there too."""
    packet = roll.packets[place]
    rest = [other for other in roll.packets[place + 1 :] if other.count.clause <= packet.count.clause + 1]
    return rest[0].unit if rest and rest[0].count.at - packet.count.at <= 5 else ""


def _spread(told: Told, roll: Roll) -> Roll | None:
    """`three dice deal 2 damage each`; otherwise there are no more dice told than packets."""
    dice = [each.value for each in told.of("dice") if each in roll.used and not each.back]
    each = "each" in told.words or "apiece" in told.words
    if each:
        if len(roll.packets) != 1 or len(dice) != 1:
            return None
        roll.packets *= dice[0]
        return roll
    rolled = told.has("roll") and len(dice) == 1
    return roll if sum(dice) <= len(roll.packets) or (rolled and dice[0] >= len(roll.packets)) else None


def _asked_unit(told: Told, roll: Roll, focus: Focus | None) -> str | None:
    """The unit whose damage is asked for."""
    if len(roll.units) == 1:
        return roll.units[0]
    if focus is None:
        return None
    clause = told.clause_of(told.marks[focus.at].clause)
    named = {_head(mark) for mark in clause if mark.concept in ("unit", "target", "companion", "adventurer")} | {
        mark.text.removesuffix("'s") for mark in clause
    }
    asked = [unit for unit in roll.units if unit in named]
    return asked[0] if len(asked) == 1 else None


def _given(told: Told, roll: Roll) -> dict[str, Any]:
    units = []
    for unit in roll.units:
        kind = unit if unit in ("companion", "adventurer") else "enemy"
        units.append({"name": _shown(unit), "kind": kind, "prevents": roll.prevents.get(unit, 0)})
    dice = [
        {"name": f"die {number}", "damage": packet.count.value, "to": _shown(packet.unit), "resolve": packet.resolve}
        for number, packet in enumerate(roll.packets, start=1)
    ]
    del told
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
        return Found(value if pooled and (claims or focus) else None, "damage", said(so, yes_no), DECIDING)

    return find
