"""Betrayal of the Second Era: the one named enemy skill whose number the official FAQ gives, and a unit's defense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.betrayal.turn import MANY
from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import boolean, integer
from kb.engine.kernel import Procedure


@dataclass
class Splash:
    """Units around an enemy with Necrotic."""

    given: dict[str, Any]
    each: int = 0
    total: int = 0


@dataclass
class Guarded:
    """A unit whose defense damage has reduced."""

    given: dict[str, Any]
    defense: int | None = None


@clause("betrayal/engage#steps-5b-defense")
def defense_resets(unit: Guarded) -> Says:
    """Damage reduces a unit's defense, which does not reset until after the action ends."""
    if not unit.given["action_over"]:
        return lacks("The action goes on; how far the damage reduces the defense is not stated.", "the reduced defense")
    unit.defense = unit.given["defense"]
    return says(f"After the action the defense is back at {unit.defense}.", defense=unit.defense)


@clause("betrayal/faq#engaged-units")
def necrotic(splash: Splash, *, true_damage: int = 1) -> Says:
    """The enemy skill Necrotic deals 1 true damage to all adjacent units."""
    splash.each = true_damage
    splash.total = true_damage * splash.given["adjacent_units"]
    return says(
        f"Necrotic deals {true_damage} true damage to each adjacent unit: {splash.total} in all.", each=true_damage
    )


NECROTIC = Procedure(
    name="betrayal.necrotic",
    title="The enemy skill Necrotic: true damage to all adjacent units",
    given=(
        integer(
            "adjacent_units",
            1,
            low=0,
            high=MANY,
            unit="units",
            help="Units adjacent to the enemy. Default: 1.",
            words=("units", "adjacent units"),
        ),
    ),
    result=(
        integer("each", unit="true damage", help="True damage to each of them.", words=("each", "damage")),
        integer("total", unit="true damage", help="True damage to all of them together.", words=("total", "in all")),
    ),
    make_state=Splash,
    clauses=(necrotic,),
    words=("necrotic",),
)

DEFENSE = Procedure(
    name="betrayal.defense",
    title="A unit's defense after the action in which damage reduced it",
    given=(
        integer("defense", low=0, high=MANY, help="Its full defense.", words=("defense", "defence", "armor")),
        boolean("action_over", help="The action has ended.", words=("over", "ended", "next engage", "afterwards")),
    ),
    result=(integer("defense", nullable=True, help="Its defense now.", words=("defense", "defence")),),
    make_state=Guarded,
    clauses=(defense_resets,),
    words=("defense", "defence", "reset", "back to full"),
)
