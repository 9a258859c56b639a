"""Book of Ordeals: what each number of a fight may count. `kb.reading.numbers` chooses."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from kb.engine.ordeals.sides import DIE
from kb.reading.numbers import BOTH, Choice, Fact
from kb.reading.ordeals.owners import is_done_to, owners, victims
from kb.reading.ordeals.words import ATTRIBUTES
from kb.reading.scene import COUNTED, Clause, Scene
from kb.reading.tokens import PLURALS

SINGLE = frozenset("might ward endurance roll total damage_modifier".split())
SCORES = frozenset("go goes went totals total manages reaches".split())
"Verbs that before a number say what somebody came to."
NAMED = 0.1
"A guess that costs no more goes by the number's own word (`13 in total`)."
_THROWN = re.compile(r"roll|threw|throw|dice|land|turned")
"Words that tell what a die shows; of `got` and `scored` it may be a total."


@dataclass(frozen=True, slots=True)
class Span:
    """A number, or a sum of two, in a clause: items `start` to `end`."""

    clause: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Guess:
    """What a span may count, and from where to where the words reach that say so."""

    what: str
    cost: float
    start: int
    end: int


def units(scene: Scene, used: Collection[int]) -> list[list[Choice]]:
    """The readings of each number that is not used already; `used` holds the starts of items."""
    found: list[list[Choice]] = []
    before: list[Guess] = []
    since = 0
    tags = " ".join(clause.tags for clause in scene.clauses)
    measured = re.search(r"N[au]*[DHG]|[DHGy][=a]*N", tags) is not None and not re.search(r"[rR]", tags)
    for spans in _spans(scene, used):
        if len(spans) == 2:
            found.append(pair(scene, *spans))
            continue
        (span,) = spans
        if re.match(r"[oka]+=", scene.clauses[span.clause].tags[: span.start]):
            # `second exchange: …`
            before = []
        guesses = list(_guesses(scene.clauses[span.clause], span))
        if measured:
            # Where a blow is told by what it did, `the orc has 8` is no roll.
            guesses = [
                replace(each, cost=0.7) if each.what == "endurance" and each.cost > 0.7 else each for each in guesses
            ]
        if all(guess.cost > NAMED for guess in guesses):
            guesses += _like_the_last(scene, span, before if span.clause - since < 2 else [])
        found.append(_choices(scene, span, guesses))
        if sure := [guess for guess in guesses if guess.cost < 0.5]:
            before, since = sure, span.clause
    return found


_SUM = r"N(?:(?<![MWE]N)(?<![MWE][=a]N)[+&]M(?=N)N(?!\+)|(?:\+N)*)"
"`9+2`, `9 + Might 2`"


def _spans(scene: Scene, used: Collection[int]) -> Iterator[tuple[Span, ...]]:
    """Numbers and sums, two together where they are set against each other with nothing between."""
    for number, clause in enumerate(scene.clauses):
        tags = "".join("." if item.tag == "N" and item.start in used else item.tag for item in clause.items)
        seconds: set[int] = set()
        for match in re.finditer(rf"{_SUM}", tags):
            if match.start() in seconds:
                continue
            versus = re.match(rf"([vw-]a*|f)({_SUM})", tags[match.end() :])
            if re.search(r"N[^N]*[MWE][=a]*$", tags[: match.start()]):
                # `a 6 and Might 3 vs an 8`: not the Might is set against the 8.
                versus = None
            if versus and (versus.group(1) != "f" or clause.items[match.end()].text == "to"):
                second = Span(number, match.end() + versus.start(2), match.end() + versus.end())
                seconds.add(second.start)
                yield Span(number, match.start(), match.end()), second
            else:
                yield (Span(number, match.start(), match.end()),)


def _guesses(clause: Clause, span: Span) -> Iterator[Guess]:
    """What the words beside a number say that it counts."""
    left, right = clause.tags[: span.start], clause.tags[span.end :]
    if re.search(r"(?:N[a=]*[EW]|[EW][a=]*N)\+$", left) and not re.match(r"[au]*[MWETDHGFS]", right):
        # `6 Endurance plus 1`
        return
    if (left.endswith("+") and re.match(r"[f=a]{0,2}[DF]", right)) or re.search(r"F[=a]*\+?a*$", left):
        # `+2 to damage`, `a damage modifier of +2`
        yield Guess("damage_modifier", 0.0, span.start, span.end)
        return
    if match := re.search(r"G[.=aP]{1,4}$", left):
        yield Guess("difference", 0.1, match.start(), span.end)
    elif match := re.search(r"W(?:t\.?|\.)a*$", left):
        # `his armour takes 2 off`
        yield Guess("ward", 0.15, match.start(), span.end)
    elif re.search(r"\b(?:how (?:much|many)|what) \w+ is $", _before(clause, span)):
        # `how much Harm is 9 damage`: what is asked is not told.
        pass
    elif match := re.search(r"Ee=a*$", left):
        yield Guess("endurance", 0.1, match.start(), span.end)
    elif match := re.search(r"(?<!n)(?<!na)([MWERTDHGFS])([=a+hfjPb'd]{0,4})$", left):
        cost = 0.06 * len(match[2].replace("=", "").replace("a", ""))
        if "j" in match[2] and re.match(r"[au]*[MWE]", right):
            # `2 damage with 1 Ward`
            cost += 0.5
        yield Guess(ATTRIBUTES[match[1]], cost, match.start(), span.end)
    match = re.match(r"([au=fPb']{0,4})([MWETDHGFS])", right)
    if match and not clause.items[span.end + match.start(2)].text.endswith((" of", " for")):
        taken = 0.6 if re.match(r"[='a]{0,2}N", right[match.end() :]) else 0.0
        cost = taken + 0.05 + 0.1 * len(match[1].replace("u", "").replace("a", ""))
        yield Guess(ATTRIBUTES[match[2]], cost, span.start, span.end + match.end())
    if match := re.match(r"[au=fPb']{0,3}R", right):
        yield Guess("roll", 0.1, span.start, span.end + match.end())
    after = " ".join(item.text for item in clause.items[span.end :])
    if right.startswith("uA") and re.match(r"\w+ (?:hit|blow|strike)", after):
        # `a 6 point hit`
        yield Guess("damage", 0.1, span.start, span.end)
    if re.match(r"(?:to (?:begin|start)|at (?:the )?(?:start|beginning)|initially|originally)\b", after):
        yield Guess("endurance", 0.3, span.start, span.end)
    if re.search(r"\b(?:of|from) (?:my|his|her|its|the)$", " ".join(item.text for item in clause.items[: span.start])):
        # `how many are left of my 6`
        yield Guess("endurance", 0.3, span.start, span.end) if "e" in left else Guess("roll", 2.0, span.start, span.end)
    if re.search(r"ta*$", left) and not re.match(r"[au]*[A-Zk]", right):
        # `took 2, then 3`
        yield Guess("harm", 0.4, span.start, span.end)
    if (match := re.search(r"P\.a*$", left)) and clause.items[match.start() + 1].text in SCORES:
        yield Guess("roll", 0.3, match.start(), span.end)
        yield Guess("total", 0.7, match.start(), span.end)
    if match := re.search(r"y[=a]*$", left):
        yield Guess("difference", 0.0 if re.search(r"[wl]", left) else 0.4, match.start(), span.end)
    if match := re.search(r"c[=a]*$|(?<![rad])[ad]*d$", left):
        # `down to 2`, `the normal 6`
        yield Guess("endurance", 0.1, match.start(), span.end)
    named = 0.4 if re.search(r"[MWERTDHGFS][=]?$", left) else 0.0
    if re.match(r"[au]*[MWETDHGFS](?!=?a*N)", right):
        named = 1.0
    for guess in _rolls(clause, span, left, right):
        if guess.what == "roll" and guess.cost >= 0.4 and _counts_things(clause, span):
            continue
        yield Guess(guess.what, guess.cost + named, guess.start, guess.end)


def _rolls(clause: Clause, span: Span, left: str, right: str) -> Iterator[Guess]:
    """Where no attribute stands by it: a number that somebody threw, has, is set down for."""
    if left.endswith("+") and right.startswith(".") and not re.search(r"N[a=]*\+$", left):
        # What `a +2 sword` adds to is not told.
        return
    if left.endswith("+"):
        yield Guess("might", 0.3, span.start, span.end)
    elif re.search(r"[rR][=a]*N[N&a]*$", left) and not re.match(r"[&a]*[MWE]", right):
        # `rolls 8 5 10`
        yield Guess("roll", 0.1, span.start, span.end)
    elif match := re.search(r"r[=ad]*$", left):
        yield Guess("roll", 0.05, match.start(), span.end)
        if not _THROWN.match(clause.items[match.start()].text):
            scored = 0.3 if clause.items[match.start()].text.startswith("scor") else 0.55
            yield Guess("total", scored, match.start(), span.end)
    elif (re.search(r"(?:w|lf)a*$", left) and not right.startswith("u")) or _LEVEL.search(_before(clause, span)):
        # `what beats a 9`, `to draw with 11`
        yield Guess("roll", 0.5, span.start, span.end)
        yield Guess("total", 0.8, span.start, span.end)
    elif re.search(r"A[aPf.]{0,4}[j=]a*$", left):
        yield Guess("roll", 0.3, span.start, span.end)
    elif re.search(r"Aa*$", left) and clause.items[len(left.rstrip("a")) - 1].text in ("hit", "hits"):
        # `hit 4, hit 3`: perhaps what each did
        yield Guess("damage", 0.7, span.start, span.end)
        yield Guess("roll", 0.7, span.start, span.end)
    elif re.search(r"A[aPz.]{0,3}fa*$", left) and clause.items[len(left.rstrip("a")) - 1].text == "for":
        yield Guess("damage", 0.3, span.start, span.end)
    elif right.startswith("e"):
        yield Guess("endurance", 0.4, span.start, span.end + 1)
    elif re.search(r"[hj]a*$|[hj][^PAr]*&a*$", left) or re.match(r"a*Ph", right):
        # `he had 13`, `sixteen I have`
        yield Guess("roll", 0.9, span.start, span.end)
        yield Guess("total", 1.3, span.start, span.end)
        # `had 6` tells how it was, `he has 6` perhaps what the die shows.
        yield Guess("endurance", 0.8 if re.fullmatch(r"[&a]*ha*", left) else 1.6, span.start, span.end)
    elif (
        re.search(r"[Pb]=+a*$", left)
        and clause.items[len(left.rstrip("a")) - 1].text in ("on", "at")
        and not re.search(r"\b(?:tied?|draw|drew)\b", _before(clause, span))
    ):
        yield Guess("endurance", 0.45, span.start, span.end)
        yield Guess("roll", 0.5, span.start, span.end)
    elif (match := re.search(r"P[='a]*$", left)) and not _is_told_something(clause, match.start()):
        # `his a ten` is what a die shows; in `he charged me 9` the 9 is not mine.
        start = span.start if is_done_to(clause.items, match.start()) else match.start()
        yield Guess("roll", 0.25 if clause.items[span.start - 1].text in ("a", "an") else 0.5, start, span.end)
        yield Guess("total", 0.95, start, span.end)
    elif re.match(r"fP[au]*N", right) and clause.items[span.end].text == "to":
        # `9 to my 8`
        yield Guess("roll", 0.5, span.start, span.end)
    elif match := re.match(r"[f=]?a*P", right):
        yield Guess("roll", 0.5, span.start, span.end + match.end())
    elif re.fullmatch(r"[g=&a]*", left) and "enough" in [item.text for item in clause.items[span.end :]]:
        # `is 7 enough`
        yield Guess("roll", 0.5, span.start, span.end)
        yield Guess("total", 0.8, span.start, span.end)
    elif right.startswith("u") or span.end - span.start > 1:
        yield Guess("roll", 0.4, span.start, span.end)
    elif (
        re.search(r"[v-]a*$", left)
        or left.endswith(".=")
        or (re.fullmatch(r"[&a]*", left) and re.match(r"$|[jv&+-]|[f=]?a*P", right))
    ):
        yield Guess("roll", 1.0, span.start, span.end)


_LEVEL = re.compile(r"\b(?:draw|tie|match|equal|get) (?:level )?(?:with |against )?(?:an? |his |her |its )?$")


def _before(clause: Clause, span: Span) -> str:
    return "".join(f"{item.text} " for item in clause.items[: span.start])


def _counts_things(clause: Clause, span: Span) -> bool:
    """`my three Deeds`, `two enemies`, `the only one I push`: no roll."""
    if span.end - span.start > 1:
        return False
    after = [item for item in clause.items[span.end :] if item.tag != "a"][:2]
    if [item.text for item in after] in (["of", "us"], ["of", "them"], ["of", "you"]):
        return True
    left, right = clause.tags[: span.start], clause.tags[span.end :]
    if clause.items[span.start].text == "one" and not re.search(r"=[=a]*$", left) and not re.match(r"fa*P", right):
        return True
    return bool(after) and (after[0].tag in "ZK" or (after[0].tag in ".P" and _is_plural(after[0].text)))


def _is_plural(word: str) -> bool:
    return (
        word.endswith("s")
        and not word.endswith("ss")
        and word not in ("is", "was", "has", "his", "its", "vs", "as", "us", "this", "yes")
    )


def _is_told_something(clause: Clause, at: int) -> bool:
    """`I charged the ogre: 9 for me`: the colon makes no label of the ogre."""
    return clause.items[at].role == "object" and at + 1 < len(clause.items) and clause.items[at + 1].text == ":"


def _like_the_last(scene: Scene, span: Span, before: list[Guess]) -> Iterator[Guess]:
    """`his total is 13, mine 8`; `Might is 2 for me and 1 for him`; `damage 5, 9 and 2`."""
    clause = scene.clauses[span.clause]
    left, right = clause.tags[: span.start], clause.tags[span.end :]
    one_more = re.fullmatch(r"[&ao]*N[jf]a*", left) is not None and _is_a_blow(clause, left.index("N"))
    listed = one_more or re.search(r"^[&afo]*$|N[&a]+$", left)
    following = scene.clauses[span.clause + 1].tags if span.clause + 1 < len(scene.clauses) else ""
    if right == "" and left[-1:] != "+" and (match := re.match(r"a*N(?:&a*N)?[au]*([DHG])", following)):
        # `2, 1 and 2 Harm`
        yield Guess(ATTRIBUTES[match[1]], 0.2, span.start, span.end)
    if match := re.match(r"&a*N[au]*([DHG])", right):
        yield Guess(ATTRIBUTES[match[1]], 0.2, span.start, span.end)
    for guess in before:
        if guess.what in ("damage", "harm", "difference"):
            if listed or re.search(r"[&aP]+$", left):
                yield Guess(guess.what, 0.3, span.start, span.end)
        elif match := re.search(r"P[='a]*$", left) or (re.search(r"v[a]*$", left) if left.count("N") == 1 else None):
            yield Guess(guess.what, 0.35, match.start(), span.end)
        elif re.match(r"[f=]?a*P", right):
            yield Guess(guess.what, 0.36, span.start, span.end)
        elif re.search(r"ja*$|P[^N]*ha*$", left):
            yield Guess(guess.what, 0.6, span.start, span.end)


def _choices(scene: Scene, span: Span, guesses: list[Guess]) -> list[Choice]:
    """The guesses with everybody whose the number may be."""
    clause = scene.clauses[span.clause]
    values = values_of(clause, span)
    found = list(_skipped(clause, span))
    if clause.tags[: span.start].endswith("m") or len(values) > 2:
        return found
    if _claimed(clause, span) or _is_a_blow(clause, span.start):
        return [Choice(0.0, (Fact("skip", values[0]),))]
    shown = [item.value for item in clause.items[span.start : span.start + 2] if item.text in PLURALS]
    if re.match(r"[^P]*N", clause.tags) and re.match(r"NN", clause.tags[span.start :]) and shown and values == [2]:
        # `two eights on the table`
        return [Choice(0.0, (Fact("roll", shown[0] or 0, BOTH),))]
    if clause.items[span.start].text in PLURALS and re.search(r"(?<!P)N$", clause.tags[: span.start]):
        return [Choice(0.0, (Fact("skip", values[0]),))]
    if sum(values) > DIE and len(values) == 1:
        # No D12 shows that: where a roll may be meant, it is the total.
        guesses = [*guesses, *(replace(guess, what="total") for guess in guesses if guess.what == "roll")]
    for guess in guesses:
        what = _lost(clause, span, guess)
        whose = victims if what in ("damage", "harm", "difference") else owners
        for party, cost, through, doubt in whose(scene, span.clause, guess.start, guess.end, what):
            facts = tuple(replace(fact, through=through, doubt=doubt) for fact in facts_of(what, values, party))
            if facts:
                found.append(Choice(round(guess.cost + cost, 3), facts))
    return found


def _is_a_blow(clause: Clause, at: int) -> bool:
    """`then one with 3`, `and one that did nothing`: one more blow, no number."""
    after = clause.items[at + 1].text if at + 1 < len(clause.items) else ""
    told = re.match(r"[jf]a*N", clause.tags[at + 1 :]) is not None or after in ("that", "which", "who")
    return clause.items[at].text == "one" and told


def _claimed(clause: Clause, span: Span) -> bool:
    """`he says 3, I say 2`: what somebody claims is no score."""
    before = [item for item in clause.items[: span.start] if item.tag != "a"]
    said = len(before) > 1 and before[-1].text in CLAIMS and (before[-2].tag == "K" or before[-2].role == "subject")
    return said and span.end == len(clause.items)


CLAIMS = frozenset("say says said claim claims claimed reckon reckons think thinks".split())


def _lost(clause: Clause, span: Span, guess: Guess) -> str:
    """Endurance that is lost is Harm."""
    left = clause.tags[: span.start]
    if guess.what == "endurance" and guess.end > span.end and re.search(r"[lt](?:(?!P=)[^hjc&NMWf])*$", left):
        return "harm"
    return guess.what


def _skipped(clause: Clause, span: Span) -> Iterator[Choice]:
    """Numbers that mean nothing here."""
    left, right = clause.items[: span.start], clause.tags[span.end :]
    value = clause.items[span.start].value or 0
    if re.match(r"a*i", right):
        yield Choice(0.0, (Fact("skip", value),))
    elif right.startswith("z") and clause.items[span.end].text == "times":
        # `three times`
        yield Choice(0.0, (Fact("count", value),))
    elif any(item.text in ("tie", "tied", "draw", "drew") for item in left[-2:]) and not re.match(r"[a-]*[vN]", right):
        # `tied 6s`: whatever both showed
        yield Choice(0.3, (Fact("skip", value),))
    elif left and left[-1].tag == "b" and left[-1].text == "all":
        yield Choice(0.2, (Fact("count", value),))
    elif re.match(r"a*A", right) and clause.items[span.end].text.endswith("s") and not re.match(r"a*A[aP]*N", right):
        # `two assaults`
        yield Choice(0.4, (Fact("count", value),))
    elif left and left[-1].text in COUNTED and (clause.mark == ":" or left[-1].tag not in "rA"):
        yield Choice(0.0, (Fact("skip", value),))
    elif (
        re.match(r"[a.]?k", right)
        or re.match(r"(?:wins|losses)\b", "".join(i.text for i in clause.items[span.end :]))
        or (right.startswith("D") and clause.items[span.end].text.endswith((" of", " for")))
    ):
        yield Choice(0.1, (Fact("count", value),))
    elif _pair_of_us(clause, span):
        yield Choice(0.2, (Fact("skip", value),))
    elif clause.items[span.start].text == "one" and span.end - span.start == 1:
        yield Choice(1.0, (Fact("skip", value),))


def _pair_of_us(clause: Clause, span: Span) -> bool:
    """`our two knights`, `the two fighters`"""
    before = clause.items[span.start - 1].text if span.start else ""
    after = clause.items[span.end].text if span.end < len(clause.items) else ""
    return clause.items[span.start].value == 2 and before in ("our", "the", "these", "both") and after.endswith("s")


def values_of(clause: Clause, span: Span) -> list[float | int]:
    return [item.value or 0 for item in clause.items[span.start : span.end] if item.tag == "N"]


def facts_of(what: str, values: list[float | int], party: str) -> tuple[Fact, ...]:
    """A sum is a roll with Might on it, or a total."""
    if len(values) == 1:
        return () if what == "roll" and not 1 <= values[0] <= DIE else (Fact(what, values[0], party),)
    if what == "roll":
        return Fact("roll", values[0], party), Fact("might", values[1], party)
    return (Fact(what, sum(values), party),) if what == "total" else ()


def pair(scene: Scene, one: Span, other: Span) -> list[Choice]:
    """`9+2 vs 7+1`, `14 to 8`: scores of the two, the winner's the higher."""
    clause = scene.clauses[one.clause]
    left, right = clause.tags[: one.start], clause.tags[other.end :]
    values, others = values_of(clause, one), values_of(clause, other)
    named = re.search(r"([MRTWE])[=a]*$", left) or re.match(r"[=af]{0,2}([MRTWE])(?![=a]*N)", right)
    kinds = {"roll": 0.3, "total": 0.6}
    if named:
        kinds = {ATTRIBUTES[named[1]]: 0.0}
    elif re.search(r"[wl]", left):
        kinds = {"total": 0.3, "roll": 0.45}
    found = []
    for what, cost in kinds.items():
        for first, second, more in _order(scene, one, other, sum(values), sum(others)):
            facts = facts_of(what, values, first) + facts_of(what, others, second)
            if len({fact.party for fact in facts}) == 2:
                found.append(Choice(cost + more, facts))
    return found


def _order(scene: Scene, one: Span, other: Span, value: float, other_value: float) -> Iterator[tuple[str, str, float]]:
    """Whose the first number of a pair is and whose the second, and the cost."""
    clause = scene.clauses[one.clause]
    left = clause.items[: one.start]
    first, second = scene.sides
    for each in scene.clauses[: one.clause + 1]:
        # `mine vs hers: dice 12 vs 1, Might 3 vs 0`
        header = re.search(r"P[a']*va*P", each.tags) if each.sentence == clause.sentence else None
        told = [item.party or "" for item in each.items[slice(*header.span())] if item.tag == "P"] if header else []
        if set(told) == {first, second}:
            yield told[0], told[1], 0.0
            return
    won = next((item.tag for item in reversed(left) if item.tag in "wl"), None)
    favoured = next((i.party for i in clause.items if i.tag == "P" and i.role == "owner"), None)
    if re.search(r"\bfavou?r\b", clause.text) and favoured in scene.sides and value != other_value:
        lower = scene.other(favoured or "")
        yield (favoured or "", lower, 0.0) if value > other_value else (lower, favoured or "", 0.0)
        return
    if match := re.match(r"(?:fa*)?P$", clause.tags[other.end :]):
        # `12 to 9 for him`, `12-9 him`
        whose = clause.items[-1].party
        given = match.group() == "P" or clause.items[other.end].text == "for"
        if whose in scene.sides and whose and given and value != other_value:
            lower = scene.other(whose)
            if match.group() != "P" and "v" in clause.tags[one.end : other.start]:
                # `4 against 11 for the pirate`: his may be either.
                yield whose, lower, 0.1
                yield lower, whose, 0.1
                return
            yield (whose, lower, 0.0) if value > other_value else (lower, whose, 0.0)
            return
    people = [item for item in reversed(left) if item.tag == "P"]
    doer = next((item for item in people if item.role != "object"), people[0] if people else None)
    if doer and len(doer.parties) > 1:
        yield first, second, 0.3
        yield second, first, 0.3
        return
    subject = doer.party if doer else None
    if (
        (won or re.search(r"A[^N]*$", clause.tags[: one.start]))
        and doer
        and doer.role == "object"
        and subject in scene.sides
        and subject
        and scene.other(subject) == "me"
    ):
        # `beat him 8 to 6`
        subject = scene.other(subject)
    if won and subject is None:
        subject = _about(scene, one.clause) or ("me" if "me" in scene.sides else None)
    if won and subject in scene.sides and value != other_value:
        higher = subject if won == "w" else scene.other(subject or "")
        lower = scene.other(higher)
        yield (higher, lower, 0.0) if value > other_value else (lower, higher, 0.0)
        return
    if subject in scene.sides and subject:
        yield subject, scene.other(subject), 0.1
        yield scene.other(subject), subject, 1.2
        return
    about = _about(scene, one.clause)
    if about in scene.sides and about:
        before = scene.clauses[one.clause - 1]
        apart = before.sentence != clause.sentence and "N" in before.tags
        yield about, scene.other(about), 0.2
        yield scene.other(about), about, 0.4 if apart else 0.7
        return
    yield first, second, 0.3
    if "me" in scene.sides:
        # `rolled a 12 against a 1` tells of whoever says so.
        yield second, first, 1.2 if re.match(r"[&ao]*ra*$", clause.tags[: one.start]) else 0.35


def _about(scene: Scene, number: int) -> str | None:
    """Whom the clause before is about, if about one."""
    items = scene.clauses[number - 1].items if number else []
    people = {i.party for i in items if i.tag == "P" and i.role != "object"}
    if not people and re.match(r"[&ao]*[Aw]a*P", "".join(item.tag for item in items)):
        # `hit him twice, 10 vs 6`
        people = {scene.other(i.party or "") for i in items if i.tag == "P" and i.party in scene.sides}
    return people.pop() if len(people) == 1 else None
