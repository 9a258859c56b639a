"""Book of Ordeals: turns of phrase that are written out in plainer words before a question is read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.reading.ordeals.words import lexicon
from kb.reading.tokens import NUMBER_WORDS

PLAINER = {
    r"(?:['’]ve|(?<=\bi)ve| have| has| had) beaten\b": " beat",
    r"\b(?:at least|even|just) (?:1|one|a)(?: single)?(?: points?(?: of)?)? (?=(?:harm|damage|dmg)\b)": "any ",
    r"\b(each|every) single (?=time|exchange|hit|blow|round|win)": r"\1 ",
    r"\b(?:12|twelve)[- ]?sid(?:er|ed)(?: die| dice)?\b": "d12",
    r"\b(?:the |all )*(?:12|twelve) (?=(?:possible |different )?(?:faces|numbers|sides|results|rolls)\b)": "the ",
    # `the lowest die of mine`, `a 12 of mine`
    r"\b(?:the |an? )?(die|dice|rolls?|throws?|numbers?|total|score|might|ward|d12|(?<=\ba )\d+) of mine\b": r"my \1",
    r"\b(?:the |an? )?(die|dice|roll|throw|number|total|score|might|ward|d12) of his\b": r"his \1",
    r"\ball (?=(?:of )?(?:my |his |her |its |the )?(?:\d+|[a-z]+) (?:endurance|hp|health|lives|life|wounds)\b)": "",
    r"\bof the (?:two|2)(?= (?:after|now|then|at)|\W*$|[?.,;])": "of both",
    # `I roll... 3`
    r"(?<=[a-z])\s*(?:\.{2,}|…)\s*(?=\d+\b)": " ",
    # `two of my other dwarves`
    r"\b(?:(one|two|three|four|five|\d+) of (?:my|our) other|(two|three|four|five|[2-9]) of (?:my|our)) (?!(?:deed|"
    r"action|assault|attack|roll|hit|exchange|fight|turn|act|point|blow|swing|wound|wins?|hp)s?\b)"
    r"[a-z]+(?:s|men|folk)\b": r"my \1\2 allies",
    r"\b(?:lone|sole|solitary) (?=point\b)": "1 ",
    r"\bbase (?=\d)": "might ",
    # The noun, no verb.
    r"\b(the|my|his|her|its|their|each|(?:me|him|them)(?= die:? ?\d)) die\b": r"\1 d12",
}
"What is written -> what it stands for, in this order."
_PLAINER = [(re.compile(pattern, re.I), plainer) for pattern, plainer in PLAINER.items()]
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
                rest = f"{rest[: row.start()]}: {_row(names, re.findall('[0-9]+', row[1]))}{rest[row.end() :]}"
            return rest
    return text


def _row(names: Sequence[str], numbers: Sequence[str]) -> str:
    return " ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))
