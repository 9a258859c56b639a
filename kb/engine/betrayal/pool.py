"""Betrayal of the Second Era, step 5 of an engage: damage of several dice, and tenacity of several dice, by themselves.

The clauses about damage are those of `betrayal.engage`; what its other steps need is filled in as not told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.betrayal import damage, dice
from kb.engine.betrayal.engage_fields import GIVEN, RESULTS
from kb.engine.betrayal.scene import Engage, before_the_engage, each_die
from kb.engine.betrayal.turn import MANY
from kb.engine.clauses import Each, Says, clause, forbids, says
from kb.engine.fields import Field, integer, list_of, named, record, text
from kb.engine.kernel import Procedure

UNTOLD: dict[str, Any] = {"by_ability": False, "marked_form": None, "form": None, "triggers": [], "target": None}
"What a whole engage is told besides."


@dataclass
class Results:
    """Dice that show tenacity."""

    given: dict[str, Any]
    resolved: int = 0
    gained: int = 0
    tenacity: int = 0


def before_the_damage(given: dict[str, Any]) -> Engage:
    """An engage of which only the units and the dice are told."""
    rolled = [
        {**die, "code": None, "free": False, "in_range": True, "modifies": False, "result": result_of(die)}
        for die in given["dice"]
    ]
    units = [{**unit, "hp": None, "defense": 0, "defeated": None} for unit in given["units"]]
    return before_the_engage({**UNTOLD, "others": units, "dice": rolled})


def before_the_tenacity(given: dict[str, Any]) -> Results:
    """Unless some are left, every die that shows tenacity is resolved for it."""
    return Results(given, resolved=given["showing"])


def result_of(die: dict[str, Any]) -> dict[str, Any]:
    return {"damage": die["damage"], "to": die["to"], "also": [], "tenacity": False}


@clause("betrayal/faq#pooled-damage")
def pooled_unless_an_adventurer(engage: Engage) -> Says | None:
    """Damage to enemies and companions is pooled; damage dealt to adventurers is not."""
    hit = [unit for unit in engage.damage if engage.damage[unit]]
    if not hit:
        return None
    apart = [unit for unit in hit if engage.kind(unit) == "adventurer"]
    if apart:
        return forbids(f"Damage to an adventurer ({engage.shown(*apart)}) is not pooled.")
    return says(f"Damage to {engage.shown(*hit)} is pooled: no adventurer is among them.")


@clause("betrayal/engage#steps-5b-free-dice")
def free_dice_have_no_tenacity(results: Results) -> Says | None:
    """Free enemy Combat dice have no tenacity icons and cannot be resolved to gain tenacity."""
    free = results.given["free_dice"]
    return says(f"{free} free Combat dice give no tenacity.", free=free) if free else None


@clause("betrayal/engage#steps-5b-unresolved")
def unresolved_dice_give_nothing(results: Results) -> Says | None:
    """A die whose result is not resolved is exhausted, and its result does nothing."""
    unresolved = min(results.given["unresolved"], results.given["showing"])
    results.resolved = results.given["showing"] - unresolved
    return says(f"{unresolved} dice are left unresolved.", unresolved=unresolved) if unresolved else None


@clause("betrayal/engage#steps-5b-tenacity")
def one_tenacity_each(results: Results, *, gain: int = 1) -> Says | None:
    """Each die that is resolved for tenacity is exhausted and gives 1 tenacity."""
    before = results.given["before"]
    results.gained = gain * results.resolved
    results.tenacity = before + results.gained
    if not results.given["showing"]:
        return None
    kept = f" With the {before} from before: {results.tenacity}." if before else ""
    return says(f"{results.resolved} dice resolved for tenacity give {results.gained}.{kept}", gained=results.gained)


@clause("betrayal/glossary#tenacity")
def spent_on_class_abilities(results: Results) -> Says | None:
    """Tenacity stays until it is spent to trigger a class ability, or an effect reduces it."""
    spent = results.given["spent"]
    if not spent:
        return None
    if spent > results.tenacity:
        return forbids(f"{spent} tenacity cannot be spent of {results.tenacity}.", spent=spent)
    results.tenacity -= spent
    return says(f"{spent} tenacity is spent: {results.tenacity} stays.", spent=spent, tenacity=results.tenacity)


def field_of(fields: tuple[Field, ...], name: str) -> Field:
    return next(each for each in fields if each.name == name)


def item_of(field: Field) -> Field:
    assert field.item is not None
    return field.item


def count(name: str, help: str, *words: str, unit: str = "dice") -> Field:
    """A number of dice, 0 where not told."""
    return integer(name, 0, low=0, high=MANY, unit=unit, help=f"{help} Default: 0.", words=words)


UNIT = record(
    "unit",
    text("name", unique=True, help="Its name."),
    *(each for each in field_of(GIVEN, "target").fields if each.name in ("kind", "prevents")),
)
DIE = record(
    "die",
    text("name", unique=True, help="What the die is called; each one differently."),
    integer("damage", low=0, unit="damage", help="Its damage.", words=("damage", "dmg", "deals", "hits for")),
    named("to", among=("units.name",), help="The unit that it damages.", words=("to", "against", "on")),
    *(each for each in item_of(field_of(GIVEN, "dice")).fields if each.name == "resolve"),
)

POOL = Procedure(
    name="betrayal.pool",
    title="Damage of several dice: how much each unit takes, and whether in one lump",
    given=(
        list_of(
            "units", UNIT, low=0, high=MANY, help="The units that are hit.", words=("target", "enemy", "companion")
        ),
        list_of(
            "dice", DIE, low=0, high=MANY, help="The dice in the order of their resolution.", words=("dice", "die")
        ),
    ),
    result=tuple(each for each in RESULTS if each.name in ("damage", "dealt")),
    make_state=before_the_damage,
    clauses=(
        Each(
            each_die,
            (dice.resolving_is_optional, dice.one_at_a_time, damage.pool_damage, damage.damage_of_an_ability),
        ),
        damage.apply_pooled_damage,
        damage.take_damage_ability_by_ability,
        pooled_unless_an_adventurer,
    ),
    judges=True,
    words=("pooled", "pool", "damage together", "in one lump", "total damage"),
)

TENACITY = Procedure(
    name="betrayal.tenacity",
    title="Tenacity gained from the dice of a roll",
    given=(
        count("showing", "Skill dice that show a tenacity result.", "tenacity", "tenacity results", "tenacity icons"),
        count("unresolved", "Those of them that are not resolved.", "unresolved", "ignore", "leave"),
        count("free_dice", "Free Combat dice in the roll.", "free dice", "free combat dice", "enemy combat dice"),
        count("before", "Tenacity held before.", "had", "before", "start with", unit="tenacity"),
        count("spent", "Tenacity spent on class abilities.", "spend", "spent", "class ability", unit="tenacity"),
    ),
    result=(
        integer("gained", unit="tenacity", help="Tenacity gained.", words=("gain", "gained", "get")),
        integer("tenacity", unit="tenacity", help="Tenacity held afterwards.", words=("have", "now", "total")),
    ),
    make_state=before_the_tenacity,
    clauses=(free_dice_have_no_tenacity, unresolved_dice_give_nothing, one_tenacity_each, spent_on_class_abilities),
    judges=True,
    words=("tenacity", "tenacity gained", "how much tenacity"),
)
