"""Betrayal of the Second Era, step 4 of an engage in numbers: how many dice, how many Weapons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.betrayal.gather import STATS
from kb.engine.betrayal.turn import MANY
from kb.engine.clauses import Says, clause, forbids, lacks, says
from kb.engine.fields import integer
from kb.engine.kernel import Procedure


@dataclass
class Limits:
    """Dice in the hand against the stats."""

    given: dict[str, Any]
    counted: int = 0
    rolled: int = 0
    stamina_most: int = 0
    magicka_most: int = 0
    most: int = 0
    stamina_left: int = 0
    magicka_left: int = 0
    left: int = 0
    over: int = 0

    def of(self, name: str) -> dict[str, int]:
        """A number of each stat whose value is given."""
        return {stat: self.given[name.format(stat)] for stat in STATS if self.given[stat] is not None}


@dataclass
class Choosing:
    """Weapons about to be chosen."""

    given: dict[str, Any]
    may_choose: int = 0


@clause("betrayal/engage#steps-4c")
def each_toward_its_own_stat(hand: Limits) -> Says | None:
    """Dice of both stats may be gathered together; each counts toward the limit of its own stat."""
    stamina, magicka = hand.given["stamina_dice"], hand.given["magicka_dice"]
    hand.counted = hand.rolled = stamina + magicka
    if not hand.counted:
        return None
    return says(f"{stamina} dice count toward Stamina, {magicka} toward Magicka.", stamina=stamina, magicka=magicka)


@clause("betrayal/engage#steps-4d")
def free_dice_on_top(hand: Limits) -> Says | None:
    """Free Combat dice are rolled too and count against neither stat."""
    free = hand.given["free_dice"]
    hand.rolled += free
    return (
        says(f"{free} free Combat dice count against no stat; {hand.rolled} dice in all.", free=free) if free else None
    )


@clause("betrayal/engage#steps-4")
def as_many_as_the_stat(hand: Limits) -> Says | None:
    """In each engage, up to Stamina dice that use Stamina and up to Magicka dice that use Magicka."""
    stats = hand.of("{}")
    if not stats:
        return None
    engages = hand.given["engages"]
    for stat, value in stats.items():
        setattr(hand, f"{stat}_most", value * engages)
    hand.most = hand.stamina_most + hand.magicka_most
    told = " and ".join(f"{value} dice that use {stat.title()}" for stat, value in stats.items())
    over_all = f", in {engages} engages {hand.most} dice" if engages > 1 else ""
    return says(f"Up to {told} in each engage{over_all}.", most=hand.most)


@clause("betrayal/engage#steps-4a")
def no_more_than_are_available(hand: Limits) -> Says | None:
    """Only dice that are available in the attribute rows can be gathered."""
    few = []
    for stat in hand.of("{}"):
        available = hand.given[f"available_{stat}"]
        if available is not None and available < getattr(hand, f"{stat}_most"):
            setattr(hand, f"{stat}_most", available)
            few.append(f"only {available} that use {stat.title()}")
    if not few:
        return None
    hand.most = hand.stamina_most + hand.magicka_most
    return says(f"Available are {' and '.join(few)}.", most=hand.most)


@clause("betrayal/engage#steps-4")
def what_is_left(hand: Limits) -> Says | None:
    """What is gathered uses up the stat's limit; more than the stat is not allowed."""
    gathered = hand.of("{}_dice")
    if not sum(gathered.values()):
        hand.stamina_left, hand.magicka_left, hand.left = hand.stamina_most, hand.magicka_most, hand.most
        return None
    spare = {stat: getattr(hand, f"{stat}_most") - count for stat, count in gathered.items()}
    for stat, count in spare.items():
        setattr(hand, f"{stat}_left", max(count, 0))
    hand.left = hand.stamina_left + hand.magicka_left
    hand.over = sum(max(-count, 0) for count in spare.values())
    if hand.over:
        return forbids(f"{hand.over} dice too many.", over=hand.over)
    told = " and ".join(f"{count} more that use {stat.title()}" for stat, count in spare.items())
    return says(f"There is room for {told}.", left=hand.left)


@clause("betrayal/engage#steps-4")
def stats_not_given(hand: Limits) -> Says | None:
    """Dice of a stat whose value is not given cannot be judged."""
    unknown = [stat for stat in STATS if hand.given[stat] is None and hand.given[f"{stat}_dice"]]
    if not unknown:
        return None
    names = [f"the {stat.title()} stat" for stat in unknown]
    return lacks(f"Not given: {' and '.join(names)}.", *names, leaves_open=("most", "left", "over"))


@clause("betrayal/engage#steps-4")
def choose_one_weapon(weapons: Choosing, *, most: int = 1) -> Says:
    """Of the ready Weapons with an ability that matches the form, 1 may be chosen."""
    fitting = weapons.given["matching_ready"]
    weapons.may_choose = min(fitting, most)
    return says(f"Of {fitting} ready and matching Weapons {weapons.may_choose} may be chosen.", may=weapons.may_choose)


def dice(name: str, help: str, *words: str, **more: Any) -> Any:
    """A number of dice."""
    return integer(name, low=0, high=MANY, unit="dice", help=help, words=words, **more)


def optional(name: str, help: str, *words: str) -> Any:
    """A number of dice that may be unknown."""
    return dice(name, help, *words, default=None, nullable=True)


DICE_LIMITS = Procedure(
    name="betrayal.dice_limits",
    title="How many dice may be rolled, and how many more",
    given=(
        optional("stamina", "The Stamina stat.", "stamina", "stam", "stamina stat"),
        optional("magicka", "The Magicka stat.", "magicka", "magika", "mana", "magicka stat"),
        dice("stamina_dice", "Dice gathered that use Stamina. Default: 0.", "stamina dice", "physical dice", default=0),
        dice("magicka_dice", "Dice gathered that use Magicka. Default: 0.", "magicka dice", "spell dice", default=0),
        dice(
            "free_dice",
            "Free Combat dice. Default: 0.",
            "free dice",
            "free combat dice",
            "enemy combat dice",
            default=0,
        ),
        optional("available_stamina", "Available dice that use Stamina, if they are few.", "available", "ready"),
        optional("available_magicka", "Available dice that use Magicka, if they are few.", "available", "ready"),
        integer("engages", 1, low=1, high=MANY, help="Over so many engages. Default: 1.", words=("engages", "attacks")),
    ),
    result=(
        dice("stamina_most", "The most dice that use Stamina.", "stamina dice"),
        dice("magicka_most", "The most dice that use Magicka.", "magicka dice"),
        dice("most", "The most dice of both stats together.", "at most", "max", "altogether"),
        dice("stamina_left", "Dice that use Stamina that may still be added.", "more", "still", "room"),
        dice("magicka_left", "Dice that use Magicka that may still be added.", "more", "still", "room"),
        dice("left", "Dice of either stat that may still be added.", "more", "still", "room"),
        dice("counted", "Dice that count against a stat.", "count", "count against"),
        dice("rolled", "All dice of the roll, free ones included.", "in all", "altogether", "roll"),
        dice("over", "Dice that are too many.", "too many", "over the limit"),
    ),
    make_state=Limits,
    clauses=(
        each_toward_its_own_stat,
        free_dice_on_top,
        as_many_as_the_stat,
        no_more_than_are_available,
        what_is_left,
        stats_not_given,
    ),
    judges=True,
    words=("how many dice", "dice limit", "how many more dice", "max dice", "too many dice"),
)

WEAPONS = Procedure(
    name="betrayal.weapons",
    title="How many Weapons may be chosen in an engage",
    given=(
        integer(
            "matching_ready",
            low=0,
            high=MANY,
            unit="Weapons",
            help="Ready Weapon items with an ability that matches the current form.",
            words=("weapon", "weapons", "weapon item", "weapon items", "ready weapons"),
        ),
    ),
    result=(integer("may_choose", unit="Weapons", help="How many of them may be chosen.", words=("choose", "use")),),
    make_state=Choosing,
    clauses=(choose_one_weapon,),
    words=("how many weapons", "both weapons", "two weapons"),
)
