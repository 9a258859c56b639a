"""Eldfall Chronicles: which model engages which. A engaging B does not make B engage A.

Every pair of models is looked at both ways, and the clauses strike out what cannot be. Read as the pages have it:
- An accessory that says that it can engage does so with bare hands or Spells too. Whether it still does while a Ranged
  Weapon is in hand, two rulings leave open: undetermined.
- A Petrified or Crouched model can be Engaged, as nothing says otherwise; of a Dead one the pages tell nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import boolean, choice, list_of, mapping, named, record, refuse
from kb.engine.kernel import Procedure

Model = dict[str, Any]
Pair = tuple[Model, Model]
"The model that may engage, and the one that it may engage."


@dataclass
class Zones:
    """The pairs of models in which the first may engage the second."""

    given: dict[str, Any]
    pairs: list[Pair] = field(default_factory=list)
    able: set[str] = field(default_factory=set)
    "Models whose accessory says that it can engage."
    doubted: tuple[str, ...] = ("incapacitated", "dead")
    "States in which a model may be past being Engaged."
    unclear: set[str] = field(default_factory=set)
    "Models of which it cannot be told who engages them."

    @property
    def engaged_by(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {model["name"]: [] for model in self.given["models"]}
        for one, other in self.pairs:
            found[other["name"]].append(one["name"])
        return {name: by for name, by in found.items() if name not in self.unclear}

    def leave_open(self, pairs: list[Pair], text: str, missing: str) -> Says | None:
        """Who engages the models that these pairs would engage cannot be told; of the others it can."""
        if not pairs:
            return None
        names = {other["name"] for _, other in pairs}
        self.unclear |= names
        return lacks(text, missing, leaves_open=tuple(f"engaged_by.{name}" for name in sorted(names)))

    def strike(self, out: Callable[[Model, Model], bool]) -> list[Pair]:
        """Removes the pairs for which `out` is true, and returns them."""
        struck = [pair for pair in self.pairs if out(*pair)]
        self.pairs = [pair for pair in self.pairs if pair not in struck]
        return struck


def set_up(given: dict[str, Any]) -> Zones:
    """Every pair, both ways. Refuses a model in its own reach."""
    for place, model in enumerate(given["models"]):
        if model["name"] in model["in_reach_of"]:
            raise refuse(f"models[{place}].in_reach_of", model["name"], "Name other models", "is the model itself")
    return Zones(given, list(permutations(given["models"], 2)))


def _engagers(pairs: list[Pair]) -> str:
    return " and ".join(dict.fromkeys(one["name"] for one, _ in pairs))


def _engaged(pairs: list[Pair]) -> str:
    return " and ".join(dict.fromkeys(other["name"] for _, other in pairs))


@clause("eldfall/engaged#ends")
def out_of_reach(zones: Zones) -> Says | None:
    """A model out of the enemy's melee weapon reach is not Engaged by it."""
    struck = zones.strike(lambda one, other: one["name"] not in other["in_reach_of"])
    if not struck:
        return None
    left = ", ".join(f"{other['name']} in reach of {one['name']}" for one, other in zones.pairs)
    return says(f"In reach: {left or 'nobody'}.")


@clause("eldfall/glossary#engaged")
def caused_by_an_enemy(zones: Zones) -> Says | None:
    """Engaged is a State that an enemy model causes."""
    struck = zones.strike(lambda one, other: one["side"] == other["side"])
    return says(f"Of the same side as {_engaged(struck)}: {_engagers(struck)}.") if struck else None


@clause("eldfall/engaged#ends")
def no_longer_causes_it(zones: Zones) -> Says | None:
    """An Incapacitated, Petrified, Crouched or Dead enemy model no longer engages."""
    struck = zones.strike(lambda one, _: one["state"] is not None)
    if not struck:
        return None
    states = " and ".join(dict.fromkeys(f"{one['name']} is {one['state'].title()}" for one, _ in struck))
    return says(f"{states}: engages nobody.")


@clause("eldfall/rulings#two-casters")
def neither_weapon_nor_accessory(zones: Zones) -> Says | None:
    """Without a Melee Weapon a model engages only if its accessory says that it can."""
    zones.able = {model["name"] for model in zones.given["models"] if model["accessory_engages"]}
    struck = zones.strike(lambda one, _: one["in_hand"] == "none" and one["name"] not in zones.able)
    by_accessory = [pair for pair in zones.pairs if pair[0]["name"] in zones.able and pair[0]["in_hand"] != "melee"]
    told = [f"{_engagers(struck)}: no Melee Weapon and no accessory that can engage."] if struck else []
    told += [f"{_engagers(by_accessory)}: an accessory says that it can engage."] if by_accessory else []
    return says(" ".join(told)) if told else None


@clause("eldfall/rulings#unarmed-zone")
def unarmed_or_spell(zones: Zones) -> Says | None:
    """An Unarmed attack or a Melee Attack Spell is no Weapon and makes no Engagement zone."""
    struck = zones.strike(lambda one, _: one["in_hand"] in ("unarmed", "spell") and one["name"] not in zones.able)
    return (
        says(f"{_engagers(struck)}: Unarmed or a Spell is no Melee Weapon, so no Engagement zone.") if struck else None
    )


@clause("eldfall/rulings#ranged-in-hand")
def ranged_in_hand(zones: Zones) -> Says | None:
    """A model with a Ranged Weapon in hand has no Engagement zone, even if it owns a Melee Weapon."""
    struck = zones.strike(lambda one, _: one["in_hand"] == "ranged" and one["name"] not in zones.able)
    return says(f"{_engagers(struck)}: a Ranged Weapon in hand, so no Engagement zone.") if struck else None


@clause("eldfall/rulings#ranged-in-hand")
def ranged_in_hand_with_accessory(zones: Zones) -> Says | None:
    """Whether an accessory engages while a Ranged Weapon is in hand is not told."""
    pairs = [pair for pair in zones.pairs if pair[0]["in_hand"] == "ranged" and pair[0]["name"] in zones.able]
    return zones.leave_open(
        pairs,
        f"{_engagers(pairs)} holds a Ranged Weapon, and an accessory says that it can engage.",
        "whether an accessory that can engage does so while a Ranged Weapon is in hand",
    )


@clause("eldfall/glossary#engagement-zone")
def melee_weapon_in_hand(zones: Zones) -> Says | None:
    """A Melee Weapon in hand makes an Engagement zone; a Dagger is enough."""
    untold = [pair for pair in zones.pairs if pair[0]["in_hand"] is None and pair[0]["name"] not in zones.able]
    if untold:
        held = f"what {_engagers(untold)} has in hand"
        return zones.leave_open(untold, f"It depends on {held}.", held)
    armed = [pair for pair in zones.pairs if pair[0]["in_hand"] == "melee"]
    return says(f"A Melee Weapon in hand: {_engagers(armed)} engages.") if armed else None


@clause("eldfall/rulings#incapacitated-engaged")
def incapacitated_can_be_engaged(zones: Zones) -> Says | None:
    """An Incapacitated model can still be Engaged."""
    zones.doubted = tuple(state for state in zones.doubted if state != "incapacitated")
    down = [pair for pair in zones.pairs if pair[1]["state"] == "incapacitated"]
    return says(f"{_engaged(down)} is Incapacitated and can still be Engaged.") if down else None


@clause("eldfall/glossary#engaged")
def state_of_the_engaged_model(zones: Zones) -> Says | None:
    """Engaged is a State of the model; whether a Dead one can have it is not told."""
    pairs = [pair for pair in zones.pairs if pair[1]["state"] in zones.doubted]
    states = " or ".join(dict.fromkeys(other["state"].title() for _, other in pairs))
    return zones.leave_open(
        pairs,
        f"{_engaged(pairs)} is {states}, and no passage tells whether such a model can be Engaged.",
        f"whether a model that is {states} can be Engaged",
    )


IN_HAND = ("melee", "ranged", "none", "unarmed", "spell")
STATES = ("incapacitated", "petrified", "crouched", "dead")

ENGAGEMENT = Procedure(
    name="eldfall.engagement",
    title="Which model is Engaged by which",
    given=(
        list_of(
            "models",
            record(
                "model",
                named("name", unique=True, help="The model's name."),
                named("side", help="Whose model it is."),
                choice(
                    "in_hand",
                    IN_HAND,
                    None,
                    nullable=True,
                    help="What it has in hand, as equipped or for the attack that it declares. Null: not known.",
                    words=(
                        "in hand",
                        "holding",
                        "holds",
                        "equipped",
                        "sword",
                        "dagger",
                        "bow",
                        "unarmed",
                        "spell",
                        "flare",
                    ),
                ),
                boolean(
                    "accessory_engages",
                    False,
                    help="An accessory of it says that it can engage, as Chanra's staff does.",
                    words=("accessory", "staff", "chanra's staff", "chanra"),
                ),
                choice(
                    "state",
                    STATES,
                    None,
                    nullable=True,
                    help="Its State, if it is one of these.",
                    words=("incapacitated", "petrified", "crouched", "dead", "downed", "knocked out", "killed"),
                ),
                list_of(
                    "in_reach_of",
                    named("other", among=("models.name",), unique=True),
                    default=(),
                    help="The models in whose melee weapon reach it stands.",
                    words=("in reach", "in reach of", "base to base", "base contact", "next to"),
                ),
            ),
            help="The models.",
            words=("models", "model", "minis"),
        ),
    ),
    result=(
        mapping(
            "engaged_by",
            list_of("names", named("name"), unordered=True),
            help="Per model, who engages it. A model of which that cannot be told is left out.",
            words=("engaged", "engaged by", "engages"),
        ),
    ),
    make_state=set_up,
    clauses=(
        out_of_reach,
        caused_by_an_enemy,
        no_longer_causes_it,
        neither_weapon_nor_accessory,
        unarmed_or_spell,
        ranged_in_hand,
        ranged_in_hand_with_accessory,
        melee_weapon_in_hand,
        incapacitated_can_be_engaged,
        state_of_the_engaged_model,
    ),
    words=("engage", "engaged", "engagement zone", "zone"),
)
