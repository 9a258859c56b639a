"""Who is who in a question: the player, the foe, or two fighters by name; and whom each `he` and `it` means.

A fighter is known by its word (`ogre`), by what it does (`the sheepdog rolled`), or by whose it is (`my guy`). A
pronoun that may mean either of two keeps both, the nearer first, so that the numbers can settle it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kb.reading.fighters import ANYBODY, FOES, SPEAKERS, Fighters
from kb.reading.persons import FIRST, FOE, LOSER, ME, SECOND, THIRD, WINNER, Pronouns, person_of
from kb.reading.roles import give_roles
from kb.reading.scene import Clause, Scene

ONE_MORE = frozenset("other another second third different".split())
"Before a noun: it is nobody of the two."
OUTCOMES = frozenset("lost lose loses losing won win wins winning".split())
"`lost it by five`: nobody is lost."
OWNERS = {"my": ME, "our": ME, "your": "you", "his": "he", "her": "he", "their": "he", "its": "he"}


@dataclass
class Mention:
    """A word that means somebody, before it is known whom."""

    clause: int
    at: int
    kind: str
    "first | second | third | foe | noun | anybody | winner | loser"
    word: str
    owner: str = ""
    "For a noun: `me`, `he`, `you`, `foe` or nothing."


def tell_apart(text: str, clauses: list[Clause], player: bool = True) -> Scene:
    """Marks every mention in the clauses and settles whom it means.

    `player=False` takes `I` and `we` for people who only look on, so that two others fight.
    """
    mentions = list(_mentions(text, clauses))
    if not player:
        onlookers = [m for m in mentions if m.kind in ("first", "second")]
        for mention in onlookers:
            scene_item = clauses[mention.clause].items[mention.at]
            scene_item.tag = "a" if scene_item.text in OWNERS else "."
        mentions = [m for m in mentions if m.kind not in ("first", "second")]
        for mention in mentions:
            mention.owner = ""
    scene = _sides(clauses, mentions)
    scene.text = text
    _settle(scene, mentions)
    give_roles(clauses)
    return scene


def _mentions(text: str, clauses: list[Clause]) -> Iterator[Mention]:
    fighters = Fighters(text, clauses)
    for number, clause in enumerate(clauses):
        for at, item in enumerate(clause.items):
            found = _mention(fighters, number, at)
            if found:
                kind, owner = found
                item.tag = "P"
                if kind == "noun" and not fighters.by_name(item.text) and fighters.by_name(item.text[:-1]):
                    item.text = item.text[:-1]
                yield Mention(number, at, kind, item.text, owner)


def _mention(fighters: Fighters, number: int, at: int) -> tuple[str, str] | None:
    """What kind of mention an item is, and whose; determiners of nouns become fillers."""
    clause = fighters.clauses[number]
    item = clause.items[at]
    word = item.text
    if item.tag == "K" or word in SPEAKERS:
        _absorb(clause, at, genitive=False)
        return None
    if word == "it" and at and clause.items[at - 1].text in OUTCOMES:
        return None
    for kind, words in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        if word in words:
            return (kind, "") if not _determines_aperson_of(fighters, number, at) else None
    if word in (WINNER, LOSER):
        return word, ""
    if word in FOES:
        return _foe(fighters, number, at)
    if word in ANYBODY and word != "one":
        owner = _absorb(clause, at)
        return ("noun" if owner else "anybody"), owner
    return ("noun", _absorb(clause, at)) if fighters.has(number, at) else None


def _foe(fighters: Fighters, number: int, at: int) -> tuple[str, str] | None:
    """`enemy` before a creature, and `opponent's` before one, only say whose it is."""
    clause = fighters.clauses[number]
    if at and clause.items[at - 1].text in ONE_MORE:
        return None
    after = at + 1 + (at + 1 < len(clause.items) and clause.items[at + 1].tag == "'")
    if after < len(clause.items) and fighters.has(number, after):
        return None
    _absorb(clause, at)
    return "foe", ""


def _determines_aperson_of(fighters: Fighters, number: int, at: int) -> bool:
    """Whether a possessive stands before a fighter or a friend, within two words."""
    clause = fighters.clauses[number]
    if clause.items[at].text not in OWNERS:
        return False
    for place in range(at + 1, min(at + 4, len(clause.items))):
        item = clause.items[place]
        if item.tag == "K" or item.text in FOES or item.text in ANYBODY or item.text in SPEAKERS:
            return True
        if fighters.has(number, place):
            return True
        if item.tag not in ".aNdMWE":
            return False
    return False


def _absorb(clause: Clause, at: int, genitive: bool = True) -> str:
    """Makes fillers of what determines a noun, and returns whose it is by that; `the ogre's` only if asked to."""
    for back in range(at - 1, max(-1, at - 5), -1):
        item = clause.items[back]
        if item.text in OWNERS and item.tag in (".", "a"):
            item.tag = "a"
            return OWNERS[item.text]
        if item.text in FOES and item.tag in (".", "a"):
            item.tag = "a"
            return FOE
        if item.tag == "'" and not genitive:
            return ""
        if item.tag == "'":
            item.tag = "a"
            if back and clause.items[back - 1].tag == ".":
                clause.items[back - 1].tag = "a"
            continue
        if item.tag not in ".aNdMWE" or item.text in ("who", "that"):
            return ""
    return ""


def _is_one_more(clauses: list[Clause], mention: Mention) -> bool:
    """`another goblin`, `a goblin too`: a third one, with whom somebody else is busy."""
    clause = clauses[mention.clause]
    before = [item.text for item in clause.items[max(0, mention.at - 3) : mention.at]]
    several = re.search(r"\b(?:too|also|as well)\b", clause.text) and {"a", "an"} & set(before)
    return bool(several or ONE_MORE & set(before))


def _sides(clauses: list[Clause], mentions: list[Mention]) -> Scene:
    """Who the two parties are."""
    own = [m for m in mentions if m.kind == "noun" and m.owner == ME]
    first = [m for m in mentions if m.kind == "first"]
    if not own and not first:
        _name_anybodies(mentions)
    mine = {m.word for m in own}
    nouns = [m for m in mentions if m.kind == "noun" and m.owner != ME and m.word not in mine]
    strangers = frozenset(m.word for m in nouns if _is_one_more(clauses, m)) - {
        m.word for m in nouns if not _is_one_more(clauses, m)
    }
    nouns = [m for m in nouns if m.word not in strangers]
    counted = Counter(m.word for m in nouns)
    order = list(dict.fromkeys(m.word for m in nouns))
    thirds = list(dict.fromkeys(person_of(m.word) for m in mentions if m.kind == "third"))
    foes = next((m.word for m in mentions if m.kind == "foe"), None)
    helped = not order and any(item.tag == "K" for clause in clauses for item in clause.items)
    # `rolled 8, he rolled 9`: whoever says so is the one not named.
    helped = helped or (not order and bool(thirds) and any(_SUBJECTLESS.match(clause.tags) for clause in clauses))
    helped = helped or (not order and not thirds and any(_LOST.match(clause.tags) for clause in clauses))
    helped = helped or (not order and foes is not None)
    helped = helped or (len(order) == 1 and _speaks_unnamed(clauses, nouns[0]))
    if first or own or helped or (not order and any(m.kind == "second" for m in mentions)):
        rivals = [word for word in order if word not in ("attacker", "defender")]
        named = max(rivals, key=lambda word: (counted[word], -rivals.index(word)), default=None)
        speaks = any(clauses[m.clause].items[m.at].text in ("i", "me", "mine") for m in first)
        return Scene(
            "",
            clauses,
            (ME, FOE),
            {ME: own[0].word if own and not speaks else ME, FOE: named or foes or FOE},
            strangers=strangers,
        )
    if foes and len(order) < 2:
        order.append(FOE)
    if not order and len(thirds) > 1:
        order = thirds[:2]
    missing = [name for name in ("first", "second") if len(order) < 2 or name == "first"]
    sides = (order + missing)[:2] if order else ["first", "second"]
    second = sides[1] if len(sides) > 1 else "second"
    return Scene("", clauses, (sides[0], second), {side: side for side in sides}, strangers=strangers)


def _name_anybodies(mentions: list[Mention]) -> None:
    """`the beast` is a name where, with nobody speaking of himself, it makes up the two."""
    named = {m.word for m in mentions if m.kind == "noun"} | {FOE for m in mentions if m.kind == "foe"}
    anybodies = [m for m in mentions if m.kind == "anybody" and m.word not in ("one", "thing")]
    if len(named) == 1 and len({m.word for m in anybodies}) == 1:
        for mention in anybodies:
            mention.kind = "noun"


def _speaks_unnamed(clauses: list[Clause], noun: Mention) -> bool:
    """`got a 3, bandit a 5`, `two rounds on the brute, won 9-5`: one who is not named scores as well."""
    before = [clause for clause in clauses[: noun.clause] if re.match(r"[&ao]*ra*N", clause.tags)]
    if noun.at and re.match(r"[&ao]*C[^Pr]*P", clauses[noun.clause].tags):
        # `charged the bandit, rolled 6`
        return True
    after = [clause for clause in clauses[noun.clause + 1 :] if _LOST.match(clause.tags)]
    return bool(before) or (bool(after) and noun.at > 1)


def _settle(scene: Scene, mentions: list[Mention]) -> None:
    """Gives every mention its parties; pronouns by the nouns before them."""
    mine = {m.word for m in mentions if m.kind == "noun" and m.owner == ME}
    rivals = {m.word for m in mentions if m.kind == "noun" and m.owner != ME} - mine - scene.strangers
    named = bool(rivals) or any(m.kind == "foe" for m in mentions)
    persons = {person_of(m.word) for m in mentions if m.kind == "third"}
    pronouns = Pronouns(scene, bool(mine), named, _throwing(scene, mentions), persons)
    first: dict[str, int] = {}
    for mention in mentions:
        item = scene.clauses[mention.clause].items[mention.at]
        if mention.kind in ("winner", "loser"):
            item.parties = ((mention.kind, 0.0),)
        elif mention.kind in ("first", "second"):
            item.parties = ((ME if ME in scene.sides else scene.sides[0], 0.0),)
        elif mention.kind in ("noun", "foe"):
            own = mention.word in mine and not mention.owner and ME in scene.sides
            party = ME if own else _party_of(scene, mention, rivals)
            item.parties = ((party, 0.0),)
            if party in scene.sides:
                pronouns.last.append((party, mention.word))
        else:
            item.parties = pronouns.meant(mention.word)
            if mine and not named:
                item.bound = first.setdefault(person_of(mention.word), item.start)


def _throwing(scene: Scene, mentions: list[Mention]) -> set[str]:
    """Third persons who roll: `he rolled`, `her d12`."""
    found = set()
    for mention in mentions:
        tags = scene.clauses[mention.clause].tags
        before, after = tags[: mention.at].rstrip("a"), tags[mention.at + 1 :]
        if mention.kind in ("first", "third") and (_SCORED.match(after) or before.endswith("Nf")):
            found.add(person_of(mention.word) if mention.kind == "third" else ME)
    return found


_SUBJECTLESS = re.compile(r"[&ao]*(?:ra*N|C(?:f?$|P|&a*r)|Aa*P|N[^P]*va*P)")
_LOST = re.compile(r"[&ao]*[wl]a*N[-fv]N")
"`lost 7 to 4` says whoever did."
_SCORED = re.compile(r"[ah=]*[rR]|[h=j]a*N[=aP]*R|[=a]*N(?![au]*[MWEDH])|Aa*jN")


def _party_of(scene: Scene, mention: Mention, rivals: set[str]) -> str:
    if mention.word in scene.strangers:
        return f"other {mention.word}"
    if ME in scene.sides:
        if mention.owner == ME and mention.kind == "noun":
            return ME
        if mention.kind == "foe" or mention.owner in ("he", FOE) or mention.word == scene.names[FOE]:
            return FOE
        return f"other {mention.word}" if len(rivals) > 1 else FOE
    if mention.word in scene.sides:
        return mention.word
    return FOE if mention.kind == "foe" and FOE in scene.sides else f"other {mention.word}"
