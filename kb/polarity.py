"""Which way round a yes/no question is put: what it asks for, and whether that is negated.

`may I leave` and `must I leave` are about the same thing and have different answers, and so have `am I free` and `am I
stuck`. Embeddings hardly see it, so the words that turn an answer round are compared here, by themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEADING = frozenset(
    "isnt arent doesnt dont cant wont aint wasnt didnt couldnt shouldnt wouldnt hasnt havent mustnt "
    "isn't aren't doesn't don't can't won't ain't wasn't didn't couldn't shouldn't wouldn't hasn't haven't".split()
)
_NEGATIONS = _LEADING | frozenset("not never no neither nor cannot".split())
_NOBODY = frozenset("nobody none noone".split())
"Before a verb (`nobody is engaged`) these deny it; `…, nobody else close` tells."
_RHETORIC = frozenset("isnt arent wasnt isn't aren't wasn't".split())
_PRONOUNS = frozenset("i we you he she it they that this there".split())
_DETERMINERS = frozenset("the my his her its their a an".split())
"Behind a leading `isn't` the subject (`isn't the thief …`), within a statement not (`Guard isn't a type of Assault`)."
_JOINS = frozenset("so and but then now or well hey ok okay why".split())
_AUXILIARY = frozenset(
    "is are am was were be been do does did can could may might must shall should will would has have had gets".split()
)
_SHORT = ("'m", "'s", "'re", "'ve", "'ll", "'d")
"How a word ends that a short auxiliary is joined to (`I'm not`)."
_ASIDE = frozenset("with without of in on at by for to from under or and but if when than".split())
"Before `no`: what is denied is something beside (`engaging with no target`)."
_NOT_REACH = 5
"Words between an auxiliary and its `not`, at most."
_RELATIVES = frozenset("which whose whoever whatever whichever".split())
_RELATIVE_REACH = 3
_COMPLETED = frozenset(
    "true so say says said saying sure fact means mean meaning correct right wrong think thinks thought claim claims "
    "told insist insists know it is he she rule rules such case and but so argue argues believe hear heard".split()
)
"Before `that`: what follows is said, and describes nothing."
_OBLIGED = re.compile(
    r"\b(?:must|have to|has to|had to|need to|needs to|required|obliged|obligated|obligatory|forced|force|compelled|"
    r"mandatory|compulsory|bound to|gotta|got to)\b"
)
_OPTIONAL = re.compile(
    r"\b(?:optional|skip|choose not|opt out|voluntary|decline|refuse|ignore|leave out|avoid|up to me|my choice|"
    r"do without|no need|don'?t have to|do not have to|don'?t need to|not have to)\b"
)
_FORBIDDEN = re.compile(
    r"\b(?:forbidd?en|forbids?|illegal|prohibited|banned?|bans|barred|wrong|against the rules|cheating|"
    r"not (?:allowed|possible|permitted|legal)|off the table|shut out|(?:is|are) lost to|"
    r"useless|unusable|excluded|excludes|rules? out|ruled out|outlawed|disallowed|"
    r"impossible|off limits|out of the question|too \w+ to)\b"
)
_PREVENTS = re.compile(
    r"\b(?:stops?(?! (?:after|at|here|there|early|short|now|with|right|half)\b|\s*[,.?!]|$)|prevents?|prevented|"
    r"blocks?|"
    r"removes?|removed|(?:lose|loses|lost) (?:my|the|his|her|its|their|any|that) "
    r"(?!(?:own |last |first )?(?:exchange|roll|act|turn|activation|fight|assault|attack|combat|endurance|health|hit|"
    r"hp|life|wound|point))|"
    r"cancels?|cancelled|"
    r"breaks?(?! (?:away|off|out|free|contact|from|through)\b)|keeps? (?:\w+ ){1,3}from|kept (?:\w+ ){0,3}from|bars?|"
    r"(?:shuts?|cuts?|locks?|leaves?) (?:off|out|down)|deny|denies|denied|ruin|ruins|negates?|hinders?|immune)\b"
)
_FREE = re.compile(
    r"\b(?:free|freed|escape[ds]?|released|loose|gone|over|ended|ends|end|out of (?:it|combat|melee|the fight)|"
    r"no longer|not engaged|unengaged|disengaged|not any ?more|anymore|any more)\b"
)
_EMPTY = re.compile(
    r"\bno (?:matter|doubt|problem|question|joke|kidding)\b|\b(?:or|whether or) not\b|\bor no \w+|"
    r"\bis it not (?:so|true|right|correct|the case)\b"
)
"What only sounds like a negation."
_HELD = re.compile(r"\b(?:still|stuck|locked|remain[s]?|stay[s]?|trapped|pinned|held|keep[s]? being)\b")
_ONLY = re.compile(r"\b(?:only|just|solely|merely|nothing but|exclusively)\b")


_DOUBT = re.compile(
    r"\b(?:spare[sd]?|exempt(?:ed)?|excused?|ignor(?:e|es|ed|ing)|left (?:out|in|off|alone|behind)|miss(?:es|ed)? out|"
    r"(?:turns?|turned|switch(?:es|ed)?) (?:off|out|down)|tak(?:es?|en) away|"
    r"takes? (?!(?:an? |the )?thing )(?:\w+ ){1,4}from|hampers?|"
    r"disabl(?:es?|ed)|hardly|barely|less|fails?|in vain|pointless|worthless|no use|nothing|unable|"
    r"incapable|lacks?|waste[sd]?|void|moot|excluded?|excludes|deprived?|devoid|robs?|robbed|holds? back|held back|"
    r"out (?:when|while)|unaffected|untouched|safe|irrelevant|meaningless|matters? not|"
    r"(?:not|\w+n'?t) (?:\w+ )?(?:matter|important)|(?:stops?|prevents?|blocks?) (?:that|this|it)|the most|at most|"
    r"(?:every|any|all|none)(?:thing|body|one|where)? (?:but|except)|or still|either way|"
    r"forfeit(?:s|ed)?|(?:throws?|thrown|threw) (?:\w+ ){0,3}away|"
    r"than (?:he|she|it|i|we|they|you)|"
    # What the claim is matched by is what it is compared with, or is escaped: `has he Guard as well as Assault`.
    r"(?:as well as|rather than|instead of|(?:free|rid|clear) (?:of|from)(?: \w+){0,2}) thing)\b"
)
_CONTRAST = re.compile(r",\s*(?:and |but )?(?:not|never) (?!thing)")
"What it is not is told behind what is asked: `the game sets it, not me?`."
_ELIDED = re.compile(r"\b(?!or )\w+ (?:(?:does|do|is|are|ca|wo|did|was|has|have)n'?t|cannot|not)\W*$")
"A negation at the end, of which it is not said what it negates (`his counts and mine doesn't`)."
_PERMITS = re.compile(
    r"\b(?:can|could|may|might|allow(?:s|ed)?|lets?|legal|possible|permit(?:s|ted)?|able|free|ok|okay|fine|gets?|option|"
    r"gives?|grants?|entitles?|there for|available|open|rights?|valid|kosher|good|use|take|do that|do it|should|ways?|"
    r"works?)\b"
)
_PLAIN_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|then|now|or|well|hey|ok)\b\W*)*(?:do|does|did|is|are|was|were|has|have|would|will)(?:n['’]?t)?\b"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """The way a question is put."""

    negated: bool
    asks: str
    "may | must | optional | forbidden: what the yes would grant."
    state: str
    "free | held | neither"
    only: bool
    prevents: bool

    @property
    def turns(self) -> bool:
        """Whether the yes is to something that is denied, forbidden or prevented."""
        return self.negated or self.prevents or self.asks == "forbidden"

    def fits(self, other: Frame) -> bool:
        """Whether an answer to one answers the other."""
        return self == other


def frame(text: str) -> Frame:
    """Reads the frame of a question."""
    plain = text.casefold().replace("’", "'")
    return Frame(
        negated=len(_negations(_words(plain))) % 2 == 1,
        asks=_asks(plain),
        state="free" if _FREE.search(plain) else "held" if _HELD.search(plain) else "neither",
        only=bool(_ONLY.search(plain)),
        prevents=bool(_PREVENTS.search(plain)),
    )


def is_doubtful(text: str) -> bool:
    """Whether words are left in it that may turn an answer round in a way that is not read here (`is he spared …`)."""
    plain = text.casefold().replace("’", "'")
    if any(doubt.search(plain) for doubt in (_DOUBT, _CONTRAST, _ELIDED)):
        return True
    words = _words(plain)
    negations = _negations(words)
    # Two that turn it round may cancel or not, and what a negation beside the verb does is not read.
    others = sum(len(turning.findall(plain)) for turning in (_OPTIONAL, _FORBIDDEN, _PREVENTS))
    return len(negations) + others > 1 or not all(_denies(words, at) for at in negations)


def count_negations(text: str) -> int:
    """How often it is negated, rhetoric and relative clauses aside."""
    return len(_negations(_words(text.casefold().replace("’", "'"))))


def asks_permission(text: str) -> bool:
    """Whether it may ask for what is allowed: `does that end his shot` does not, `may he shoot` and `a shot?` do."""
    plain = text.casefold().replace("’", "'")
    asked = frame(text)
    return not _PLAIN_ASKS.search(plain) or bool(_PERMITS.search(plain)) or asked.asks != "may" or asked.prevents


def _asks(plain: str) -> str:
    if _OPTIONAL.search(plain):
        return "optional"
    if _FORBIDDEN.search(plain):
        return "forbidden"
    return "must" if _OBLIGED.search(plain) else "may"


def _words(plain: str) -> list[str]:
    """Its words. A negation that is part of `not allowed` or `choose not to` is read there, and is left out here."""
    return _WORD.findall(_EMPTY.sub(" ", _FORBIDDEN.sub(" ", _OPTIONAL.sub(" ", plain))))


def _negations(words: list[str]) -> list[int]:
    """Where the statement is negated. `isn't he …?` and `…, isn't he?` only sound so and are passed over."""
    return [
        at
        for at, word in enumerate(words)
        if (word in _NEGATIONS or (word in _NOBODY and not _AUXILIARY.isdisjoint(words[at + 1 : at + 2])))
        and not _is_relative(words, at)
        and not (word in _LEADING and _is_rhetoric(words, at))
    ]


def _is_rhetoric(words: list[str], at: int) -> bool:
    """Whether `isn't` and the like only ask for a yes."""
    if at >= len(words) - 1:
        return True
    leads = all(word in _JOINS for word in words[:at])
    return words[at + 1] in _PRONOUNS or (leads and (words[at + 1] in _DETERMINERS or words[at] in _RHETORIC))


def _denies(words: list[str], at: int) -> bool:
    """Whether a negation surely negates the whole: `is not`, `can he never`, `has no`, but not `with no`, `not him`."""
    word, before = words[at], words[max(0, at - _NOT_REACH) : at]
    if word == "not":
        return any(each in _AUXILIARY or each.endswith(_SHORT) for each in before)
    if word == "no":
        return _ASIDE.isdisjoint(before[-1:])
    return word not in ("neither", "nor")


def _is_relative(words: list[str], at: int) -> bool:
    """Whether a negation is part of a relative clause (`a result that I don't want`), which describes something."""
    for back in range(at - 1, max(0, at - 1 - _RELATIVE_REACH), -1):
        if words[back] in _RELATIVES or (words[back] in ("that", "who") and words[back - 1] not in _COMPLETED):
            return back > 0
    return False
