"""Book of Ordeals: where a question asks, and its asking clauses in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.reading.ordeals.words import ATTRIBUTES
from kb.reading.scene import Clause, Item, Scene

QUANTITY = (
    r"(?:how (?:much|many|big|hard|bad|badly|high|far|large)|what|whats|what's|wot|wat|which|where|number of|"
    r"amount of|how)"
)
AUXILIARY = (
    r"(?:do|does|did|is|isn't|isnt|are|aren't|am|was|were|can|could|may|will|would|has|have|had|doesn't|don't|didn't|"
    r"won't)"
)
LEAD = (
    r"^(?:(?:and|but|so|ok|okay|then|well|now|hey|please|also|max|maximum|most|total|or|hi|hello|in that case|i mean|"
    r"you think|if so|if not) )*"
)
_STARTS = re.compile(
    rf"{LEAD}(?:{QUANTITY}|(?:by|on|with|at) (?:how|what)|who(?! (?:has|had|is|was|rolled|rolls|got|wears|attacks|"
    rf"attacked|charged|threw)\b)|who's|whos|"
    r"max\w* (?:number|total|assaults|deeds|attacks|swings|hits|strikes))\b"
)
_INSIDE = re.compile(
    r"(?:\b(?:and|but|so|then)|=|:|\d) (?:how|what|whats|what's|who|where|by how)\b|\bhow (?:much|many)\b|\bby how\b|"
    r"\bneed what\b"
)
_SOMEBODY = (
    r"(?:@\w+|it|that|this|there|any|anybody|anyone|somebody|either|both|we|winning|beating|losing|damage|hit|blow|"
    r"strike|difference|harm|total)"
)
INVERTED = re.compile(
    rf"{LEAD}(?:{AUXILIARY} {_SOMEBODY}\b|(?:do|does|did|can|would|will|is|are) \d+ |any\b)|\b(?:does|do|did|is|are|"
    rf"am|will|would|can|could|may) @\w+ "
)
WANTS = re.compile(
    r"(?:@\w+ )?(?:would )?\b(?:need|want|like|love|trying) to (?:know|work out|figure out)\b|\btell @?\w+\b|"
    r"^(?:calculate|compute|work out|figure out)\b|\bplease(?: [:=].*)?$|\bpls\b"
)
_BARE = re.compile(
    r"\b(?:endurance|harm|damage|total|difference|bonus|bonuses|dead|out|out of action|alive|standing|survives?|"
    r"survived|lose|loses|lost|survive|die|dies|beat|beats|up|kill|lowest|highest|minimum|killed|gone|winner|win|wins|"
    r"won|tie|draw|hurt|hurts|remaining|left|down|number|now|still|through|push|free|engaged|result)\b"
)
_NAMES = re.compile(
    rf"{LEAD}(?:@\w+ )?(?:highest |biggest |best |most |worst |hardest )?(?:possible )?(?:"
    r"(?:total |net |final |whole )?(?:harm|damage|endurance|bonus|difference|score|total)(?: \w+)? "
    r"(?:from|after|of|for|if|when|to|on|with|in|@\w+ (?:has|have|can|"
    r"could|takes?|deals?|left))|(?:highest|lowest|best|worst|biggest|max|maximum|min|minimum) (?:possible )?total)\b"
)
"`total Harm from two hits of 3`"
_RESULT = re.compile(
    r"[:=] (?:total|harm|damage|endurance|difference)(?: (?:on|to|for) @\w+| is| =| left| now)?$|"
    r"\btotal (?:is|=)$|(?:=|equals|makes)$"
)
"What comes of the numbers told before."
SHORT = 5
"A clause of fewer items may ask by its noun alone."
_ATTENTION = re.compile(
    r"^(?:please|help|hi|hello|hey|thanks|thank you|question|quick question|so|ok|okay|lol|thoughts|anyone|"
    r"guys)(?: (?:help|please|all|guys|there))*$"
)
_TAG = re.compile(
    r"(?:right|correct|yes|yeah|no|eh|innit|huh|true|(?:is|are|am|do|does|did|was)(?:n't|nt)? (?:@\w+|it|"
    r"that)(?: not)?)"
)
"`…, right?` asks what stands before it."
_DROPPED = frozenset("a an the my our his her its their that this".split())
_SURE = 0.2
"A pronoun whose two meanings are nearer than this means nobody for sure."
_IT_DOES = frozenset(
    "take takes have has had survive survives die dies lose loses get gets go goes win wins dead out alive still down "
    "killed left suffer suffers need end roll rolled deal deals endurance might ward standing gone on at with knocked "
    "taken 's".split()
)
_TO_IT = frozenset("kill kills killed beat beats push pushes hurt hurts to on for finish drop take against".split())


def plain(clause: Clause) -> str:
    """A clause with parties as `@me` and attributes by their names, as the patterns have them."""
    items = [item for item in clause.items if item.tag != "a" or item.text not in _DROPPED]
    return " ".join(_word(items, at) for at in range(len(items)))


def _word(items: Sequence[Item], at: int) -> str:
    item = items[at]
    if item.tag == "P":
        return _mention(items, at)
    if item.tag in ATTRIBUTES and item.tag != "R" and not item.text.endswith((" of", " for", "hurt")):
        return ATTRIBUTES[item.tag]
    return "bonus" if item.tag == "B" else item.text


def _mention(items: Sequence[Item], at: int) -> str:
    """`@me`; `@one` where it may be either; `it` where that means nobody (`how much is it`)."""
    item = items[at]
    if item.text == "it":
        after = items[at + 1].text.split()[0] if at + 1 < len(items) else ""
        before = items[at - 1].text.split()[0] if at else ""
        if after not in _IT_DOES and before not in _TO_IT:
            return "it"
    sure = len(item.parties) < 2 or item.parties[1][1] - item.parties[0][1] >= _SURE
    return "@" + (item.party or "one").replace(" ", "_") if sure else "@one"


def asking(scene: Scene) -> list[int]:
    """Places of the clauses that ask: in the sentences with a question mark; without any, in the last one."""
    marked = {clause.sentence for clause in scene.clauses if "?" in clause.mark}
    last = scene.clauses[-1].sentence if scene.clauses else 0
    found = []
    for number, clause in enumerate(scene.clauses):
        text = plain(clause)
        before = scene.clauses[number - 1] if number else clause
        if _TAG.fullmatch(text) and "?" in clause.mark and number and before.sentence == clause.sentence:
            found.append(number - 1)
        elif WANTS.search(text) and _BARE.search(text) and not marked:
            found.append(number)
        else:
            may = clause.sentence in (marked or {last})
            may = may or _asks_unmarked(clause, text, number == 0 and not marked, last, _alone(scene, clause))
            if may and _asks(text, clause, _ends(scene, number)):
                found.append(number)
    if not found and scene.clauses and not marked:
        # `Harm on me: 16 against 9`
        first = scene.clauses[0]
        if _NAMES.match(plain(first)) or (
            "N" not in first.tags and len(first.items) < SHORT and _BARE.search(plain(first))
        ):
            found.append(0)
    return found


def _asks_unmarked(clause: Clause, text: str, opens: bool, last: int, alone: bool) -> bool:
    """`is he dead, he had 3 left. i rolled 9`; `dead? wounds left`"""
    if _STARTS.search(text):
        return True
    ends = clause.sentence == last and alone
    if (opens or ends) and re.match(rf"{LEAD}{AUXILIARY} {_SOMEBODY}", text):
        return True
    return (
        ends and "N" not in clause.tags and len(clause.items) < SHORT and bool(_BARE.search(text) or "q" in clause.tags)
    )


def _alone(scene: Scene, clause: Clause) -> bool:
    """Whether the clause is its whole sentence."""
    return sum(each.sentence == clause.sentence for each in scene.clauses) == 1


def _ends(scene: Scene, number: int) -> bool:
    """Whether the sentence ends here, but for something in parentheses."""
    here = scene.clauses[number]
    rest = [clause for clause in scene.clauses[number + 1 :] if clause.sentence == here.sentence]
    return not rest or (here.mark.startswith("(") and ")" in rest[-1].mark)


def _asks(text: str, clause: Clause, last: bool) -> bool:
    if _STARTS.search(text) or INVERTED.search(text) or _INSIDE.search(text):
        return True
    if clause.tags.startswith("n"):
        # `…, no other bonuses?` tells.
        return False
    if re.match(rf"{LEAD}{AUXILIARY}\b", text) and not re.match(r"have|had|will|did", text) and "?" in clause.mark:
        return True
    if (last or (clause.first == 0 and "N" not in clause.tags)) and _NAMES.match(text):
        return True
    if last and _RESULT.search(text):
        return True
    # `…, full health` tells.
    return (
        last
        and not re.match(r"a*d+E$", clause.tags)
        and ("N" not in clause.tags or "?" in clause.mark)
        and bool(_BARE.search(text))
    )


def parts(text: str) -> Iterator[str]:
    """`is it out and what's its endurance` is two questions."""
    pieces = re.split(
        r" (?:and|&|or|plus) (?=(?:endurance left|endurance after|how|on how|with how|on what|at what|with what|what|"
        r"whats|what's|who|by how|by what|where|when|why|is|am|are|do|does|can|may|in|if)\b)",
        text,
    )
    yield from (piece for piece in pieces if piece and not _ATTENTION.match(piece))
