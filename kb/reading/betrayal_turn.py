"""Questions about moving, the order of a turn's actions, the cooldown track and the rest on Expert."""

from __future__ import annotations

from typing import Any

from kb.reading.asking import Focus, foci, stance
from kb.reading.betrayal_fatigue import difficulty
from kb.reading.betrayal_found import PERMITS, allowed, amount, result, unread
from kb.reading.betrayal_words import NOUNS, SCENERY, tell
from kb.reading.counts import CARDINAL, IMPLICIT, ORDINAL, Count, Told
from kb.reading.situation import Situation

MOVING = SCENERY | frozenset(
    "move stamina hexes distance free_move ability engage range expert normal difficulty limit form".split()
)
LEFT = frozenset("left more further remaining remain still other".split())
MOVE = "betrayal/glossary#move"
OVERVIEW = "betrayal/engage#overview"


def read_move(text: str) -> Situation | None:
    """How far a move action goes."""
    told = tell(text)
    stamina = told.of("stamina")
    if len(stamina) != 1 or not told.has("move", "hexes", "distance", "free_move") or told.concepts - MOVING:
        return None
    if told.has("ability") and not told.has("free_move"):
        return None
    free, walked = told.of("free_move"), told.of("hexes", "distance", "move")
    actions = [each for each in walked if each.what == "move" and each.value == 1]
    walked = [each for each in walked if each not in actions]
    others = [each for each in told.of("engage", "turn", "this_turn") if each.value == 1]
    if len(free) > 1 or len(walked) > 1 or unread(told, [*stamina, *free, *walked, *actions, *others]):
        return None
    if any(each.what == "move" for each in walked):
        return None
    given = {"stamina": stamina[0].value, "free_hexes": sum(each.value for each in free)}
    return _moved(told, given, walked)


def _moved(told: Told, given: dict[str, Any], walked: list[Count]) -> Situation | None:
    yes_no = stance(told)
    focus = next(
        (each for each in foci(told, NOUNS) if each.concept in ("hexes", "move", "") or each.how == "far"), None
    )
    hexes = sum(each.value for each in walked)
    says = f"Stamina {given['stamina']}" + (f", {hexes} hexes" if walked else "")
    says += f", {given['free_hexes']} free hexes" if given["free_hexes"] else ""
    if yes_no and focus is None:
        if len(walked) != 1 or yes_no.obliges or not told.has("move", "hexes", "distance"):
            return None
        return Situation("betrayal.move", {**given, "hexes": hexes}, says, allowed(yes_no, deciding=MOVE))
    if focus is None or yes_no or focus.how not in ("many", "far", "what", "keyword"):
        return None
    words = {word for text in focus.words for word in text.split()}
    if not walked:
        return Situation("betrayal.move", given, says, amount(result("farthest"), "hexes", MOVE))
    if words & LEFT and not given["free_hexes"]:
        return Situation(
            "betrayal.move", {**given, "hexes": hexes}, says, allowed(None, result("hexes_left"), "hexes", MOVE)
        )
    return None


ORDER = SCENERY | frozenset(
    "engage move free_move ability hexes unit expert normal difficulty form other_form magic_form hit".split()
)
SPOILS = frozenset(
    "before after outside already not haven't hasn't didn't don't never without no if instead until unless while during either or because than "
    "both haven hasnt havent didnt dont nobody he she they it enemy".split()
)


def read_turn(text: str) -> Situation | None:
    """Whether actions in this order are a lawful turn."""
    told = tell(text)
    yes_no = stance(told)
    if yes_no is None or not told.has("move", "free_move") or not told.has("engage") or told.concepts - ORDER:
        return None
    if (
        SPOILS & set(told.words)
        or not PERMITS.search(yes_no.text)
        or yes_no.obliges
        or yes_no.yes_means_so is None
        or foci(told, NOUNS)
    ):
        return None
    actions, used = _actions(told)
    free = told.of("free_move")
    enough = len(actions) > 2 or (len(actions) == 2 and len(told.words) < 15)
    if not enough or not _in_order(told) or unread(told, [*used, *free]):
        return None
    says = " then ".join({"free-move": "free movement"}.get(each, each) for each in actions)
    return Situation("betrayal.turn", {"actions": actions}, says, allowed(yes_no, deciding=OVERVIEW))


def _in_order(told: Told) -> bool:
    """A list: `move, engage, move`, `first … then …`."""
    return "then" in told.words or told.words.count(",") > 1


def _actions(told: Told) -> tuple[list[str], list[Count]]:
    """The actions in the order in which they are told."""
    names = {"engage": "engage", "move": "move", "free_move": "free-move"}
    actions: list[str] = []
    used: list[Count] = []
    last = (-1, "")
    for at, mark in enumerate(told.marks):
        if mark.concept not in names or (mark.clause, mark.concept) == last and not _another(told, at):
            continue
        times = (
            [each for each in told.of(mark.concept) if _belongs(told, each, at)] if mark.concept != "free_move" else []
        )
        used += times
        actions += [names[mark.concept]] * (times[0].value if times else 1)
        last = (mark.clause, mark.concept)
    used += [each for each in told.of("engage", "move", kind=ORDINAL)]
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


TRACK = SCENERY | frozenset(
    "track cooldown dice come_off stay fatigue exhausted unavailable available occupied open position stamina_dice "
    "magicka_dice combat_dice expert normal turn_label".split()
)


def read_cooldown(text: str) -> Situation | None:
    """How many dice come off the cooldown track."""
    told = tell(text)
    cooldown = told.of("cooldown")
    if len(cooldown) != 1 or told.concepts - TRACK:
        return None
    dice = told.of("dice", "fatigue", "stamina_dice", "magicka_dice", "combat_dice") + _on_it(told)
    turns = [each for each in told.of("turn", "this_turn") if each.value == 1]
    if not dice or unread(told, [*cooldown, *dice, *turns]):
        return None
    focus = next(iter(foci(told, NOUNS)), None)
    if focus is None or stance(told) or focus.concept not in ("dice", "fatigue", "", "position"):
        return None
    clause = told.marks[focus.at].clause
    wanted = next(
        (m.concept for m in told.marks[focus.at :] if m.clause == clause and m.concept in ("stay", "come_off")), ""
    )
    if not wanted:
        return None
    count = sum(each.value for each in dice)
    given = {"cooldown": cooldown[0].value, "dice": count}
    says = f"Cooldown {cooldown[0].value}, {count} dice on the cooldown track"
    return Situation(
        "betrayal.cooldown", given, says, amount(result("left" if wanted == "stay" else "removed"), "dice")
    )


def _on_it(told: Told) -> list[Count]:
    """`if there are 5 on it`."""
    return [
        each
        for each in told.counts
        if each.what == "" and each.back and each.right[:2] in (("on", "it"), ("on", "there"))
    ]


def read_position(text: str) -> Situation | None:
    """Where the next exhausted die goes on the cooldown track."""
    told = tell(text)
    if not told.has("track", "unavailable") or not told.has("position") or told.concepts - TRACK or stance(told):
        return None
    places = _positions(told)
    if (
        not {"where", "which", "what", "what's"} & set(told.words)
        or places is None
        or not told.has("exhausted", "dice")
    ):
        return None
    taken, used = places
    ones = [each for each in told.of("dice", "exhausted") if each.value == 1]
    if unread(told, [*used, *ones]):
        return None
    length = max(taken, default=0) + 1
    track = [f"die {place}" if place in taken else None for place in range(1, length + 1)]
    says = (
        f"positions {', '.join(map(str, sorted(taken)))} of the cooldown track taken"
        if taken
        else "an empty cooldown track"
    )
    position = track.index(None) + 1
    return Situation(
        "betrayal.exhaust",
        {"track": track, "exhausted": ["the die"]},
        says,
        amount(lambda results: results["track"].index("the die") + 1, "position", "betrayal/engage#skill-codes"),
        () if position else ("an open position",),
    )


def _positions(told: Told) -> tuple[set[int], list[Count]] | None:
    """The occupied positions: `spots 1, 2 and 4 are taken`, `the first two are full`."""
    named = [each for each in told.counts if each.kind != IMPLICIT and _beside_position(told, each)]
    if not named:
        return None
    clauses = {mark.sentence for each in named for mark in told.clause_of(each.clause)}
    concepts = {mark.concept for mark in told.marks if mark.sentence in clauses}
    words = {mark.text for mark in told.marks if mark.sentence in clauses}
    if "open" in concepts or not ("occupied" in concepts or words & {"taken", "used", "occupied", "dice", "has"}):
        return None
    first = [each for each in named if each.kind == ORDINAL and each.value == 1]
    cardinal = [each for each in named if each.kind == CARDINAL and each.what == "position"]
    if first and len(named) == 2 and len(cardinal) == 1:
        return set(range(1, cardinal[0].value + 1)), named
    return {each.value for each in named}, named


def _beside_position(told: Told, count: Count) -> bool:
    """A number in a row that a word for position stands before or after."""
    if count.what == "position":
        return True
    place = count.at - 1
    while place >= 0 and (told.marks[place].kind == CARDINAL or told.marks[place].text in (",", "and", "&", "to", "-")):
        place -= 1
    return place >= 0 and told.marks[place].concept == "position"


REST = SCENERY | frozenset(
    "rest days heal hp expert normal difficulty dice track come_off stay item fatigue unavailable cooldown".split()
)


def read_rest(text: str) -> Situation | None:
    """The Adventurers Rest step on Expert."""
    told = tell(text)
    if not told.has("rest") or difficulty(told) != "expert" or told.concepts - REST or stance(told):
        return None
    rests, dice = told.of("days", "rest"), told.of("dice", "fatigue") + _on_it(told)
    focus = next((each for each in foci(told, NOUNS) if each.how in ("many", "much", "keyword")), None)
    if focus is None or len(rests) > 1 or unread(told, [*rests, *dice]):
        return None
    pick = _rested(told, focus, bool(dice))
    if pick is None:
        return None
    given = {"difficulty": "expert", "rests": rests[0].value if rests else 1, "dice": sum(each.value for each in dice)}
    says = f"{given['rests']} rests on Expert, {given['dice']} dice on the cooldown track"
    return Situation(
        "betrayal.rest",
        given,
        says,
        amount(result(pick), {"healed": "HP", "items_discarded": "items"}.get(pick, "dice")),
    )


def _rested(told: Told, focus: Focus, dice: bool) -> str | None:
    asked = {mark.concept for mark in told.clause_of(told.marks[focus.at].clause)}
    if focus.concept == "hp" or "heal" in asked:
        return "healed" if focus.concept in ("hp", "") else None
    if focus.concept == "item":
        return "items_discarded"
    if focus.concept in ("dice", "fatigue") and dice:
        return "dice_left" if "stay" in asked else "dice_removed" if "come_off" in asked else None
    return None
