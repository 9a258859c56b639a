"""Eldfall Chronicles: what a question tells of models, clause by clause.

Every clause becomes events: some models (`two of them`, `the other`, `a knight`) and what is told of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from kb.glossary import stem
from kb.reading.eldfall import words as w
from kb.reading.eldfall.asked import Asked
from kb.reading.eldfall.clause import Clause
from kb.reading.eldfall.part import HANDS, Item, Ref, parts_of
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import CARDINAL, Mark


@dataclass(slots=True)
class Event:
    """Some models, and what is told of them."""

    ref: Ref
    told: list[str] = field(default_factory=list)
    "Hands as `melee:held:sword`, `ranged:plain:bow`; States, near, far, loose, engages, aware, unaware."
    done: bool = False
    "It happened to them: `one is killed`, `I killed one`."


@dataclass(slots=True)
class _Sentence:
    """What reaches from one part of a sentence to the next."""

    led: str = ""
    "`near` or `engages`, told before the first models of a list."
    bare: list[Event] = field(default_factory=list)
    "Events so far of which nothing tells where they stand."
    owns: bool = False
    far: bool = False
    acts: bool = False
    "Something happened to models: `two killed, one petrified`."


class Teller:
    """Turns the clauses of a question into events."""

    def __init__(self, question: Asked) -> None:
        self.question, self.own, self.person = question, question.own, question.person
        self.speaks, self.sides = question.speaks, question.sides
        self.foes = False
        "Some were called the enemy's, so that those before them are the player's."
        self.unmarked = False
        "Some were named before anyone of the player's, and nothing tells whose they are."
        self.total: int | None = None
        self.side = ""
        "`mine` or `theirs`: whose models the clauses tell of, by a heading (`me: two archers`)."
        self.events: list[Event] = []
        self.state: str | None = None
        self.hands: list[str] = []
        "What is told of what the player's model holds."
        self.near_all = False
        self.about = ""
        "Whether reach or Awareness was spoken of last."
        self.named: Event | None = None
        "A noun with an article of which nothing is told yet."
        self.last_is_self = False

    def tell(self, clause: Sequence[Mark], sentence: _Sentence) -> None:
        clause = self._headed(clause) if self.sides else clause
        said = next((at for at, mark in enumerate(clause) if mark.text in w.SAYS), len(clause))
        if 0 < said < len(clause) and clause[said - 1].concept == w.FRIEND:
            said -= 2  # `my friend says`
        for part in parts_of(clause[: max(said, 0)]):
            if any(mark.concept == w.NOT for mark in part) and any(mark.text in _IDLE_VERBS for mark in part):
                continue  # `the bow doesn't help`
            only = any(mark.text == "only" and after.value for mark, after in pairwise(part))
            if only and self.events and any(mark.concept in (w.NEAR, w.REACH, w.ACTIVE) for mark in part):
                raise Unclear("the others are not near")
            read = Clause(part, self.question, sentence.owns, self.about)
            if self.sides:
                self._sided(read)
            place = (w.REACH, w.AWARE, w.ACTIVE, w.NEAR)
            self.about = next((mark.concept for mark in part if mark.concept in place), self.about)
            self._part(read, sentence)

    def _headed(self, clause: Sequence[Mark]) -> Sequence[Mark]:
        """The clause without the word that says whose models follow: `mine:`, `me 2 mages`, `he has three orcs`."""
        words = [mark.text for mark in clause]
        if {"v", "vs", "versus"} & set(words) or (words[1:2] == ["of"] and len(clause) == 3 and clause[2].value):
            self.total = sum(int(mark.value or 0) for mark in clause)  # `2v3 brawl`, `heap of seven`
            return []
        side, rest = _WHOSE.get(words[0], ""), clause[1:]
        counted = bool(rest) and rest[0].kind == CARDINAL
        if not side or (rest and not counted and rest[0].text not in ("have", "has", "are", "is", "side", "team")):
            return clause
        if counted and clause[0].concept in (w.OWN, w.POSSESSIVE) and not self.side:
            return clause  # `my three goblins around his troll`
        self.side = side
        return rest if counted else rest[1:]

    def _sided(self, part: Clause) -> None:
        """Whose the models of a clause are: by its heading, or because the others are called the enemy's."""
        refs = [item for item in part.items if item.ref is not None and item.ref.how in ("bare", "article", "the")]
        ends = [item.at for item in refs[1:]] + [len(part.marks)]
        foes = [
            any(mark.text in _FOES for mark in part.marks[item.at : end]) for item, end in zip(refs, ends, strict=False)
        ]
        first = any(foes) and not self.side and not self.foes
        self.foes |= any(foes)
        self.unmarked &= not first
        for event in (*self.events, *([self.named] if self.named else [])):
            event.ref = replace(event.ref, mine=event.ref.mine or first)
        for item, foe in zip(refs, foes, strict=True):
            assert item.ref is not None
            his = foe or self.side == "theirs" or part.concept(item.at) == w.POSSESSIVE
            if not his and (self.side == "mine" or first):
                item.ref = replace(item.ref, mine=True)
            doubt(item.ref.mine and self.unmarked, "whose the first ones are")
            self.unmarked |= not his and not item.ref.mine and not any(event.ref.mine for event in self.events)

    def _part(self, part: Clause, sentence: _Sentence) -> None:
        self.state = part.state or self.state
        owners: dict[int, Event] = {}
        refs = [item for item in part.items if item.kind == "ref"]
        for item in refs:
            assert item.ref is not None
            owners[item.at] = Event(item.ref)
        lone: list[Event] = []
        for item in part.items:
            if item.kind != "told":
                continue
            if sentence.owns and ":plain:" in item.what and not part.has(w.WITH, w.BE):
                continue  # `he owns a sword and a bow`
            owner = self._owner(part, item)
            if owner == "self":
                self._of_self(item)
            elif owner == "nobody":
                continue  # `the kobold is engaged` tells nothing of whom it engages.
            elif isinstance(owner, Item):
                owners[owner.at].told.append(item.what)
                if owner.at > item.at and item.what in (*w.STATES, w.LOOSE, w.FAR):
                    owners[owner.at].done = True  # `I killed two`
                leads = owner.at > item.at and item.what in (w.NEAR, w.PASSIVE)
                sentence.led = item.what if leads else sentence.led
            elif owner == "everywhere":
                self.near_all = True
            else:
                lone.append(Event(self._ref(owner), [item.what]))
        done = part.has(w.BE) or any(word in w.HAPPENS for mark in part.marks for word in mark.text.split())
        self._keep(part, [event for _, event in sorted(owners.items())], sentence, done)
        if self.named is not None and lone:
            self.events.append(self.named)
        if part.items and self.named not in owners.values():
            self.named = None
        self.events += _joined(lone)
        sentence.owns = part.has(w.OWNS) or (sentence.owns and not part.has(w.WITH, w.HELD, w.TAKES, w.BE))
        if part.items:
            last = [item for item in part.items if item.kind in ("ref", "self")]
            self.last_is_self = last[-1].kind == "self" and not refs if last else self.last_is_self

    def _is_new(self) -> bool:
        """`he holds a bow. am I engaged`: somebody of whom nothing was told before."""
        return self.speaks and not self.events and self.named is None

    def _is_anothers(self, part: Clause, item: Item) -> bool:
        """`his halberd is in hand`, `crossbow in her hands`, where the model is called otherwise."""
        before = part.mark(item.at - 1)
        words = {word for mark in part.marks for word in mark.text.split()}
        his = before is not None and (before.text == "his" or (before.text in ("her", "their") and not self.own))
        return his or bool(self.own and not self.person and words & {"his", "her"})

    def _ref(self, owner: str) -> Ref:
        if owner == "someone":
            return Ref("bare", 1, named=True)  # `his halberd is in hand`
        return self._item() if owner == "item" else Ref(owner)

    def _item(self) -> Ref:
        """A weapon by itself: one more model of a list (`three goblins: spear, bow, club`), or of the model before."""
        before = self.events[-1].ref if self.events else None
        if before is not None and before.how != "ordinal" and (before.how == "listed" or (before.count or 0) > 1):
            return Ref("listed", 1)
        return Ref("item", 1)

    def _keep(self, part: Clause, events: list[Event], sentence: _Sentence, done: bool) -> None:
        for event in events:
            if event.ref.how == "same" and self.named is not None:
                event.ref = self.named.ref  # `his chieftain, who is incapacitated`
            if not event.told and (event.ref.how in ("same", "rest") or event.ref.count is None):
                continue
            if event.ref.how == "all" and not self.events and event.told == [w.NEAR] and event.ref.count is None:
                self.near_all = True
                continue
            if not event.told and event.ref.how in ("article", "the", "other") and not sentence.led and not self.sides:
                self.named = event
                continue
            place = {w.NEAR, w.FAR, w.ACTIVE, w.PASSIVE, w.ENGAGER, w.LOOSE} & set(event.told)
            hands = {told.partition(":")[0] for told in event.told} - {w.MELEE, w.ARMED, w.STAFF}
            if not place and sentence.led and not (hands and sentence.led == w.PASSIVE):
                event.told.append(sentence.led)
            sentence.far |= w.FAR in event.told
            if w.NEAR in place and not sentence.far and not sentence.led:
                for bare in sentence.bare:
                    bare.told.append(f"{w.NEAR}:perhaps")
                sentence.bare.clear()
            elif not place:
                sentence.bare.append(event)
            event.done |= done or (sentence.acts and bool({*w.STATES, w.FAR} & set(event.told)))
            sentence.acts |= event.done and bool({*w.STATES, w.FAR, w.LOOSE} & set(event.told))
            self.events.append(event)

    def _owner(self, part: Clause, item: Item) -> Item | str:
        """Of whom something is told: models of this part, the player's model, or `same`, those of the part before."""
        before = [each for each in part.items if each.kind == "ref" and each.at <= item.at]
        after = [each for each in part.items if each.kind == "ref" and each.at > item.at]
        people = [each for each in part.items if each.kind in ("self", "pronoun")]
        doer = next((each for each in people if each.at < item.at), None)
        if ":" in item.what or item.what == "shoots":
            return self._holder(part, item, before, after, doer)
        if item.what in w.STATES:
            mark, behind = part.mark(item.at - 1), part.mark(item.at + 1)
            objects = {*part.marks[item.at].text.split(), behind.text if behind else ""} & {"him", "her", "it", "them"}
            object_ = bool(objects) and (self.speaks or (doer is not None and part.marks[doer.at].text in ("i", "we")))
            if (
                (self.speaks or object_)
                and not before
                and (object_ or (doer is not None and doer.kind == "pronoun" and not self.own))
            ):
                return "same" if self.events else "someone"  # `my attack petrified him, he is a statue. am I free`
            itself = doer is not None and mark is not None and mark.text in ("is", "am", "was", "are")
            if before and after and (mark is None or mark.concept != w.BE):
                if not part.marks[item.at].text.startswith(("kill", "slew", "slay", "knock", "cut")):
                    raise Unclear("who did it to whom")
                return before[-1] if part.concept(item.at + 1) == w.BY else after[0]
            if not before and (itself or not after) and doer is not None and (doer.kind == "self" or self.last_is_self):
                return "self"
            if before and behind is not None and behind.concept == w.OWN:
                raise Unclear("whom it did it to")  # `the orc killed my friend`
            if before or after:
                return before[-1] if before else after[0]
            if doer is not None and doer.kind == "pronoun" and self._is_new():
                return "someone"
            return "self" if self.last_is_self else "same"
        if item.what == w.ACTIVE:
            if not before and (doer is not None or after):
                return "nobody"  # whom the player's model engages tells nothing of who engages it
            return before[-1] if before else "same"
        if item.what == w.PASSIVE:
            return self._engager(part, item, before, after, bool(people))
        if item.what == w.LOOSE:
            doubt(before and not people and part.mark(before[-1].at - 1) is None, "an enemy disengages")
            return before[-1] if before else after[0] if after else "sole"
        reaches = part.marks[item.at].concept == w.REACH and part.concept(item.at + 1) != w.OF
        mine = any(part.concept(at) == w.OWN and part.concept(at + 1) in HANDS for at in range(item.at))
        if item.what == w.NEAR and reaches and not before and (mine or (doer is not None and after)):
            return "nobody"  # `my spear reaches him`
        if before or after:
            return before[-1] if before else after[0]
        return "everywhere" if item.what == w.NEAR else "same"

    def _holder(self, part: Clause, item: Item, before: list[Item], after: list[Item], doer: Item | None) -> Item | str:
        if after and after[0].at == item.at + 1:
            return after[0]  # `the axe orc`
        nearest = max([*before, *([doer] if doer else [])], key=lambda each: each.at, default=None)
        if nearest is not None and nearest.kind == "self" and before:
            several = (before[-1].ref is not None and (before[-1].ref.count or 2) > 1) and _is_plural(
                part.marks[item.at]
            )
            if not several and part.concept(nearest.at) not in (w.SELF, w.THIRD):
                between = [mark.concept for mark in part.marks[nearest.at : item.at]]
                return "self" if w.WITH in between else _unclear("whose weapon it is")
            doubt(not several and before[-1].ref and before[-1].ref.count != 1, "whose weapon it is")
            return before[-1]
        if before:
            return before[-1]
        if nearest is not None and nearest.kind == "pronoun" and self._is_new():
            return "someone"
        if nearest is not None:
            return "self" if nearest.kind == "self" or self.last_is_self else self._same(part, item)
        return after[0] if after else "self" if self.last_is_self else self._same(part, item)

    def _same(self, part: Clause, item: Item) -> str:
        """The models of the part before: all of them, or one more of a list (`three goblins: spear, bow, club`)."""
        if not self.events and self.named is None:
            return "someone" if not part.flipped and self._is_anothers(part, item) else "self"
        if self.events and self.events[-1].ref.how == "listed":
            return "item"
        if not _is_plural(part.marks[item.at]) and item.what != "shoots":
            return "item"
        return "same"

    def _engager(self, part: Clause, item: Item, before: list[Item], after: list[Item], people: bool) -> Item | str:
        by = next((at for at in range(item.at + 1, len(part.marks)) if part.concept(at) in (w.BY, w.WITH)), None)
        if before and (not people or (by is not None and not after)):
            return "nobody"
        if before:
            return before[-1]
        if after:
            return after[0]
        return "same" if people else _unclear("engaged by whom")

    def _of_self(self, item: Item) -> None:
        if item.what in w.STATES:
            self.state = item.what
        elif ":" in item.what or item.what == "shoots":
            self.hands.append(item.what)


def _is_plural(mark: Mark) -> bool:
    """Whether a word for what is in hand may be said of several."""
    return mark.text.endswith("s") or mark.concept not in (w.MELEE, w.RANGED, w.ARMED)


def _unclear(what: str) -> str:
    raise Unclear(what)


def _joined(events: list[Event]) -> list[Event]:
    """Events of the same models as one."""
    found: list[Event] = []
    for event in events:
        if found and found[-1].ref == event.ref:
            found[-1].told += event.told
        else:
            found.append(event)
    return found


_WHOSE = dict.fromkeys(w.listed("mine"), "mine") | dict.fromkeys(w.listed("theirs"), "theirs")
_FOES, _IDLE_VERBS = w.listed("foes"), w.listed("idle verbs")
_TEXT = frozenset(map(stem, w.listed("text")))


def _may_engage_by_text(marks: Sequence[Mark]) -> bool:
    """An accessory, engaging, and a text that says something, in words that are not understood as saying so."""
    text = _SAYS_NOTHING.sub("", " ".join(mark.text for mark in marks))
    words = {stem(word) for word in text.split()}
    return bool("engag" in text and words & w.THINGS and words & _TEXT) and not any(m.concept == w.STAFF for m in marks)


_SAYS_NOTHING = re.compile(r"\b(?:nothing|no word|not a word|no mention) (?:\w+ ){0,4}?(?:about|of|on) engag\w*")


def _doubts_the_text(clause: Sequence[Mark]) -> bool:
    """`nowhere on the card it says that it can engage`, `only if it says it can engage`."""
    said = any(mark.concept == w.STAFF and "engag" in mark.text for mark in clause)
    return said and any(mark.concept == w.NOT or mark.text in ("nowhere", "if", "unless", "hardly") for mark in clause)


def told(question: Asked) -> Teller:
    """The events of the clauses that do not ask. Raises `Unclear`."""
    teller, clauses = Teller(question), question.rest
    sentences: dict[int, _Sentence] = {}
    marks = [mark for clause in clauses for mark in clause]
    if any(mark.concept == w.DODGE for mark in marks) and not any(mark.concept == w.LOOSE for mark in marks):
        raise Unclear("a Dodge of which it is not told whether it Disengages")
    if _may_engage_by_text(marks) or any(_doubts_the_text(clause) for clause in clauses):
        raise Unclear("an accessory whose text speaks of engaging")
    quoted = -1
    for clause in clauses:
        if clause[0].sentence == quoted:
            continue  # `they say: 'no weapon, no engage'`
        teller.tell(clause, sentences.setdefault(clause[0].sentence, _Sentence()))
        if clause[-1].text in w.SAYS:
            quoted = clause[0].sentence
    return teller
