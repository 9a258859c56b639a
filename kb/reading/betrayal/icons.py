"""Questions about dice with battle form icons: how many of these may be rolled in the current form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import is_negated, unread
from kb.reading.betrayal.hand import ICONS, KINDS, Hand, form_name, hand_told, icon_of
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import Find, amount
from kb.reading.marks import CARDINAL, Mark
from kb.reading.situation import Situation

KNOWN = SCENERY | frozenset(
    "dice stamina_dice magicka_dice combat_dice free_dice icon stamina magicka magic_form defensive_form other_form "
    "form "
    "available engage not_magic no_icon kind".split()
)
PLENTY = re.compile(
    r"\b(?:stats?|limits?|stamina|magicka) (?:are|is|both|being)? ?(?:\w+ )?(?:high|big|large|fine|no (?:problem|"
    r"issue)|enough|plenty)"
)
ROLLS = frozenset("rollable usable fit legal go goes come comes join used included along".split())
UNIT = "dice"


def read_icons(text: str) -> Situation | None:
    """How many of some dice may be rolled."""
    told = tell(text)
    if not told.has("icon", "no_icon", "combat_dice") or told.concepts - KNOWN:
        return None
    hand = hand_told(told)
    focus = next((each for each in foci(told, NOUNS) if each.how in ("many", "keyword")), None)
    if hand is None or focus is None or not _asks_rolled(told, focus):
        return None
    plain = " ".join(told.words)
    form = hand.form or ("current" if any(ICONS[name].search(plain) for name in ("another", "current")) else "")
    numbers = [each for each in told.counts if each.kind == CARDINAL and each not in hand.used]
    counts = [each for each in numbers if each.value and told.marks[each.at].text != "another"]
    total = [each for each in counts if each.clause == told.marks[focus.at].clause]
    total = total or [each for each in counts[:1] if 2 * each.value == sum(other.value for other in counts)]
    counts = [each for each in counts if each not in total]
    dice = [_die(told, each) for each in counts]
    if (
        not form
        or len(dice) < 2
        or None in dice
        or any(map(is_negated, counts))
        or unread(told, [*hand.used, *numbers])
    ):
        return None
    number = sum(each.value for each in counts)
    if any(each.value != number for each in total):
        return None
    listed = [
        {**die, "name": f"{die['name']} {at}.{place}", "form": form if die["form"] == "current" else die["form"]}
        for at, (each, die) in enumerate(zip(counts, dice, strict=True))
        if die
        for place in range(each.value)
    ]
    given = {"stamina": hand.stamina, "magicka": hand.magicka, "form": form, "dice": listed}
    says = f"{form.title()} form: " + ", ".join(
        f"{each.value} {die['name']}" for each, die in zip(counts, dice, strict=True) if die
    )
    return Situation("betrayal.gather", given, says, _rolled(hand, number, bool(PLENTY.search(plain))))


def _asks_rolled(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    return any(mark.concept in ("roll", "throw") or mark.text in ROLLS for mark in clause)


def _die(told: Told, count: Count) -> dict[str, Any] | None:
    """One die of a group; None where its icon is not told."""
    own = list(_upto_break(told, count))
    if count.what not in (*KINDS, "icon", "no_icon", ""):
        return None
    combat, free = count.what == "combat_dice", count.what == "free_dice"
    stat = count.what.removesuffix("_dice") if count.what in KINDS[:2] else None
    forms = [form_name(mark.text) for mark in own if mark.concept in ("magic_form", "defensive_form", "other_form")]
    none = any(mark.concept == "no_icon" for mark in own)
    icon = next(iter(forms), "none" if none else icon_of(" ".join(mark.text for mark in own)))
    if icon is None and not (combat or free):
        return None
    name = "free Combat die" if free else "Combat die" if combat else f"{icon} icon die"
    icon = None if icon == "none" else icon
    return {"name": name, "stat": stat, "form": icon, "combat": combat, "free": free}


def _upto_break(told: Told, count: Count) -> Iterator[Mark]:
    """The marks of a count up to the next number or comma."""
    for mark in told.marks[count.at + 1 :]:
        if mark.concept == "break" or mark.value:
            return
        yield mark


def _rolled(hand: Hand, number: int, plenty: bool) -> Find:
    """The dice that are not rejected, where no stat is in their way."""
    limits = [getattr(hand, stat) for stat in hand.stats]

    def fitting(got: dict[str, Any]) -> int | None:
        rolled = number - len(got["rejected"]) if got.get("rejected") is not None else None
        fits = rolled is not None and (plenty or (limits and rolled <= min(limits)))
        return rolled if fits else None

    return amount(fitting, UNIT, "betrayal/engage#steps-4a")
