"""The people and numbers of a story: who acts, whose number is whose, what each number counts.

A scene has two parties, `me` and `foe`. Every number gets the word that it stands by and the party whose it is:
``my ward is 1`` is (1, ward, me), ``he rolls 12`` is (12, rolls, foe), ``7 vs 7`` is one roll for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kb.glossary import stem
from kb.reading.tokens import Token, clauses, tokenize

ME, FOE = "me", "foe"
_FIRST_PERSON = frozenset("i me my mine myself we us our ours".split())
_THIRD_PERSON = frozenset("he him his she her hers they them their theirs it".split())
_FOE_NOUNS = frozenset("foe enemy enemies enemys enemy's opponent opponents opponent's foes foe's".split())
_OWN_NOUNS = frozenset("guy dude mini model character fighter hero champion".split())
_NOT_A_PERSON = frozenset(
    "act turn fight exchange assault deed dice die roll rolls table game difference total totals damage rest same other "
    "end start board way push bonus tie result winner loser attacker defender first second third charge melee combat "
    "others edge map question book rule rules point margin harm whole group ruling number numbers score".split()
)
_VERSUS = frozenset("vs versus against v to over".split())


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of the story."""

    value: float | int
    token: int
    "Its place among the scene's tokens."
    clause: int
    party: str | None
    "Whose number it is by the words around it; None where nothing tells."


@dataclass
class Scene:
    """A question, taken apart."""

    text: str
    groups: list[list[Token]]
    amounts: list[Amount] = field(default_factory=list)
    pairs: list[tuple[Amount, Amount]] = field(default_factory=list)
    "Numbers set against each other: `7 vs 7`, `5 to 9`, `9-6`."

    @property
    def words(self) -> list[str]:
        return [token.text for group in self.groups for token in group if token.kind != "mark"]

    def stems(self) -> set[str]:
        return {stem(word) for word in self.words}


class Parties:
    """Decides whose a stretch of words is, carrying the last party on where a clause names none."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.names = dict(names or {})
        "Creature word -> party, as it becomes known (`ogre`)."

    def of(self, group: list[Token], at: int) -> str | None:
        """The party of the mention at this place, or None where the word is no person."""
        word = group[at].text
        if word in _FIRST_PERSON:
            return ME
        if word in _FOE_NOUNS or word in _THIRD_PERSON:
            return FOE
        before = group[at - 1].text if at else ""
        if word in _OWN_NOUNS:
            return FOE if before in ("his", "her", "their", "the", "that", "enemy") else ME
        if word in self.names:
            return self.names[word]
        if before in ("the", "a", "an", "that", "this", "some") and self.is_creature(group, at):
            return self.names.setdefault(word, FOE)
        if before in ("my", "our") and self.is_creature(group, at):
            return self.names.setdefault(word, ME)
        return None

    @staticmethod
    def is_creature(group: list[Token], at: int) -> bool:
        """Whether the noun after an article may be a fighter: it acts, or has something, in the same clause."""
        word = group[at]
        if word.kind != "word" or word.text in _NOT_A_PERSON or len(word.text) < 3:
            return False
        after = group[at + 1].text if at + 1 < len(group) else ""
        return after in _ACTS or after.endswith("'s") or word.text.endswith("'s")


_ACTS = frozenset(
    "rolls rolled roll has had gets got charges charged assaults assaulted attacks attacked hits hit wins won loses "
    "lost is was takes took scores scored throws threw shows with".split()
)


def read_scene(text: str, names: Mapping[str, str] | None = None) -> Scene:
    """Takes a question apart."""
    groups = clauses(tokenize(text))
    scene = Scene(text, groups)
    parties = Parties(names)
    carried: str | None = None
    for number, group in enumerate(groups):
        mentions = [(at, party) for at in range(len(group)) if (party := parties.of(group, at))]
        for at, token in enumerate(group):
            if token.kind == "number" and token.value is not None:
                scene.amounts.append(Amount(token.value, at, number, _owner(mentions, at, carried)))
        if mentions:
            carried = mentions[-1][1]
        scene.pairs += _pairs(group, [a for a in scene.amounts if a.clause == number])
    return scene


def _owner(mentions: Iterable[tuple[int, str]], at: int, carried: str | None) -> str | None:
    """The last party named before the number; else the first one after it; else the last clause's."""
    before = [party for place, party in mentions if place < at]
    after = [(place, party) for place, party in mentions if place > at]
    if before:
        return before[-1]
    if after and after[0][0] - at <= 3:
        return after[0][1]
    return carried


def _pairs(group: list[Token], amounts: list[Amount]) -> list[tuple[Amount, Amount]]:
    found = []
    for left, right in zip(amounts, amounts[1:], strict=False):
        between = [token.text for token in group[left.token + 1 : right.token]]
        if len(between) == 1 and (between[0] in _VERSUS or set(between[0]) <= set("-–—:/")):
            found.append((left, right))
    return found
