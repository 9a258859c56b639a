"""Betrayal of the Second Era: fatigue reckoned otherwise than for one whole turn.

Decided where the page leaves room: every turn has a first engage action of its own, and so has every adventurer. That
follows from "the first engage action of a turn".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.engine.betrayal.turn import DIFFICULTY, ENGAGE_WORDS, MANY, PER_ENGAGE, TOTAL, fatigue_of
from kb.engine.clauses import Says, clause, lacks, says
from kb.engine.fields import boolean, integer, list_of
from kb.engine.kernel import Procedure


@dataclass
class Further:
    """Engage actions after those that were taken before in the turn."""

    given: dict[str, Any]
    light_fatigue: list[int] = field(default_factory=list)
    total: int = 0


@dataclass
class Turns:
    """Several turns, of one adventurer or of several."""

    given: dict[str, Any]
    per_turn: list[int] = field(default_factory=list)
    total: int = 0


@dataclass
class Compared:
    """The same turn on normal difficulty and on Expert."""

    given: dict[str, Any]
    normal: int = 0
    expert: int = 0
    difference: int = 0


@dataclass
class Budget:
    """Light fatigue of which the number of engage actions is wanted."""

    given: dict[str, Any]
    engage_actions: int = 0
    more: int = 0


@clause("betrayal/engage#steps-1")
def further_engages_cost(turn: Further, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """After the first engage action of a turn each further one costs 1 light fatigue, on Expert 2."""
    already, more, difficulty = (turn.given[name] for name in ("already", "more", "difficulty"))
    if not more:
        return None
    actions = range(already + 1, already + more + 1)
    turn.light_fatigue = [fatigue_of(action, difficulty, each, on_expert) for action in actions]
    turn.total = sum(turn.light_fatigue)
    which = f"Engage action {already + 1}" if more == 1 else f"Engage actions {already + 1} to {already + more}"
    free = ", the first of the turn being free" if not already else ""
    return says(f"{which} of the turn ({difficulty} difficulty): {turn.total} light fatigue{free}.", total=turn.total)


@clause("betrayal/engage#steps-1")
def each_turn_anew(turns: Turns, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """In every turn the first engage action is free; each further one costs 1 light fatigue, on Expert 2."""
    if not turns.given["turns"]:
        return None
    price = fatigue_of(2, turns.given["difficulty"], each, on_expert)
    turns.per_turn = [price * max(engages - 1, 0) for engages in turns.given["turns"]]
    turns.total = sum(turns.per_turn)
    told = " + ".join(str(fatigue) for fatigue in turns.per_turn)
    return says(f"The first engage action of each turn is free: {told} = {turns.total}.", total=turns.total)


@clause("betrayal/engage#steps-1")
def expert_against_the_rest(both: Compared, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """Each further engage action costs 1 light fatigue, on Expert 2; the first of the turn is free on both."""
    further = max(both.given["engage_actions"] - 1, 0)
    if not further:
        return None
    both.normal = further * fatigue_of(2, "normal", each, on_expert)
    both.expert = further * fatigue_of(2, "expert", each, on_expert)
    both.difference = abs(both.expert - both.normal)
    return says(
        f"Light fatigue: {both.normal} on normal difficulty, {both.expert} on Expert; {both.difference} apart.",
        normal=both.normal,
        expert=both.expert,
    )


@clause("betrayal/engage#steps-1")
def engages_for_that_fatigue(turn: Budget, *, each: int = 1, on_expert: int = 2) -> Says | None:
    """The first engage action of a turn is free, and fatigue pays for the others, 1 light fatigue each, on Expert 2."""
    fatigue, already = turn.given["light_fatigue"], turn.given["already"]
    price = fatigue_of(2, turn.given["difficulty"], each, on_expert)
    if price < 1:
        return lacks("Further engage actions cost nothing here.", "what limits the engage actions")
    turn.more = fatigue // price + (not already)
    turn.engage_actions = already + turn.more
    if turn.given["exactly"] and (fatigue % price or not fatigue):
        return lacks(
            f"Exactly {fatigue} light fatigue does not tell the engage actions: each after the first gives {price}.",
            "how many engage actions there were",
        )
    text = (
        f"{fatigue} light fatigue at {price} for each engage action after the first: {turn.engage_actions} in the turn."
    )
    return says(text, engage_actions=turn.engage_actions, more=turn.more)


def engages(name: str, help: str, *words: str, **more: Any) -> Any:
    """A number of engage actions."""
    return integer(name, low=0, high=MANY, unit="engage actions", help=help, words=words or ENGAGE_WORDS, **more)


MORE_FATIGUE = Procedure(
    name="betrayal.more_fatigue",
    title="Fatigue of some engage actions of a turn, after others",
    given=(
        engages("already", "Engage actions taken earlier in this turn.", "already", "so far", "before", "earlier"),
        engages("more", "The engage actions whose fatigue is wanted.", "more", "another", "further", "additional"),
        DIFFICULTY,
    ),
    result=(PER_ENGAGE, TOTAL),
    make_state=Further,
    clauses=(further_engages_cost,),
    words=("another engage", "one more engage", "third engage alone", "additional engage action"),
)

FATIGUE_OVER_TURNS = Procedure(
    name="betrayal.fatigue_over_turns",
    title="Fatigue over several turns, or of several adventurers",
    given=(
        list_of(
            "turns",
            engages("engages", "Engage actions of one adventurer in one turn."),
            low=0,
            high=MANY,
            help="Engage actions of each turn, in order; each adventurer's turn counts by itself.",
            words=("turns", "rounds", "next turn", "both turns", "each turn"),
        ),
        DIFFICULTY,
    ),
    result=(
        list_of(
            "per_turn", integer("fatigue"), unit="light fatigue", help="Light fatigue of each turn.", words=("each",)
        ),
        TOTAL,
    ),
    make_state=Turns,
    clauses=(each_turn_anew,),
    words=("fatigue over several turns", "both turns", "fatigue of the party"),
)

FATIGUE_COMPARED = Procedure(
    name="betrayal.fatigue_compared",
    title="Fatigue of the same turn on normal difficulty and on Expert",
    given=(engages("engage_actions", "How many engage actions the adventurer takes this turn."),),
    result=(
        integer("normal", unit="light fatigue", help="On normal difficulty.", words=("normal",)),
        integer("expert", unit="light fatigue", help="On Expert.", words=("expert",)),
        integer(
            "difference", unit="light fatigue", help="How far they are apart.", words=("more", "less", "difference")
        ),
    ),
    make_state=Compared,
    clauses=(expert_against_the_rest,),
    words=("how much more on expert", "expert compared with normal", "difference between expert and normal"),
)

ENGAGES_FOR_FATIGUE = Procedure(
    name="betrayal.engages_for_fatigue",
    title="How many engage actions some light fatigue stands for, or pays for",
    given=(
        integer(
            "light_fatigue",
            low=0,
            high=MANY,
            unit="light fatigue",
            help="Light fatigue from the engage actions still to be counted.",
            words=("fatigue", "light fatigue", "fatigue dice"),
        ),
        boolean(
            "exactly",
            False,
            help="It was gained exactly; otherwise it is the most that may be gained. Default: the most.",
            words=("exactly", "gained", "ended with"),
        ),
        engages("already", "Engage actions taken before, paid apart.", "already", "so far", default=0),
        DIFFICULTY,
    ),
    result=(
        engages("engage_actions", "Engage actions of the whole turn."),
        engages("more", "Those after the ones already taken.", "more", "further"),
    ),
    make_state=Budget,
    clauses=(engages_for_that_fatigue,),
    words=("how many engages for this fatigue", "how often did I engage", "afford engages"),
)
