"""Betrayal of the Second Era: dice that lie somewhere. The cooldown track, and when a placed die leaves its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import boolean, choice, integer, list_of, text
from kb.engine.kernel import Procedure

LIES = ("active-slot", "race-sheet", "status")
EVENTS = ("removed", "turn-ends", "battle-ends")


@dataclass
class Exhausting:
    """Dice on their way to the cooldown track."""

    given: dict[str, Any]
    track: list[str | None] = field(default_factory=list)


@dataclass
class Cooling:
    """A cooldown track at the moment when dice come off it."""

    given: dict[str, Any]
    removed: int = 0
    left: int = 0
    turns_to_clear: int | None = None


@dataclass
class Lying:
    """A skill die that was placed in its own way."""

    given: dict[str, Any]
    stays: bool = False
    goes_to: str | None = None
    exhausted: bool = False


def before_exhausting(given: dict[str, Any]) -> Exhausting:
    return Exhausting(given, list(given["track"]))


def before_cooldown(given: dict[str, Any]) -> Cooling:
    return Cooling(given, left=given["dice"])


@clause("betrayal/engage#skill-codes")
def leftmost_open_position(cooldown: Exhausting) -> Says | None:
    """An exhausted die goes to the leftmost open position of the cooldown track."""
    waiting = list(cooldown.given["exhausted"])
    for place, die in enumerate(cooldown.track):
        if die is None and waiting:
            cooldown.track[place] = waiting.pop(0)
    if waiting:
        return lacks(
            f"The track has no open position for {' and '.join(waiting)}.",
            "what happens to an exhausted die when the cooldown track is full",
        )
    return says(f"{len(cooldown.given['exhausted'])} exhausted dice go to the leftmost open positions.")


@clause("betrayal/engage#code-cooldown-track")
def cooldown_stat(cooldown: Cooling) -> Says:
    """The Cooldown stat sets how many dice come off the cooldown track each turn."""
    dice, each, turns = (cooldown.given[name] for name in ("dice", "cooldown", "turns"))
    cooldown.removed = min(each * turns, dice)
    cooldown.left = dice - cooldown.removed
    cooldown.turns_to_clear = -(-dice // each) if each else None if dice else 0
    over = f" in {turns} turns" if turns > 1 else ""
    return says(
        f"Cooldown {each}: {cooldown.removed} of {dice} dice come off{over}, {cooldown.left} stay.",
        removed=cooldown.removed,
        left=cooldown.left,
    )


@clause("betrayal/engage#code-active-slot")
def active_die_stays(die: Lying) -> Says | None:
    """An active die stays until it is removed as its skill line's sheet says, or until the battle ends."""
    if die.given["lies"] != "active-slot":
        return None
    die.stays = die.given["event"] == "turn-ends"
    if die.stays:
        return says("The active die stays in its slot.")
    return lacks(
        "The active die leaves its slot; its skill line's sheet says where it goes.",
        "the skill line's sheet",
        leaves_open=("goes_to",),
    )


@clause("betrayal/engage#code-drained")
def drained_for_the_battle(die: Lying) -> Says | None:
    """A drained die stays on the race sheet for the rest of the battle."""
    if die.given["lies"] != "race-sheet":
        return None
    event = die.given["event"]
    die.stays = event == "turn-ends"
    if die.stays:
        return says("The drained die stays on the race sheet and is unavailable for the rest of the battle.")
    if event == "removed":
        return lacks(
            "No passage removes a drained die before the battle ends.", "how a drained die could be removed in battle"
        )
    return lacks(
        "The battle is over, and so is being drained; where the die goes is not stated.",
        "where a drained die goes after the battle",
        leaves_open=("goes_to",),
    )


@clause("betrayal/engage#code-status-effect")
def status_effect_removed(die: Lying) -> Says | None:
    """A Status Effect die that is removed is exhausted, unless its ability says otherwise."""
    if die.given["lies"] != "status":
        return None
    if die.given["event"] != "removed":
        return lacks("Its ability says how long a Status Effect die stays.", "how long this Status Effect lasts")
    if die.given["ability_says_otherwise"]:
        return lacks("Its ability says where the die goes.", "what the ability says", leaves_open=("goes_to",))
    die.exhausted = True
    return says("The Status Effect die is removed, so it is exhausted.")


@clause("betrayal/engage#skill-codes")
def exhausted_die_goes_to_the_track(die: Lying) -> Says | None:
    """An exhausted die goes to the leftmost open position of the cooldown track."""
    if not die.exhausted:
        return None
    die.goes_to = "cooldown"
    return says("The exhausted die goes to the leftmost open position of the cooldown track.")


TRACK_WORDS = ("cooldown track", "track", "cooldown", "cool down")

EXHAUST = Procedure(
    name="betrayal.exhaust",
    title="Exhausting dice: their places on the cooldown track",
    given=(
        list_of(
            "track",
            text("die", nullable=True),
            low=1,
            help="The positions of the cooldown track from left to right; null is open.",
            words=TRACK_WORDS,
        ),
        list_of(
            "exhausted",
            text("die"),
            low=1,
            help="The dice that are exhausted, in order.",
            words=("exhausted", "exhaust"),
        ),
    ),
    result=(list_of("track", text("die", nullable=True), help="The positions afterwards.", words=TRACK_WORDS),),
    make_state=before_exhausting,
    clauses=(leftmost_open_position,),
    words=("exhaust", "exhausted", "leftmost", "position on the cooldown track"),
)

COOLDOWN = Procedure(
    name="betrayal.cooldown",
    title="How many dice come off the cooldown track in a turn",
    given=(
        integer("cooldown", low=0, unit="dice", help="The Cooldown stat.", words=("cooldown", "cooldown stat")),
        integer(
            "dice",
            low=0,
            unit="dice",
            help="Dice on the cooldown track, fatigue included.",
            words=("dice", "die", "on the track", "in the track"),
        ),
        integer(
            "turns",
            1,
            low=0,
            high=1000,
            unit="turns",
            help="Turns in which dice come off and none are added. Default: 1.",
            words=("turns", "after turns", "over turns"),
        ),
    ),
    result=(
        integer(
            "removed",
            unit="dice",
            help="Dice that come off.",
            words=("come off", "removed", "remove", "get back", "recover"),
        ),
        integer("left", unit="dice", help="Dice that stay.", words=("left", "stay", "remain")),
        integer(
            "turns_to_clear",
            nullable=True,
            unit="turns",
            help="Turns until none is left, if none are added; null where none come off.",
            words=("how many turns", "clear", "empty"),
        ),
    ),
    make_state=before_cooldown,
    clauses=(cooldown_stat,),
    words=("cooldown", "cooldown stat", "come off the track", "get dice back", "recover dice"),
)

REMOVAL = Procedure(
    name="betrayal.removal",
    title="A die in an active slot, on the race sheet or placed as a status effect: when it leaves",
    given=(
        choice(
            "lies",
            LIES,
            help="Where the die lies.",
            words=("active slot", "active", "race sheet", "drained", "status effect", "on an enemy", "in a hex"),
        ),
        choice(
            "event",
            EVENTS,
            help="removed: by its skill line's sheet or an effect; or the turn or the battle ends.",
            words=("removed", "remove", "end of turn", "next turn", "end of battle", "battle ends"),
        ),
        boolean(
            "ability_says_otherwise",
            False,
            help="Its ability says where it goes when it is removed.",
            words=("otherwise", "ability says", "instead"),
        ),
    ),
    result=(
        boolean("stays", help="It stays where it lies.", words=("stay", "stays", "remain")),
        choice(
            "goes_to", ("cooldown",), nullable=True, help="Where it goes, if it leaves.", words=("go", "goes", "where")
        ),
    ),
    make_state=Lying,
    clauses=(active_die_stays, drained_for_the_battle, status_effect_removed, exhausted_die_goes_to_the_track),
    words=("removed", "leave the slot", "stay in the slot", "how long does the die stay", "drained", "status effect"),
)
