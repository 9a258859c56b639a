"""Fills any procedure's input from a question by the words that its fields bring along, and by nothing else.

It knows no game, so a game that comes with procedures and no readers is read by it. Every number has to stand by a
field's word (`roll 5`, `5 Ward`), every word has to be one that a field, a result or plain English explains, and a
field said twice has to be said the same: else nothing is read. Fields without a default that nothing is said of are
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.engine.fields import Field, paths
from kb.engine.kernel import ILLEGAL, LEGAL, Procedure, Verdict
from kb.engine.plugins import procedures
from kb.glossary import stem
from kb.reading.counts import LINKS, Told
from kb.reading.finding import said
from kb.reading.marks import CARDINAL, Lexicon, Mark, marks_of
from kb.reading.pronouns import FUNCTION_WORDS, QUALIFIERS
from kb.reading.situation import Found, Reader, Situation
from kb.reading.stance import Stance, stance

Path = tuple[str, ...]
NEGATIONS = frozenset("no not without never neither cannot cant dont doesnt isnt didnt wasnt".split())
ASKS = frozenset("how what whats what's which who whos who's".split())
PLAIN = (
    FUNCTION_WORDS
    | QUALIFIERS
    | LINKS
    | NEGATIONS
    | ASKS
    | frozenset(
        "much many there here so ok okay please thanks now also too both am who that's me him her us them one if when "
        "while since because who am being been right correct true hey hi so just really actually possible legal still "
        "shall should could might must".split()
    )
)
"Words that may stand in a question without saying anything that a field would have to hold."
LONGEST = 600
"Characters: what is longer tells more than fields explain."


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the words of a procedure mean: each phrase, by the stems of its words, with all that it may stand for."""

    lexicon: Lexicon
    given: Mapping[str, Sequence[tuple[Path, Field]]]
    "Numbers, flags and choices that a phrase names; several where more than one party has such a field."
    values: Mapping[str, tuple[Path, str]]
    "Choices that a phrase names by their value (`expert`)."
    parties: Mapping[str, str]
    "Records that stand for somebody (`he` -> `defender`)."
    results: Mapping[str, Sequence[Field]]
    closed: frozenset[str]
    "Phrases of fields that a question can't fill here: lists, mappings, texts."


_known: dict[int, tuple[Procedure, Vocabulary]] = {}
"By identity, since a procedure holds plain dicts; it is kept with its words so that its place is not taken."


def vocabulary(procedure: Procedure) -> Vocabulary:
    """The words of a procedure's fields, of their values, and of its results."""
    if id(procedure) not in _known:
        _known[id(procedure)] = procedure, _vocabulary(procedure)
    return _known[id(procedure)][1]


def _vocabulary(procedure: Procedure) -> Vocabulary:
    given: dict[str, list[tuple[Path, Field]]] = {}
    values: dict[str, tuple[Path, str]] = {}
    parties: dict[str, str] = {}
    results: dict[str, list[Field]] = {}
    closed: set[str] = set()
    for path, each in paths(procedure.given):
        for key in _keys(each):
            if each.kind == "record":
                parties[key] = path[0]
            elif each.kind in ("integer", "number", "boolean", "choice"):
                given.setdefault(key, []).append((path, each))
            else:
                closed.add(key)
        values |= {_key(value): (path, value) for value in each.choices if each.kind == "choice"}
    for each in procedure.result:
        for key in _keys(each):
            results.setdefault(key, []).append(each)
    phrases = [*given, *values, *parties, *results, *closed, *(_key(word) for word in procedure.words)]
    return Vocabulary(Lexicon((key, key) for key in phrases), given, values, parties, results, frozenset(closed))


def _keys(each: Field) -> Iterator[str]:
    yield from dict.fromkeys(_key(word) for word in (each.name, *each.words) if word)


def _key(phrase: str) -> str:
    return " ".join(stem(word) for word in phrase.casefold().replace("_", " ").replace("-", " ").split())


@dataclass
class Form:
    """A procedure's input, as far as a question has filled it."""

    procedure: Procedure
    values: dict[Path, Any] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    "Places of the marks that the filling explains."

    def put(self, path: Path, value: Any, *places: int) -> bool:
        """False where the field holds something else already."""
        self.used.update(places)
        return bool(self.values.setdefault(path, value) == value)

    @property
    def given(self) -> dict[str, Any]:
        """The input, records nested."""
        found: dict[str, Any] = {}
        for path, value in self.values.items():
            into = found
            for name in path[:-1]:
                into = into.setdefault(name, {})
            into[path[-1]] = value
        return found

    @property
    def missing(self) -> tuple[str, ...]:
        """Fields without a default, and dice, that nothing was said of."""
        needed = [(path, each) for path, each in paths(self.procedure.given) if each.required or each.die]
        return tuple(
            " ".join(part.replace("_", " ") for part in path)
            for path, each in needed
            if path not in self.values and each.kind != "record"
        )

    @property
    def says(self) -> str:
        """The reading in a line: ``you roll 5, they roll 2``."""
        return ", ".join(f"{' '.join(path).replace('_', ' ')} {_shown(value)}" for path, value in self.values.items())


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def readers(game: str) -> tuple[Reader, ...]:
    """One reader for all procedures of a game: the one that explains a question and uses most of it answers."""
    return (lambda text: _best(text, list(procedures(game).values())),)


def _best(text: str, offered: Sequence[Procedure]) -> Situation | None:
    found = [situation for each in offered if (situation := _read(text, each)) is not None]
    told = max((len(each.given) for each in found), default=0)
    best = [each for each in found if len(each.given) == told]
    return best[0] if len(best) == 1 else None


def _read(text: str, procedure: Procedure) -> Situation | None:
    if len(text) > LONGEST:
        return None
    words = vocabulary(procedure)
    marks = marks_of(text, words.lexicon)
    form = Form(procedure)
    asked = _asked(marks, words, form, text)
    if asked is None or not (_numbers(marks, words, form) and _flags(marks, words, form)):
        return None
    if not form.values or not _explained(marks, words, form):
        return None
    return Situation(procedure.name, form.given, form.says, asked, form.missing, _names(marks, words))


def _names(marks: Sequence[Mark], words: Vocabulary) -> dict[str, str]:
    """The procedure's word for a party -> the player's first one."""
    found: dict[str, str] = {}
    for mark in marks:
        if mark.concept in words.parties:
            found.setdefault(words.parties[mark.concept], mark.text)
    return found


# --- what is told ---------------------------------------------------------------------------------------------------


def _numbers(marks: Sequence[Mark], words: Vocabulary, form: Form) -> bool:
    """Puts every number into the field that it stands by; False where one stands by none, or by two."""
    for at, mark in enumerate(marks):
        if mark.value is None:
            continue
        place = _field_by(marks, at, words, form) if mark.kind == CARDINAL else None
        if mark.text == "one" and (place is None or place > at):
            continue  # `in one throw`, `this one`: no number that anything is reckoned with
        if place is None:
            return False
        path = _of_party(marks, place, at, words)
        if path is None or not form.put(path, mark.value, at, place):
            return False
    return True


def _field_by(marks: Sequence[Mark], at: int, words: Vocabulary, form: Form) -> int | None:
    """The place of the field's word: before the number, else behind it, with nothing but small words between."""
    before, after = at - 1, at + 1
    while before >= 0 and marks[before].text in LINKS and at - before < 4:
        before -= 1
    while after < len(marks) and marks[after].text in QUALIFIERS and after - at < 4:
        after += 1
    for place in (before, after):
        if not 0 <= place < len(marks) or place in form.used or marks[place].clause != marks[at].clause:
            continue
        if any(each.kind in ("integer", "number") for _, each in words.given.get(marks[place].concept, ())):
            return place
    return None


def _of_party(marks: Sequence[Mark], place: int, at: int, words: Vocabulary) -> Path | None:
    """The field's path; where several parties have such a field, that of the one party which the clause speaks of."""
    fields = [path for path, each in words.given[marks[place].concept] if each.kind in ("integer", "number")]
    if len(fields) == 1:
        return fields[0]
    party = _party(marks, min(place, at), words)
    mine = [path for path in fields if path[0] == party]
    return mine[0] if len(mine) == 1 else None


def _party(marks: Sequence[Mark], at: int, words: Vocabulary) -> str | None:
    """Whom a place is about: the one party named before it in its clause, else the one named last."""
    named = [(mark.clause, words.parties[mark.concept]) for mark in marks[:at] if mark.concept in words.parties]
    here = [party for clause, party in named if clause == marks[at].clause]
    if len(set(here)) > 1:
        # `I rolled 5 and he rolled 2`: behind another party's number only the later one can be meant.
        last = max(place for place in range(at) if marks[place].concept in words.parties)
        between = [mark for mark in marks[:last] if mark.clause == marks[at].clause and mark.value is not None]
        return here[-1] if between else None
    return named[-1][1] if named else None


def _flags(marks: Sequence[Mark], words: Vocabulary, form: Form) -> bool:
    """Puts what is so or not so, and choices by their value."""
    for at, mark in enumerate(marks):
        if at in form.used:
            continue
        if mark.concept in words.values:
            if not form.put(*words.values[mark.concept], at):
                return False
            continue
        flags = [path for path, each in words.given.get(mark.concept, ()) if each.kind == "boolean"]
        if not flags:
            continue
        party = _party(marks, at, words)
        mine = flags if len(flags) == 1 else [path for path in flags if path[0] == party]
        if len(mine) != 1 or (len(mine[0]) > 1 and party != mine[0][0]):
            return False
        if not form.put(mine[0], not _denied(marks, at), at):
            return False
    return True


def _denied(marks: Sequence[Mark], at: int) -> bool:
    """`no charm`, `does not hold the charm`."""
    before = [each.text for each in marks[max(at - 3, 0) : at] if each.clause == marks[at].clause]
    return any(word in NEGATIONS or word.endswith("n't") for word in before)


def _explained(marks: Sequence[Mark], words: Vocabulary, form: Form) -> bool:
    """Whether every word is one that the filling explains, a party, one of the procedure's own, or a small word."""
    for at, mark in enumerate(marks):
        if at in form.used or mark.concept in words.parties or mark.concept == "break":
            continue
        if mark.concept and mark.concept not in words.closed and mark.concept not in words.given:
            continue
        if not mark.concept and (mark.text in PLAIN or len(mark.text) == 1):
            continue
        return False
    return True


# --- what is asked --------------------------------------------------------------------------------------------------


def _asked(marks: Sequence[Mark], words: Vocabulary, form: Form, text: str) -> Callable[[Verdict], Found] | None:
    """Takes what the question asks for out of a verdict; None where it asks for none of the results."""
    start = next((at for at, mark in enumerate(marks) if mark.text in ASKS), None)
    if start is not None:
        place = next((at for at in range(start, len(marks)) if marks[at].concept in words.results), None)
        if place is None or len(words.results[marks[place].concept]) != 1:
            return None
        form.used.update(range(start, place + 1))
        return _amount(words.results[marks[place].concept][0])
    judged = stance(Told(text, list(marks)))
    if judged is None or judged.yes_means_so is None or judged.obliges:
        return None
    return _judged(marks, words, form, judged)


def _amount(result: Field) -> Callable[[Verdict], Found]:
    """The value of a result."""
    return lambda verdict: Found(verdict.result.get(result.name), result.unit)


def _judged(marks: Sequence[Mark], words: Vocabulary, form: Form, judged: Stance) -> Callable[[Verdict], Found] | None:
    """Yes or no: whether a result is so, whether it is the party that the question names, or whether it is allowed."""
    last = max((mark.sentence for mark in marks), default=0)
    asking = [at for at, mark in enumerate(marks) if mark.asks or mark.sentence == last]
    places = [at for at in asking if marks[at].concept in words.results]
    if not places and form.procedure.judges:
        return lambda verdict: Found(verdict=said(verdict.status == LEGAL, judged) if _tells(verdict) else None)
    if len(places) != 1 or len(words.results[marks[places[0]].concept]) != 1:
        return None
    result = words.results[marks[places[0]].concept][0]
    party = _party(marks, places[0], words)
    form.used.add(places[0])
    if result.kind == "choice" and party in result.choices:
        return lambda verdict: Found(verdict=said(verdict.result.get(result.name) == party, judged))
    if result.kind == "boolean":
        return lambda verdict: _so(verdict.result.get(result.name), judged)
    return None


def _tells(verdict: Verdict) -> bool:
    return verdict.status in (LEGAL, ILLEGAL)


def _so(value: Any, judged: Stance) -> Found:
    return Found(verdict=said(value, judged) if isinstance(value, bool) else None)
