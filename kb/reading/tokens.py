"""A question as tokens: words, numbers written as digits or words, and the breaks between clauses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
PLURALS = {"twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "sevens": 7, "eights": 8, "nines": 9,
            "tens": 10, "elevens": 11, "twelves": 12}  # fmt: skip
NUMBER_WORDS = {word: n for n, word in enumerate(_UNITS)} | PLURALS | {
    "none": 0, "nil": 0, "nothing": 0, "once": 1, "single": 1, "twice": 2, "both": 2, "thrice": 3, "couple": 2,
    "pair": 2,
}  # fmt: skip
ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "secnd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "fifth": 5, "5th": 5, "sixth": 6, "6th": 6,
}  # fmt: skip
_SPELLINGS = {"dmg": "damage", "hp": "endurance", "opp": "opponent", "w": "with", "ur": "your", "u": "you", "im": "i",
              "i'm": "i", "ive": "i", "i've": "i", "hes": "he", "he's": "he", "shes": "she", "she's": "she",
              "theyre": "they", "we're": "we", "we've": "we", "they're": "they", "you're": "you", "youre": "you",
               "its": "it", "it's": "it"}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<singly>\b(?:1 by 1|1 at a time|one at a time)\b)|"
    r"(?P<dice>\b\d*d\d+s?\b)|(?P<ordinal>\b\d+(?:st|nd|rd|th)\b)|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<inches>(?<=\d)\s?(?:''|[\"”″]))|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)|(?P<mark>[.?!;,:\n()/=+–—-]+)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark."""

    kind: str
    "word | number | ordinal | dice | mark"
    text: str
    "Lower case, apostrophes straightened."
    start: int
    end: int
    value: float | int | None = None
    "What a number or an ordinal stands for."


def tokenize(text: str) -> list[Token]:
    """The tokens of a text. Numbers in words become numbers; `d12` is a die, not a 12; `2"` are inches."""
    return list(_tokens(text))


@lru_cache(maxsize=16)
def _tokens(text: str) -> tuple[Token, ...]:
    """The same, kept for a while: every reader of a game asks for those of the question."""
    return tuple(_token(match) for match in _TOKEN.finditer(text) if not _closes_a_quotation(match))


def _closes_a_quotation(match: re.Match[str]) -> bool:
    """Whether the mark after a number ends a quotation, and so stands for no inches."""
    return match.lastgroup == "inches" and sum(match.string.count(mark, 0, match.start()) for mark in '"“”') % 2 == 1


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup or "mark"
    text = match.group().casefold().replace("’", "'")
    value: float | int | None = None
    if kind == "number":
        value = float(text) if "." in text else int(text)
    elif kind == "ordinal":
        value = int(re.sub(r"\D", "", text))
    elif kind == "singly":
        kind = "word"
    elif kind == "inches":
        kind, text = "word", "inches"
    elif kind == "word":
        text = _SPELLINGS.get(text, text)
        if text in NUMBER_WORDS:
            kind, value = "number", NUMBER_WORDS[text]
        elif text in ORDINALS:
            kind, value = "ordinal", ORDINALS[text]
    return Token(kind, text, match.start(), match.end(), value)


def clauses(tokens: list[Token]) -> list[list[Token]]:
    """Tokens grouped by clause: full stops, question marks, semicolons, colons after words and commas end one."""
    groups: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "mark" and any(mark in token.text for mark in ".?!;,\n"):
            groups.append([])
        else:
            groups[-1].append(token)
    return [group for group in groups if group]
