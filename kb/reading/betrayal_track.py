"""Questions about the cooldown track and the rest on Expert."""

from __future__ import annotations

from kb.reading.asking import Focus, foci
from kb.reading.betrayal_fatigue import difficulty
from kb.reading.betrayal_found import amount, result, unread
from kb.reading.betrayal_words import NOUNS, SCENERY, tell
from kb.reading.counts import IMPLICIT, Count, Told
from kb.reading.marks import CARDINAL, ORDINAL
from kb.reading.situation import Situation
from kb.reading.stance import stance

TRACK = SCENERY | frozenset(
    "track cooldown dice come_off stay fatigue exhausted unavailable available occupied open position stamina_dice "
    "magicka_dice combat_dice expert normal turn_label".split()
)


def read_cooldown(text: str) -> Situation | None:
    """How many dice come off the cooldown track."""
    told = tell(text)
    cooldown = told.of("cooldown")
    if len(cooldown) != 1 or told.concepts - (TRACK - {"exhausted"}):
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
    """The occupied positions: `spots 1, 2 and 4 are taken`, `the first two are full`, `2 is open`."""
    named = [each for each in told.counts if each.kind != IMPLICIT and _beside_position(told, each)]
    opened = [each for each in named if "open" in _state(told, each)]
    taken = [each for each in named if each not in opened]
    if not taken or any(not _state(told, each) & {"occupied", "taken"} for each in taken):
        return None
    first = [each for each in taken if each.kind == ORDINAL and each.value == 1]
    cardinal = [each for each in taken if each.kind == CARDINAL and each.what == "position"]
    whole = first and len(taken) == 2 and len(cardinal) == 1
    occupied = set(range(1, cardinal[0].value + 1)) if whole else {each.value for each in taken}
    return None if occupied & {each.value for each in opened} else (occupied, named)


def _state(told: Told, count: Count) -> set[str]:
    """Whether a position is called open or occupied, by the nearest such word after it, else before it."""
    words = {"taken": "taken", "used": "taken", "has": "taken", "dice": "taken", "holds": "taken"}
    states = [
        (at, {"open": "open", "occupied": "occupied"}.get(mark.concept) or words.get(mark.text, ""))
        for at, mark in enumerate(told.marks)
        if mark.sentence == count.sentence
    ]
    after = [state for at, state in states if state and at > count.at]
    before = [state for at, state in states if state and at < count.at]
    return {after[0]} if after else {before[-1]} if before else set()


def _beside_position(told: Told, count: Count) -> bool:
    """A number in a row that a word for position stands before or after."""
    if count.what == "position":
        return True
    if (
        count.kind == CARDINAL
        and told.words[count.at + 1 : count.at + 2] in (("are",), ("is",))
        and told.has("position")
    ):
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
