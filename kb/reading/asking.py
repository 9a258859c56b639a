"""Which amounts a question asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.reading.counts import Told
from kb.reading.marks import CARDINAL, Mark
from kb.reading.pronouns import QUALIFIERS
from kb.reading.stance import opens, stance


@dataclass(frozen=True, slots=True)
class Focus:
    """An amount that is asked for."""

    concept: str
    "What of; empty where the question does not name it."
    how: str
    "many | much | far | often | what | keyword"
    words: tuple[str, ...]
    "The words of its clause from there on."
    at: int


def foci(told: Told, nouns: frozenset[str]) -> list[Focus]:
    """The amounts that a question asks for, in order; a question in keywords asks for what its last part names."""
    found = [focus for at in range(len(told.marks)) if (focus := _focus(told, at, nouns))]
    found = [each for each in found if not _embedded(told, each)]
    if any(_asks_the_rest(each) for each in found):
        return []
    return found if found or stance(told) is not None else list(_keywords(told, nouns))


def _asks_the_rest(focus: Focus) -> bool:
    """`how many can't I roll`: asks for those that are left out."""
    end = next((at for at, word in enumerate(focus.words) if word in ("if", "unless", "when", "because", "as")), None)
    words = focus.words[:end]
    pairs = zip(words, (*words[1:], ""), strict=True)
    return any((word in NEGATIONS or word.endswith("n't")) and after not in NO_MATTER for word, after in pairs)


def _embedded(told: Told, focus: Focus) -> bool:
    """`is it up to me how many I target`: the clause asks for yes or no."""
    clause = [mark for mark in told.clause_of(told.marks[focus.at].clause) if mark.concept != "break"]
    parted = any(mark.text in ("and", "but", "then", "or") for mark in told.marks[max(focus.at - 2, 0) : focus.at])
    return clause[0] is not told.marks[focus.at] and not parted and opens(" ".join(mark.text for mark in clause))


def _focus(told: Told, at: int, nouns: frozenset[str]) -> Focus | None:
    word = told.marks[at].text
    after = told.marks[at + 1] if at + 1 < len(told.marks) else None
    if word in ("how", "hows") and after is not None:
        how = {"many": "many", "much": "much", "far": "far", "big": "much", "often": "often", "tired": "much"}.get(
            after.text, ""
        )
        if after.concept == "fatigue":
            how = "much"
        if not how:
            return None
        noun = "fatigue" if after.text == "tired" else _noun(told.marks, at + 2, nouns)
        if told.marks[at + 2 : at + 3] and told.marks[at + 2].text == "times":
            how = "often"
        return Focus(noun, how, _rest(told, at), at)
    starts = at == 0 or told.marks[at - 1].concept == "break"
    if word in ("total", "sum") and starts and after is not None and after.text not in ("is", "was", ","):
        noun = _noun(told.marks, at + 1, nouns)
        return Focus(noun, "keyword", _rest(told, at), at) if noun else None
    if word in ("what", "whats", "what's", "which", "wot", "wat"):
        return Focus(_noun(told.marks, at + 1, nouns), "what", _rest(told, at), at)
    return None


def _noun(marks: list[Mark], at: int, nouns: frozenset[str]) -> str:
    """The first noun from a place on with nothing but adjectives before it."""
    for mark in marks[at : at + 8]:
        if mark.concept in nouns:
            return mark.concept
        if mark.concept == "break" or not (
            mark.text in QUALIFIERS | _BEFORE_NOUN or mark.kind or mark.concept in _SOFT
        ):
            return ""
    return ""


_BEFORE_NOUN = frozenset(
    "is was would be 's the a my our their his her number amount total sum max maximum most highest greatest "
    "least minimum min lowest smallest biggest furthest farthest longest largest in all overall much of kind count "
    "many stat are for pooled exact final maximal then now".split()
)
_SOFT = frozenset("limit pooled available price".split())


def _rest(told: Told, at: int) -> tuple[str, ...]:
    clause = told.marks[at].clause
    return tuple(mark.text for mark in told.marks[at:] if mark.clause == clause and mark.concept != "break")


NEGATIONS = frozenset("not never cannot cant dont wont".split())
NO_MATTER = frozenset("counting including on in expert free considering".split())
"`not counting free dice` leaves the amount as it is."
SUMS = frozenset("total sum altogether overall pooled max maximum all".split())
"Words that ask for an amount where its noun stands before: `3 and 2 damage. Total?`"
PROMPTS = frozenset(
    "left gained gain room more now up most max taking takes take through remaining remains stays over farthest far "
    "gets furthest rolled gather applied dealt biggest largest rollable highest "
    "number reach owe add further still removed gone off".split()
)
"Words by which a last part without a noun asks for an amount: `left with?`"
OTHER_QUESTIONS = frozenset("how why when who whom whose where".split())
"What asks for no amount: `how do I count …`, `who takes it`."
COMMANDS = frozenset(
    "count tell give name sum add total calculate calc compute work figure pile tally need want guess state".split()
)
"Verbs that ask for an amount: `count my fatigue`."
POLITE = frozenset("please pls plz thanks thx ty lol haha cheers number answer quick guys all folks again then".split())


def _keywords(told: Told, nouns: frozenset[str]) -> Iterator[Focus]:
    """`total fatigue?`, `max targets in an engage`, `count my fatigue`, `left with?`: what asks without a verb."""
    clauses = [part for number in _clauses(told) if (part := _without_breaks(told, number))]
    numbers = [each for each in told.counts if each.what not in ("turn", "this_turn")]
    counted = {each.end for each in numbers} | {each.at for each in numbers if each.kind == CARDINAL}
    prompts = [part for part in clauses if not {told.marks[at].text for at in part} <= POLITE]
    if not prompts or OTHER_QUESTIONS & {told.marks[at].text for at in prompts[-1]}:
        return
    commands = [part for part in prompts if told.marks[part[0]].text in COMMANDS and not counted & set(part)]
    for part in (*commands, prompts[-1]):
        words = {word for at in part for word in told.marks[at].text.split()}
        noun = next((at for at in part if told.marks[at].concept in nouns and at not in counted), None)
        if (
            not _negated(told, part, noun)
            and not counted & set(part)
            and (noun is not None or words & (PROMPTS - SUMS))
        ):
            concept = told.marks[noun].concept if noun is not None else ""
            yield Focus(concept, "keyword", _rest(told, part[0]), part[0] if noun is None else noun)
            return
    only = told.marks[prompts[-1][0]]
    alone = len(prompts[-1]) == 1 and only.concept and (only.asks or only.text in ("total", "sum"))
    if alone and len([each for each in told.counts if each.kind == CARDINAL]) > 1:
        yield Focus("", "keyword", _rest(told, prompts[-1][0]), prompts[-1][0])
        return
    named = list(_last_noun(told, nouns, counted))
    yield from named
    last = prompts[-1]
    if (
        not named
        and told.marks[last[0]].asks
        and not counted & set(last)
        and SUMS & {told.marks[at].text for at in last}
    ):
        yield Focus("", "keyword", _rest(told, last[0]), last[0])


def _clauses(told: Told) -> list[int]:
    return sorted({mark.clause for mark in told.marks if mark.concept != "break"})


def _without_breaks(told: Told, number: int) -> list[int]:
    return [at for at, mark in enumerate(told.marks) if mark.clause == number and mark.concept != "break"]


def _negated(told: Told, part: list[int], noun: int | None) -> bool:
    """`no fatigue`, `all of the dice`: tells something."""
    before = told.marks[noun - 1].text if noun else ""
    return before in ("no", "not", "never") or (
        told.marks[part[0]].text in ("only", "just", *(() if told.marks[part[0]].asks else ("all",))) and len(part) > 1
    )


def _last_noun(told: Told, nouns: frozenset[str], counted: set[int]) -> Iterator[Focus]:
    """The last part with a noun of its own."""
    clauses = {mark.clause for mark in told.marks if mark.concept in nouns}
    asking = [mark.clause for mark in told.marks if mark.asks and mark.clause in clauses]
    chosen = max(asking or clauses, default=None)
    asked = {word for mark in told.marks if mark.asks for word in mark.text.split()}
    if chosen is None or (asked and not asking and not asked & SUMS):
        return
    part = _without_breaks(told, chosen)
    noun = next((at for at in part if told.marks[at].concept in nouns), None)
    if noun is None or _negated(told, part, noun) or told.marks[part[0]].text == "so":
        return
    for at in part:
        if told.marks[at].concept in nouns and at not in counted:
            yield Focus(told.marks[at].concept, "keyword", _rest(told, part[0]), at)
            return
