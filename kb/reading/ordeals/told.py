"""Book of Ordeals: everything that a question tells, in one record for the readers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.reading.numbers import BOTH, LOSER, SOUGHT, Choice, Combination, Fact, combinations
from kb.reading.ordeals.asked import Asked, Unknown, asked
from kb.reading.ordeals.asking import asking
from kb.reading.ordeals.numbers import SINGLE, units
from kb.reading.ordeals.seeking import BOUNDS, OF_SOMEBODY, demanded, sought
from kb.reading.ordeals.story import Story, read_story
from kb.reading.ordeals.words import lexicon
from kb.reading.parties import tell_apart
from kb.reading.persons import FOE, ME, WINNER
from kb.reading.scene import Scene, take_apart

UNEVEN = 0.5
"What it costs to read a roll or a total that only one side has."
NEXT = re.compile(
    r"\b(?:(?:roll|exchange|round|fight|attack|assault|blow|hit) ?#?2|then|next|afterwards|later|second|2nd|third|3rd|"
    r"after that|now|times|in a row|exchanges|rounds|assaults|fights|scraps)\b"
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
    def names_total(self) -> bool:
        """Whether it speaks of totals, so that a number no D12 shows is no slip."""
        return "T" in self.tags

    @property
    def tags(self) -> str:
        """The letters of all that is said."""
        return " ".join(clause.tags for clause in self.scene.clauses)

    @property
    def gains(self) -> bool:
        """Whether somebody gains Might by a Charge or by allies, or may."""
        return bool(self.story.charged or self.story.help.counting or self.story.help.unclear)

    @property
    def tells_of_the_fallen(self) -> bool:
        """Whether it says that somebody is out, whatever the numbers come to."""
        told = [clause for at, clause in enumerate(self.scene.clauses) if at not in self.scene.asking]
        return any("O" in clause.tags and not set("nb") & set(clause.tags) for clause in told)


_OF_SOMEBODY = re.compile(
    r"\bleft (?:of|on) (?:me|him|her|(?:an?|my|his|the|that|this) (?!(?:\w+ )?(?:damage|blow|hit|strike|attack)))", re.I
)


def take_in(text: str, seeks: bool = False) -> list[Told]:
    """What a question tells, once for each way in which its numbers may be meant, the likeliest first.

    Nothing where it asks for nothing that can be computed, or where its numbers make no sense. With `seeks`, what asks
    for a number that brings something about.
    """
    return _take_in(text, True, seeks) or _take_in(text, False, seeks)


def _take_in(text: str, player: bool, seeks: bool) -> list[Told]:
    scene = tell_apart(text, take_apart(text, lexicon()), player)
    if not player and ({"first", "second", FOE, ME} & set(scene.sides)):
        return []
    places = asking(scene) or (demanded(scene) if seeks else [])
    understand = sought if seeks else asked
    asks = understand(scene, places) if places else None
    if not asks:
        return []
    if seeks:
        scene.text = BOUNDS.sub(" ", scene.text)
    scene.asking = frozenset(places)
    story = read_story(scene, set(places))
    if story.help.owner not in (None, *scene.sides):
        return []
    numbers = units(scene, story.used)
    for ask in asks:
        numbers = _with_open(numbers, scene, ask, ask.by) if ask.by else numbers
    found = combinations(numbers, scene.sides, SINGLE, UNEVEN)
    pairs = all(len(_scores(unit)) == 2 for unit in numbers if _scores(unit))
    if not found and (pairs or NEXT.search(text.casefold())):
        found = _in_turns(numbers, scene)
    tolds = []
    for facts in (_named(scene, each.facts) for each in found):
        if facts is not None and (meant := _asks_as_meant(scene, places, facts, understand)):
            tolds.append(Told(scene, story, meant, facts, text.casefold()))
    return tolds


OPEN = frozenset((*SINGLE, *MEASURED))
"Kinds of numbers of which the one that is looked for takes the place."


def _with_open(numbers: list[list[Choice]], scene: Scene, ask: Asked, unknown: Unknown) -> list[list[Choice]]:
    """The numbers with the one that is looked for, and dearer what would be told for nothing."""
    mine = unknown.party or (ME if ME in scene.sides else "")
    if unknown.what in OF_SOMEBODY and mine:
        foe = scene.other(mine)
        summed = any(any(f.what == "total" and f.party == foe for f in _scores(unit)) for unit in numbers)
        idle = {("might", foe)} if summed else set()
        idle |= {(what, mine) for what in SCORES if unknown.what in SCORES}
        idle |= {("ward", mine), ("endurance", mine)} if ask.what in ("win", "harm", "out") else set()
        numbers = [[each for c in unit for each in _not_for_nothing(c, idle, foe)] for unit in numbers]
    named = [unknown.party] if unknown.party else [LOSER] if unknown.what in MEASURED else list(scene.sides)
    opened = [Choice(0.0, (Fact(unknown.what, SOUGHT, party),)) for party in named]
    return [*numbers, opened] if unknown.what in OPEN else numbers


def _not_for_nothing(choice: Choice, idle: set[tuple[str, str]], foe: str) -> Iterator[Choice]:
    """The choice, dearer where its number would do nothing; then one that only stands near may be the other's."""
    useless = any((fact.what, fact.party) in idle for fact in choice.facts)
    yield replace(choice, cost=choice.cost + BESIDE * useless)
    if useless and choice.cost >= NEAR:
        yield Choice(choice.cost, tuple(replace(fact, party=foe) for fact in choice.facts))


NEAR = 0.2
BESIDE = 0.6


def _asks_as_meant(
    scene: Scene,
    places: list[int],
    facts: tuple[Fact, ...],
    understand: Callable[[Scene, list[int]], list[Asked] | None],
) -> tuple[Asked, ...]:
    """What is asked, where a pronoun means whom the numbers show that it means."""
    chosen = {fact.through: fact.party for fact in facts if fact.through >= 0}
    before = [(item, item.parties) for item in scene.items if item.bound in chosen]
    for item, _ in before:
        item.parties = ((chosen[item.bound], 0.0),)
    asks = understand(scene, places) or []
    for item, parties in before:
        item.parties = parties
    return tuple(_meant(scene, ask, facts) for ask in asks)


def _meant(scene: Scene, ask: Asked, facts: tuple[Fact, ...]) -> Asked:
    """`what is left` is Endurance where any is spoken of, and else what Ward leaves of the damage."""
    kinds = {fact.what for fact in facts} - {"skip"}
    if ask.what == "result":
        struck = kinds & set(MEASURED) or kinds >= {"ward"}
        return replace(ask, what="left" if "endurance" in kinds else "harm" if struck else "total")
    if ask.what != "left":
        return ask
    tags = "".join(clause.tags for clause in scene.clauses)
    # Of Harm, and of damage with no Ward about, nothing is left but Endurance.
    warded = any(fact.what == "ward" and fact.value for fact in facts)
    kinds = {"endurance", "harm", *(() if warded else MEASURED)}
    endured = "E" in tags or any(fact.what in kinds for fact in facts) or _OF_SOMEBODY.search(scene.text)
    return replace(ask, what="endurance" if endured else "harm" if warded else "nothing")


def _in_turns(numbers: Sequence[Sequence[Choice]], scene: Scene) -> list[Combination]:
    """The same, where everybody may roll once per exchange: each further roll of a party is of the next one."""
    if any(len(_scores(unit)) == 2 for unit in numbers):
        # Where scores stand in pairs, a lone number is none if it may be something else.
        others = [[choice for choice in unit if not {f.what for f in choice.facts} & set(SCORES)] for unit in numbers]
        numbers = [
            more if more and len(_scores(unit)) == 1 else unit for unit, more in zip(numbers, others, strict=True)
        ]
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
    return Choice(choice.cost, tuple(replace(f, turn=turn if f.what in SCORES else 0) for f in choice.facts))


def _named(scene: Scene, facts: tuple[Fact, ...]) -> tuple[Fact, ...] | None:
    """The facts without those that mean nothing; None where one is somebody else's."""
    # The winner's Ward does nothing.
    found = tuple(fact for fact in facts if fact.what != "skip" and (fact.what, fact.party) != ("ward", WINNER))
    known = {*scene.sides, BOTH, LOSER, ""}
    return found if all(fact.party in known for fact in found) else None
