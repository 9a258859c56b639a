"""Book of Ordeals: everything that a question tells, in one record for the readers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.reading.numbers import BOTH, LOSER, Choice, Combination, Fact, combinations
from kb.reading.ordeals.asked import Asked, asked
from kb.reading.ordeals.asking import asking
from kb.reading.ordeals.numbers import SINGLE, units
from kb.reading.ordeals.story import Story, read_story
from kb.reading.ordeals.words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.persons import FOE, ME, WINNER
from kb.reading.scene import Scene, take_apart
from kb.reading.tokens import NUMBER_WORDS

UNEVEN = 0.5
"What it costs to read a roll or a total that only one side has."
NEXT = re.compile(
    r"\b(?:(?:roll|exchange|round|fight|attack|assault|blow|hit) ?#?2|then|next|afterwards|later|second|2nd|third|"
    r"3rd|after that|now|times|in a row|exchanges|rounds|assaults|fights|scraps)\b"
)
MEASURED = ("damage", "harm", "difference")


@dataclass(frozen=True)
class Told:
    """A question of the fight, taken in: parties, conditions, numbers, and what is asked."""

    scene: Scene
    story: Story
    asks: tuple[Asked, ...]
    facts: tuple[Fact, ...]
    text: str
    "In lower case."

    def of(self, what: str, party: str) -> float | int | None:
        """A party's number of a kind; one of both, or of whoever loses, is each one's."""
        own = [f.value for f in self.facts if f.what == what and f.party == party]
        shared = [f.value for f in self.facts if f.what == what and f.party in (BOTH, LOSER)]
        return next(iter([*own, *shared]), None)

    def has(self, *kinds: str) -> bool:
        return any(fact.what in kinds for fact in self.facts)

    def only(self, *kinds: str) -> bool:
        """Whether every number is of these kinds."""
        return all(fact.what in (*kinds, "skip") for fact in self.facts)

    def rolls(self, what: str = "roll") -> dict[str, list[int]]:
        """The rolls of each party in their order."""
        found: dict[str, list[int]] = defaultdict(list)
        for fact in self.facts:
            if fact.what == what:
                for party in self.scene.sides if fact.party == BOTH else (fact.party,):
                    found[party].append(int(fact.value))
        return found

    def stats(self, party: str, *kinds: str) -> dict[str, Any]:
        """The party's numbers of these kinds, as far as they are told."""
        return {kind: int(value) for kind in kinds if (value := self.of(kind, party)) is not None}

    def name(self, party: str) -> str:
        """The player's word for it."""
        name = self.scene.names.get(party, party)
        return "you" if name == ME else name

    def wants(self, *kinds: str) -> bool:
        return any(ask.what in kinds for ask in self.asks)

    @property
    def tells_of_the_fallen(self) -> bool:
        """Whether it says that somebody is out, whatever the numbers come to."""
        told = [clause for at, clause in enumerate(self.scene.clauses) if at not in self.scene.asking]
        return any("O" in clause.tags and not set("nb") & set(clause.tags) for clause in told)


_SHORT = re.compile(r"\b([MWE])(?:=|: ?)?(?=\d{1,2}\b)")
_LONG = {"M": "Might ", "W": "Ward ", "E": "Endurance "}
_LEGEND = re.compile(
    r"(?<!\d )\b[a-z]+[a-z0-9]*(?: ?/ ?[a-z]\w*)+(?! ?\d)|\b[a-z]\w*(?:(?: ?-|,) ?[a-z]\w*){2,}(?! ?\d)", re.I
)
_COLUMNS = re.compile(r"\s*:?\s*(?<![\d/-])\b(\d+(?: ?/ ?\d+)+|\d+(?: ?- ?\d+){2,})(?![/\d-])")
_COLUMN = {"m": "might", "w": "ward", "e": "endurance", "d": "die", "r": "die", "roll": "die", "rolled": "die"}
_OWN_OTHERS = re.compile(
    r"\b(?:(one|two|three|four|five|\d+) of (?:my|our) other|(two|three|four|five|[2-9]) of (?:my|our)) "
    r"(?!(?:deed|action|assault|attack|roll|hit|exchange|fight|turn|act|point|blow|swing|wound|wins?|hp)s?\b)[a-z]+(?:s|men|folk)\b",
    re.I,
)
"`two of my other dwarves`"
_OF_US = re.compile(r"\b(?<!the )(?<!of )(three|four|five|six|[3-6]) of us\b", re.I)
_HAVE_BEATEN = re.compile(r"(?:['’]ve|(?<=\bi)ve| have| has| had) beaten\b", re.I)
_OF_SOMEBODY = re.compile(
    r"\bleft (?:of|on) (?:me|him|her|(?:an?|my|his|the|that|this) (?!(?:\w+ )?(?:damage|blow|hit|strike|attack)))", re.I
)
_THE_DIE = re.compile(r"\b(the|my|his|her|its|their|each|(?:me|him|them)(?= die:? ?\d)) die\b", re.I)
"No verb."
_DOTS = re.compile(r"(?<=[a-z])\s*(?:\.{2,}|…)\s*(?=\d+\b)", re.I)
"`I roll... 3`"


def written_out(text: str) -> str:
    """`me 5/0/6 (die/might/endurance)` as `me: die 5 might 0 endurance 6`; `M2` as `Might 2`."""
    text = _HAVE_BEATEN.sub(" beat", text)
    text = _DOTS.sub(" ", _SHORT.sub(lambda match: _LONG[match[1]], text))
    text = _OF_US.sub(lambda many: f"I and {(NUMBER_WORDS.get(many[1].casefold()) or int(many[1])) - 1} allies", text)
    text = _THE_DIE.sub(r"\1 d12", _OWN_OTHERS.sub(r"my \1\2 allies", text))
    columns = [re.findall(r"\d+", numbers) for numbers in _COLUMNS.findall(text)]
    for legend in _LEGEND.finditer(text) if len(columns) > 1 else ():
        names = [_COLUMN.get(name, name) for name in re.findall(r"\w+", legend.group().casefold())]
        letters = [(lexicon().match([name], 0) or ("", 0))[0] for name in names]
        if (
            len(set(letters)) == len(letters)
            and set(letters) <= set("MWERT")
            and {len(names)} == set(map(len, columns))
        ):
            rest = text.replace(legend.group(), " ", 1)
            for row in reversed(list(_COLUMNS.finditer(rest))):
                rest = f"{rest[: row.start()]}: {_row(names, re.findall('[0-9]+', row[1]))}{rest[row.end() :]}"
            return rest
    return text


def _row(names: Sequence[str], numbers: Sequence[str]) -> str:
    return " ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))


def take_in(text: str) -> list[Told]:
    """What a question tells, once for each way in which its numbers may be meant, the likeliest first.

    Nothing where it asks for nothing that can be computed, or where its numbers make no sense.
    """
    return _take_in(text, True) or _take_in(text, False)


def _take_in(text: str, player: bool) -> list[Told]:
    scene = tell_apart(text, take_apart(text, lexicon()), player)
    if not player and ({"first", "second", FOE, ME} & set(scene.sides)):
        return []
    places = asking(scene)
    asks = asked(scene, places) if places else None
    if not asks:
        return []
    scene.asking = frozenset(places)
    story = read_story(scene, set(places))
    if story.help.owner not in (None, *scene.sides):
        return []
    numbers = units(scene, story.used)
    found = combinations(numbers, scene.sides, SINGLE, UNEVEN)
    pairs = all(len(_scores(unit)) == 2 for unit in numbers if _scores(unit))
    if not found and (pairs or NEXT.search(text.casefold())):
        found = _in_turns(numbers, scene)
    tolds = []
    for facts in (_named(scene, each.facts) for each in found):
        if facts is not None and (meant := _asks_as_meant(scene, places, facts)):
            tolds.append(Told(scene, story, meant, facts, text.casefold()))
    return tolds


def _asks_as_meant(scene: Scene, places: list[int], facts: tuple[Fact, ...]) -> tuple[Asked, ...]:
    """What is asked, where a pronoun means whom the numbers show that it means."""
    chosen = {fact.through: fact.party for fact in facts if fact.through >= 0}
    before = [(item, item.parties) for item in scene.items if item.bound in chosen]
    for item, _ in before:
        item.parties = ((chosen[item.bound], 0.0),)
    asks = asked(scene, places) or []
    for item, parties in before:
        item.parties = parties
    return tuple(_meant(scene, ask, facts) for ask in asks)


def _meant(scene: Scene, ask: Asked, facts: tuple[Fact, ...]) -> Asked:
    """`what is left` is Endurance where any is spoken of, and else what Ward leaves of the damage."""
    tags = "".join(clause.tags for clause in scene.clauses)
    if ask.what != "left":
        return ask
    endured = "E" in tags or any(fact.what == "endurance" for fact in facts) or _OF_SOMEBODY.search(scene.text)
    what = "endurance" if endured else "harm" if "W" in tags else "nothing"
    return replace(ask, what=what)


def _in_turns(numbers: Sequence[Sequence[Choice]], scene: Scene) -> list[Combination]:
    """The same, where everybody may roll once per exchange: each further roll of a party is of the next one."""
    turns: dict[int, int] = {}
    rolled: Counter[str] = Counter()
    for at, unit in enumerate(numbers):
        parties = [fact.party for fact in _scores(unit)]
        if parties:
            turns[at] = max(rolled[party] for party in parties)
            rolled.update(parties)
    if len(rolled) != 2 or len(set(rolled.values())) > 1 or max(rolled.values()) < 2:
        return []
    moved = [[_moved(choice, turns.get(at, 0)) for choice in unit] for at, unit in enumerate(numbers)]
    return combinations(moved, scene.sides, SINGLE, UNEVEN)


SCORES = ("roll", "total")


def _scores(unit: Sequence[Choice]) -> list[Fact]:
    """The rolls or totals that a unit most likely is: two where both sides' stand together."""
    cheapest = min(unit, key=lambda choice: choice.cost, default=None)
    return [fact for fact in cheapest.facts if fact.what in SCORES] if cheapest else []


def _moved(choice: Choice, turn: int) -> Choice:
    """The choice with its scores in another exchange."""
    facts = tuple(replace(f, turn=turn if f.what in SCORES else 0) for f in choice.facts)
    return Choice(choice.cost, facts)


def _named(scene: Scene, facts: tuple[Fact, ...]) -> tuple[Fact, ...] | None:
    """The facts without those that mean nothing; None where one is somebody else's."""
    # The winner's Ward does nothing.
    found = tuple(fact for fact in facts if fact.what != "skip" and (fact.what, fact.party) != ("ward", WINNER))
    known = {*scene.sides, BOTH, LOSER, ""}
    return found if all(fact.party in known for fact in found) else None
