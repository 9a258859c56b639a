"""Book of Ordeals: which number a question looks for, and what it has to bring about (`the lowest roll that kills`)."""

from __future__ import annotations

import re

from kb.reading.ordeals.asked import Asked, Unknown
from kb.reading.ordeals.asking import plain
from kb.reading.ordeals.words import TABLES
from kb.reading.scene import Scene

_NEEDS = (
    r"(?:need\w*|must|ha(?:ve|s|d)(?: \S+){0,2} to|gotta|got to|requir\w*|takes? to|should|lets? @\w+|"
    r"(?:be|is|are) enough)"
)
_LEAST = r"(?:lowest|least|min(?:imum|imal)?|smallest|from (?:which|what)|how low|how much more|fewest)"
_MOST = (
    r"(?:highest|most|max(?:imum|imal)?|biggest|greatest|largest|"
    r"(?:how (?:high|much|far)|(?:what|which) difference)(?= (?:can|may|could)\b))"
)
_ROLL = r"(?:roll\w*|die|dice|d12|number|throw\w*|score\w*)"
_BLOW = r"(?:hit|blow|exchange|win|loss|attack|swing|strike|round|bout|assault|fight)(?:e?s)?"
_NOT = r"(?:not|\w+n't|dont|doesnt|wont|without|never)"


NOUNS, GOALS = (
    {kind: re.compile(rf"\b(?:{'|'.join(each)})\b") for kind, each in TABLES[table].items()}
    for table in ("sought", "goals")
)
"What may be looked for, where it is asked, and what has to come about, the more particular first."
BOUNDS = re.compile(
    r"\b(?:at (?:the )?(?:very )?(?:least|most|minimum)|or more|or better|or higher|minimum|max(?:imum)?|need\w*|"
    r"(?<!\d )(?<!one )(?<!two )(?<!three )(?:extra|additional|more)(?= might))\b",
    re.I,
)
"Of a number that is looked for these bound nothing that is told."
_THAT_DOES = re.compile(
    rf"\b(?:how much|what|which|how many \w+ of) (?:harm|damage) (?:kills?|drops?|finish\w*|slays?)\b|"
    rf"\b(?:{_ROLL}|margin|difference|(?:what|which|how much) (?:ward|might)) (?:(?:that |which )?"
    r"(?:beats?|wins?|kills?|finish\w*|takes?|drops?|hurts?|gets?|gives?|makes?|does)|where|at which|with which)\b"
)
_NOT_A_TIE = re.compile(rf"\b(?:and |but )?(?:{_NOT}|no) (?:just |only |merely )?(?:a |to )?(?:tie|draw)\w*")
WHETHER = re.compile(
    r"\b(?:can|could) @\w+ (?:even|still|ever|possibly|actually) (?:win|beat)|"
    r"\b(?:can|could) @me (?:win|beat|kill|take (?:\w+ |@\w+ ){0,4}?out|finish|drop)\b|"
    r"\b(?:possible|chance|way|any (?:roll|number|die|result))\b.*\b(?:win|beat|kill|drop)s?\b"
)
"Asks whether any roll does it."
_FACES = re.compile(r"\bhow many(?: of)?(?: \S+){0,3}? (?:faces|sides|numbers|results|rolls)\b")
_IT_TAKES = re.compile(r"\b(?:(?:does|would|will|did) (?:it|@\w+) take to|(?:it|@\w+) takes? to)\b")
_ALIKE = re.compile(r"\b(?:equal|same|identical|even) (?=might\b)")
_BARE = re.compile(
    rf"\bwhat (?:{_ROLL} )?(?:do|does|would|must|should) @\w+ need(?: now)?$|\bwhat (?:do|does|would) @\w+ need to |"
    r"\bneed what$|\b(?:roll needed|needed roll|min(?:imum)? roll)\b|^(?:so )?need$|"
    rf"\b{_LEAST} (?:that )?@\w+ (?:\w+ ){{0,2}}?needs?\b|\bwhat (?:wins|beats)\b"
)
"What is needed in an exchange is a roll."
_BEATEN = re.compile(r"\b(?:(?:beat|match|tie|draw|top|equal|outroll)s?|loses? to) ")
"What comes behind is the other one's."
_BEAT_BY = re.compile(r"\b(?:beat|outroll)s? @\w+ by\b")
_WHO = re.compile(
    rf"\b(?:do|does|must|can|could|would|should|will|need) @(\w+)|@(\w+) (?:{_NEEDS}|can|could|rolls?)\b|"
    rf"@(\w+) (?:own |next |lowest |highest )?{_ROLL}\b|\b{_ROLL} (?:of|for|by) @(\w+)"
)
"Whose roll it is."
FRIENDS = "allies"
_EACH = re.compile(r"\b(?:each|every|per|always|all the time)\b")
_HOW_MANY = re.compile(r"\bhow many(?: \S+)?(?: (?:do|does|will) \S+ (?:need|take))?$")
OF_SOMEBODY = ("roll", "total", FRIENDS, "might", "more might")
"What somebody scores with, whose number it has to be."


BACKWARDS = {
    "difference": r"\b(?:what|how (?:big|large|much|wide)|by how)\b",
    "damage": r"\bbefore (?:@\w+ )?ward\b|\b(?:raw|unmodified) damage\b",
    "total": r"\b(?:was|were|had|must)\b",
    "roll": r"\b(?:show\w*|have rolled|was|did)\b",
}
"So a number is asked for that follows from a Harm that is told."


def sought(scene: Scene, places: list[int]) -> list[Asked] | None:
    """The number that is looked for, as a thing asked; None where none is."""
    first = scene.clauses[places[0]]
    if any(scene.clauses[at].sentence != first.sentence or not first.mark.startswith("(") for at in places[1:]):
        # Only a parenthesis may part what is asked.
        return None
    ask = _ALIKE.sub(" ", _IT_TAKES.sub("need to", " ".join(plain(scene.clauses[at]) for at in places)))
    whole = _ALIKE.sub(" ", " . ".join(plain(each) for each in scene.clauses))
    whether = WHETHER.search(ask) is not None
    pick = "whether" if whether else _pick(ask) or _pick(whole if re.search(rf"\b{_ROLL}\b", ask) else "")
    many = "how many" in first.text and "K" in first.tags.partition("q")[2]
    what = FRIENDS if many else _what(ask)
    if pick == "count" or (whether and what != FRIENDS) or (what is None and _BARE.search(ask)):
        what = "roll"
    rest = NOUNS[what].sub(" ", ask, count=1) if what in ("damage", "harm") else ask
    if pick is None and what in BACKWARDS and re.search(BACKWARDS[what], ask) and not _goal(rest):
        party = _party(scene, re.search(r"@(\w+)", ask)) if what in OF_SOMEBODY else None
        return [Asked("told", None, True, by=Unknown(what, party, "only"))]
    if what is None or (pick is None and what != "count"):
        return None
    aims = whole if what in ("roll", "difference", FRIENDS) else ""
    goal, matched = _goal(rest) or _goal(re.sub(r"\bdamage\b", " ", aims)) or ("win" if _BARE.search(ask) else "", "")
    if goal == "win" and not whether:
        # With a Ward told, more than a win may be meant.
        goal, matched = _goal(GOALS["win"].sub(" ", aims)) or (goal, matched)
    if not goal and what == "count" and _EACH.search(whole) and _HOW_MANY.search(ask):
        goal = "out"
    if not goal or (what == "count" and goal not in ("out", "survive")):
        return None
    party = None
    if what in OF_SOMEBODY:
        party = _party(scene, _WHO.search(ask))
    about = _about(scene, ask, goal, matched)
    if what in OF_SOMEBODY and party is None and about and goal in ("out", "harm"):
        party = scene.other(about)
    if what in ("ward", "endurance"):
        party = _party(scene, re.search(rf"@(\w+) {what}\b", ask)) or about
    return [Asked(goal, about, True, by=Unknown(what, party, pick or "least"))]


def demanded(scene: Scene) -> list[int]:
    """`needed roll: …`, where no words ask."""
    texts = [plain(clause) for clause in scene.clauses]
    return [
        at
        for at, text in enumerate(texts)
        if _pick(text) and re.search(rf"\b(?:{_ROLL}|margin|difference)\b|^need$", text)
    ][:1]


def _pick(ask: str) -> str | None:
    """Which of the numbers that do it is wanted."""
    if _FACES.search(ask):
        return "count"
    needs = re.search(rf"\b{_NEEDS}\b", ask)
    least = needs or re.search(rf"\b(?:{_LEAST}|at least|kill roll)\b", ask) or _THAT_DOES.search(ask)
    if re.search(rf"\b{_MOST}\b", re.sub(r"\bat (?:the )?most\b", "most", ask)):
        return None if needs or re.search(rf"\b{_LEAST}\b", ask) else "most"
    return "least" if least else None


def _what(ask: str) -> str | None:
    """The kind of number: the first word for one behind the word that asks, before what it has to bring about."""
    found = re.search(rf"\b(?:how|what|whats|what's|which|{_LEAST}|{_MOST}|{_NEEDS}|{_ROLL}|by|at|on)\b", ask)
    rest = _BEATEN.split(_BEAT_BY.sub("win by", ask[found.start() if found else 0 :]))[0]
    kinds = [
        (match.start(), at, kind) for at, (kind, words) in enumerate(NOUNS.items()) if (match := words.search(rest))
    ]
    return min(kinds)[2] if kinds else None


def _goal(text: str) -> tuple[str, str] | None:
    """What has to come about, and the text as far as the words for it."""
    text = _NOT_A_TIE.sub(" ", text)
    return next(((goal, text[: found.end()]) for goal, words in GOALS.items() if (found := words.search(text))), None)


def _party(scene: Scene, found: re.Match[str] | None) -> str | None:
    who = next((each for each in found.groups() if each), None) if found else None
    return who if who in scene.sides else None


def _about(scene: Scene, ask: str, goal: str, upto: str) -> str | None:
    """Who is to survive or to fall, where the words say so."""
    if goal in ("survive", "unhurt"):
        people = re.findall(r"@(\w+)", upto)
        return people[-1] if people and people[-1] in scene.sides else None
    object_ = re.search(
        r"\b(?:kill\w*|drops?|finish\w*|takes?|hurts?|slay\w*|removes?|one[- ]?shots?|gives?|to|end) @(\w+)", ask
    )
    subject = re.search(
        r"@(\w+) (?:is |am |'s )?(?:out|dead|dies?|drops?|down|falls?|gone|off)\b|\bam @(me) (?:out|off|dead|gone)", ask
    )
    return _party(scene, object_ if goal in ("out", "harm") else None) or _party(
        scene, subject if goal == "out" else None
    )
