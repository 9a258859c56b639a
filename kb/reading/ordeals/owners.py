"""Book of Ordeals: whose a number is, by the mentions around it, each with a cost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.reading.numbers import BOTH, LOSER
from kb.reading.persons import FIRST, SECOND, THIRD
from kb.reading.scene import Clause, Item, Scene

Owner = tuple[str, float, int, float]
"Party, cost; where the mention stands that told it, if that may mean either, else -1; how far-fetched that meaning is."


PRONOUNS = frozenset([*FIRST, *SECOND, *THIRD])
FAR = 3.2
"What it costs that a number is somebody's whom no word near it names."


def owners(scene: Scene, number: int, start: int, end: int, what: str) -> list[Owner]:
    """Parties that may have the number in items `start` to `end` of a clause, cheapest first, each once."""
    return _cheapest(_owners(scene, number, start, end, what))


def _cheapest(found: Iterator[Owner]) -> list[Owner]:
    best: dict[str, Owner] = {}
    for owner in found:
        if owner[0] not in best or _dear(owner) < _dear(best[owner[0]]):
            best[owner[0]] = owner
    return sorted(best.values(), key=_dear)


def _dear(owner: Owner) -> float:
    return owner[1] + owner[3]


def _who(item: Item, more: float) -> Iterator[Owner]:
    """Whom a mention may mean, at a cost on top."""
    through = max(item.bound, item.start if item.bound < 0 else 0) if len(item.parties) > 1 else -1
    yield from ((party, more, through, doubt) for party, doubt in item.parties)


def _owners(scene: Scene, number: int, start: int, end: int, what: str) -> Iterator[Owner]:
    clause = scene.clauses[number]
    before, after = clause.items[:start], clause.items[end:]
    if _for_both(clause, start, end):
        yield BOTH, 0.0, -1, 0.0
        return
    inside = [item for item in clause.items[start:end] if item.tag == "P"]
    for item in inside:
        yield from _who(item, 0.0)
    if not inside:
        settled = [*_furnished(before, what), *_in_its_parenthesis(scene, number, before)]
        if what == "ward" and re.search(r"va*$", clause.tags[:start]):
            # `with Might 1 against Ward 3`, `against a Ward 2 guy`
            described = after and after[0].tag == "P" and after[0].role != "owner"
            settled = settled or list(_who(after[0], 0.02) if described else _past_versus(scene, number, start))
        if settled:
            yield from settled
            return
        yield from _beside(scene, before, after, clause.tags[start:end])
        yield from _in_parenthesis(scene, number, after)
        yield from _in_clause(before)
    named_here = any(item.tag == "P" for item in clause.items[:end])
    if what in ("ward", "endurance") and not named_here and _of_nobody(scene, number):
        yield LOSER, 0.25, -1, 0.0
        here = scene.clauses[number].sentence
        if any(scene.clauses[place].sentence == here for place in scene.asking):
            return
    unnamed = not any(item.tag == "P" for item in scene.items[: clause.first + end])
    if unnamed and "v" in clause.tags and (what not in ("ward", "endurance") or _set_against(clause.tags, start)):
        yield scene.sides["v" in clause.tags[:start]], 0.25, -1, 0.0
    if what in ("ward", "endurance") and not named_here and _after_a_blow(scene, number, start):
        yield LOSER, 0.0, -1, 0.0
    if (
        what in ("ward", "endurance")
        and not named_here
        and number
        and (re.search(r"N[vw-]a*", scene.clauses[number - 1].tags) or _sets_both(scene, number - 1))
    ):
        # `6 + Might 1 vs 5, Ward 1`, `the ogre beat my elf 9 to 7, Ward 3`: whoever is hurt, or the one it is about.
        yield LOSER, 0.25, -1, 0.0
    yield from _past_versus(scene, number, start)
    against = re.match(r"[^vP]*va*P", clause.tags[end:]) if unnamed_here(before) else None
    opposed = clause.items[end + against.end() - 1].party if against else None
    if opposed in scene.sides and opposed:
        # `11 against my 9`
        yield scene.other(opposed), 0.15, -1, 0.0
    beaten = re.search(r"[vw]a*$", clause.tags[:start]) and next(
        (i for i in reversed(before) if i.role == "subject"), None
    )
    if beaten and beaten.party in scene.sides and beaten.party:
        # `I won with 8+1 against 4+2`
        yield scene.other(beaten.party), 0.15, -1, 0.0
    if not beaten and re.search(r"(?:w|lf)a*$", clause.tags[:start]):
        yield scene.sides[1], 0.2, -1, 0.0
    yield from _ahead(scene, number)
    yield from _carried(scene, number, what, bool(inside) or any(item.role in ("subject", "owner") for item in before))


def _sets_both(scene: Scene, number: int) -> bool:
    """Whether a clause sets the scores of both against each other."""
    clause = scene.clauses[number]
    named = {item.party for item in clause.items if item.tag == "P"}
    return set(scene.sides) <= named and re.search(r"N[f-]a*N|NPa*N", clause.tags) is not None


def _past_versus(scene: Scene, number: int, start: int) -> Iterator[Owner]:
    """`rolled 11 with Might 1 against 6 with Might 2`: behind the word is the other one's."""
    clause = scene.clauses[number]
    at = clause.tags[:start].rfind("v")
    if at < 0:
        return
    doer = next((item for item in clause.items[:at] if item.role in ("subject", "owner")), None)
    doer = doer or next(subjects(scene, number), None)
    if doer and doer.party in scene.sides and doer.party and len(doer.parties) == 1:
        yield scene.other(doer.party), 0.15, -1, 0.0


def unnamed_here(before: list[Item]) -> bool:
    """Whether nobody is mentioned before it in its clause."""
    return not any(item.tag == "P" for item in before)


def is_done_to(items: list[Item], at: int) -> bool:
    """Whether a mention is the object of a verb of the fight right before it, with somebody who does it."""
    tags = "".join(item.tag for item in items[:at])
    return (
        items[at].role == "object"
        and re.search(r"[ACwlgt]a*$", tags) is not None
        and any(item.role == "subject" for item in items[:at])
    )


def _for_both(clause: Clause, start: int, end: int) -> bool:
    """`Might 1 each`, `we both have Might 1`, `both rolled 6`: a word for both up to the next number either way."""
    left, right = clause.tags[:start], clause.tags[end:]
    if re.search(r"\bwe (?:\w+ )?(?:tie|tied|draw|drew) (?:at|on) \S+$", " ".join(i.text for i in clause.items[:end])):
        return True
    after = re.match(r"[f=ajP]{0,3}b(?![f=a]*[MWERTN])", right)
    before = re.search(r"b[^N&]*$", left) or re.search(r"b[^N]*[MWE][^N]*&[^N]*$", left)
    return bool("b" in clause.tags[start:end] or after or before)


def _set_against(tags: str, start: int) -> bool:
    """Whether a Ward stands on its side of a `vs` beside another number, so that both sides are told."""
    at = tags.index("v")
    return len(re.findall(r"N", tags[:at] if start < at else tags[at:])) > 1


def _beside(scene: Scene, before: list[Item], after: list[Item], span: str) -> Iterator[Owner]:
    """Directly before it, with at most a colon between; or after it: `8 for me`."""
    tags_before, tags_after = "".join(i.tag for i in before), "".join(i.tag for i in after)
    if match := re.search(r"P[='a]*$", tags_before):
        item = before[match.start()]
        doer = next((each for each in before[: match.start()] if each.role == "subject"), None)
        if doer and is_done_to(before, match.start()):
            # `he charged me 9 + 1`
            yield from _who(doer, 0.1)
            yield from _who(item, 0.6)
        else:
            yield from _who(item, 0.03)
    if (match := re.match(r"(?:[MWE]N)+fa*P", tags_after)) and after[match.group().index("f")].text == "for":
        # `11 Might 0 for me`
        yield from _who(after[match.end() - 1], 0.1)
    if match := re.match(r"[au]*[f=]a*P", tags_after):
        item = after[match.end() - 1]
        if item.role == "owner" and tags_after[match.end() : match.end() + 1] in ("'", "."):
            return
        if after[0].text == "to" and item.party in scene.sides and re.match(r"'?[au]*N", tags_after[match.end() :]):
            # `9 to my 8`
            yield scene.other(item.party or ""), 0.1, -1, 0.0
            return
        yield from _who(item, 0.5 if re.match(r"[='a]*[NMWERT]", tags_after[match.end() :]) else 0.05)
    elif match := re.match(r"[au]*P", tags_after):
        item = after[match.end() - 1]
        # `a Ward 3 guy`, `a 7 Endurance brute`, but `Ward 3, he rolled` and `me Might 2 orc Might 1`
        labels = re.search(r"P[='a]*$", tags_before) or re.match(r"[='a]*[NMWERTh]", tags_after[match.end() :])
        described = match.end() == 1 and re.search(r"[MWE]", span) and item.text not in PRONOUNS and not labels
        yield from _who(item, 0.02 if described else 0.45)


def _in_its_parenthesis(scene: Scene, number: int, before: list[Item]) -> Iterator[Owner]:
    """`Thok (roll 8, Might 2, Ward 1)`: all that stands in the parenthesis is his."""
    if any(item.tag == "P" for item in before):
        return
    for back in range(number - 1, -1, -1):
        clause = scene.clauses[back]
        if clause.mark.startswith("("):
            last = next((item for item in reversed(clause.items) if item.tag in "PN"), clause.items[-1])
            if last.tag == "P" and last.role != "owner":
                yield from _who(last, 0.05)
            return
        if ")" in clause.mark or any(item.tag == "P" for item in clause.items):
            return


def _furnished(before: list[Item], what: str) -> Iterator[Owner]:
    """`a foe with Ward 1 and 2 Endurance`; but `he attacks me with Might 2` tells of him."""
    tags = "".join("j" if item.text in ("through", "past") else item.tag for item in before)
    match = re.search(r"([AC])?a*Pa*j[a=dMWEN&+]*$", tags)
    if match and (what in ("ward", "endurance") or (what == "might" and not match[1])):
        yield from _who(before[tags.rindex("P")], 0.05)


def _in_parenthesis(scene: Scene, number: int, after: list[Item]) -> Iterator[Owner]:
    """`12 (me) against 9 (him)`"""
    if not after and scene.clauses[number].mark == "(" and number + 1 < len(scene.clauses):
        first = scene.clauses[number + 1].items[0]
        if first.tag == "P":
            yield from _who(first, 0.05)


def _in_clause(before: list[Item]) -> Iterator[Owner]:
    """The last one before it that acts or owns something; dearer one that something is done to."""
    seen_object, tags = False, "".join(item.tag for item in before)
    for at, item in reversed(list(enumerate(before))):
        if item.tag != "P":
            continue
        # `him 5 Ward 2`: what is right before a number is its label, whatever its case.
        labels = item.role != "object" or (re.match(r"[='a]*N", tags[at + 1 :]) and not is_done_to(before, at))
        if labels and not re.search(r"wa*$", tags[:at]):
            yield from _who(item, 0.2)
            return
        if not seen_object:
            yield from _who(item, 0.9)
        seen_object = True


def _ahead(scene: Scene, number: int) -> Iterator[Owner]:
    """`with Might 2, can I win`: told of whoever the clause after is about."""
    clause = scene.clauses[number]
    if not clause.tags.lstrip("&a").startswith("j") or "P" in clause.tags or number + 1 == len(scene.clauses):
        return
    after = scene.clauses[number + 1]
    subject = next((item for item in after.items if item.tag == "P" and item.role != "object"), None)
    if after.sentence == clause.sentence and subject:
        yield from _who(subject, 0.1)


def _carried(scene: Scene, number: int, what: str, dear: bool) -> Iterator[Owner]:
    """Whoever the clauses before were about; nobody named so far means the player, if it speaks of itself at all."""
    extra = 0.9 if dear else 0.0
    for back in range(number - 1, -1, -1):
        clause = scene.clauses[back]
        # Of a clause about allies only what stands before them is about one of the two.
        own = clause.items[: clause.tags.index("K")] if "K" in clause.tags else clause.items
        people = [item for item in own if item.tag == "P"]
        acting = [item for item in people if item.role != "object"]
        apart = 0.3 + 0.1 * (clause.sentence != scene.clauses[number].sentence) + extra
        if people and not acting:
            # `what is left on the troll, 10 Endurance, Ward 3`
            asked = back in scene.asking and what in ("ward", "endurance")
            yield from _who(people[-1], apart - 0.1 if asked else apart + 0.6)
        if acting:
            yield from _who(acting[-1], apart)
            break
    else:
        yield scene.sides[0], 0.5 + extra, -1, 0.0
        if what in ("ward", "endurance") and scene.sides[1] == "first":
            # Or of the one who is never named.
            yield "first", 0.52 + extra, -1, 0.0
    yield from ((side, FAR, -1, 0.0) for side in scene.sides)


def _after_a_blow(scene: Scene, number: int, start: int) -> bool:
    """Whether the words before tell a damage or a difference: then it is the Ward of whoever takes it."""
    earlier = scene.clauses[number - 1].tags if number else ""
    return any(re.search(r"[DHGy][=a]*N|N[au]*[DHG]", tags) for tags in (earlier, scene.clauses[number].tags[:start]))


def _of_nobody(scene: Scene, number: int) -> bool:
    """Whether the sentence names nobody before, and the one before it both: then it is told of whoever is hurt."""
    here = scene.clauses[number].sentence
    earlier = [c for c in scene.clauses[:number] if c.sentence == here]
    if any(item.tag == "P" for c in earlier for item in c.items):
        return False
    last = {item.party for c in scene.clauses[:number] if c.sentence == here - 1 for item in c.items if item.tag == "P"}
    return set(scene.sides) <= last


def victims(scene: Scene, number: int, start: int, end: int, what: str) -> list[Owner]:
    """Who takes a damage, a Harm, or loses by a difference; `loser` where the words name nobody."""
    found = ((party, cost, -1, 0.0) for party, cost in _victims(scene, number, start, end, what))
    return _cheapest(found) or [(LOSER, 0.3, -1, 0.0)]


def _victims(scene: Scene, number: int, start: int, end: int, what: str) -> Iterator[tuple[str, float]]:
    before, after = scene.clauses[number].items[:start], scene.clauses[number].items[end:]
    match = re.match(r"(?:[au]*|(?:&a*N)+[auDHG]*)[f=][ad]*P", "".join(item.tag for item in after))
    if match and what != "difference":
        yield from after[match.end() - 1].parties
        return
    tags = "".join(item.tag for item in before)
    listed = re.fullmatch(r"[&aof]*|[&aofN]*&[aof]*", tags) and number
    if listed and (what != "difference" or scene.clauses[number].items[start].tag == "N"):
        # `I do 1 damage, then 1 damage`: on the same one again.
        earlier = scene.clauses[number - 1]
        place = max((at for at, item in enumerate(earlier.items) if item.tag == "N"), default=None)
        if place is not None:
            yield from _victims(scene, number - 1, place, place + 1, what)
            return
    verb = max(tags.rfind(letter) for letter in "tgAwl")
    if verb >= 0 and tags[verb] == "A" and (taken := re.search(r"[tgwl][adoN]*\.?$", tags[:verb])):
        # `takes two heavy hits`: the hits are a noun.
        verb = taken.start()
    if verb >= 0:
        yield from _by_verb(scene, before, verb, number)
        return
    for at in range(number, -1, -1):
        items = before if at == number else scene.clauses[at].items
        people = [item for item in items if item.tag == "P"]
        if (
            people
            and scene.clauses[number].items[start].tag == "y"
            and not re.search("[tgAwl]", scene.clauses[at].tags)
        ):
            # `the first exchange mine by 4`
            yield from ((scene.other(party), cost) for party, cost in people[-1].parties if party in scene.sides)
            return
        if people:
            yield from ((party, cost + 0.35) for party, cost in people[-1].parties)
            return


def _by_verb(scene: Scene, before: list[Item], verb: int, number: int) -> Iterator[tuple[str, float]]:
    """`he beats me by 7`, `I lose by 4`, `it deals 6`, `I got hit for 7`, `took 4`."""
    subject = next((item for item in reversed(before[:verb]) if item.tag == "P" and item.role != "object"), None)
    if subject is None and before[verb].text == "hit" and not any(subjects(scene, number)):
        # `hit for 4, am I dead`: whoever has the Ward and the Endurance.
        yield LOSER, 0.05
        return
    if subject is None and verb > 1 and re.search(r"a\.$", "".join(item.tag for item in before[:verb])):
        # `the gribbly deals 4`: somebody who is not known.
        return
    target = next((item for item in before[verb + 1 :] if item.tag == "P"), None)
    parties = subject.parties if subject else tuple(_last_subject(scene, number))
    passive = verb > 0 and re.search(r"[r=]a*$", "".join(item.tag for item in before[:verb])) is not None
    suffers = before[verb].tag in "tl" or (before[verb].tag == "A" and passive)
    if not suffers and target:
        yield from target.parties
        return
    for party, cost in parties:
        if party in scene.sides:
            yield (party if suffers else scene.other(party)), cost + 0.05
        elif party == "winner" or party == "loser":
            yield LOSER, cost


def subjects(scene: Scene, number: int) -> Iterator[Item]:
    """Mentions before a clause that act or own something, the nearest first."""
    for back in range(number - 1, -1, -1):
        yield from (item for item in reversed(scene.clauses[back].items) if item.tag == "P" and item.role != "object")


def _last_subject(scene: Scene, number: int) -> Iterator[tuple[str, float]]:
    if last := next(subjects(scene, number), None):
        yield from last.parties
        return
    if scene.sides[0] == "me":
        yield "me", 0.2
