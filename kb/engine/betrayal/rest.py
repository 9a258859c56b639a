"""Betrayal of the Second Era: the Adventurers Rest step on Expert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.betrayal.turn import DIFFICULTY, MANY
from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import integer
from kb.engine.kernel import Procedure


@dataclass
class Resting:
    """An adventurer through one or more rests."""

    given: dict[str, Any]
    dice_removed: int = 0
    dice_left: int = 0
    healed: int = 0
    items_discarded: int = 0
    hp: int | None = None


@clause("betrayal/glossary#expert")
def rest_on_expert(resting: Resting, *, item: int = 1, dice: int = 1, hp: int = 1) -> Says:
    """On Expert a rest costs an item, removes 1 die from the cooldown track and heals 1 HP."""
    if resting.given["difficulty"] != "expert":
        return lacks("Only the rest on Expert is stated.", "how the Adventurers Rest step works on other difficulties")
    rests, on_track = resting.given["rests"], resting.given["dice"]
    resting.items_discarded, resting.healed = item * rests, hp * rests
    resting.dice_removed = min(dice * rests, on_track)
    resting.dice_left = on_track - resting.dice_removed
    if resting.given["hp"] is not None:
        resting.hp = resting.given["hp"] + resting.healed
    return says(
        f"{rests} rests on Expert: {resting.items_discarded} items discarded, {resting.dice_removed} dice off the "
        f"cooldown track, {resting.healed} HP healed.",
        rests=rests,
    )


def number(name: str, unit: str, help: str, *words: str, **more: Any) -> Any:
    """A number of things."""
    return integer(name, low=0, high=MANY, unit=unit, help=help, words=words, **more)


REST = Procedure(
    name="betrayal.rest",
    title="The Adventurers Rest step on Expert: items, dice and HP",
    given=(
        number("rests", "rests", "Rest steps resolved. Default: 1.", "rests", "days", "nights", default=1),
        number("dice", "dice", "Dice on the cooldown track before. Default: 0.", "dice", "on the track", default=0),
        number("hp", "HP", "HP before, if they are told.", "hp", "health", default=None, nullable=True),
        DIFFICULTY,
    ),
    result=(
        number("items_discarded", "items", "Items that have to be discarded.", "items", "discard"),
        number("dice_removed", "dice", "Dice taken off the cooldown track.", "come off", "removed"),
        number("dice_left", "dice", "Dice that stay on it.", "left", "stay"),
        number("healed", "HP", "HP healed, as far as the adventurer lacks them.", "heal", "healed"),
        number("hp", "HP", "HP afterwards, if those before are told and so many are lacking.", "hp", nullable=True),
    ),
    make_state=Resting,
    clauses=(rest_on_expert,),
    words=("rest", "adventurers rest", "end of the day", "sleep", "heal"),
)
