"""Whom `he`, `she` and `it` mean in a question with two parties."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.reading.scene import Scene

ME, FOE = "me", "foe"
WINNER, LOSER = "winner", "loser"
FIRST = {"i": "subject", "we": "subject", "me": "object", "us": "object", "my": "owner", "our": "owner",
         "mine": "owner", "ours": "owner", "myself": "object", "meself": "object"}  # fmt: skip
SECOND = {"you": "subject", "your": "owner", "yours": "owner", "yourself": "object"}
THIRD = {"he": "subject", "she": "subject", "they": "subject", "it": "subject", "him": "object", "them": "object",
         "his": "owner", "their": "owner", "hers": "owner", "theirs": "owner", "her": "owner"}  # fmt: skip
FEMALE = frozenset(
    "she her hers priestess witch queen girl lady sorceress maiden empress duchess medusa nun amazon valkyrie "
    "harpy huntress goddess gorgon enchantress princess shieldmaiden woman lass banshee baroness mistress".split()
)
MALE = frozenset("he him his king baron lord prince monk duke bloke man wizard brute minotaur paladin".split())


def person_of(word: str) -> str:
    if word in ("they", "them", "their", "theirs"):
        return "they"
    return "she" if word in FEMALE else "he" if word in MALE else word


EITHER = 0.15
"A second meaning that is hardly less likely: the numbers have to settle it."


@dataclass
class Pronouns:
    """Whom `he`, `she` and `it` may mean, as the question goes on."""

    scene: Scene
    own: bool
    "The player's fighter is spoken of by a noun, so a pronoun may mean it."
    named: bool
    "The other one is spoken of by a noun."
    throwing: set[str]
    words: set[str]
    "Third persons that occur."
    last: list[tuple[str, str]] = field(default_factory=list)
    "Party and noun of the mentions so far."
    early: set[str] = field(default_factory=set)
    "Third persons that act before any noun is there."

    def meant(self, word: str) -> tuple[tuple[str, float], ...]:
        person = person_of(word)
        if ME not in self.scene.sides:
            return self._of_two(word, person)
        rolls_against_me = person in self.throwing and (not self.named or ME in self.throwing)
        if not self.own or rolls_against_me:
            return ((FOE, 0.0),)
        if not self.named:
            return self._of_one_noun(word, person)
        if person in ("he", "she") and "it" in self.words:
            # Who says `it` of the monster says `he` or `she` of its own fighter.
            return ((ME, 0.0), (FOE, 0.5))
        if person == "it" or not self.last:
            return ((FOE, 0.0), (ME, 0.4 if person == "it" else 0.1))
        return self._nearest(word)

    def _of_one_noun(self, word: str, person: str) -> tuple[tuple[str, float], ...]:
        """With the player's fighter named only: the other one if it acts before that, else rather the fighter."""
        if not self.last and THIRD.get(word) == "subject":
            self.early.add(person)
        return ((FOE, 0.0),) if person in self.early else ((ME, 0.0), (FOE, EITHER))

    def _of_two(self, word: str, person: str) -> tuple[tuple[str, float], ...]:
        if person in self.scene.sides:
            return ((person, 0.0),)
        # `a character with Ward 2`, with nobody named: whoever is hurt.
        return self._nearest(word) if self.last else ((LOSER, 0.0),)

    def _nearest(self, word: str) -> tuple[tuple[str, float], ...]:
        """The last noun, or hardly less likely the other; a woman is no `he`."""
        party = self.last[-1][0]
        other = self.scene.other(party)
        # One who is never named is hardly ever meant.
        costs = {party: 0.0, other: 0.5 if other in ("first", "second") else 0.1}
        for side in self.scene.sides:
            nouns = [noun for whose, noun in self.last if whose == side]
            if any(_clash(word, noun) for noun in nouns):
                costs[side] += 1.0
        named = [side for side in self.scene.sides if self._is_a_name(side)]
        if len(named) == 1 and (word == "it" or word in FEMALE):
            # With one name and one noun, `she` is the name rather and `it` the noun.
            costs[named[0] if word == "it" else self.scene.other(named[0])] += 0.5
        return tuple(sorted(costs.items(), key=lambda each: each[1]))

    def _is_a_name(self, side: str) -> bool:
        """Whether a side goes by a name, which no article stands before."""
        word = re.escape(self.scene.names.get(side, side))
        determined = re.search(rf"\b(?:the|an?|my|our|your|his|her|its|their|this|that) {word}", self.scene.text, re.I)
        return word not in FEMALE and re.search(rf"\b{word.title()}\b", self.scene.text) is not None and not determined


def _clash(pronoun: str, noun: str) -> bool:
    return (pronoun in FEMALE and noun in MALE) or (pronoun in MALE and noun in FEMALE)
