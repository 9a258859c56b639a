"""Betrayal of the Second Era: the one named enemy skill whose number the official FAQ gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.engine.betrayal.turn import MANY
from kb.engine.clauses import Says, clause, says
from kb.engine.fields import integer
from kb.engine.kernel import Procedure


@dataclass
class Splash:
    """Units around an enemy with Necrotic."""

    given: dict[str, Any]
    each: int = 0
    total: int = 0


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
