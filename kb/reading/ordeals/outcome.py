"""Book of Ordeals: what was asked, taken from the engine's verdict, in the player's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kb.engine.kernel import Verdict
from kb.reading.ordeals.asked import Asked
from kb.reading.situation import Found, Value

RULES = "ordeals/close-combat#"
DECIDES = {
    what: clause
    for clause, kinds in (
        (RULES + "exchange-1", "total"),
        (RULES + "exchange-2", "damage difference winner won tie dealt"),
        (RULES + "exchange-3", "harm harmed endurance both"),
        (RULES + "exchange-4", "push push_inches engaged"),
        ("ordeals/glossary#out-of-action", "out"),
    )
    for what in kinds.split()
}
"The clause that settles each thing that can be asked."


@dataclass(frozen=True)
class Ended:
    """How an exchange ended, by the parties' names in the question."""

    sides: tuple[str, str]
    harms: dict[str, int]
    endurance: dict[str, int | None]
    out: str | None
    names: dict[str, str]
    winner: str | None = None
    totals: dict[str, int | None] = field(default_factory=dict)
    damage: int = 0
    wards: dict[str, int] = field(default_factory=dict)
    may_push: str | None = None
    engaged: bool | str | None = None
    names_damage: bool = False
    "The question speaks of damage as the rules do: before Ward."
    names_harm: bool = True
    "It speaks of Harm or of Ward, so that the step from the one to the other is what it is about."

    @property
    def loser(self) -> str | None:
        if self.winner is None:
            return None
        return self.sides[1] if self.winner == self.sides[0] else self.sides[0]

    @property
    def margin(self) -> int | None:
        first, second = (self.totals.get(side) for side in self.sides)
        return None if first is None or second is None else abs(first - second)


def found(asks: Sequence[Asked], ended: Ended, verdict: Verdict) -> Found:
    """Verdict and value of what was asked; nothing where one of them cannot be told for sure."""
    numbers = [ask for ask in asks if not ask.yes_no]
    words = [ask for ask in asks if ask.yes_no]
    values = [NUMBERS[ask.what](ended, ask) for ask in numbers if ask.what in NUMBERS]
    if len(values) < len(numbers) or None in values:
        return Found()
    told = [TRUTHS[ask.what](ended, ask) for ask in words if ask.what in TRUTHS]
    if len(told) < len(words) or None in told:
        return Found()
    value = _one_value(numbers, values)
    if value is None and numbers:
        return Found()
    kind = next((_kind(ended, ask) for ask, each in zip(numbers, values, strict=True) if each == value), "")
    beside = not numbers and words[0].what in WITH_HARM
    if beside:
        value, kind = NUMBERS["harm"](ended, words[0]), "harm"
    answer = _one_word(words, told)
    if words and answer is None:
        return Found()
    return Found(value, _unit(kind, value), answer, _deciding(asks, ended, verdict), beside)


def _kind(ended: Ended, ask: Asked) -> str:
    """What the number counts: `damage` of which Ward was taken is Harm."""
    return "harm" if ask.what == "damage" and _is_after_ward(ended) else ask.what


WITH_HARM = ("harmed", "out")
"Whoever asks whether somebody is hurt or out wants to see the Harm that says so."
UNITS = {
    "damage": "damage",
    "harm": "Harm",
    "endurance": "Endurance left",
    "total": "in total",
    "difference": "apart",
    "push_inches": "inches",
}


def _unit(kind: str, value: Value) -> str:
    return "" if value is None or isinstance(value, str) else UNITS.get(kind, "")


def _one_value(numbers: Sequence[Asked], values: Sequence[Value]) -> Value:
    """The number, where several are asked that differ: the one that is not a name, else none."""
    different = list(dict.fromkeys(values))
    if len(different) > 1:
        different = [value for value in different if not isinstance(value, str)]
    return different[0] if len(different) == 1 else None


def _one_word(words: Sequence[Asked], told: Sequence[bool | None]) -> str | None:
    answers = {"yes" if truth != ask.flipped else "no" for ask, truth in zip(words, told, strict=True)}
    return answers.pop() if len(answers) == 1 else None


def _deciding(asks: Sequence[Asked], ended: Ended, verdict: Verdict) -> str | None:
    """The clause that settles it, if it acted; of a yes or no and a number the yes or no's."""
    acted = {step.clause for step in verdict.steps}
    if not ended.names_harm and all(ask.what == "harm" for ask in asks):
        # `how much damage do I take` with no Ward about is settled where damage is.
        return DECIDES["damage"] if DECIDES["damage"] in acted else None
    ordered = sorted(asks, key=lambda ask: not ask.yes_no)
    found = next((DECIDES[ask.what] for ask in ordered if DECIDES.get(ask.what) in acted), None)
    # `do we get hurt` of a tie: that nobody wins it is what settles that.
    return found or (DECIDES["tie"] if ended.winner is None and DECIDES["tie"] in acted else None)


def _damage(ended: Ended, ask: Asked) -> Value:
    """Before Ward, if the question says so or no Ward takes anything: who tells of a Ward wants to see it come off."""
    if ask.party and ask.party != ended.winner:
        return 0 if ask.sure else None
    return _harm(ended, Asked("harm")) if _is_after_ward(ended) else ended.damage


def _is_after_ward(ended: Ended) -> bool:
    return ended.loser is not None and ended.wards.get(ended.loser, 0) > 0 and not ended.names_damage


def _harm(ended: Ended, ask: Asked) -> Value:
    """What the party takes. Nobody asks for the Harm of the one who won, unless it says so plainly."""
    party = _person(ended, ask.party) or ended.loser
    if not ask.sure and ended.loser is not None and party != ended.loser:
        return None
    return 0 if party is None else ended.harms.get(party, 0)


def _endurance(ended: Ended, ask: Asked) -> Value:
    party = _person(ended, ask.party) or ended.loser
    return None if party is None else ended.endurance.get(party)


def _both(ended: Ended, ask: Asked) -> Value:
    left = [(ended.names.get(side, side), ended.endurance.get(side)) for side in ended.sides]
    if any(number is None for _, number in left):
        return None
    return ", ".join(
        f"{'foe' if side == 'foe' else name} {number}" for (name, number), side in zip(left, ended.sides, strict=True)
    )


def _winner(ended: Ended, ask: Asked) -> Value:
    """The player's own word for it; nothing where the question has none."""
    if ended.winner is not None and ended.sides == ("first", "second"):
        return None
    return "tie" if ended.winner is None else ended.names.get(ended.winner, ended.winner)


NUMBERS: dict[str, Callable[[Ended, Asked], Value]] = {
    "damage": _damage,
    "harm": _harm,
    "endurance": _endurance,
    "both": _both,
    "total": lambda ended, ask: ended.totals.get(_person(ended, ask.party) or ""),
    "difference": lambda ended, ask: ended.margin,
    "winner": _winner,
    "push_inches": lambda ended, ask: 2 if ended.may_push else 0,
}


def _person(ended: Ended, party: str | None) -> str | None:
    if party == "winner":
        return ended.winner
    return ended.loser if party == "loser" else party


def _won(ended: Ended, ask: Asked) -> bool | None:
    if ask.party is None and ended.sides == ("first", "second"):
        # `is 8+3 enough to win against 10+1`
        return ended.winner == "first"
    if ask.party is None:
        return None
    if ask.flipped:
        # `do I lose` asks whether the other one wins; `found` turns the answer round once more.
        return ended.winner in (None, ask.party)
    return ended.winner == ask.party


def _out(ended: Ended, ask: Asked) -> bool | None:
    party = _person(ended, ask.party) or ended.loser
    return None if party is None and ended.out is not None else ended.out is not None and ended.out == party


def _dealt(ended: Ended, ask: Asked) -> bool | None:
    """Whether a damage is dealt; where Ward takes all of it, that depends on what is meant."""
    if ask.party != ended.winner or ended.damage == 0:
        return False
    return True if ended.harms.get(ended.loser or "", 0) > 0 else None


def _may_push(ended: Ended, ask: Asked) -> bool | None:
    if ended.out is not None:
        return None
    return ended.may_push is not None and (ask.party is None or ended.may_push == _person(ended, ask.party))


TRUTHS: dict[str, Callable[[Ended, Asked], bool | None]] = {
    "won": _won,
    "tie": lambda ended, ask: ended.winner is None,
    "out": _out,
    "harmed": lambda ended, ask: None if (harm := _harm(ended, ask)) is None else isinstance(harm, int) and harm > 0,
    "dealt": _dealt,
    "push": _may_push,
    "engaged": lambda ended, ask: ended.engaged if isinstance(ended.engaged, bool) else None,
}
