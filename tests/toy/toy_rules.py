"""A one-page game, to prove that the engine knows none: two players throw a die each, and the higher throw wins."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from kb.engine.clauses import Each, Says, clause, ends, forbids, lacks, says
from kb.engine.fields import boolean, choice, die, integer, list_of, named, record
from kb.engine.kernel import Procedure


@dataclass
class Throw:
    """One throw of each player."""

    given: dict[str, Any]
    yours: int = 0
    theirs: int = 0
    winner: str | None = None

    def __post_init__(self) -> None:
        self.yours, self.theirs = self.given["you"]["roll"], self.given["they"]["roll"]


@clause("toy/rules#charm")
def charm(throw: Throw, *, bonus: int = 1) -> Says | None:
    """Whoever holds the charm adds 1."""
    if not throw.given["you"]["charm"]:
        return None
    throw.yours += bonus
    return says(f"The charm adds {bonus}: {throw.yours}.", bonus=bonus)


@clause("toy/rules#torn-charm")
def torn_charm(throw: Throw) -> Says | None:
    """A torn charm counts as the table decides; no rule says how."""
    if not throw.given["you"]["torn"]:
        return None
    return lacks("The charm is torn.", "what a torn charm adds: no passage states it", leaves_open=("yours", "winner"))


@clause("toy/rules#tie")
def tie_as_printed(throw: Throw) -> Says | None:
    """On equal throws nobody wins."""
    return ends("Equal: nobody wins.") if throw.yours == throw.theirs else None


@clause("toy/faq#tie")
def tie_as_amended(throw: Throw) -> Says | None:
    """On equal throws the challenger wins."""
    if throw.yours != throw.theirs:
        return None
    throw.winner = "you"
    return ends("Equal: the challenger wins.", winner="you")


@clause("toy/rules#higher")
def higher(throw: Throw) -> Says | None:
    """The higher throw wins."""
    throw.winner = "you" if throw.yours > throw.theirs else "they"
    return says(f"{throw.yours} against {throw.theirs}.", winner=throw.winner)


@dataclass
class Evening:
    """The throws of an evening, in order."""

    given: dict[str, Any]
    thrower: str = ""
    last: str = ""
    throws: tuple[bool, ...] = ()


def each_thrower(evening: Evening) -> Generator[None, str | None, None]:
    for thrower in evening.given["throwers"]:
        evening.thrower = thrower
        forbidden_by = yield
        evening.throws += (forbidden_by is None,)
        evening.last = thrower


@clause("toy/rules#turns")
def turns(evening: Evening) -> Says | None:
    """Nobody throws twice running."""
    return forbids(f"{evening.thrower} threw last.") if evening.thrower == evening.last else None


CHARM = boolean("charm", False, words=("hold the charm", "with the charm"))
player = [die("roll", 6, words=("roll", "rolled"))]
THROW = Procedure(
    name="toy.throw",
    title="One throw each",
    given=(
        record("you", *player, CHARM, boolean("torn", False), default={}, words=("i", "my", "me")),
        record("they", *player, default={}, words=("he", "she", "his", "her")),
    ),
    result=(
        choice("winner", ("you", "they"), nullable=True, words=("win", "wins")),
        integer("yours", words=("my total", "my throw")),
        integer("theirs", words=("his total", "her total")),
    ),
    make_state=Throw,
    clauses=(charm, torn_charm, tie_as_printed, tie_as_amended, higher),
)
EVENING = Procedure(
    name="toy.evening",
    title="Who may throw",
    given=(
        list_of("players", record("", named("name", unique=True)), low=2),
        list_of("throwers", named("", among=("players.name",))),
    ),
    result=(list_of("throws", boolean("")),),
    make_state=Evening,
    clauses=(Each(each_thrower, (turns,)),),
    judges=True,
)
PROCEDURES = (THROW, EVENING)
