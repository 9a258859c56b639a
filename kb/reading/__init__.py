"""Reads a situation out of a player's question into a procedure's input."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence

from kb.reading import described
from kb.reading.situation import Reader, Situation


def readers(game: str) -> Sequence[Reader]:
    """The readers of a game, the most particular first; games without readers of their own are read by field words."""
    try:
        module = importlib.import_module(f"kb.reading.{game}")
    except ModuleNotFoundError as error:
        if error.name != f"kb.reading.{game}":
            raise
        return described.readers(game)
    found: Sequence[Reader] = module.READERS
    return found


def read(text: str, game: str) -> Situation | None:
    """The situation that a question tells, or None where it tells none that can be computed."""
    if len(text) > LONGEST or EXCEPTIONS.search(text.casefold().replace("’", "'")):
        return None
    text = ADDRESSED.sub("", LOOSE.sub(r"los\1", text))
    for reader in readers(game):
        situation = reader(text)
        if situation is not None:
            return situation
    return None


ADDRESSED = re.compile(
    r"^\W*(?:(?:hey|yo|ok|so|well)\W+)?(?:bro|dude|mate|man|buddy|pal|guys|folks|lads)\b\W+"
    r"(?=(?:i|im|i'm|he|she|they|we|you|my|his|her|the|can|could|may|do|does|did|is|are|am|what|whats|how|if|when|so)\b)",
    re.I,
)
"Who is spoken to takes no part in the situation (`bro he rolled 8`)."
LOOSE = re.compile(
    r"(?:(?<=\bi )|(?<=\bhe )|(?<=\bshe )|(?<=\bthey )|(?<=\bwe )|(?<=\byou )|(?<=\bto )|(?<=\bwill )|(?<=\bwould ))"
    r"loos(e|es|ing)\b(?! (?:from|off|an?|one|the|arrows?|bolts?|another)\b)",
    re.I,
)
"As many write `lose`."
LONGEST = 1_500
"Characters of a question that tells one situation; reading a longer text takes long and comes to nothing."
EXCEPTIONS = re.compile(
    r"\b(?:is|are|was|were|isn't|isnt|aren't|arent) there (?:\w+ ){0,2}?(?:an?|any|some|no|other) (?:\w+ ){0,2}?"
    r"(?:ways?|methods?|tricks?|loopholes?|exceptions?|workarounds?|abilit(?:y|ies)|skills?|items?|cards?|"
    r"cases?|situations?|circumstances?|scenarios?|rules?|thing) |"
    r"\b(?:any|some|other|a) (?:\w+ )?(?:ways?|means|methods?|tricks?|loopholes?|exceptions?|workarounds?) "
    r"(?:to|i|you|we|he|she|it|they|for|that|of|around|round|out|my|this)\b|"
    r"\bthere (?:something|anything)\b|\bat all possible\b|\bpossible at all\b|"
    r"\bany (?:ways?|exceptions?|loopholes?|workarounds?)\W*$|"
    r"\b(?:under|in) (?:any|some|certain|what|which) (?:circumstances?|cases?|situations?|conditions?)\b|"
    r"(?:^|[.,;:?!(]\s*|\b(?:so|and|but|or|hey|ok) )(?:can|could|may|might|do|does|is|are|am|will|would)(?:n't|nt)? "
    r"[^.?!]*?\b(?:ever|somehow)\b|"
    r"\bcan (?:anything|something|any \w+)\b(?! (?:get|come|go|gets)\b)|"
    r"\b(?:does|do|will|would|could|might|may) (?:anything|something|any \w+) (?:\w+ )?"
    r"(?:lets?|allows?|changes?|grants?|enables?|permits?|makes?|raises?|increases?|overrides?|gives?)\b"
)
"Asks whether anything in the whole game makes it otherwise, which no situation tells: abilities may."
