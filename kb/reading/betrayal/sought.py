"""Which stat brings something about: `how much Magicka do I need to hit it` is tried with one value after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.reading.situation import Reader, Situation
from kb.reading.trying import outcome, picked

STATS = {"stam": "Stamina", "stamina": "Stamina", "magicka": "Magicka", "cooldown": "Cooldown", "range": "range"}
STAT = r"\b(?P<stat>stam(?:ina)?|magicka|cooldown|range)\b(?! (?:dice|die)\b)"
SOUGHT = re.compile(
    r"\b(?:how (?:much|many|high|big|large)|what(?:'?s| is)?|which|min(?:imum)?|least|lowest)"
    r"(?: (?:hexes of|of|an?|the|my|must|does|is|minimum|min|least|lowest|smallest|magic|form|form's))* "
    + STAT
    + r"[^?.!\n]*?"
    r"(?:\b(?:need\w*|requir\w*|takes?|necessary|enough|must i have|be|for (?:that|this|it))\b(?: at least)?|"
    r"(?= (?:for|to)\b))"
    r"(?: (?:to|for|if|so that i can|in order to) (?P<deed>[^?!\n]*))?",
    re.I,
)
LEAST = re.compile(r"\b(?:min(?:imum)?|least|lowest|smallest) " + STAT + r"(?P<deed>(?=\W*$))", re.I)
ENDS = ("Can I {}?", "Can I roll {}?", "Can I roll them?", "Can I move that far?", "In range?", "Is the track empty?")
"What is asked of each value instead; `{}` is what it is needed for."
MOST = 30


def read_sought(text: str, readers: Sequence[Reader]) -> Situation | None:
    """The least value of a stat with which what is told is allowed."""
    match = SOUGHT.search(text) or LEAST.search(text)
    if match is None or re.search(rf"\b{match['stat']}\W+(?:\w+ ){{0,2}}\d|\b(?:pay|spend|lose)\b", text, re.I):
        return None
    stat, deed = STATS[match["stat"].casefold()], (match["deed"] or "").strip(" .,")
    before, after = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ?.!")
    for end in ENDS:
        facts = [before, after, *([] if "{}" in end else [deed])]
        if deed or "{}" not in end:
            told = ". ".join(each for each in facts if each)
            if found := _tried(f"{told}. {stat} {{}}. {end.format(deed)}", stat, readers):
                return found
    return None


def _tried(asked: str, stat: str, readers: Sequence[Reader]) -> Situation | None:
    """The question put with every value, as long as every reading of it comes to yes or no."""
    tried, deciding = {}, ""
    for value in range(MOST):
        text = asked.replace("{}", str(value))
        situation = next((found for reader in readers if (found := reader(text))), None)
        judged = outcome(situation) if situation and not situation.missing else None
        if situation is None or judged is None or judged.verdict is None:
            return None
        tried[value] = situation, judged.verdict == "yes"
        deciding = judged.deciding or deciding
    return picked(tried, "least", stat, deciding)
