"""Questions about moving, the order of a turn's actions, the cooldown track and the rest on Expert."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.fatigue import difficulty
from kb.reading.betrayal.found import PERMITS, bare_judgement, is_negated, is_part, unread
from kb.reading.betrayal.found import people as people_of
from kb.reading.betrayal.reach import unobstructed
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import IMPLICIT, Count, Told
from kb.reading.finding import allowed, amount, claim, each_of, result
from kb.reading.marks import CARDINAL, ORDINAL, Mark, said_in
from kb.reading.situation import Situation
from kb.reading.stance import Stance, stance

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
    clear = {"obstacle", "prevents"} if unobstructed(told) else set()
    if not stamina or not told.has("move", "hexes", "distance", "free_move") or told.concepts - MOVING - clear:
        return None
    if told.has("ability") and not told.has("free_move"):
        return None
    free, walked = told.of("free_move"), told.of("hexes", "distance", "move")
    if len(stamina) == 2 and told.words[stamina[0].at + 1] == "of" and not walked:
        # `moved 2 of my 4 Stamina`
        walked, stamina = stamina[:1], stamina[1:]
    actions = [each for each in walked if each.what == "move" and each.value == 1]
    walked = [each for each in walked if each not in actions]
    others = [each for each in told.of("engage", "turn", "this_turn") if each.value == 1]
    if (
        len(stamina) != 1
        or len(free) > 1
        or len(walked) > 1
        or unread(told, [*stamina, *free, *walked, *actions, *others])
    ):
        return None
    if any(each.what == "move" and not each.back for each in walked):
        return None
    given = {"stamina": stamina[0].value, "free_hexes": sum(each.value for each in free)}
    return _moved(told, given, walked)


def _moved(told: Told, given: dict[str, Any], walked: list[Count]) -> Situation | None:
    yes_no = stance(told) or (None if foci(told, NOUNS) else bare_judgement(told))
    far = [each for each in foci(told, NOUNS) if each.concept in ("hexes", "move", "") or each.how == "far"]
    focus = far[0] if far else None
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
    if not walked and told.has("engage") and len(told.places("move")) > 1:
        return None
    if not walked:
        return Situation("betrayal.move", given, says, amount(result("farthest"), "hexes", MOVE))
    if words & LEFT and not given["free_hexes"]:
        find = allowed(None, result("hexes_left"), "hexes", MOVE)
        return Situation("betrayal.move", {**given, "hexes": hexes}, says, find)
    return None


ORDER = SCENERY | frozenset(
    "adventurer engage move free_move ability hexes unit expert normal difficulty form other_form magic_form "
    "hit fatigue stamina spend".split()
)
SPOILS = frozenset(
    "repeated give before after outside already not haven't hasn't didn't don't never without no if instead until "
    "unless while during either or because than both haven hasnt havent didnt dont nobody nothing he she they it "
    "enemy".split()
)
NEGATES = frozenset("no not never nothing haven't hasn't didn't without havent hasnt didnt".split())
AGAIN = frozenset("then and again another next".split())
THATS = frozenset("thats that's that".split())
WHEN = frozenset("before beforehand yet so far at all then".split())
HOLDS = re.compile(r"\b(?:order|turn|sequence) (?:hold|work|stand|fly)|\bhold(?:s)? up\b|\bworks?\b")


def read_turn(text: str) -> Situation | None:
    """Whether actions in this order are a lawful turn."""
    told = tell(text)
    yes_no = stance(told)
    if told.concepts <= {"move", "free_move", "engage", "break", "hit"} and told.marks and told.marks[0].asks:
        # `move then engage then move?`
        yes_no = yes_no or Stance(True, text="legal")
    if yes_no is None or not told.has("move", "free_move") or not told.has("engage") or told.concepts - ORDER:
        return None
    undone = _undone(told)
    ends = [at for at in range(len(told.words)) if THATS & told.before(at) and told.words[at] in ("it", "all")]
    rest = {word for at, word in enumerate(told.words) if at not in undone and at not in ends}
    permits = PERMITS.search(yes_no.text) or HOLDS.search(yes_no.text)
    if SPOILS & rest or not permits or yes_no.unclear or any(each.how != "keyword" for each in foci(told, NOUNS)):
        return None
    actions, used = _actions(told, undone)
    free = [*told.of("free_move"), *told.of("hexes"), *told.of("stamina")]
    used += [each for each in told.counts if each.at in undone]
    enough = len(actions) > 2 or (len(actions) == 2 and (len(told.words) < 18 or undone))
    first = told.places("move", "engage", "free_move")[0]
    pair = sorted(actions) == ["engage", "move"] and "unit" not in {mark.concept for mark in told.marks[:first]}
    if not enough or not (pair or _in_order(told)) or unread(told, [*used, *free]):
        return None
    says = " then ".join({"free-move": "free movement"}.get(each, each) for each in actions)
    return Situation("betrayal.turn", {"actions": actions}, says, allowed(yes_no, deciding=OVERVIEW))


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
    acts = told.places("move", "engage", "free_move")
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
        same = (mark.clause, mark.concept) == last and not AGAIN & told.before(at, 3)
        if mark.concept not in names or at in undone or same:
            continue
        counts = told.of(mark.concept) if mark.concept != "free_move" else []
        times = [each for each in counts if _belongs(told, each, at)]
        used += times
        actions += [names[mark.concept]] * (times[0].value if times else 1)
        last = (mark.clause, mark.concept)
    used += told.of("engage", "move", kind=ORDINAL)
    return actions, used


def _belongs(told: Told, count: Count, at: int) -> bool:
    """Whether a number says how often this action is done."""
    events = [place for place in told.places(count.what) if told.marks[place].clause == count.clause]
    nearest = min(events, key=lambda place: abs(place - count.at), default=-1)
    return bool(events) and (count.end == at or (count.end not in events and nearest == at))


TRACK = SCENERY | frozenset(
    "track cooldown dice come_off stay fatigue exhausted unavailable available occupied open position stamina_dice "
    "magicka_dice combat_dice expert normal turn_label turn within".split()
)


def read_cooldown(text: str) -> Situation | None:
    """How many dice come off the cooldown track, or stay, and in how many turns it is clear."""
    told = tell(text)
    cooldown = told.of("cooldown") or _come_off(told)
    bare = bare_judgement(told)
    yes_no = stance(told) or (bare if bare and told.of("turn") and EMPTIED.search(bare.text) else None)
    if len(cooldown) != 1 or told.concepts - (TRACK - {"exhausted"}):
        return None
    dice = [each for each in told.of(*DICE) + _on_track(told) if each not in cooldown]
    taken = [each for each in dice if yes_no and TAKES & {*each.left[-1:]}]
    parts = [each for each in dice if is_part(each)]
    dice = [each for each in dice if each not in taken and each not in parts]
    spans = [each for each in told.of("turn", "this_turn") if each.value and each not in dice]
    if len(spans) > 1 or unread(told, [*cooldown, *dice, *spans, *taken, *parts]):
        return None
    focus = None if yes_no else next(iter(foci(told, NOUNS)), None)
    empty = yes_no and not yes_no.unclear and EMPTIED.search(yes_no.text)
    pick, unit = _cooled(told, focus) if focus else ("left", "dice") if empty or taken else ("", "")
    if not pick or any(is_negated(each) or _comes_later(each) for each in (*dice, *spans)):
        return None
    asking = told.marks[focus.at].clause if focus and UNTIL & {*focus.words} else -1
    if pick == "turns_to_clear" and any(each.clause == asking for each in dice):
        return None
    gone = {told.marks[at].clause for at in told.places("come_off")} - {told.marks[focus.at].clause if focus else -1}
    rates = [each for each in dice if each.clause in gone and "this_turn" in _concepts(told, each.clause)]
    if any(each.value != cooldown[0].value for each in rates):
        return None
    dice = [each for each in dice if each not in rates]
    turns = spans[0].value if spans else 1
    if not dice and (pick != "removed" or yes_no or not told.has("turn", "this_turn")):
        return None
    # Where no dice are told there are enough.
    count = sum(each.value for each in dice) if dice else cooldown[0].value * turns
    given = {"cooldown": cooldown[0].value, "dice": count, "turns": turns}
    says = f"Cooldown {cooldown[0].value}, {count} dice on the cooldown track"
    says += f", {turns} turns" if turns > 1 else ""
    find = amount(result(pick), unit)
    if yes_no and taken:
        off = taken[0].value
        if len(taken) > 1 or off < min(cooldown[0].value, count) or not PERMITS.search(yes_no.text):
            return None
        find = claim(result("removed"), unit, lambda removed: removed == off, yes_no)
    elif yes_no:
        find = claim(result("left"), unit, lambda left: not left, yes_no)
    return Situation("betrayal.cooldown", given, says, find)


DISCARDS = frozenset(
    "toss tossing discard discarding discarded throw sacrifice sacrificing ditch ditching lose pay".split()
)
"What is done with the item that a rest on Expert costs: `toss a potion`."
SPOILT = frozenset("lost without interrupted skip skipped instead".split())
UNTIL = frozenset("until till only left before".split())
EVERY = frozenset("each every per a".split())
TAKES = frozenset("take takes took taking remove removed remove".split())
EMPTIED = re.compile(r"\b(?:empty|clear|cleared|clean|bare|rid of)\b")
FULL = frozenset("full max maximum unhurt unharmed uninjured".split())
AFTERWARDS = frozenset("after afterwards then now end".split())
DICE = ("dice", "fatigue", "stamina_dice", "magicka_dice", "combat_dice")


def _cooled(told: Told, focus: Focus) -> tuple[str, str]:
    """The result that is asked for, and its unit."""
    clause = {mark.concept for mark in told.clause_of(told.marks[focus.at].clause)}
    if focus.concept in ("turn", "this_turn"):
        return "turns_to_clear", "turns"
    if focus.concept not in (*DICE, "", "position"):
        return "", ""
    lies = {"on", "there"} & said_in(focus.words) and not {"before", "were", "was", "start", "had"} & set(focus.words)
    if "stay" in clause or (lies and "come_off" not in clause):
        return "left", "dice"
    return ("removed", "dice") if "come_off" in clause else ("", "")


def _concepts(told: Told, clause: int) -> set[str]:
    return {mark.concept for mark in told.clause_of(clause)}


def _come_off(told: Told) -> list[Count]:
    """`2 dice come off each turn`: that is the Cooldown stat."""
    rates = [mark for mark in told.marks if mark.concept == "this_turn" and mark.text.split()[0] in EVERY]
    off = {mark.clause for mark in rates} & {told.marks[at].clause for at in told.places("come_off")}
    return [each for each in told.of("dice") if each.clause in off][:1]


def _on_track(told: Told) -> list[Count]:
    """`8 on the track`, `5 on it`: dice without the word."""
    bare, track = [each for each in told.counts if each.what in ("", "rest", "turn") and each.back], []
    for each in bare:
        near = [mark for mark in told.marks[max(each.at - 3, 0) : each.end + 4] if mark.clause == each.clause]
        there = each.right[:1] == ("on",) or "there" in each.left[-2:]
        track += [each] if there or {"unavailable", "track"} & {mark.concept for mark in near} else []
    return track


def _comes_later(count: Count) -> bool:
    """`2 more get added`."""
    none = {"nothing", "no", "none", "without", "nobody"} & set(count.near)
    return not none and bool({"more", "another", "added", "add", "adds", "lost", "later"} & set(count.near))


def read_position(text: str) -> Situation | None:
    """Where the next exhausted die goes on the cooldown track."""
    told = tell(text)
    lies = told.has("track", "unavailable", "cooldown") or (
        told.has("dice", "exhausted") and told.has("open", "occupied", "roll")
    )
    if not lies or not told.has("position") or stance(told):
        return None
    if told.concepts - TRACK - {"instant", "resolve"}:
        return None
    places = _positions(told)
    asks = bool({"where", "which", "what", "what's"} & set(told.words))
    asks = asks or any(told.marks[at].asks for at in told.places("position"))
    last = {mark.text for mark in told.clause_of(max(mark.clause for mark in told.marks if mark.concept != "break"))}
    asks = asks or ("next" in last and bool({"goes", "lands", "go"} & last))
    if not asks or places is None or not (told.has("exhausted", "dice", "instant") or "next" in told.words):
        return None
    taken, used = places
    ones = [each for each in told.of("dice", "exhausted") if each.value in (1, len(taken))]
    if unread(told, [*used, *ones]):
        return None
    length = max(taken, default=0) + 1
    track = [f"die {place}" if place in taken else None for place in range(1, length + 1)]
    listed = ", ".join(map(str, sorted(taken)))
    says = f"positions {listed} of the cooldown track taken" if taken else "an empty cooldown track"
    find = amount(lambda results: results["track"].index("the die") + 1, "position", "betrayal/engage#skill-codes")
    return Situation("betrayal.exhaust", {"track": track, "exhausted": ["the die"]}, says, find)


def _positions(told: Told) -> tuple[set[int], list[Count]] | None:
    """The occupied positions: `spots 1, 2 and 4 are taken`, `the first two are full`, `2 is open`, `1 taken, 2 "
    "open`."""
    named = [each for each in told.counts if each.kind != IMPLICIT and _is_position(told, each)]
    if not named:
        return (set(), []) if {"empty", "bare"} & set(told.words) and not told.has("occupied") else None
    opened = [each for each in named if "open" in _state(told, each)]
    taken = [each for each in named if each not in opened]
    onwards = [each for each in taken if " ".join(told.words[each.at + 1 : each.at + 3]) in ONWARDS]
    if not taken or onwards or any(not _state(told, each) & {"occupied", "taken"} for each in taken):
        return None
    first = [each for each in taken if each.kind == ORDINAL and each.value == 1]
    cardinal = [each for each in taken if each.kind == CARDINAL and each.what == "position"]
    whole = first and len(taken) == 2 and len(cardinal) == 1
    occupied = set(range(1, cardinal[0].value + 1)) if whole else {each.value for each in taken}
    for start, end in pairwise(taken):
        if {"to", "through", "till", "-", "–"} & set(told.words[start.at + 1 : end.at]):
            occupied |= set(range(start.value, end.value))
    return None if occupied & {each.value for each in opened} else (occupied, named)


def _state(told: Told, count: Count) -> set[str]:
    """Whether a position is called open or occupied, by the nearest such word after it, else before it."""
    states = [(at, _called(mark)) for at, mark in enumerate(told.marks) if mark.sentence == count.sentence]
    after = [state for at, state in states if state and at > count.at]
    before = [state for at, state in states if state and at < count.at]
    return {after[0]} if after else {before[-1]} if before else set()


def _called(mark: Mark) -> str:
    words = {"taken": "taken", "used": "taken", "has": "taken", "dice": "taken", "holds": "taken", "closed": "taken"}
    return {"open": "open", "occupied": "occupied"}.get(mark.concept) or words.get(mark.text, "")


def _is_position(told: Told, count: Count) -> bool:
    """A number that a word for position stands by, in a row or before, or that is called open or taken itself."""
    if count.what == "position":
        return True
    after = told.marks[count.at + 1] if count.at + 1 < len(told.marks) else None
    if count.kind == CARDINAL and count.what == "" and after and (after.text in ("are", "is") or _called(after)):
        return True
    if " ".join(told.words[count.at + 1 : count.at + 3]) in ONWARDS:
        return True
    place = count.at - 1
    while place >= 0 and (told.marks[place].kind == CARDINAL or told.marks[place].text in (",", "and", "&", "to", "-")):
        place -= 1
    return place >= 0 and told.marks[place].concept == "position"


ONWARDS = ("and up", "and on", "and onwards", "and above", "and beyond", "and following", "and higher", "and further")


REST = SCENERY | frozenset(
    "rest days heal hp expert normal difficulty dice track come_off stay item fatigue unavailable cooldown distance "
    "roll available".split()
)


def read_rest(text: str) -> Situation | None:
    """The Adventurers Rest step on Expert."""
    told = tell(text)
    thrown = {at for at, mark in enumerate(told.marks) if DISCARDS & set(told.words[max(at - 3, 0) : at])}
    idle = {"danger"} if all(at in thrown for at, mark in enumerate(told.marks) if mark.concept == "danger") else set()
    if (
        not (told.has("rest") or (told.has("days") and told.has("heal")))
        or difficulty(told) != "expert"
        or told.concepts - REST - idle
        or stance(told)
    ):
        return None
    people = [each for each in people_of(told) if each.value > 0]
    dice = told.of("dice", "fatigue") + _on_track(told)
    hp = told.of("hp")
    rests = [each for each in told.of("days", "rest") if each not in dice and each not in people]
    last = [mark for mark in told.marks if mark.concept != "break"][-1]
    asked = foci(told, NOUNS)
    state = any({"have", "got"} & {*each.words} and AFTERWARDS & {*each.words} for each in asked if each.how == "what")
    bare = [Focus("", "keyword", ("after",), len(told.marks) - 1)] if state or last.text in AFTERWARDS else []
    focus = next((each for each in [*asked, *bare] if each.how in ("many", "much", "keyword")), None)
    several = max(len({each.value for each in rests}), len(people), len(hp)) > 1
    if focus is None or several or unread(told, [*rests, *dice, *people, *hp]):
        return None
    lacking = any({"no", "without", "zero"} & told.before(at) for at in told.places("item"))
    if lacking or SPOILT & set(told.words) or any(map(_comes_later, [*dice, *told.of("dice", kind=IMPLICIT)])):
        return None
    pick = _rested(told, focus, bool(dice)) or ("healed" if hp and bare and not dice else None)
    if pick is None or (people and pick != "items_discarded") or (pick == "dice_left" and not dice):
        return None
    times = (rests[0].value if rests else 1) * (people[0].value if people else 1)
    on_track = sum(each.value for each in dice) if dice else times
    given = {"difficulty": "expert", "rests": times, "dice": on_track}
    says = f"{times} rests on Expert" + (f", {on_track} dice on the cooldown track" if dice else "")
    unit = {"healed": "HP", "items_discarded": "items"}.get(pick, "dice")
    find = amount(result(pick), unit)
    if hp and AFTERWARDS & set(focus.words):
        # HP are told and asked for: what they come to.
        named = {mark.concept for mark in told.clause_of(told.marks[focus.at].clause)} & {"hp", "dice"}
        named = named or ({"hp", "dice"} if bare and dice else {"hp"} if bare else set())
        if people or "hp" not in named or (len(named) > 1 and not dice):
            return None
        given |= {"hp": hp[0].value}
        says += f", {hp[0].value} HP before"
        names = {"HP": "hp", "dice": "dice_left"}
        names = dict(reversed(names.items())) if dice and dice[0].at < hp[0].at else names
        both = each_of(lambda got: {name: got[of] for name, of in names.items()}, "")
        find = both if len(named) > 1 else amount(result("hp"), "HP")
    elif hp and pick != "healed":
        return None
    full = FULL & set(told.words) and not {"above", "below", "under", "higher", "away"} & set(told.words)
    return None if full else Situation("betrayal.rest", given, says, find)


def _rested(told: Told, focus: Focus, dice: bool) -> str | None:
    asked = {mark.concept for mark in told.clause_of(told.marks[focus.at].clause)}
    if focus.how == "keyword" and {"all", "every"} & set(focus.words):
        return None
    if focus.concept == "hp" or "heal" in asked:
        return "healed" if focus.concept in ("hp", "") else None
    if focus.concept == "item":
        return "items_discarded"
    if focus.concept in ("dice", "fatigue", ""):
        if "stay" in asked or (dice and {"after", "afterwards", "now", "then"} & set(focus.words)):
            return "dice_left"
        return "dice_removed" if "come_off" in asked else None
    return None
