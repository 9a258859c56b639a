"""Eldfall Chronicles: how players say what a model holds, how it is and where it stands (words.yaml)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from kb.glossary import stem
from kb.reading.marks import Lexicon, Mark, marks_of
from kb.yamlfile import read_yaml

TABLES: Mapping[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
MELEE, RANGED, UNARMED, SPELL, NONE, STAFF, ARMED = "melee", "ranged", "unarmed", "spell", "none", "staff", "armed"
"What a model has in hand; `staff` is an accessory that engages, `armed` a weapon that is not named."
STATES = ("incapacitated", "petrified", "crouched", "dead")
NEAR, FAR, LOOSE, REACH, OUTSIDE, INSIDE = "near", "far", "loose", "reach", "outside", "inside"
"In the engager's reach; out of it; Disengaged from; `reach` and `awareness` go by the words before them."
ACTIVE, PASSIVE, ENGAGER = "engages", "engaged", "engager"
AWARE, UNAWARE = "aware", "unaware"
HELD, TAKES, AWAY, OWNED, OWNS = "held", "takes", "away", "owned", "owns"
SELF, THIRD, THEY, POSSESSIVE, OWN, FRIEND = "self", "third", "they", "possessive", "own", "friend"
ALL, REST, OTHER, OF, THE, ARTICLE = "all", "rest", "other", "of", "the", "article"
NOUN, NOT, STRANGE, ASK, BE, AND, BY = "noun", "not", "strange", "ask", "be", "and", "by"
FILLER, DOES, WITH, BARRED, DODGE = "filler", "does", "with", "barred", "dodge"
WALK, SIGHT, REACT, ZONE, CHOOSE, REROLL, FREE = "walk", "sight", "react", "zone", "choose", "reroll", "free"


def listed(name: str) -> frozenset[str]:
    """The words of a list of the tables."""
    return frozenset(TABLES[name].split())


def pattern(name: str) -> re.Pattern[str]:
    """A pattern of the tables."""
    return re.compile("|".join(TABLES["patterns"][name]), re.I)


class Unclear(Exception):  # noqa: N818 - it is no error of anybody
    """Something is told or asked that may matter and that is not surely understood."""


def doubt(so: object, what: str) -> None:
    """Raises `Unclear` where it is so."""
    if so:
        raise Unclear(what)


PHRASES: Mapping[str, str] = TABLES["models"]
FILLER_WORDS, THINGS = frozenset(map(stem, listed("filler"))), frozenset(map(stem, listed("things")))
SAYS, HAPPENS, SWAPS, TIMES = listed("says"), listed("happens"), listed("swaps"), listed("times")
NOT_VERBS, NO_MODELS, PREPOSITIONS = listed("not verbs"), listed("no models"), listed("prepositions")
MELEE_NOUNS = re.compile(
    r"^(?:sword|spear|axe|pike|halberd|hammer|mace|glaive|knife|lanc|fenc|swash)(?!.*throw)[a-z]+$"
)
"A model that is called after its Melee Weapon holds it, unless something else is told."


def _expanded(phrase: str) -> Iterator[str]:
    """A phrase with each of its alternatives."""
    parts = [part[1:-1].split("|") if part.startswith("(") else [part] for part in re.split(r"(\([^)]*\))", phrase)]
    for chosen in product(*parts):
        yield " ".join("".join(chosen).split())


def lexicon(table: Mapping[str, str]) -> Lexicon:
    """The lexicon of concept -> phrases divided by `|`, the more particular meaning of a phrase first."""
    return Lexicon(
        (each, concept)
        for concept, listed in table.items()
        for phrase in re.split(r"\|(?![^(]*\))", listed)
        for each in _expanded(phrase)
    )


LEXICON = lexicon(PHRASES)


def clauses_of(text: str, words: Lexicon = LEXICON, breaks: Sequence[str] = (":", "-", "=")) -> list[list[Mark]]:
    """The marks between breaks, without the breaks; each clause keeps its sentence."""
    found: list[list[Mark]] = [[]]
    for mark in marks_of(text.replace("&", " and ").replace(" + ", " and "), words):
        if mark.concept == "break" or mark.text in breaks:
            found.append([])
        else:
            found[-1].append(mark)
    return [clause for clause in found if clause]
