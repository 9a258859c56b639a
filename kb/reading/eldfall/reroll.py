"""Eldfall Chronicles: whether a downed model may reroll its Recovery Roll, or how many of several may not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

from kb.engine.kernel import Verdict
from kb.glossary import stem
from kb.reading.eldfall import words as w
from kb.reading.eldfall.part import Unclear, clauses_of, is_known, parts_of
from kb.reading.marks import CARDINAL, ORDINAL, Mark
from kb.reading.situation import Found, Situation

_DOWNED, _ALLY, _WHOEVER = "downed", "ally", ""
_BARS = frozenset(
    "ban bans banned stop stops stopped kill kills block blocks blocked lost deny denies denied gone prohibit "
    "prohibits prohibited forbid forbids forbidden barred bar bars prevent prevents prevented illegal".split()
)
_ALLOWS = frozenset("may can get gets allowed work works legal ok okay fine possible still".split())
_TOUCH = re.compile(r"touch|contact|base to base|b 2 b|adjacent")
_ALONE, _ITSELF = frozenset("alone lonely solo".split()), frozenset("himself herself itself".split())
_FRIENDS = frozenset("friend friends friendly ally allies allied mate buddy pal comrade teammate".split())
_FOES = frozenset("enemy enemies foe foes hostile opponent".split())
_UNSURE = frozenset("earlier previously used unless why when how if".split())
_THIRD = frozenset("he she it him her".split())
Facts = tuple[bool, bool]
"(it is Engaged, an ally in contact with it is)"


def reroll(text: str) -> Situation | None:
    """Whether the Reroll is prohibited, by what is told of the downed model and of whom it touches."""
    clauses = clauses_of(text)
    at = next((n for n, clause in enumerate(clauses) if any(mark.concept == w.REROLL for mark in clause)), None)
    marks = [mark for clause in clauses for mark in clause]
    spoken_of = "recovery" in text.casefold() or any(mark.concept == "incapacitated" for mark in marks)
    if at is None or not spoken_of or any(mark.text in _UNSURE for mark in marks):
        return None
    if any(clause[0].concept in (w.BE, w.DOES) for clause in clauses[:at]):
        return None  # that was asked, not told
    try:
        if any(mark.concept == w.ASK for clause in clauses[at:] for mark in clause):
            found = [_facts(part) for part in _sections(clauses[:at])]
            numbers = {mark.value for mark in marks if mark.kind == CARDINAL and (mark.value or 0) > 1}
            return _counted(found, clauses[at:]) if numbers <= {len(found)} and found else None
        facts = _facts(clauses[:at])
    except Unclear:
        return None
    asked = {mark.text for clause in clauses[at:] for mark in clause}
    bars = bool(asked & _BARS) or any(mark.concept == w.BARRED for clause in clauses[at:] for mark in clause)
    denied = any(mark.concept == w.NOT for clause in clauses[at:] for mark in clause)
    if denied or (not clauses[-1][-1].asks and not (bars or asked & _ALLOWS)):
        return None

    def find(verdict: Verdict) -> Found:
        return Found(verdict="yes" if bars == (verdict.result["reroll"] == "prohibited") else "no")

    return Situation("eldfall.recovery", _given(facts), _says(facts), find)


def _given(facts: Facts) -> dict[str, Any]:
    return {"engaged": facts[0], "ally_in_base_contact_engaged": facts[1]}


def _says(facts: Facts) -> str:
    return "downed model Engaged" if facts[0] else f"{'an' if facts[1] else 'no'} Engaged ally in contact"


def _counted(found: Sequence[Facts], asking: Sequence[Sequence[Mark]]) -> Situation | None:
    marks = [mark for clause in asking for mark in clause]
    if not (any(mark.concept == w.BARRED for mark in marks) or {mark.text for mark in marks} & _BARS):
        return None
    if any(mark.concept == w.NOT for mark in marks):
        return None
    number = sum(any(facts) for facts in found)
    return Situation(
        "eldfall.recovery", _given(found[0]), "; ".join(map(_says, found)), lambda _: Found(number, "rerolls")
    )


def _sections(clauses: Sequence[list[Mark]]) -> Iterator[list[list[Mark]]]:
    """What is told of `#1`, `the second`, `C`, one after the other; all that a sentence tells, or several do."""
    section: list[list[Mark]] = []
    for clause in clauses:
        after = clause[1].concept if len(clause) > 1 else ""
        letter = re.fullmatch(r"[a-h]", clause[0].text) and (clause[0].text != "a" or after in (w.BE, w.WITH, w.NEAR))
        label = clause[0].kind == ORDINAL or letter or (clause[0].concept == w.THE and clause[-1].kind == ORDINAL)
        if label and section:
            yield section
        section = [clause] if label else [*section, clause] if section else []
    if section:
        yield section


def _facts(clauses: Sequence[Sequence[Mark]]) -> Facts:
    """What is told of one downed model. Raises `Unclear` where the outcome is not sure."""
    parts = [part for clause in clauses for part in parts_of(clause)]
    downed = {
        stem(mark.text)
        for part in parts
        if any(mark.concept == "incapacitated" for mark in part)
        for mark in part
        if not is_known(mark) or (mark.concept == w.NOUN and mark.text not in _FOES)
    }
    touching: list[bool] = []
    engaged: list[tuple[str, bool]] = []
    for at, part in enumerate(parts):
        named = any(_ally(mark, downed) for each in parts[: at + 1] for mark in each)
        _read(part, downed, named, touching, engaged)
    itself = {is_so for whose, is_so in engaged if whose == _DOWNED}
    others = {is_so for whose, is_so in engaged if whose != _DOWNED}
    if len(itself) > 1 or len(others) > 1 or (len(set(touching)) > 1 and True in others):
        raise Unclear("told both ways")
    if True in itself or (True in others and True in touching):
        return True in itself, True not in itself
    if False in itself and (False in others or (False in touching and True not in touching)):
        return False, False
    raise Unclear("not told whole")


def _ally(mark: Mark, downed: Set[str]) -> bool:
    """Whether a word may be the ally: one that says so, or a noun that is not the downed model's."""
    noun = mark.concept == w.NOUN or not is_known(mark)
    return mark.text in _FRIENDS or (noun and stem(mark.text) not in downed and mark.text not in _FOES)


def _read(
    part: Sequence[Mark], downed: Set[str], named: bool, touching: list[bool], engaged: list[tuple[str, bool]]
) -> None:
    """One part: whether they touch, and who is Engaged. `named`: an ally was spoken of."""
    if any(mark.concept in (w.STRANGE, w.LOOSE, w.FREE, *w.STATES[1:]) for mark in part):
        raise Unclear("what may matter")
    denied = any(mark.concept == w.NOT for mark in part)
    verb = next((at for at, mark in enumerate(part) if mark.concept in (w.PASSIVE, w.ACTIVE)), None)
    touch = next((at for at, mark in enumerate(part) if _TOUCH.search(mark.text)), None)
    alone = any(mark.text in _ALONE or mark.text.startswith("nobody ") for mark in part)
    if alone or any(mark.concept == w.FAR or mark.text in ("inches", "cm", "apart", "off") for mark in part):
        touching.append(False)
    elif touch is not None:
        if any(mark.text in _FOES for mark in part) and verb is None:
            raise Unclear("whether that enemy engages it")
        touching.append(not any(mark.concept == w.NOT for mark in part[:touch]))
    ends = part[-1].concept == w.BE or part[-1].text in ("isn't", "isnt")
    if verb is not None or ends:
        verb = len(part) - 1 if verb is None else verb
        engaged.append((_whose(part, verb, downed) if named else _DOWNED, not denied))
    elif alone:
        engaged.append((_DOWNED, False))


def _whose(part: Sequence[Mark], verb: int, downed: Set[str]) -> str:
    """Who is Engaged: the one named last before `engaged`, or behind `engages`."""
    before, behind = part[:verb][::-1], part[verb + 1 :]
    for mark in (*behind, *before) if part[verb].concept == w.ACTIVE else (*before, *behind):
        if stem(mark.text) in downed or mark.text in _ITSELF or mark.concept == "incapacitated":
            return _DOWNED
        if _ally(mark, downed) or mark.text == "who":
            return _ALLY
        if mark.text in _THIRD:
            return _WHOEVER
    return _WHOEVER
