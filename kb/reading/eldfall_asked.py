"""Eldfall Chronicles: which number of models a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.glossary import stem
from kb.reading import eldfall_words as w
from kb.reading.eldfall_clause import clauses_of, is_known, own_nouns
from kb.reading.marks import Mark

ENGAGING, ENGAGED, SEEN, CHOSEN, TARGETS, ZONES, OWN_ZONE, REACTS, REROLLS, STATE = (
    "engaging", "engaged", "seen", "chosen", "targets", "zones", "own zone", "reacts", "rerolls", "state",
)  # fmt: skip
_LETTERS = {
    w.SELF: "S", w.THIRD: "S", w.ACTIVE: "E", w.STAFF: "E", w.ENGAGER: "e", w.PASSIVE: "P", w.DOES: "D", w.BE: "B",
    w.BY: "b", w.WITH: "b", w.THEY: "T", w.OF: "O", w.NOUN: "n", w.ALL: "A", w.ZONE: "Z", w.SIGHT: "L", w.WALK: "W",
    w.CHOOSE: "C", w.REACT: "R", w.REROLL: "r", w.NOT: "!", w.BARRED: "!", w.OWN: "m", w.POSSESSIVE: "h", w.THE: "t",
    w.ARTICLE: "t", w.REST: "n", w.OTHER: "t", w.FRIEND: "m", w.OWNS: "b", w.HELD: "b", w.AWARE: "a", w.UNAWARE: "a",
}  # fmt: skip
_WHO = "[OTNnAtmh]*"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (REROLLS, re.compile(r"r")),
    (REACTS, re.compile(r"R")),
    (ZONES, re.compile(r"^[^S]*Z[^S]*$")),
    (OWN_ZONE, re.compile(rf"^{_WHO}Z[DB]Sb$")),
    (ENGAGING, re.compile(rf"^{_WHO}Z[^S]*[BD]S[^b]*$")),
    (CHOSEN, re.compile(r"C")),
    (TARGETS, re.compile(r"W")),
    (SEEN, re.compile(r"L")),
    (ENGAGING, re.compile(rf"^{_WHO}[DB]*E(?:S|{_WHO})$|^{_WHO}e(?:[BD]S?|S|b)*$|^{_WHO}[BD]?S[Bb]*Eb?S?$")),
    (ENGAGING, re.compile(rf"^{_WHO}(?:B|b)*S[B]*Pb?$|^{_WHO}b+SP$|^{_WHO}B?Pb$|^{_WHO}DSbES$")),
    (ENGAGED, re.compile(rf"^{_WHO}B?P{_WHO}B?$")),
)
_NO_MODELS = frozenset(
    "dice points turns rounds times inches cm steps actions wounds hits dodges attacks hands ways states conditions "
    "dodge inch turn ap minutes seconds rolls damage squares tiles ranges cards tokens".split()
)
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


def asked(text: str) -> Asked | None:
    """What a question asks for; None where that is no number of models, or several."""
    clauses = clauses_of(text)
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
    if by:
        before = before[: -1 if before and before[-1].text in ("by", "with") else None]
        if before and before[-1].concept == w.PASSIVE:
            start = next((k for k, mark in enumerate(before) if mark.concept in _SUBJECT), len(before) - 1)
            before, region = before[:start], [before[-1]]
    found = _asked(region, by, [*others, before, after])
    if found is None and before and {mark.concept for mark in before} & {w.SIGHT, w.REACT, w.WALK}:
        found = _asked([*before, *region], by, [*others, after])
    return found


_SUBJECT = (w.BE, w.SELF, w.THIRD, w.OWN, w.THE)


def _keyword(clauses: Sequence[Sequence[Mark]]) -> list[tuple[int, int]]:
    """`Two bows, three unarmed. Engagers?`"""
    last = clauses[-1] if clauses else []
    if not last or not last[-1].asks:
        return []
    engagers = all(mark.concept in ("", w.ENGAGER) for mark in last) and any(mark.concept for mark in last)
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
    if kind is None:
        return None
    side = "mine" if re.search(r"^[OTNnAt]*m", bare) else "theirs" if re.search(r"^[OTNnAt]*h", bare) else ""
    words = frozenset(mark.text for mark in region)
    if kind == TARGETS and words & {"one", "single", "same", "at once"}:
        kind = CHOSEN
    told = tuple(tuple(clause) for clause in rest if clause)
    return Asked(kind, denied == 1, total, own | own_nouns(told), told, words, side)


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

_ONE = "(?:[tmh]*n+|S|q)"
_MANY = "(?:[tmhAOT]*n*|q)"
_STATES = (
    re.compile(rf"^[BD](?P<who>{_ONE})B?(?P<what>[Pf])(?:b(?P<by>{_MANY}))?$"),
    re.compile(rf"^(?P<who>{_ONE})?B?(?P<what>[P])(?:b(?P<by>{_MANY}))?$"),
    re.compile(rf"^[BD](?P<by>{_MANY})D?(?P<what>E)(?P<who>{_ONE})$"),
)
_RAW = _LETTERS | {w.THIRD: "q", w.FREE: "f", w.ASK: "", w.FRIEND: "n", w.REST: "n", w.OTHER: "t", w.ARTICLE: "t"}
_SHORT = 4


def asked_state(text: str) -> Asked | None:
    """Whether a model is Engaged, or free, or whether some model engages it: what a yes/no question asks for."""
    clauses = clauses_of(text)
    for number in range(len(clauses) - 1, -1, -1):
        clause = clauses[number]
        if not clause[-1].asks and any(other[-1].asks for other in clauses):
            continue
        found = _state(clause, [*clauses[:number], *clauses[number + 1 :]])
        if found is not None:
            return found
    return None


def _state(clause: Sequence[Mark], others: list[list[Mark]]) -> Asked | None:
    start = next((k for k, mark in enumerate(clause) if mark.concept in (w.BE, w.DOES)), None)
    for begin in dict.fromkeys((0, start or 0)):
        region = clause[begin:]
        raw = _raw(region)
        if raw is None:
            continue
        letters, marks = raw
        denied = letters.count("!")
        for form in _STATES:
            found = form.match("".join(letters))
            short = form is not _STATES[1] or (len(region) <= _SHORT and region[-1].asks)
            if found and short and not denied:
                return _state_asked(found, marks, [*others, list(clause[:begin])])
    return None


def _leads(mark: Mark) -> bool:
    return mark.text in ("isn't", "aren't", "isnt", "arent", "doesn't", "doesnt", "don't", "dont")


def _raw(region: Sequence[Mark]) -> tuple[list[str], list[Mark]] | None:
    letters: list[str] = []
    marks: list[Mark] = []
    for at, mark in enumerate(region):
        letter = _RAW.get(mark.concept, "?") if mark.concept else "n"
        if mark.value is not None or letter == "?":
            return None
        if at == 0 and _leads(mark):
            letter = "B" if mark.text.startswith(("is", "are")) else "D"
        if (not mark.concept and is_known(mark)) or mark.concept in (w.FILLER, w.ASK):
            continue
        letters.append(letter)
        marks.append(mark)
    return letters, marks


def _state_asked(found: re.Match[str], marks: list[Mark], rest: list[list[Mark]]) -> Asked | None:
    def nouns(group: str) -> frozenset[str]:
        if found[group] is None:
            return frozenset()
        span = marks[found.start(group) : found.end(group)]
        return frozenset(stem(mark.text) for mark in span if not mark.concept)

    told = tuple(tuple(clause) for clause in rest if clause)
    mine = own_nouns([marks, *told])
    who, own = found["who"] or "", nouns("who")
    flipped = bool(own) and not own & mine
    if "n" in who and not own and "m" not in who:
        return None  # `the model`: whose?
    by = found["by"] or ""
    kind = "any" if "A" in by else "all" if "T" in by else "one" if by else ""
    what = found["what"]
    return Asked(
        STATE, what == "f" or marks[found.start("what")].text == "unengaged", None, own if flipped else mine, told,
        frozenset(), "", flipped, kind, nouns("by"),
    )  # fmt: skip
