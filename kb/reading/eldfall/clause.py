"""Eldfall Chronicles: one clause of a question, as the models that it names and what it tells of them.

Words that are not understood and may matter make the clause unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kb.reading.eldfall import words as w
from kb.reading.eldfall.asked import Asked
from kb.reading.eldfall.part import HANDS, HOW_HELD, TELLING, Item, Part, Ref, is_known
from kb.reading.eldfall.words import Unclear, doubt
from kb.reading.marks import CARDINAL, ORDINAL, Mark

_ME = Ref("the", 1, nouns=frozenset({"me"}), named=True)
"The player's model, where another one is asked about."
_PERSONS = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she"}


class Clause(Part):
    """Reads one part of a clause."""

    def __init__(self, marks: Sequence[Mark], question: Asked, owns: bool, about: str) -> None:
        super().__init__(marks)
        self.own, self.owns, self.about, self.flipped = question.own, owns, about, question.flipped
        self.person, self.sides = question.person, question.sides
        self.items: list[Item] = []
        self.state: str | None = None
        "The State of the player's model (`my downed scout`)."
        at = 0
        while at < len(marks):
            at = self._read(at)
        self._elliptic()
        if not self.has(*HANDS) and any(
            mark.concept in (w.TAKES, w.AWAY) and not mark.text.endswith(("ground", "floor")) for mark in marks
        ):
            raise Unclear("what is taken or put away")

    def _elliptic(self) -> None:
        """`two engage me, one doesn't`; any other negation that is left over is not understood."""
        left = [at for at, mark in enumerate(self.marks) if mark.concept == w.NOT and at not in self.denials]
        left = [at for at in left if not (self.marks[at].text == "nobody" and self.concept(at - 1) == w.ACTIVE)]
        if not left:
            return
        refs = [item for item in self.items if item.kind == "ref"]
        if len(left) == 1 and len(refs) == len(self.items) == 1 and left[0] == len(self.marks) - 1 and self.about:
            self._add(Item("told", left[0], what=w.UNAWARE if self.about == w.AWARE else w.FAR), 0)
        elif self.items:
            raise Unclear("a negation")

    def _read(self, at: int) -> int:
        mark = self.marks[at]
        before = self.concept(at - 1)
        if mark.kind == CARDINAL and mark.value is not None:
            return self._number(at)
        if mark.kind == ORDINAL:
            return self._ordinal(at)
        if mark.concept == w.ALL:
            return self._all(at)
        if mark.concept in (w.OTHER, w.REST):
            return self._other(at)
        if mark.concept == w.ARTICLE:
            return self._article(at)
        if mark.concept == w.THE:
            return self._the(at)
        if mark.concept == w.OWN:
            return self._mine(at)
        if mark.concept == w.POSSESSIVE:
            return self._his(at)
        if mark.concept == w.SELF and self.flipped and mark.text in ("i", "me", "we", "us", "myself"):
            return self._add(Item("ref", at, _ME), at + 1)
        if mark.concept == w.SELF:
            return self._add(Item("self", at), at + 1)
        if self.person and mark.text in _PERSONS and _PERSONS[mark.text] != self.person:
            return self._ref(at, at + 1, "the", 1, nouns=frozenset({_PERSONS[mark.text]}), named=True)
        if mark.concept == w.THIRD:
            return self._add(Item("pronoun", at), at + 1)
        if mark.concept == w.THEY:
            relative = self.items and self.items[-1].kind in ("ref", "self") and mark.text in ("who", "which", "that")
            if before not in (w.OF, w.ALL) and not relative:
                self._ref(at, at, "same")
            return at + 1
        if mark.concept in TELLING:
            return self._told(at)
        if mark.text in ("has", "have", "had") and self._holds_the_model(at):
            return self._add(Item("told", at, what=w.ACTIVE), at + 1)  # `two had me`
        if mark.text in ("on", "at") and self._on_the_model(at + 1):
            return self._add(Item("told", at, what=w.ACTIVE if mark.text == "on" else w.NEAR), at + 1)
        if mark.text in ("some", "few", "several", "various") and {self.concept(at + 1), self.concept(at + 2)} & {
            w.SPELL,
            w.NONE,
        }:
            return at + 1  # `a few spells`
        if mark.text == "out of it" and self.about in (w.REACH, w.AWARE):
            return self._add(Item("told", at, what=w.FAR if self.about == w.REACH else w.UNAWARE), at + 1)
        doubt(mark.concept in (w.STRANGE, w.REROLL, w.ZONE, w.FREE), mark.text)
        if mark.concept in (w.NOUN, w.FRIEND) or not is_known(mark):
            return self._bare_noun(at)
        if mark.concept in (w.OUTSIDE, w.INSIDE) and not self._of_reach(at):
            return self._by_itself(at)
        return at + 1

    def _of_reach(self, at: int) -> bool:
        """Whether reach or Awareness is what is left; `the one on the left` is no leaving."""
        if any(mark.concept in (w.REACH, w.AWARE) for mark in self.marks[at + 1 : at + 7]):
            return True
        after = self.mark(at + 1)
        return self.marks[at].text == "left" and (after is None or after.text in w.PREPOSITIONS)

    def _by_itself(self, at: int) -> int:
        """`two outside`, where reach or Awareness was spoken of before."""
        last = all(mark.text in ("it", "of") for mark in self.marks[at + 1 :])
        doubt(not last or not self.about, self.marks[at].text)
        outside = self.marks[at].concept == w.OUTSIDE
        pair = (w.AWARE, w.UNAWARE) if self.about == w.AWARE else (w.NEAR, w.FAR)
        return self._add(Item("told", at, what=pair[outside]), len(self.marks))

    def _holds_the_model(self, at: int) -> bool:
        """`the troll has my medic`, but not `has my medic engaged`."""
        after = self.marks[at + 1 :]
        held = bool(after) and after[0].concept in (w.SELF, w.OWN) and not any(m.concept in TELLING for m in after)
        return held and any(item.kind == "ref" for item in self.items)

    def _on_the_model(self, at: int) -> bool:
        """`all on my guy`."""
        if self.concept(at) not in (w.OWN, w.THE):
            return False
        adjective = self.concept(at + 1) in (*HANDS, *w.STATES)
        nouns, _, plural, _ = self._noun(at + 1 + adjective)
        return bool(nouns & (self.own | {""})) and not plural

    def _add(self, item: Item, at: int) -> int:
        self.items.append(item)
        return at

    def _ref(self, at: int, end: int, *ref: Any, **more: Any) -> int:
        return self._add(Item("ref", at, Ref(*ref, **more)), end)

    # --- models ---------------------------------------------------------------------------------------------

    def _number(self, at: int) -> int:
        mark = self.marks[at]
        count = int(mark.value or 0)
        following = self.mark(at + 1)
        if following is not None and following.text in w.TIMES:
            return at + 2  # `two turns ago`
        doubt(count != mark.value or count > 12, mark.text)
        before, after = self.concept(at - 1), self.concept(at + 1)
        if after in HANDS and (self.owns or before in (w.WITH, w.HELD, w.OWNS, w.OWNED, w.TAKES)):
            return at + 1  # `with two daggers`
        if mark.text == "both" and after in (w.MELEE, w.RANGED):
            return at + 1  # `both axes in hand`
        if mark.text == "both":
            return self._ref(at, self._noun(self._past_of(at + 1)[0])[3], "all", 2)
        place, total, how = self._past_of(at + 1)
        if count == 0:
            doubt(how != "of", mark.text)
            return self._ref(at, place, "all", none=True)
        nouns, mine, plural, end = self._noun(place)
        doubt(nouns and plural != (count > 1) and "" not in nouns and how == "bare", f"{mark.text} {' '.join(nouns)}")
        if self.concept(end) == w.OTHER:
            return self._other(end, count)
        if count == 1 and not nouns and before in (w.POSSESSIVE, w.OWN):
            return end  # `in his one swing`
        if nouns & self.own:
            return self._add(Item("self", at), end)
        named = bool(nouns) or self.concept(end) == w.ENGAGER
        ours = how == "of" and self.marks[place - 1].text in ("mine", "ours", "his", "hers", "theirs")
        if how == "of" and total is None and (named or ours):
            how, named = "bare", True  # `two of his knights` may be new
        return self._ref(at, end, how, count, total, nouns, mine or self._of_mine(at, end), named)

    def _of_mine(self, at: int, end: int) -> bool:
        """`two of my guys`, but not `one of my engagers`."""
        return self.concept(end) != w.ENGAGER and any(mark.concept == w.OWN for mark in self.marks[at:end])

    def _ordinal(self, at: int) -> int:
        mark = self.marks[at]
        before, after = self.mark(at - 1), self.mark(at + 1)
        if before is not None and before.text == "at":
            return at + 1  # `at first`
        if self.concept(at - 1) == w.ARTICLE:
            nouns, mine, _, end = self._noun(at + 2 if after is not None and after.text == "one" else at + 1)
            nth = int(mark.value or 0)
            return self._ref(at, end, "other", 1, nth, nouns, mine, bool(nouns))
        if after is None and (self.concept(at - 1) == w.THE or len(self.marks) == 1):
            return self._ref(at, at + 1, "ordinal", int(mark.value or 0))
        if after is None or (after.concept in (w.SELF, w.THIRD, w.OWN) and not self._alone(at)):
            return at + 1
        _, _, _, end = self._noun(at + 1)
        if after.kind == CARDINAL and after.value == 1:
            end = self._noun(at + 2)[3]
        return self._ref(at, end, "ordinal", int(mark.value or 0))

    def _alone(self, at: int) -> bool:
        """Whether no other models are named in this part."""
        return not any(mark.kind == CARDINAL or mark.concept in (w.ARTICLE, w.OTHER) for mark in self.marks[at + 1 :])

    def _all(self, at: int) -> int:
        place, total, _ = self._past_of(at + 1)
        mark = self.mark(place)
        if total is None and mark is not None and mark.kind == CARDINAL and self.concept(place + 1) not in HANDS:
            total, place = int(mark.value or 0), place + 1
        if self.concept(place) == w.THEY:
            place += 1
        _, mine, _, place = self._noun(place)
        return self._ref(at, place, "all", total, mine=mine)

    def _other(self, at: int, count: int | None = None) -> int:
        mark, place = self.marks[at], at + 1
        where = self.mark(at - 2)
        if self.concept(at - 1) == w.THE and where is not None and where.text in ("on", "in", "at"):
            return self._noun(place)[3]  # `on the other flank`
        plural = mark.concept == w.REST
        following = self.mark(place)
        if following is not None and following.kind == CARDINAL and following.value and not plural:
            count, place = int(following.value), place + 1
        nouns, mine, many, end = self._noun(place)
        if mark.concept == w.REST or (mark.text == "other" and many):
            place = self._past_of(end)[0]
            return self._ref(at, place, "rest", count, nouns=nouns, mine=mine)
        how = "other" if mark.text in ("another", "one more", "further") else "rest"
        return self._ref(at, end, how, count or 1, nouns=nouns, mine=mine, named=bool(nouns))

    def _article(self, at: int) -> int:
        after = self.mark(at + 1)
        if after is None or after.kind == CARDINAL or after.kind == ORDINAL or after.concept == w.OTHER:
            return at + 1
        adjective = after.concept in TELLING - {w.MELEE, w.RANGED, w.ARMED, w.REACH, w.AWARE}
        nouns, mine, plural, end = self._noun(at + 1 + adjective)
        if not nouns or plural:
            return at + 1
        if adjective:
            return self._ref(at, at + 1, "article", 1, nouns=nouns, mine=mine, named=True)
        before = self.mark(at - 1)
        if nouns & self.own:
            return self._add(Item("self", at), end)
        aside = before is not None and before.text in ("in", "on", "at", "into", "for", "as", "like", "behind")
        if aside or (before is not None and before.text == "of" and self.concept(at - 2) != w.REACH):
            return end
        if self.concept(end) in HANDS and self.concept(at - 1) in (w.WITH, w.HELD, w.TAKES, w.OWNS):
            return end  # `with a huge axe`
        how = "bare" if "" in nouns or mine else "article"
        return self._ref(at, end, how, 1, nouns=nouns, mine=mine, named=True)

    def _the(self, at: int) -> int:
        mark, before, after = self.marks[at], self.mark(at - 1), self.mark(at + 1)
        if after is None:
            return at + 1
        if mark.text in ("last", "final") and after.text in w.TIMES:
            return at + 2
        if mark.text in ("last", "final"):
            end = self._noun(at + 1)[3]
            return self._ref(at, end, "rest", 1)
        if after.kind == CARDINAL and self.concept(at + 2) not in HANDS:
            if after.text == "one" and before is not None and before.text in ("i", "am"):
                return at + 2  # `I am the one on the floor`
            if after.text == "one":
                return self._ref(at, at + 2, "the", 1, named=False)
            return self._ref(at, self._noun(at + 2)[3], "all", int(after.value or 0))
        if after.kind or after.concept in (w.OTHER, w.REST, w.THE, w.OWN):
            return at + 1
        nouns, _, plural, end = self._noun(at + 1)
        if not nouns:
            return at + 1
        if nouns & self.own:
            return self._add(Item("self", at), end)
        if before is not None and before.text in ("in", "on", "at", "into", "for", "after", "of"):
            return end
        return self._ref(at, end, "all" if plural else "the", None if plural else 1, nouns=nouns, named=True)

    def _mine(self, at: int) -> int:
        """`my ogre`: the player's model; `my four archers`: some of the player's."""
        after = self.mark(at + 1)
        if after is not None and after.kind == CARDINAL and (after.value or 0) > 1:
            nouns, _, _, end = self._noun(at + 2)
            return self._ref(at, end, "bare", int(after.value or 0), nouns=nouns, mine=True, named=True)
        if after is not None and after.text in ("enemy", "opponent", "foe", "rival"):
            if self.concept(at - 1) == w.OF:
                return at + 2  # `the lizard of my enemy`
            nouns, _, plural, end = self._noun(at + 1)
            return self._ref(at, end, "the", 1, nouns=nouns, named=True)
        if after is not None and after.concept == w.FRIEND:
            return self._ref(at, self._noun(at + 1)[3], "the", 1, nouns=frozenset({""}), mine=True)
        if after is not None and after.concept in (*w.STATES, *HANDS) and self._noun(at + 2)[0]:
            nouns, _, plural, end = self._noun(at + 2)
            if self.flipped and after.concept in HANDS and not nouns & self.own:
                self._ref(at, at, "the", 1, nouns=nouns, named=True)
                return self._add(Item("told", at + 1, what=self.held(at + 1) or f"{after.concept}:plain:"), end)
            doubt(plural or (self.flipped and not nouns & self.own), "several of the player's")
            self.state = after.concept if after.concept in w.STATES else self.state
            return self._add(Item("self", at), end)
        nouns, _, plural, end = self._noun(at + 1)
        if nouns and not plural and self.marks[at].text in ("my own", "our own"):
            return self._ref(at, end, "the", 1, nouns=nouns, mine=True, named=True)
        if self.sides and nouns:
            doubt(plural, "how many of the player's")
            return self._ref(at, end, "bare", 1, nouns=nouns, mine=True, named=True)
        if self.flipped and not nouns and self.modifiers.get(at + 1):
            return self._add(Item("ref", at, _ME), at + 1)  # `my sword is out`
        if self.flipped and nouns and not nouns & self.own and not plural:
            return self._ref(at, end, "the", 1, nouns=nouns, named=True)
        if not nouns and (self.concept(at + 1) in TELLING | HOW_HELD or self.marks[at].text in ("mine", "ours", "own")):
            return at + 1
        return self._add(Item("self", at), max(end, at + 1))

    def _his(self, at: int) -> int:
        nouns, _, plural, end = self._noun(at + 1)
        if not nouns or nouns & self.own:
            return self._add(Item("self", at), end) if nouns else at + 1
        doubt(plural, " ".join(mark.text for mark in self.marks[at:end]))
        return self._ref(at, end, "the", 1, nouns=nouns, named=True)

    def _bare_noun(self, at: int) -> int:
        nouns, mine, plural, end = self._noun(at)
        if nouns & self.own:
            return self._add(Item("self", at), end)
        adjectives = 0
        while adjectives < len(self.items) and self.items[-1 - adjectives].at == at - 1 - adjectives:
            if adjectives and self.items[-1 - adjectives].kind == "ref":
                return end  # `two petrified orcs`, `one incapacitated axe orc`
            adjectives += 1
        by_weapon = bool(self.items) and self.items[-1].what.startswith((w.MELEE, w.RANGED, w.UNARMED, w.SPELL))
        if by_weapon and self.items[-1].at == at - 1:
            return self._ref(at, end, "bare", 1, nouns=nouns, mine=mine, named=True)  # `axe orc`
        if any(each.kind in ("ref", "self", "pronoun") for each in self.items):
            # Behind another noun an unknown word may be a verb, but not in `at dawn`.
            before = self.mark(at - 1)
            doubt(nouns - {""} and not (before is not None and before.text in w.PREPOSITIONS), " ".join(nouns))
            return end
        how = "all" if plural else "bare"
        return self._ref(at, end, how, None if plural else 1, nouns=nouns, mine=mine, named=True)

    # --- what is told -----------------------------------------------------------------------------------------

    def _told(self, at: int) -> int:
        concept = self.marks[at].concept
        if self.marks[at].text.startswith("chanra") and not any(each.kind == "ref" for each in self.items):
            self._ref(at, at, "bare", 1, nouns=frozenset({"chanra"}), named=True)
        if concept in (w.REACH, w.AWARE):
            outside = self._outside(at)
            concept = {w.REACH: (w.NEAR, w.FAR), w.AWARE: (w.AWARE, w.UNAWARE)}[concept][outside]
        elif concept not in HANDS and self.denied(at):
            if concept == w.NEAR and re.search(r"touch|contact|base|adjacent|b 2 b", self.marks[at].text):
                return at + 1  # A weapon may reach further.
            if concept in (w.NEAR, w.ACTIVE, w.PASSIVE):
                concept = w.FAR
            else:
                raise Unclear(f"not {self.marks[at].text}")
        elif concept in HANDS:
            concept = self.held(at)
            if not concept:
                return at + 1
        return self._add(Item("told", at, what=concept), at + 1)

    def _outside(self, at: int) -> bool:
        """Whether `reach` or `awareness` is one that is left, or in which it is not."""
        return self.denied(at, 6) or any(mark.concept == w.OUTSIDE for mark in self.marks[max(0, at - 6) : at])
