"""Betrayal of the Second Era: which numbers of a question a reading has to account for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.reading.counts import BOTH, IMPLICIT, Count, Told
from kb.reading.marks import CARDINAL, said_in
from kb.reading.stance import Stance, is_bare_number

PERMITS = re.compile(
    r"\b(?:can|may|could|allowed|legal|ok|okay|alright|fine|lets?|gets? away with|possible|permitted|able|legit|"
    r"cheating|wrong|too many|break\w*|over|exceed\w*|"
    r"within|illegal|forbidden|fits?|room|get to|good|against the rules|put me|more than)\b"
)
"What a question whether something is allowed is put with."
ALLOWED = frozenset("ok okay allowed legal fine possible permitted alright reachable doable works".split())
REALLY = frozenset("real really actual actually true truly correct proper".split())
SAYS = re.compile(r"say|says|said|thinks?|claims?|claimed|reckons?|insists?|told|tells|believes?|swears?|counts")
PART = frozenset("incl including include includes included counting which them those these".split())
PAIRED = frozenset("we us they you i me them".split())
CROWDS = (("party", "of"), ("group", "of"), ("we", "are"), ("table", "of"))
AMOUNTS = frozenset("how what which total sum many much left more max most limit cap so altogether number".split())


def unread(told: Told, used: Iterable[Count]) -> list[Count]:
    """Numbers of the question that a reading has not used. `one engage`, `one turn` only say in which."""
    places = {each.at for each in used}
    rest = [each for each in told.counts if each.kind != IMPLICIT and each.at not in places]
    return [each for each in rest if not names_a_scope(told, each) and not _says_nothing(told, each)]


def bare_judgement(told: Told) -> Stance | None:
    """`Magicka 2, 4 staff dice?`: numbers and a question mark, and no amount that is asked for."""
    asking = [mark for mark in told.marks if mark.asks and mark.concept != "break"]
    if not asking or asking[-1] is not [mark for mark in told.marks if mark.concept != "break"][-1]:
        return None
    numbers = [each for each in told.counts if each.kind == CARDINAL and told.marks[each.at].asks]
    opens = ALLOWED & {next(m.text for m in asking if m.clause == number) for number in {m.clause for m in asking}}
    if not (numbers or (opens and "or" not in told.words)) or len(asking) > 12 or AMOUNTS & said_in(asking):
        return None
    return Stance(True, text="legal: " + " ".join(mark.text for mark in asking))


def supposed_number(told: Told) -> Count | None:
    """`…, so 3?`: a last part that is nothing but a number."""
    asking = [count for count in told.counts if told.marks[count.at].asks and count.kind == CARDINAL]
    if len(asking) != 1 or asking[0].clause != max(mark.clause for mark in told.marks):
        return None
    return asking[0] if is_bare_number(told, asking[0]) else None


def _says_nothing(told: Told, count: Count) -> bool:
    """`both kinds`, `mixing both`, `the two of them`: refers to what was told."""
    text = told.marks[count.at].text
    both = text == "both" and (count.back or not count.what)
    them = count.left[-1:] == ("the",) and count.right[:2] == ("of", "them")
    return count.what in ("kind", BOTH) or both or them or text in ("nothing", "nil", "none")


def names_a_scope(told: Told, count: Count) -> bool:
    """`in one engage`, `per single turn`: no number that anything is reckoned with."""
    before = told.marks[count.at - 1].text if count.at else ""
    scope = count.what in ("engage", "turn", "this_turn", "move", "hit", "throw")
    return count.value == 1 and scope and before in ("in", "per", "for", "over", "of", "a", "with", "any", "during")


def people(told: Told) -> list[Count]:
    """How many there are: `3 of us`, `a party of four`, `we are two`, `we both`, `my mate and I both`."""
    numbers = [each for each in told.counts if each.kind == CARDINAL]
    pairs = [each for each in numbers if _is_pair(told, each)]
    crowd = [each for each in numbers if told.words[max(each.at - 2, 0) : each.at] in CROWDS]
    return [*(each for each in told.of("person", "adventurer") if each not in crowd), *crowd, *pairs]


def _is_pair(told: Told, count: Count) -> bool:
    """`we both engaged`, `us three engage twice`: people, not engage actions."""
    before = told.marks[count.at - 1] if count.at else None
    if before is None or count.what not in ("engage", "hit", "both"):
        return False
    more = [each for each in told.of(count.what) if each is not count and each.clause == count.clause]
    paired = bool(more) or before.concept in ("person", "adventurer") or before.text in PAIRED
    return (told.words[count.at] == "both" and paired) or (before.text.split()[-1] in ("us", "we") and bool(more))


def reported(told: Told, what: str) -> list[Count]:
    """`Table says I can get 5 tenacity. What's the real maximum?`: what somebody says of it."""
    asking = max(mark.sentence for mark in told.marks)
    if not REALLY & {mark.text for mark in told.marks if mark.sentence == asking}:
        return []
    says = {mark.sentence for mark in told.marks if SAYS.fullmatch(mark.text)} - {asking}
    return [each for each in told.of(what) if each.sentence in says]


def is_part(count: Count) -> bool:
    """`7 dice, 2 of them fatigue`, `three hexes, two of which have rats`: told already with a greater number."""
    return bool(PART & {*count.left[-2:], *count.right[:2]})


TAKEN = frozenset(
    "take takes taking took suffer suffers suffering applied dealt deal lands land through eat eats gets get catches "
    "sticks stick sinks over loses lose goes".split()
)


def others_act(told: Told) -> bool:
    """`my buddy adds 2`, `my friend spends 1`: no number of the one who asks."""
    for at in told.places("person", "adventurer"):
        number = next((each.at for each in told.counts if each.at > at and each.kind == CARDINAL), len(told.marks))
        verbs = told.words[at + 1 : number]
        if (
            0 < len(verbs) < 4
            and verbs[0].endswith("s")
            and not TAKEN & {*verbs}
            and not SAYS.fullmatch(verbs[0])
            and told.words[at].isalpha()
        ):
            return True
    return False


def counted(number: int, noun: str) -> str:
    """`1 die`, `2 dice`."""
    plural = noun.removesuffix("die") + "dice" if noun.endswith("die") else noun + ("es" if noun.endswith("x") else "s")
    return f"{number} {noun if number == 1 else plural}"


def is_negated(count: Count) -> bool:
    """`not 3 engages`, `without the 2 dice`."""
    near = " ".join(count.left[-3:])
    return bool(re.search(r"\b(?:not|never|without|instead of|rather than|cancelled)\b|n't\b", near))


def tells_numbers(told: Told) -> bool:
    """Whether the question has a number that is more than a manner of speaking (`one`, `single`, `both`)."""
    speaking = ("one", "single", "both", "another", "none", "nothing", "once")
    return any(each.kind == CARDINAL and told.marks[each.at].text not in speaking for each in told.counts)
