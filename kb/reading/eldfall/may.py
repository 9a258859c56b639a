"""Eldfall Chronicles: whether an Engaged model may declare or react as told, sees what engages it, or is free."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from kb.engine.eldfall.declare import MOVEMENTS
from kb.engine.kernel import ILLEGAL, LEGAL, Verdict
from kb.glossary import stem
from kb.polarity import asks_permission
from kb.question import SAYS, Question
from kb.reading.eldfall import declared
from kb.reading.eldfall import words as w
from kb.reading.eldfall.declared import DECLARED, ENEMY, FIRST, THIRD, WHERE, first, nouns_of
from kb.reading.eldfall.options import open_in
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import Mark, marks_of
from kb.reading.situation import Found, Situation

_TERMS = w.pattern("terms")
"Words by which a question that names nobody is known as one of this game."
_CHECKS, _EVERYBODY = w.listed("checks"), w.listed("everybody")


def declares(text: str) -> Situation | None:
    """Whether an Engaged model may do what the question tells."""
    question = Question(text)
    return None if declared.is_unread(question) else _Judged(question).situation()


def _concepts(marks: Sequence[Mark]) -> set[str]:
    return {mark.concept for mark in marks}


class _Judged:
    """A yes/no question about an Engaged model."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.clauses = declared.clauses_of(question.text)
        self.marks = [mark for clause in self.clauses for mark in clause]
        self.asking = [mark for clause in declared.clauses_of(question.main) for mark in clause]
        self.concepts, self.asked = _concepts(self.marks), _concepts(self.asking)
        self.told = declared.engaged(self.clauses)

    def situation(self) -> Situation:
        """What is read. Raises `Unclear`."""
        judged = [mark for clause in declared.clauses_of(self.question.statement) for mark in clause]
        must = "must" in self.asked and "must" in _concepts(self.asking[: first(self.asking, "declared", default=0)])
        scope = _concepts(self.marks if self.question.asks_truth else [*self.asking, *judged])
        if "twist" in scope or must != ("must" in scope) or self.concepts & {"unsure", "no weapon", "freed"}:
            raise Unclear("what may turn it round")
        doubt("event" in self.concepts and not self._still(), "who still engages")
        if not (self.told.by | self.told.models or (self.told.told and not must)) and not _TERMS.search(
            self.question.text.casefold()
        ):
            raise Unclear("of which game it is")
        if self.concepts & {"reacts", "sees"}:
            return self._reacts()
        doubt("aware" in self.concepts, "what is seen")
        return self._declares()

    def _still(self) -> bool:
        """Whether it is told to be Engaged behind all that may have freed it."""
        told = [mark for each in self.clauses if not each[-1].asks and each is not self.clauses[-1] for mark in each]
        told = told[max((at for at, mark in enumerate(told) if mark.concept == "event"), default=len(told)) :]
        stills = (at for at, mark in enumerate(told) if mark.concept == "still")
        return any(_concepts(told[max(0, at - 2) : at + 3]) & {"engaged", "engages"} for at in stills)

    def _turned(self, asking: Sequence[Mark]) -> bool:
        """Whether yes would say that it is not so."""
        plain = " ".join(
            "thing" if mark.concept in DECLARED else mark.text
            for mark in asking
            if mark.text != "just" and mark.concept != "passing"
        )
        return declared.is_turned(plain) != (self.question.asks_truth == "wrong")

    # --- declarations -------------------------------------------------------------------------------------------

    def _declares(self) -> Situation:
        told, region = self.told, self._region()
        mine = {stem(after.text) for each in self.clauses for mark, after in pairwise(each) if mark.text == "my"}
        doubt(told.models and mine & nouns_of(self.marks) - told.models - told.by, "several models of the player")
        bare = "must" in self.asked and self.asked & {*DECLARED, *WHERE} == {"walk"}
        given: dict[str, Any] = {"declares": "walk"} if bare else declared.declaration(region, told, self.concepts)
        if "down" in self.concepts:
            given["incapacitated"] = self._is_down(region)
        doubt(not (told.told or given.get("incapacitated") or "via" in given), "engaged by whom")
        self._subject(self.asking if region is self.marks else region)
        must = "must" in self.asked
        turned = self._turned([mark for mark in self.asking if mark.concept != "must"])
        several = sum(mark.concept in DECLARED for mark in self.marks) > 1
        doubt(must and (turned or several or given.get("towards") or "via" in given), "what it must")
        doubt(not asks_permission(self.question.statement), "whether it may is not asked")
        by = [f"{ENEMY} {n}" for n in (1, 2)] if told.several else [ENEMY] if told.told else []
        if given.get("towards"):
            given["towards"] = by[0]
        if "movement step" in self.concepts and given["declares"] != "walk":
            given["step"] = "movement"

        def find(verdict: Verdict) -> Found:
            if must:
                step = "movement" if given["declares"] in MOVEMENTS else "action"
                others = [each for each in open_in(step) if each != given["declares"]]
                return Found(verdict="no" if others else "yes")
            judged = verdict.status in (LEGAL, ILLEGAL)
            return Found(verdict="yes" if (verdict.status == LEGAL) != turned else "no") if judged else Found()

        says = f"engaged by {len(by)}, declares {given['declares']}"
        return Situation("eldfall.declare", {"engaged_by": by, **given}, says, find)

    def _region(self) -> Sequence[Mark]:
        """Where the declaration is told: in what is asked, else in the one clause that tells a plan."""
        named = self.asked & DECLARED.keys()
        if "must" in self.asked and named:
            return self.asking
        if self.concepts & {"hit-and-retreat", "enchantment"}:
            casts = "enchantment" in self.concepts and any(m.text.startswith(("cast", "spell")) for m in self.asking)
            if casts or (not named and "not" in self.concepts) or named - {"hit-and-retreat"} == {"melee-attack"}:
                raise Unclear("what is denied, or whether it is casting")
            return self.marks
        if named - {"walk"} or self.asked & (WHERE.keys() - {"foe", "itself"} | {"at all"}):
            return self.asking
        plans = [each for each in self.clauses if _concepts(each) & DECLARED.keys() and each != self.asking]
        plans = [each for each in plans if len(each) > 2]
        kinds = {mark.concept for each in plans for mark in each} & DECLARED.keys() - {"walk"}
        if len(kinds) > 1 or not plans or "not" in _concepts(plans[-1]) or nouns_of(self.asking) - self.told.models:
            raise Unclear("what is planned")
        return plans[-1]

    def _subject(self, region: Sequence[Mark]) -> None:
        """Raises `Unclear` where somebody else than the Engaged model may be the one that declares."""
        at = first(region, "declared", default=len(region))
        before = list(region[:at])
        last = [mark for mark in before if at < len(region) and mark.clause == region[at].clause]
        before = last if {mark.text for mark in last} & (FIRST | THIRD) else before
        before = before[max((at + 1 for at, mark in enumerate(before) if mark.text in w.SAYS), default=0) :]
        last = before[declared.behind(before, "and", "but", "so", "then") :]
        before = last if {mark.text for mark in last} & (FIRST | THIRD) else before
        before = before[: first(before, "by", "with", default=len(before))]
        nouns, told = nouns_of(before), self.told
        others = any(mark.concept in ("others", "foe", "second") and mark.text not in THIRD for mark in before)
        his = False in told.mine and {mark.text for mark in before} & FIRST
        doubt(others or his or nouns & told.by or (told.models and nouns - told.models), "who declares")
        engages = bool(before) and "engages" in _concepts(before) and before[0].text in declared.ASKS
        if told.told and (engages or (before and before[-1].text in ("be", "being", "been"))):
            raise Unclear("who engages is asked, or what is done to it")

    def _is_down(self, region: Sequence[Mark]) -> bool:
        """Whether it is the model itself that is Incapacitated."""
        told = self.told
        for clause in (region, *self.clauses):
            at = next((at for at, mark in enumerate(clause) if mark.concept == "down"), None)
            if at is None:
                continue
            near = "engaged" in _concepts(clause[max(0, at - 2) : at + 3])
            who = nouns_of(clause[: at + 2])
            same = (near or bool(who & (nouns_of(region) | told.models))) and not who & told.by
            other = who - told.models or (at > 3 and not near and not told.models)
            if (at and clause[at - 1].text in FIRST | THIRD | {"has", "have"}) or (other and not same):
                raise Unclear("who is down")
        return True

    # --- seeing and reacting ------------------------------------------------------------------------------------

    def _reacts(self) -> Situation:
        """Whether it may react outside its Awareness, or has Line of Sight to what engages it."""
        told, asked = self.told, self.asked
        reacts = "reacts" in (asked if asked & {"reacts", "sees"} else self.concepts)
        kept = [m for at, m in enumerate(self.asking) if not (m.concept == "not" and "aware" in _near(self.asking, at))]
        turned = self._turned(kept)
        nouns, words = nouns_of(self.asking) - told.models, {mark.text for mark in self.asking}
        to, aware = ENEMY, None
        if reacts:
            seen = {found for clause in self.clauses for found in _awareness(clause)}
            unheard = sum(map(_denials, self.clauses)) != _denials(self.asking)
            if len(seen) != 1 or unheard or (asked & {"second", "one"} and told.several and "aware" not in asked):
                raise Unclear("whether in its Awareness")
            told_of = [nouns_of(clause) - told.models for clause in self.clauses if "aware" in _concepts(clause)]
            if nouns & told.by and "aware" not in asked and not any(nouns & each for each in told_of):
                raise Unclear("who is outside its Awareness")
            to, (aware,) = "somebody", seen
        elif nouns & told.apart and "freely" in asked:
            to = "somebody"
        else:
            meant = nouns or asked & {"foe", "engages"} or words & {"that", "who", "whoever"}
            everybody = words & _EVERYBODY and not asked & {"engages", "engaged"}
            if (
                told.apart
                or nouns - told.by
                or asked & {"second", "others"}
                or everybody
                or words & _CHECKS
                or not meant
            ):
                raise Unclear("whom it sees")
        doubt(not told.told, "engaged by whom")

        def find(verdict: Verdict) -> Found:
            so = verdict.result["may_react"] if reacts else bool(verdict.result["line_of_sight"])
            return Found() if so is None else Found(verdict="no" if so == turned else "yes")

        given: dict[str, Any] = {"engaged_by": [ENEMY], "to": to, "in_awareness": aware}
        return Situation("eldfall.react", given, f"engaged, {'reacts' if reacts else 'Line of Sight'}", find)


def _near(marks: Sequence[Mark], at: int) -> set[str]:
    """What is spoken of in the words behind one, up to a reaction."""
    behind = [mark.concept for mark in marks[at + 1 : at + 7]]
    return set(behind[: behind.index("reacts")] if "reacts" in behind else behind)


def _denials(clause: Sequence[Mark]) -> int:
    """How much is denied behind the words for Awareness."""
    start = max((at + 3 for at, mark in enumerate(clause) if mark.concept == "aware"), default=0)
    return sum(mark.concept == "not" for mark in clause[start:])


def _awareness(clause: Sequence[Mark]) -> Iterator[bool]:
    """Whether something is told to be in its Awareness. Raises `Unclear`."""
    for at, mark in enumerate(clause):
        if mark.concept == "aware":
            near = [each for n, each in enumerate(clause[:at]) if n > at - 7 and "aware" in _near(clause, n)]
            out = "not" in _concepts([*near, *clause[at + 1 : at + 3]])
            out = out or first(near, "outside", "out", "beyond", default=-1) >= 0
            doubt(not out and first(near, "in", "inside", "within", default=-1) < 0, "whether in its Awareness")
            yield not out


# --- what happened -----------------------------------------------------------------------------------------------

_EVENTS: dict[str, str] = w.TABLES["events"]
_EVENT_LEXICON = w.lexicon({**_EVENTS, **w.TABLES["ends"], "not": w.PHRASES[w.NOT]})


def ends(text: str) -> Situation | None:
    """Whether the model is free, or still Engaged, after what happened to the enemy or to it."""
    question = Question(text)
    unread = declared.is_unread(question) or question.asks_truth
    marks = _event_marks(text)
    events = {mark.concept for mark in marks} & _EVENTS.keys()
    asking = _event_marks(question.asking)
    asked = {mark.concept for mark in asking} & {"free", "held"}
    if unread or len(events) != 1 or not asked or any(mark.concept == "unsure" for mark in marks):
        raise Unclear("what happened, or what is asked")
    if SAYS.search(text) or not any(
        mark.concept in ("held", "leaves-reach", "dodge-disengage") or mark.text in _BY for mark in marks
    ):
        return None
    (event,) = events
    at = next(at for at, mark in enumerate(marks) if mark.concept == event)
    around = {mark.text for mark in marks[max(0, at - 6) : at + 3] if mark.sentence == marks[at].sentence}
    numbers = [n for n, mark in enumerate(marks) if mark.value is not None and not _is_the_one(marks, n)]
    doubt(numbers or any(mark.concept == "not" for mark in marks[max(0, at - 4) : at]), "numbers and denials")
    alone = at > 0 and marks[at - 1].text == "i" and (at + 1 == len(marks) or marks[at + 1].concept == "break")
    doubt(
        event.startswith("enemy") and (_OWN.search(text.casefold()) or around & _ITSELF or alone), "to whom it happened"
    )
    doubt(event.startswith("enemy") and not _is_of_mine(text, question.asking), "whose State is asked for")
    by = next((n for n, mark in enumerate(asking) if mark.text in ("by", "from", "of")), len(asking))
    named = nouns_of(asking[by:])
    doubt(named and not named & nouns_of([mark for mark in marks if mark.sentence == marks[at].sentence]), "by whom")
    plain = " ".join("thing" if mark.concept in asked | events else mark.text for mark in asking)
    free = ("free" in asked) != declared.is_turned(plain)

    def find(verdict: Verdict) -> Found:
        return Found(verdict="yes" if verdict.result["engaged_after"] != free else "no")

    return Situation("eldfall.ends", {"event": event}, event, find)


def _is_of_mine(text: str, asking: str) -> bool:
    """Whether it is asked of the player's own model, and not of the enemy that something happened to."""
    said, told = (set(re.findall(r"[a-z']+", each.casefold())) for each in (asking, text))
    return bool(said & _FIRST or (told & _FIRST and not said & {"enemy", "enemies", "foe", "opponent"}))


_FIRST = frozenset("i im i'm me my we us our am".split())
_OWN = w.pattern("own")
_ITSELF = frozenset("my am being becoming becomes falling falls going model models".split())
"Beside an event, these may tell it of the player's own model."
_BY = ("him", "her", "it", "them", "enemy", "engager")


def _event_marks(text: str) -> list[Mark]:
    return [mark for mark in marks_of(text.casefold().replace("’", "'"), _EVENT_LEXICON) if mark.concept != "passing"]


def _is_the_one(marks: Sequence[Mark], at: int) -> bool:
    """`the one enemy`: there is no other."""
    return marks[at].value == 1 and at > 0 and marks[at - 1].text in ("the", "that", "no", "my")
