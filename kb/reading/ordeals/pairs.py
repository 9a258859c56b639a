"""Book of Ordeals: scores told together: `9 + 2`, `7 vs 7`, `14 to 8`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.engine.ordeals.sides import DIE
from kb.reading.numbers import Choice, Fact
from kb.reading.ordeals.words import ATTRIBUTES
from kb.reading.scene import Clause, Scene


@dataclass(frozen=True, slots=True)
class Span:
    """A number, or a sum of two, in a clause: items `start` to `end`."""

    clause: int
    start: int
    end: int


def values_of(clause: Clause, span: Span) -> list[float | int]:
    return [item.value or 0 for item in clause.items[span.start : span.end] if item.tag == "N"]


def facts_of(what: str, values: list[float | int], party: str) -> tuple[Fact, ...]:
    """A sum is a roll with Might on it, or a total."""
    if len(values) == 1:
        return () if what == "roll" and not 1 <= values[0] <= DIE else (Fact(what, values[0], party),)
    if what == "roll":
        return Fact("roll", values[0], party), Fact("might", values[1], party)
    return (Fact(what, sum(values), party),) if what == "total" else ()


def pair(scene: Scene, one: Span, other: Span) -> list[Choice]:
    """`9+2 vs 7+1`, `14 to 8`: scores of the two, the winner's the higher."""
    clause = scene.clauses[one.clause]
    left, right = clause.tags[: one.start], clause.tags[other.end :]
    values, others = values_of(clause, one), values_of(clause, other)
    named = re.search(r"([MRTWE])[=a]*$", left) or re.match(r"[=af]{0,2}([MRTWE])(?![=a]*N)", right)
    kinds = {"roll": 0.3, "total": 0.6}
    if named:
        kinds = {ATTRIBUTES[named[1]]: 0.0}
    elif re.search(r"[wl]", left):
        kinds = {"total": 0.3, "roll": 0.45}
    found = []
    for what, cost in kinds.items():
        for first, second, more in _order(scene, one, other, sum(values), sum(others)):
            facts = facts_of(what, values, first) + facts_of(what, others, second)
            if len({fact.party for fact in facts}) == 2:
                found.append(Choice(cost + more, facts))
    return found


def _order(scene: Scene, one: Span, other: Span, value: float, other_value: float) -> Iterator[tuple[str, str, float]]:
    """Whose the first number of a pair is and whose the second, and the cost."""
    clause = scene.clauses[one.clause]
    left = clause.items[: one.start]
    first, second = scene.sides
    for each in scene.clauses[: one.clause + 1]:
        # `mine vs hers: dice 12 vs 1, Might 3 vs 0`
        header = re.search(r"P[a']*va*P", each.tags) if each.sentence == clause.sentence else None
        told = [item.party or "" for item in each.items[slice(*header.span())] if item.tag == "P"] if header else []
        if set(told) == {first, second}:
            yield told[0], told[1], 0.0
            return
    won = next((item.tag for item in reversed(left) if item.tag in "wl"), None)
    if won is None and one.clause and re.fullmatch(r"[&a]*", clause.tags[: one.start]):
        # `lost two exchanges, 5 to 9 and 4 to 8`
        before = scene.clauses[one.clause - 1]
        won = (
            next((item.tag for item in reversed(before.items) if item.tag in "wl"), None) if _told_of(before) else None
        )
    favoured = next((i.party for i in clause.items if i.tag == "P" and i.role == "owner"), None)
    if re.search(r"\bfavou?r\b", clause.text) and favoured in scene.sides and value != other_value:
        lower = scene.other(favoured or "")
        yield (favoured or "", lower, 0.0) if value > other_value else (lower, favoured or "", 0.0)
        return
    if match := re.match(r"(?:fa*)?P$", clause.tags[other.end :]):
        # `12 to 9 for him`, `12-9 him`
        whose = clause.items[-1].party
        given = match.group() == "P" or clause.items[other.end].text == "for"
        if whose in scene.sides and whose and given and value != other_value:
            lower = scene.other(whose)
            if match.group() != "P" and "v" in clause.tags[one.end : other.start]:
                # `4 against 11 for the pirate`: his may be either.
                yield whose, lower, 0.1
                yield lower, whose, 0.1
                return
            yield (whose, lower, 0.0) if value > other_value else (lower, whose, 0.0)
            return
    people = [item for item in reversed(left) if item.tag == "P"]
    doer = next((item for item in people if item.role != "object"), people[0] if people else None)
    if doer and len(doer.parties) > 1:
        yield first, second, 0.3
        yield second, first, 0.3
        return
    subject = doer.party if doer else None
    if won and doer and doer.role == "object" and subject in scene.sides and subject and scene.other(subject) == "me":
        # `beat him 8 to 6`
        subject = scene.other(subject)
    if won and subject is None:
        subject = _about(scene, one.clause) or ("me" if "me" in scene.sides else None)
    if won and subject in scene.sides and value != other_value:
        higher = subject if won == "w" else scene.other(subject or "")
        lower = scene.other(higher)
        yield (higher, lower, 0.0) if value > other_value else (lower, higher, 0.0)
        return
    if subject in scene.sides and subject:
        yield subject, scene.other(subject), 0.1
        yield scene.other(subject), subject, 1.2
        return
    about = _about(scene, one.clause)
    if about in scene.sides and about:
        before = scene.clauses[one.clause - 1]
        apart = before.sentence != clause.sentence and "N" in before.tags
        yield about, scene.other(about), 0.2
        yield scene.other(about), about, 0.4 if apart else 0.7
        return
    yield first, second, 0.3
    if "me" in scene.sides:
        yield second, first, 0.35


def _told_of(clause: Clause) -> bool:
    """Whether a clause says that exchanges were won or lost, and no score of them."""
    return re.fullmatch(r"[&ao]*P?[ah]*[wl](?:N?k)?", clause.tags) is not None


def _about(scene: Scene, number: int) -> str | None:
    """Whom the clause before is about, if about one."""
    items = scene.clauses[number - 1].items if number else []
    people = {i.party for i in items if i.tag == "P" and i.role != "object"}
    if not people and re.match(r"[&ao]*[Aw]a*P", "".join(item.tag for item in items)):
        # `hit him twice, 10 vs 6`
        people = {scene.other(i.party or "") for i in items if i.tag == "P" and i.party in scene.sides}
    return people.pop() if len(people) == 1 else None
