"""Questions about moving, the order of a turn's actions, the cooldown track and the rest on Expert."""

from __future__ import annotations

import re
from typing import Any

from kb.reading.asking import foci
from kb.reading.betrayal.found import PERMITS, bare_judgement, unread
from kb.reading.betrayal.reach import unobstructed
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import allowed, amount, result
from kb.reading.marks import ORDINAL, said_in
from kb.reading.situation import Situation
from kb.reading.stance import stance

MOVING = SCENERY | frozenset(
    "adventurer within move stamina hexes distance free_move ability engage range expert normal difficulty limit "
    "form".split()
)
LEFT = frozenset("left more further remaining remain still other".split())
MOVE = "betrayal/glossary#move"
OVERVIEW = "betrayal/engage#overview"


def read_move(text: str) -> Situation | None:
    """How far a move action goes."""
    told = tell(text)
    stamina = told.of("stamina")
    if (
        len(stamina) != 1
        or not told.has("move", "hexes", "distance", "free_move")
        or told.concepts - MOVING - _clear(told)
    ):
        return None
    if told.has("ability") and not told.has("free_move"):
        return None
    free, walked = told.of("free_move"), told.of("hexes", "distance", "move")
    actions = [each for each in walked if each.what == "move" and each.value == 1]
    walked = [each for each in walked if each not in actions]
    others = [each for each in told.of("engage", "turn", "this_turn") if each.value == 1]
    if len(free) > 1 or len(walked) > 1 or unread(told, [*stamina, *free, *walked, *actions, *others]):
        return None
    if any(each.what == "move" and not each.back for each in walked):
        return None
    given = {"stamina": stamina[0].value, "free_hexes": sum(each.value for each in free)}
    return _moved(told, given, walked)


def _clear(told: Told) -> set[str]:
    return {"obstacle"} if unobstructed(told) else set()


def _moved(told: Told, given: dict[str, Any], walked: list[Count]) -> Situation | None:
    yes_no = stance(told) or (None if foci(told, NOUNS) else bare_judgement(told))
    focus = next(
        (each for each in foci(told, NOUNS) if each.concept in ("hexes", "move", "") or each.how == "far"), None
    )
    hexes = sum(each.value for each in walked)
    says = f"Stamina {given['stamina']}" + (f", {hexes} hexes" if walked else "")
    says += f", {given['free_hexes']} free hexes" if given["free_hexes"] else ""
    if yes_no and focus is None:
        moves = [mark for mark in told.marks if mark.concept == "move"]
        if len(walked) != 1 or yes_no.obliges or not told.has("move", "hexes", "distance"):
            return None
        if told.has("engage") and len(moves) > 1:
            return None
        return Situation("betrayal.move", {**given, "hexes": hexes}, says, allowed(yes_no, deciding=MOVE))
    if focus is None or yes_no or focus.how not in ("many", "far", "what", "keyword"):
        return None
    words = said_in(focus.words)
    if not walked:
        return Situation("betrayal.move", given, says, amount(result("farthest"), "hexes", MOVE))
    if words & LEFT and not given["free_hexes"]:
        return Situation(
            "betrayal.move", {**given, "hexes": hexes}, says, allowed(None, result("hexes_left"), "hexes", MOVE)
        )
    return None


ORDER = SCENERY | frozenset(
    "adventurer engage move free_move ability hexes unit expert normal difficulty form other_form magic_form "
    "hit fatigue stamina spend".split()
)
SPOILS = frozenset(
    "before after outside already not haven't hasn't didn't don't never without no if instead until unless "
    "while during either or because than both haven hasnt havent didnt dont nobody nothing he she they it enemy".split()
)
NEGATES = frozenset("no not never nothing haven't hasn't didn't without havent hasnt didnt".split())
WHEN = frozenset("before beforehand yet so far at all then".split())
HOLDS = re.compile(r"\b(?:order|turn|sequence) (?:hold|work|stand|fly)|\bhold(?:s)? up\b|\bworks?\b")


def read_turn(text: str) -> Situation | None:
    """Whether actions in this order are a lawful turn."""
    told = tell(text)
    yes_no = stance(told)
    if yes_no is None or not told.has("move", "free_move") or not told.has("engage") or told.concepts - ORDER:
        return None
    undone = _undone(told)
    rest = {mark.text for at, mark in enumerate(told.marks) if at not in undone and not _closes(told, at)}
    permits = PERMITS.search(yes_no.text) or HOLDS.search(yes_no.text)
    if SPOILS & rest or not permits or yes_no.unclear or foci(told, NOUNS):
        return None
    actions, used = _actions(told, undone)
    free = [*told.of("free_move"), *told.of("hexes"), *told.of("stamina")]
    used += [each for each in told.counts if each.at in undone]
    enough = len(actions) > 2 or (len(actions) == 2 and (len(told.words) < 18 or undone))
    first = next(at for at, mark in enumerate(told.marks) if mark.concept in ("move", "engage", "free_move"))
    pair = sorted(actions) == ["engage", "move"] and "unit" not in {mark.concept for mark in told.marks[:first]}
    if not enough or not (pair or _in_order(told)) or unread(told, [*used, *free]):
        return None
    says = " then ".join({"free-move": "free movement"}.get(each, each) for each in actions)
    return Situation("betrayal.turn", {"actions": actions}, says, allowed(yes_no, deciding=OVERVIEW))


def _closes(told: Told, at: int) -> bool:
    """`that's it`, `that's all`: ends the story."""
    return at > 0 and told.words[at - 1] in ("thats", "that's", "that") and told.words[at] in ("it", "all")


def _undone(told: Told) -> set[int]:
    """Places of the words of a move that was not made: `nothing walked before`, `did not move yet`."""
    undone: set[int] = set()
    for at, mark in enumerate(told.marks):
        start = next((place for place in range(max(at - 3, 0), at) if told.words[place] in NEGATES), None)
        if mark.concept == "move" and start is not None and told.marks[start].clause == mark.clause:
            end = at + 1
            while end < len(told.marks) and told.words[end] in WHEN:
                end += 1
            undone.update(range(start, end))
    return undone


def _in_order(told: Told) -> bool:
    """A list: `move, engage, move`, `first … then …`, `move engage move`."""
    acts = [at for at, mark in enumerate(told.marks) if mark.concept in ("move", "engage", "free_move")]
    if len(acts) > 2 and acts == list(range(acts[0], acts[0] + len(acts))):
        return True
    return "then" in told.words or told.words.count(",") > 1 or told.words.count("+") > 1


def _actions(told: Told, undone: set[int]) -> tuple[list[str], list[Count]]:
    """The actions in the order in which they are told."""
    names = {"engage": "engage", "move": "move", "free_move": "free-move"}
    actions: list[str] = []
    used: list[Count] = []
    last = (-1, "")
    for at, mark in enumerate(told.marks):
        same = (mark.clause, mark.concept) == last and not _another(told, at)
        if mark.concept not in names or at in undone or same:
            continue
        times = (
            [each for each in told.of(mark.concept) if _belongs(told, each, at)] if mark.concept != "free_move" else []
        )
        used += times
        actions += [names[mark.concept]] * (times[0].value if times else 1)
        last = (mark.clause, mark.concept)
    used += told.of("engage", "move", kind=ORDINAL)
    return actions, used


def _another(told: Told, at: int) -> bool:
    return any(mark.text in ("then", "and", "again", "another", "next") for mark in told.marks[max(at - 3, 0) : at])


def _belongs(told: Told, count: Count, at: int) -> bool:
    """Whether a number says how often this action is done."""
    events = [
        place for place, mark in enumerate(told.marks) if mark.concept == count.what and mark.clause == count.clause
    ]
    return bool(events) and (
        count.end == at or (count.end not in events and min(events, key=lambda p: abs(p - count.at)) == at)
    )
