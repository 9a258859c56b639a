"""Questions about fatigue: so many engages, one of them, further ones, several turns, and the other way round."""

from __future__ import annotations

import re
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.engages import MORE, Engages, engages_told, is_done, is_more, past
from kb.reading.betrayal.found import counted, reported, unread
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import TIMES, Count, Told
from kb.reading.finding import Find, amount, claim, compared, each_of, result
from kb.reading.marks import CARDINAL, ORDINAL, said_in
from kb.reading.situation import Situation
from kb.reading.stance import Stance, stance

UNIT = "light fatigue"
LEVELS = ("expert", "normal")
PER = frozenset("per each every".split())
NEGATES = frozenset(
    "not no non isn't aren't ain't don't doesn't didn't never outside except without below than unless".split()
)
BESIDE_LEVEL = frozenset(
    "on in at playing play played even really the a an difficulty using to set level mode of".split()
)
WAS_GAINED = frozenset(
    "did gained got exactly ended accumulated collected came came took received sits lie lies".split()
)
"Words of fatigue that was gained, where the engage actions are asked for."
NOTHING = re.compile(
    r"\b(?:free(?! of (?!fatigue|light))|nothing|gratis)\b|\b(?:no|without|without any|zero) (?:\w+ )?fatigue\b"
)
SOMETHING = re.compile(
    r"\b(?:gain|get|take|cost|give|pay|earn|suffer|collect|owe|grant|mean|make)\w* (?:\w+ ){0,3}?(?:fatigue|tired)\b|"
    r"\bcost\w* (?:\w+ ){0,2}?(?:anything|something)\b"
)
OTHERWISE = frozenset(
    "choose avoid skip refuse decline more less same than before where only always ever if unless why because "
    "kill without place put pick type go goes can may could but except all every "
    "enemy enemies monster monsters companion nobody kind back instead so".split()
)
BESIDES = frozenset("track dice weapon move form available unavailable other_form magic_form".split())
"What a question whether there is any fatigue at all does not speak of."
KNOWN = SCENERY | frozenset(
    "adventurer engage hit fatigue expert normal difficulty turn_label track weapon dice move form magic_form "
    "other_form available unavailable".split()
)


def read_fatigue(text: str) -> Situation | None:
    """Fatigue gained by engaging, or engages for some fatigue."""
    told = tell(text)
    if not told.has("engage", "hit") or not (told.has("fatigue", "price") or "free" in told.words):
        return None
    if told.concepts - KNOWN:
        return None
    level = difficulty(told)
    if level is None:
        return _compared(told)
    asked, yes_no = foci(told, NOUNS | {"price"}), stance(told)
    if any(_asks_engages(told, each) for each in asked) and told.has("fatigue"):
        return _engages_for(told, level)
    wants = _wants_fatigue(told, asked)
    hearsay = reported(told, "fatigue") if yes_no is None else []
    if hearsay and len(told.of("engage", "hit")) > 1:
        return None
    claims = [each for each in _claimed(told, yes_no) if each not in hearsay]
    engages = engages_told(told, wants, claims)
    if engages is None or (wants is None and yes_no is None):
        return None
    if yes_no is None and claims:
        # `4 fatigue so far from 3 engages`: told besides, and has to fit.
        if len(claims) > 1 or claims[0].value != engages.already_paid(level):
            return None
        engages.used += claims
    engages.used += hearsay
    return _situation(told, engages, level, wants, yes_no)


def _compared(told: Told) -> Situation | None:
    """`How much more are 4 engages on Expert than on normal?`"""
    words = said_in(told.marks)
    counts = told.of("engage", "hit")
    wants = _wants_fatigue(told, foci(told, NOUNS))
    compares = words & {"more", "less", "difference", "extra", "over", "gap", "additional"}
    if not compares or len(counts) != 1 or stance(told) or wants is None:
        return None
    if unread(told, counts) or told.has("turn_label") or len(_levels(told)) != 2:
        return None
    says = f"{counted(counts[0].value, 'engage action')} on normal difficulty and on Expert"
    find = amount(result("difference"), UNIT)
    return Situation("betrayal.fatigue_compared", {"engage_actions": counts[0].value}, says, find)


def _claimed(told: Told, yes_no: Stance | None) -> list[Count]:
    """Amounts of fatigue that the question names; at the end of a yes/no question the bare number is one, too."""
    found = told.of("fatigue")
    last = max(told.counts, key=lambda each: each.at, default=None)
    if found or not yes_no or last is None or not last.back or last.kind != CARDINAL or is_more(told, last):
        return found
    clause = [mark.concept for mark in told.marks[: last.at] if mark.sentence == last.sentence]
    bare = {"fatigue", "price"} & set(clause) and not {"those", "these", "the"} & set(last.left[-1:])
    return [last] if bare else []


def difficulty(told: Told) -> str | None:
    """`expert`, `normal`, empty where none is named, None where that cannot be told."""
    found = _levels(told)
    return None if len(found) > 1 or "?" in found else next(iter(found), "")


def _levels(told: Told) -> set[str]:
    """The difficulties that are named; `?` for `not on normal`."""
    named = [(mark.concept, _is_negated(told, at)) for at, mark in enumerate(told.marks)]
    return {("?" if level == "normal" else "normal") if off else level for level, off in named if level in LEVELS}


def _prices(told: Told, level: str) -> list[Count] | None:
    """`the 1 per extra one`, `2 for each further engage`: what the level costs anyway; None where it is not that."""
    rates = [each for each in told.of("fatigue", "engage", "") if PER & set(each.right[:3])]
    found = [each for each in rates if MORE & said_in(each.right[:4])]
    return None if any(each.value != (2 if level == "expert" else 1) for each in found) else found


def _is_negated(told: Told, at: int) -> bool:
    """`not on Expert`, `we don't play Expert`, `outside Expert`. `Isn't Expert …?` only sounds so."""
    place = at - 1
    while place >= 0 and told.marks[place].text in BESIDE_LEVEL:
        place -= 1
    if place < 0 or told.marks[place].clause != told.marks[at].clause or told.marks[place].text not in NEGATES:
        return False
    opens = place == 0 or told.marks[place - 1].concept == "break"
    return not (opens and told.marks[place].text in ("isn't", "ain't", "aren't"))


def _asks_engages(told: Told, focus: Focus) -> bool:
    numbers = {"number", "most", "max", "maximum", "count", "limit"}
    clause = {mark.concept for mark in told.clause_of(told.marks[focus.at].clause)}
    plain = focus.how not in ("what", "keyword") or (focus.how == "keyword" and not clause & {"fatigue", "price"})
    named = focus.concept in ("engage", "hit") and (plain or bool(numbers & said_in(focus.words)))
    return named or focus.how == "often"


def _wants_fatigue(told: Told, asked: list[Focus]) -> Focus | None:
    """The focus that asks how much fatigue."""
    priced = [told.marks[at] for at in told.places("fatigue", "price")]
    for each in asked:
        if each.concept in ("fatigue", "price"):
            return each
        named = each.concept in ("", "engage", "hit") and each.how in ("much", "what", "many", "keyword")
        if named and "happens" not in each.words:
            here, bare = told.marks[each.at], not each.concept
            if any(m.clause == here.clause or (bare and m.sentence == here.sentence) for m in priced):
                return each
    return None


def _situation(
    told: Told, engages: Engages, level: str, wants: Focus | None, yes_no: Stance | None
) -> Situation | None:
    claims = [each for each in _claimed(told, yes_no) if each not in engages.used]
    if unread(told, [*engages.used, *claims, *told.of("move")]) or len(claims) > 1:
        return None
    name, given, what = _procedure(engages)
    find = _find(told, wants, claims, yes_no)
    if engages.names:
        find = each_of(lambda got: dict(zip(engages.names, got["per_turn"], strict=True)), UNIT)
    if find is None:
        return None
    shown = level.title() if level == "expert" else f"{level or 'normal'} difficulty"
    says = f"{what}, {shown}" + ("" if level else " (no difficulty named)")
    return Situation(name, {**given, "difficulty": level or "normal"}, says, find)


def _procedure(engages: Engages) -> tuple[str, dict[str, Any], str]:
    if engages.turns:
        told = " and ".join(map(str, engages.turns))
        return "betrayal.fatigue_over_turns", {"turns": engages.turns}, f"turns with {told} engage actions"
    if not engages.apart:
        count = engages.already + engages.more
        return "betrayal.fatigue", {"engage_actions": count}, f"{counted(count, 'engage action')} this turn"
    given = {"already": engages.already, "more": engages.more}
    before = "an earlier one" if engages.assumed else f"{engages.already} earlier this turn"
    after = f", after {before}" if engages.already else ", the first of the turn"
    return "betrayal.more_fatigue", given, f"{counted(engages.more, 'engage action')}{after}"


def _find(told: Told, wants: Focus | None, claims: list[Count], yes_no: Stance | None) -> Find | None:
    total = result("total")
    if yes_no is None:
        return amount(total, UNIT) if wants and not claims else None
    if claims:
        claimed, text = claims[0].value, yes_no.text
        if any(cue in text for cue in ("enough", "suffice", "get away with")):
            return claim(total, UNIT, lambda value: value <= claimed, yes_no)
        if "too many" in text or "too much" in text:
            right = (lambda value: value != claimed - 1) if "one too" in text else (lambda value: value >= claimed)
            return claim(total, UNIT, right, yes_no)
        return claim(total, UNIT, compared(claims[0]), yes_no)
    nothing, something = NOTHING.search(yes_no.text), SOMETHING.search(yes_no.text)
    if (nothing or something) and not wants and yes_no.yes_means_so is not None and not told.concepts & BESIDES:
        if {"he", "she", "they"} & set(told.words) and {"i", "my", "mine"} & set(told.words):
            return None
        holds = (lambda value: not value) if nothing else bool
        return None if OTHERWISE & set(told.words) else claim(total, UNIT, holds, yes_no)
    return amount(total, UNIT) if wants else None


def _engages_for(told: Told, level: str) -> Situation | None:
    """How many engages some fatigue stands for or allows."""
    prices = _prices(told, level)
    if prices is None:
        return None
    fatigue = [each for each in told.of("fatigue") if each not in prices]
    counts = [each for each in told.of("engage", "hit") if each not in prices]
    none = [at for at in told.places("fatigue") if {"any", "no", "without"} & told.before(at)]
    before = [each for each in counts if is_done(each) or past(told, [each])]
    first = [each for each in told.of("engage", "hit", "fatigue", kind=ORDINAL) if "after" in each.left[-2:]]
    if len(first) == 1 and not before:
        before, counts = first, [*counts, *first]
    if any(told.marks[each.at].text in TIMES for each in fatigue) or (stance(told) and not foci(told, NOUNS)):
        return None
    if len(fatigue) + bool(none and not fatigue) != 1 or len(before) != len(counts):
        return None
    if unread(told, [*fatigue, *before, *prices]):
        return None
    value = fatigue[0].value if fatigue else 0
    if fatigue and {"without", "no"} & set(told.words[max(fatigue[0].at - 2, 0) : fatigue[0].at]):
        # `without a single fatigue`
        value = 0
    words = said_in(told.marks)
    most = words & {"most", "max", "up to", "limit"} and not words & {"did", "exactly"}
    bounded = not fatigue or not words & WAS_GAINED or bool(most)
    already = sum(each.value for each in before)
    more = already > 0 and bool(words & (MORE | {"still"}))
    if already and not more:
        return None
    given = {"light_fatigue": value, "exactly": not bounded, "already": already, "difficulty": level or "normal"}
    how = "at most" if bounded else "exactly"
    says = f"{how} {value} light fatigue from engaging this turn, {level or 'normal'} difficulty"
    if already:
        says += f", {counted(already, 'engage action')} taken"
    find = amount(result("more" if more else "engage_actions"), "engage actions")
    return Situation("betrayal.engages_for_fatigue", given, says, find)
