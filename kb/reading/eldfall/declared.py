"""Eldfall Chronicles: a declaration in a player's words, and who is told to be Engaged."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import Any

from kb.glossary import stem
from kb.polarity import frame, is_doubtful
from kb.question import Question
from kb.reading.eldfall import words as w
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import Mark

ENEMY = "the enemy"
DECLARED, WHERE, TOLD = w.TABLES["declared"], w.TABLES["where"], w.TABLES["situation"]
LEXICON = w.lexicon(
    {
        **TOLD,
        "shooter": w.PHRASES[w.RANGED],
        "down": w.PHRASES["incapacitated"].replace("|downed|", "|=downed|"),
        "not": w.PHRASES[w.NOT],
        "no weapon": w.PHRASES[w.NONE],
        **DECLARED,
        **WHERE,
    }
)
GENERIC = frozenset(map(stem, w.listed("generic")))
FIRST, THIRD = frozenset("i me we us my our".split()), frozenset("he she it they him her them".split())
SMALL = FIRST | THIRD | w.listed("small")


_WH, _HAS = ("who", "that", "which"), ("has", "have", "had", "got", "keeps", "kept")
_JOINS = ("while", "when", "if", "but", "because", "since", "though")
_BEFORE = (*_JOINS, "and", "although", "with", "once", "after", "of", "for", "to")
_LINKS, _SELF = frozenset("and while when if but because".split()), frozenset("i i'm im he he's she she's".split())
_ENDS = frozenset("and so but though although because while when if as since".split())
ASKS = frozenset("can could may might do does did will would".split())
_ASIDE, _TAGGED = w.pattern("not done"), w.pattern("tagged")


@dataclass(slots=True)
class Engaged:
    """Who is Engaged by whom, as told: stems of nouns."""

    told: bool = False
    models: set[str] = field(default_factory=set)
    by: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)
    "Those that are told not to engage it."
    several: bool = False
    mine: set[bool] = field(default_factory=set)
    "Whether the Engaged model is the player's, where a word tells."


def is_unread(question: Question) -> bool:
    """Whether yes or no would not answer it, or would mean now this, now that (`he can't shoot, can he?`)."""
    unclear = question.is_choice or question.is_ambiguous or _TAGGED.search(question.text)
    return bool(unclear) or not question.wants_yes_or_no


def is_turned(plain: str) -> bool:
    """Whether yes would say that it is not so. Raises `Unclear`."""
    asked = frame(plain)
    doubt(is_doubtful(plain) or asked.only or asked.asks not in ("may", "forbidden"), "what is asked of it")
    return (asked.asks == "forbidden", asked.negated, asked.prevents).count(True) % 2 == 1


def clauses_of(text: str) -> list[list[Mark]]:
    """The marks between breaks, without what is not done (`instead of shooting`)."""
    return w.clauses_of(_ASIDE.sub("", text.casefold().replace("’", "'")), LEXICON, (":", "=", "+", "/", "-"))


def nouns_of(marks: Sequence[Mark]) -> set[str]:
    """Stems of the words that may name models."""
    plain = (mark.text for mark in marks if not mark.concept and mark.value is None and mark.text not in SMALL)
    return {stem(text) for text in plain} - GENERIC - w.FILLER_WORDS


def first(marks: Sequence[Mark], *texts: str, default: int) -> int:
    """The place of the first mark that is one of these words, or a declaration where `declared` is among them."""
    found = (at for at, mark in enumerate(marks) if mark.text in texts or _declares(mark, texts))
    return next(found, default)


def behind(marks: Sequence[Mark], *texts: str) -> int:
    """The place behind the last of these; 0 where there is none."""
    return max((at + 1 for at, mark in enumerate(marks) if mark.text in texts or _declares(mark, texts)), default=0)


def _declares(mark: Mark, texts: Sequence[str]) -> bool:
    return "declared" in texts and mark.concept in DECLARED


def engaged(clauses: Sequence[Sequence[Mark]]) -> Engaged:
    """Who is told to be Engaged. Raises `Unclear`."""
    found = Engaged()
    for number, clause in enumerate(clauses):
        for at, mark in enumerate(clause):
            if mark.concept not in ("engages", "engaged"):
                found.told |= mark.text.startswith("engager")
                continue
            several = found.several
            _add(found, clause, at)
            if found.several and not several and not found.by:  # `an orc, a goblin, both engage me`
                earlier = [each for each in clauses[:number] if each[0].sentence >= clause[0].sentence - 1]
                found.by = {noun for each in earlier for noun in nouns_of(each)} - found.models
    doubt(len(found.mine) > 1 or found.models & found.by, "who is engaged")
    return found


def _add(found: Engaged, clause: Sequence[Mark], at: int) -> None:
    before, after, active = clause[:at], clause[at + 1 :], clause[at].concept == "engages"
    named = after[:1] and (nouns_of(after[:1]) or after[0].concept == "artificer" or stem(after[0].text) in GENERIC)
    adjective = bool(named)
    leads = bool(before) and before[0].text.endswith("n't")
    denied = any(mark.concept == "not" for mark in before[leads:][-4:]) or any(m.text == "nobody" for m in after[:1])
    if denied and active:
        found.apart |= nouns_of(before[behind(before, "declared") :]) or {""}
        return
    if not adjective and any(mark.text in w.SAYS or mark.text in ("shouts", "yells", "cries") for mark in before):
        return
    is_asked = clause[0].text in ("is", "am", "are", "was") and not (active or adjective)
    is_asked &= first(before, "declared", "while", "when", "if", default=-1) < 0
    is_asked |= clause[0].text in ASKS and clause[at].text in ("engage", "pin", "lock", "hold")
    if (
        denied
        or is_asked
        or (before and before[-1].text in ("to", "will", "would", "could", "might", "can", "may"))
        or (after and after[0].text == "then")
    ):
        raise Unclear("not engaged, or that is asked")
    lead = max((at for at, mark in enumerate(before[:-1]) if mark.text in _LINKS), default=-1)
    joined = lead >= 0 and before[lead + 1].text in _SELF
    has = len(before) if joined else first(before, *_HAS, default=len(before))
    by = first(after, "by", "with", default=len(after))
    cut = first(after, "declared", default=len(after))
    if active or (has < len(before) and by == len(after)):
        start = min(has, behind(before[:has], "declared", *_JOINS))
        relative = start + first(before[start:has], *_WH, default=has)
        who = before[max(start, relative - 3) : relative] if relative < has else before[start:has]
        whom = [*before[has:], *after[: first(after[:cut], "and", default=cut)]]
    else:
        start = behind(before, "declared", *_BEFORE)
        led = before[max(start - 1, 0) : start]
        if any(mark.concept in DECLARED and mark.concept != "hit-and-retreat" for mark in led) or (
            led and led[0].text == "to" and any(mark.concept in ("walk", "assist") for mark in before)
        ):
            raise Unclear("which is engaged")  # `shoot an engaged orc`
        goes_on = first(after, "is", "are", "was", "has", "have", default=cut)
        cut = min(cut, behind(after[:goes_on], "and") - 1 if goes_on < cut and behind(after[:goes_on], "and") else cut)
        who, whom = after[by:cut], [*before[start:], *after[: min(by, cut, 1)]]
    doubt(active and any(mark.concept == "shooter" for mark in who), "with what it engages")
    found.told = True
    found.by |= nouns_of(who)
    found.models |= nouns_of(whom)
    found.several |= any(mark.concept == "several" or (mark.value or 0) > 1 or mark.text == "and" for mark in who)
    found.several |= any(mark.text.endswith("s") and not mark.text.endswith("ss") and nouns_of([mark]) for mark in who)
    found.mine |= {mine for marks, mine in ((who, False), (whom, True)) if {mark.text for mark in marks} & FIRST}


def declaration(region: Sequence[Mark], told: Engaged, concepts: Set[str]) -> dict[str, Any]:
    """The procedure's input, by the words of one declaration. Raises `Unclear`."""
    kinds = {mark.concept for mark in region if mark.concept in DECLARED}
    after = region[first(region, "declared", default=len(region)) + 1 :]
    after = [
        mark
        for mark, then in zip_longest(after, after[1:])
        if not (then and then.concept == "engages" and (mark.concept == "one" or stem(mark.text) in GENERIC))
    ]  # `attack the one engaging me`
    has = {mark.concept for mark in after}
    if "hit-and-retreat" in concepts and "down" not in concepts and told.told:
        if kinds - {"walk", "leave", "melee-attack", "hit-and-retreat"} or kinds == {"melee-attack"}:
            raise Unclear("what it does by Hit and Retreat")
        return {"declares": "walk", "via": "hit-and-retreat"}
    kinds -= {"walk"} if "leave" in kinds else set()
    kinds -= {"another action"} if "enchantment" in kinds and "artificer" in concepts else set()
    doubt(len(kinds) != 1 or "an item" in kinds, "which declaration")
    (name,) = kinds
    if name == "enchantment":
        itself = any(mark.concept == "itself" or mark.text.startswith("self ") for mark in region)
        if "artificer" not in concepts or not itself or has & {"others", "second"} or "twist" in concepts:
            raise Unclear("whom it enchants")
        return {"declares": name, "via": name, "on_self": True, "two_handed": "two-handed" in concepts}
    if name == "assist":
        return {"declares": name, "on_self": _on_itself(region, after, has, told)}
    if name in ("walk", "leave"):
        return {"declares": "walk", "towards": ENEMY if _towards(region, after, has, told, name) else None}
    apart = "down" not in concepts and (
        told.apart or has & {"second", "others", "one", "choose"} or nouns_of(after) - told.by
    )
    doubt(name == "melee-attack" and (apart or concepts & {"shooter", "choose"}), "whom it attacks")
    return {"declares": name}


def _on_itself(region: Sequence[Mark], after: Sequence[Mark], has: set[str], told: Engaged) -> bool:
    if "itself" in has and not has & {"others", "second"}:
        return True
    if any(mark.concept == "assist" and set(mark.text.split()) & {"friend", "mate", "buddy"} for mark in region):
        return False
    named = {stem(noun.text) for mark, noun in pairwise(after) if mark.text in ("my", "the", "a", "his", "her", "on")}
    named &= nouns_of(after)
    unsure = named & told.models or (named and not told.models and first(after, "my", default=-1) >= 0)
    doubt("itself" in has or unsure or not (has & {"others", "second", "foe"} or named), "whom it assists")
    return False


def _towards(region: Sequence[Mark], after: Sequence[Mark], has: set[str], told: Engaged, name: str) -> bool:
    """Whether a Walk goes at an enemy that engages it."""
    if name == "leave":
        doubt("one" in has or any(mark.concept == "at" and mark.text != "to" for mark in after), "where")
        return False
    doubt(told.several and first(after, "instead", default=-1) >= 0, "from whom it turns")
    after = after[: first(after, *_ENDS, default=len(after))]
    has, all_ = {mark.concept for mark in after}, {mark.concept for mark in region}
    aside = bool(has & {"aside", "around", "between", "second", "others", "place"} or "between" in all_)
    nouns = nouns_of(after)
    if "around" in has and not nouns - told.by:
        return False
    if ("place" in has and not nouns) or nouns & told.apart or ("" in told.apart and "foe" in has):
        return False
    if "at all" in all_ and not aside and "at" not in has:
        return True
    chooses = told.several and "choose" in all_
    at = "at" in has and bool(has & {"foe", "engages"} or nouns or (told.several and "one" in has))
    doubt(nouns - told.by or (told.apart and not nouns) or aside == (at or chooses), "towards whom")
    return not aside
