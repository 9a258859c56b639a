"""Eldfall Chronicles: which number of models a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.glossary import stem
from kb.reading.eldfall import words as w
from kb.reading.eldfall.part import is_known, own_nouns
from kb.reading.eldfall.words import clauses_of
from kb.reading.marks import Mark

ENGAGING, ENGAGED, SEEN, CHOSEN, TARGETS, ZONES = "engaging", "engaged", "seen", "chosen", "targets", "zones"
OWN_ZONE, REACTS, STATE, OUTGOING, OUTGOING_COUNT = "own zone", "reacts", "state", "outgoing", "outgoing count"


def _letters_of(name: str) -> dict[str, str]:
    """Concept -> letter, of a table."""
    return {concept: letter for letter, listed in w.TABLES[name].items() for concept in listed.split()}


def _form_of(pattern: str) -> re.Pattern[str]:
    """A pattern of the letters of a question, with what the short names in it stand for."""
    one, many = "(?:[tmh]*n+|m|S|q)", "(?:[tmhAOT]*n*|q|S)"
    for name, stands in (("@by", rf"(?:b?(?P<by>{many}))?"), ("@one", one), ("@many", many), ("@who", "[OTNnAtmh]*")):
        pattern = pattern.replace(name, stands)
    return re.compile(pattern)


_LETTERS = _letters_of("letters")
_FORMS = [(kind, _form_of(pattern)) for kind, pattern in w.TABLES["counts"]]
_NO_MODELS = w.listed("not counted")
_LOUD = re.compile(r"how ?m|headcount")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for."""

    kind: str
    denied: bool
    "Those that do not are asked for."
    total: int | None
    "`how many of the five`."
    own: frozenset[str]
    "Stems of the nouns for the player's model."
    rest: tuple[tuple[Mark, ...], ...]
    "The clauses that tell."
    words: frozenset[str]
    side: str = ""
    "`mine` or `theirs` where only those are asked for."
    flipped: bool = False
    "Some other model than the player's is the one that may be Engaged."
    by: str = ""
    "For yes or no, who engages: `any`, `all`, `one`; nothing where that is not said."
    by_nouns: frozenset[str] = frozenset()
    person: str = ""
    "`he` or `she`, where the model is called nothing else."
    speaks: bool = False
    "The speaker's model is asked about (`am I engaged`): `he` is somebody else."
    sides: bool = False
    "All models of two sides are told of alike, the player's as well."
    state: str | None = None
    "The State of the model that may be Engaged, as told."


def asked(text: str) -> Asked | None:
    """What a question asks for; None where that is no number of models, or several."""
    clauses = clauses_of(text)
    if per_side(clauses):
        return None
    places = [(c, at) for c, clause in enumerate(clauses) for at, mark in enumerate(clause) if mark.concept == w.ASK]
    loud = [place for place in places if _LOUD.search(clauses[place[0]][place[1]].text)]
    places = loud or places[-1:] or _keyword(clauses)
    if len(places) != 1:
        return None
    number, at = places[0]
    clause = clauses[number]
    before, region, after = _parts(clause, at if loud else 0)
    others = [*clauses[:number], *clauses[number + 1 :]]
    by = (bool(before) and before[-1].text in ("by", "with")) or clause[at].text.startswith(("by ", "with "))
    if by and any(mark.text.startswith("each") for mark in before):
        return None  # `each of us is engaged by how many`
    if by:
        before = before[: -1 if before and before[-1].text in ("by", "with") else None]
        if before and before[-1].concept == w.PASSIVE:
            start = next((k for k, mark in enumerate(before) if mark.concept in _SUBJECT), len(before) - 1)
            before, region = before[:start], [before[-1]]
    found = _asked(region, by, [*others, before, after])
    if found is None and before and {mark.concept for mark in before} & {w.SIGHT, w.REACT, w.WALK}:
        found = _asked([*before, *region], by, [*others, after])
    return found


def per_side(clauses: Sequence[Sequence[Mark]]) -> bool:
    """`engaged per side`, `how many of mine and how many of his`: two numbers are asked for."""
    last = [mark for clause in clauses if clause[0].sentence == clauses[-1][0].sentence for mark in clause]
    said = {mark.text for mark in last}
    asks = sum(mark.concept == w.ASK for mark in last)
    bare = "each" in said and not any(mark.concept in (w.BE, w.DOES) for mark in last)
    if said & _SIDES and ("per" in said or bare or (asks == 1 and said & {"each", "either", "both"})):
        return any(mark.concept == w.PASSIVE for mark in last) and not any(mark.text == "counted" for mark in last)
    return asks == 2 and any(mark.concept == w.OWN for mark in last) and bool(said & {"his", "hers", "theirs", "her"})


_SIDES = frozenset("side sides team teams player players party parties".split())
_SUBJECT = (w.BE, w.SELF, w.THIRD, w.OWN, w.THE)


def _keyword(clauses: Sequence[Sequence[Mark]]) -> list[tuple[int, int]]:
    """`Two bows, three unarmed. Engagers?`"""
    last = clauses[-1] if clauses else []
    if not last or not last[-1].asks:
        return []
    engagers = all(mark.concept in ("", w.ENGAGER, w.REST) for mark in last)
    engagers = engagers and any(mark.concept == w.ENGAGER for mark in last)
    engagers = engagers or (last[0].concept == w.PASSIVE and [mark.text for mark in last[1:]] == ["models"])
    left = last[0].text == "left" and all(mark.concept in ("", w.OUTSIDE, w.ACTIVE, w.SELF) for mark in last)
    return [(len(clauses) - 1, 0)] if engagers or left else []


def _parts(clause: Sequence[Mark], at: int) -> tuple[list[Mark], list[Mark], list[Mark]]:
    """What stands before the words that ask, these, and what is told behind them."""
    region = [mark for mark in clause[at:] if mark.concept != w.ASK]
    cut = next((k for k, mark in enumerate(region) if mark.concept == w.AND or mark.text in ("after", "before")), None)
    after = region[cut:] if cut is not None else []
    if after and after[0].text in ("because", "since", "and", "so", "then"):
        after = []
    return list(clause[:at]), region[:cut], after


def _asked(region: Sequence[Mark], by: bool, rest: Sequence[Sequence[Mark]]) -> Asked | None:
    letters, own, total = _letters(region)
    denied = letters.count("!")
    bare = letters.replace("!", "").rstrip("tT")
    if denied > 2 or "?" in bare:
        return None
    kind = next((kind for kind, form in _FORMS if form.search(bare)), None)
    if by:
        kind = ENGAGING if re.search(r"^[OTNnt]*[BD]?S?B?P", bare) else None
    if kind is None and re.fullmatch(r"[OTNnAtmh]*[Dd]", bare) and _tells_of_engaging(rest):
        kind = ENGAGING  # `three engage me, one dies. how many still do`
    if kind is None:
        return None
    side = "mine" if re.search(r"^[OTNnAt]*m", bare) else "theirs" if re.search(r"^[OTNnAt]*h", bare) else ""
    words = frozenset(mark.text for mark in region)
    if kind == TARGETS and (words & {"one", "single", "same", "at once"} or words & {"do", "does", "must"}):
        kind = CHOSEN
    told = tuple(tuple(clause) for clause in rest if clause)
    if own and own_nouns(told) - own:
        return None  # `an orc next to my king, an orc next to my queen. how many engage my king`
    return Asked(kind, denied == 1, total, own | own_nouns(told), told, words, side)


def _tells_of_engaging(clauses: Sequence[Sequence[Mark]]) -> bool:
    return any(mark.concept in (w.ACTIVE, w.PASSIVE) for clause in clauses for mark in clause)


def _letters(region: Sequence[Mark]) -> tuple[str, frozenset[str], int | None]:
    """(what each word is, stems of the nouns for the player's model, the total)."""
    letters: list[str] = []
    own: set[str] = set()
    total = None
    for mark in region:
        if mark.value is not None:
            if mark.kind != "cardinal" or set(letters) - set("OTnAtmh"):
                letters += [] if mark.text == "one" else ["?"]
                continue
            letters.append("N")
            total = int(mark.value)
        elif mark.concept in _LETTERS:
            letter = _LETTERS[mark.concept]
            if letter == "n" and _is_object(letters):
                letter = _take_owner(letters)
            letters.append(letter)
        elif mark.concept in (w.FREE, w.FILLER, w.NEAR) or mark.text == "left" or (not mark.concept and is_known(mark)):
            continue
        elif mark.text in _NO_MODELS:
            letters.append("?")
        elif not mark.concept:
            if _is_object(letters):
                letters.append(_take_owner(letters))
                own.add(stem(mark.text))
            else:
                letters.append("n")
        else:
            letters.append("?")
    return re.sub(r"SS+", "S", "".join(letters)), frozenset(own), total


def _is_object(letters: Sequence[str]) -> bool:
    """Whether a noun here is the model that is engaged: behind `engage`, or between `is` and `engaged`."""
    return any(letter in "EBDb" for letter in letters)


def _take_owner(letters: list[str]) -> str:
    while letters and letters[-1] in "tmh":
        letters.pop()
    return "S"


# --- yes or no ------------------------------------------------------------------------------------------------

_QUESTIONS, _STATEMENTS = ([_form_of(each) for each in w.TABLES[name]] for name in ("questions", "statements"))
_RAW = _LETTERS | _letters_of("letters of yes or no")
_WH = frozenset("what how which who why where whom when whose".split())
_REFLEXIVE = frozenset("himself herself itself myself".split())
_PLAIN_DO = frozenset("do does did".split())
_LEADING, _LONGEST = frozenset("isn't aren't isnt arent doesn't doesnt don't dont".split()), 7
UNNAMED = "unnamed"
"Among the words of a question that does not say whom it asks about: `engaged?`"


def asked_state(text: str) -> Asked | None:
    """Whether a model is Engaged, or free, or whether some model engages it: what a yes/no question asks for."""
    clauses = clauses_of(text)
    if per_side(clauses) or any(
        _LOUD.search(mark.text) for clause in clauses for mark in clause if mark.concept == w.ASK
    ):
        return None
    truth = truth_of(clauses[-1]) if clauses else None
    if truth and len(clauses) > 1:
        # `He says that he is free. Is he right?`
        for number in (len(clauses) - 2, len(clauses) - 3):
            found = _statement(clauses, number, truth == "wrong") if number >= 0 else None
            if found is not None:
                return found
        return None
    asking = [number for number, clause in enumerate(clauses) if clause[-1].asks and _ends(clauses, number)]
    for number in reversed(asking or range(len(clauses))):
        found = _question(clauses, number)
        if found is None and number == len(clauses) - 1:
            found = _statement(clauses, number, False)
        if found is not None:
            return found
    return None


def truth_of(clause: Sequence[Mark]) -> str | None:
    """`right` or `wrong` where a clause asks only that: `is he right`, `true`."""
    words = {mark.text for mark in clause}
    if not words <= TRUTH_WORDS:
        return None
    if words & {"wrong", "false", "mistaken"}:
        return "wrong"
    return "right" if words & _RIGHT else None


_RIGHT = frozenset("right correct true agreed agree correctly".split())
TRUTH_WORDS = _RIGHT | w.listed("truth")


def _ends(clauses: Sequence[Sequence[Mark]], number: int) -> bool:
    """Whether a clause is the last of its sentence."""
    return number + 1 == len(clauses) or clauses[number + 1][0].sentence != clauses[number][0].sentence


def _question(clauses: list[list[Mark]], number: int) -> Asked | None:
    clause = clauses[number]
    starts = [
        at for at, mark in enumerate(clause) if mark.concept in (w.BE, w.DOES) or (at == 0 and mark.text in _LEADING)
    ]
    for begin in reversed(starts):
        cut = next((k for k in range(begin + 1, len(clause)) if clause[k].concept in (w.AND, w.NEAR)), len(clause))
        found = _form(clause[begin:cut], _QUESTIONS)
        if found is not None and not found[2]:
            others = [*clauses[:number], clause[:begin], *clauses[number + 1 :]]
            return _state_asked(found, False, others, clause[cut:])
    return None


def _statement(clauses: list[list[Mark]], number: int, wrong: bool) -> Asked | None:
    """`so im free`, `he says he is not engaged`: said, and asked whether it is so."""
    clause = clauses[number]
    said = next((at + 1 for at, mark in enumerate(clause) if mark.text in w.SAYS), 0)
    if any(mark.text in _WH for mark in clause):
        return None
    starts = [at + 1 for at, mark in enumerate(clause) if at >= said and mark.text in ("so", "then", "and", "but")]
    for begin in dict.fromkeys((*reversed(starts), said)):
        cut = next((k for k in range(begin + 1, len(clause)) if clause[k].concept == w.AND), len(clause))
        region = clause[begin:cut]
        found = _form(region, _STATEMENTS) if len(region) <= _LONGEST else None
        if found is not None and found[2] < 2:
            before = clause[: max(begin - 1, 0)]
            told = [*clauses[:number], before, clause[cut:], *(clauses[number + 1 :] if not said else [])]
            return _state_asked(found, wrong != bool(found[2]), told)
    return None


def _form(region: Sequence[Mark], forms: Sequence[re.Pattern[str]]) -> tuple[re.Match[str], list[Mark], int] | None:
    """(the form that these words have, the words that count, negations)."""
    letters: list[str] = []
    marks: list[Mark] = []
    denied = 0
    for at, mark in enumerate(region):
        letter = _RAW.get(mark.concept, "?") if mark.concept else "n"
        if at == 0 and mark.text in _LEADING and forms is _QUESTIONS:
            letter = "B" if mark.text.startswith(("is", "are")) else "d"
        if mark.value is not None or letter == "?":
            return None
        if letter == "!":
            denied += 1
            continue
        if (not mark.concept and is_known(mark)) or mark.concept in (w.FILLER, w.ASK) or mark.text in _REFLEXIVE:
            continue
        if mark.text == "held" and at == len(region) - 1:
            letter = "P"
        letters.append("d" if mark.text in _PLAIN_DO else letter)
        marks.append(mark)
    match = next((found for form in forms if (found := form.match("".join(letters)))), None)
    return None if match is None else (match, marks, denied)


def _state_asked(
    found: tuple[re.Match[str], list[Mark], int], denied: bool, rest: list[list[Mark]], tail: Sequence[Mark] = ()
) -> Asked | None:
    """`tail` is what is told behind the words that ask: `next to me`."""
    match, marks, _ = found

    def nouns(group: str) -> frozenset[str]:
        span = marks[match.start(group) : match.end(group)] if match[group] else []
        return frozenset(stem(mark.text) for mark in span if not mark.concept)

    told = tuple(tuple(clause) for clause in (*rest, tail) if clause)
    mine = own_nouns([marks, *told])
    who, own = match["who"] or "", nouns("who")
    flipped = bool(own) and not own & mine
    if own & mine and own_nouns(told) - own:
        return None  # of another model of the player's, something is told as well
    by = match["by"] or ""
    first = (
        {mark.text for mark in marks[match.start("by") : match.end("by")]} & {"i", "me", "we", "us"} if by else set()
    )
    what = marks[match.start("what")]
    if first and own and not own & mine and "m" not in who and what.concept == w.ACTIVE:
        # `do I engage the goblin next to me`
        whom = tuple(marks[match.start("who") : match.end("who")])
        rest = [*rest, [*whom, *tail]] if tail else rest
        return Asked(OUTGOING, denied, None, mine, tuple(map(tuple, filter(None, rest))), frozenset(), speaks=True)
    if "n" not in who and "m" not in who and (first or ("m" in by and what.concept == w.ACTIVE)):
        return Asked(OUTGOING, denied, None, mine, told, frozenset(), speaks=True)  # `do I engage him`
    if "n" in who and not own and "m" not in who:
        return None  # `the model`: whose?
    if not flipped and ("m" in by or nouns("by") & mine):
        return None  # `does my knight engage him`: whom?
    kind = "any" if "A" in by else "all" if "T" in by else "one" if by else ""
    free = match["what"] == "f" or what.text == "unengaged"
    named = marks[match.start("who")].text if who in ("q", "S") else ""
    person = {"he": "he", "him": "he", "she": "she", "her": "she"}.get(named, "")
    others = {mark.text for clause in told for mark in clause} & {"he", "him", "she"}
    person = person if {"she"} & others and {"he", "him"} & ({named} | others) else ""
    unnamed = not who and not any(mark.concept in (w.SELF, w.OWN) for clause in told for mark in clause)
    words, speaks = frozenset({UNNAMED} if unnamed else ()), named in ("i", "me", "we", "us")
    whose = own if flipped else mine
    return Asked(STATE, free != denied, None, whose, told, words, "", flipped, kind, nouns("by"), person, speaks)
