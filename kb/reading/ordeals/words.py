"""Book of Ordeals: the words of a fight. Those of the numbers come from the procedures' own fields."""

from __future__ import annotations

from functools import cache

from kb.engine.fields import Field
from kb.engine.ordeals.assault import ASSAULT
from kb.engine.ordeals.counting import RECRUIT
from kb.reading.scene import GLUE, Lexicon

ATTRIBUTES = {
    "M": "might",
    "W": "ward",
    "E": "endurance",
    "R": "roll",
    "T": "total",
    "D": "damage",
    "H": "harm",
    "G": "difference",
    "F": "damage_modifier",
    "S": "supplies",
}
"Letter -> what a number by it counts."
MORE = {
    "=": "going to be|came out at|comes out at|came out as|came out to|come out at",
    ".": "end up|ends up|ended up",
    "a": "so far|might included|mights included|including might|might and all|flat|bare|straight|raw|unmodified|"
    "natural",
    "M": "mights|str|combat skill",
    "W": "wards|armored|armoured|damage reduction|dr|soaks|mail|plate|plates|chainmail|leather|hauberk",
    "E": "endurances|hit point|lifes|lives|end|hps",
    "R": "die roll|dice roll|die rolls|dice rolls|d 12|dices|roll result|rolled die|d12 roll",
    "T": "total|totals|totalled|totaled|totalling|altogether|in total|in all|sum|sums|all told|all in|overall|"
    "final result|final score|end result|all up|all together|grand total",
    "D": "hits of|hits for|hit of|blows of|blow of|damage|damages|dam|damage points",
    "H": "harm|harms|net damage|damage taken|damage suffered|points of harm",
    "G": "difference|differences|margins|margin|gap|lead",
    "B": "bonus|bonuses|modifier|modifiers",
    "S": "supply|supplys",
    "F": "additional damage|damage bonus|points of extra damage|damage mod",
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
    "l": "lose|loses|lost|losing|loose|looses|beaten|am beaten|is beaten|was beaten|got beaten|get beaten|gets beaten|"
    "getting beaten|were beaten|been beaten|got beat|get beat|gets beat|getting beat|was beat|got outrolled",
    "t": "take|takes|took|taking|taken|suffer|suffers|suffered|suffering|receive|receives|received|eat|eats|ate|"
    "sustain|sustains|sustained|absorbed|cop|copped|catch|catches|caught",
    "g": "deal|deals|dealt|dealing|do|does|did|done|doing|inflict|inflicts|inflicted|cause|causes|caused|dish out|"
    "dishes out|dished out|land|lands|landed for",
    "K": "pal of mine|friend of mine|buddy of mine|mate of mine|ally of mine|pals of mine|friends of mine|"
    "buddies of mine|mates of mine|allies of mine|ally|allies|friend|friends|buddy|buddies|pal|pals|mate|mates|"
    "companion|companions|comrade|comrades|teammate|teammates|helper|helpers|supporter|supporters|team mates|team mate|"
    "allied characters|allied character|allied models|allied model|friendlies|friendly models|friendly model|friendly|"
    "of my guys|of my men|of my models|of my minis|of my other guys|of my dudes|of my others|of mine|more of my guys|"
    "other models of mine|more guys of mine|guys of mine|bros|chums|chum|bro|homies|sidekick|sidekicks|warband mates|"
    "other guys of mine",
    "Z": "deed|deeds|action|actions",
    "i": "inch|inches|cm|in away|pm|minutes|mins|hours|beers|beer|years|players|people|weeks|days|pizzas|half an inch|"
    "half inch|an inch|quarter inch|dollars|euros|bucks|percent|%|year olds|times ago|drinks|oclock|o'clock",
    "o": "last|first one|second one|third one",
    "d": "default|standard|basic|normal|regular|plain|stock|bog standard|vanilla|ordinary|usual|full|unhurt|fresh|"
    "unwounded|untouched|undamaged|unharmed|healthy|max|maximum|starting|bog",
    "O": "out of action|dead|die|dies|died|killed|kill|kills|slain|knocked out|taken out|take out|takes out|took out|"
    "down|downed|gone|finished|a goner|goner|ko|out|drop|drops|dropped|removed|toast|eliminated|one shot|one shots|"
    "oneshot|one shotted|finish off|perish|"
    "perishes|go down|goes down|bite the dust|bites the dust|defeat for good|slay|slays|finish|off the board",
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
    for letter, name in ATTRIBUTES.items():
        for phrase in _field_words().get(name, ()):
            words.add(letter, " ".join(phrase.split()))
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
