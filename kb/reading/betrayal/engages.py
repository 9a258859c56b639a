"""Which engage actions a question tells: so many, the third one, two more, those of several turns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from kb.reading.asking import Focus
from kb.reading.betrayal.found import is_negated
from kb.reading.betrayal.found import people as people_of
from kb.reading.counts import Count, Told
from kb.reading.marks import ORDINAL, Mark, said_in
from kb.reading.pronouns import FUNCTION_WORDS, QUALIFIERS

WITH_ME = re.compile(r"\b(?:and i|and me|plus me|me and|i and|me plus)\b")
PAST = frozenset({"last turn", "previous turn", "the turn before", "turn before"})
OWNERS = frozenset("i me she her he him you they".split())
MORE = frozenset("more another additional further extra".split())
UNREAL = frozenset("planned stop stopped stops managed cancelled canceled interrupted could would skipped".split())
"That not all engage actions which are told were made."
DONE = frozenset("already earlier before done behind after previously finished past over so".split())
REFERS = frozenset("those these the all both my of".split())
SUMMED = frozenset("total altogether overall sum cumulative far including whole entire combined".split())
TOTAL = SUMMED | frozenset("all cumulatively now by until".split())
ACROSS = frozenset("both total altogether together all overall over turns combined sum".split())
APART = frozenset(
    "those these extra additional add adds adding still coming more further new alone only just itself that it".split()
)
JOINS = frozenset("then and afterwards finally lastly next".split())
"Words that lead to the next of several engage actions."
LISTED = JOINS | frozenset(
    "unit again engage hit target person this_turn the a an his her its their my same one that this at on against with "
    "into all in other another big old".split()
)
"What a list of engage actions consists of."
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
    names: list[str] = field(default_factory=list)
    "Whose turns these are, where the fatigue of each one is wanted."

    def already_paid(self, level: str) -> int:
        """The light fatigue of the engage actions before."""
        return max(self.already - 1, 0) * (2 if level == "expert" else 1)


def engages_told(told: Told, wants: Focus | None, claims: list[Count]) -> Engages | None:
    """Which engage actions the fatigue is wanted of."""
    crowd = people_of(told)
    counts = [each for each in told.of("engage", "hit") if each not in claims and each not in crowd]
    once = "once" in told.words and not any(told.words[each.at] == "once" for each in counts)
    if len(counts) > 1 and (once or UNREAL & set(told.words)):
        return None
    counts = [each for each in counts if each.value != 1 or not EACH & told.before(each.at)]
    named = told.of("engage", "hit", kind=ORDINAL)
    old = [each for each in counts if _label(told, each) in PAST] if named else []
    if old and {"now", "new"} & set(told.words):
        # `last turn I engaged 3 times. Does my first engage now …`: every turn begins anew.
        counts = [each for each in counts if each not in old]
    repeated = [each for each in counts if _repeats(each, counts)] or _parts(told, counts)
    counts = [each for each in counts if each not in repeated]
    if any(is_negated(each) for each in named):
        return None
    aside = [each for each in counts if each.back and not is_more(told, each)]
    aside = [each for each in aside if told.marks[each.at - 1].concept != "this_turn"]
    if any(map(is_negated, counts)) or not all(_label(told, each) or _owner(told, each) for each in aside):
        return None
    turns = _turns(told, counts, wants)
    if len(counts) == 1 and wants and "each" in wants.words and len(OWNERS & {*told.words}) > 1:
        return None
    labels = {mark.text for mark in told.marks if mark.concept == "turn_label"}
    several = len({_owner(told, each) for each in counts} - {""}) > 1
    if turns is None and (several or (counts and labels - PAST and not old)):
        return None
    if turns is None and len([mark for mark in told.marks if mark.concept == "turn"]) > 1 and len(counts) > 1:
        return None
    if turns is not None:
        turns.used += repeated
        return None if named else turns
    if any(_label(told, each) for each in counts) or told.of("person", "adventurer"):
        return None
    found = _ordinals(told, named, counts, wants) if named else _cardinals(told, counts, wants)
    if found is not None:
        found.used += [*repeated, *old]
    return found


def _parts(told: Told, counts: list[Count]) -> list[Count]:
    """`4 engages, two on the rat, two on the wolf`: told already with the four."""
    parts = counts[1:]
    listed = len(parts) > 1 and not (JOINS - {"and"}) & {*told.words} and not any(is_more(told, each) for each in parts)
    return parts if listed and sum(each.value for each in parts) == counts[0].value else []


def _repeats(count: Count, counts: list[Count]) -> bool:
    """`those two`: named before."""
    refers = bool(count.left) and count.left[-1] in REFERS and (count.back or count.left[-1] != "the")
    return refers and any(other.at < count.at and other.value == count.value for other in counts)


def is_more(told: Told, count: Count) -> bool:
    noun = told.marks[count.at + 1 : count.end + 1]
    near = {mark.text for mark in noun} | {*count.left[-1:], *count.right[:1], told.marks[count.at].text}
    return bool(near & MORE) or "again" in count.right[:3]


def is_done(count: Count) -> bool:
    return bool((set(count.left) | set(count.right[:4])) & DONE - {"so"}) or "far" in count.right


def _last_of(told: Told, counts: list[Count], wants: Focus | None) -> Engages | None:
    """`the last of my five engages`."""
    if len(counts) != 1 or counts[0].value < 1 or not wants:
        return None
    return Engages(already=counts[0].value - 1, more=1, apart=True, used=list(counts))


def _cardinals(told: Told, counts: list[Count], wants: Focus | None) -> Engages | None:
    if any(mark.text in ("last", "final") and not mark.concept for mark in told.marks):
        return _last_of(told, counts, wants)
    more = [each for each in counts if is_more(told, each)]
    before = [each for each in counts if each not in more]
    summed = [each for each in before if set(each.left[-3:]) & {"so", "total"}]
    done = [each for each in before if is_done(each)]
    if done and len(done) < len(before) and not more:
        before, more = done, [each for each in before if each not in done]
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
    if any(map(is_done, before)) or past(told, before):
        follows = _follows(told, max(each.at for each in before))
        if follows:
            found.already, found.more, found.apart = taken, 1, not (wants and _cumulative(told, wants))
            return found
    if _follows(told, max(each.at for each in before)):
        return None
    found.more = taken
    return found


def past(told: Told, counts: list[Count]) -> bool:
    clauses = {each.clause for each in counts}
    return any(m.text in ("engaged", "attacked", "fought", "swung") and m.clause in clauses for m in told.marks)


def _follows(told: Told, at: int) -> bool:
    """Whether a further engage is spoken of after the counted ones: `again`, `the next one`, `another`."""
    rest = list(pairwise([*told.marks[at + 1 :], Mark("")]))
    follows = [mark for mark, after in rest if mark.text != "next" or after.concept != "this_turn"]
    return any(mark.text in ("next", "another") or mark.concept == "again" for mark in follows)


def _uncounted(told: Told) -> Engages | None:
    """No number of engages: one after the other, `each further engage`, `engage again`, `my next engage`."""
    listed = _listed(told)
    if listed:
        return Engages(more=listed)
    for place, mark in enumerate(told.marks):
        near = {other.text for other in told.marks[max(place - 3, 0) : place]}
        if mark.concept in ("engage", "hit") and near & (MORE | {"subsequent"}):
            return Engages(already=1, more=1, apart=True, assumed=True)
    steps = [word for word in told.words if word in JOINS - {"and", "next"}]
    if told.has("again") and len(steps) < 2 and len(told.words) < 40:
        return Engages(already=1, more=1, apart=True, assumed=True)
    return None


def _listed(told: Told) -> int:
    """`I engaged the bandit, then his wolf, then the bandit once more`: how many; 0 where it is no such list."""
    start = next((at for at, mark in enumerate(told.marks) if mark.concept in ("engage", "hit")), len(told.marks))
    parts: list[list[Mark]] = [[]]
    for mark in told.marks[start + 1 :]:
        if mark.sentence != told.marks[start].sentence:
            break
        if mark.concept == "break" or mark.text in JOINS:
            parts.append([])
        if mark.concept != "break":
            parts[-1].append(mark)
    engaging = [mark for mark in told.marks if mark.concept in ("engage", "hit") and not mark.asks]
    if any(mark.sentence != told.marks[start].sentence for mark in engaging):
        return 0
    aims = [{mark.concept or mark.text for mark in part} for part in parts]
    whole = [(part, aim) for part, aim in zip(parts, aims, strict=True) if aim & {"unit", "again"}]
    steps = all(part[0].text in JOINS and (part[0].text != "and" or "again" in aim) for part, aim in whole[1:])
    return len(whole) if steps and len(whole) > 1 and all(aim <= LISTED for aim in aims) else 0


def _cumulative(told: Told, wants: Focus) -> bool:
    words = said_in(wants.words)
    sentence = said_in(mark for mark in told.marks if mark.sentence == told.marks[wants.at].sentence)
    return bool(sentence & TOTAL) and not words & APART


def _ordinals(told: Told, named: list[Count], counts: list[Count], wants: Focus | None) -> Engages | None:
    """`my third engage`, `the second and third`."""
    behind = {"after", "already", "beyond", "past", "besides"}
    over = {"done", "over", "behind", "finished"}
    done = [each for each in named if set(each.left[-3:]) & behind or set(each.right) & over]
    asked = sorted({each.value for each in named if each not in done})
    used = [*named, *counts]
    if not asked and counts and all(is_more(told, each) for each in counts):
        last = max(each.value for each in named)
        return Engages(already=last, more=sum(each.value for each in counts), apart=True, used=used)
    if not asked:
        last = max(each.value for each in named)
        here = {mark.text for mark in told.clause_of(told.marks[wants.at].clause)} if wants else set()
        if {"after", "have"} <= here:
            return Engages(more=last, used=used)
        if wants and (_cumulative(told, wants) or not _follows(told, named[-1].at)):
            return Engages(more=last, used=used) if _cumulative(told, wants) else None
        return Engages(already=last, more=1, apart=True, used=used)
    between = set(told.words[named[0].at + 1 : named[-1].at])
    if len(asked) == len(named) == 2 and between & {"through", "to", "till", "until", "-"}:
        asked = list(range(asked[0], asked[1] + 1))
    if asked != list(range(asked[0], asked[-1] + 1)):
        return None
    first_ones = [each for each in counts if each.at == named[-1].at + 1]
    if first_ones or any(is_more(told, each) for each in counts):
        plain = first_ones and asked == [1] and len(counts) == 1
        return Engages(more=first_ones[0].value, used=used) if plain else None
    taken = sum(each.value for each in counts)
    if counts and not (asked[-1] <= taken or asked[0] == taken + 1):
        return None
    if done and max(each.value for each in done) != asked[0] - 1:
        return None
    if len(asked) == 1 and wants and (_so_far(told, wants) or _stands(told, named[-1], wants)):
        return Engages(more=max(taken, asked[0]), used=used)
    return Engages(already=asked[0] - 1, more=len(asked), apart=True, used=used)


def _so_far(told: Told, wants: Focus) -> bool:
    sentence = told.marks[wants.at].sentence
    words = said_in(mark for mark in told.marks if mark.sentence == sentence)
    sums = words & SUMMED
    gained = "gained" in words and words & {"have", "has", "had"}
    return bool(sums or gained) and not words & {"alone", "itself", "only", "just"}


def _stands(told: Told, count: Count, wants: Focus) -> bool:
    """`just did engage #3, what's my fatigue standing at`: the whole of what was gained."""
    done = {"did", "done", "finished", "took", "taken", "made"} & set(count.left)
    words = said_in(wants.words)
    return bool(done) and "my" in words and not words & APART and not words & {"cost", "for", "gain"}


def _label(told: Told, count: Count) -> str:
    """The turn that a count belongs to; empty for the present one."""
    texts = [mark.text for mark in told.marks if mark.concept == "turn_label"]
    before = [mark for mark in told.clause_of(count.clause - 1) if mark.concept != "break"]
    turns = [mark for mark in before if mark.concept in ("turn", "turn_label")]
    plain = all(mark in turns or mark.value is not None or len(mark.text) == 1 for mark in before)
    heading = " ".join(mark.text for mark in before) if turns and plain else ""
    return next((text for text in texts if text in count.near), heading)


def _turns(told: Told, counts: list[Count], wants: Focus | None) -> Engages | None:
    """Several turns, or several adventurers, each with its engage actions."""
    spans = [each for each in told.of("turn") if each.value > 1]
    crowd = people_of(told)
    people = [each for each in crowd if each.value > 1]
    labels = [_label(told, each) for each in counts]
    owners = [_owner(told, each) for each in counts]
    words = wants.words if wants else ()
    if any(mark.concept == "unit" and mark.text in owners for mark in told.marks):
        return None
    if not any(labels) and all(owners) and len(set(owners)) == len(owners) > 1 and wants:
        # A turn each: the fatigue of one of them, of each, or of all together.
        found = Engages(turns=[each.value for each in counts], used=[*counts, *told.of("person", "adventurer")])
        one = [place for place, owner in enumerate(owners) if owner in words or (owner == "i" and "my" in words)]
        if len(one) == 1:
            found.turns = [found.turns[one[0]]]
        elif {"each", "respectively", "apiece", "who"} & set(words):
            found.names = [_capital(told, owner) for owner in owners]
        elif not ({"both", "together", "us", "combined", "party"} & set(told.words) or TOTAL & said_in(words)):
            return None
        odd = spans or {"free", "none", "nobody"} & set(told.words) or " not at all" in told.text.casefold()
        return None if odd or any(each.value > len(owners) for each in people) else found
    distinct = list(dict.fromkeys(labels))
    named = {mark.text for mark in told.marks if mark.concept == "turn_label"}
    if "" not in distinct and len(distinct) > 1 and len(named) > len(distinct):
        return None
    if len(distinct) > 1 and len(list(groupby(labels))) == len(distinct) and not people:
        labelled = list(zip(counts, labels, strict=True))
        sums = {label: sum(each.value for each, name in labelled if name == label) for label in distinct}
        wanted = _wanted_turns(wants, distinct)
        fits = all(each.value == len(distinct) for each in spans)
        return Engages(turns=[sums[label] for label in wanted], used=[*counts, *spans]) if fits and wanted else None
    factor = {each.value for each in (*spans, *people)}
    with_me = WITH_ME.search(told.text.casefold())
    mates = [at for at in told.places("person", "adventurer") if told.words[at - 1] in ("my", "a")]
    paired = bool(with_me) and len(mates) == 1 and all(each.value == 2 for each in people)
    if with_me and people and not paired:
        return None
    factor = {2} if paired else factor
    apiece = said_in(told.marks) & {"each", "per", "every", "both", "apiece", "everybody", "everyone"}
    if len(counts) == 1 and len(factor) == 1 and bool(spans) != bool(people or paired) and apiece:
        used = [*counts, *spans, *crowd]
        if not spans and {"i", "each", "apiece"} & {*words} and not ACROSS & {*words}:
            # `how much do I gain`, `how much do we each get`: of one of them.
            if wants is None or counts[0].clause == told.marks[wants.at].clause:
                return None
            factor = {1}
        return Engages(turns=[counts[0].value] * factor.pop(), used=used)
    return None


def _owner(told: Told, count: Count) -> str:
    """Whose engage actions these are: `me 2 engages, her 3`."""
    start = next(at for at, mark in enumerate(told.marks) if mark.clause == count.clause)
    near = told.marks[max(start, count.at - 4) : count.at]
    if len(near) > 1 and near[-1].concept in ("engage", "hit") and near[-1].text.endswith("s") and not near[-2].value:
        # `lydia engages 3 times`
        known = near[-2].concept != "unit" and near[-2].text in (DONE | FUNCTION_WORDS | QUALIFIERS) - OWNERS
        return "" if known else near[-2].text
    names = [mark.text for mark in near if mark.text in OWNERS or mark.concept in ("person", "adventurer")]
    if names or not near or near[0].concept or any(m.concept != "engage" and m.text != "only" for m in near[1:2]):
        return names[-1] if names else ""
    named = _capital(told, near[0].text) != near[0].text and near[0].text not in DONE | FUNCTION_WORDS | {"having"}
    return near[0].text if named else ""


def _capital(told: Told, name: str) -> str:
    """The name as it is written: `Lydia`."""
    found = re.search(rf"\b{re.escape(name)}\b", told.text, re.I)
    return "me" if name == "i" else found.group() if found else name


def _wanted_turns(wants: Focus | None, labels: list[str]) -> list[str]:
    """The turns whose fatigue is wanted: all, unless one is named where it is asked for."""
    words = wants.words if wants else ()
    named = [label for label in labels if (label or "this turn") in words]
    plain = said_in(words)
    if {"each", "respectively"} & {*words[-2:]} and len(labels) > 1:
        return []
    if not named or plain & ACROSS:
        return labels if len(named) != 1 or plain & TOTAL or "over" in plain else []
    return named if len(named) == 1 else []
