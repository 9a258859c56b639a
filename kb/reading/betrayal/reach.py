"""Questions about distance, range, sight, targets and Weapons."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from kb.reading.asking import Focus, foci
from kb.reading.betrayal.found import bare_judgement, is_part, supposed_number, unread
from kb.reading.betrayal.hand import form_of
from kb.reading.betrayal.words import NOUNS, SCENERY, tell
from kb.reading.counts import Count, Told
from kb.reading.finding import allowed, amount, claim, result
from kb.reading.marks import CARDINAL, ORDINAL, said_in
from kb.reading.situation import Situation
from kb.reading.stance import Stance, stance

UNIT = "hexes"
MEASURING = SCENERY | frozenset(
    "adventurer engage hit between distance range within near_tile far_tile tiles sight hexes magicka magic_form "
    "defensive_form other_form form weapon stamina move free_move spend right_behind apart_tile".split()
)
TWICE = "betrayal/engage#target-range"
MAGIC, DEFENSIVE = "betrayal/glossary#magic", "betrayal/glossary#defensive"
SIGHT_WORDS = ("see", "sight", "visible", "look at", "spot him", "spot her")
RANGE_WORDS = re.compile(
    r"\b(?:in|within|out of) (?:\w+ )?(?:range|reach)\b|\breach (?!of|is)|\breach$|\breachable\b|"
    r"\b(?:close|far) enough|\btoo far|\brange (?:is |still |now )*(?:fine|ok|okay|good|enough)\b"
)
PLACES = tuple("between distance range next_to tiles near_tile far_tile within hexes".split())
DECLARES = re.compile(r"\b(?:declar|picked him|picked her|picked it|chose|named)")
SEEN = re.compile(
    r"\bsight (?:is |was )?(?:fine|ok|okay|clear|good|given|there|no (?:issue|problem))|"
    r"\bsight isn'?t (?:an issue|a problem)|"
    r"\b(?:we|i) (?:can )?see (?:each other|him|her|it)\b|\b(?:he|she|it)(?:'s| is) in (?:plain |full |clear )?sight"
)
"That the target is in sight is told."
CHAIN = re.compile(r"\b(?:me|i|my hex)(?: ?(?:-+>|=+>|→|>) ?[a-z' ]+){2,}")
ARROW = re.compile(r"-+>|=+>|→|>")
APPROACH = frozenset("up closer toward towards approach near nearer".split())
SHOOTS = frozenset("blast shoot zap burn cast fire".split())
REFUSED = frozenset("not can't cannot don't won't without no cant dont wont".split())
THEN = frozenset("then afterwards after now still left".split())
NAMED = {"distance": "distance", "between": "hexes_between", "range": "range", "within": "range", "magicka": "magicka"}


def read_reach(text: str) -> Situation | None:
    """How far, in range or not, in sight or not."""
    told = tell(text)
    if not told.has(*PLACES) and not {"between", "far"} & {*told.words}:
        return None
    idle = {"item", "danger"} if _only_sight(told) else {"obstacle", "prevents"} if unobstructed(told) else set()
    idle |= {"dice"} if told.has("resolve") else set()
    idle |= {"come_off"} if all(mark.text == "clear" for mark in told.marks if mark.concept == "come_off") else set()
    idle |= {"ability"} if _twice(told, "magicka") or _twice(told, "range") else set()
    if told.concepts - MEASURING - idle:
        return None
    yes_no, asked = stance(told), foci(told, NOUNS | {"range"})
    if yes_no and _only_sight(told, yes_no):
        # Whether sight matters when a die is resolved is not stated.
        return None if told.has("resolve") else _sight(told, yes_no)
    facts, supposed = _facts(told), supposed_number(told)
    if facts is None:
        return None
    given, used = facts
    if supposed:
        used.append(supposed)
        if yes_no is None or set(given) - {"hexes_between"}:
            return None
        pick = claim(result("distance"), UNIT, lambda value: value == supposed.value, yes_no, "betrayal/glossary#range")
        return Situation("betrayal.range", given, _says(given), pick) if given and not unread(told, used) else None
    tile = _tile(told)
    if tile is None or unread(told, [*used, *tile[1]]):
        return None
    focus = next((each for each in asked if _measures(each)), None)
    if yes_no is None and not asked:
        yes_no = bare_judgement(told)
    if yes_no:
        seen = bool(SEEN.search(told.text.casefold())) or (tile[0] is True and "closer" in given)
        return _judged(told, given, yes_no, focus, tile[0], seen)
    if focus and focus.how == "keyword" and len(focus.words) == 1 and "range" in given and len(given) > 1:
        # `range 5, enemy 6 hexes away. reach?`
        return _judged(told, given, Stance(True, text="in range"), None, tile[0], True)
    return _measured(given, focus) if focus else None


def unobstructed(told: Told) -> bool:
    """`nothing blocks`, `no wall between us`."""
    return all(
        {"no", "nothing", "nobody", "without"} & told.before(at, 2) for at in told.places("obstacle", "prevents")
    )


def _only_sight(told: Told, yes_no: Stance | None = None) -> bool:
    yes_no = yes_no or stance(told)
    asks = yes_no is not None and any(word in yes_no.text for word in SIGHT_WORDS) and "target" not in yes_no.text
    return asks and not told.has("within")


def _measures(focus: Focus) -> bool:
    named = focus.concept in ("range", "distance", "between", "hexes") or focus.how == "far"
    return named or (focus.concept == "" and bool({"range", "distance", "reach", "at range"} & set(focus.words)))


def _tile(told: Told) -> tuple[bool | None, list[Count]] | None:
    """Whether the target stands on the same or an adjacent tile; None where it is told in two ways."""
    found, used = set(), []
    for each in told.of("tiles", "near_tile"):
        used.append(each)
        between = "between" in told.marks[each.end].text or "between" in each.right
        found.add(each.value == 0 if between else each.value <= 1)
    if told.has("apart_tile"):
        found.add(False)
    if told.has("near_tile") and any(mark.concept == "near_tile" and "sight" not in mark.text for mark in told.marks):
        found.add(True)
    return None if len(found) > 1 else (next(iter(found), None), used)


def _sight(told: Told, yes_no: Stance) -> Situation | None:
    tile = _tile(told)
    hexes = told.of("distance", "range", "between", "hexes")
    if tile is None or tile[0] is None or unread(told, [*tile[1], *hexes]) or yes_no.unclear:
        return None
    if not [each for each in told.counts if each.kind == CARDINAL] and told.concepts - MEASURING:
        return None
    says = "target on the same or an adjacent tile" if tile[0] else "target neither on the same nor on an adjacent tile"
    find = allowed(yes_no, deciding="betrayal/glossary#sight", no="betrayal/glossary#sight")
    return Situation("betrayal.sight", {"same_or_adjacent_tile": tile[0]}, says, find)


def _twice(told: Told, *concepts: str) -> list[Count]:
    """What was so when the target was declared and when the die is resolved; the worse of the two decides."""
    found = told.of(*concepts)
    if "distance" in concepts:
        found += [each for each in told.of("") if told.words[each.at - 1] in ("at", "to")]
    return found if len(found) == 2 and DECLARES.search(told.text.casefold()) and told.has("resolve") else []


def _facts(told: Told) -> tuple[dict[str, Any], list[Count]] | None:
    """Distance, range and form; None where something is told twice."""
    given: dict[str, Any] = {}
    used: list[Count] = []
    if any(each.left[-1:] == ("by",) or _from_another(told, each) for each in told.counts):
        # `drops by 2`: what it comes to is not told.
        return None
    for name, concepts in {"distance": ("hexes", "distance"), "range": ("range",), "magicka": ("magicka",)}.items():
        both = _twice(told, *concepts)
        if len({each.value for each in both}) > 1 or (both and name == "distance"):
            if "twice" in given:
                return None
            values = [each.value for each in both]
            given |= {name: max(values) if name == "distance" else min(values), "twice": True}
            used += both
    if not _among(told, given, used) or not _closer(told, given, used) or ("closer" not in given and _goes(told)):
        return None
    for concept, name in NAMED.items():
        counts = [each for each in told.of(concept) if each not in used]
        if len({each.value for each in counts}) > 1 or (counts and given.get(name, counts[0].value) != counts[0].value):
            return None
        if counts:
            given[name] = counts[0].value
        used += counts
    if any({"no", "without"} & told.before(at) for at in told.places("between")):
        given.setdefault("hexes_between", 0)
    first = [each for each in told.counts if each.kind == ORDINAL and told.marks[each.at].text == "first"]
    used += [each for each in first if each.back or each.what == "move"]
    hexes = told.of("hexes", "between", "")
    parts, whole = [each for each in hexes if each.back], [each for each in hexes if not each.back]
    if len(whole) == 1 and sum(each.value for each in parts) == whole[0].value:
        # `two hexes, one with a wolf, one empty`
        used += parts
    used += [each for each in parts if is_part(each) or set(each.right[:2]) & {"occupied", "empty"}]
    bare = [each for each in told.of("hexes") if each not in used]
    if any(told.marks[each.at - 1].text == "between" for each in bare if each.at):
        return None
    if bare and "distance" not in given and "hexes_between" not in given and len(bare) == 1:
        between = "between" in bare[0].near or told.has("right_behind")
        forms = {"form", "other_form"} & {mark.concept for mark in told.clause_of(bare[0].clause)}
        name = "range" if forms and not told.has("range") else "hexes_between" if between else "distance"
        if name in given:
            return None
        given[name] = bare[0].value
        used += bare
    form = form_of(told)
    if form is None or ("distance" in given and "hexes_between" in given):
        return None
    beside = any("tile" not in told.words[max(at - 2, 0) : at + 3] for at in told.places("next_to"))
    if beside and "distance" not in given and "hexes_between" not in given:
        given["hexes_between"] = 0
    if form:
        given["form"] = form
    return given, used


def _from_another(told: Told, count: Count) -> bool:
    """`4 hexes away from my buddy`: not from the one who engages."""
    after = told.marks[count.end + 1 : count.end + 5]
    others = [
        place for place, mark in enumerate(after) if mark.concept in ("person", "companion", "adventurer", "unit")
    ]
    return bool(others) and bool({"from", "to"} & {mark.text for mark in after[: others[0]]})


def _among(told: Told, given: dict[str, Any], used: list[Count]) -> bool:
    """`2 goblins between us`, `2 empty hexes and one with a rat in between`, `me -> rat -> rat -> boss`."""
    chain = CHAIN.search(told.text.casefold())
    if chain and {"row", "line", "next", "adjacent", "adjacent hex", "next to"} & set(told.words):
        given["distance"] = len(ARROW.findall(chain.group()))
    for place in [at for at, mark in enumerate(told.marks) if "between" in (mark.concept, mark.text)]:
        here = told.marks[place].clause
        row = [each for each in told.of("hexes", "unit", "") if each.clause == here]
        row = [each for each in row if each.at < place] or row
        gaps = [told.words[first.at + 1 : second.at] for first, second in pairwise(row)]
        if len(row) > 1 and all(gap[-1:] in (("and",), ("plus",), ("+",)) and "of" not in gap for gap in gaps):
            given["hexes_between"] = sum(each.value for each in row)
            used += row
    among = [each for each in told.of("unit") if "between" in " ".join(each.right[:4]) and not each.back]
    if len(among) == 1 and "hexes_between" not in given:
        if "distance" not in given and not told.of("distance"):
            given["hexes_between"] = among[0].value
        used += among
    return not (chain and told.of("distance", "between", "hexes"))


def _closer(told: Told, given: dict[str, Any], used: list[Count]) -> bool:
    """`I walk up with my move action first`: as far as Stamina goes, or so many hexes."""
    stamina, free = told.of("stamina"), told.of("free_move")
    places = told.places("move")
    walked = [each for each in told.of("hexes") if APPROACH & set(told.words[each.end + 1 : each.end + 3])]
    walks = [at for at in places if APPROACH & said_in(told.words[at : at + 12])] or [each.at for each in walked]
    if not stamina and not walks:
        return True
    strikes = [at for at, mark in enumerate(told.marks) if mark.concept in ("engage", "hit") or mark.text in SHOOTS]
    after = strikes and walks and strikes[0] < walks[0] and "before" not in told.words
    refused = walks and REFUSED & told.before(walks[0], 3)
    stands = [each.at for each in told.of("distance", "between", "hexes") if each not in walked]
    # Told after the walk, the distance may be that after it.
    later = not walks or any(at > walks[0] for at in stands)
    if len({each.value for each in stamina}) != 1 or later or after or refused:
        return False
    given["closer"] = (walked[0].value if walked else stamina[0].value) + sum(each.value for each in free)
    used += [*stamina, *walked, *free]
    return len(walked) < 2 and (not walked or walked[0].value <= stamina[0].value)


def _goes(told: Told) -> bool:
    """`2 away, he moves 2 away`: a distance that is gone."""
    goes = {told.marks[at].clause: at for at in told.places("move")}
    return any(goes.get(each.clause, each.at) < each.at for each in told.of("distance", "hexes"))


def _measured(given: dict[str, Any], focus: Focus) -> Situation | None:
    """The distance, or the range of the form."""
    magic = given.get("form") == "magic" and "magicka" in given
    apart = "hexes_between" in given
    reach = given.get("magicka") if magic else given.get("range")
    far = {"closer", "nearer", "short"} & set(focus.words) or {"too", "far"} <= said_in(focus.words)
    if far and (apart or "distance" in given) and reach is not None:
        deciding = MAGIC if magic else "betrayal/engage#steps-3"
        return Situation("betrayal.range", given, _says(given), amount(_short, UNIT, deciding))
    if magic and "distance" in given and {"range", "reach"} & set(focus.words) and _asked(focus) == "range":
        given, apart = {name: given[name] for name in ("form", "magicka")}, False
    if magic and not apart and "distance" not in given and "range" not in given:
        return Situation("betrayal.range", given, _says(given), amount(result("range"), UNIT, MAGIC))
    far = "distance" in given and focus.concept in ("distance", "range", "")
    if magic or "range" in given or not (apart or far) or ("closer" in given and not THEN & set(focus.words)):
        return None
    if focus.concept == "range" and ("my" in focus.words or focus.words[-3:] == ("do", "i", "have")):
        return None
    plain = {name: value for name, value in given.items() if name in ("distance", "hexes_between", "closer")}
    return Situation("betrayal.range", plain, _says(given), amount(result("distance"), UNIT, "betrayal/glossary#range"))


def _short(got: dict[str, Any]) -> int | None:
    """How many hexes the target is too far away."""
    return None if got["distance"] is None or got["range"] is None else max(got["distance"] - got["range"], 0)


def _judged(
    told: Told, given: dict[str, Any], yes_no: Stance, focus: Focus | None, tile: bool | None, seen: bool
) -> Situation | None:
    """In range, or a lawful target."""
    if yes_no.unclear:
        return None
    magic = given.get("form") == "magic"
    located = "distance" in given or "hexes_between" in given
    if (
        tile is False
        and not told.has("resolve")
        and not RANGE_WORDS.search(yes_no.text)
        and not seen
        and "closer" not in given
    ):
        # Out of sight, whatever the range is.
        plain = {"same_or_adjacent_tile": False}
        return Situation("betrayal.target", plain, _says(given) + ", no sight", allowed(yes_no))
    if not located or not ("range" in given or (magic and "magicka" in given) or given.get("form") == "defensive"):
        return None
    if magic and "range" in given:
        return None
    deciding = {"magic": MAGIC, "defensive": DEFENSIVE}.get(given.get("form", ""))
    deciding = TWICE if given.pop("twice", False) else deciding
    short = focus is not None and {"closer", "nearer", "short"} & set(focus.words)
    pick = _short if short else result(_asked(focus)) if focus is not None else None
    if (RANGE_WORDS.search(yes_no.text) or deciding == TWICE or seen) and tile is not False:
        find = allowed(yes_no, pick, UNIT, deciding or "betrayal/engage#steps-3", no=deciding)
        return Situation("betrayal.range", given, _says(given), find)
    if "closer" in given:
        return None
    if tile is None and not _out_of_range(given):
        facts = ("whether the target is on the same or an adjacent tile",)
        return Situation("betrayal.target", given, _says(given), allowed(yes_no), facts)
    sight = {} if tile is None else {"same_or_adjacent_tile": tile}
    find = allowed(yes_no, pick, UNIT, None, no=deciding if _out_of_range(given) else None)
    return Situation("betrayal.target", {**given, **sight}, _says(given), find)


def _asked(focus: Focus) -> str:
    """`how far is he` is a distance, `how far do I reach` a range."""
    mine = {"i", "my", "me", "reach", "form"} & set(focus.words[:6])
    to = any(first == "range" and second == "to" for first, second in pairwise(focus.words))
    away = to or focus.concept in ("distance", "between") or (focus.how == "far" and not mine)
    return "distance" if away else "range"


def _out_of_range(given: dict[str, Any]) -> bool:
    """Then sight does not matter."""
    distance = given.get("distance", given.get("hexes_between", -1) + 1)
    reach = given.get("magicka") if given.get("form") == "magic" else given.get("range")
    return given.get("form") == "defensive" or (reach is not None and distance > reach)


def _says(given: dict[str, Any]) -> str:
    names = {"hexes_between": "hexes between", "magicka": "Magicka", "closer": "hexes closer first:"}
    return ", ".join(f"{names.get(name, name)} {value}" for name, value in given.items())


NAMES = frozenset("name declare pick choose select".split())
MAY = frozenset("can may could allowed declare choose pick per each".split())
CARRIES = frozenset("carry own have hold wield equip wear".split())
TARGETS = SCENERY | frozenset(
    "engage hit ability_allows ability form other_form magic_form weapon normal expert within".split()
)


def read_targets(text: str) -> Situation | None:
    """How many targets an engage may have."""
    told = tell(text)
    names = told.has("unit") and told.has("engage") and NAMES & set(told.words)
    allows = told.has("ability_allows")
    if not (told.has("target") or names) or told.concepts - TARGETS or (told.has("ability") and not allows):
        return None
    yes_no, asked = stance(told), foci(told, NOUNS)
    counts = told.of("target", "unit") or [each for each in told.of("") if each.back]
    over = [each for each in told.of("engage", "hit") if each.value > 1]
    granted = [each for each in counts if any(m.concept == "ability_allows" for m in told.clause_of(each.clause))]
    if allows and not granted:
        return None
    around = [each for each in counts if each.what == "unit" and not told.marks[each.at].asks and not yes_no]
    around = [each for each in around if asked and each.clause != told.marks[asked[-1].at].clause and each.value]
    wanted = [each for each in counts if each not in (*granted, *around) and not (over and each.value == 1)]
    same = len({each.value for each in wanted}) == 1 and {each.what for each in wanted} == {"unit", "target"}
    wanted = wanted[-1:] if same else wanted
    given = {"ability_allows": granted[0].value} if granted else {}
    if len(over) > 1 or (over and stance(told)):
        return None
    given |= {"engages": over[0].value} if over else {}
    engages = [each for each in told.of("engage", "turn", "this_turn") if each.value == 1]
    if len(granted) > 1 or len(wanted) > 1 or unread(told, [*counts, *engages, *over]):
        return None
    says = f"an ability allows {granted[0].value} targets" if granted else "no ability allows more targets"
    number = result("most")
    if yes_no is None:
        named = next((each for each in asked if each.concept in ("target", "unit", "") and each.how != "what"), None)
        may = named and named.how == "many" and MAY & {*named.words}
        limits = may or (named and named.concept and {"number", "many", "how", "per"} & set(named.words))
        maximum = told.has("limit") and any(each.concept in ("target", "unit") for each in asked)
        find = amount(number, "targets")
        return Situation("betrayal.targets", given, says, find) if not wanted and (limits or maximum) else None
    declares = any(word in yes_no.text for word in ("target", "declare", "choose", "pick", "select"))
    if len(wanted) != 1 or yes_no.obliges or not declares:
        return None
    count = wanted[0].value
    if count == 1 and not told.has("limited") and "than" not in wanted[0].left[-1:]:
        return None
    count += "than" in wanted[0].left[-1:]
    exactly = told.has("limited") or bool({"only", "just"} & set(wanted[0].left[-2:]))
    find = claim(number, "targets", lambda most: most == count if exactly else count <= most, yes_no)
    return Situation("betrayal.targets", given, f"{count} targets declared, {says}", find)


WEAPONS = SCENERY | frozenset(
    "engage hit weapon available form other_form icon ability dice magic_form defensive_form item".split()
)


def read_weapons(text: str) -> Situation | None:
    """How many Weapons an engage may use."""
    told = tell(text)
    if not told.has("weapon") or told.concepts - WEAPONS or (told.has("dice") and told.of("dice")):
        return None
    yes_no, asked = stance(told) or bare_judgement(told), foci(told, NOUNS)
    ready = [each for each in told.counts if each.back and each.right[:1] == ("ready",)]
    counts = [*told.of("weapon"), *(each for each in ready if each.what != "weapon")]
    engages = [each for each in told.of("engage", "this_turn", "hit") if each.value == 1]
    if unread(told, [*counts, *engages]) or not told.has("engage", "hit", "roll", "throw", "form") or told.has("turn"):
        return None
    owned = max((each.value for each in counts), default=2)
    says = f"{owned} ready Weapons that match the form" if counts else "several ready Weapons that match the form"
    choose, given = result("may_choose"), {"matching_ready": owned}
    if yes_no is None:
        wanted = next((each for each in asked if each.concept in ("weapon", "") and each.how == "many"), None)
        words = set(wanted.words) if wanted else set()
        may = words & {"can", "may", "could", "choose", "use", "pick", "allowed"} and not words & CARRIES
        return Situation("betrayal.weapons", given, says, amount(choose, "Weapons")) if may and owned else None
    both = {"both", "two", "together", "same", "2", "three", "all"} & set(told.words)
    if owned < 2 or not counts or yes_no.obliges or not both or not told.has("engage", "hit", "roll", "throw"):
        return None
    find = claim(choose, "Weapons", lambda most: owned <= most, yes_no)
    return Situation("betrayal.weapons", given, says, find)
