"""Eldfall Chronicles: whether a kind of model engages, or can be Engaged: `do bare hands engage`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kb.engine.kernel import Verdict
from kb.glossary import stem
from kb.question import Question
from kb.reading.eldfall import words as w
from kb.reading.eldfall.declared import is_turned, is_unread
from kb.reading.eldfall.models import Model
from kb.reading.eldfall.part import HANDS, HOW_HELD, Part, is_known
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import Mark
from kb.reading.situation import Found, Situation

_TELLS = frozenset((*HANDS, *w.STATES, "shoots"))
_LEADS = frozenset((w.OWN, w.POSSESSIVE, w.THE, w.ARTICLE, w.UNARMED, w.ARMED, *w.STATES))
_NAMES = (w.SELF, w.THIRD, w.THEY, w.OWN, w.POSSESSIVE, w.THE, w.ARTICLE, w.NOUN)
_IDLE = frozenset((*_NAMES, w.BE, w.DOES, w.OF, w.FILLER, w.HELD, w.AWAY, w.OWNED, w.OWNS, w.BY, w.WITH, w.NOT))
_IDLE_WORDS = w.listed("kinds")
_MAY = frozenset("can could may might possible able".split())
_LINKS = (w.BY, w.WITH)
_INTO, _MORE = frozenset("in into inside within through enter enters".split()), w.listed("more")
_ENDS = w.listed("loses")


_DAGGER = "eldfall/rulings#unarmed-zone"
"What tells that a Dagger is enough."


def kinds(text: str) -> Situation | None:
    """Whether what is told of one model lets it engage, or be Engaged."""
    question = Question(text)
    doubt(is_unread(question) or question.asks_truth, "yes or no, and of what")
    clauses = w.clauses_of(text.casefold().replace("’", "'"))
    said = [mark for clause in clauses for mark in clause]
    marks = [mark for mark in said if mark.text not in _ENDS]
    ends = len(marks) < len(said)
    several = len({mark.concept for mark in marks if mark.concept in _TELLS}) > 1
    marks = [mark for at, mark in enumerate(marks) if not _is_aside(marks, at, several)]
    verbs = [at for at, mark in enumerate(marks) if mark.concept in (w.ACTIVE, w.PASSIVE, w.ZONE)]
    tells = [at for at, mark in enumerate(marks) if mark.concept in _TELLS]
    part = Part(marks)
    hands = [told for at in tells if marks[at].concept in HANDS and (told := part.held(at))]
    model = Model().with_told([*hands, *(m.concept for m in marks if m.concept in _TELLS - {*HANDS})], True)
    held = model.in_hand or (w.NONE if tells and set().union(*part.modifiers.values()) == {w.OWNED} else None)
    if not tells or len(verbs) != 1 or not all(_is_idle(marks, at) for at in range(len(marks)) if at not in verbs):
        raise Unclear("something else is told or asked")
    words = {mark.text for mark in marks}
    doubt({*map(stem, words)} & w.THINGS and not model.accessory, "an accessory")
    if model.state and (words & {"i", "am"} or len({marks[at].sentence for at in (*tells, verbs[0])}) > 1):
        raise Unclear("whose State")
    doubt(words & _MORE or marks[verbs[0] - 1].text in ("that", "who", "which"), "how far, or of whom it is told")
    suffers = _suffers(marks, verbs[0], tells)
    if suffers is None or (held is None and not model.state and not model.accessory):
        raise Unclear("what it has in hand, or who engages")
    if held == w.RANGED and w.HELD not in {mark.concept for mark in marks} and words & _MAY:
        raise Unclear("it may own a sword as well")
    able = words & _MAY and marks[0].text not in ("i", "my") and "declare" not in words
    doubt(suffers and not (able and model.state in (None, "incapacitated")), "whether it may be Engaged is not asked")
    left = (mark for at, mark in enumerate(marks) if at not in part.denials)
    plain = " ".join("thing" if mark.concept in _TELLS | HOW_HELD else mark.text for mark in left)
    turned = is_turned(plain) != ends
    one: dict[str, Any] = {"name": "it", "side": "one", "in_hand": held or (w.NONE if model.accessory else w.MELEE)}
    one |= {"state": model.state, "accessory_engages": model.accessory}
    other: dict[str, Any] = {"name": "the other", "side": "other", "in_hand": w.MELEE if suffers else w.NONE}
    by, whom = (other, one) if suffers else (one, other)

    def find(verdict: Verdict) -> Found:
        engaged = verdict.result.get("engaged_by", {}).get(whom["name"])
        answer = "no" if bool(engaged) == turned else "yes"
        return Found() if engaged is None else Found(verdict=answer, deciding=_DAGGER if "dagger" in words else None)

    models = [by, {**whom, "in_reach_of": [by["name"]]}]
    says = f"{model.state or held}: {'may be Engaged' if suffers else 'engages'}"
    return Situation("eldfall.engagement", {"models": models}, says, find)


def _is_idle(marks: Sequence[Mark], at: int) -> bool:
    """Whether a word is understood and changes nothing. An unknown one may be a verb, but not behind an article."""
    mark, before = marks[at], marks[at - 1] if at else marks[at]
    if mark.text in _IDLE_WORDS or mark.concept:
        return mark.text in _IDLE_WORDS or mark.concept in _TELLS | _IDLE
    if mark.value is not None:
        return mark.value == 1 or mark.text in ("two", "both")
    plural = mark.text.endswith("s") and (before.value or before.concept == w.DOES)
    noun = bool(plural or before.concept in _LEADS) and not mark.text.endswith(("ed", "ing", "ly"))
    return noun or is_known(mark)


def _is_aside(marks: Sequence[Mark], at: int, several: bool) -> bool:
    """`does Flare count as a weapon`, `just a dagger`, `fists only`."""
    before = [mark.concept for mark in marks[max(0, at - 2) : at]]
    weapon = several and marks[at].text in ("weapon", "melee weapon") and before[-1:] == [w.ARTICLE]
    near = any(mark.concept in _TELLS for mark in marks[max(0, at - 1) : at + 3])
    return (weapon and w.WITH not in before) or (marks[at].text in ("only", "just") and near)


def _suffers(marks: Sequence[Mark], verb: int, tells: Sequence[int]) -> bool | None:
    """Whether the model that is told of is the one that may be Engaged."""
    behind = [at for at in tells if at > verb]
    linked = behind and any(mark.concept in _LINKS or mark.text in ("if", "when") for mark in marks[verb : behind[0]])
    if behind and (len(behind) < len(tells) or marks[behind[-1]].clause != marks[verb].clause):
        return None
    if {mark.text for mark in marks[:verb]} & {"while", "when", "if"}:
        return None
    if marks[verb].concept == w.ZONE:
        return None if {mark.text for mark in marks[max(0, verb - 2) : verb]} & _INTO else False
    if marks[verb].concept == w.ACTIVE:
        return bool(behind) and not linked
    return (False if linked else None) if behind else not any(mark.concept in _LINKS for mark in marks[verb:]) or None
