"""Betrayal of the Second Era: the state of one engage, from the input to what its clauses leave."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from kb.engine.fields import refuse

TARGET = "target"
"How dice and triggers name the declared target."
STEPS = ("fatigue", "form", "target")
"The steps that a roll outside battle leaves out: Gain Fatigue, Choose Battle Form, Declare Target."
KINDS = ("enemy", "companion", "adventurer")
BEING_ENGAGED = ("engaged", "after-engaged")
"Triggers that are about their owner being engaged."
CODES = ("instant", "drained", "active-slot", "cooldown-track", "status-effect")


@dataclass(frozen=True, slots=True)
class Packet:
    """Damage that is dealt to a unit at one moment."""

    unit: str
    amount: int
    number: int
    "Of the die after which it is dealt, from 1."
    after: str
    "That die's name."


@dataclass
class AtHand:
    """The die that is being resolved."""

    given: dict[str, Any]
    number: int = 0
    chosen: bool = True
    "The player resolves its result."
    under_way: bool = False
    "Its turn to be resolved has come."
    aims: list[str] = field(default_factory=list)
    "Units that its result can be resolved on."
    dropped: list[str] = field(default_factory=list)
    "Units that it cannot be resolved on after all."
    partly: bool = False
    "What remains of it is resolved although a part cannot be."
    exhausted: bool = False
    placed: bool = False

    @property
    def name(self) -> str:
        return str(self.given["name"])

    @property
    def damage(self) -> int:
        return int(self.given["result"]["damage"])

    @property
    def tenacity(self) -> bool:
        return bool(self.given["result"]["tenacity"])

    @property
    def hits(self) -> list[str]:
        """Units that it damages."""
        able = self.under_way and (self.partly or not self.dropped)
        return self.aims if able and self.damage else []

    @property
    def idle(self) -> bool:
        """Nothing of its result can be resolved."""
        return self.under_way and bool(self.dropped) and not self.aims

    def drop(self, unit: str) -> None:
        self.aims = [each for each in self.aims if each != unit]
        self.dropped.append(unit)


@dataclass
class Engage:
    """An engage under way; `die` is the one at hand."""

    given: dict[str, Any]
    units: dict[str, dict[str, Any]] = field(default_factory=dict)
    "The target, if there is one, and the others by name."
    target: str = TARGET
    "Name of the unit that is given as target."
    steps: tuple[str, ...] = STEPS
    under_way: bool = True
    "The engage is carried out at all."
    reacts: bool = True
    "The steps after gathering are completed."
    roll_responses: bool = False
    light_fatigue: int = 0
    form: str | None = None
    engaged: list[str] = field(default_factory=list)
    die: AtHand = field(default_factory=lambda: AtHand({}))
    order: list[str] = field(default_factory=list)
    packets: list[Packet] = field(default_factory=list)
    damage: dict[str, int] = field(default_factory=dict)
    dealt: list[dict[str, Any]] = field(default_factory=list)
    hp: dict[str, int] = field(default_factory=dict)
    defeated: list[str] = field(default_factory=list)
    unclear: set[str] = field(default_factory=set)
    "Units of which nobody can tell whether they are defeated."
    tenacity: int = 0
    placed: dict[str, str] = field(default_factory=dict)
    silent: set[int] = field(default_factory=set)
    "Places of the triggers that do not trigger."
    triggered: list[str] = field(default_factory=list)
    must_react: list[str] = field(default_factory=list)

    def does(self, step: str) -> bool:
        """Whether one of STEPS is carried out."""
        return self.under_way and step in self.steps

    def unit_name(self, name: str) -> str:
        return self.target if name == TARGET else name

    def kind(self, unit: str) -> str:
        return str(self.units[unit]["kind"]) if unit in self.units else "enemy"

    def is_defeated(self, unit: str) -> bool | None:
        """None where it cannot be told."""
        if unit not in self.units:
            return False
        given = self.units[unit]["defeated"]
        if given is not None:
            return bool(given)
        if unit in self.unclear or (self.damage.get(unit) and self.units[unit]["hp"] is None):
            return None
        return unit in self.defeated

    def shown(self, *units: str) -> str:
        """Units in a sentence."""
        return " and ".join("the target" if unit == TARGET else unit for unit in units)

    def place(self, where: str) -> None:
        self.placed[self.die.name] = where
        self.die.placed = True


def before_the_engage(given: dict[str, Any]) -> Engage:
    """The engage before its first step. Refuses names that stand for two units or for none."""
    declared = given["target"]
    target = declared["name"] if declared else TARGET
    units = {target: declared} if declared else {}
    for place, other in enumerate(given["others"]):
        if other["name"] in (TARGET, target):
            raise refuse(f"others[{place}].name", other["name"], "Give it a name of its own", "stands for the target")
        units[other["name"]] = other
    for place, trigger in enumerate(given["triggers"]):
        if declared is None and trigger["owner"] == TARGET and trigger["on"] not in BEING_ENGAGED:
            raise refuse(
                f"triggers[{place}].owner", TARGET, "Name one of the others", "is not there: no target is given"
            )
    return Engage(
        given,
        units=units,
        target=target,
        under_way=not given["by_ability"],
        reacts=bool(given["dice"]),
        form=given["marked_form"],
        hp={name: unit["hp"] for name, unit in units.items() if unit["hp"] is not None},
        defeated=[name for name, unit in units.items() if unit["defeated"]],
    )


def each_die(engage: Engage) -> Generator[None, str | None, None]:
    """Every die in the order in which the player resolves them."""
    if not engage.under_way:
        return
    for number, given in enumerate(engage.given["dice"], start=1):
        engage.die = AtHand(given, number, aims=aims_of(engage, given))
        yield


def aims_of(engage: Engage, die: dict[str, Any]) -> list[str]:
    """Units that a result is about: those that it damages or would have to reach."""
    result = die["result"]
    if not result["damage"] and die["in_range"]:
        return []
    named = [result["to"], *result["also"]]
    return list(dict.fromkeys(engage.unit_name(name) for name in named))
