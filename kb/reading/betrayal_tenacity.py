"""Questions about tenacity gained from a roll."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb.reading.asking import Focus, foci
from kb.reading.betrayal_found import amount, claim, compared, counted, result, unread
from kb.reading.betrayal_words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.marks import CARDINAL, Mark
from kb.reading.situation import Situation
from kb.reading.stance import stance

UNIT = "tenacity"
KNOWN = SCENERY | frozenset(
    "tenacity dice free_dice combat_dice resolve unresolved engage hit exhausted track available unavailable".split()
)
AFTER = frozenset("now have total altogether end after stand left hold".split())
HELD = frozenset("from had started start began begin stored already starting saved previously".split())
RESULTS = frozenset("result results icon icons face faces side sides symbol symbols".split())
GAIN = frozenset("gain gained get got earn new additional extra receive collect".split())


@dataclass
class Shown:
    """Tenacity results and what is done with them."""

    showing: int | None = None
    resolved: int | None = None
    unresolved: int = 0
    free: int = 0
    before: int | None = None
    used: list[Count] = field(default_factory=list)


def read_tenacity(text: str) -> Situation | None:
    """Tenacity gained, or held afterwards."""
    told = tell(text)
    if not told.has("tenacity") or told.concepts - KNOWN:
        return None
    yes_no = stance(told)
    focus = next((each for each in foci(told, NOUNS) if each.concept in ("tenacity", "")), None)
    words = set(focus.words) if focus else set()
    if (
        focus
        and focus.concept == ""
        and focus.how == "what"
        and not words & GAIN | words & {"have", "tenacity", "total", "up"}
    ):
        return None
    if words & {"happens", "most", "maximum", "max"}:
        return None
    if focus and any("result" in word or "icon" in word or word in ("dice", "resolve") for word in focus.words[:6]):
        return None
    if focus is None and yes_no is None:
        return None
    claims = [
        each for each in told.counts if yes_no and focus is None and told.marks[each.at].asks and each.kind == CARDINAL
    ]
    shown = _shown(told, claims)
    if shown is None or unread(told, [*shown.used, *claims]) or len(claims) > 1:
        return None
    pick = _pick(shown, focus)
    if pick is None or shown.showing is None or (focus is None and not claims):
        return None
    given = {
        "showing": shown.showing,
        "unresolved": shown.unresolved,
        "free_dice": shown.free,
        "before": shown.before or 0,
    }
    says = _says(given)
    if claims and yes_no:
        return Situation("betrayal.tenacity", given, says, claim(result(pick), UNIT, compared(claims[0]), yes_no))
    if yes_no and focus is None:
        return None
    return Situation("betrayal.tenacity", given, says, amount(result(pick), UNIT))


def _says(given: dict[str, int]) -> str:
    parts = [f"{counted(given['showing'], 'die')} with tenacity"]
    parts += [f"{given['unresolved']} not resolved"] if given["unresolved"] else []
    parts += [counted(given["free_dice"], "free Combat die")] if given["free_dice"] else []
    return ", ".join(parts + ([f"{given['before']} tenacity before"] if given["before"] else []))


def _shown(told: Told, claims: list[Count]) -> Shown | None:
    shown = Shown()
    for count in told.counts:
        if count.kind == CARDINAL and count not in claims and count.value >= 0 and not _take(told, shown, count):
            return None
    if shown.showing is None:
        shown.showing = shown.resolved
    elif shown.resolved is not None:
        if shown.resolved > shown.showing or shown.unresolved not in (0, shown.showing - shown.resolved):
            return None
        shown.unresolved = shown.showing - shown.resolved
    if shown.showing is not None and shown.unresolved > shown.showing:
        return None
    if shown.showing is None and shown.free and told.has("free_dice"):
        shown.showing = 0
    return shown


def _take(told: Told, shown: Shown, count: Count) -> bool:
    """Gives a number its part; False where it has none."""
    own = told.marks[count.at - len(count.left) : count.at + 1 + len(count.right)]
    concepts = {mark.concept for mark in (told.clause_of(count.clause) if count.right[:1] == ("of",) else own)}
    shown.used.append(count)
    if count.what == "free_dice":
        shown.free += count.value
        return True
    if count.what not in ("tenacity", "dice", "", "combat_dice") and not count.back:
        return count.what in ("engage", "turn", "this_turn", "hit") and count.value == 1
    if told.words[count.at - 1 : count.at] == ("of",) and told.marks[count.at - 2].value is not None:
        return _out_of(told, shown, count)
    if told.words[max(count.at - 2, 0) : count.at] in (
        ("of", "all"),
        ("of", "my"),
        ("of", "the"),
        ("of", "those"),
        ("of", "these"),
    ):
        return count.what == "dice"
    if set(count.left[-3:]) & {"ended", "end", "reach", "reached"}:
        return False
    if _before(told, count):
        return _set(shown, "before", count.value)
    if concepts & {"unresolved", "leave"}:
        shown.unresolved += count.value
        return True
    if "resolve" in concepts and not _shows(own):
        return _set(shown, "resolved", count.value)
    if count.what == "tenacity" and not RESULTS & set(told.marks[count.end].text.split()) and not _rolled(own):
        return False
    if count.what == "tenacity" or "tenacity" in concepts:
        return _set(shown, "showing", count.value)
    return count.what == "dice" and (
        told.has("roll", "throw") or count.left[-1:] in (("my",), ("of",), ("the",)) or bool(shown.free)
    )


def _out_of(told: Told, shown: Shown, count: Count) -> bool:
    """`3 of 5 dice`: 5 dice were rolled; `one of two tenacity dice resolved`: 2 show tenacity."""
    shows = "tenacity" in {mark.concept for mark in told.marks[count.at : count.end + 1]}
    if shows and shown.showing is not None and told.has("resolve"):
        shown.resolved, shown.showing = shown.showing, count.value
        return True
    return count.what in ("dice", "tenacity")


def _rolled(own: list[Mark]) -> bool:
    """The number is of what was rolled, not of what is held."""
    return any(
        mark.concept in ("roll", "throw", "resolve", "dice") or mark.text in ("show", "shows", "came", "come", "up")
        for mark in own
    )


def _shows(own: list[Mark]) -> bool:
    """`4 dice show tenacity and I resolve …`: the number is of what is shown."""
    places = {mark.concept: place for place, mark in reversed(list(enumerate(own)))}
    number = next(place for place, mark in enumerate(own) if mark.value is not None)
    return places.get("tenacity", 99) < places.get("resolve", 99) and number < places.get("resolve", 99)


def _before(told: Told, count: Count) -> bool:
    """Tenacity held before, by the words beside it."""
    if count.what not in ("tenacity", "") and not count.back:
        return False
    if count.what == "tenacity" and RESULTS & set(told.marks[count.end].text.split()):
        return False
    left, right = set(count.left[-4:]), set(count.right[:4])
    held = left & HELD or (left & {"hold", "have", "holding", "own"} and not left & {"resolve", "show"})
    return (
        bool(held)
        or bool(right & {"before", "already", "pegs", "stored", "saved", "beforehand", "board", "mat"})
        or _from_before(told, count)
    )


def _from_before(told: Told, count: Count) -> bool:
    words = told.words[count.end + 1 : count.end + 5]
    return "earlier" in words or ("from" in words and bool({"before", "last", "earlier", "yesterday"} & set(words)))


def _set(shown: Shown, name: str, value: int) -> bool:
    old = getattr(shown, name)
    if old is not None and old != value:
        return False
    setattr(shown, name, value)
    return True


def _pick(shown: Shown, focus: Focus | None) -> str | None:
    """What is asked for: what is gained, or what there is in the end."""
    words = {word for text in (focus.words if focus else ()) for word in text.split()}
    if shown.before is None:
        return "gained"
    if words & GAIN and not words & {"now", "altogether", "total", "end", "have"}:
        return "gained"
    return "tenacity" if words & AFTER or focus is None or focus.concept == "tenacity" else None
