"""Book of Ordeals: the friends in a question. How many there are, whose, and with whom they are Engaged."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.reading.ordeals.words import words
from kb.reading.persons import ME, THIRD
from kb.reading.scene import Clause, Item, Scene
from kb.reading.tokens import NUMBER_WORDS

SAYS = frozenset(
    "says say said thinks claims claimed swears insists insist told tells argues argued believes reckons asks asked "
    "wants disagrees agrees".split()
)
ENGAGED = words("allied")
ALSO = words("also")
ONLY = re.compile(
    r"\b(?:no|none|not|nobody|noone|nothing|without|any|never|isn't|aren't|isnt|arent) ?(?:with )?(?:any |"
    r"one )?(?:other|else|another)|\bno one(?: else)?|\bonly\b|\balone\b|\bsolely\b|\bexclusively\b|\bjust (?:him|her|"
    r"it|them|the|that)\b|\bno other\b"
)
BESIDES_ME = re.compile(
    r"\b(?:besides|beside|apart from|other than|in addition to|along with|as well as) (?:me|myself|us)\b"
)
"The friends are more than the player, which says nothing of whom they fight."
GANG = re.compile(
    r"\b(?:gang\w*|group assault|squad|warband|nobody else|no one else|noone else|surround\w*|dogpil\w*|helps|helped|"
    r"helping|outnumber\w*|"
    r"(?:(?:both|all) of us|we (?:both|all)) (?:\w+ )?(?:attack|hit|charg|fight|assault|on)\w*|"
    r"(?:two|three|four|\d) of us)\b"
)


OTHERS = "who helps whom"
NOBODY_HELPS = re.compile(
    r"\bno (?:group|gang|help)|\b(?:nobody|no ?one) (?:helps|else(?: \w+)? (?:around|near\w*|about|there|here|close))"
)


@dataclass
class Help:
    """Allies, by what is told of them."""

    owner: str | None = None
    "Whose allies; None: not told, so the acting one's."
    counting: int = 0
    "Engaged with the Foe and no other."
    busy: int = 0
    "Engaged with another one as well."
    unclear: str = ""
    "What decides and is not told."
    used: set[int] = field(default_factory=set)

    @property
    def engaged(self) -> dict[str, list[dict[str, list[str]]]]:
        """The allies as the procedures want them; nothing where there are none."""
        alone, busy = {"engaged_with": ["defender"]}, {"engaged_with": ["defender", "another Foe"]}
        found = [alone] * self.counting + [busy] * self.busy
        return {"allies": found} if found else {}


def allies(scene: Scene) -> Help:
    """The allies in a scene; nothing where none are mentioned."""
    help = Help()
    found = _friends(scene)
    if not found:
        text = " ".join(clause.text for clause in scene.clauses)
        joins = any("A" in each.tags and re.search(r"\b(?:also|too|as well)\b", each.text) for each in scene.clauses)
        others = (
            joins
            or GANG.search(text)
            or _own_others(scene)
            or any(_is_a_stranger(scene, each) for each in scene.clauses)
        )
        if others and not NOBODY_HELPS.search(text):
            help.unclear = OTHERS
        return help
    for number, at in found:
        _one_mention(scene, help, number, at)
        rest = scene.clauses[number].tags[at + 1 :]
        if re.match(r"[h=']?[a=hj]*[MWER]|r", rest):
            help.unclear = help.unclear or "what an ally's number is for"
    return help


IS = frozenset("is are was were and stands stand fights fight".split())


def _is_a_stranger(scene: Scene, clause: Clause) -> bool:
    """`Pip is engaged with him too`: one by name, who may be an ally of either."""
    items = [item for item in clause.items[clause.tags.startswith("&") :] if item.tag != "a"]
    if len(items) < 3 or items[1].text not in IS or {"first", "second"} & set(scene.sides):
        return False
    named = items[0].tag in ".u" and scene.text[items[0].start].isupper()
    also = items[0].tag != "P" and ALSO.search(clause.text)
    beside = ENGAGED.search(clause.text) or re.search(r"\b(?:next to|beside|adjacent)\b", clause.text)
    return bool((named or also) and beside)


def _own_others(scene: Scene) -> bool:
    """Whether several of the player's own fight: `my ranger is on him too`."""
    nouns = {item.text for item in scene.items if item.tag == "P" and item.party == "me"} - _SELF - set(THIRD)
    speaks = any(item.text == "i" for item in scene.items)
    fighting = [c for c in scene.clauses if ENGAGED.search(c.text) and nouns & {item.text for item in c.items}]
    return len(nouns) > 1 or any(speaks or ALSO.search(clause.text) for clause in fighting)


_SELF = frozenset("i me my mine we us our ours myself you your yours guy dude mini model character fighter one".split())


def _friends(scene: Scene) -> list[tuple[int, int]]:
    """Where friends stand who fight, not those who only say something."""
    found = []
    for number, clause in enumerate(scene.clauses):
        for at, item in enumerate(clause.items):
            after = clause.items[at + 1].text if at + 1 < len(clause.items) else ""
            twin = item.text.endswith("mine") and "K" in clause.tags[max(0, at - 2) : at]
            greeting = not re.search(r"[^.aK&]", clause.tags) and len(clause.items) < 4
            if item.tag == "K" and not twin and not greeting and not (after in SAYS and item.text[-1] != "s"):
                found.append((number, at))
    return found


def _one_mention(scene: Scene, help: Help, number: int, at: int) -> None:
    clause = scene.clauses[number]
    count, used = _count(clause, at)
    if count == 0:
        return
    text = " ".join(c.text for c in scene.clauses if c.sentence == clause.sentence)
    owner, foe = _owner(scene, clause, at), _fought(scene, clause, at)
    if owner in scene.sides and owner == foe:
        help.unclear = help.unclear or "whose allies they are"
    help.owner = owner or (scene.other(foe) if foe else None) or help.owner
    if count is None and help.counting + help.busy and at and clause.items[at - 1].text in BACK:
        return
    if count is None:
        help.unclear = help.unclear or "how many allies are Engaged with the Foe"
        return
    bonus = _bonus_of(clause, at, count)
    help.used |= used | bonus
    if _is_far(scene, number, at):
        return
    if not bonus and not ENGAGED.search(text) and not NO_OTHER.search(text) and help.owner != "foe":
        help.unclear = help.unclear or "whether the allies are Engaged with the Foe, and with no other"
        return
    help.counting += count
    _exceptions(scene, help, number, at, count)


def _bonus_of(clause: Clause, at: int, count: int) -> set[int]:
    """`two friends +2`: the bonus itself, and no number on top."""
    sign, number = [*clause.items[at + 1 : at + 3], None, None][:2]
    return {number.start} if sign and number and sign.tag == "+" and number.value == count else set()


BACK = frozenset("the those these".split())
"`the mates`: those counted before."
NO_OTHER = re.compile(
    r"\b(?:no other|nobody else|no one else|noone else|nobody but|no one but|none of (?:us|them) (?:are |"
    r"is )?(?:engaged )?(?:on|with|fighting) any\w*)\b"
)
"Who is Engaged with no other is Engaged with this one."
FAR = re.compile(
    r"\b(?:inch|inches|far|yards|way|too far) (?:away|off|from)\b|\b(?:dead|out of action|gone|watch\w*)\b|\b(?:not|"
    r"isn't|isnt|aren't|arent|never) (?:\w+ )?(?:engaged|in contact|in melee|in combat|touching|"
    r"near|within)\b(?! with (?:any|another))"
)


def _is_far(scene: Scene, number: int, at: int) -> bool:
    """Whether the ally is told to be away from the Foe: in its clause, or in the next where that goes on about it."""
    clause = scene.clauses[number]
    text = " ".join(item.text for item in clause.items[at:])
    after = scene.clauses[number + 1] if number + 1 < len(scene.clauses) else None
    goes_on = r"(?:but |and |who |which )*(?:he|she|they|who|is|are|it)\b"
    if after and after.sentence == clause.sentence and re.match(goes_on, after.text):
        text += " " + after.text
    return FAR.search(text) is not None


def _count(clause: Clause, at: int) -> tuple[int | None, set[int]]:
    """How many, by the words before the noun; None where that is not told."""
    items = clause.items
    for back in range(at - 1, max(-1, at - 5), -1):
        item = items[back]
        if item.tag == "N" and item.value is not None:
            return int(item.value), {item.start}
        if item.tag == "n":
            return 0, set()
        if item.tag == "b" and item.text.startswith(("both", "neither")):
            return (2 if item.text.startswith("both") else 0), set()
        if item.tag not in "a.=d'" and item.tag != "P":
            break
    return (None if items[at].text.endswith("s") else 1), set()


def _owner(scene: Scene, clause: Clause, at: int) -> str | None:
    """`his friends`, `the ogre has two friends`, `two friends of his`, `friends engaged with me`."""
    after = " ".join(item.text for item in clause.items[at + 1 :])
    if re.search(r"\b(?:my|mine)$", clause.items[at].text):
        return ME
    if (of := re.match(r"=a*P", clause.tags[at + 1 :])) and clause.items[at + 1].text == "of":
        owner = clause.items[at + of.end()]
        return owner.party if owner.party in scene.sides and len(owner.parties) == 1 else None
    if re.match(
        r"of (?:his|hers|her|theirs|their)\b|.*\b(?:engaged with|fighting|attacking|contact with|on) me\b", after
    ):
        return "foe" if "me" in scene.sides else None
    for back in range(at - 1, max(-1, at - 5), -1):
        item = clause.items[back]
        if item.text in ("my", "our"):
            return "me"
        if item.text in ("his", "their", "its", "her") and "me" in scene.sides:
            return "foe"
        if item.tag == "P" and item.role in ("subject", "owner") and re.search(r"[h']", clause.tags[back:at]):
            return item.party
    return None


def _fought(scene: Scene, clause: Clause, at: int) -> str | None:
    """With which of the two the allies are told to be Engaged: they are the other one's."""
    rest = clause.items[at + 1 :] if not {ME, "first", "second"} & set(scene.sides) else []
    for place, item in enumerate(rest):
        if item.tag == "P" and item.role == "object" and len(item.parties) == 1 and item.party in scene.sides:
            before = " ".join(each.text for each in rest[:place])
            return item.party if re.search(r"\b(?:with|on|fight\w*|attack\w*|touching|to)(?: \w+)?$", before) else None
    return None


def _exceptions(scene: Scene, help: Help, number: int, at: int, count: int) -> None:
    """Those of the allies who also fight somebody else."""
    clause = scene.clauses[number]
    sentence = [c for c in scene.clauses[number:] if c.sentence in (clause.sentence, clause.sentence + 1)]
    if more := _ONE_MORE.search(" ".join(item.text for item in clause.items[at:])):
        # `two allies on him and one who fights a goblin as well`
        help.busy += NUMBER_WORDS.get(more[1], 1)
        help.used |= {item.start for item in clause.items[at:] if item.text == more[1]}
        return
    for each in sentence:
        here = each is clause
        text = BESIDES_ME.sub(" ", ONLY.sub(" ", each.text))
        others = any(item.tag == "P" and (item.party or "").startswith("other ") for item in each.items)
        if not (others or ALSO.search(text.partition(clause.items[at].text)[2] if here else text)):
            continue
        if here and (some := re.search(r"N=[aP.]*N[a.d]*$", clause.tags[:at])):
            # `one of my two friends is also …`
            help.used.add(clause.items[some.start()].start)
            _take(help, int(clause.items[some.start()].value or 0))
        elif not here and not (ENGAGED.search(text) or "busy" in text):
            if re.search(r"\b(?:them|those|both|they|one of)\b", text):
                help.unclear = help.unclear or "which of the allies are Engaged with another Foe as well"
            continue
        elif not here and re.match(r"(?:and |but |though )?(?:both|all|they)\b", each.text):
            _take(help, count)
        elif here or re.search(r"\b(?:who|which|they|he|she|all|both)\b", each.text.split(" of ")[0]):
            if not _move(help, each, default=count if here or count == 1 else None, start=at + 1 if here else 0):
                help.unclear = "which of the allies are Engaged with another Foe as well"
        elif not _move(help, each):
            continue
        return


_ONE_MORE = re.compile(
    r"\band (a|another|one|two|three)(?: more| other)? (?:who|that|which) (?:is |are )?(?:\w+ ){0,4}(?:also|as well|"
    r"too)\b"
)


def _move(help: Help, clause: Clause, default: int | None = None, start: int = 0) -> bool:
    """Takes those named in a clause out of the ones that count."""
    numbers = [item for item in clause.items[start:] if item.tag == "N" and item.start not in help.used]
    first = numbers[0] if numbers and (start or numbers[0] in clause.items[:3]) else None
    many = default if first is None or first.value is None else int(first.value)
    if many is None or not _take(help, many):
        return False
    help.used |= {item.start for item in numbers if _refers(clause, item) or (start and item is first)}
    return True


def _take(help: Help, many: int) -> bool:
    if many > help.counting:
        help.unclear = help.unclear or "how many allies there are"
        return False
    help.counting, help.busy = help.counting - many, help.busy + many
    return True


def _refers(clause: Clause, item: Item) -> bool:
    """`one of those three`: no score."""
    at = clause.items.index(item)
    return at < 3 or clause.items[at - 1].text in ("those", "these", "the", "them", "my")
