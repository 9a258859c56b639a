"""Book of Ordeals: which results a question asks for, and about whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kb.reading.ordeals.asking import AUXILIARY, INVERTED, LEAD, QUANTITY, WANTS, parts, plain
from kb.reading.ordeals.words import TABLES
from kb.reading.scene import Scene


@dataclass(frozen=True, slots=True)
class Unknown:
    """A number that is looked for: `the lowest roll`, `how many helpers`."""

    what: str
    party: str | None
    "Whose number; None where nobody is named."
    pick: str
    "least | most | count (how many do it) | whether (any does it) | only (the one that does it)"


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is asked."""

    what: str
    "damage, harm, endurance, left, total, difference, winner, bonus, both, push_inches, or one of YES_NO"
    party: str | None = None
    "Of whom; None where nobody is named."
    yes_no: bool = False
    flipped: bool = False
    "Yes means that it is not so (`is he still up` for Out of Action)."
    sure: bool = field(default=True, compare=False)
    "The party is named as the one that takes it; else somebody is only named beside it."
    by: Unknown | None = None
    "The number that has to bring this about, where one is looked for."


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    """A pattern that finds one of several, each at a word's edge."""
    return re.compile("|".join(rf"(?<![\w@])(?:{each.replace('{LEAD}', LEAD)})" for each in patterns))


PLAIN, NUMBERS = ({kind: _any(each) for kind, each in TABLES[table].items()} for table in ("plain", "numbers"))
"What is asked for by number, the first that fits; `PLAIN` goes by the whole clause, conditions and all."
WINS = NUMBERS["winner"]
YES_NO = {(kind.removeprefix("not "), kind.startswith("not ")): _any(each) for kind, each in TABLES["yes_no"].items()}
"What yes or no is asked about: name and whether the words say the contrary."
_TAKES = r"(?:takes?|taken|taking|took|suffer\w*|receive\w*|sustain\w*|gets?|gotten|eats?)\b"
TAGGED = re.compile(r"(?<=\w) (?:right|correct|yeah|yes|eh|innit|huh|ye)\W*$")
"`so I lose, right?`"
_CLAIM = re.compile(
    r"\b(?:right|correct|true|legal|ok|yes|no|allowed|legit|fair|isn't it|is that so|innit)\W*$|\b(?:is|am|are|"
    r"was) (?:it|that|this|@\w+) (?:right|correct|true|wrong|legal|fair|ok)\b|\b(?:says|said|claims|thinks|argues)\b|"
    r"\bshould\b(?! @\w+ (?:be|have|end|sit|stand|take|lose|suffer)\b)|\bwhat if\b"
)
"Asks whether somebody is right, or for advice."
_TRUTH = re.compile(
    r"\b(?:anybody|anyone|somebody|someone)\b|\b(?:dead|kill|out|alive|standing|surviv\w+|killed|gone|wins?|won|tie|"
    r"push|free|engaged|down|draw|up|lose|loses|dies?|hurt|survives?|beats?|still)\b|^any\b|"
    r"\b(?:lose|take|suffer) any\b"
)
_HOW_TO = re.compile(r"\b(?:when|why)\b|\bhow (?:do|does|can|is|are|to)\b")
_ANY_NUMBER = re.compile(r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_ALTERNATIVE = re.compile(r"\bor\b(?! not\b)")


def asked(scene: Scene, places: list[int]) -> list[Asked] | None:
    """All that the asking clauses ask; None where one of them is not understood."""
    found: list[Asked] = []
    for number in places:
        for part in parts(plain(scene.clauses[number])):
            part = TAGGED.sub("", WANTS.sub(" ", part))
            one = None if _CLAIM.search(part) else _one(scene, part, found[-1].what if found else None)
            if one is None:
                return None
            found.append(one)
    return list(dict.fromkeys(found))


MUST_KNOW_WHO = ("total", "bonus", "won", "push", "both")
"Of these a pronoun that may mean either leaves open what is asked; Harm is the loser's, whoever that is."
AS_MUCH = {"harmed": "harm", "out": "harm", "harm": "harm", "dealt": "damage", "damage": "damage"}
"What `and how much` means after a question."


_RELATIVE = r"(?:only|also|just|is|are|was|were|has|have|fights?|stands?)\b"
"`helpers who only fight him`"


def _one(scene: Scene, text: str, following: str | None) -> Asked | None:
    text = re.sub(r"(?<=total) (?:is|=)$", "", text)
    if re.fullmatch(r"(?:and )?(?:with|on|at) (?:how (?:much|many)|what)(?: left)?", text):
        return Asked("endurance", party=None)
    counts = re.search(
        rf"{QUANTITY}\b|(?:^|(?<=[:;&] ))who\b|\bwho\b(?! {_RELATIVE})|\bby (?:how|what)\b|\bwinner\b", text
    )
    inverted = INVERTED.search(text) or re.match(rf"{LEAD}{AUXILIARY}\b", text)
    if counts and not (inverted and counts.start() > inverted.start()):
        # What is told before the question word is no part of what is asked, unless nothing comes after it.
        return _number(scene, text[counts.start() :], following) or _number(scene, text, following)
    # `Damage?` and `still standing?` are asked without more ado, after whatever numbers are told.
    if inverted:
        return _yes_no(scene, text[inverted.start() :])
    rest = text[max((match.end() for match in _ANY_NUMBER.finditer(text)), default=0) :]
    main = _CONDITION.split(text)[0]
    if re.fullmatch(r"\W*(?:harm|damage|endurance|total|difference)\W*", rest):
        return _number(scene, rest.strip(" :="), None)
    # `total Harm when I win by 6` asks for a number.
    if _TRUTH.search(main) or (_TRUTH.search(text) and not any(each.search(main) for each in NUMBERS.values())):
        return _yes_no(scene, rest) or _yes_no(scene, text)
    return _number(scene, rest, None) or _number(scene, text, None)


def _number(scene: Scene, text: str, following: str | None) -> Asked | None:
    """What a `how much` asks for."""
    if _HOW_TO.search(_CONDITION.split(text)[0]) or (re.match(r"who\b", text) and not WINS.search(text)):
        return None
    if re.fullmatch(r"(?:and |so )*how (?:much|many)(?: is (?:it|that|@\w+))?(?: (?:with no|without) ward)?", text):
        meant = AS_MUCH.get(following or "")
        return Asked(meant) if meant else None
    if re.fullmatch(r"(?:(?:so|and) )*(?:now|after|down to|result)", text):
        return Asked("left")
    main = _CONDITION.split(text)[0]
    named = (
        what
        for where, kinds in ((text, PLAIN), (main, NUMBERS), (text, NUMBERS))
        for what, pattern in kinds.items()
        if pattern.search(where) and (what != "result" or where == text)
    )
    found = next(named, None)
    if found in MUST_KNOW_WHO and found != "both" and "@one" in main:
        return None
    return None if found is None else _about(scene, Asked(found), text)


_BESIDE_A_TIE = re.compile(r"\b(?:wins?|won|loses?|hurts?|harm|damage|push\w*)\b")


def _yes_no(scene: Scene, text: str) -> Asked | None:
    negated = bool(re.search(r"\b(?:not|never|no longer)\b", text)) and "or not" not in text
    for (what, contrary), pattern in YES_NO.items():
        if match := pattern.search(text):
            if (negated and "no longer" not in match.group()) or _ALTERNATIVE.search(text):
                return None
            if what == "tie" and _BESIDE_A_TIE.search(text):
                # `does the higher Ward win a tie`
                return None
            if what == "push" and (_IS_PUSHED.search(text) or (_ONESELF.search(scene.text) and _PUSHED.match(text))):
                return None
            if what in MUST_KNOW_WHO and "@one" in _CONDITION.split(text)[0]:
                return None
            return _about(scene, Asked(what, yes_no=True, flipped=contrary), text)
    return None


def _about(scene: Scene, ask: Asked, text: str) -> Asked:
    """The same about whom it is about: who takes, has, wins; not who does it to whom."""
    # `what Harm if I roll 9 against his 5` names nobody who takes it.
    text = _CONDITION.split(text)[0]
    people = re.findall(r"@(\w+)", text)
    known = [name for name in people if name in scene.sides or name in ("winner", "loser")]
    if not known:
        return ask
    if ask.what in ("harm", "harmed"):
        who = _sufferer(scene, text)
        return replace(ask, party=who or known[0], sure=who is not None)
    if ask.what == "damage" and (taker := _sufferer(scene, text)):
        return replace(ask, party=scene.other(taker))
    if ask.what == "damage" and not _DOES.search(text) and _OWNED.search(text):
        return replace(ask, party=known[0], sure=False)
    beaten = re.search(r"\bbeats? @(\w+)", text)
    if ask.what == "won" and beaten and known[0] == beaten[1] in scene.sides:
        # `is an 8 enough to beat his 10`
        return replace(ask, party=scene.other(beaten[1]))
    pushed = _PUSHED.match(text) if ask.what == "push" else None
    if pushed and pushed[1] in known:
        # `allowed to shove him` asks about the other one.
        return replace(ask, party=_OPPOSITE.get(pushed[1]) or scene.other(pushed[1]))
    return replace(ask, party=_fallen(scene, text, known) if ask.what == "out" else known[0])


_PUSHED = re.compile(r"[^@]*\b(?:push|shov)\w*(?: (?:away|back|off|out|against|on|at|of|around))* @(\w+)")
"Nobody is named but the one who is pushed."
_OPPOSITE = {"winner": "loser", "loser": "winner"}
_IS_PUSHED = re.compile(r"\b(?:pushed|shoved)\b|\bpush\w* (?:by|from)\b")
"Which of the two is pushed the winner chooses."
_ONESELF = re.compile(r"\b(?:myself|himself|herself|itself|oneself)\b")
_CONDITION = re.compile(
    r" (?:[:=]|if|when|with|given|assuming|after|from|because|since|against|vs|versus|v|whose|while|than) "
)
_DOES = re.compile(
    r"\b(?:do|does|did|can|will|would) @(\w+) (?:actually |really |then )?(?:do|deal|deals|inflict|cause|harm|hurt)\b|"
    r"@(\w+) (?:can|could|will|would|might) (?:ever |possibly )?(?:do|deal|inflict|cause|land|dish out)\b"
)
_OWNED = re.compile(r"@\w+ (?:damage|dmg|dam)\b")
"`my damage` may be what I deal or what I take."
_TAKER = re.compile(rf"@(\w+) (?:actually |really |then |still |have to |can |could |might )*(?:{_TAKES}|loses?\b)")
_TO = re.compile(r"\b(?:to|on|for|onto|hurt|harm) @(\w+)|\b(?:off|from|of) @(\w+) endurance")
_KILLS = re.compile(r"\b(?:kills?|killed|takes?|took|knock|drops?|slays?|finish)\b")
_KILLED = re.compile(r"\b(?:is|am|are|was|gets?) @\w+ (?:killed|taken|knocked|dropped)")
_KILLER = re.compile(r"\b(?:does|do|did|will|would|can|could) @(\w+) (?:kill|take|knock|drop|slay|finish)")


def _sufferer(scene: Scene, text: str) -> str | None:
    """`what Harm do I do` is the other's; `how much Harm does he take` is his; None where only a name stands by."""
    doer, taker, to = _DOES.search(text), _TAKER.search(text), _TO.search(text)
    who = doer and (doer[1] or doer[2])
    if who in scene.sides and who:
        return scene.other(who)
    if taker and taker[1] in scene.sides:
        return taker[1]
    whom = to and (to[1] or to[2])
    return whom if whom in scene.sides else None


def _fallen(scene: Scene, text: str, known: list[str]) -> str | None:
    """`do I kill it` is about it, `am I killed` about me."""
    if not _KILLS.search(text) or _KILLED.search(text):
        return known[0]
    if len(known) > 1:
        return known[1]
    killer = _KILLER.search(text)
    if killer and not re.search(r"@\w+ drops?\b(?! @)", text):
        return scene.other(killer[1]) if killer[1] in scene.sides else None
    return known[0]
