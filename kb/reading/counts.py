"""The numbers of a question and what each of them counts.

A game gives its words as a lexicon: phrase -> concept, where the concepts are named as the fields of its procedures
are. Every number is bound to the concept that it stands by: ``3 Stamina dice`` is 3 of `stamina_dice`, ``Stamina is 3``
is 3 of `stamina`, ``engaged twice`` is 2 of `engage`, ``one more`` is 1 of whatever was counted before. A number that
is bound to nothing stays so, and a reader that meets one does not understand the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from kb.reading.marks import CARDINAL, ORDINAL, Lexicon, Mark, marks_of
from kb.reading.pronouns import FUNCTION_WORDS, QUALIFIERS, is_adverb, only_an_article, points_back

IMPLICIT = "implicit"
"Kind of the one that an article stands for: `a die`."


TIMES, STEPS = frozenset("once twice thrice".split()), frozenset("time times x".split())
LINKS = frozenset(
    "is are was be of at = : - equals stat value number no # my your the a an only just now exactly about "
    "bow sword axe melee budget currently still now being stands him her it them also to has up goes reading reads "
    "score level form limit down".split()
)
"Words that may stand between a stat and its value."
ONCE_THAT = frozenset("the i he she we they it my all a this that his her our".split())
"After `once`: as soon as."
CONJUNCTIONS = frozenset("and but then now so while plus".split())
BOTH = "both"
"What `both times` counts: nothing new."


@dataclass(frozen=True, slots=True)
class Count:
    """A number of the question and what it counts."""

    value: int
    what: str
    "A concept; empty where nothing near tells."
    at: int
    "Place of the number among the marks."
    end: int
    "Place of the last mark that belongs to it."
    kind: str = CARDINAL
    back: bool = False
    "It points back to what was counted before: `two more`."
    left: tuple[str, ...] = ()
    "Words before it that belong to it."
    right: tuple[str, ...] = ()
    "Words after it that belong to it, those between number and noun first."
    clause: int = 0
    sentence: int = 0

    @property
    def near(self) -> frozenset[str]:
        return frozenset(self.left) | frozenset(self.right)


@dataclass(eq=False)
class Told:
    """A question, taken apart."""

    text: str
    marks: list[Mark]
    counts: list[Count] = field(default_factory=list)

    @property
    def concepts(self) -> frozenset[str]:
        return frozenset(mark.concept for mark in self.marks if mark.concept)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(mark.text for mark in self.marks)

    def of(self, *concepts: str, kind: str = CARDINAL) -> list[Count]:
        """Counts of these concepts, in order."""
        return [each for each in self.counts if each.what in concepts and each.kind == kind]

    def has(self, *concepts: str) -> bool:
        return any(mark.concept in concepts for mark in self.marks)

    def places(self, *concepts: str) -> list[int]:
        """Where these concepts stand among the marks."""
        return [at for at, mark in enumerate(self.marks) if mark.concept in concepts]

    def before(self, at: int, number: int = 1) -> frozenset[str]:
        """The words right before a place."""
        return frozenset(self.words[max(at - number, 0) : at])

    def clause_of(self, number: int) -> list[Mark]:
        return [mark for mark in self.marks if mark.clause == number]


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a game's concepts take numbers."""

    nouns: frozenset[str]
    "May stand after a number: `3 dice`."
    stats: frozenset[str]
    "May stand before their value: `Stamina 3`."
    events: frozenset[str]
    "May be done so many times: `engaged twice`."
    amounts: frozenset[str] = frozenset()
    "Stats that give way to a noun behind their number: `the fatigue 3 engages cost`."
    strangers: frozenset[str] = frozenset()
    "A number before these is theirs, and means nothing that was counted before: `7 sides`."
    adjectives: frozenset[str] = frozenset()
    "May stand between a number and its noun: `one Expert turn`."
    counted: Mapping[str, str] = field(default_factory=dict)
    "Words that name a thing only behind its number: `4 combat` are Combat dice."


def take_apart(text: str, lexicon: Lexicon, grammar: Grammar) -> Told:
    """The marks of a question and its counts."""
    told = Told(text, list(_named_by_number(marks_of(text, lexicon), grammar)))
    told.counts = _with_surroundings(told, list(_counts(told.marks, grammar)))
    return told


def _named_by_number(marks: list[Mark], grammar: Grammar) -> Iterator[Mark]:
    for at, mark in enumerate(marks):
        numbered = at and marks[at - 1].kind == CARDINAL and mark.text in grammar.counted
        yield replace(mark, concept=grammar.counted[mark.text]) if numbered else mark


def _counts(marks: list[Mark], grammar: Grammar) -> Iterator[Count]:
    counted, done = "", ""
    for at, mark in enumerate(marks):
        if mark.value is None and mark.text not in ("a", "an", "another"):
            done = mark.concept if mark.concept in grammar.events else done
            continue
        count = _count(marks, at, grammar, counted or done)
        if count is None:
            continue
        if count.kind != IMPLICIT and count.what not in ("", BOTH, *(grammar.stats - grammar.amounts)):
            counted = count.what
        if not (count.kind == ORDINAL and mark.text == "first" and is_adverb(marks, at)):
            yield count


def _count(marks: list[Mark], at: int, grammar: Grammar, last: str) -> Count | None:
    mark = marks[at]
    if mark.value is None:
        end = None if marks[at + 1 : at + 2] and marks[at + 1].value is not None else _noun(marks, at, grammar)
        one = IMPLICIT if mark.text != "another" else CARDINAL
        return None if end is None else Count(1, marks[end].concept, at, end, one, right=_texts(marks, at + 1, end))
    if mark.text == "once" and at + 1 < len(marks) and marks[at + 1].text in ONCE_THAT:
        return None
    if float(mark.value) != int(mark.value):
        return Count(-1, "", at, at)
    count = Count(int(mark.value), "", at, at, mark.kind, clause=mark.clause, sentence=mark.sentence)
    numbers = at and marks[at - 1].text in ("number", "no", "nr", "#")
    if (mark.text == "one" and points_back(marks, at) and not numbers) or (
        mark.text in ("one", "single") and only_an_article(marks, at)
    ):
        return None
    return _bound(marks, count, grammar, last)


def _bound(marks: list[Mark], count: Count, grammar: Grammar, last: str) -> Count:
    """The count with what it counts: a stat before it, a noun after it, an event done so often, or what was counted."""
    at = count.at
    if count.kind == CARDINAL and _numbered(marks, at, grammar):
        return replace(count, what=marks[at - 2].concept, kind=ORDINAL)
    if count.kind == CARDINAL and at and marks[at - 1].text == "die" and _noun(marks, at, grammar) is None:
        if at > 1 and (marks[at - 2].value is not None or marks[at - 2].text in ("other", "another", "last", "next")):
            # `first die 4`: what it shows.
            return replace(count, back=True)
        return replace(count, what=marks[at - 1].concept, kind=ORDINAL)
    stat = _stat(marks, at, grammar) if count.kind == CARDINAL else None
    noun = _noun(marks, _last_of_row(marks, at), grammar)
    if stat is not None and marks[stat].concept in grammar.amounts and (noun == at + 1 or not _ends_here(marks, at)):
        stat = None
    if stat is not None:
        unit = noun if noun is not None and noun == at + 1 and marks[noun].concept == "hexes" else at
        return replace(count, what=marks[stat].concept, end=unit)
    times = at if marks[at].text in TIMES else _times(marks, at)
    if times is not None and marks[at].text == "both":
        return replace(count, what=BOTH, end=times)
    if times is not None:
        return replace(count, what=_event(marks, at, grammar) or last, end=times, right=_texts(marks, at + 1, times))
    if noun is not None:
        if _last_of_row(marks, at) != at:
            return replace(count, what=marks[noun].concept)
        return replace(count, what=marks[noun].concept, end=noun, right=_texts(marks, at + 1, noun))
    if count.kind == ORDINAL and at and marks[at - 1].concept in grammar.events:
        return replace(count, what=marks[at - 1].concept)
    after = marks[at + 1] if at + 1 < len(marks) else None
    if count.kind == ORDINAL and after is not None and after.text == "one":
        return replace(count, what=last, back=True)
    if marks[at].text == "nothing":
        return count
    if marks[at].text == "both" and count.kind == CARDINAL:
        return replace(count, what=BOTH, back=True)
    if at and marks[at - 1].text in ("those", "these"):
        return replace(count, what=last, back=True)
    if after is not None and after.concept in grammar.strangers:
        return count
    if after is None or after.concept or after.text in QUALIFIERS | FUNCTION_WORDS | {"+"}:
        return replace(count, what=last, back=True)
    return count


def _ends_here(marks: list[Mark], at: int) -> bool:
    """Whether what comes after a number is no noun of its own: `damage 5 and`, but not `damage one affected unit`."""
    after = marks[at + 1] if at + 1 < len(marks) else None
    return after is None or bool(after.concept) or after.text in FUNCTION_WORDS or after.text in _ROW


def _numbered(marks: list[Mark], at: int, grammar: Grammar) -> bool:
    """`engage number 2`, `attack no. 3`: which one, not how many."""
    return at > 1 and marks[at - 1].text in ("number", "no", "nr", "num") and marks[at - 2].concept in grammar.events


def _last_of_row(marks: list[Mark], at: int) -> int:
    """`second and third engage`, `2, 1 and 4 damage`: the last number of the row, which the noun stands by."""
    place = at
    while place + 2 < len(marks) and marks[place + 1].text in _ROW:
        second = marks[place + 2].text
        gap = 3 if second in (("and", "or") if marks[place + 1].text == "," else ("a", "the", "my")) else 2
        after = marks[place + gap] if place + gap < len(marks) else None
        if after is None or after.kind != marks[at].kind or after.text in TIMES:
            break
        place += gap
    return place


_ROW = frozenset("and or to through - & , + / plus".split())


def _stat(marks: list[Mark], at: int, grammar: Grammar) -> int | None:
    """The stat before a number, with nothing but `is`, `of` and the like between."""
    place = at - 1
    while place >= 0 and marks[place].text in LINKS and at - place < 5:
        place -= 1
    return (
        place
        if place >= 0 and marks[place].concept in grammar.stats and marks[place].clause == marks[at].clause
        else None
    )


def _noun(marks: list[Mark], at: int, grammar: Grammar) -> int | None:
    """The noun after a number, with nothing but adjectives between."""
    for place in range(at + 1, min(at + 6, len(marks))):
        mark = marks[place]
        if mark.concept in grammar.nouns:
            return place
        if mark.kind == CARDINAL:
            of = {"of", "out of"} & {other.text for other in marks[at + 1 : place]}
            if not of and not (marks[at].kind == ORDINAL and place == at + 1):
                return None
            continue
        known = mark.text in QUALIFIERS or mark.kind == ORDINAL or mark.concept in grammar.adjectives
        if mark.concept == "break" or not known:
            return None
    return None


def _times(marks: list[Mark], at: int) -> int | None:
    for place in range(at + 1, min(at + 4, len(marks))):
        if marks[place].text in STEPS:
            return place
        if marks[place].text not in QUALIFIERS:
            return None
    return None


def _event(marks: list[Mark], at: int, grammar: Grammar) -> str:
    """The event of the clause that is done so many times, the nearest one."""
    places = [p for p, mark in enumerate(marks) if mark.clause == marks[at].clause and mark.concept in grammar.events]
    return marks[min(places, key=lambda place: (abs(place - at), place))].concept if places else ""


def _texts(marks: list[Mark], start: int, end: int) -> tuple[str, ...]:
    return tuple(mark.text for mark in marks[start : end + 1])


def _with_surroundings(told: Told, counts: list[Count]) -> list[Count]:
    """Every count with the words of its clause that belong to it rather than to its neighbours."""
    real = [each for each in counts if each.kind != IMPLICIT]
    found = []
    for each in counts:
        mark = told.marks[each.at]
        words = [place for place, other in enumerate(told.marks) if other.clause == mark.clause]
        start, stop = min(words), max(words)
        before = [c for c in real if start <= c.at < each.at]
        after = [c for c in real if each.at < c.at <= stop]
        left = told.marks[_cut(told.marks, before[-1].end + 1, each.at) if before else start : each.at]
        right = told.marks[each.end + 1 : _cut(told.marks, each.end + 1, after[0].at) if after else stop + 1]
        found.append(
            replace(
                each,
                left=tuple(m.text for m in left),
                right=each.right + tuple(m.text for m in right if m.concept != "break"),
                clause=mark.clause,
                sentence=mark.sentence,
            )
        )
    return found


def _cut(marks: list[Mark], start: int, stop: int) -> int:
    """Where the words between two counts change hands: at the first `and`, else behind what looks back."""
    for place in range(start, stop):
        if marks[place].text in CONJUNCTIONS:
            return place
    place = start
    while place < stop and marks[place].text in ("already", "left", "unresolved", "before", "away", "off", "left"):
        place += 1
    return place
