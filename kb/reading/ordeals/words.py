"""Book of Ordeals: the words of a fight, those of the numbers from the procedures' own fields, and plainer words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kb.engine.fields import Field
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.counting import RECRUIT
from kb.reading.scene import GLUE, Lexicon
from kb.reading.tokens import NUMBER_WORDS
from kb.yamlfile import read_yaml

_COUNTED = "might ward endurance roll total damage harm difference damage_modifier supplies"
ATTRIBUTES = dict(zip("MWERTDHGFS", _COUNTED.split(), strict=True))
"Letter -> what a number by it counts."
TABLES: Mapping[str, Any] = read_yaml(Path(__file__).with_suffix(".yaml"))
MORE: Mapping[str, str] = TABLES["letters"]
"Letter -> more ways to say it; phrases are divided by `|`."


@cache
def lexicon() -> Lexicon:
    """All words that mean something in a fight."""
    words = Lexicon(GLUE, MORE)
    for letter, name in ({"K": "allies", "O": "out_of_action"} | ATTRIBUTES).items():
        for phrase in _field_words().get(name, ()):
            if phrase != "gang up":
                # A verb: it counts nobody.
                words.add(letter, phrase)
    for phrase in _GIVEN_BACK.split("|"):
        words.add("r", phrase)
    return words


_GIVEN_BACK = "roll|rolled|rolls|threw"
"Field words that are verbs: they stand before a number as verbs do."


def _field_words() -> dict[str, tuple[str, ...]]:
    """The words of the fields of an Assault and of recruiting, by name."""
    found: dict[str, tuple[str, ...]] = {}

    def walk(fields: tuple[Field, ...]) -> None:
        for field in fields:
            found.setdefault(field.name, field.words)
            walk(field.fields)

    walk(ASSAULT.given)
    walk(ASSAULT.result)
    walk(RECRUIT.given)
    return found


_PLAINER = [(re.compile(pattern, re.I), plainer) for pattern, plainer in TABLES["plainer"]]
"What is written -> what it stands for, in this order."


def words(*tables: str) -> re.Pattern[str]:
    """A pattern that finds the words of a table, or what stands in others with where it stands."""
    whole, *others = ("|".join(TABLES[table]) for table in tables)
    return re.compile("|".join([rf"\b(?:{whole})\b", *others]))


_OF_US = re.compile(r"\b(?<!the )(?<!of )(three|four|five|six|[3-6]) of us\b", re.I)
_SHORT = re.compile(r"\b([MWE])(?:=|: ?)?(?=\d{1,2}\b)")
_LONG = {"M": "Might ", "W": "Ward ", "E": "Endurance "}
_LEGEND = re.compile(
    r"(?<!\d )\b[a-z]+[a-z0-9]*(?: ?/ ?[a-z]\w*)+(?! ?\d)|\b[a-z]\w*(?:(?: ?-|,) ?[a-z]\w*){2,}(?! ?\d)", re.I
)
_COLUMNS = re.compile(r"\s*:?\s*(?<![\d/-])\b(\d+(?: ?/ ?\d+)+|\d+(?: ?- ?\d+){2,})(?![/\d-])")
_COLUMN = {"m": "might", "w": "ward", "e": "endurance", "d": "die", "r": "die", "roll": "die", "rolled": "die"}


def written_out(text: str) -> str:
    """`me 5/0/6 (die/might/endurance)` as `me: die 5 might 0 endurance 6`; `M2` as `Might 2`."""
    text = _SHORT.sub(lambda match: _LONG[match[1]], text)
    text = _OF_US.sub(lambda many: f"I and {(NUMBER_WORDS.get(many[1].casefold()) or int(many[1])) - 1} allies", text)
    for pattern, plainer in _PLAINER:
        text = pattern.sub(plainer, text)
    columns = [re.findall(r"\d+", numbers) for numbers in _COLUMNS.findall(text)]
    for legend in _LEGEND.finditer(text) if len(columns) > 1 else ():
        names = [_COLUMN.get(name, name) for name in re.findall(r"\w+", legend.group().casefold())]
        letters = [(lexicon().match([name], 0) or ("", 0))[0] for name in names]
        if (
            len(set(letters)) == len(letters)
            and set(letters) <= set("MWERT")
            and {len(names)} == set(map(len, columns))
        ):
            rest = text.replace(legend.group(), " ", 1)
            for row in reversed(list(_COLUMNS.finditer(rest))):
                cells = " ".join(map(" ".join, zip(names, re.findall(r"\d+", row[1]), strict=True)))
                rest = f"{rest[: row.start()]}: {cells}{rest[row.end() :]}"
            return rest
    return text
