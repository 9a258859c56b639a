"""Book of Ordeals: what goes on besides the numbers. Who acts, who charged, which allies count, what is out of bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kb.reading.ordeals_allies import Help, allies
from kb.reading.scene import Clause, Item, Scene

UNKNOWN = re.compile(
    r"\b(?:magic\w*|spell\w*|lore|tired|prone|poison\w*|crit\w*|doubl\w+|halv\w+|half(?! an? inch| inch)|triple|"
    r"re-?roll\w*|advantage|cover|terrain|hills?|higher ground|height|uphill|aim\w*|shoot\w*|shots?|fir(?:e|es|ed|ing)|"
    r"arrows?|bow|dodg\w+|parr\w+|shield\w*|potion\w*|bless\w*|curs\w+|buff\w*|debuff\w*|flank\w*|behind|unaware|"
    r"stunn\w+|blind\w*|heal\w*|regenerat\w*|ignor\w+|pierc\w*|ranged|throwing|house rules?|homebrew|"
    r"skill|trait|abilit\w+|special|aftermath|luck token|at least|at most|or more|or less|unless|instead|advice|worth it|average|expected|"
    r"chances?|odds|probab\w+|likely)\b|\b(?:up to|roughly|about|around|maybe) (?=\d|one\b|two\b|three\b|four\b|five\b)"
)
"Words of things that the pages here know no number for, or that make a number something else."
NO_MODIFIERS = re.compile(
    r"\b(?:no|without|ignor\w+) (?:any )?(?:other )?(?:special \w+|modifiers?|bonus\w*|traits?|abilit\w+)"
)
ATTACKS = frozenset(
    "attack attacks attacked attacking assault assaults assaulted assaulting swing swings swung swinging strike strikes "
    "struck striking smack smacks smacked stab stabs stabbed lunge lunges lunged charge charges charged charging".split()
)
DEFENDS = frozenset("defend defends defended defending".split())
TURNS = frozenset("act turn activation go attack assault charge".split())
ACTING = frozenset("act acts acting activate activates activated".split())
EARLIER = re.compile(r"\b(?:last|previous|prior|earlier|before that)\b ?(?:turn|act|round|activation|game|time)?")
AGAIN = re.compile(r"\b(?:again|second|another|2nd|twice|next|third|once more|follow-?up|two assaults|both assaults)\b")
MOVED = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|r[ua]n|runs|running|rush\w*|walk\w*|dash\w*|sprint\w*|storm\w*|step(?:s|ped)|leap\w*|"
    r"gallop\w*|barrel\w*|barg\w*|advanc\w*|closed|closes|dart\w*|trot\w*|races?|raced|sneaks|sneaked|snuck|crept|"
    r"lumber\w*|stomp\w*|march\w*|hurtle\w*|dove|dives|bursts?|approach\w*|strides?|strode|went|goes|go|came|comes)"
    r"(?: \S+){0,4}? (?:in|into|up|to|towards?|at|over|onto|next|adjacent|beside|within|close|closer|contact|distance|"
    r"engagement|and)\b"
)
LOOSE = re.compile(r"\b(?:went|goes|go|came|comes)\b(?! (?:in|into|up to|over to|right up))")
OTHERWISE = re.compile(
    r"\b(?:mov|ran|run|walk|step|jump|rush)\w*(?: \S+)? (?:away|back|off|out|past|around|sideways)\b"
)
STILL = re.compile(
    r"\b(?:not|n't|never|without|didnt|no) (?:\w+ )?(?:mov\w+|charg\w+|run|walk)|\bno charge|\bstay\w* put"
)
ENGAGED = re.compile(
    r"\balready (?:been )?(?:engaged|in (?:base )?(?:contact|combat|melee)|fighting|stuck|locked|base|next to|adjacent|"
    r"touching|there)|\b(?:start|began|begin)\w*\b.*\b(?:engaged|contact|melee|combat)|\bengaged (?:already|when|at the|"
    r"from the|since|before)|\bbeen (?:engaged|stuck|in melee|in contact|fighting)|\bstill engaged|"
    r"\b(?:was|were|am|is|are) engaged|\bengaged\b"
)
FREE = re.compile(
    r"\b(?:not|never|no longer|wasnt|werent|isnt|wasn't|weren't|isn't|nobody|un-?)[ -]?(?:\w+ ){0,2}engaged|unengaged|"
    r"\baway from (?:everybody|everyone|all|any|him|it|anyone|the)|\bnot (?:near|in contact|in melee)|\bwas free|\bnobody near"
)


@dataclass
class Story:
    """The conditions of an exchange."""

    actor: str | None = None
    charged: str | None = None
    "Who moved in and Assaults in this Act."
    engaged_at_start: bool = False
    help: Help = field(default_factory=Help)
    blocked: str = ""
    "Why it cannot be computed, in a word; empty where it can."
    used: set[int] = field(default_factory=set)
    "Starts of the items that the story has used up."


def read_story(scene: Scene, asking: set[int]) -> Story:
    """Reads the clauses; `asking` holds the places of those that ask."""
    story = Story(help=allies(scene))
    story.used |= story.help.used
    story.blocked = _out_of_bounds(scene) or story.help.unclear
    votes: list[tuple[int, str]] = []
    for number, clause in enumerate(scene.clauses):
        helped = next((at for at, item in enumerate(clause.items) if item.tag == "K"), None)
        # Of a clause about allies only whose Act it is can be told, not who attacks.
        votes += list(_acts(scene, number, helped is not None))
        if helped is None or "C" in clause.tags:
            _charge(scene, story, number, number in asking)
    story.actor = _elected(votes) or story.charged
    if story.charged and story.actor != story.charged:
        story.blocked = story.blocked or "who charged and who acts"
    _engaged(scene, story)
    if story.charged and AGAIN.search(_plain(scene)):
        story.blocked = story.blocked or "how long the Charge bonus lasts"
    return story


def _plain(scene: Scene) -> str:
    return " ".join(clause.text for clause in scene.clauses)


def _out_of_bounds(scene: Scene) -> str:
    text = NO_MODIFIERS.sub(" ", scene.text.casefold().replace("’", "'"))
    found = UNKNOWN.search(text)
    return found.group() if found else ""


def _subject(scene: Scene, number: int, at: int) -> str | None:
    """Who does what stands at a place: the last one before it in the clause, else of the clauses before."""
    for item in reversed(scene.clauses[number].items[:at]):
        if item.tag == "P" and item.role != "object":
            return item.party
    for back in range(number - 1, -1, -1):
        people = [i for i in scene.clauses[back].items if i.tag == "P" and i.role != "object"]
        if people:
            return people[-1].party
    return scene.sides[0] if scene.sides[0] in ("me", "first") else None


def _acts(scene: Scene, number: int, only_turns: bool = False) -> Iterator[tuple[int, str]]:
    """Whose Act it is, as votes: the stronger the word, the more."""
    clause = scene.clauses[number]
    for at, item in enumerate(clause.items):
        party = None
        weight = 2
        before = clause.items[at - 1] if at else None
        if item.text in TURNS and before and before.tag in "P'":
            owner = before if before.tag == "P" else clause.items[at - 2]
            party = owner.party if owner.role == "owner" else None
            if any(each.tag == "n" or each.text.endswith(("n't", "nt")) for each in clause.items[:at]) and party:
                party = scene.other(party) if party in scene.sides else None
        if (
            party is None
            and not only_turns
            and (item.text in ATTACKS or (item.text in ACTING and before and before.tag == "P"))
        ):
            party = _doer(scene, clause, number, at)
        if item.text in DEFENDS and not only_turns:
            subject = _subject(scene, number, at)
            party = scene.other(subject) if subject in scene.sides and subject else None
        if item.tag == "P" and item.text in ("attacker", "defender") and item.party in scene.sides and item.party:
            party = item.party if item.text == "attacker" else scene.other(item.party)
        if party in scene.sides and party:
            yield weight, party


def _doer(scene: Scene, clause: Clause, number: int, at: int) -> str | None:
    """Who attacks: not the subject where the verb is passive."""
    subject = _subject(scene, number, at)
    if _is_passive(clause.items, at):
        by = [item.party for item in clause.items[at:] if item.tag == "P" and item.role == "object"]
        return by[0] if by else scene.other(subject) if subject in scene.sides and subject else None
    return subject


def _is_passive(items: list[Item], at: int) -> bool:
    before = items[at - 1].text if at else ""
    return items[at].text.endswith(("ed", "uck", "ung")) and before in (
        "was", "were", "is", "are", "am", "be", "been", "being", "got", "get", "gets", "getting",
    )  # fmt: skip


def _elected(votes: list[tuple[int, str]]) -> str | None:
    """The one for whom all the words speak; None where they differ."""
    parties = {party for _, party in votes}
    return parties.pop() if len(parties) == 1 else None


def _charge(scene: Scene, story: Story, number: int, asks: bool) -> None:
    """Notes who charged, and what of a charge cannot be told."""
    clause = scene.clauses[number]
    text = clause.text
    at = next((place for place, item in enumerate(clause.items) if item.tag == "C"), None)
    moved = MOVED.search(text)
    if moved and LOOSE.match(moved.group()):
        moved = None
    if OTHERWISE.search(text):
        story.blocked = story.blocked or "where it moved"
    if (at is None and not moved) or STILL.search(text):
        return
    if asks and not re.search(r"\b(?:with|for|after|including|because|on|if|when|since|counting)\b.*charg", text):
        if at is not None:
            story.blocked = story.blocked or "the Charge bonus is what is asked"
        return
    if EARLIER.search(text):
        story.blocked = story.blocked or "how long the Charge bonus lasts"
        return
    place = at if at is not None else _place_of(clause, moved.group() if moved else "")
    who = _doer(scene, clause, number, place)
    if who in scene.sides and story.charged in (None, who):
        story.charged = who
    else:
        story.blocked = story.blocked or "who charged"
    for match in re.finditer(r"\+N(?=[.fa]{0,3}C)|C[B.]?\+N(?!\+)", clause.tags):
        number_at = match.start() + match.group().index("N")
        if clause.items[number_at].value == 1:
            story.used.add(clause.items[number_at].start)


def _place_of(clause: Clause, found: str) -> int:
    first = found.split()[0] if found else ""
    return next((at for at, item in enumerate(clause.items) if item.text.split()[0] == first), 0)


def _engaged(scene: Scene, story: Story) -> None:
    """Whether they were Engaged when the Act started. Only a Charge makes it matter."""
    for clause in scene.clauses:
        if any(item.tag == "K" for item in clause.items) or FREE.search(clause.text):
            continue
        if ENGAGED.search(clause.text):
            story.engaged_at_start = True
