"""Eldfall Chronicles: what a model has in hand, which State it is in, and where it stands, as players say it."""

from __future__ import annotations

import re

MELEE = (
    r"swords?|longswords?|broadswords?|greatswords?|shortswords?|sabres?|sabers?|scimitars?|rapiers?|katanas?|axes?|"
    r"battleaxes?|"
    r"greataxes?|daggers?|knife|knives|blades?|spears?|lances?|pikes?|halberds?|glaives?|polearms?|maces?|hammers?|"
    r"warhammers?|"
    r"mauls?|clubs?|flails?|morning ?stars?|machetes?|cleavers?|tridents?|melee weapons?|hand weapons?"
)
RANGED = (
    r"bows?|longbows?|shortbows?|crossbows?|slings?|rifles?|muskets?|pistols?|guns?|blowguns?|blowpipes?|"
    r"ranged weapons?|"
    r"javelins? thrower"
)
IN_HAND: dict[str, str] = {
    "melee": rf"\b(?:{MELEE})\b",
    "ranged": rf"\b(?:{RANGED})\b|\b(?:shooting|firing|ranged attack)\b",
    "unarmed": r"\b(?:unarmed|bare(?: |-)?(?:hands?|handed|fists?|knuckles?)|fists?|punch\w*|naked hands)\b",
    "spell": r"\b(?:flare|spells?|casting|magic only)\b",
    "none": r"\b(?:no (?:melee )?weapons?|without (?:any |a )?(?:melee )?weapons?|empty(?: |-)?hand\w*|"
    r"nothing in (?:his |her |its |their )?hands?|"
    r"with nothing|weaponless|hands? (?:are )?empty)\b",
}
"What is in hand -> how it is said."
STATES: dict[str, str] = {
    "incapacitated": r"\b(?:incapacitated|knocked out|ko'?d|downed|out cold|unconscious)\b",
    "petrified": r"\b(?:petrified|turned to stone|stoned)\b",
    "crouched": r"\b(?:crouched|crouching)\b",
    "dead": r"\b(?:dead|killed|slain)\b",
}
ACCESSORY = re.compile(
    r"\bchanra(?:'s)?\b|\baccessor\w+ (?:that|which) (?:says|can|lets|explicitly)\b.*\bengage|\bthat (?:says|"
    r"can) .*\bengage"
)
PUT_AWAY = re.compile(
    r"\b(?:sheathed|stowed|scabbards?|belts?|hips?|backs?|holster\w*|put away|own(?:s|ed)?|swapped|dropped|broken|"
    r"lost|carr\w+|switch\w*|slung)\b"
)
"Then what is named is not what is in hand, or it is not clear."
NEAR = re.compile(
    r"\b(?:in (?:each other's |my |his |its |their |melee )?(?:weapon )?reach|within (?:\w+ )?reach|near enough|"
    r"close enough|next to|adjacent|"
    r"base(?: |-)?to(?: |-)?base|base(?: |-)?contact|touch\w*|surround\w*|around (?:me|him|her|it|my)|beside|"
    r"standing by)\b"
)
FAR = re.compile(
    r"\b(?:out of|outside|beyond|not in|not within|too far|far away|across the board|leaves?|left|away from)\b"
)


def kinds(text: str) -> list[str]:
    """What a stretch of words says is in hand, each kind once; `no weapon` is no weapon."""
    found = [kind for kind in ("none", "unarmed", "spell", "ranged") if re.search(IN_HAND[kind], text)]
    bare = re.sub(IN_HAND["none"], " ", text)
    if re.search(IN_HAND["melee"], bare) and not re.search(rf"\b(?:no|without|isn't a|not a) (?:{MELEE})\b", bare):
        found.append("melee")
    return found


def states(text: str) -> list[str]:
    return [state for state, pattern in STATES.items() if re.search(pattern, text)]
