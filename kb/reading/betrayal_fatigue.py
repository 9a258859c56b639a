"""Questions about fatigue: so many engages, one of them, further ones, several turns, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from kb.reading.asking import Focus, Stance, foci, stance
from kb.reading.betrayal_found import Find, amount, claim, compared, result, unread
from kb.reading.betrayal_words import NOUNS, SCENERY, tell
from kb.reading.counts import CARDINAL, ORDINAL, Count, Told
from kb.reading.situation import Situation

UNIT = "light fatigue"
KNOWN = SCENERY | frozenset(
    "adventurer engage hit fatigue expert normal difficulty turn_label track weapon dice move form magic_form other_form available unresolved unavailable".split()
)
MORE = frozenset("more another additional further extra".split())
FUTURE = frozenset("planning plan want going wants like next about would".split())
DONE = frozenset("already earlier before done behind after previously finished past over so".split())
REFERS = frozenset("those these the all both my of".split())
TOTAL = frozenset("total altogether all overall sum cumulative cumulatively far now by until including".split())
APART = frozenset(
    "those these extra additional add adds adding still coming more further new alone only just itself that it".split()
)
EACH = frozenset("each per every any subsequent".split())


@dataclass
class Engages:
    """The engage actions that a question tells."""

    already: int = 0
    more: int = 0
    turns: list[int] = field(default_factory=list)
    apart: bool = False
    "Only the fatigue of `more` is wanted."
    assumed: bool = False
    "That there was one before is only implied by `another`."
    used: list[Count] = field(default_factory=list)


def read_fatigue(text: str) -> Situation | None:
    """Fatigue gained by engaging, or engages for some fatigue."""
    told = tell(text)
    if not told.has("engage", "hit") or not told.has("fatigue", "price") or told.concepts - KNOWN:
        return None
    level = difficulty(told)
    if level is None:
        return None
    asked, yes_no = foci(told, NOUNS), stance(told)
    if any(_asks_engages(each) for each in asked) and told.has("fatigue"):
        return _engages_for(told, level)
    wants = _wants_fatigue(told, asked)
    claims = _claimed(told, yes_no)
    if not (wants and not claims) and yes_no is None:
        return None
    engages = _engages(told, wants, claims)
    if engages is None:
        return None
    return _situation(told, engages, level, wants, yes_no)


def _claimed(told: Told, yes_no: Stance | None) -> list[Count]:
    """Amounts of fatigue that the question names; at the end of a yes/no question the bare number is one, too."""
    found = told.of("fatigue")
    last = max(told.counts, key=lambda each: each.at, default=None)
    if found or not yes_no or last is None or not last.back or last.kind != CARDINAL or _is_more(told, last):
        return found
    clause = [mark.concept for mark in told.marks[: last.at] if mark.sentence == last.sentence]
    return [last] if "fatigue" in clause and last.left[-1:] not in (("those",), ("these",), ("the",)) else []


def difficulty(told: Told) -> str | None:
    """`expert`, `normal`, empty where none is named, None where that cannot be told."""
    found = {""}
    for at, mark in enumerate(told.marks):
        if mark.concept in ("expert", "normal"):
            before = {
                word
                for other in told.marks[max(at - 4, 0) : at]
                if other.clause == mark.clause
                for word in other.text.split()
            }
            negated = before & {
                "not",
                "no",
                "isn't",
                "aren't",
                "non",
                "outside",
                "except",
                "without",
                "below",
                "than",
                "ain't",
                "never",
                "don't",
            }
            if mark.concept == "normal" and negated:
                return None
            if told.marks[at - 1].text in ("isn't", "ain't", "aren't") and (
                at < 2 or told.marks[at - 2].concept == "break"
            ):
                negated = set()
            found.add("normal" if negated else mark.concept)
    found -= {""}
    return None if len(found) > 1 else next(iter(found), "")


def _asks_engages(focus: Focus) -> bool:
    named = focus.concept in ("engage", "hit") and (focus.how != "what" or "number" in focus.words)
    return named or focus.how == "often"


def _wants_fatigue(told: Told, asked: list[Focus]) -> Focus | None:
    """The focus that asks how much fatigue."""
    for each in asked:
        if each.concept == "fatigue":
            return each
        named = each.concept in ("", "engage", "hit") and each.how in ("much", "what", "many")
        if named and "happens" not in each.words and "difference" not in each.words:
            clause = told.clause_of(told.marks[each.at].clause)
            if any(mark.concept in ("fatigue", "price") for mark in clause):
                return each
    return None


def _engages(told: Told, wants: Focus | None, claims: list[Count]) -> Engages | None:
    """Which engage actions the fatigue is wanted of."""
    counts = [each for each in told.of("engage", "hit") if not _scope(told, each) and each not in claims]
    named = told.of("engage", "hit", kind=ORDINAL)
    repeated = [each for each in counts if _repeats(each, counts)]
    counts = [each for each in counts if each not in repeated]
    if any(each.back and not _is_more(told, each) for each in counts):
        return None
    turns = _turns(told, counts)
    if turns is not None:
        turns.used += repeated
        return None if named else turns
    if len({_label(told, each) for each in counts}) > 1 or told.of("person"):
        return None
    found = _ordinals(told, named, counts, wants) if named else _cardinals(told, counts, wants)
    if found is not None:
        found.used += repeated
    return found


def _scope(told: Told, count: Count) -> bool:
    return count.value == 1 and told.marks[count.at - 1].text in EACH if count.at else False


def _repeats(count: Count, counts: list[Count]) -> bool:
    """`those two`: named before."""
    refers = bool(count.left) and count.left[-1] in REFERS and (count.back or count.left[-1] != "the")
    return refers and any(other.at < count.at and other.value == count.value for other in counts)


def _is_more(told: Told, count: Count) -> bool:
    noun = told.marks[count.at + 1 : count.end + 1]
    near = {mark.text for mark in noun} | set(count.right[:1]) | {told.marks[count.at].text}
    return bool(near & MORE) or "again" in count.right[:3]


def _is_done(count: Count) -> bool:
    return bool((set(count.left) | set(count.right[:4])) & DONE - {"so"}) or "far" in count.right


def _cardinals(told: Told, counts: list[Count], wants: Focus | None) -> Engages | None:
    more = [each for each in counts if _is_more(told, each)]
    before = [each for each in counts if each not in more]
    summed = [each for each in before if set(each.left[-3:]) & {"so", "total"}]
    taken = sum(each.value for each in (summed[-1:] or before))
    found = Engages(used=list(counts))
    if not counts:
        return _uncounted(told)
    if more:
        found.more, found.already = sum(each.value for each in more), taken
        found.assumed = not before
        if not before:
            found.already = 1
        found.apart = not (before and wants and _cumulative(told, wants))
        return found
    if any(map(_is_done, before)) or _past(told, before):
        follows = _follows(told, max(each.at for each in before))
        if follows:
            found.already, found.more, found.apart = taken, 1, True
            return found
    if _follows(told, max(each.at for each in before)):
        return None
    found.more = taken
    return found


def _past(told: Told, counts: list[Count]) -> bool:
    return any(
        mark.text in ("engaged", "attacked", "fought", "swung")
        for each in counts
        for mark in told.clause_of(each.clause)
    )


def _follows(told: Told, at: int) -> bool:
    """Whether a further engage is spoken of after the counted ones: `again`, `the next one`, `another`."""
    return any(
        mark.concept == "again"
        or mark.text in ("next", "another")
        or (mark.text == "additional" and _before_engage(told, place))
        for place, mark in enumerate(told.marks)
        if place > at
        and not (
            mark.text == "next" and told.marks[place + 1 : place + 2] and told.marks[place + 1].concept == "this_turn"
        )
    )


def _before_engage(told: Told, place: int) -> bool:
    return any(mark.concept in ("engage", "hit") for mark in told.marks[place + 1 : place + 2])


def _uncounted(told: Told) -> Engages | None:
    """No number of engages: `each further engage`, `engage again`, `my next engage`."""
    for place, mark in enumerate(told.marks):
        near = {other.text for other in told.marks[max(place - 3, 0) : place]}
        if mark.concept in ("engage", "hit") and near & (MORE | {"subsequent"}):
            return Engages(already=1, more=1, apart=True, assumed=True)
    if told.has("again") and told.words.count("then") < 2 and len(told.words) < 40:
        return Engages(already=1, more=1, apart=True, assumed=True)
    return None


def _cumulative(told: Told, wants: Focus) -> bool:
    words = {word for text in wants.words for word in text.split()}
    sentence = {
        word for mark in told.marks if mark.sentence == told.marks[wants.at].sentence for word in mark.text.split()
    }
    return bool(sentence & TOTAL) and not words & APART


def _ordinals(told: Told, named: list[Count], counts: list[Count], wants: Focus | None) -> Engages | None:
    """`my third engage`, `the second and third`."""
    done = [
        each
        for each in named
        if set(each.left[-3:]) & {"after", "already"} or set(each.right) & {"done", "over", "behind", "finished"}
    ]
    asked = sorted({each.value for each in named if each not in done})
    used = [*named, *counts]
    if not asked:
        last = max(each.value for each in named)
        if wants and "after" in wants.words and "have" in wants.words:
            return Engages(more=last, used=used)
        if wants and (_cumulative(told, wants) or not _follows(told, named[-1].at)):
            return Engages(more=last, used=used) if _cumulative(told, wants) else None
        return Engages(already=last, more=1, apart=True, used=used)
    if asked != list(range(asked[0], asked[-1] + 1)):
        return None
    first_ones = [each for each in counts if each.at == named[-1].at + 1]
    if first_ones or any(_is_more(told, each) for each in counts):
        return (
            Engages(more=first_ones[0].value, used=used) if first_ones and asked == [1] and len(counts) == 1 else None
        )
    taken = sum(each.value for each in counts)
    if counts and not (asked[-1] <= taken or asked[0] == taken + 1):
        return None
    if done and max(each.value for each in done) != asked[0] - 1:
        return None
    if len(asked) == 1 and wants and _so_far(wants) and not counts:
        return Engages(more=asked[0], used=used)
    return Engages(already=asked[0] - 1, more=len(asked), apart=True, used=used)


def _so_far(wants: Focus) -> bool:
    words = {word for text in wants.words for word in text.split()}
    return (
        bool(words & {"total", "altogether", "overall", "cumulative", "far", "including", "sum"})
        and "alone" not in words
    )


def _label(told: Told, count: Count) -> str:
    """The turn that a count belongs to; empty for the present one."""
    texts = [mark.text for mark in told.marks if mark.concept == "turn_label"]
    return next((text for text in texts if text in count.near), "")


def _turns(told: Told, counts: list[Count]) -> Engages | None:
    """Several turns, or several adventurers, each with its engage actions."""
    spans = [each for each in told.of("turn", "this_turn") if each.value > 1]
    people = [each for each in told.of("person", "adventurer") if each.value > 1]
    labels = [_label(told, each) for each in counts]
    distinct = [label for label, _ in groupby(labels)]
    if len(distinct) > 1 and len(set(distinct)) == len(distinct) and not people:
        turns = [
            sum(each.value for each, name in zip(counts, labels, strict=True) if name == label) for label in distinct
        ]
        fits = all(each.value == len(turns) for each in spans)
        return Engages(turns=turns, used=[*counts, *spans]) if fits else None
    factor = {each.value for each in (*spans, *people)}
    if len(counts) == 1 and len(factor) == 1 and bool(spans) != bool(people) and _spread(told, counts[0]):
        return Engages(turns=[counts[0].value] * factor.pop(), used=[*counts, *spans, *people])
    return None


def _spread(told: Told, count: Count) -> bool:
    """Whether the count holds for each turn or each adventurer."""
    words = {word for mark in told.marks for word in mark.text.split()}
    return bool(words & {"each", "per", "every", "both", "apiece"})


def _situation(
    told: Told, engages: Engages, level: str, wants: Focus | None, yes_no: Stance | None
) -> Situation | None:
    claims = _claimed(told, yes_no)
    if unread(told, [*engages.used, *claims]) or len(claims) > 1:
        return None
    name, given, what = _procedure(engages)
    find = _find(told, wants, claims, yes_no)
    if find is None:
        return None
    shown = level.title() if level == "expert" else f"{level or 'normal'} difficulty"
    says = f"{what}, {shown}" + ("" if level else " (no difficulty named)")
    return Situation(name, {**given, "difficulty": level or "normal"}, says, find)


def _procedure(engages: Engages) -> tuple[str, dict[str, Any], str]:
    if engages.turns:
        told = " and ".join(map(str, engages.turns))
        return "betrayal.fatigue_over_turns", {"turns": engages.turns}, f"turns with {told} engage actions"
    if not engages.apart:
        count = engages.already + engages.more
        return "betrayal.fatigue", {"engage_actions": count}, f"{count} engage actions this turn"
    given = {"already": engages.already, "more": engages.more}
    before = "after an earlier one" if engages.assumed else f"after {engages.already} this turn"
    return "betrayal.more_fatigue", given, f"{engages.more} engage actions {before}"


def _find(told: Told, wants: Focus | None, claims: list[Count], yes_no: Stance | None) -> Find | None:
    total = result("total")
    if yes_no is None:
        return amount(total, UNIT) if wants and not claims else None
    if claims:
        enough = "enough" in yes_no.text or "suffice" in yes_no.text or "get away with" in yes_no.text
        claimed = claims[0].value
        return claim(total, UNIT, (lambda value: value <= claimed) if enough else compared(claims[0]), yes_no)
    return amount(total, UNIT) if wants else None


def _engages_for(told: Told, level: str) -> Situation | None:
    """How many engages some fatigue stands for or allows."""
    fatigue, counts = told.of("fatigue"), told.of("engage", "hit")
    none = [
        at
        for at, mark in enumerate(told.marks)
        if mark.concept == "fatigue" and told.marks[at - 1].text in ("any", "no", "without")
    ]
    before = [each for each in counts if _is_done(each) or _past(told, [each])]
    if len(fatigue) + bool(none and not fatigue) != 1 or len(before) != len(counts) or stance_only(told):
        return None
    if unread(told, [*fatigue, *before]) or told.of("engage", kind=ORDINAL):
        return None
    value = fatigue[0].value if fatigue else 0
    words = {word for mark in told.marks for word in mark.text.split()}
    bounded = not fatigue or _bounded(told, fatigue[0], words)
    already = sum(each.value for each in before)
    more = already > 0 and bool(words & (MORE | {"still"}))
    if already and not more:
        return None
    given = {"light_fatigue": value, "exactly": not bounded, "already": already, "difficulty": level or "normal"}
    how = "at most" if bounded else "exactly"
    says = f"{how} {value} light fatigue from engaging this turn, {level or 'normal'} difficulty"
    if already:
        says += f", {already} engage actions taken"
    return Situation(
        "betrayal.engages_for_fatigue",
        given,
        says,
        amount(result("more" if more else "engage_actions"), "engage actions"),
    )


def stance_only(told: Told) -> bool:
    """Yes or no is asked and no amount."""
    return stance(told) is not None and not foci(told, NOUNS)


def _bounded(told: Told, fatigue: Count, words: set[str]) -> bool:
    """Whether the fatigue is the most that may be gained, rather than what was gained."""
    near = " ".join((*fatigue.left, *fatigue.right))
    if any(
        cue in near
        for cue in (
            "no more than",
            "at most",
            "up to",
            "only",
            "room",
            "max",
            "afford",
            "limit",
            "spare",
            "can take",
            "accept",
            "want",
        )
    ):
        return True
    del told
    return bool(words & {"can", "could", "may", "afford", "allows", "max", "limit"}) and not words & {
        "did",
        "gained",
        "got",
        "exactly",
        "ended",
    }
