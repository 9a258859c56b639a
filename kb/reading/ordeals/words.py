"""Book of Ordeals: the words of a fight, those of the numbers from the procedures' own fields, and plainer words."""

from __future__ import annotations

import re
from functools import cache

from kb.engine.fields import Field
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.counting import RECRUIT
from kb.reading.scene import GLUE, Lexicon
from kb.reading.tokens import NUMBER_WORDS

_COUNTED = "might ward endurance roll total damage harm difference damage_modifier supplies"
ATTRIBUTES = dict(zip("MWERTDHGFS", _COUNTED.split(), strict=True))
"Letter -> what a number by it counts."
MORE = {
    "=": "going to be|came out at|comes out at|came out as|came out to|come out at",
    ".": "end up|ends up|ended up",
    "a": "so far|might included|mights included|including might|include might|"
    "includes might|already include might|might is included|might is in|might already in|"
    "might and all|flat|bare|straight|raw|unmodified|"
    "natural",
    "T": "total|totals|totalled|totaled|totalling|altogether|in total|in all|sum|sums|all told|all in|overall|"
    "final result|final score|end result|all up|all together|grand total",
    "G": "difference|differences|margins|margin|gap|lead",
    "H": "harm taken|harm suffered|harm received|harm done",
    "B": "bonus|bonuses|modifier|modifiers",
    "r": "rolled|rolls|roll|rolling|threw|throws|throw|throwing|thrown|got|gets|get|getting|scored|scores|score|show|"
    "shows|showed|showing|gave|gives|came|tied at|tied on|tie at|tie on|drew at|came up|comes up|come up|landed|"
    "landed on|lands on|turned up|managed|manages|made|makes|comes up with|came up with|rolled up",
    "A": "attack|attacks|attacked|attacking|assault|assaults|assaulted|assaulting|hit|hits|hitting|swing|swings|swung|"
    "swinging|strike|strikes|struck|striking|smack|smacks|smacked|stab|stabs|stabbed|punch|punches|punched|bash|bashes|"
    "bashed|slash|slashes|slashed|fight|fights|fought|fighting|lunge|lunges|lunged|whack|whacks|whacked|defend|defends|"
    "defended|defending|clobber|clobbers|clobbered|bite|bites|bit|poke|pokes|poked|kick|kicks|kicked|jump|jumps|jumped|"
    "jab|jabs|jabbed|thrust|thrusts|hack|hacks|hacked|cleave|cleaves|cleaved|batter|batters|battered|thump|thumps|"
    "thumped|whomp|whomps|clout|clouts|clouted|smash|smashes|smashed|chop|chops|chopped|bonk|bonks|bonked|engage|"
    "engages|attacc",
    "C": "charge|charges|charged|charging",
    "w": "win|wins|won|winning|beat|beats|beating|defeat|defeats|defeated|outroll|outrolls|outrolled|best|bests|"
    "bested|top|tops|topped|outdo|outdoes|outdid",
    "l": "lose|loses|lost|losing|loss|losses|"
    "loose|looses|beaten|am beaten|is beaten|was beaten|got beaten|get beaten|gets beaten|"
    "getting beaten|were beaten|been beaten|got beat|get beat|gets beat|getting beat|was beat|got outrolled",
    "t": "take|takes|took|taking|taken|suffer|suffers|suffered|suffering|receive|receives|received|eat|eats|ate|"
    "sustain|sustains|sustained|absorbed|cop|copped|catch|catches|caught",
    "g": "deal|deals|dealt|dealing|do|does|did|done|doing|inflict|inflicts|inflicted|cause|causes|caused|dish out|"
    "dishes out|dished out|land|lands|landed for",
    "Z": "deed|deeds|action|actions",
    "i": "inch|inches|cm|in away|pm|minutes|mins|hours|beers|beer|years|players|people|weeks|days|pizzas|half an inch|"
    "half inch|an inch|quarter inch|dollars|euros|bucks|percent|%|year olds|times ago|drinks|oclock|o'clock",
    "o": "last|first one|second one|third one",
    "d": "default|standard|basic|normal|regular|plain|stock|bog standard|vanilla|ordinary|usual|full|unhurt|fresh|"
    "unwounded|untouched|undamaged|unharmed|healthy|max|maximum|starting|bog",
    "L": "survive|survives|survived|alive|still standing|still up|still in|on his feet|on its feet|on her feet|"
    "on my feet|live|lives on|stay up|make it|makes it|in the game|active|in play|standing|hang on|hangs on",
    "e": "left|remaining|remain|remains|left over|leftover",
    "z": "once|twice|thrice|times",
    "x": "one after another|one after the other|one exchange|one blow|one assault|one act|one turn|one go|one deed|"
    "one swing|that one|this one|the one|one who|one another|one and the same|one thing|no idea|any one|one single|"
    "as one|one side|one more time|one question",
    "2": "a couple of|a pair of|couple of|pair of|a couple|a pair|couple|pair",
    "c": "started|starting|down to|reduced to|dropped to|dropped down to|down at|knocked down to|start on|start at|"
    "starts on|starts at|started on|started at|starting on|starting at|starting from|begin on|begin at|begins on|"
    "begins at|began on|began at",
    "k": "in a row|exchange|exchanges|scraps|bouts|bout|skirmishes|blows|blow|hits in a row|rounds|clashes|"
    "wounds in a row",
}
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


PLAINER = {
    r"\b(endurance|hp|health) (?:minus|less|-) (?=(?:\d+|[a-z]+) (?:harm|damage|dmg)\b)": r"\1, ",
    r"\b(before|until|till|when|does|do|will|would|can|could) (i|he|she|it|they|we) die\b": r"\1 \2 dies",
    r"\b(where (?:do|are|did|will)) we\b|\bwhere (?:does|did) (?:that|this|it) leave us\b": "where are we both",
    r"^(?!.*modifier.*modifier)(.*)\b(?:before|without|ignoring) (?:any |other )*modifiers?\b": r"\1",
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
    r"(?:[a-z]+(?:s|men|folk)|lot|crew|gang|band|squad|team|people)\b": r"my \1\2 allies",
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
                cells = " ".join(map(" ".join, zip(names, re.findall(r"\d+", row[1]), strict=True)))
                rest = f"{rest[: row.start()]}: {cells}{rest[row.end() :]}"
            return rest
    return text
