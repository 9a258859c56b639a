"""Book of Ordeals: what goes on besides the numbers: who acts, who charged, which allies count, what is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kb.reading.ordeals.allies import ONLY, Help, allies
from kb.reading.ordeals.words import TABLES, words
from kb.reading.persons import EITHER
from kb.reading.scene import Clause, Item, Scene

UNKNOWN = words("unknown", "unclear")
"Words of things that the pages here know no number for, or that make a number something else."
NO_MODIFIERS = re.compile("|".join(TABLES["nothing"]))
"These take nothing away and add nothing."
_SETS = ("attacks", "defends", "turns", "acting", "unsaid", "passive")
ATTACKS, DEFENDS, TURNS, ACTING, UNSAID, PASSIVE = (frozenset(TABLES[name].split("|")) for name in _SETS)
EARLIER = re.compile(r"\b(?:last|previous|prior|earlier|before that)\b ?(?:turn|act|round|activation|game|time)?")
AGAIN = re.compile(
    r"\b(?:again|(?:second|another|2nd|next|third)(?! (?:foe|enemy|opponent|one|target|to)\b)|twice|once more|"
    r"follow-?up|two assaults|both assaults)\b"
)
_GOING = "|".join(TABLES["going"])
GOING = re.compile(
    rf"\b(?:{_GOING})\b(?! your\b)|"
    r"\b(?:(?:came|comes)(?= (?:\S+ ){0,3}from\b)|teleport\w*|fl(?:y|ies|ew)\b|slid|swam|crawl\w*|"
    r"(?:jump|drop|climb)(?:s|p?ed)? (?:down|over|on|from|off)\b)"
)
MOVED = re.compile(
    rf"\b(?:{_GOING}|went|goes|go|came|comes)"
    r"(?: \S+){0,4}? (?:in|into|up|to|towards?|at|over|onto|next|adjacent|beside|within|close|closer|contact|"
    r"distance|engagement|and|then|(?:so|till|until)(?: \S+){1,6} (?:reach|engaged|get|hit))\b"
)
LOOSE = re.compile(r"\b(?:went|goes|go|came|comes)\b(?! (?:in(?! with)|into|up to|over to|right up))")
OTHERWISE = re.compile(
    r"\b(?:mov|ran|run|walk|step|jump|rush)\w*(?: \S+)? (?:away|back|off|out|past|around|sideways)\b"
)
STILL = re.compile(
    r"(?:\bnot|n't|\b(?:never|without|no|(?:did|do|does|was|is|have|has|wo)nt)) (?:\w+ )?(?:mov\w+|charg\w+|run|walk)|"
    r"\bno charge|\bstay\w* put"
)
NOBODY = re.compile(r"\b(?:nobody|no one|neither|none)(?: of \w+)? (?:\w+ )?(?:mov\w+|charg\w+|ran|walked)")
ASKS_FOR_CHARGE = re.compile(
    r"\b(?:with|for|after|including|because|on|if|when|since|counting|and|i|he|she|it)\b.*\bcharg|\b(?:do|does|did|"
    r"will) .*\bcharge (?:win|beat|make|help)"
)
TOGETHER = words("together")
INTO = re.compile(
    r"\b(?:into|to|moves?|moved|ran|walked|up)(?: \w+)? (?:engagement|base contact|contact|next to|melee|combat)\b"
)
ALREADY = words("already")
BEGAN = re.compile(r"\b(?:already|all along)\b|\b(?:act|turn|activation) (?:began|begins?|started|starts?)\b")
"So begins what tells how an Act started."
STILL_IN = re.compile(rf"\bstill\b.*(?:{TOGETHER.pattern})|(?:{TOGETHER.pattern}).*\bsince\b")
APART = re.compile(
    r"(?:\bnot|\bnever|\bno longer|\bwasnt|\bwerent|\bisnt|n't|\bnobody|\bun)[ -]?(?:\w+ ){0,2}?(?:engaged|near|"
    r"in contact|in melee|in combat)|\bunengaged|\baway from (?:everybody|everyone|all|any|him|it|anyone|the)|"
    r"\bwas free|\bnobody near|\b(?:[2-9]|\d\d) inches\b|\b(?:well|far) (?:away|off)\b"
)


HEALTH = re.compile(r"[EWMNS]")
"Of a number something else is told."
STARTED_IN = re.compile(
    r"^(?:(?:i|we|and|so|but|had|have|'ve) )*(?:start|started|starting|begin|began|beginning)\b(?: (?:my|the|this|act|"
    r"turn|off|out|it|already))* (?:engaged|stuck|locked|in|next|adjacent|base)\b"
)


@dataclass
class Story:
    """The conditions of an exchange."""

    actor: str | None = None
    charged: str | None = None
    "Who moved in and Assaults in this Act."
    engaged_at_start: bool = False
    help: Help = field(default_factory=Help)
    going: bool = False
    "Somebody moved, and it is not told where to."
    blocked: str = ""
    "Why it cannot be computed, in a word; empty where it can."
    used: set[int] = field(default_factory=set)
    "Starts of the items that the story has used up."

    def charge_of(self, party: str | None) -> dict[str, Any]:
        """What the procedures want to know of a party's Charge; nothing where it made none."""
        charged = party is not None and self.charged == party
        return {"charged": True, "engaged_at_act_start": self.engaged_at_start} if charged else {}

    def block(self, why: str) -> None:
        self.blocked = self.blocked or why


def read_story(scene: Scene, asking: set[int]) -> Story:
    """Reads the clauses; `asking` holds the places of those that ask."""
    story = Story(help=allies(scene))
    story.used |= story.help.used
    story.blocked = _out_of_bounds(scene) or _others_fight(scene)
    votes: set[str] = set()
    for number, clause in enumerate(scene.clauses):
        helped = "K" in clause.tags
        # Of a clause about allies only whose Act it is can be told, not who attacks.
        votes |= set(_acts(scene, number, helped))
        if not helped or "C" in clause.tags or MOVED.search(clause.text.partition(_first_friend(clause))[0]):
            _charge(scene, story, number, number in asking)
    if not votes and "me" in scene.sides and any(_acts_unsaid(clause) for clause in scene.clauses):
        # Only whoever acts is asked how its Act started.
        votes = {"me"}
    if not votes and story.help.owner in (None, "me") and "me" in scene.sides and _knows_group_assault(scene, story):
        # Whoever tells that its allies are on this Foe alone counts them, and only the acting one may.
        votes = {"me"}
    story.actor = votes.pop() if len(votes) == 1 else story.charged
    if story.charged and story.actor != story.charged:
        story.block("who charged and who acts")
    _engaged(scene, story)
    if story.going and not story.charged and not story.engaged_at_start:
        story.block("where it moved")
    if story.charged and AGAIN.search(" ".join(clause.text for clause in scene.clauses if not _of_others(clause))):
        story.block("how long the Charge bonus lasts")
    return story


def _acts_unsaid(clause: Clause) -> bool:
    """Whether the player's own Act shows in how it began, or in that nobody charged in it."""
    others = any(item.tag == "P" and item.party != "me" and item.role != "object" for item in clause.items)
    return bool(STARTED_IN.search(clause.text) or (NOT_CHARGED.search(clause.text) and not others))


NOT_CHARGED = re.compile(
    r"\b(?:no charge|not charging|(?:did|have|had)(?:n't|nt| not) charged?|without (?:a )?charg\w+|engaged when (?:i|"
    r"my act) (?:began|started|begins?|starts?))\b"
)


def _knows_group_assault(scene: Scene, story: Story) -> bool:
    friends = [clause.text for clause in scene.clauses if "K" in clause.tags]
    return story.help.counting + story.help.busy > 0 and any(ONLY.search(text) for text in friends)


def _first_friend(clause: Clause) -> str:
    """The first word for an ally, before which the clause may tell of the acting one."""
    return next((item.text for item in clause.items if item.tag == "K"), "\0")


def _out_of_bounds(scene: Scene) -> str:
    found = UNKNOWN.search(NO_MODIFIERS.sub(" ", scene.text.casefold().replace("’", "'")))
    return found.group() if found else ""


def _of_others(clause: Clause) -> bool:
    """Whether it speaks of a third fighter."""
    return any(item.tag == "P" and (item.party or "").startswith("other ") for item in clause.items)


def _others_fight(scene: Scene) -> str:
    """A third fighter who does more than stand by: then it may be another kind of fight."""
    helped = {clause.sentence for clause in scene.clauses if "K" in clause.tags}
    for clause in scene.clauses:
        others = [item.text for item in clause.items if item.tag == "P" and (item.party or "").startswith("other ")]
        joins = re.search(r"[ACrwl]|\b(?:engaged|help|join)", clause.tags + " " + clause.text)
        if others and joins and clause.sentence not in helped:
            return f"what {others[0]} does"
    return ""


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


def _acts(scene: Scene, number: int, only_turns: bool) -> Iterator[str]:
    """Whose Act it is, by each word that tells."""
    clause = scene.clauses[number]
    for at, item in enumerate(clause.items):
        party = _turn(scene, clause, at)
        if party is None and not (only_turns and "K" in clause.tags[: at + 1]):
            party = _acting(scene, number, at)
        if item.tag == "P" and item.text in ("attacker", "defender") and item.party in scene.sides and item.party:
            party = item.party if item.text == "attacker" else scene.other(item.party)
        if party in scene.sides and party:
            yield party


def _turn(scene: Scene, clause: Clause, at: int) -> str | None:
    """`my Act`, `the ogre's turn`, `not my turn`."""
    before = clause.items[at - 1] if at else None
    if clause.items[at].text not in TURNS or before is None or before.tag not in "P'":
        return None
    owner = before if before.tag == "P" else clause.items[at - 2]
    sure = len(owner.parties) < 2 or owner.parties[1][1] - owner.parties[0][1] >= EITHER
    party = owner.party if owner.role == "owner" and sure else None
    negated = any(item.tag == "n" or item.text.endswith("n't") or item.text in UNSAID for item in clause.items[:at])
    return scene.other(party) if negated and party in scene.sides and party else party


def _acting(scene: Scene, number: int, at: int) -> str | None:
    """`I attack`, `he acts`, `my guard defends`."""
    clause = scene.clauses[number]
    item, before = clause.items[at], clause.items[at - 1] if at else None
    if before is not None and (before.text == "group" or before.tag == "n"):
        return None
    acting = item.text in ACTING and any(each.tag == "P" and each.role == "subject" for each in clause.items[:at])
    if item.text in ATTACKS or (acting and item.text != "up") or (acting and before is not None and before.tag == "P"):
        return _doer(scene, clause, number, at)
    if item.text in DEFENDS:
        subject = _subject(scene, number, at)
        return scene.other(subject) if subject in scene.sides and subject else None
    return None


def _doer(scene: Scene, clause: Clause, number: int, at: int) -> str | None:
    """Who attacks: not the subject where the verb is passive."""
    subject = _subject(scene, number, at)
    if not _is_passive(clause.items, at):
        return subject
    by = [item.party for item in clause.items[at:] if item.tag == "P" and item.role == "object"]
    return by[0] if by else scene.other(subject) if subject in scene.sides and subject else None


def _is_passive(items: list[Item], at: int) -> bool:
    by = [item.text for item in items[at + 1 : at + 2]] == ["by"]
    return items[at].text.endswith(("ed", "uck", "ung")) and (by or (at > 0 and items[at - 1].text in PASSIVE))


def _charge(scene: Scene, story: Story, number: int, asks: bool) -> None:
    """Notes who charged, and what of a charge cannot be told."""
    clause = scene.clauses[number]
    at = next((place for place, item in enumerate(clause.items) if item.tag == "C"), None)
    moved = MOVED.search(_with_the_next(scene, number))
    if moved and (LOOSE.match(moved.group()) or moved.start() > len(clause.text)):
        moved = None
    if OTHERWISE.search(clause.text):
        story.block("where it moved")
    # `i teleported in and attacked`: whatever it did before, it may have moved in.
    went = GOING.search(clause.text) or re.search(r"P[a.]*(?<=P)a*\.[^&NP]*P?[^&N]*&a*A", clause.tags)
    if at is None and not moved and went and not STILL.search(clause.text) and not asks:
        story.going = not EARLIER.search(clause.text) and not NOBODY.search(clause.text)
    if (at is None and not moved) or STILL.search(clause.text) or NOBODY.search(clause.text):
        return
    if "b" in clause.tags[: at or 0]:
        story.block("who charged")
    if (
        asks
        and not ASKS_FOR_CHARGE.search(clause.text)
        and not (at and "N" in clause.tags[:at])
        and not (at is not None and "q" in clause.tags[at:])
    ):
        if at is not None:
            story.block("the Charge bonus is what is asked")
        return
    if EARLIER.search(clause.text) and any(STILL_IN.search(each.text) for each in scene.clauses[number:]):
        # Engaged when this Act started, so without a bonus, whatever it did before.
        story.engaged_at_start = True
        return
    if EARLIER.search(clause.text):
        story.block("how long the Charge bonus lasts")
        return
    who = _doer(scene, clause, number, _place_of(clause, moved.group() if moved else "") if at is None else at)
    if who in scene.sides and story.charged in (None, who):
        story.charged = who
    else:
        story.block("who charged")
    _bonus_told(story, clause)


def _with_the_next(scene: Scene, number: int) -> str:
    """The clause's text with what is done next, or comes into Reach: `moved, attacked`."""
    clause, *more = scene.clauses[number : number + 4]
    text = clause.text
    for each in more:
        if each.sentence != clause.sentence or "N" in each.tags:
            break
        text += " then" * bool(re.match(r"[a&]*P?a*A", each.tags)) + " " + each.text
    return text


def _bonus_told(story: Story, clause: Clause) -> None:
    """`+1 for the charge` is the bonus itself, and no number on top."""
    for match in re.finditer(r"\+N(?=[.fa]{0,3}C)|C[B.=]{0,2}\+N(?!\+)", clause.tags):
        number = clause.items[match.start() + match.group().index("N")]
        if number.value == 1:
            story.used.add(number.start)


def _place_of(clause: Clause, found: str) -> int:
    first = found.split()[0] if found else ""
    return next((at for at, item in enumerate(clause.items) if item.text.split()[0] == first), 0)


def _engaged(scene: Scene, story: Story) -> None:
    """Whether they were Engaged when the Act started. Only a Charge makes it matter, and then it has to be clear."""
    helping = -1
    for clause in scene.clauses:
        helping = clause.sentence if "K" in clause.tags else helping
        mine = clause.text.partition(_first_friend(clause))[0]
        if story.charged and "K" in clause.tags and TOGETHER.search(mine) and BEGAN.search(mine):
            # `I was already in contact with his friend`
            story.block("whether they were Engaged already")
        if helping == clause.sentence and not any(item.party == story.actor for item in clause.items):
            # `two allies were there already, fighting him`
            continue
        together = TOGETHER.search(INTO.sub(" ", clause.text)) and not MOVED.search(clause.text)
        if _of_others(clause):
            continue
        if "K" in clause.tags or APART.search(clause.text) or (not together and not story.charged):
            continue
        if not together:
            if BEGAN.search(clause.text) and not MOVED.search(clause.text) and not HEALTH.search(clause.tags):
                story.block("how the Act started")
            continue
        if ALREADY.search(clause.text):
            story.engaged_at_start = True
        elif story.charged:
            story.block("whether they were Engaged already")
