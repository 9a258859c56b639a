"""Questions about tenacity: gained from a roll, spent on class abilities, held afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import PERMITS, counted, others_act, reported, unread
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import IMPLICIT, TIMES, Count, Told
from kb.reading.finding import allowed, claim, compared, if_legal, result
from kb.reading.marks import CARDINAL, Mark, said_in
from kb.reading.situation import Situation
from kb.reading.stance import stance

UNIT = "tenacity"
GAINED = "betrayal/engage#steps-5b-tenacity"
KNOWN = SCENERY | frozenset(
    "tenacity dice free_dice combat_dice resolve unresolved engage hit exhausted track available unavailable "
    "class_ability spend damage weapon price instant drained active_slot turn_label".split()
)
COST = SCENERY | frozenset(
    "tenacity spend price damage ability hexes engage hit heal hp free_move move dice item exhausted active_slot "
    "class_ability available weapon in_hand".split()
)
PAYS = re.compile(r"spend|pay|lose|discard|exhaust|remove|sacrifice|give up")
PAYABLE = re.compile(
    r"\b(?:can|may|could|do (?:i|we|the|they|it)|does|gain|get|still|allowed|possible|resolve|legal|ok|okay|works?)\b"
)
ENOUGH = re.compile(PERMITS.pattern + r"|\b(?:enough|afford)\b")
WASTED = re.compile(
    r"\b(?:wast\w*|lost|ignored?|fizzle\w*|fails?|nothing|too (?:few|little)|void|skip\w*|refus\w*)\b|"
    r"\bdo (?:i|we) (?:lose|spend|pay|discard|exhaust|remove)\b"
)
GIVES = frozenset("deal heal move".split())
EMPTY = frozenset("no empty any without".split())
HAS = frozenset("i have has had got hold holding with at own only left".split())
ALONE = frozenset("now left i have got currently so far".split())
STANDS = frozenset("was is at : = of were now still".split())
PARTLY = frozenset("some half part parts partly partially without rest another other twice".split())
AFTER = frozenset("pegs peg left remains remaining now have total altogether end after stand left hold new up".split())
HELD = frozenset("from had started start began begin stored already starting saved previously".split())
KEPT = frozenset("before already pegs stored saved beforehand board mat earlier".split())
MOST = frozenset("maximum max most".split())
PER = frozenset("per each".split())
"`1 per tenacity result`: what each gives anyway."
RESULTS = frozenset("result results icon icons face faces side sides symbol symbols".split())
GAIN = frozenset("gain gained get got earn new additional extra receive collect".split())
NO_AMOUNT = frozenset("happens need needed cost costs".split())
OTHERWISE = frozenset("instant damage drained active".split())
"What dice may show besides tenacity."


@dataclass
class Shown:
    """Tenacity results and what is done with them."""

    showing: int | None = None
    resolved: int | None = None
    unresolved: int = 0
    free: int = 0
    before: int | None = None
    spent: int = 0
    used: list[Count] = field(default_factory=list)


def read_tenacity(text: str) -> Situation | None:
    """Tenacity gained, or held afterwards."""
    told = tell(text)
    granted = {mark.clause for mark in told.marks if mark.concept == "free_dice"}
    granted |= {told.marks[at].clause for at in told.places("price")}
    idle = {"ability"} if all(mark.clause in granted for mark in told.marks if mark.concept == "ability") else set()
    if not told.has("tenacity") or told.concepts - KNOWN - idle or others_act(told):
        return None
    yes_no = stance(told)
    if not yes_no and (needed := _needed(told)):
        return needed
    focus = next((each for each in foci(told, NOUNS) if each.concept in ("tenacity", "")), None)
    if (focus is None and yes_no is None) or (focus and not _asks_amount(focus)):
        return None
    asked = [each for each in told.counts if told.marks[each.at].asks and each.kind == CARDINAL]
    claims = asked if yes_no and focus is None else []
    hearsay = reported(told, "tenacity") if not yes_no else []
    rates = [each for each in told.of("tenacity") if each.value == 1 and PER & set(each.right[:1])]
    shown = _shown(told, [*claims, *hearsay, *rates])
    if shown is None or unread(told, [*shown.used, *claims, *hearsay, *rates]):
        return None
    if len(claims) > 1:
        return None
    if yes_no and shown.spent and not (claims or shown.showing) and ENOUGH.search(yes_no.text):
        held = shown.before or 0
        says = f"a cost of {shown.spent}, {held} there"
        return Situation("betrayal.cost", {"cost": shown.spent, "has": held}, says, allowed(yes_no))
    pick = _pick(shown, focus)
    if pick is None or shown.showing is None or (focus is None and not claims):
        return None
    given = {"showing": shown.showing, "unresolved": shown.unresolved, "free_dice": shown.free}
    given |= {"before": shown.before or 0, "spent": shown.spent}
    if claims and yes_no:
        find = claim(result(pick), UNIT, compared(claims[0]), yes_no)
    else:
        find = if_legal(result(pick), UNIT, None if shown.showing or shown.free or shown.spent else GAINED)
    return Situation("betrayal.tenacity", given, _says(given), find)


def read_cost(text: str) -> Situation | None:
    """`Exhaust 2 dice, then deal 3 damage`, with 1 die: whether the cost is there in full."""
    told, yes_no = tell(text), stance(tell(text))
    at = next((at for at, word in enumerate(told.words) if PAYS.fullmatch(word)), 0)
    if yes_no is None or yes_no.unclear or not PAYABLE.search(yes_no.text) or WASTED.search(yes_no.text):
        return None
    if not PAYS.fullmatch(" ".join(told.words[at : at + 1])) or "or" in told.words:
        return None
    mine = (place for place, mark in enumerate(told.marks) if place > at and mark.text in ("i", "my", "have", "."))
    text_ends = next(mine, len(told.marks)) - 1
    costs = [each for each in told.counts if at < each.at < at + 3] or [Count(1, "", at + 1, at + 2, IMPLICIT)]
    cost, counts = costs[0], [each for each in told.counts if each.kind == CARDINAL and each is not costs[0]]
    leads = {"to", "then"} & set(told.words[cost.end + 1 : cost.end + 5])
    rest = {mark.concept for mark in told.marks[:at] + told.marks[text_ends + 1 :] if mark.concept}
    gains = [each for each in counts if at < each.at <= text_ends or told.marks[each.at - 1].concept in GIVES]
    rest_of = [each for each in counts if each not in gains]
    has = [each for each in rest_of if HAS & {*each.left[-3:], *each.right[:2]} or not each.value]
    empty = EMPTY & {*told.words[:at], *told.words[text_ends + 1 :]}
    known = {each.value for each in (*has, *gains)}
    again = [each for each in counts if told.words[each.at - 1] == "the" and each.value in known]
    if not leads or rest - COST or len({each.value for each in has}) + bool(empty and not has) != 1:
        return None
    if unread(told, [cost, *has, *gains, *again]) or (cost.kind == IMPLICIT and cost.what == "" and not empty):
        return None
    if any(each.what not in (cost.what, "") and not each.back for each in has):
        return None
    given = {"cost": cost.value, "has": has[0].value if has else 0}
    plain = len({each.value for each in gains}) < 2 and PERMITS.search(yes_no.text) and not PARTLY & set(told.words)
    if given["has"] >= given["cost"] and not plain:
        return None
    return Situation("betrayal.cost", given, f"a cost of {given['cost']}, {given['has']} there", allowed(yes_no))


def _needed(told: Told) -> Situation | None:
    """`I need 5 and have 2: how many results must I resolve?`: each gives 1."""
    focus = next((each for each in foci(told, NOUNS) if each.how == "many"), None)
    counts = [each for each in told.counts if each.kind == CARDINAL]
    need = [each for each in counts if {"need", "needs", "want", "require"} & set(each.left[-3:])]
    if focus is None or len(need) != 1 or len(counts) > 2 or not set(focus.words) & {"resolve", "results", "more"}:
        return None
    before = [each for each in counts if each not in need]
    if any(
        each.what != "tenacity" and not _held(told, each) and not {"got", "have", "has"} & set(each.left[-2:])
        for each in before
    ):
        return None
    held = sum(each.value for each in before)
    given = {"showing": max(need[0].value - held, 0), "before": held}
    if any(each.what not in ("tenacity", "") and not each.back for each in counts):
        return None
    says = f"{need[0].value} tenacity wanted, {held} held"
    return Situation("betrayal.tenacity", given, says, if_legal(result("gained"), "dice"))


def _asks_amount(focus: Focus) -> bool:
    words = said_in(focus.words)
    if words & NO_AMOUNT or any(word in ("dice", "resolve") or set(word.split()) & RESULTS for word in focus.words[:6]):
        return False
    if words & {"pegs", "peg"}:
        return True
    bare = focus.concept == "" and focus.how in ("what", "keyword")
    return not bare or bool(words & (GAIN | AFTER | MOST)) or "tenacity" in words


def _says(given: dict[str, int]) -> str:
    parts = [f"{counted(given['showing'], 'die')} with tenacity"]
    parts += [f"{given['unresolved']} not resolved"] if given["unresolved"] else []
    parts += [counted(given["free_dice"], "free Combat die")] if given["free_dice"] else []
    parts += [f"{given['before']} tenacity before"] if given["before"] else []
    return ", ".join(parts + ([f"{given['spent']} tenacity spent"] if given["spent"] else []))


def _shown(told: Told, claims: list[Count]) -> Shown | None:
    shown = Shown()
    for count in told.counts:
        if count.kind == CARDINAL and count not in claims and count.value >= 0 and not _take(told, shown, count):
            return None
    if shown.showing is None and shown.resolved is None:
        spends = shown.spent or (shown.free and told.has("free_dice"))
        none = any("no" in told.before(at) for at in told.places("tenacity"))
        shown.showing = _single(told) or (0 if spends or none else None)
    elif shown.showing is None:
        shown.showing = shown.resolved
    elif shown.resolved is not None and shown.resolved < shown.showing:
        if shown.unresolved not in (0, shown.showing - shown.resolved):
            return None
        shown.unresolved = shown.showing - shown.resolved
    return None if shown.showing is not None and shown.unresolved > shown.showing else shown


def _take(told: Told, shown: Shown, count: Count) -> bool:
    """Gives a number its part; False where it has none."""
    own = told.marks[count.at - len(count.left) : count.at + 1 + len(count.right)]
    concepts = {mark.concept for mark in (told.clause_of(count.clause) if count.right[:1] == ("of",) else own)}
    shown.used.append(count)
    if told.words[count.at] in TIMES or "times" in count.right[:1]:
        return count.what in ("engage", "hit") and count.value == 1
    if count.what == "free_dice":
        shown.free += count.value
        return True
    if count.what == "damage" and "tenacity" not in concepts:
        return True
    if count.what not in ("tenacity", "dice", "", "combat_dice") and not count.back:
        return count.what in ("engage", "turn", "this_turn", "hit") and count.value == 1
    if set(count.left[-3:]) & {"ended", "end", "reach", "reached"}:
        return False
    held = _held(told, count)
    if held and count.what == "tenacity" and told.words[count.at - 2 : count.at - 1] == ("of",):
        return _set(shown, "before", count.value)
    if concepts & {"class_ability", "spend", "price"} or (shown.spent and "again" in concepts):
        shown.spent += count.value
        return count.what in ("tenacity", "") or count.back
    if held:
        return _set(shown, "before", count.value)
    if {"gained", "earned"} & {*count.left[-2:]} and (count.what == "tenacity" or count.back):
        return _set(shown, "showing", count.value)
    if told.words[count.at - 1 : count.at] == ("of",) and told.marks[count.at - 2].value is not None:
        free = any(mark.concept == "free_dice" for mark in told.clause_of(count.clause))
        return not free and _out_of(told, shown, count)
    if "of" in told.before(count.at - 1) and {"all", "my", "the", "those", "these"} & told.before(count.at):
        return count.what == "dice"
    return _of_the_roll(told, shown, count, own, concepts)


def _of_the_roll(told: Told, shown: Shown, count: Count, own: list[Mark], concepts: set[str]) -> bool:
    """A number of dice: left, resolved, showing tenacity or something else."""
    if concepts & {"unresolved", "leave"}:
        shown.unresolved += count.value
        return True
    if "resolve" in concepts and not _shows(own):
        return _set(shown, "resolved", count.value)
    if count.what == "tenacity" and not RESULTS & set(told.marks[count.end].text.split()) and not _rolled(own):
        return False
    if count.what == "tenacity" or "tenacity" in concepts:
        return _set(shown, "showing", count.value)
    return count.what in ("dice", "combat_dice") or bool(OTHERWISE & {mark.text for mark in own})


def _single(told: Told) -> int:
    """`a tenacity result`."""
    single = [each for each in told.counts if each.what == "tenacity" and each.kind == IMPLICIT]
    return len([each for each in single if RESULTS & set(told.marks[each.end].text.split())])


def _out_of(told: Told, shown: Shown, count: Count) -> bool:
    """`3 of 5 dice`: 5 dice were rolled; `one of two tenacity dice resolved`: 2 show tenacity."""
    shows = "tenacity" in {mark.concept for mark in told.marks[count.at : count.end + 1]}
    return count.what in ("dice", "tenacity") and not (shows and shown.showing is not None and told.has("resolve"))


def _rolled(own: list[Mark]) -> bool:
    """The number is of what was rolled, not of what is held."""
    shows = {mark.text for mark in own} & {"show", "shows", "came", "come", "up"}
    return bool(shows or {mark.concept for mark in own} & {"roll", "throw", "resolve", "dice"})


def _shows(own: list[Mark]) -> bool:
    """`4 dice show tenacity and I resolve …`: the number is of what is shown."""
    places = {mark.concept: place for place, mark in reversed(list(enumerate(own)))}
    number = next(place for place, mark in enumerate(own) if mark.value is not None)
    return places.get("tenacity", 99) < places.get("resolve", 99) and number < places.get("resolve", 99)


def _held(told: Told, count: Count) -> bool:
    """Tenacity held before: `tenacity was 3`, `6 pegs of tenacity`, `I had 2`, `of my 4 tenacity`, `2 tenacity.`"""
    if count.what not in ("tenacity", "") and not count.back:
        return False
    if count.what == "tenacity" and RESULTS & set(told.marks[count.end].text.split()):
        return False
    left, right = set(count.left[-4:]), set(count.right[:4])
    held = left & HELD or (left & {"hold", "have", "holding", "own"} and not left & {"resolve", "show"})
    words = told.words[count.end + 1 : count.end + 5]
    earlier = "from" in words and bool({"before", "last", "previous", "yesterday"} & said_in(words))
    rest = {m.text for m in told.clause_of(count.clause) if m.concept not in ("break", "tenacity")}
    alone = count.what == "tenacity" and rest <= {told.words[count.at], *ALONE}
    mine = count.what == "tenacity" and told.words[count.at - 2 : count.at] in (("of", "my"), ("of", "the"))
    return bool(held or right & KEPT or earlier or alone or mine or _is_stat(told, count))


def _is_stat(told: Told, count: Count) -> bool:
    """`tenacity was 3`, `6 points of tenacity`."""
    before = told.marks[max(count.at - 2, 0) : count.at]
    named = [mark.concept == "tenacity" and not RESULTS & set(mark.text.split()) for mark in before]
    stands = any(named) and (named[-1] or before[-1].text in STANDS)
    return stands or (count.right[:1] in (("pegs",), ("peg",), ("points",)) and "tenacity" in count.right[:3])


def _set(shown: Shown, name: str, value: int) -> bool:
    old = getattr(shown, name)
    if old is not None and old != value:
        return False
    setattr(shown, name, value)
    return True


def _pick(shown: Shown, focus: Focus | None) -> str | None:
    """What is asked for: what is gained, or what there is in the end."""
    words = said_in(focus.words if focus else ())
    if shown.before is None:
        return None if shown.spent else "gained"
    if words & GAIN and not words & {"now", "altogether", "total", "end", "have"}:
        return None if shown.spent else "gained"
    return "tenacity" if words & AFTER or focus is None or focus.concept == "tenacity" else None
