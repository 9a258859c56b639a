"""What a question is, before anything is looked up: its parts, whether it asks for yes or no, what it negates."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.once import once

MOST = 10_000
"Characters of a question that are read; the rest is cut off."
_COMMA_FOR_POINT = re.compile(
    r"(?<![\d.,])(?:(?P<below>0),(?=\d)|(?P<whole>\d+),(?=\d{1,2}\s*(?:inch|in\b|cm\b|[\"”″]|'')))", re.I
)
"As much of Europe writes `0.8` and `1.5 inch`."

_AUXILIARY = (
    "can could may might must shall should will would do does did is are am was were has have had "
    "cant couldnt mustnt shouldnt wont wouldnt dont doesnt didnt isnt arent aint wasnt hasnt havent "
    "can't couldn't mustn't shouldn't won't wouldn't don't doesn't didn't isn't aren't ain't wasn't hasn't haven't"
)
_AUX = frozenset(_AUXILIARY.split())
_PRONOUN = "i|we|you|he|she|it|they|u|my|his|her|its|the|a|an|this|that|these|those|there|one|any|all|both|each|every|"
_PRONOUN += "anyone|anybody|someone|somebody|everyone|everybody|nobody|either|neither"
FUNCTION_WORDS = _AUX | frozenset("whats hows wheres whens whos wat wen".split())
"Words that make a question and that no spelling should touch."
_WH = frozenset(
    "what which who whom whose when where why how whats hows wheres whens whos wat wut "
    "what's how's where's when's who's".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CLAUSE = re.compile(r"(?:[^.?!;\n]|\.(?=\d))+[.?!;\n]*")
_ADDED_TAG = (
    r"y\s*/\s*n|y or n|yes or no|yes/no|ya?y or nay|yeah|yea|yep|ye|ya|aye|rite|agreed?|huh|eh|innit|"
    r"thumbs up or (?:thumbs )?down|or am i missing something"
)
"What may stand behind a statement and makes it a question."
_TAG = re.compile(
    rf"(?:,|\s)\s*(?:{_ADDED_TAG}|right|correct|ok|okay|yes|no|true|legal|allowed|possible|fine|"
    r"(?:is|are|does|do|am|can|will|would|did|was|were|has|have)n['’]?t\s+(?:it|he|she|they|i|we|you|that|there)|"
    r"(?:isnt|arent|doesnt|dont|cant|wont|aint)\s+(?:it|he|she|they|i|we|you|that)|or (?:what|not|no|nah))"
    r"\s*[?!.]*\s*$",
    re.I,
)
_INVERTED = re.compile(
    rf"(?:^|[,:]|\b(?:so|and|but|then|now|well|hey|ok|question)\b)\s*(?:{'|'.join(sorted(_AUX))})\s+(?:\w+)", re.I
)
_ANY_INVERTED = re.compile(
    rf"(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\byou )"
    rf"\b(?:{'|'.join(sorted(_AUX))})\s+(?:{_PRONOUN})\b",
    re.I,
)
_ALLOWED = re.compile(
    r"\b(?:allowed|legal|possible|permitted|forbidden|illegal|mandatory|optional|required|ok|okay|fine)\b", re.I
)
_JUDGING = (
    r"(?:have|had|get|got|getting|read|reading|play|played|playing|do|did|done|doing|understand|understood|understanding|"
    r"explain|explained|remember|remembering|see|seeing)"
)
_JUDGES = (
    r"(?:am|are|is|do|does|did|have|has)\s+(?:i|we|he|she|they)\s+(?:(?:really|actually)\s+)?"
    rf"(?:(?:{_JUDGING}|it|this|that|the|rules?)\s+)*"
)
"What asks whether something is right: `have I got that …`, `am I reading this …`."
_TRUTH = re.compile(
    r"\b(?:(?:do|does|did)\s+(?:\w+\s+){1,2}have\s+a\s+(?:point|case)|"
    r"(?:is|was)\s+(?:that|this|it)\s+(?:really\s+|actually\s+)?"
    r"(?:how (?:it|this|that) (?:works|goes|is done)|the rule|fair|sound|by the book))\b|"
    r"\b(?:am i|(?:is|are|was|were)(?:n['’]?t)?\s+(?:\w+\s+){0,2}?\w+|so)\s+"
    r"(?:really\s+|actually\s+|in the\s+|the one who(?:['’]?s|\s+is)\s+)?"
    r"(?P<what>right|correct|true|so|legit|valid|wrong(?!\s+to)|mistaken|false|cheating|lying)\b|"
    rf"^\W*(?P<alone>right|correct|true|wrong|false|{_ADDED_TAG})\W*$|"
    r"^\W*(?:no|nope|nah)\W+(?P<not>right|correct)\W*$|"
    rf"\b(?:am|are|is|do|does|did|have|has)\s+(?:\w+\s+){{1,2}}{_JUDGING}\s+(?:(?:it|this|that|the|rules?|so)\s+){{0,2}}"
    r"(?P<how>right|correctly|properly|wrong)\W*$",
    re.I,
)
_SO_THAT = re.compile(
    rf"^\W*(?:(?:so|and|but|then|now|well|ok)\W+)*(?:{_JUDGES}|is\s+it\s+(?:really\s+)?)"
    r"(?:right|correct|correctly|true|well|good|so)?\s*(?:in\s+(?:thinking|assuming|saying)\s+)?"
    r"that\s+(?=\S+\s+\S+\s+\S+)",
    re.I,
)
"In front of what is to be judged (`am I right that …`)."
_VERB_FIRST = re.compile(r"(?:is|are|was|were)\b", re.I)
_LED_UP_TO = re.compile(r"(?:\W|\b(?:so|and|but|or|ok|okay|then|now|well|hey|please|pls|say|says?)\b)*", re.I)
SAYS = re.compile(
    r"(?<!ability )(?<!skill )(?<!card )(?<!text )(?<!rule )(?<!rules )(?<!effect )(?<!book )(?<!it )(?<!\bif )"
    r"(?<!tape )(?<!ruler )(?<!sheet )"
    r"\b(?:says?|said|claims?|claimed|told|tells?|insists?|insisted|thinks?|thought|reckons?|swears?|swore|argues?|argued|"
    r"believes?|keeps? saying|maintains?|ruled|shouts?|shouted)\b",
    re.I,
)
"Somebody says something; what a card or a rule says is not meant."
_QUOTED = re.compile(r"\w:\s*['‘\"“]")
"Somebody is quoted (`Ben: 'you can'`)."
_OBJECTS = re.compile(r"\bright to (?:object|complain|protest|disagree|doubt|refuse|be angry|be mad|stop)\b", re.I)
_LATE = re.compile(
    r"^\W*(?:when|whenever|if|while|whilst|once)\b(?:\s+\w+){2,14}?(?<!\bi)(?<!\bwe)(?<!\bhe)(?<!\bshe)(?<!\bthey)(?<!\byou)"
    r"(?<!\bit)(?<!\bthat)(?<!\bwho)\s+(?P<asks>(?:do|does|did|can|could|may|must|will|should)\s+\w+.*\?)",
    re.I | re.S,
)
"What is asked behind a condition without a comma (`when counting hexes do full ones count?`)."
_TAIL = re.compile(
    rf"(?:[,\s]+(?:{_ADDED_TAG}|right|correct|no|yes|true|ok|okay|or (?:what|not|no|nah))|"
    r"(?:,\s*(?:is|are|does|do|am|can|will|would|did|was|were|has|have|must|should)(?:n['’]?t)?|"
    r"\s(?:is|are|does|do|ca|wo|would|did|was|were|has|have|must|should)n['’]?t)\s+"
    r"(?:it|he|she|they|i|we|you|that|there)(?:\s+so)?|"
    r",\s*(?:is|isn['’]?t)\s+(?:that|this|it)\s+"
    r"(?:right|correct|true|so|how (?:it|this|that) (?:works|goes|is done))|,\s*is it not(?: so| true| right)?|"
    rf"(?:,|\s[-–—])\s*{_JUDGES}(?:right|correct|correctly|well|good|true|so))\s*[?!.]*\s*$",
    re.I,
)
_THEREFORE = re.compile(r":\s|,\s*(?=(?:so|then|that means|which means)\b)", re.I)
_LEADS = re.compile(
    rf"^\W*(?:(?:so|and|but|then|now|or|well|hey|ok|okay|question)\b\W*)*(?:{'|'.join(sorted(_AUX))})\b", re.I
)
_WHEN = re.compile(rf"[,:]\s*(?:{'|'.join(sorted(_AUX))})\s+\w+", re.I)
"Behind a condition that begins with `when`, what is asked."
_COMMA = re.compile(r"[,:](?!\d)|\s[-–—]+\s")
_WITHIN = re.compile(
    rf"(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bthat )(?<!\bwho )"
    rf"(?:(?<!\bit )\b(?:{'|'.join(sorted(_AUX))})|\b(?:do|am|are))\s+"
    r"(?:i|we|you|he|she|they|it|my|his|her|the|a|both|any\w+|guys|models|characters|fighters)\b",
    re.I,
)
_HOW_MUCH = re.compile(
    r"\bhow (?:many|much|far|often|near|close|big|high|long|tired)\b|"
    r"\b(?:what|which|whats|what's)(?: [\w']+){0,4}? "
    r"(?:number|amount|distance|range|bonus|die|dice|cost|price|size|limit|reach|penalty|sum)\b",
    re.I,
)
_AMOUNT = re.compile(
    r"=\s*\??\s*$|^\W*(?:(?:and|so|then|the|my|his|her|its)\s+)*(?:(?:count|number|total|sum|amount|max|maximum|min|minimum)\b|"
    r"(?:remaining|highest|lowest|biggest|smallest|most|least)\s+\w+)",
    re.I,
)
_NOUN_ALONE = re.compile(
    r"^\W*(?:(?:and|so|then|light|total|whole|all|my|his|her|its|the|true)\s+)*"
    r"(?:fatigue|damage|dmg|tenacity|distance|hexes|hp|pool|pooled|gain|gained|left)"
    r"(?:\s+(?:now|then|together|gained|taken|done|left|healed|over the \w+|of \w+))?\s*\?\s*$",
    re.I,
)
"What names an amount and nothing else (`fatigue?`, `tenacity now?`) asks how much."
_LEFT = re.compile(
    r"^\W*(?!any|some|enough)(?:(?:\w+\s+){1,2}(?:remaining|left|needed|in (?:all|total))|"
    r"(?:\w+\s+)?(?:kill|killing|winning|needed|required)\s+roll)\b[^?=]*\?\s*$",
    re.I,
)
"What names an amount and has no verb in front (`deeds remaining?`, `max swings?`) asks for a number."
_BEFORE_WH = frozenset("after at by for from in of on out per to under until up with within and so but then ok".split())
_TOPIC = re.compile(
    rf"^\W*(?P<topic>(?:[^\W\d_]+(?:['’]\w+)?\s+){{0,3}}[^\W\d_]+)\s*,\s*(?P<lead>{'|'.join(sorted(_AUX))})\s+"
    r"(?:that|this|it|these|those|they|(?P<who>he|she))\b(?P<rest>.*)$",
    re.I | re.S,
)
_SOMEBODY = re.compile(r"^(?:the|my|his|her|an?|your|their)\s", re.I)
"What is named first and asked about by a pronoun (`Ward, does it come off the damage?`)."
_NO_TOPIC = (
    _AUX
    | _WH
    | frozenset(
        "i we you he she it they that this there if when while once after before since because so and but or no not "
        "nobody nothing none then now well ok okay hey question please say says said yes yeah right also".split()
    )
)
_WANTS = re.compile(
    r"\b(?:wants?|wishes|plans?|hopes?|tries|trying|would like|['’]d (?:like|love))\s+to\b|\bwanna\b", re.I
)
_THINKS = re.compile(r"\b(?:i|we)\s+(?:think|guess|reckon|believe|assume|suppose|figure|say|bet)\b", re.I)
_SURELY = re.compile(
    r"^\W*(?:(?:so|but|and|then|well)\W+)*(?:surely|pretty sure|i(?:['’]?m| am) (?:pretty )?sure)\b", re.I
)
_TELL = re.compile(r"^\W*(?:please\s+|pls\s+)?(?:tell|say|explain|describe|show|list|give)\b", re.I)
_DENIES = re.compile(
    r"\b(?:says?|said|claims?|claimed|insists?|thinks?|argues?|objects?)\b(?:\s+that)?(?:\s+to\s+\w+)?\s*[,:]?\s*"
    r"(?:no|nope|nah|no way|not so|(?:that|it)(?:['’]s| is) (?:illegal|wrong|not allowed|cheating|forbidden)|"
    r"(?:i|you|he|she|we|they) (?:can['’]?t|cannot|may not|mustn['’]?t|couldn['’]?t|isn['’]?t|don['’]?t))\W*$",
    re.I,
)
"Somebody only says no to what was said before."
_ADDED = re.compile(r"^\W*(?:not even|even|at least|especially)\b", re.I)
_CONTRAST = re.compile(r"^\W*(?:and |but )?(?:not|never) ", re.I)
"Behind what is asked: what it is not (`the game sets it, not me?`)."
_NO_LEAD = re.compile(rf"^\W*(?:(?:so|and|but|then|now|or|well)\b\W*)*\w+n['’]?t\s+(?!(?:{_PRONOUN})\b)", re.I)
"What is told without its subject (`doesn't matter where`)."
_OR_WRONG = re.compile(
    r"(?<![,\s])[,\s]+(?:or\s+(?:am i|is he|is she|are we)\s+(?:wrong|mistaken|off|crazy)|"
    r"(?P<either>\w+) or no (?P=either))\W*$",
    re.I,
)
"What is added and asks nothing: `…, or am I wrong?`, `…, bush or no bush?`."
_EQUALS = re.compile(r"\w\s*(?:=|,)\s*\w|\s\+\d")
"`tie = free?`, `a draw, reroll?`, `charge +1?` ask whether it is so."
_JOINS = frozenset("so and but or then now well ok okay".split())
_OPENERS = frozenset("if when once after while with without unless since before".split())
_SECOND = re.compile(rf"[,\s]or\s+(?:{'|'.join(sorted(_AUX))})\s+(?:{_PRONOUN})\b", re.I)
_MAIN_VERB = (
    r"(?:forbidden|banned|barred|prohibited|illegal|allowed|legal|unusable|cheating|ok|okay|fine|possible|impossible|"
    r"allow|allows|let|lets|frees?|freed|sets?|ends?|gives?|mean|means|makes?|permits?|release|releases|costs?|works?|"
    r"enough)\b"
)
"Where what stands behind `after` or `without` ends and the rest of the sentence goes on."
_FINITE = r"(?:is|are|can|cannot|can['’]?t|may|must|has|counts?|stays?|belongs?|does|will|would|nobody)\b"
"The same behind `without` and `after attacking`, which no other verb of their own follows."
_CONDITION = re.compile(
    r"\([^()]*\)|"
    r"(?<![-\w])(?:if|when|whenever|while|whilst|wile|wen|because|"
    r"since(?!\s+(?:the\s+|my\s+|his\s+|her\s+)?(?:start|beginning|last|turn|round)\b)|though|although|"
    r"as long as|unless|(?<!\bat )(?<!\ball )once(?! (?:per|a|each|every|more|again|or|only|in)\b|\W*$)|"
    r"where|given that|even if)\b(?:[^,?!.;]|\.(?=\d))*|"
    rf"(?<![-\w])(?:(?<!do )without|(?:after|before)(?=\s+\w+ing\b))"
    rf"(?:\s+(?!{_FINITE}|{_MAIN_VERB})(?:[^\s,?!.;]|\.(?=\d))+)+|"
    rf"(?<![-\w])(?:after|before)(?!-)(?:\s+(?!{_MAIN_VERB})(?:[^\s,?!.;]|\.(?=\d))+)+|"
    r"(?<!say )(?<!says )(?<!said )(?<!think )(?<!thinks )(?<!claims )(?<!insists )(?<!argues )(?<!so )(?<!true )"
    r"\b(?:that|who|which)\s+(?:is|are|was|were|has|have|does|do|did)(?:\s+not|n['’]?t)\s+\w+",
    re.I,
)
_BARE = _AUX | frozenset(
    "i we you he she it they that this there so then now still legal allowed ok okay fine possible permitted right "
    "correct yes no do does did be done declare take get have to it's thats the a my his her is all good valid kosher "
    "cool works work legit happen please guy guys model dude him her me them or not and but really actually even like "
    "play claim call say illegal forbidden prohibited banned rules rule let lets".split()
)


@dataclass(frozen=True)
class Question:
    """A question as it was put."""

    text: str

    @once
    def clauses(self) -> tuple[str, ...]:
        """The sentences and half-sentences of the question."""
        return tuple(part.strip() for part in _CLAUSE.findall(self.text[:MOST]) if _WORD.search(part))

    @once
    def words(self) -> tuple[str, ...]:
        """Its words, lower case, apostrophes straightened."""
        return tuple(word.casefold().replace("’", "'") for word in _WORD.findall(self.text[:MOST]))

    @once
    def core(self) -> str:
        """The clause that asks: the last one that reads as a question, else what somebody says or the whole text."""
        asking = [c for c in self.clauses if c.rstrip().endswith("?")] or [c for c in self.clauses if _asks(c)]
        return asking[-1] if asking else self.clauses[-1] if self._tells else self.text.strip()

    @once
    def asks_truth(self) -> str | None:
        """`right` or `wrong` where it only asks whether something said before is so (`am I right?`)."""
        core = _judging(_OR_WRONG.sub("", self.core))
        found = _TRUTH.search(core) if _WORD.search(core) else None
        if found is None or len(_WORD.findall(core)) > len(_WORD.findall(found.group())) + 3:
            return None
        if _VERB_FIRST.match(found.group()) and not _LED_UP_TO.fullmatch(core[: found.start()]):
            # `so nobody is engaged here, right`: the subject stands before the verb, so that is what it asks.
            return None
        what = (found["what"] or found["alone"] or found["how"] or "right").casefold()
        wrong = what in ("wrong", "mistaken", "false", "cheating", "lying") or bool(_OBJECTS.search(self.core))
        wrong = wrong or found["not"] is not None
        return "wrong" if wrong != (self._judged[1] is not None) else "right"

    @once
    def statement(self) -> str:
        """What is asked about: the asking clause, or what was said before where that only asks whether it is so."""
        if self.asks_truth is None:
            return self.core
        said, denied = self._judged
        return said if denied is None else denied

    @once
    def _judged(self) -> tuple[str, str | None]:
        """What is asked to be judged, and what that denies (`I shoot. He says no. Is he right?`)."""
        before = [c for c in self.clauses[: self._place(self.core)] if len(_WORD.findall(c)) > 2]
        said = ([c for c in before if SAYS.search(c)] or before or [self.core])[-1]
        earlier = before[: before.index(said)] if said in before and _DENIES.search(said) else []
        return said, earlier[-1] if earlier else None

    @once
    def is_ambiguous(self) -> bool:
        """Whether it may be another statement that is asked about than the one that is taken for it."""
        if self.asks_truth is not None:
            told = [clause for clause in self.clauses if clause != self.core]
            return (
                _WANTS.search(self.statement) is not None
                or sum(len(SAYS.findall(clause)) + len(_QUOTED.findall(clause)) for clause in told) > 1
            )
        after = self.clauses[self._place(self.core) + 1 :]
        return self.is_bare and any(SAYS.search(clause) or _THINKS.search(clause) for clause in after)

    def _place(self, clause: str) -> int:
        return self.clauses.index(clause) if clause in self.clauses else len(self.clauses)

    @once
    def is_bare(self) -> bool:
        """Whether the asking clause names nothing by itself (`legal?`, `can I?`, `may he do that?`)."""
        return _is_bare(self.asking)

    @once
    def asking(self) -> str:
        """The part of the statement that asks: `am I free` of `he fell, am I free`; without `…, right?`."""
        return _SO_THAT.sub("", self._part_that_asks)

    @once
    def _part_that_asks(self) -> str:
        statement = _OR_WRONG.sub("?", self.statement)
        said = _TAIL.sub("", statement)
        if said != statement and len(_WORD.findall(said)) > 2:
            return [part for part in _THEREFORE.split(said) if _WORD.search(part)][-1]
        if topic := _topic(statement):
            return f"{topic['lead']} {topic['topic']}{topic['rest']}"
        parts = [part for part in _COMMA.split(statement) if _WORD.search(part) and not _ADDED.match(part)]
        leading = [at for at, part in enumerate(parts) if _LEADS.search(part) and not (at and _NO_LEAD.search(part))]
        if leading:
            return ", ".join(parts[leading[-1] :])
        within = list(_WITHIN.finditer(statement))
        if within and self.asks_truth is None:
            return statement[within[-1].start() :]
        late = None if len(parts) > 1 else _LATE.search(statement)
        if late:
            return late["asks"]
        if statement.rstrip().endswith("?") and len(parts) > 0:
            return ", ".join(parts[-2:]) if _CONTRAST.search(parts[-1]) else parts[-1]
        return statement

    @once
    def main(self) -> str:
        """What is asked without its condition (`if I am engaged`, `while he is down`, `without a roll`)."""
        main = _CONDITION.sub(" ", self.asking).strip(" ,")
        return main if {word.casefold() for word in _WORD.findall(main)} - _JOINS else self.asking

    @once
    def is_choice(self) -> bool:
        """Whether it asks which of two is so (`is he gone or does he stay`): yes or no answers neither."""
        found = _SECOND.search(self.core)
        return found is not None and any(_LEADS.search(part) for part in _COMMA.split(self.core[: found.start()]))

    @once
    def wants_yes_or_no(self) -> bool:
        """Whether yes or no would answer it."""
        if self.is_fragment:
            return True
        if _yes_no(self.core):
            return True
        others = self.clauses
        if _asks_what(self.core) or len(others) > 5:
            others = tuple(c for c in others if c.rstrip().endswith("?") or _LEADS.search(c))
        return any(_yes_no(clause) for clause in others) or self._tells

    @once
    def _tells(self) -> bool:
        """Whether it ends in what somebody wants to do or says (`my mage is locked and wants to run`)."""
        last = self.clauses[-1] if self.clauses and "?" not in self.text else ""
        if _WH & {word.casefold().replace("’", "'") for word in _WORD.findall(last)} or _TELL.search(last):
            return False
        return bool(_WANTS.search(last) or SAYS.search(last) or _THINKS.search(last) or _SURELY.search(last))

    @once
    def is_fragment(self) -> bool:
        """Whether a word or three behind a story ask (`He is two tiles off. In sight?`)."""
        words = [word.casefold() for word in _WORD.findall(self.core)]
        if len(words) > 3 or not self.core.endswith("?") or _WH & set(words) or _asks_amount(self.core):
            return False
        return len(self.clauses) > 1 or _EQUALS.search(self.core) is not None

    @once
    def asks_amount(self) -> bool:
        """Whether it asks how many, how far, which die."""
        return _HOW_MUCH.search(self.statement) is not None

    @once
    def asks_for_printed(self) -> bool:
        """Whether it asks for the rule as it was first printed."""
        return bool(
            re.search(
                r"\b(?:as printed|original(?:ly)?|printed|old|before (?:the )?(?:faq|errata|change)|used to|"
                r"before it (?:got |was )?(?:changed|replaced))\b",
                self.text,
                re.I,
            )
        )


def with_points(text: str) -> str:
    """The text with a point in numbers that are written with a comma (`0,8 inch`)."""
    return _COMMA_FOR_POINT.sub(lambda found: f"{found['below'] or found['whole']}.", text)


def _is_bare(text: str) -> bool:
    return all(word.casefold().replace("’", "'") in _BARE for word in _WORD.findall(text))


def _judging(core: str) -> str:
    """The asking clause without what leads up to it (`much as I hate him, is he right`), where nobody says that."""
    before, _, last = core.rpartition(",")
    return last if _VERB_FIRST.match(last.strip()) and not SAYS.search(before) and _TRUTH.search(last) else core


def _topic(clause: str) -> re.Match[str] | None:
    """What a clause names first and asks about by a pronoun."""
    found = _TOPIC.match(clause)
    if found is None or (found["who"] and not _SOMEBODY.match(found["topic"])):
        return None
    return None if _NO_TOPIC & {word.casefold() for word in _WORD.findall(found["topic"])} else found


def _asks(clause: str) -> bool:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(clause)]
    return bool(words) and (words[0] in _AUX or words[0] in _WH or bool(_TAG.search(clause)) or _yes_no(clause))


def _asks_what(clause: str) -> bool:
    """Whether it begins as a question that yes or no does not answer (`how many`, `after how many`)."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(clause)]
    asks = _WH
    while len(words) > 1 and words[0] in _BEFORE_WH:
        del words[0]
        asks = _WH - {"when", "where"}  # `so when I lose I am out, right?`
    return words[:1] != [] and words[0] in asks


def _asks_amount(clause: str) -> bool:
    """Whether it names an amount and has no verb in front."""
    if _LEADS.search(clause) or _INVERTED.search(clause) or _TAG.search(clause):
        return False
    if _AMOUNT.search(clause) or _NOUN_ALONE.search(clause):
        return True
    return bool(_LEFT.search(clause)) and not _AUX - {"might"} & {word.casefold() for word in _WORD.findall(clause)}


def _yes_no(clause: str) -> bool:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(clause)]
    if not words or _asks_amount(clause) or (words[0] in _BEFORE_WH and _asks_what(clause)):
        return False
    if words[0] == "when" and _WHEN.search(clause):
        return True
    if words[:2] and words[0] in ("when", "if") and not set(words[1:]) & _WH and _LATE.search(clause):
        return True
    last = [word.casefold() for word in _WORD.findall(_COMMA.split(clause)[-1])]
    if last[:1] and last[0] in _WH - {"when", "where"} and words[0] not in _AUX:
        return False
    if words[0] in _OPENERS and _asks_within(clause):
        return True
    if words[0] in _WH:
        return False
    if words[0] in _AUX and not (words[0] in ("do", "have", "might", "may", "will") and len(words) < 3):
        return True
    if _TAG.search(clause) or _INVERTED.search(clause):
        return True
    has_wh = bool({"what", "whats", "wat", "how", "hows", "why"} & set(last)) or (bool(last) and last[0] in _WH)
    if not has_wh and _ANY_INVERTED.search(clause):
        return True
    return clause.rstrip().endswith("?") and not has_wh and (bool(_ALLOWED.search(clause)) or len(words) > 2)


def _asks_within(clause: str) -> bool:
    """Whether it turns into a question behind its condition: `if he falls am I free`, but not `when do I roll`."""
    found = _WITHIN.search(clause)
    before = [word.casefold() for word in _WORD.findall(clause[: found.start()])] if found else []
    return len(before) > 1 and before[-1] not in _WH | {"much", "many", "far", "often", "long"}
