"""Betrayal of the Second Era, step 4 of an engage: which dice may be gathered and rolled together.

Decided where the pages leave room: free dice are enemy Combat dice whatever else is said of them, so they stand in no
attribute row and need no icon, and the Magic form bars them like all Combat dice.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from kb.engine.betrayal.target import MAGIC, is_form
from kb.engine.clauses import Each, Says, clause, forbids, lacks, says
from kb.engine.fields import boolean, choice, integer, list_of, named, record, text
from kb.engine.kernel import Procedure

STATS = ("stamina", "magicka")


@dataclass
class Gathering:
    """Dice being gathered; `die` is the one that is looked at."""

    given: dict[str, Any]
    die: dict[str, Any] = field(default_factory=dict)
    counts: bool = True
    "The die at hand counts against a stat."
    combat: bool = False
    any_icon: bool = False
    "The die at hand needs no icon of the current form."
    without_target: bool = False
    "The die at hand needs a target, and none is declared."
    stamina_dice: int = 0
    magicka_dice: int = 0
    combat_dice: int = 0
    rejected: list[str] = field(default_factory=list)
    unresolvable: list[str] = field(default_factory=list)
    weapons_to_choose: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.die["name"])


def each_die(roll: Gathering) -> Generator[None, str | None, None]:
    """Every die, one at a time; those that may not be gathered are noted."""
    for die in roll.given["dice"]:
        roll.die = die
        roll.counts, roll.combat, roll.any_icon = True, roll.die["combat"], False
        roll.without_target = False
        if (yield) is not None:
            roll.rejected.append(roll.name)


@clause("betrayal/engage#steps-4d")
def free_combat_dice(roll: Gathering) -> Says | None:
    """Free Combat dice are enemy Combat dice: they count against no stat and are Combat dice for other effects."""
    if not roll.die["free"]:
        return None
    roll.counts, roll.combat = False, True
    return says(f"{roll.name} is a free enemy Combat die: it counts against neither Stamina nor Magicka.")


@clause("betrayal/engage#steps-4c")
def each_on_its_own_stat(roll: Gathering) -> Says | None:
    """Dice of different stats can be mixed; each counts against its own stat's limit."""
    stat = roll.die["stat"]
    if not roll.counts or stat is None:
        return None
    if stat == "stamina":
        roll.stamina_dice += 1
    else:
        roll.magicka_dice += 1
    return says(f"{roll.name} counts against {stat.title()}.", stamina=roll.stamina_dice, magicka=roll.magicka_dice)


@clause("betrayal/engage#steps-4")
def stat_of_the_skill_line(roll: Gathering) -> Says | None:
    """The stat of a die is the one on its skill line's reference sheet."""
    if not roll.counts or roll.die["stat"] is not None:
        return None
    return lacks(
        f"The stat that {roll.name} uses is not given; the reference sheet of its skill line shows it.",
        f"the stat of {roll.name}",
        leaves_open=("stamina_dice", "magicka_dice"),
    )


@clause("betrayal/engage#steps-4b")
def combat_dice_not_with_magic(roll: Gathering) -> Says | None:
    """Combat dice go with any battle form except Magic."""
    if not roll.combat:
        return None
    roll.combat_dice += 1
    roll.any_icon = True
    form = roll.given["form"]
    if form is None:
        return form_not_given(roll.name)
    if is_form(form, MAGIC):
        return forbids(f"{roll.name} is a Combat die, and Combat dice do not go with the Magic form.")
    return says(f"{roll.name} is a Combat die and goes with the {form} form.")


@clause("betrayal/engage#steps-4a")
def available_with_the_right_icon(roll: Gathering) -> Says | None:
    """A skill die must be available in the attribute rows, with no form icon or one that matches the current form."""
    die, form = roll.die, roll.given["form"]
    if die["free"]:
        return None
    if not die["available"]:
        return forbids(f"{roll.name} is not available in the attribute rows.")
    if roll.any_icon:
        return None
    if die["form"] is not None and form is None:
        return form_not_given(roll.name)
    if die["form"] is not None and not is_form(form, die["form"]):
        return forbids(f"{roll.name} has the {die['form']} icon, and the current form is {form}.")
    return says(f"{roll.name} is available and has {'no form icon' if die['form'] is None else f'the {form} icon'}.")


@clause("betrayal/engage#steps-3")
def damaging_the_target_needs_one(roll: Gathering) -> Says | None:
    """Dice that damage the target need a declared target."""
    roll.without_target = roll.die["needs_target"] and not roll.given["target_declared"]
    return says(f"{roll.name} needs a target to be resolved, and none is declared.") if roll.without_target else None


@clause("betrayal/faq#unresolvable-dice")
def rolled_though_unresolvable(roll: Gathering) -> Says | None:
    """Any skill die may be rolled, resolvable or not, unless another game effect says that it cannot."""
    if roll.die["barred"]:
        return forbids(f"Another game effect says that {roll.name} cannot be rolled.")
    if not roll.without_target:
        return None
    roll.unresolvable.append(roll.name)
    return says(f"{roll.name} may be rolled all the same, to try for tenacity.")


@clause("betrayal/engage#steps-4")
def up_to_the_stats(roll: Gathering) -> Says | None:
    """Per engage up to Stamina dice that use Stamina, and up to Magicka dice that use Magicka."""
    counted = {"stamina": roll.stamina_dice, "magicka": roll.magicka_dice}
    limits = {stat: roll.given[stat] for stat in STATS}
    for stat, count in counted.items():
        if limits[stat] is not None and count > limits[stat]:
            text = f"{count} dice that use {stat.title()} are more than {stat.title()} {limits[stat]}."
            return forbids(text, dice=count, limit=limits[stat])
    unknown = [f"the {stat.title()} stat" for stat in STATS if counted[stat] and limits[stat] is None]
    if unknown:
        return lacks(f"Not given: {' and '.join(unknown)}.", *unknown, leaves_open=("status",))
    used = [f"{count} of {limits[stat]} {stat.title()} dice" for stat, count in counted.items() if count]
    return says(f"{' and '.join(used)}: within the limits.", **counted) if used else None


@clause("betrayal/engage#steps-4")
def one_ready_weapon(roll: Gathering, *, weapons: int = 1) -> Says | None:
    """After gathering, one ready Weapon whose ability matches the current form may be chosen."""
    fitting = [each for each in roll.given["weapons"] if each["ready"] and is_form(roll.given["form"], each["form"])]
    roll.weapons_to_choose = [each["name"] for each in fitting]
    chosen = roll.given["chosen_weapons"]
    if chosen and roll.given["form"] is None:
        return form_not_given(chosen[0])
    wrong = [name for name in chosen if name not in roll.weapons_to_choose]
    if wrong:
        return forbids(f"{wrong[0]} is not a ready Weapon with an ability of the {roll.given['form']} form.")
    if len(chosen) > weapons:
        return forbids(f"{len(chosen)} Weapons are chosen, and {weapons} is allowed.", chosen=len(chosen))
    if not roll.weapons_to_choose:
        return None
    return says(f"Of {len(fitting)} ready and matching Weapons {weapons} may be chosen; chosen: {len(chosen)}.")


def form_not_given(what: str) -> Says:
    """Without the current form, nothing that turns on it can be told."""
    return lacks(
        f"Whether {what} goes with the current form: that form is not given.",
        "the current battle form",
        leaves_open=("status",),
    )


DICE = list_of(
    "dice",
    record(
        "die",
        text(
            "name",
            help="The die or its skill line.",
            words=("Destruction Staff", "Acrobatics", "Bow", "Heavy Armor", "Volley"),
        ),
        choice(
            "stat",
            STATS,
            None,
            nullable=True,
            help="The stat of its skill line; free dice need none.",
            words=("stamina", "magicka", "physical", "spell", "spellcasting"),
        ),
        text(
            "form",
            None,
            nullable=True,
            help="Its battle form icon; null for none.",
            words=("icon", "form icon", "no icon", "battle form icon"),
        ),
        boolean("combat", False, help="It is a Combat die.", words=("combat", "combat die", "combat dice")),
        boolean(
            "free",
            False,
            help="An ability adds it as a free Combat die.",
            words=("free", "free die", "free dice", "enemy combat die", "enemy dice"),
        ),
        boolean(
            "available",
            True,
            help="It lies in the attribute rows and can be rolled now. Default: yes.",
            words=("available", "ready", "attribute row", "exhausted", "in cooldown", "drained"),
        ),
        boolean(
            "needs_target", False, help="Its results need a target.", words=("needs a target", "requires a target")
        ),
        boolean(
            "barred",
            False,
            help="Another game effect says that it cannot be rolled.",
            words=("cannot roll", "effect forbids", "stunned"),
        ),
    ),
    low=0,
    unit="dice",
    help="The dice that are to be rolled together.",
    words=("dice", "die", "roll", "rolls", "rolling", "gather", "gathers"),
)
WEAPONS = list_of(
    "weapons",
    record(
        "weapon",
        text("name", unique=True),
        text("form", help="The battle form of its ability."),
        boolean("ready", True, help="It is ready. Default: yes.", words=("ready", "unused")),
    ),
    default=(),
    low=0,
    help="The adventurer's Weapon items.",
    words=("weapon", "weapons", "weapon item", "item", "sword", "axe", "dagger"),
)

GATHER = Procedure(
    name="betrayal.gather",
    title="Gathering dice: which may be rolled together, and how many",
    given=(
        integer(
            "stamina",
            None,
            low=0,
            nullable=True,
            unit="dice",
            help="The Stamina stat.",
            words=("stamina", "stam", "stamina stat"),
        ),
        integer(
            "magicka",
            None,
            low=0,
            nullable=True,
            unit="dice",
            help="The Magicka stat.",
            words=("magicka", "magika", "mana", "magicka stat"),
        ),
        text(
            "form",
            None,
            nullable=True,
            help="The current battle form: magic, defensive or any other name.",
            words=("form", "battle form", "stance", "magic", "defensive", "bow", "melee"),
        ),
        DICE,
        boolean(
            "target_declared",
            True,
            help="A target was declared in step 3. Default: yes.",
            words=("target", "no target", "without a target", "nothing to hit"),
        ),
        WEAPONS,
        list_of(
            "chosen_weapons",
            named("weapon", among=("weapons.name",), unique=True),
            default=(),
            low=0,
            help="Weapons whose abilities are chosen for this engage.",
            words=("use", "choose", "both weapons"),
        ),
    ),
    result=(
        integer("stamina_dice", unit="dice", help="Dice that count against Stamina.", words=("stamina dice",)),
        integer("magicka_dice", unit="dice", help="Dice that count against Magicka.", words=("magicka dice",)),
        integer(
            "combat_dice",
            unit="dice",
            help="Combat dice in the roll for other effects, free ones included.",
            words=("combat dice",),
        ),
        list_of("rejected", text("die"), unordered=True, help="Dice that may not be gathered.", words=("not allowed",)),
        list_of(
            "unresolvable",
            text("die"),
            unordered=True,
            help="Dice that may be rolled though they need a target and there is none.",
            words=("can't resolve", "without a target"),
        ),
        list_of(
            "weapons_to_choose",
            text("weapon"),
            unordered=True,
            help="Weapons that may be chosen.",
            words=("which weapon",),
        ),
    ),
    make_state=Gathering,
    clauses=(
        Each(
            each_die,
            (
                free_combat_dice,
                each_on_its_own_stat,
                stat_of_the_skill_line,
                combat_dice_not_with_magic,
                available_with_the_right_icon,
                damaging_the_target_needs_one,
                rolled_though_unresolvable,
            ),
        ),
        up_to_the_stats,
        one_ready_weapon,
    ),
    judges=True,
    words=("gather", "roll together", "how many dice", "mix dice", "combine dice", "roll", "dice limit", "which dice"),
)
