"""How players of Betrayal of the Second Era say things: the words of the engine's own fields, and further ones.

A concept is named as the field that it fills, so that a number bound to a concept fills that field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from kb.engine.plugins import procedure
from kb.reading.counts import Grammar, Told, take_apart
from kb.reading.marks import Lexicon, phrases
from kb.yamlfile import read_yaml

FIELDS = {
    "betrayal.fatigue.engage_actions": "engage",
    "betrayal.engages_for_fatigue.light_fatigue": "fatigue",
    "betrayal.gather.stamina": "stamina",
    "betrayal.gather.magicka": "magicka",
    "betrayal.dice_limits.stamina_dice": "stamina_dice",
    "betrayal.dice_limits.magicka_dice": "magicka_dice",
    "betrayal.dice_limits.free_dice": "free_dice",
    "betrayal.weapons.matching_ready": "weapon",
    "betrayal.target.hexes_between": "between",
    "betrayal.target.range": "range",
    "betrayal.cooldown.cooldown": "cooldown",
    "betrayal.exhaust.exhausted": "exhausted",
    "betrayal.tenacity.showing": "tenacity",
}
"`procedure.field` -> concept: the field's words mean the concept."
NOT_BY_THESE = frozenset(
    "hit hits strike strikes swing swings times between then before after first next track cooldown reaches "
    "reach".split()
)
"Words of those fields that say too little by themselves; the table below says when they do."

WORDS: Mapping[str, str] = read_yaml(Path(__file__).with_suffix(".yaml"))
"Concept -> phrases divided by `|`."

NOUNS = frozenset(
    "engage hit move free_move turn fatigue free_dice combat_dice stamina_dice magicka_dice named_dice dice "
    "stamina magicka weapon kind target person unit between distance hexes tiles near_tile damage tenacity "
    "icon no_icon position days hp item defense adventurer companion rest".split()
)
STATS = frozenset("stamina magicka range distance cooldown defense between damage hp fatigue tenacity within".split())
AMOUNTS = frozenset("damage hp fatigue tenacity".split())
EVENTS = frozenset("engage hit move rest".split())
SCENERY = frozenset(
    "break throw leave kind unit person deal roll pooled limit this_turn battle no_ability price again "
    "get_away resolve in_hand open turn position target toward stay too_many next_to limited occupied".split()
)
"Concepts that change no outcome by themselves where a reader has no use for them."
GRAMMAR = Grammar(
    NOUNS | {"throw"},
    STATS,
    EVENTS,
    AMOUNTS,
    strangers=frozenset("foreign danger item".split()),
    adjectives=frozenset(
        "roll expert normal available unresolved ability occupied magic_form defensive_form other_form icon "
        "no_icon".split()
    ),
    counted={"combat": "combat_dice", "staff": "magicka_dice", "destruction": "magicka_dice"},
)


IDLE = re.compile(
    r"\b(?:little|tiny|fat|stupid|damn|bloody|lousy|puny|mighty|sweet|juicy|nasty|poor|ugly|lovely|whopping|mere|"
    r"freaking|silly|old|solid) (?!ones?\b)|"
    r"\(?\bmax(?:imum)?(?: hp)? (?:is|are|being) (?:\w+ )?(?:above|higher|more|bigger)\)?|"
    r"(?<![^.?!] )\binstead of (?:an?|one|my|the) (?:[a-z]+ ){1,3}?(?=(?:i|we|he|she|they|you)\b)",
    re.I,
)
"Words that say nothing of what is reckoned."
NUMBERED = re.compile(r"\b(?:in|for|on|during|of) (?:engage|attack|fight) (?=\d\b)|\b(?:engage|attack) (?=\d ?:)", re.I)
"`engage 1: …`, `in engage 2`: which one, not how many."


ALL = re.compile(r"\bas many ((?:\w+ ){1,3}?)as (?:is |are |i )?(?:allowed|possible|permitted|can|may)\b", re.I)
"`as many Stamina dice as allowed`: asks nothing."


def _entries() -> Iterator[tuple[str, str]]:
    for phrase, concept in phrases(WORDS):
        parts = [part.split("/") if len(part) > 1 else [part] for part in phrase.split()]
        yield from ((" ".join(choice).replace("_", " ").replace("~", " "), concept) for choice in product(*parts))
    for path, concept in FIELDS.items():
        name, _, last = path.rpartition(".")
        words = next(each.words for each in procedure(name).given if each.name == last)
        yield from ((word, concept) for word in words if word not in NOT_BY_THESE)


@cache
def lexicon() -> Lexicon:
    """The words of this game's questions."""
    return Lexicon(_entries())


@lru_cache(maxsize=8)
def tell(text: str) -> Told:
    """The question, taken apart."""
    return take_apart(NUMBERED.sub(r"\g<0>#", IDLE.sub("", ALL.sub(r"all my \1", text))), lexicon(), GRAMMAR)
