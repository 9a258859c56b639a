"""Book of Ordeals: which results a question asks for, and about whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.reading.ordeals_words import ATTRIBUTES
from kb.reading.scene import Clause, Item, Scene


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is asked."""

    what: str
    "damage, harm, endurance, total, difference, winner, bonus, both, push_inches, or one of YES_NO"
    party: str | None = None
    "Of whom; None where nobody is named."
    yes_no: bool = False
    flipped: bool = False
    "Yes means that it is not so (`is he still up` for Out of Action)."


QUANTITY = (
    r"(?:how (?:much|many|big|hard|bad|badly|high|far|large)|what|whats|what's|which|where|number of|amount of|how)"
)
NUMBERS: tuple[tuple[str, str], ...] = (
    ("both", r"\bendurance\b.*\b(?:both|each|either of|everyone|everybody)\b|\b(?:both|each|everyone|everybody)\b.*\bendurance\b|"
             r"\bwhere do @?we\b.*\bstand|\bwhere (?:does that|are|is) (?:leave )?(?:both|@us both|us|we both|us both)"),
    ("push_inches", r"\bhow far\b.*\bpush|\bpush\w*\b.*\bhow far\b"),
    ("damage", r"\bdamage (?:before|without|prior to) (?:@\w+ )?ward|\bbefore (?:@\w+ )?ward\b.*\bdamage|\braw damage|\bunmodified damage"),
    ("winner", r"^(?:\W*(?:and|so|but|ok) )*(?:who|who's|whos|which (?:one|side|of (?:them|us|the two)))\b.*"
               r"\b(?:win|wins|won|winning|winner|ahead|on top|better|comes out|came out|victor|victorious|takes it|took it|higher)\b"
               r"|\bwinner\b"),
    ("difference", r"\bby how (?:much|many)\b|\bhow (?:much|many \w+|big|large) .*\b(?:win|lose|beat|beats|lost|won) (?:@\w+ )?by\b|"
                   r"\bdifference\b|\bhow (?:close|clear)\b.*\bwin"),
    ("harm", r"\bharm\b|\bendurance\b.*\b(?:lose|loses|lost|goes|gone|drop|drops|suffer|off|cost|costs)\b|"
             r"\b(?:lose|loses|lost|take|takes)\b.*\bendurance\b(?!.*\b(?:left|remaining|have|has|at|on)\b)|"
             r"\bdamage\b.*\b(?:take|takes|taken|taking|took|suffer\w*|receive\w*|sustain\w*|get|gets|gotten|through|after (?:@\w+ )?ward|"
             r"left|actually|actual|net|sticks?|eat|eats|incoming)\b|\bdamage (?:to|for|on|against) @|\b(?:take|takes|taken|suffer|suffers|receive|receives)\b.*\bdamage|"
             r"\b(?:get|gets|am|is|are) (?:@\w+ )?hurt\b|\b(?:get|gets|getting|comes?|goes|went) (?:@\w+ )?through\b|"
             r"\b(?:hurts?|hurting)\b|\bactually take"),
    ("bonus", r"\bbonus\b|\badd(?:ed|s)?\b(?! up)|\bon top of\b|\bplus ones?\b"),
    ("total", r"\btotal\b|\bscore\b|\badds? up to|\b(?:do|does) @\w+ (?:get to|reach|come to|end up with)\b|\bthat make\b(?=.*\btotal)"),
    ("bonus", r"\bbonus\b|\badd(?:ed|s)?\b|\bon top of\b|\bplus ones?\b|\+ ?\d?s?\b.*\bget|\bmight (?:do|does) @\w+ (?:have|count|get)"),
    ("endurance", r"\bendurance\b"),
    ("left", r"\bleft (?:with|on|at)\b|\b(?:do|does|has|have|am|is|are|got|@\w+) .*\bleft\b|"
                  r"\bwhere (?:am|is|are|does|do|did) (?:@\w+|that|this)\b.*|\bwhat (?:am|is|are) @\w+ (?:on|at)\b|\bremain\w*\b|\bleft\b"),
    ("damage", r"\bdamage\b|\bhow (?:hard|bad|badly)\b"),
)  # fmt: skip
"What is asked for by number, the first that fits."
SURE = 0.2
"A pronoun whose two meanings are nearer than this means nobody for sure."
YES_NO: tuple[tuple[str, bool, str], ...] = (
    ("out", False, r"\bout of action\b|\bdead\b|\bdies?\b|\bkill(?:s|ed)?\b|\bgone\b|\bfinished\b|\bgoner\b|\btaken? out\b|\btakes? out\b|"
                   r"\btake (?:@\w+ )out\b|\bko\b|\bknock\w* out\b|\bgoes? down\b|\bgo down\b|\bdowned\b|\bremoved\b|\bslain\b|\bdrops?\b|\btoast\b|"
                   r"\boff the board\b|\b(?:is|am|are) @\w+ (?:out|down)\b|\bout\b|\bslays?\b|\beliminated\b|\bperish"),
    ("out", True, r"\bsurviv\w*|\balive\b|\bstill (?:standing|up|in|active|there|fighting|live)\b|\bstanding\b|\bon (?:@?\w+ )?feet\b|\bmake it\b|"
                  r"\blives?\b|\bactive\b|\bstay up\b|\bin play\b|\bhangs? on\b"),
    ("tie", False, r"\btie\b|\btied\b|\bdraw\b|\bdrawn\b|\beven\b|\bstalemate\b"),
    ("push", False, r"\bpush\w*|\bshove\w*|\bthrow back\b|\bknock \S+ back\b"),
    ("engaged", True, r"\bfree\b|\bloose\b|\bno longer engaged\b|\bunengaged\b|\bnot engaged\b"),
    ("engaged", False, r"\bengaged\b|\bstuck\b|\bin (?:melee|combat|contact)\b"),
    ("harmed", False, r"\b(?:any|some|get|gets|getting|be|is|am|are|@\w+|it|that|this|actually|damage|at all)\b.*\b(?:harm\w*|hurt\w*|injur\w*|wounded|through)\b|"
                      r"\bharm\b|\b(?:lose|loses|take|takes)\b.*\b(?:endurance|damage|anything)\b|\bhurts?\b"),
    ("won", False, r"\bwin|\bwins|\bwon|\bbeat\w*|\bwinner\b|\bvictorious\b|\bon top\b"),
    ("won", True, r"\blose\b|\bloses\b|\blost\b|\bbeaten\b"),
)  # fmt: skip
"What yes or no is asked about: name, whether the words say the contrary, pattern."
_DROPPED = frozenset("a an the my our his her its their that this".split())
_AUXILIARY = r"(?:do|does|did|is|isn't|isnt|are|aren't|am|was|were|can|could|may|will|would|has|have|had|doesn't|don't|didn't|won't)"
_LEAD = r"^(?:(?:and|but|so|ok|okay|then|well|now|hey|please|also|max|maximum|most|total|or|hi|hello|in that case|i mean|you think) )*"
_STARTS = re.compile(rf"{_LEAD}(?:{QUANTITY}|by how|who|who's|whos)\b")
_INSIDE = re.compile(
    r"\b(?:and|but|so|then|=|:) (?:how|what|whats|what's|who|where|by how)\b|\bhow (?:much|many)\b|\bby how\b"
)
_INVERTED = re.compile(
    rf"{_LEAD}{_AUXILIARY} (?:@\w+|it|that|this|there|any|anybody|anyone|somebody|either|both|we|\d+)\b"
)
_BARE = re.compile(
    r"\b(?:endurance|harm|damage|total|difference|bonus|dead|out|out of action|alive|standing|survives?|survived|killed|gone|"
    r"winner|win|wins|won|tie|draw|remaining|left|down|through|push|free|engaged)\b"
)  # fmt: skip
_TAG = re.compile(
    r"\b(?:right|correct|true|legal|ok|yes|no|allowed|legit|fair|isn't it|is that so|innit)\W*$|\b(?:says|said|claims|thinks|argues)\b"
)
ATTENTION = re.compile(
    r"^(?:please|help|hi|hello|hey|thanks|thank you|question|quick question|so|ok|okay|lol|thoughts|anyone|guys)(?: (?:help|please|all|guys|there))*$"
)


def plain(clause: Clause) -> str:
    """A clause with parties as `@me` and attributes by their names, as the patterns have them."""
    return " ".join(_word(item) for item in clause.items if item.tag != "a" or item.text not in _DROPPED)


def _word(item: Item) -> str:
    if item.tag == "P":
        sure = len(item.parties) < 2 or item.parties[1][1] - item.parties[0][1] >= SURE
        return "@" + (item.party or "one").replace(" ", "_") if sure else "@one"
    if item.tag in ATTRIBUTES and item.tag not in "RG":
        return ATTRIBUTES[item.tag]
    if item.tag == "G":
        return "difference"
    if item.tag == "N" and item.text == "one":
        return "one"
    return "bonus" if item.tag == "B" else item.text


def asking(scene: Scene) -> list[int]:
    """Places of the clauses that ask."""
    marked = {clause.sentence for clause in scene.clauses if "?" in clause.mark}
    last = scene.clauses[-1].sentence if scene.clauses else 0
    sentences = marked or {last}
    found = []
    for number, clause in enumerate(scene.clauses):
        if clause.sentence not in sentences and not _STARTS.search(plain(clause)):
            continue
        if _asks(plain(clause), clause, _is_last(scene, number)):
            found.append(number)
    return found


def _is_last(scene: Scene, number: int) -> bool:
    return number + 1 == len(scene.clauses) or scene.clauses[number + 1].sentence != scene.clauses[number].sentence


def _asks(text: str, clause: Clause, last: bool) -> bool:
    if _STARTS.search(text) or _INVERTED.search(text) or _INSIDE.search(text):
        return True
    if re.match(rf"{_LEAD}{_AUXILIARY}\b", text) and not re.match(r"have|had|will|did", text) and "?" in clause.mark:
        return True
    return last and ("N" not in clause.tags or "?" in clause.mark) and bool(_BARE.search(text))


def asked(scene: Scene, places: list[int]) -> list[Asked] | None:
    """All that the asking clauses ask; None where one of them is not understood."""
    found: list[Asked] = []
    for number in places:
        clause = scene.clauses[number]
        for part in _parts(plain(clause)):
            if _TAG.search(part) or re.search(r"\bshould\b|\bwhat if\b", part):
                return None
            one = _one(scene, clause, part, bool(found))
            if one is None:
                return None
            found += one
    return list(dict.fromkeys(found))


def _parts(text: str) -> Iterator[str]:
    """`is it out and what's its endurance` is two questions."""
    pieces = re.split(
        r" (?:and|&|or|plus) (?=(?:how|what|whats|what's|who|by how|where|is|am|are|do|does|can|may|in|if)\b)", text
    )
    yield from (piece for piece in pieces if piece and not ATTENTION.match(piece))


def _one(scene: Scene, clause: Clause, text: str, following: bool) -> list[Asked] | None:
    counts = re.search(QUANTITY + r"\b|\bwho\b|\bby how\b|\bwinner\b", text)
    inverted = _INVERTED.search(text) or re.match(rf"{_LEAD}{_AUXILIARY}\b", text)
    if counts and not (inverted and counts.start() > inverted.start()):
        return _number(scene, text, following)
    if inverted:
        return _yes_no(scene, text)
    return _bare(scene, text)


def _number(scene: Scene, text: str, following: bool) -> list[Asked] | None:
    """What a `how much` asks for."""
    if re.search(r"\b(?:when|why)\b|\bhow (?:do|does|can|is|are|to)\b", text):
        return None
    if re.fullmatch(r"(?:and |so )*how (?:much|many)(?: is (?:it|that|@\w+))?", text):
        return [Asked("harm")] if following else None
    found = next((what for what, pattern in NUMBERS if re.search(pattern, text)), None)
    return None if found is None else [Asked(found, _party(scene, text, found))]


def _bare(scene: Scene, text: str) -> list[Asked] | None:
    """`Damage?`, `endurance left?`, `still standing?`"""
    if re.search(
        r"\b(?:dead|out|alive|standing|surviv\w+|killed|gone|win|wins|won|tie|push|free|engaged|down|draw)\b", text
    ):
        return _yes_no(scene, text)
    return _number(scene, text, False)


def _yes_no(scene: Scene, text: str) -> list[Asked] | None:
    negated = bool(re.search(r"\b(?:not|never|no longer)\b", text))
    for what, contrary, pattern in YES_NO:
        if match := re.search(pattern, text):
            if negated and "or not" not in text and "no longer" not in match.group():
                return None
            return [Asked(what, _party(scene, text, what), yes_no=True, flipped=contrary)]
    return None


def _party(scene: Scene, text: str, what: str) -> str | None:
    """Whom the question is about: who takes, has, wins; not who does it to whom."""
    text = re.sub(r"\b(?:of|is|does|was) (?:@\w+)(?= (?:actually|do|does|did|then)?\b ?@)|\bof it\b", " ", text)
    people = [(m.start(), m.group()[1:]) for m in re.finditer(r"@\w+", text)]
    known = [name for _, name in people if name in scene.sides or name in ("winner", "loser")]
    if not known:
        return None
    if what == "harm":
        return _sufferer(scene, text, known)
    if what == "out" and re.search(
        r"\b(?:kill|kills|killed|take|takes|took|knock|drop|drops|slay|slays|finish)\b", text
    ):
        return _victim_of_killing(scene, text, known)
    return known[0]


def _sufferer(scene: Scene, text: str, known: list[str]) -> str:
    """`what Harm do I do` is the other's; `how much Harm does he take` is his."""
    doer = re.search(
        r"\b(?:do|does|did|can|will) @(\w+) (?:actually |really |then )?(?:do|deal|deals|inflict|cause)\b", text
    )
    if doer and doer[1] in scene.sides:
        return scene.other(doer[1])
    taker = re.search(
        r"@(\w+) (?:actually |really |then |still |have to )?(?:take|takes|suffer\w*|receive\w*|get|gets|lose|loses)\b",
        text,
    )
    if taker and taker[1] in scene.sides:
        return taker[1]
    to = re.search(r"\b(?:to|on|for|onto) @(\w+)", text)
    if to and to[1] in scene.sides and not re.search(r"\b(?:take|takes|suffer|suffers)\b", text):
        return to[1]
    return known[0]


def _victim_of_killing(scene: Scene, text: str, known: list[str]) -> str | None:
    if re.search(r"\b(?:is|am|are|was|get|gets) @\w+ (?:killed|taken|knocked|dropped)", text):
        return known[0]
    if len(known) > 1:
        return known[1]
    if re.search(r"\b(?:does|do|did|will|would|can|could) @(\w+) (?:kill|take|knock|drop|slay|finish)", text):
        return scene.other(known[0]) if known[0] in scene.sides else None
    return known[0]
