"""Eldfall Chronicles: whether a downed model may reroll its Recovery Roll, or how many of several may not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from kb.engine.kernel import Verdict
from kb.glossary import stem
from kb.reading.eldfall import words as w
from kb.reading.eldfall.part import is_known, parts_of
from kb.reading.eldfall.words import Unclear, clauses_of, doubt
from kb.reading.marks import CARDINAL, ORDINAL, Mark
from kb.reading.situation import Found, Situation

_DOWNED, _ALLY, _WHOEVER = "downed", "ally", ""
_BARS, _ALLOWS, _UNSURE = frozenset(map(stem, w.listed("bars"))), w.listed("allows"), w.listed("unsure of rerolls")
_TOUCH = re.compile(r"touch|contact|base to base|b 2 b|adjacent")
_ITSELF, _THIRD, _APART = w.listed("itself"), w.listed("third"), w.listed("apart")
_FRIENDS, _FOES = w.listed("friends"), w.listed("foes")


def reroll(text: str) -> Situation | None:
    """Whether the Reroll is prohibited, by what is told of the downed model and of whom it touches."""
    clauses = clauses_of(text)
    marks = [mark for clause in clauses for mark in clause]
    at = next((n for n, clause in enumerate(clauses) if any(mark.concept == w.REROLL for mark in clause)), 0)
    spoken_of = "recovery" in text.casefold() or any(mark.concept == w.STATES[0] for mark in marks)
    doubt(not at or not spoken_of or any(mark.text in _UNSURE for mark in marks), "no Reroll")
    asking = [mark for clause in clauses[at:] for mark in clause]
    bars = any(mark.concept == w.BARRED or stem(mark.text) in _BARS for mark in asking)
    counts = any(mark.concept == w.ASK for mark in asking)
    numbers = {mark.value for mark in marks if mark.kind == CARDINAL and (mark.value or 0) > 1}
    if any(mark.concept == w.NOT for mark in asking) or any(each[0].concept in (w.BE, w.DOES) for each in clauses[:at]):
        return None  # the other way round; that was asked, not told
    allows = {mark.text for mark in asking} & _ALLOWS or (asking[-1].asks and all(map(is_known, asking)))
    doubt(not bars and (counts or not allows), "what is asked of it")
    named = {name for clause in clauses for name in _downed(clause)}
    subject = asking[2] if len(asking) > 2 and asking[0].concept == w.DOES and asking[1].concept == w.THE else None
    if subject and named and not is_known(subject) and stem(subject.text) not in {*named, stem("recovery")}:
        raise Unclear("who rerolls")
    found = [_facts(part) for part in (_sections(clauses[:at]) if counts else [clauses[:at]])]
    doubt(not found or (counts and not numbers <= {len(found)}), "of how many")

    def find(verdict: Verdict) -> Found:
        if counts:
            return Found(sum(map(any, found)), "rerolls")
        return Found(verdict="yes" if bars == (verdict.result["reroll"] == "prohibited") else "no")

    says = ("the downed model is Engaged", "an ally in contact is", "neither it nor an ally in contact is")
    told = "; ".join(says[0 if itself else 1 if ally else 2] for itself, ally in found)
    given = dict(zip(("engaged", "ally_in_base_contact_engaged"), found[0], strict=True))
    return Situation("eldfall.recovery", given, told, find)


def _sections(clauses: Sequence[list[Mark]]) -> Iterator[list[list[Mark]]]:
    """What is told of `#1`, `the second`, `C`, one after the other."""
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


def _facts(clauses: Sequence[Sequence[Mark]]) -> tuple[bool, bool]:
    """(a downed model is Engaged, an ally in contact is). Raises `Unclear` where the outcome is not sure."""
    parts = [part for clause in clauses for part in parts_of(clause)]
    downed = {name for part in parts for name in _downed(part)}
    touching: set[bool] = set()
    engaged: set[tuple[str, bool]] = set()
    for at, part in enumerate(parts):
        named = any(_ally(mark, downed) for each in parts[: at + 1] for mark in each)
        _read(part, downed, named, touching, engaged)
    itself = {so for whose, so in engaged if whose == _DOWNED}
    others = {so for whose, so in engaged if whose != _DOWNED}
    doubt(len(itself) > 1 or len(others) > 1 or (len(touching) > 1 and True in others), "told both ways")
    if True in itself or (True in others and True in touching):
        return True in itself, True not in itself
    if False in itself and (False in others or touching == {False}):
        return False, False
    raise Unclear("not told whole")


def _downed(part: Sequence[Mark]) -> Iterator[str]:
    """Stem of what the downed model is called: `my downed healer`, `his captain is down`."""
    for at, mark in enumerate(part):
        if mark.concept == w.STATES[0]:
            near = [*part[at + 1 : at + 2], *part[:at][::-1]]
            named = (each for each in near if not is_known(each) or (each.concept == w.NOUN and each.text not in _FOES))
            yield from (stem(each.text) for each in [next(named, mark)])


def _ally(mark: Mark, downed: Set[str]) -> bool:
    """Whether a word may be the ally: one that says so, or a noun that is not the downed model's."""
    noun = mark.concept == w.NOUN or not is_known(mark)
    return mark.text in _FRIENDS or (noun and stem(mark.text) not in downed and mark.text not in _FOES)


def _read(
    part: Sequence[Mark], downed: Set[str], named: bool, touching: set[bool], engaged: set[tuple[str, bool]]
) -> None:
    """One part: whether they touch, and who is Engaged. `named`: an ally was spoken of."""
    doubt(any(mark.concept in (w.STRANGE, w.LOOSE, w.FREE, *w.STATES[1:]) for mark in part), "what may matter")
    verb = next((at for at, mark in enumerate(part) if mark.concept in (w.PASSIVE, w.ACTIVE)), None)
    touch = next((at for at, mark in enumerate(part) if _TOUCH.search(mark.text)), None)
    alone = any(
        mark.text == "alone" or mark.text.startswith(("nobody ", "no friend", "no all", "no mate")) for mark in part
    )
    if alone or any(mark.concept == w.FAR or mark.text in _APART for mark in part):
        touching.add(False)
    elif touch is not None:
        if any(mark.text in _FOES for mark in part) and part[-1].concept != w.PASSIVE:
            raise Unclear("whether that enemy engages it")
        touching.add(not any(mark.concept == w.NOT for mark in part[:touch]))
    if verb is None and (part[-1].concept == w.BE or part[-1].text in ("isn't", "isnt")):
        verb = len(part) - 1  # `a friend who is`
    if verb is not None:
        denied = any(mark.concept == w.NOT or mark.text == "unengaged" for mark in part)
        engaged.add((_whose(part, verb, downed) if named else _DOWNED, not denied))
    elif alone:
        engaged.add((_DOWNED, False))


def _whose(part: Sequence[Mark], verb: int, downed: Set[str]) -> str:
    """Who is Engaged: the one named last before `engaged`, or behind `engages`."""
    before, behind = part[:verb][::-1], part[verb + 1 :]
    for mark in (*behind, *before) if part[verb].concept == w.ACTIVE else (*before, *behind):
        if stem(mark.text) in downed or mark.text in _ITSELF or mark.concept == w.STATES[0]:
            return _DOWNED
        if _ally(mark, downed) or mark.text == "who":
            return _ALLY
        if mark.text in _THIRD:
            return _WHOEVER
    return _WHOEVER
