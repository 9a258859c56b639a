"""Betrayal of the Second Era: an ability of which only parts can be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.engine.clauses import Says, clause, ends, forbids, says
from kb.engine.fields import boolean, choice, integer, list_of, record
from kb.engine.kernel import Procedure


@dataclass
class Ability:
    """A skill or an ability, part by part."""

    given: dict[str, Any]
    happens: list[bool] = field(default_factory=list)
    cost_paid: bool = False

    @property
    def can(self) -> list[bool]:
        return [part["can"] for part in self.given["parts"]]


@dataclass
class Paying:
    """A cost in numbers."""

    given: dict[str, Any]
    left: int = 0


def untouched(given: dict[str, Any]) -> Ability:
    """Before anything is resolved, nothing has happened."""
    return Ability(given, [False] * len(given["parts"]))


@clause("betrayal/engage#partial")
def cost_in_full(ability: Ability) -> Says | None:
    """A cost must be payable in full, or nothing of the ability is resolved."""
    payable = ability.given["cost"]
    if payable is None:
        return None
    if not payable:
        return ends("The cost cannot be paid in full, so nothing of the ability is resolved.")
    ability.cost_paid = True
    return says("The cost is paid in full.")


@clause("betrayal/engage#partial")
def cost_in_numbers(paying: Paying) -> Says:
    """What an ability costs must be there in full, or nothing of it is resolved."""
    cost, has = paying.given["cost"], paying.given["has"]
    paying.left = has - cost
    if paying.left < 0:
        return forbids(f"The cost is {cost} and {has} is there: nothing of the ability is resolved.", cost=cost)
    return says(f"The cost of {cost} can be paid in full; {paying.left} is left.", left=paying.left)


@clause("betrayal/engage#partial")
def first_part_is_the_cost(ability: Ability) -> Says | None:
    """In "do X to do Y" and "do X, then do Y" the first part is the cost."""
    if ability.given["wording"] == "plain":
        return None
    if not ability.can[0]:
        return ends("The first part is the cost and cannot be done, so nothing of the ability is resolved.")
    ability.cost_paid = True
    return says("The first part is the cost, and it can be done.")


@clause("betrayal/engage#partial")
def as_much_as_possible(ability: Ability) -> Says:
    """As much of the ability as possible is resolved, and the rest is ignored."""
    ability.happens = list(ability.can)
    done = sum(ability.happens)
    return says(f"{done} of {len(ability.happens)} parts can be done and are done; the rest is ignored.", done=done)


PARTIAL = Procedure(
    name="betrayal.partial",
    title="An ability of which only parts can be done, and its cost",
    given=(
        boolean(
            "cost",
            None,
            nullable=True,
            help="Whether the ability's cost can be paid in full; null for an ability without one.",
            words=("cost", "pay", "afford", "price", "payable"),
        ),
        list_of(
            "parts",
            record(
                "part",
                boolean("can", help="This part can be done.", words=("can", "possible", "able", "can't", "impossible")),
            ),
            low=1,
            help="The ability's parts, in the order of its text.",
            words=("part", "parts", "half", "portion", "rest"),
        ),
        choice(
            "wording",
            ("plain", "to", "then"),
            "plain",
            help='How it is worded: "do X to do Y", "do X, then do Y", or plain. Default: plain.',
            words=("to", "then", "worded"),
        ),
    ),
    result=(
        list_of("happens", boolean("part"), help="Which parts happen, in order.", words=("happens", "resolve", "do")),
        boolean("cost_paid", help="Whether a cost is paid.", words=("pay", "paid")),
    ),
    make_state=untouched,
    clauses=(cost_in_full, first_part_is_the_cost, as_much_as_possible),
    words=(
        "partially",
        "partial",
        "resolve part of a skill",
        "as much as possible",
        "only half of it",
        "ignore the rest",
        "pay the cost",
    ),
)

COST = Procedure(
    name="betrayal.cost",
    title="An ability with a cost in numbers: whether it can be resolved",
    given=(
        integer("cost", low=0, help="What the ability costs.", words=("cost", "costs", "spend", "pay")),
        integer("has", low=0, help="How much of it there is to pay with.", words=("have", "got", "only")),
    ),
    result=(integer("left", help="What is left of it; below 0 where it is too little.", words=("left", "remains")),),
    make_state=Paying,
    clauses=(cost_in_numbers,),
    judges=True,
    words=("spend tenacity to", "cost of an ability", "pay for an ability", "afford"),
)
