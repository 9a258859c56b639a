"""The damage that a question tells: of each die, and to whom."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from kb.reading.asking import Focus
from kb.reading.betrayal.found import is_negated
from kb.reading.counts import Count, Told
from kb.reading.marks import CARDINAL, ORDINAL, Mark, said_in
from kb.reading.pronouns import FUNCTION_WORDS
from kb.reading.stance import Stance

STRIKES = frozenset("hit hits strike strikes damage damages wounds smacks smack burns".split())
TAKES = frozenset("take takes took suffer suffers catches catch caught gets eats eat eating got".split())
TO = frozenset("to on against at onto into upon".split())
UNKNOWN = "?"
"A unit of which nobody can tell whether it is an adventurer."
KINDS = ("companion", "adventurer")
UNITS = (*KINDS, "unit", "target")
LISTING = frozenset("break damage a an and : of".split())
APART = frozenset("other another second third adjacent".split())
NOT = frozenset("not no isn't never".split())
DETERMINERS = frozenset(
    "the a an my our his her their that this another your one fellow friend's buddy's same of poor big".split()
)


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
    left: int = 0
    "Dice of `three dice with 2 each` that are not resolved."

    @property
    def units(self) -> list[str]:
        return list(dict.fromkeys(packet.unit for packet in self.packets))


def _namesakes(told: Told) -> bool:
    """`the rat and the other rat`, `rat a, rat b`: two units of one name."""
    places = told.places("unit")
    heads = [head(told.marks[at]) for at in places]
    apart = [head(told.marks[at]) for at in places if APART & said_in(told.words[max(at - 2, 0) : at])]
    letters = [at for at in places if re.match(r"[a-h] (?![a-z])", " ".join([*told.words[at + 1 : at + 3], "."]))]
    return any(heads.count(name) > 1 for name in apart) or len(letters) > 1


def is_claim(told: Told, count: Count, yes_no: Stance | None) -> bool:
    """A number in the part that asks for yes or no: `one pooled 4?`"""
    if yes_no is None or told.marks[count.at].sentence != max(mark.sentence for mark in told.marks):
        return False
    before = told.marks[max(count.at - 2, 0) : count.at]
    return any(mark.concept == "pooled" or mark.text in ("one", "single", "a", "of", "=", "makes") for mark in before)


def roll_told(told: Told, focus: Focus | None, yes_no: Stance | None) -> Roll | None:
    roll = Roll(used=[*told.of("dice", kind=ORDINAL), *told.of("damage", "hit", kind=ORDINAL)])
    if _namesakes(told):
        return None
    asking = told.marks[focus.at].clause if focus else max(mark.clause for mark in told.marks) + 1
    for count in told.counts:
        mark = told.marks[count.at]
        if count.kind != CARDINAL or mark.text == "both":
            roll.used.append(count)
        elif yes_no and is_claim(told, count, yes_no) and roll.packets:
            continue
        elif _is_aside(told, count) or (mark.clause == asking and _restates(told, roll, count)):
            roll.used.append(count)
        elif count.what in ("unit", "companion", "adventurer", "person") and not count.back:
            if count.value != 1:
                return None
            roll.used.append(count)
        elif count.value < 0 or (mark.clause == asking and count.what != "damage") or not _add(told, roll, count):
            return None
    return _checked(told, roll) if _leave_the_last(told, roll) else None


def _is_aside(told: Told, count: Count) -> bool:
    """A number of dice, or `in one engage`."""
    if count.value == 1 and set(told.words[count.end + 1 : count.end + 2]) & {"sum", "lump", "total", "pool", "amount"}:
        # `one sum of 3`
        return True
    scope = count.what in ("engage", "hit", "turn", "this_turn") and count.value == 1 and count.end > count.at
    return scope or (count.what in ("dice", "named_dice", "stamina_dice", "magicka_dice") and not count.back)


def _leave_the_last(told: Told, roll: Roll) -> bool:
    """`…, but I leave that one`: the die told last. False where it cannot be told which one is left."""
    left = told.places("leave", "unresolved")
    if roll.left or not left or not roll.packets or not all(packet.resolve for packet in roll.packets):
        return True
    before = [place for place, packet in enumerate(roll.packets) if packet.count.at < left[0]]
    after = told.words[left[0] + 1 : left[0] + 3]
    if after[:1] and told.marks[left[0] + 1].value is not None:
        # `leaves 1 on the rat`
        return True
    if not before or after[:2] not in (("that", "one"), ("that", "die"), ("the", "last"), ("this", "one")):
        return False
    roll.packets[before[-1]] = replace(roll.packets[before[-1]], resolve=False)
    return True


def _restates(told: Told, roll: Roll, count: Count) -> bool:
    """`four hits of 1 or one of how much`: numbers that were told before."""
    if count.what == "damage" or not roll.packets:
        return False
    dice = {each.value for each in told.of("dice")}
    return count.value in dice | {packet.count.value for packet in roll.packets} | {1}


def _add(told: Told, roll: Roll, count: Count) -> bool:
    """Takes a number as damage, as what is prevented, or as damage told before; False where it is none of them."""
    marks = told.marks[count.at - len(count.left) : count.at + 1 + len(count.right)]
    concepts = {mark.concept for mark in marks}
    if count.right[:1] == ("of",) and {"them", "those", "these"} & set(count.right[1:2]) and count.what != "damage":
        return False
    words = {mark.text for mark in marks}
    if {"left", "leave", "leaving"} & words and {"alone", "aside", "unused", "out"} & words:
        concepts |= {"unresolved"}
    if "unresolved" not in concepts and set(count.right) & TO:
        # `one die leaves 1 on the rat`
        concepts -= {"leave"}
    if (count.what == "damage" or count.back) and _prevented(told, count):
        if {"per", "each", "every"} & set(count.right[:2]):
            return False
        unit = _subject(told, count)
        roll.prevents[unit] = roll.prevents.get(unit, 0) + count.value
        roll.used.append(count)
        return True
    dice = [each for each in told.of("dice") if each.end == count.at - 2 and each.value > 1]
    if count.left[-1:] == ("of",) and dice and not {"each", "apiece"} & set(count.right[:2]):
        return False
    if "each" in told.words and count.what != "damage" and concepts & {"unresolved", "leave"}:
        roll.left += count.value
        roll.used.append(count)
        return True
    denied = any(word in ("not", "never") or word.endswith("n't") for word in count.right[:3])
    if _refers(count) and (concepts & {"unresolved", "leave"} or (denied and "resolve" in concepts)):
        return _leave(roll, count)
    if is_negated(count) and not concepts & {"unresolved", "leave"}:
        if "resolve" not in {mark.concept for mark in told.clause_of(count.clause)}:
            return False
        concepts = concepts | {"unresolved"}
    if count.what == "damage" or (count.back and _is_amount(told, count)):
        roll.packets.append(Packet(count, _unit(told, count), not concepts & {"unresolved", "leave"}))
        roll.used.append(count)
        return True
    return False


def _is_amount(told: Told, count: Count) -> bool:
    """A bare number among dice and units; `one` is one only behind a verb: `does one`."""
    if told.marks[count.at].text in ("one", "single") and told.marks[count.at - 1].concept != "deal":
        return False
    return told.has("dice", "unit", "target", "companion", "adventurer")


def _prevented(told: Told, count: Count) -> bool:
    """`it prevents 2`, `it prevents damage: a 3 and a 2`, `2 prevented`."""
    before = [at for at in told.places("prevents") if at < count.at and told.marks[at].sentence == count.sentence]
    between = told.marks[before[-1] + 1 : count.at] if before else []
    listed = all(LISTING & {mark.concept, mark.text} or mark.value is not None for mark in between)
    here = before and (told.marks[before[-1]].clause == count.clause or listed)
    if here and not any(mark.text in TO for mark in between):
        return True
    return "prevented" in count.right[:3]


def _refers(count: Count) -> bool:
    """`the 2`, `the one with 5`: a die that was told before."""
    before = [word for word in count.left[-3:] if word not in ("with", "showing", "of", "dealing", "for", "one", "die")]
    return before[-1:] in (["the"], ["that"])


def _leave(roll: Roll, count: Count) -> bool:
    """`I leave the 2 unresolved`: the die that was told before."""
    same = [place for place, packet in enumerate(roll.packets) if packet.count.value == count.value]
    if len(same) != 1:
        return False
    roll.packets[same[0]] = replace(roll.packets[same[0]], resolve=False)
    roll.used.append(count)
    return True


def _unit(told: Told, count: Count) -> str:
    """Whom the damage goes to, by the words after it, or by who takes it; empty where nothing near tells."""
    others = [each.at for each in told.counts if each.at > count.at and each.kind == CARDINAL and each.what != "dice"]
    stop = min([*(at for at in told.places("break") if at > count.at), *others], default=None)
    after = told.marks[count.at + 1 : stop]
    direct = [mark for mark in told.marks[count.end + 1 : stop] if mark.text not in DETERMINERS][:1]
    if direct and direct[0].concept in ("unit", "target", "companion") and count.what == "damage":
        return head(direct[0])
    for place, mark in enumerate(after):
        if mark.text in TO or (mark.text.split()[-1] in TO and not mark.concept):
            near = after[place + 1 : place + 6]
            two = "and" in said_in(near) and [each.concept for each in near].count("unit") > 1
            return "" if two else _name(after[place + 1 :])
    numbers = [each.end for each in told.counts if each.at < count.at and each.kind == CARDINAL]
    start = next(at for at, mark in enumerate(told.marks) if mark.clause == told.marks[count.at].clause)
    before = told.marks[max([start, *(end + 1 for end in numbers)]) : count.at]
    struck = [at for at, mark in enumerate(before[:-1]) if mark.text in STRIKES and before[at + 1].text != "by"]
    takes = any(mark.text in TAKES for mark in before)
    return _name(before[struck[-1] + 1 :]) if struck else _name(before) if takes else ""


def _subject(told: Told, count: Count) -> str:
    """The first unit of the clause."""
    clause = told.clause_of(count.clause)
    return next((head(mark) for mark in clause if mark.concept in UNITS), "")


def _name(marks: list[Mark]) -> str:
    """The unit's word: `the big rat` is a rat. UNKNOWN where the word may stand for an enemy or for a friend."""
    owned = False
    for place, mark in enumerate(marks[:5]):
        if mark.text in ("me", "myself", "us"):
            return "adventurer"
        if mark.concept in UNITS:
            return head(next((m for m in marks[place + 1 : place + 2] if m.concept == "unit"), mark))
        if mark.concept == "person":
            owns = any(other.concept == "adventurer" for other in marks[place + 1 : place + 3])
            return "adventurer" if owns else UNKNOWN
        owned = owned or mark.text in ("my", "our", "his", "her", "their")
        after = marks[place + 1] if place + 1 < len(marks) else None
        if mark.concept == "next_to" and (after is None or after.concept not in UNITS):
            return "neighbour"
        thing = after is not None and after.concept in ("", "next_to", "unit") and after.text not in FUNCTION_WORDS
        if mark.text == "it" and after and thing:
            # `its neighbour`
            return after.text
        if mark.text in ("it", "him", "them") or (mark.text == "her" and place + 1 == len(marks)):
            return ""
        if mark.text not in DETERMINERS and not mark.concept:
            return UNKNOWN if owned or not mark.text.isalpha() else mark.text
    return ""


def who_is_who(told: Told) -> dict[str, str]:
    """`the orc is her adventurer`, `the bear is a companion, not an adventurer`: unit -> its kind."""
    found = {}
    for at, mark in enumerate(told.marks):
        rest = [other for other in told.marks[at + 1 : at + 5] if other.text not in DETERMINERS | {"s"}]
        says = mark.concept == "unit" and len(rest) > 1 and rest[0].text in ("is", "was")
        if says and rest[1].concept in KINDS and not rest[1].text.endswith("'s"):
            found[head(mark)] = rest[1].concept
    return found


def head(mark: Mark) -> str:
    if mark.concept in ("companion", "adventurer"):
        return mark.concept
    return mark.text.removesuffix("'s").removesuffix("s").split()[-1]


def _checked(told: Told, roll: Roll) -> Roll | None:
    """Units filled in from the neighbours, and the number of dice held against the packets."""
    kinds = who_is_who(told)
    roll.packets = [replace(packet, unit=kinds.get(packet.unit, packet.unit)) for packet in roll.packets]
    named = [packet.unit for packet in roll.packets if packet.unit]
    if len(set(named)) <= 1:
        unit = named[0] if named else _only_unit(told, kinds)
        others = {kinds.get(name, name) for name in _others(told, roll)} - set(named)
        if named and len(named) < len(roll.packets) and others:
            return None
        roll.packets = [replace(packet, unit=unit) for packet in roll.packets]
    else:
        filled = [packet.unit or _following(roll, place) for place, packet in enumerate(roll.packets)]
        roll.packets = [replace(packet, unit=unit) for packet, unit in zip(roll.packets, filled, strict=True)]
    if any(packet.unit in ("", UNKNOWN) for packet in roll.packets):
        return None
    if "" in roll.prevents and len(roll.units) == 1:
        roll.prevents[roll.units[0]] = roll.prevents.pop("")
    if set(roll.prevents) - set(roll.units):
        return None
    return _spread(told, roll)


def _others(told: Told, roll: Roll) -> set[str]:
    """Units that are named where the damage is told."""
    clauses = {packet.count.clause for packet in roll.packets}
    return {head(mark) for mark in told.marks if mark.clause in clauses and mark.concept in UNITS[:3]}


def _only_unit(told: Told, kinds: dict[str, str]) -> str:
    places = told.places(*UNITS)
    denied = [at for at in places if NOT & told.before(at, 2)]
    pets = {head(told.marks[at]): "companion" for at in places if at and told.marks[at - 1].concept == "companion"}
    heads = [head(told.marks[at]) for at in places if at not in denied]
    names = [(pets | kinds).get(name, name) for name in heads]
    named = list(dict.fromkeys(name for name in names if name != "target"))
    return named[0] if len(named) == 1 else "target" if not named and not denied else ""


def _following(roll: Roll, place: int) -> str:
    """`3 and 2 to the target`: the 3 goes there too."""
    packet = roll.packets[place]
    rest = [other for other in roll.packets[place + 1 :] if other.count.clause <= packet.count.clause + 1]
    return rest[0].unit if rest and rest[0].count.at - packet.count.at <= 5 else ""


def _row(told: Told, packet: Packet, dice: list[Count]) -> int:
    """`3 dice hit the rat for 2 each`: how many dice deal that damage; 0 where it is one."""
    clause = packet.count.clause
    own = [each.value for each in dice if each.clause == clause and each.at < packet.count.at and each.value > 1]
    each = {"each", "apiece"} & {mark.text for mark in told.clause_of(clause)}
    return own[0] if own and each else 0


def _spread(told: Told, roll: Roll) -> Roll | None:
    """`three dice deal 2 damage each`; otherwise there are no more dice told than packets."""
    mine = [each for each in told.of("dice") if each in roll.used and not each.back]
    dice = [each.value for each in mine if each.end + 1 not in told.places("prevents")]
    asking = max(mark.clause for mark in told.marks if mark.concept != "break")
    listed = len(roll.units) > 1 and not dice
    each = {"each", "apiece"} & {mark.text for mark in told.marks if mark.clause != asking or not listed}
    if each:
        if len(roll.packets) == len(dice) == 1:
            roll.packets *= max(dice[0] - roll.left, 0)
            return roll
        rows = [(packet, _row(told, packet, mine)) for packet in roll.packets]
        of_several = len([number for _, number in rows if number])
        if len([each for each in mine if each.value > 1]) != of_several or not of_several or roll.left:
            return None
        roll.packets = [packet for packet, number in rows for _ in range(number or 1)]
        return roll
    told_of = max([sum(dice), *(each.value for each in told.of("dice", kind=ORDINAL))])
    fits = told_of < 2 or told_of == len(roll.packets)
    return roll if fits or (told.has("roll", "throw") and told_of > len(roll.packets)) else None
