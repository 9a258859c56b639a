"""Questions about dice: how many may be rolled, how many more, whether a handful is allowed, which icons fit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import PERMITS, bare_judgement, counted, is_negated, names_a_scope, tells_numbers, unread
from kb.reading.betrayal.hand import KINDS, Hand, form_name, hand_told, is_available, refers, take_dice
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import Find, allowed, amount, claim, if_legal, result
from kb.reading.marks import CARDINAL, ORDINAL, Mark, said_in
from kb.reading.situation import Situation
from kb.reading.stance import Stance, stance

UNIT, FREE_DIE = "dice", "free Combat die"
KNOWN = SCENERY - {"position"} | frozenset(
    "adventurer engage hit dice stamina_dice magicka_dice combat_dice free_dice named_dice stamina magicka magic_form "
    "not_magic defensive_form other_form form icon available expert normal difficulty ability weapon within cooldown "
    "exhausted drained unavailable unresolved battle item ability_allows no_icon".split()
)
AWAY = ("unavailable", "cooldown", "exhausted", "drained")
"What a die may be that is in no attribute row."
NOT = frozenset("neither nor not no never isn't aren't wasn't isnt arent no longer unless if".split())
STRANGE = frozenset(
    "next new over ended after only until till before when once enemy why instead back ago last previous mine "
    "will would gets soon end teammate mate friend".split()
)
ROLLS = frozenset("roll rolled throw gather gathered grab pick take use join add include bring go rolling".split())
OTHERS = frozenset("other others different more another available unused fresh".split())
MORE = frozenset("more another additional further extra still left fit fits room add".split())
SPENT = re.compile(r"\b(?:used up|gone|spent|exhausted|finished|over)\b")
RENEWED = re.compile(r"\b(?:back|reset|resets|refresh\w*|anew|afresh|start over|full again)\b")
ALL = frozenset("all altogether total overall together sum".split())
OVER_ALL = frozenset("over whole both across altogether total all".split())
NAMES = dict(zip(KINDS, ("Stamina die", "Magicka die", "Combat die", FREE_DIE, "named die", "die"), strict=True))
DECIDING = {"most": "betrayal/engage#steps-4c", "counted": "betrayal/engage#steps-4d"}
ICON = re.compile(r"(\w+)(?: battle)?(?: form)? (?:icon|symbol|picture)s?\b")
_ICON, _FORM = r"(?:icon|symbol|picture)s?", r"(?:battle )?(?:form'?s? |stance'?s? )?"
ICONS = {
    "another": re.compile(
        rf"\b(?:another|different|wrong|other) {_FORM}(?:{_ICON}|one\b)|"
        rf"\b{_ICON} (?:\w+ ){{0,3}}?(?:of|for|from|belongs to) (?:\w+ ){{0,2}}?(?:another|different|wrong|other)\b|"
        rf"\b{_ICON} (?:\w+ )?(?:doesn't|don't|doesnt|dont|not) (?:match|fit)"
    ),
    "none": re.compile(rf"\b(?:no|without|w/o)(?: an?| any| a form| form| battle form)* {_ICON}\b|\bha(?:ve|s) none\b"),
    "current": re.compile(
        rf"\b(?:right|matching|correct|fitting|proper|same|my|current) {_FORM}{_ICON}|"
        rf"\b{_ICON} (?:\w+ ){{0,2}}?(?:match|fit|ok|okay|fine|right|of (?:my|the) (?:current )?form)"
    ),
}
STAFF = frozenset("staff destro destruction".split())
"Dice with the Magic icon."
FORMS = frozenset("magic defensive bow melee ranged axe sword shield bows".split())


def read_dice(text: str) -> Situation | None:
    """How many dice, or whether these. What is drained is so in every turn of the battle."""
    told = tell(text)
    turns = {"turn_label"} if told.has("drained") else set()
    idle = {"come_off"} if all({"none", "no", "nothing"} & told.before(at) for at in told.places("come_off")) else set()
    if not told.has(*KINDS) or not told.has("stamina", "magicka", *KINDS) or told.concepts - KNOWN - turns - idle:
        return None
    if told.has("ability", "item") and not told.of("free_dice") and not told.has("free_dice"):
        return None
    if any(mark.text == "free" and mark.concept == "open" for mark in told.marks):
        return None  # `4 dice, one of which is free`: which one is not told
    yes_no, asked = stance(told), foci(told, NOUNS)
    hand = hand_told(told)
    if hand is None:
        return None
    if yes_no and not asked and len({each.value for each in told.of("engage", "hit", kind=ORDINAL)}) > 1:
        return _anew(told, hand, yes_no)
    if len({each.concept for each in asked if each.how == "many" and each.concept}) > 1:
        return None
    if hand.form == "magic" and [each.concept for each in asked if each.how == "many"] == ["combat_dice"]:
        die = {"name": "a Combat die", "stat": "stamina", "form": None, "combat": True, "free": False}
        given = {"stamina": 1, "magicka": 1, "form": "magic", "dice": [die]}
        none = amount(lambda got: 0 if got.get("rejected") else None, UNIT, "betrayal/engage#steps-4b")
        return (
            Situation("betrayal.gather", given, "Magic form, Combat dice", none) if not told.of("free_dice") else None
        )
    if any(each.concept in ("combat_dice", "free_dice", "named_dice") and each.how != "keyword" for each in asked):
        return None
    for focus in asked:
        if focus.concept in (*KINDS, "stamina", "magicka", "") and focus.how in ("many", "what", "keyword"):
            return _numbers(told, hand, focus, yes_no)
    yes_no = yes_no or (None if asked else bare_judgement(told))
    return _legal(told, hand, yes_no) if yes_no else None


def _anew(told: Told, hand: Hand, yes_no: Stance) -> Situation | None:
    """`I rolled 3 in my first engage. Can I roll 3 others in the second?`: every engage has the whole limit."""
    named = told.of("engage", "hit", kind=ORDINAL)
    away = told.has("unavailable", "cooldown", "exhausted", "drained")
    if not hand.stats and away and not yes_no.unclear:
        return _one_die(told, hand, yes_no)
    if len(hand.stats) != 1 or yes_no.unclear or icon_told(told) or away:
        return None
    stat, last, wanted, others = hand.stats[0], max(each.value for each in named), 0, 0
    for each in told.counts:
        again = told.marks[each.at - 1].text in ("all", "those", "these", "my", "the")
        if each.kind != CARDINAL or each in hand.used or names_a_scope(told, each) or again:
            continue
        if each.what not in (f"{stat}_dice", "dice", "", "engage") or is_negated(each):
            return None
        after = [other.value for other in named if other.at > each.at and other.clause == each.clause]
        before = [other.value for other in named if other.at < each.at]
        if (after or before[-1:] or [0])[0] == last:
            wanted += each.value
        elif OTHERS & each.near:
            others += each.value
    wanted = wanted or others
    asked = {each.value for each in named if told.marks[each.at].text in yes_no.text.split()}
    if asked - {last}:
        return None
    find = allowed(yes_no)
    if SPENT.search(yes_no.text) or RENEWED.search(yes_no.text):
        spent, wanted = bool(SPENT.search(yes_no.text)), 0
        find = claim(result(f"{stat}_left"), UNIT, lambda left: (left == 0) == spent, yes_no)
    elif not wanted or not PERMITS.search(yes_no.text):
        return None
    given = {stat: getattr(hand, stat), f"{stat}_dice": wanted}
    says = f"{stat.title()} {given[stat]}, {wanted} dice in engage {last}"
    return Situation("betrayal.dice_limits", given, says, find)


def _numbers(told: Told, hand: Hand, focus: Focus, yes_no: Stance | None) -> Situation | None:
    """How many, how many more, how many too many."""
    engages = _engages(told, focus, hand)
    judged = yes_no.text if yes_no else ""
    if engages is None or not take_dice(told, hand, focus.concept, judged) or unread(told, hand.used):
        return None
    if (hand.form or "magic") != "magic" and STAFF & said_in(told.marks):
        return None
    if hand.form == "magic":
        # Combat dice that are merely there stay there.
        hand.available.pop("combat", None)
    combat = "combat" in hand.available or hand.dice.get("combat_dice") or (hand.form == "magic" and hand.combat)
    if combat or icon_told(told) not in ("", "none"):
        return None
    away = told.has("unresolved", "cooldown", "exhausted", "unavailable", "drained")
    if away and not hand.available:
        return None
    pick = _asked(told, hand, focus, judged)
    if pick is None or not (hand.stats or (pick == "counted" and told.of(*KINDS))) or (yes_no and yes_no.unclear):
        return None
    given = _given(hand, engages)
    strict = pick in ("rolled", "stamina_left", "magicka_left", "left") and not yes_no
    find = allowed(yes_no, result(pick), UNIT) if yes_no or strict else amount(result(pick), UNIT, DECIDING.get(pick))
    if yes_no and pick.endswith("left") and {"room", "any"} & set(judged.split()):
        find = claim(result(pick), UNIT, bool, yes_no)
    if pick == "rolled" and not yes_no:
        find = if_legal(result(pick), UNIT)
    return Situation("betrayal.dice_limits", given, _says(hand, engages), find)


def _engages(told: Told, focus: Focus, hand: Hand) -> int | None:
    """Over how many engages the dice are wanted; 1 for each by itself."""
    counts = told.of("engage", "hit")
    named = told.of("engage", "hit", kind=ORDINAL)
    words = said_in(focus.words)
    hand.used += [*counts, *named]
    many = {each.value for each in counts if each.value > 1 and not (each.back and "rolled" in each.left)}
    many -= {max(each.value for each in named)} if named else set()
    if named:
        # What was rolled in an earlier engage counts for that one only.
        hand.earlier += [each for each in told.of(*KINDS) if each.clause != told.marks[focus.at].clause]
        hand.used += hand.earlier
        return 1 if not many and _rest_of_rows(told, hand) else None
    if not many:
        return 1
    if len(many) > 1 or told.of(*KINDS):
        return None
    sentence = told.marks[focus.at].sentence
    words |= said_in(mark for mark in told.marks if mark.sentence == sentence) & (OVER_ALL - {"all"})
    if words & OVER_ALL or told.has("pooled"):
        return many.pop()
    return 1 if words & {"each", "per", "one", "single"} else None


def _rest_of_rows(told: Told, hand: Hand) -> bool:
    """`7 in my rows, the 4 that I roll get exhausted`: 3 are available then; False where that cannot be told."""
    rows = [each for each in hand.earlier if is_available(told, each)]
    rolled = [each for each in hand.earlier if each.value and each not in rows and not refers(each)]
    if not rows:
        return True
    stat = rows[0].what.removesuffix("_dice")
    left = rows[0].value - sum(each.value for each in rolled)
    hand.available[stat] = max(left, 0)
    sure = told.has("exhausted", "unavailable") or left >= (getattr(hand, stat, None) or 0)
    thrown = all({"roll", "throw"} & {mark.concept for mark in told.clause_of(each.clause)} for each in rolled)
    return sure and len(rows) == 1 and stat in hand.stats and thrown


def _asked(told: Told, hand: Hand, focus: Focus, judged: str) -> str | None:
    """Which result is asked for, by the words there and in the part that asks for yes or no."""
    clause = told.clause_of(told.marks[focus.at].clause)
    words = said_in(focus.words) | ({*judged.split()} & MORE)
    words |= {mark.text for mark in clause} & MORE
    stat = _stat(told, hand, focus, [mark.concept for mark in clause])
    gathered = {kind for kind, count in hand.dice.items() if count}
    if any(mark.concept == "toward" for mark in clause):
        if stat in ("stamina", "magicka"):
            # Dice of the other stat count toward that one.
            gathered -= {kind for kind in KINDS[:2] if kind != f"{stat}_dice" and hand.dice.pop(kind, 0)}
        return "counted" if gathered <= {f"{stat}_dice", "free_dice"} and stat else None
    if stat is None and gathered == {"free_dice"} and len(hand.stats) == 1 and not judged:
        stat = hand.stats[0]
    wanted = hand.stats if stat == "both" else [stat]
    if stat is None:
        return None
    if gathered == {"free_dice"} and {*wanted} <= {*hand.stats} and not (words & MORE or judged):
        # As many as the stats allow, with the free ones on top.
        most = {each: getattr(hand, each) for each in hand.stats if each in wanted}
        hand.dice |= {f"{each}_dice": min(most[each], hand.available.get(each, most[each])) for each in most}
        return "rolled"
    if any(mark.concept == "too_many" for mark in clause):
        for kind in [] if gathered else list(hand.available):
            hand.dice[f"{kind}_dice"] = hand.available.pop(kind)
        return "over" if hand.dice else None
    mixed = stat == "both"
    together = said_in(clause) & {"together", "altogether"}
    if together and judged and "free_dice" in gathered:
        return "rolled" if len(hand.stats) == 2 or gathered <= {f"{stat}_dice", "free_dice"} else None
    if words & MORE and gathered:
        return "left" if mixed else f"{stat}_left"
    rolls = any(mark.concept in ("roll", "throw") for mark in clause) and focus.concept in ("dice", "")
    if gathered and (words & ALL or ("free_dice" in gathered and (judged or rolls))):
        return "rolled" if len(hand.stats) == 2 or gathered <= {f"{stat}_dice", "free_dice"} else None
    own = judged and gathered == {f"{stat}_dice"}
    if gathered and not own and not _candidates(told, hand, gathered, focus, judged):
        return None
    return "most" if mixed else f"{stat}_most"


def _candidates(told: Told, hand: Hand, gathered: set[str], focus: Focus, judged: str) -> bool:
    """`4 Stamina dice: how many can I roll?`: the dice are not gathered yet, there are just so many."""
    asks = focus.how == "many" or {"can", "may", "could"} & set(focus.words)
    if not asks or not gathered <= {"stamina_dice", "magicka_dice"} or told.has("in_hand"):
        return False
    if {"gathered", "already", "took", "rolled", "picked", "grabbed"} & set(told.words):
        return False
    for kind in sorted(gathered):
        hand.available[kind.removesuffix("_dice")] = hand.dice[kind] if judged else hand.dice.pop(kind)
    return True


def _stat(told: Told, hand: Hand, focus: Focus, near: list[str]) -> str | None:
    """The stat whose dice are asked for; `both`, or None where that cannot be told."""
    places = [at for at in told.places(*KINDS[:2]) if {"only", "just", "solely", "purely"} & told.before(at)]
    alone = {told.marks[at].concept.removesuffix("_dice") for at in places}
    if len(alone) == 1 and alone <= set(hand.stats):
        return alone.pop()
    named = focus.concept.removesuffix("_dice")
    if named in ("stamina", "magicka"):
        return named if named in hand.stats or "toward" in near else None
    others = {name for each in near if (name := each.removesuffix("_dice")) in ("stamina", "magicka")}
    if len(others) == 1:
        return others.pop()
    kinds = {kind.removesuffix("_dice") for kind in (*hand.dice, *hand.available)} & {"stamina", "magicka"}
    if len(hand.stats) == 2:
        return "both"
    if len(kinds) == 1 and kinds == set(hand.stats):
        return kinds.pop()
    return None


def _given(hand: Hand, engages: int) -> dict[str, Any]:
    given: dict[str, Any] = {"stamina": hand.stamina, "magicka": hand.magicka, "engages": engages}
    given |= {kind: count for kind, count in hand.dice.items() if kind != "combat_dice"}
    return given | {f"available_{stat}": count for stat, count in hand.available.items()}


def _says(hand: Hand, engages: int = 1) -> str:
    told = [f"{stat.title()} {getattr(hand, stat)}" for stat in hand.stats]
    if hand.form:
        told.append(f"{hand.form.title()} form")
    told += [counted(count, NAMES[kind]) for kind, count in hand.dice.items()]
    told += [f"{count} available {stat.title()} dice" for stat, count in hand.available.items()]
    return ", ".join(told + ([f"{engages} engages"] if engages > 1 else [])) or "free Combat dice"


def _legal(told: Told, hand: Hand, yes_no: Stance) -> Situation | None:
    """Whether these dice may be rolled together."""
    bare = len(yes_no.text.split()) < 3
    permits = PERMITS.search(told.text.casefold() if bare else yes_no.text) and not yes_no.obliges
    if not permits or told.has("toward", "unresolved"):
        return None
    if not tells_numbers(told) or told.has(*AWAY):
        return _one_die(told, hand, yes_no)
    hand.used += [each for each in told.of("engage", "hit", "turn", "this_turn") if each.value == 1]
    named = any(each.what == "named_dice" for each in told.of(*KINDS)) and "named_dice" not in hand.ties
    if named or not take_dice(told, hand, "", yes_no.text) or unread(told, hand.used):
        return _unknown_line(told) if named else None
    if not hand.dice:
        _single(told, hand)
    icon = icon_told(told)
    if not hand.dice or icon is None or hand.available or not (hand.stats or hand.form):
        return None
    find = allowed(yes_no, deciding=DECIDING["counted"] if hand.dice.get("free_dice") else None)
    return Situation("betrayal.gather", _gathered(told, hand, icon), _says(hand), find, _missing(hand))


def _one_die(told: Told, hand: Hand, yes_no: Stance) -> Situation | None:
    """A die by itself: whether its icon, its kind and the place where it lies let it be rolled."""
    away = told.places(*AWAY)
    off = any(NOT & told.before(at, 3) for at in away) or told.has("weapon", "ability", "item", "ability_allows")
    off = off or bool(STRANGE & set(told.words))
    icon, kinds = icon_told(told), [kind for kind in KINDS[:4] if told.has(kind)]
    rolls = ROLLS & set(yes_no.text.split())
    counts = [each for each in told.of("turn", "engage", "") if told.has("drained")]
    counts += told.of("engage", kind=ORDINAL) if not told.has("turn") else []
    counts += [each for each in told.counts if told.words[each.at] == "another"]
    if off or icon is None or len(kinds) > 1 or (away and not rolls) or unread(told, [*hand.used, *counts]):
        return None
    form = hand.form or ("current" if icon == "another" else None)
    combat = bool({"combat_dice", "free_dice"} & {*kinds})
    if not (away or (form and (combat or icon))):
        return None
    stat = next((kind.removesuffix("_dice") for kind in kinds if kind in KINDS[:2]), "stamina")
    die = {"name": "the die", "stat": stat, "form": None if icon in ("", "none") else icon, "combat": combat}
    die |= {"free": "free_dice" in kinds, "available": not away}
    given = {stat: getattr(hand, stat) or 1, "form": form, "dice": [die]}
    says = " ".join(["a", *(["drained or exhausted"] if away else []), *([f"{form} form:"] if form else []), "die"])
    clause = "code-drained" if told.has("drained") else "steps-4b" if combat and not away else "steps-4a"
    return Situation("betrayal.gather", given, says, allowed(yes_no, deciding=f"betrayal/engage#{clause}"))


def _single(told: Told, hand: Hand) -> None:
    """`a Stamina die`, `Combat dice` without a number stand for one."""
    for kind in (*KINDS[:4], "dice"):
        if told.has(kind) and (kind != "dice" or (told.has("icon") and not hand.dice)):
            hand.dice[kind] = 1


def _missing(hand: Hand) -> tuple[str, ...]:
    """The stats that the dice are held against and that are not told."""
    if hand.form == "magic" and hand.combat:
        return ()
    needs = [stat for stat in ("stamina", "magicka") if hand.dice.get(f"{stat}_dice") and getattr(hand, stat) is None]
    other_form = hand.form is None and hand.dice.get("combat_dice", 0) + hand.dice.get("free_dice", 0)
    if hand.dice.get("combat_dice") and "combat_dice" not in hand.ties:
        needs.append("stat of Combat dice")
    needs = [need.title() if need in ("stamina", "magicka") else need for need in needs]
    needs += ["current battle form"] if other_form and not hand.stats else []
    return tuple(f"the {need}" for need in needs)


def _unknown_line(told: Told) -> Situation:
    line = next(each for each in told.of(*KINDS) if each.what == "named_dice")
    name = told.marks[line.end].text
    return Situation("betrayal.gather", {"dice": []}, name, amount(result(""), ""), (f"the stat of {name}",))


def _gathered(told: Told, hand: Hand, icon: str) -> dict[str, Any]:
    staff = bool(STAFF & said_in(told.marks))
    dice = [die for kind, count in hand.dice.items() for die in _each(kind, count, icon, staff, hand.ties.get(kind))]
    form = hand.form
    if form is None and any(die["free"] or die["combat"] for die in dice) and hand.stats:
        form = "other"
    return {"stamina": hand.stamina, "magicka": hand.magicka, "form": form, "dice": dice}


def _each(kind: str, count: int, icon: str, staff: bool, tied: str | None) -> list[dict[str, Any]]:
    stat = kind.removesuffix("_dice") if kind in KINDS[:2] else tied
    combat, free = kind == "combat_dice", kind == "free_dice"
    shown = icon if icon not in ("", "none") else "magic" if kind == "magicka_dice" and staff and icon == "" else None
    die = {"stat": stat, "form": None if combat or free else shown, "combat": combat, "free": free}
    return [{"name": f"{NAMES[kind]} {number}", **die} for number in range(1, min(count, 60) + 1)]


ICONS_KNOWN = SCENERY | frozenset(
    "dice stamina_dice magicka_dice combat_dice free_dice icon stamina magicka magic_form defensive_form other_form "
    "form "
    "available engage not_magic no_icon kind".split()
)
PLENTY = re.compile(
    r"\b(?:stats?|limits?|stamina|magicka) (?:are|is|both|being)? ?(?:\w+ )?(?:high|big|large|fine|no (?:problem|"
    r"issue)|enough|plenty)"
)
ROLLABLE = frozenset("rollable usable fit legal go goes come comes join used included along".split())


def read_icons(text: str) -> Situation | None:
    """How many of some dice may be rolled."""
    told = tell(text)
    if not told.has("icon", "no_icon", "combat_dice") or told.concepts - ICONS_KNOWN:
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
    told_of = [(each, die) for each in counts if (die := _die(told, each))]
    sure = len(told_of) == len(counts) > 1 and not any(map(is_negated, counts))
    if not form or not sure or unread(told, [*hand.used, *numbers]):
        return None
    number = sum(each.value for each in counts)
    if any(each.value != number for each in total):
        return None
    groups = [(each, {**die, "form": form if die["form"] == "current" else die["form"]}) for each, die in told_of]
    listed = [{**die, "name": f"{die['name']} {each.at}.{n}"} for each, die in groups for n in range(each.value)]
    given = {"stamina": hand.stamina, "magicka": hand.magicka, "form": form, "dice": listed}
    says = f"{form.title()} form: " + ", ".join(f"{each.value} {die['name']}" for each, die in told_of)
    return Situation("betrayal.gather", given, says, _fitting(hand, number, bool(PLENTY.search(plain))))


def _asks_rolled(told: Told, focus: Focus) -> bool:
    clause = told.clause_of(told.marks[focus.at].clause)
    return any(mark.concept in ("roll", "throw") or mark.text in ROLLABLE for mark in clause)


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


def _fitting(hand: Hand, number: int, plenty: bool) -> Find:
    """The dice that are not rejected, where no stat is in their way."""
    limits = [getattr(hand, stat) for stat in hand.stats]

    def fitting(got: dict[str, Any]) -> int | None:
        rolled = number - len(got["rejected"]) if got.get("rejected") is not None else None
        fits = rolled is not None and (plenty or (limits and rolled <= min(limits)))
        return rolled if fits else None

    return amount(fitting, UNIT, "betrayal/engage#steps-4a")


def icon_told(told: Told) -> str | None:
    """The form icon that is told; empty for none told, `none` for one that is no bar, None where it cannot be told."""
    found = icon_of(" ".join(told.words)) if re.search(_ICON, " ".join(told.words)) else ""
    return "none" if found == "current" else found


def icon_of(text: str) -> str | None:
    """`current` and `another`: the icon of the form in which the adventurer is, or not."""
    found = [name for name, words in ICONS.items() if words.search(text)]
    named = [name for name in ICON.findall(text) if name in FORMS and found[:1] in ([], ["current"])]
    return next(iter([*named[:1], *found]), None)
