"""Book of Ordeals: the chances of a fight of several exchanges, by an exact Markov chain over both Endurances.

Every exchange is run by the clauses of `ordeals.assault`, so house rules hold here too. Nobody pushes: the fight goes
on until one is Out of Action or the exchanges are over. The attacker is the acting Character in each of them; unless
it has a Charge or allies that makes no difference, because both sides then add the same things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from kb.engine.fields import choice, integer, refuse, validate
from kb.engine.kernel import Procedure, Rules, Run
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.sides import (
    ALLIES,
    ATTACKER_WORDS,
    CHARGED,
    DAMAGE_MODIFIER,
    DEFENDER_WORDS,
    SIDES,
    character,
    other,
)

ASSAULTS_AFTER_A_MOVE = 2
"An Act has three Deeds, and a Charge takes one of them to move in."
MOST_EXCHANGES = 100
MOST_WORK = 150_000
"Endurance times Endurance times exchanges: more than this would take longer than ten seconds."

Fight = tuple[int, int, str | None]
"Endurance of attacker and defender, and who is Out of Action."


def chances(given: dict[str, Any], rules: Rules) -> dict[tuple[Any, ...], Fraction]:
    """The chance of each (out_of_action, Harm taken by both, Endurance left of both) after the exchanges.

    Raises ExampleError where a Charge would have to last longer than its Act, of which no passage tells, and for a
    fight too long to be worked out.
    """
    from kb.engine.odds import chain

    work = given["attacker"]["endurance"] * given["defender"]["endurance"] * given["exchanges"]
    if work > MOST_WORK:
        raise refuse(
            "exchanges", given["exchanges"], "Give fewer, or less Endurance", "is more than can be worked out soon"
        )
    if given["charged"] and given["exchanges"] > ASSAULTS_AFTER_A_MOVE:
        raise refuse(
            "exchanges",
            given["exchanges"],
            f"Allowed with a Charge: 1 to {ASSAULTS_AFTER_A_MOVE}, the Assaults that an Act has room for after a Move",
            "is beyond the Act, and how long the Charge bonus lasts beyond it is not stated",
        )
    blows = _Blows(given, rules)
    whole = (given["attacker"]["endurance"], given["defender"]["endurance"])
    start: Fight = (*whole, None)
    ended = chain(start, blows.step, given["exchanges"])
    found: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for (attacker, defender, out), chance in ended.items():
        left = (0 if out == "attacker" else attacker, 0 if out == "defender" else defender)
        found[out, whole[0] - attacker, whole[1] - defender, *left] += chance
    return dict(found)


class _Blows:
    """One exchange after the other, whatever Endurance is left.

    Endurance decides nothing about who wins by how much. So all rolls are run once, and from then on one roll for each
    winner and Harm.
    """

    def __init__(self, given: dict[str, Any], rules: Rules) -> None:
        from kb.engine.odds import rolls

        self.ready = Run(ASSAULT, rules)
        bare = _assault(given)
        self.kinds: dict[tuple[Any, ...], dict[str, Any]] = {}
        counts: dict[tuple[Any, ...], int] = defaultdict(int)
        for rolled in rolls(ASSAULT, bare):
            state = self.ready.state(rolled)
            kind = (state.winner, state.harm)
            self.kinds.setdefault(kind, rolled)
            counts[kind] += 1
        total = sum(counts.values())
        self.shares = {kind: Fraction(count, total) for kind, count in counts.items()}

    def step(self, fight: Fight) -> Mapping[Fight, Fraction]:
        """Where one exchange leads. A fight with one Out of Action is over."""
        if fight[2]:
            return {fight: Fraction(1)}
        after: dict[Fight, Fraction] = defaultdict(Fraction)
        for kind, rolled in self.kinds.items():
            after[self._exchange(rolled, fight)] += self.shares[kind]
        return after

    def _exchange(self, rolled: dict[str, Any], fight: Fight) -> Fight:
        left = dict(zip(SIDES, fight[:2], strict=True))
        numbers = {side: {**rolled[side], "endurance": left[side]} for side in SIDES}
        state = self.ready.state({**rolled, **numbers})
        if state.winner and state.loser_endurance is not None:
            left[other(state.winner)] = state.loser_endurance
        return left["attacker"], left["defender"], state.out_of_action


def _assault(given: dict[str, Any]) -> dict[str, Any]:
    """The Assault of one exchange, its rolls open."""
    return validate(ASSAULT.given, {name: value for name, value in given.items() if name != "exchanges"})


DUEL = Procedure(
    name="ordeals.duel",
    title="The odds of a fight over several exchanges",
    given=(
        character("attacker", whose="The acting Character's", words=ATTACKER_WORDS, rolls=False),
        character("defender", whose="Its Foe's", words=DEFENDER_WORDS, rolls=False),
        integer(
            "exchanges",
            1,
            low=1,
            high=MOST_EXCHANGES,
            help="How many exchanges at most, one per Assault Deed.",
            words=("exchanges", "exchange", "rounds", "assaults", "attacks", "blows", "times"),
        ),
        CHARGED,
        ALLIES,
        DAMAGE_MODIFIER,
    ),
    result=(
        choice(
            "out_of_action",
            SIDES,
            nullable=True,
            help="Who ends Out of Action; null: both are still active.",
            words=("out of action", "dead", "killed", "kill", "taken out", "knocked out", "survive"),
        ),
        integer("attacker_harm", help="Harm that the attacker takes in all.", words=("harm", "damage taken")),
        integer("defender_harm", help="Harm that the defender takes in all.", words=("harm", "damage")),
        integer(
            "attacker_endurance",
            help="Endurance left of the attacker; 0 stands for Out of Action.",
            words=("endurance left", "hp left", "health left"),
        ),
        integer(
            "defender_endurance",
            help="Endurance left of the defender; 0 stands for Out of Action.",
            words=("endurance left", "hp left", "health left"),
        ),
    ),
    make_state=dict,
    clauses=(),
    odds=chances,
    words=("duel", "chance", "chances", "odds", "probability", "likely", "how often"),
)
