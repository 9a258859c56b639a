"""Stats, form and dice of a question: what an adventurer has in the hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb.reading.betrayal.found import is_negated
from kb.reading.counts import Count, Told
from kb.reading.marks import CARDINAL, ORDINAL, said_in

KINDS = ("stamina_dice", "magicka_dice", "combat_dice", "free_dice", "named_dice", "dice")
HOLDS = frozenset(
    "already gathered hold holding have has got took taken picked rolled in hand gather roll holds plus mix "
    "added".split()
)
"Words beside dice that are in the hand."
TIES = frozenset("says say uses use using tied based runs run belongs needs need sheet stat linked counts as".split())
REFERRING = frozenset("those these the of them my all altogether total".split())
AVAILABLE = frozenset("available own usable possess ready rows row".split())


@dataclass
class Hand:
    """Stats, form and dice of a question."""

    stamina: int | None = None
    magicka: int | None = None
    form: str | None = None
    dice: dict[str, int] = field(default_factory=dict)
    "Kind -> how many are gathered or wanted."
    available: dict[str, int] = field(default_factory=dict)
    earlier: list[Count] = field(default_factory=list)
    "Dice of another engage."
    used: list[Count] = field(default_factory=list)
    ties: dict[str, str] = field(default_factory=dict)
    "Kind of dice -> the stat that the question says they use: `Combat is tied to Stamina`."

    @property
    def stats(self) -> list[str]:
        return [name for name, value in (("stamina", self.stamina), ("magicka", self.magicka)) if value is not None]

    @property
    def combat(self) -> bool:
        return bool(self.dice.get("combat_dice") or self.dice.get("free_dice"))


def hand_told(told: Told) -> Hand | None:
    hand = Hand()
    for stat in ("stamina", "magicka"):
        found = [each for each in told.of(stat) if told.marks[each.at].text != "both"]
        if len({each.value for each in found}) > 1:
            return None
        if found:
            setattr(hand, stat, found[0].value)
            hand.used += found
    _of_both(told, hand)
    forms = form_of(told)
    if forms is None:
        return None
    hand.form = forms or None
    _of_the_limit(told, hand)
    _of_the_sheet(told, hand)
    return hand


def _of_the_sheet(told: Told, hand: Hand) -> None:
    """`Combat's reference sheet says Stamina`, `my Bow dice use Stamina`."""
    stats = told.of("stamina", "magicka")
    valued = {max((at for at in told.places(each.what) if at < each.at), default=-1) for each in stats}
    named = {mark.text.split()[0] for mark in told.marks if mark.concept == "named_dice"}
    for at, mark in enumerate(told.marks):
        kind = "combat_dice" if mark.concept == "battle" else mark.concept if mark.concept in KINDS[2:5] else ""
        kind = "named_dice" if mark.text in named and not kind else kind
        after = [place for place in range(at + 1, len(told.marks)) if told.marks[place].clause == mark.clause][:7]
        stat = next((place for place in after if told.marks[place].concept in ("stamina", "magicka")), 0)
        between = set(told.words[at + 1 : stat + 2])
        if kind and stat and stat not in valued and TIES & between and not between & {"not", "no", "or"}:
            hand.ties[kind] = told.marks[stat].concept


def _of_both(told: Told, hand: Hand) -> None:
    """`Stamina and Magicka are both 5`."""
    for each in told.counts:
        near = told.marks[max(each.at - 5, 0) : each.at]
        before = [mark for mark in near if mark.text not in ("are", "is", "at", "and", "/")]
        both = before and before[-1].text in ("both", "each")
        if each.kind == CARDINAL and both and {mark.concept for mark in before[-3:-1]} == {"stamina", "magicka"}:
            hand.stamina = hand.magicka = each.value
            hand.used += [each, *(other for other in told.counts if told.marks[other.at].text == "both")]


def _of_the_limit(told: Told, hand: Hand) -> None:
    """`2 of 3 Stamina dice`: 2 are gathered, and the stat is 3."""
    for kind in ("stamina_dice", "magicka_dice"):
        counts = told.of(kind)
        stat = kind.removesuffix("_dice")
        if len(counts) != 2 or counts[1].at - counts[0].at != 2 or told.words[counts[0].at + 1] != "of":
            continue
        _set_limit(hand, stat, counts[1])
    kinds = {each.what for each in told.of("stamina_dice", "magicka_dice")}
    allowed = [each for each in told.counts if each.back and each.right[:1] == ("allowed",)]
    allowed += [each for each in told.counts if {"stat", "limit", "cap"} & {*each.left[-2:]}]
    if len(kinds) == len(allowed) == 1:
        _set_limit(hand, kinds.pop().removesuffix("_dice"), allowed[0])


def _set_limit(hand: Hand, stat: str, count: Count) -> None:
    if getattr(hand, stat) in (None, count.value):
        setattr(hand, stat, count.value)
        hand.earlier.append(count)
        hand.used.append(count)


def form_of(told: Told) -> str | None:
    """The current battle form; empty where none is told, None where several are."""
    names = {"magic_form": "magic", "not_magic": "other", "defensive_form": "defensive"}
    places = [
        at for at in told.places(*names, "other_form") if not _is_icon(told, at) and "from" not in told.before(at)
    ]
    barred = {told.marks[at].concept for at in places if {"outside", "except", "but", "than"} & told.before(at, 2)}
    if barred - {"magic_form"}:
        return None
    names |= {"magic_form": "other" if barred else "magic"}
    found = {names.get(told.marks[at].concept) or form_name(told.marks[at].text) for at in places}
    return None if len(found) > 1 else next(iter(found), "")


def form_name(text: str) -> str:
    return next(word for word in text.split() if word not in ("form", "is", "battle", "stance", "icon", "icons"))


def _is_icon(told: Told, at: int) -> bool:
    """`magic icon`, `2 magic dice`: the form of a die."""
    after = told.marks[at + 1].concept if at + 1 < len(told.marks) else ""
    if "icon" in told.marks[at].text.split():
        return True
    return after == "icon" or (after in KINDS and any(each.at < at <= each.end for each in told.counts))


def take_dice(told: Told, hand: Hand, asked: str = "", judged: str = "") -> bool:
    """Adds the dice to the hand; False where some cannot be told. A bare number is of the kind that is asked for.

    Available dice that the judged part names are wanted in the roll.
    """
    bare = [each for each in told.counts if each.what in ("", "throw") and each.back and each.kind == CARDINAL]
    if asked in ("stamina_dice", "magicka_dice") and len(bare) == 1 and not told.of(*KINDS):
        hand.dice[asked] = bare[0].value
        hand.used += bare
    counts = [each for each in told.of(*KINDS) if (each.value or not each.back) and each not in hand.earlier]
    new = [each for each in counts if not refers(each)]
    away = [each for each in told.counts if (each.what in (*KINDS, "") or each.back) and _out_of_play(each)]
    away = [each for each in away if each not in hand.earlier]
    if away:
        return _without(told, hand, counts, away)
    if any(is_negated(each) for each in counts) or _told_twice(told, new, hand):
        return False
    listed = sum(each.value for each in counts if each.what != "dice" and not refers(each))
    for each in counts:
        if _restates(told, hand, each) or ((each.what == "dice" or refers(each)) and listed and each.value == listed):
            hand.used.append(each)
        elif each.what in hand.ties and each.what == "named_dice":
            kind = f"{hand.ties[each.what]}_dice"
            hand.dice[kind] = hand.dice.get(kind, 0) + each.value
            hand.used.append(each)
        elif each.what == "named_dice" or each.value < 0 or refers(each):
            return False
        elif each.what != "dice" and is_available(told, each):
            hand.available[each.what.removesuffix("_dice")] = each.value
            if judged and told.marks[each.end].text in judged and told.marks[each.at].text in judged:
                hand.dice[each.what] = each.value
            hand.used.append(each)
        elif each.what == "dice" and not (told.has("icon", "no_icon") and hand.form):
            return False
        else:
            hand.dice[each.what] = hand.dice.get(each.what, 0) + each.value
            hand.used.append(each)
    return _single_dice(told, hand)


def _without(told: Told, hand: Hand, counts: list[Count], away: list[Count]) -> bool:
    """`4 Stamina dice in total, 1 drained, 1 exhausted`: the rest is available."""
    whole = [each for each in counts if each not in away]
    if len(whole) != 1 or whole[0].what not in KINDS[:2] or any(is_negated(each) for each in away):
        return False
    hand.available[whole[0].what.removesuffix("_dice")] = max(whole[0].value - sum(each.value for each in away), 0)
    hand.used += [*whole, *away]
    return not told.has("in_hand")


def _single_dice(told: Told, hand: Hand) -> bool:
    """`a free Combat die`, `a third Stamina die`."""
    for each in told.counts:
        if each.what not in KINDS[:4] or each.kind == CARDINAL:
            continue
        if each.kind == ORDINAL:
            if hand.dice.get(each.what, each.value) not in (each.value - 1, each.value):
                return False
            hand.dice[each.what] = each.value
            hand.used.append(each)
        elif each.left[-1:] not in (("no",), ("without",), ("each",)):
            hand.dice[each.what] = hand.dice.get(each.what, 0) + 1
    return True


def _restates(told: Told, hand: Hand, count: Count) -> bool:
    """`I'm allowed 3 Stamina dice`: that is the stat."""
    stat = count.what.removesuffix("_dice")
    same = stat in ("stamina", "magicka") and getattr(hand, stat) == count.value
    return same and bool({"allowed", "limit", "maximum", "max"} & said_in(count.near))


def _told_twice(told: Told, counts: list[Count], hand: Hand) -> bool:
    """Dice of one kind in two clauses are told apart only where those of the first are in the hand."""
    counts = [each for each in counts if not _restates(told, hand, each) and not is_available(told, each)]
    for kind in sorted({each.what for each in counts} - {"dice"}):
        same = [each for each in counts if each.what == kind]
        if any(not HOLDS & said_in(each.near) for each in same[:-1]):
            return True
    return False


def refers(count: Count) -> bool:
    """`those three`, `five altogether`"""
    sums = {"altogether", "total", "overall", "in all", "in total"} & {*count.right[:1], " ".join(count.right[:2])}
    return count.back and bool(sums or REFERRING & {*count.left[-1:]})


def is_available(told: Told, count: Count) -> bool:
    near = said_in((*count.left[-3:], *count.right))
    listed = [mark for mark in told.marks[: count.at] if mark.sentence == count.sentence and mark.text == ":"]
    heading = {mark.text for mark in told.clause_of(listed[-1].clause)} if listed else set()
    row = next((each for each in told.counts if each.at > count.at and each.what in KINDS), None)
    between = {mark.text for mark in told.marks[count.end + 1 : row.at]} if row else {"."}
    if between <= {"and", "plus", "+", ",", "&"} and row and row.sentence == count.sentence and not near & HOLDS:
        near |= said_in(row.right)
    return bool((near | heading) & AVAILABLE) and "gathered" not in near


def _out_of_play(count: Count) -> bool:
    """`3 of them are exhausted`: how many are left is not told so."""
    near = said_in((*count.left[-3:], *count.right[:5]))
    return bool(near & {"exhausted", "unavailable", "cooldown", "cooling", "drained"}) and not near & AVAILABLE
