"""Eldfall Chronicles: the words of a clause: nouns, `of them`, and which weapon is in hand, which put away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.glossary import stem
from kb.reading.eldfall import words as w
from kb.reading.eldfall.words import doubt
from kb.reading.marks import CARDINAL, Mark

HANDS = (w.MELEE, w.RANGED, w.UNARMED, w.SPELL, w.NONE, w.STAFF, w.ARMED)
TELLING = frozenset(
    (*HANDS, *w.STATES, w.NEAR, w.FAR, w.LOOSE, w.ACTIVE, w.PASSIVE, w.ENGAGER, w.AWARE, w.UNAWARE, w.REACH, "shoots")
)
HOW_HELD = frozenset((w.HELD, w.TAKES, w.AWAY, w.OWNED, w.OWNS))
_PLURALS = frozenset("men women folk undead people cavalry infantry thieves wolves dwarves elves mice kin".split())
_MINE = ("mine", "ours")
_MOST_WORDS = 3
"Words of a noun phrase that stand in no list."


@dataclass(frozen=True, slots=True)
class Ref:
    """Which models are meant."""

    how: str
    "bare | article | of | all | rest | other | ordinal | the | same | item | sole"
    count: int | None = None
    total: int | None = None
    "Of how many; for another one, the how manieth it is."
    nouns: frozenset[str] = frozenset()
    mine: bool = False
    named: bool = False
    "A noun stands there, not only a number."
    none: bool = False
    "`none of them`."


def is_known(mark: Mark) -> bool:
    return bool(mark.concept) or mark.value is not None or all(stem(x) in w.FILLER_WORDS for x in mark.text.split())


def parts_of(clause: Sequence[Mark]) -> Iterator[list[Mark]]:
    """A clause divided at `and`, `but`, `while`."""
    part: list[Mark] = []
    for mark in clause:
        if mark.concept == w.AND:
            if part:
                yield part
            part = []
        else:
            part.append(mark)
    if part:
        yield part


@dataclass(slots=True)
class Item:
    """A stretch of a clause: models, the player's model, or what is told."""

    kind: str
    "ref | self | pronoun | told"
    at: int
    ref: Ref | None = None
    what: str = ""


class Part:
    """Some marks of a clause, and what stands where in them."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self.marks = marks
        self.modifiers = self._modified()
        "How each weapon is held: place of the weapon -> concepts."
        self.denials: set[int] = set()
        "Places of the negations that were understood."

    def has(self, *concepts: str) -> bool:
        return any(mark.concept in concepts for mark in self.marks)

    def mark(self, at: int) -> Mark | None:
        return self.marks[at] if 0 <= at < len(self.marks) else None

    def concept(self, at: int) -> str:
        mark = self.mark(at)
        return mark.concept if mark else ""

    def _noun(self, at: int) -> tuple[frozenset[str], bool, bool, int]:
        """(stems of the nouns from here on, whether they are the player's, plural, where they end)."""
        nouns: list[str] = []
        mine, unknown, last = False, 0, ""
        while at < len(self.marks):
            mark = self.marks[at]
            if mark.text in w.PREPOSITIONS:
                break
            if mark.concept == w.OWN and nouns:
                break
            if mark.concept == w.OWN:
                mine = True
            elif mark.concept in (w.NOUN, w.FRIEND):
                mine = mine or (mark.concept == w.FRIEND and not last.endswith("'s"))
                nouns.append("")
                last = mark.text
            elif mark.concept == w.OF and nouns and at + 1 < len(self.marks) and self.marks[at + 1].text in _MINE:
                mine, at = True, at + 2  # `a halberdier of mine`
                break
            elif mark.concept == w.ENGAGER:
                break
            elif not mark.concept and mark.value is None and not is_known(mark) and unknown < _MOST_WORDS:
                doubt(mark.text.endswith(("ed", "ing", "ly")) and mark.text not in w.NOT_VERBS, mark.text)
                nouns.append(stem(mark.text))
                last, unknown = mark.text, unknown + 1
            elif mark.concept or mark.value is not None or not is_known(mark) or nouns:
                break
            at += 1
        plural = (last.endswith("s") and not last.endswith(("ss", "us"))) or last in _PLURALS or last.endswith("men")
        return frozenset(nouns), mine, plural, at

    def _modified(self) -> dict[int, set[str]]:
        """`sword in hand` and `holding a sword`: a word belongs to the weapon right before it, else to the next one."""
        found: dict[int, set[str]] = {}
        swapped = next((at for at, mark in enumerate(self.marks) if mark.text in w.SWAPS), None)
        into = next((at for at, mark in enumerate(self.marks) if mark.text == "for"), None)
        weapons = [at for at, mark in enumerate(self.marks) if mark.concept in HANDS]
        for at, mark in enumerate(self.marks):
            if mark.concept not in HOW_HELD:
                continue
            before = [place for place in weapons if place < at]
            after = [place for place in weapons if place > at]
            behind = bool(before) and mark.concept not in (w.TAKES, w.OWNS) and self._adjoin(before[-1], at)
            if behind or (before and not (after and self._adjoin(at, after[0]))):
                found.setdefault(before[-1], set()).add(mark.concept)
            elif after:
                found.setdefault(after[0], set()).add(mark.concept)
        if swapped is not None and into is not None:
            # `swapped the bow for an axe`
            found |= {at: {w.AWAY if swapped < at < into else w.TAKES} for at in weapons if at > swapped}
        return found

    def _adjoin(self, start: int, end: int) -> bool:
        """Whether nothing but articles and words that change nothing stands between."""
        loose = ("", w.ARTICLE, w.THE, w.POSSESSIVE, w.OWN, w.BE, w.FILLER, *HOW_HELD)
        return all(mark.concept in loose for mark in self.marks[start + 1 : end])

    def _past_of(self, at: int) -> tuple[int, int | None, str]:
        """Past `of them`, `of the five`: (place, the total, how)."""
        if self.concept(at) != w.OF:
            return at, None, "bare"
        at += 1
        total = None
        while at < len(self.marks):
            mark = self.marks[at]
            if mark.kind == CARDINAL and mark.value is not None:
                total = int(mark.value)
                at += 1
                break
            if mark.concept not in (w.THE, w.THEY, w.OWN, w.POSSESSIVE, w.ALL, w.ARTICLE):
                break
            at += 1
        return at, total, "of"

    def denied(self, at: int, reach: int = 3) -> bool:
        """Whether a negation stands shortly before."""
        around = range(max(0, at - reach), at)
        places = [place for place in around if self.concept(place) == w.NOT and place not in self.denials]
        self.denials.update(places)
        return bool(places)

    def held(self, at: int) -> str:
        """What a word for a weapon says of what is in hand: `melee:plain`; nothing for one that is only owned."""
        concept = self.marks[at].concept
        mark = self.mark(at - 1)
        if (mark is not None and mark.concept == w.OWN and not self.modifiers.get(at)) or self.concept(
            at + 1
        ) == w.REACH:
            return ""  # `by my axe`, `within spear reach`
        if self.denied(at):
            if concept == w.NONE and stem(self.marks[at].text) in w.THINGS:
                return ""  # `no accessories`
            doubt(concept not in (w.MELEE, w.ARMED), f"not {self.marks[at].text}")
            return f"{w.NONE}:plain:"
        name = stem(self.marks[at].text)
        if concept in (w.NONE, w.UNARMED, w.STAFF):
            return f"{concept}:plain:{name}"
        how = self.modifiers.get(at, set())
        if w.AWAY in how:
            doubt(how & {w.TAKES, w.HELD}, "put away and held")
            return f"{w.NONE}:away:{name}"
        if w.OWNED in how or (w.OWNS in how and not how & {w.TAKES, w.HELD}):
            return ""
        if w.TAKES in how:
            return f"{concept}:takes:{name}"
        return f"{concept}:{'held' if w.HELD in how else 'plain'}:{name}"


def own_nouns(clauses: Sequence[Sequence[Mark]]) -> frozenset[str]:
    """Stems of the nouns of `my ogre`, `my old priest`."""
    found: set[str] = set()
    for clause in clauses:
        for at, mark in enumerate(clause):
            if mark.text in _MINE and at > 1 and clause[at - 1].concept == w.OF and not is_known(clause[at - 2]):
                found |= {stem(clause[at - 2].text)} if not clause[at - 2].text.endswith("s") else set()
            if mark.concept != w.OWN or mark.text not in ("my", "our"):
                continue
            after = [each for each in clause[at + 1 : at + 4] if not is_known(each)]
            follows = clause[at + 1 : at + 2]
            named = bool(after) and (follows[0] is after[0] or follows[0].concept in ("", *w.STATES, *HANDS))
            if named and follows[0].value is None and after[0].text not in w.NO_MODELS:
                found.add(stem(after[0].text))
    return frozenset(found)
