"""Betrayal of the Second Era, step 5 of an engage: damage, as amended by the official FAQ and as printed.

Assumed, and said in the step: a unit whose hp reach 0 is defeated; no passage says when a unit is. `damage` is what
the dice deal less what is prevented, before defense, whose arithmetic no passage states.
"""

from __future__ import annotations

from kb.engine.betrayal.scene import Engage, Packet
from kb.engine.clauses import Says, clause, lacks, says

TOUCHED = ("damage", "dealt", "hp", "defeated")
"Results that damage decides."


@clause("betrayal/faq#pooled-damage")
def restriction_when_resolved(engage: Engage) -> Says | None:
    """Restrictions such as adjacency are checked when the die is resolved."""
    die = engage.die
    unit = die.given["result"]["to"]
    if not die.under_way or die.given["in_range"] or unit not in die.aims or unit == engage.target:
        return None
    die.drop(unit)
    return says(f"{die.name} cannot be resolved against {engage.shown(unit)}, as things stand when it is resolved.")


@clause("betrayal/faq#pooled-damage")
def pool_damage(engage: Engage) -> Says | None:
    """Damage to each non-adventurer is pooled; damage to adventurers is not."""
    die = engage.die
    if not die.hits:
        return None
    add_packets(engage)
    pooled = [unit for unit in die.hits if engage.kind(unit) != "adventurer"]
    how = "pooled" if pooled == die.hits else f"pooled for {engage.shown(*pooled)}" if pooled else "not pooled"
    return says(
        f"{die.name}: {die.damage} damage to {engage.shown(*die.hits)}, {how}.", damage=die.damage, pooled=pooled
    )


@clause("betrayal/faq#pooled-damage")
def apply_pooled_damage(engage: Engage) -> Says | None:
    """A unit's pooled damage, less what is prevented, is applied after the last die that damages it."""
    pools: dict[str, Packet] = {}
    at_once = []
    for each in engage.packets:
        if engage.kind(each.unit) == "adventurer":
            at_once.append(each)
        else:
            before = pools[each.unit].amount if each.unit in pools else 0
            pools[each.unit] = Packet(each.unit, before + each.amount, each.number, each.after)
    engage.packets = sorted([*at_once, *pools.values()], key=lambda packet: packet.number)
    return take_damage(engage, "Pooled damage is applied")


@clause("betrayal/engage#steps-5b-damage")
def damage_of_an_ability(engage: Engage) -> Says | None:
    """As printed, each ability's damage is totalled per unit and dealt to one affected unit at a time."""
    die = engage.die
    unit = die.given["result"]["to"]
    if not die.hits:
        return None
    if not die.given["in_range"] and unit in die.hits:
        return lacks(
            f"As printed, nothing says when it is checked whether {die.name} can be resolved against {unit}.",
            "when a restriction such as adjacency is checked",
            leaves_open=TOUCHED,
        )
    add_packets(engage)
    return says(
        f"{die.name}: {die.damage} damage is dealt to {engage.shown(*die.hits)}, one at a time.", damage=die.damage
    )


@clause("betrayal/engage#steps-5b-damage")
def take_damage_ability_by_ability(engage: Engage) -> Says | None:
    """As printed, damage is dealt ability by ability."""
    return take_damage(engage, "Damage is dealt ability by ability")


@clause("betrayal/engage#steps-5b-defense")
def damage_reduces_defense(engage: Engage) -> Says | None:
    """The damage dealt to a unit during an engage reduces its defense until the action ends; how is not stated."""
    guarded = [unit for unit, damage in engage.damage.items() if damage and engage.units[unit]["defense"]]
    if not guarded:
        return None
    engage.unclear.update(guarded)
    told = all(engage.units[unit]["defeated"] is not None for unit in guarded)
    return lacks(
        f"The damage reduces the defense of {engage.shown(*guarded)} until the action ends; how much of it is left to "
        "reduce hp is not stated.",
        "how damage and defense are reckoned against each other",
        leaves_open=("hp",) if told else ("hp", "defeated"),
        defense={unit: engage.units[unit]["defense"] for unit in guarded},
    )


def add_packets(engage: Engage) -> None:
    """Notes the damage of the die at hand."""
    die = engage.die
    engage.packets += [Packet(unit, die.damage, die.number, die.name) for unit in die.hits]


def take_damage(engage: Engage, how: str) -> Says | None:
    """Takes what is prevented from the damage, and the damage from the hp."""
    if not engage.packets:
        return None
    engage.dealt = [{"unit": each.unit, "damage": each.amount, "after": each.after} for each in engage.packets]
    for unit in dict.fromkeys(each.unit for each in engage.packets):
        total = sum(each.amount for each in engage.packets if each.unit == unit)
        engage.damage[unit] = max(total - (engage.units[unit]["prevents"] or 0), 0)
        if unit in engage.hp:
            engage.hp[unit] = max(engage.hp[unit] - engage.damage[unit], 0)
    split = spread_prevention(engage)
    if split:
        engage.unclear.update(split)
        return lacks(
            f"How prevention is spread over damage that {engage.shown(*split)} takes in several parts is not stated.",
            "how prevention applies to damage that is dealt in several parts",
            leaves_open=TOUCHED,
        )
    text = ", ".join(f"{engage.shown(unit)} takes {damage}" for unit, damage in engage.damage.items())
    return says(f"{how}: {text}.{defeat(engage)}", damage=dict(engage.damage))


def spread_prevention(engage: Engage) -> list[str]:
    """Units that prevent damage and take it in several parts."""
    parts = [each.unit for each in engage.packets]
    return [unit for unit in engage.damage if engage.units[unit]["prevents"] and parts.count(unit) > 1]


def defeat(engage: Engage) -> str:
    """Notes who is defeated, unless the input says otherwise, and the sentence for it."""
    fallen = [unit for unit in engage.damage if engage.hp.get(unit) == 0 and engage.units[unit]["defeated"] is None]
    engage.defeated += [unit for unit in fallen if unit not in engage.defeated]
    names = engage.shown(*fallen)
    return f" With 0 hp left {names} counts as defeated (assumed: no passage says when a unit is)." if fallen else ""
