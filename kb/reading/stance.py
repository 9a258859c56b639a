"""How a question asks for yes or no, and which way round."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from kb.reading.counts import Count, Told
from kb.reading.marks import ORDINAL

_PART = re.compile(r"[.?!;,:()\n–—]+|\s-\s|\s(?=and (?:is|are|was|does|do|did|can|may|if|how|what)\b)")
_SENTENCE = re.compile(r"([^.?!]+)([.?!]?)")
_AUX = (
    "can|could|may|might|must|shall|should|will|would|do|does|did|is|are|am|was|were|cant|can't|couldnt|couldn't|"
    "mustn't|shouldn't|won't|wouldn't|dont|don't|doesnt|doesn't|didnt|didn't|isnt|isn't|arent|aren't|aint|ain't|"
    "wasn't"
)
_HAVE = "has|have|had|hasn't|haven't"
_LEAD = (
    r"^(?:(?:and|so|but|then|ok|okay|well|hey|hi|hello|now|or|please|quick question|question|umm?|erm?|yo|if not|"
    r"btw)\s+)*(?:(?:on|in|at|with) \w+(?: (?:form|mode|difficulty))? )?"
)
_OPENS = re.compile(rf"{_LEAD}(?:{_AUX}|{_HAVE})\s+\S+")
_INVERTED = re.compile(
    rf"\b(?:{_AUX}|{_HAVE})\s+(?:i|we|you|he|she|it|they|u|this|those|these|there)\b|\b(?:{_AUX})\s+that\b"
)
_INVERTED_NOUN = re.compile(rf"\b(?:{_AUX})\s+(?:my|our|his|her|one|an?|the|any|all|both|each)\b")
"Also in statements: `the target is a giant`. Only a sentence with a question mark is taken for a question by this."
_POLITE = re.compile(
    rf"{_LEAD}(?:can|could|do|does|would|will) (?:you|anyone|anybody|someone|somebody|u|ya|any of you|one of you|guys|"
    r"y'all) (?:please |guys |all |happen to |maybe )?(?:tell|know|explain|say|help|confirm|clarify|give|remind|check|"
    r"work|figure)"
)
"`can anybody tell me how many` asks for no yes."
_HAVING = re.compile(
    r"^(?:so |and |ok )*(?:had|have|has) (?!(?:i|we|you|he|she|it|they|u|my|our|his|her|the|this|that|any)\b)"
)
"`had 3 tenacity`: tells, where no question mark stands behind."
_IF_NOT = re.compile(
    rf"{_LEAD}(?:should|if|in case|would)\b(?: (?:it|that|this|so|the answer))?(?: (?:be|is|were|not))*(?: an?)? "
    rf"?(?:no|not|yes|so)$"
)
"`and should that be a no`, `if not`: leads over to another question."
_ANY = re.compile(rf"{_LEAD}any(?:thing|one|body)?\b(?: \w+){{0,3}} ?(?:left|room|space|through|more|remaining)\b")
"`any room left`, `anything through`: asks without a verb."
_DOUBT = re.compile(
    r"[\s,]+(?:or (?:am i|are we|is he|is she|is that|isn't it|what|not|no|nah|nope)(?: (?:wrong|mistaken|right|"
    r"stupid|crazy|"
    r"not|off))?|(?:yea|yeah|yes|aye|yep|y) ?(?:or|/) ?(?:nay|no|nope|n))$"
)
"`…, or am I wrong`, `yea or nay`: adds nothing to what is asked."
_WHETHER = re.compile(r"\b(?:if|whether)\b")
_TAG = r"(?:is|are|does|do|am|can|will|would|did|was)n'?t (?:it|he|she|they|i|we|you|that)"
_CONFIRMS = re.compile(rf"^(?:.*\s)?(?:right|correct|true|yes|no|{_TAG})$")
_PREDICATE = re.compile(
    r"^(?:.*\s)?(?:ok|okay|(?:a )?(?:legal|valid|lawful|allowed) (?:target|move|turn|roll|choice|action)|legal|allowed|"
    r"valid|fine|possible|legit|permitted|good|illegal|forbidden|(?:still )?(?:in|within|out of) (?:my |our |his |"
    r"her |its )?(?:range|reach|sight)|"
    r"doable|kosher|alright|allright|all good|close enough|too (?:far|many|much)|enough|within (?:the |my )?limits?|"
    r"over the limit)(?: (?:now|here|then|turn|"
    r"in (?:one|a|the same|my) turn|in one engage|by the rules|in this game|like that|this way|or not))?$"
)
"`Legal?`, `… in range?`: asks without a verb."
_SHORT = re.compile(
    r"^(?:so |and )*(?:(?:a |the |my |as |valid |good |ok |okay |fine |legal )*target(?: (?:him|her|it|them))?|"
    r"works|can do|do i|may i|can i|"
    r"(?:hit|shoot|attack|strike|reach|engage|target) (?:him|her|it|them|that))$"
)
"`Target?`: a whole part that asks whether what was told before will do."
_HOW_MANY = re.compile(
    r"^(?:the )?number of\b|^(?:\w+ ){0,2}(?:dice|hexes|engages|targets|weapons|steps) (?:\w+ ){0,2}possible$"
)
"`Dice still possible?` asks for an amount."
_WH = re.compile(r"\b(?:how|what|whats|what's|which|where|who|when|why|wot|wat|hows|how's)\b")
_REVERSED = re.compile(
    r"\b(?:illegal|forbidden|prohibited|wrong|(?<!free of )mistakes?|mistaken|cheating|barred|"
    r"too (?:many|much|far|few)|over (?:the|my|our|his|her|any|either|a|one) (?:\w+ )?(?:limit|cap|allowance|stat)|"
    r"exceed\w*|break\w*|"
    r"out of (?:my |our |his |her |its )?(?:range|reach|sight)|against the rules|lying|breach\w*|violat\w*|disallowed|"
    r"incorrect|beyond|stuck|not enough|unable)\b"
)
_NOT = re.compile(r"\b(?:not|no longer|never|cannot|n't)\b|n't\b|\b(?:cant|dont|doesnt|isnt|arent|wont|didnt)\b")
_MUST = re.compile(r"\b(?:must|have to|has to|had to|need to|needs to|required|obliged|forced|mandatory|supposed to)\b")
_JUDGES = re.compile(
    r"\b(?:is|was|are|were|isn't|wasn't|am|do you think)(?: that| this)?"
    r"(?: (?!right|wrong|correct|mistaken)[\w']+){1,4} (?:right|correct|wrong|mistaken|lying|incorrect)\b"
    r"(?! (?:that|to|if|when|for|about|away|there|here|now|next|beside|after|before|form|icon|one|die|dice|of|in|on))"
)
"`Is he right?`: what he says comes before."
_CLAIMS = re.compile(
    r"\b(?:says?|said|claims?|claimed|thinks?|thought|insists?|insisted|swears?|argues?|argued|told|tells|believes?|"
    r"ruled|"
    r"reckons?|shouted|shouts|states?|means|complains?|keeps? saying|objects?)\b(?: (?:me|us|him|her))?(?: that)?"
)
FILLERS = frozenset("so then that that's thats it makes is = ok right now altogether total in all hexes".split())
CLAIMED = ("fatigue", "damage", "tenacity")
"Amounts that a question may claim without a verb."


@dataclass(frozen=True, slots=True)
class Stance:
    """A yes/no question."""

    yes_means_so: bool | None
    "False where yes would say that it is not so: `is it illegal`. None where that cannot be told."
    obliges: bool = False
    "It asks what must be."
    text: str = ""
    "The part that asks, lower case."

    @property
    def unclear(self) -> bool:
        """Whether neither yes nor no would answer it: what must be, or a double negation."""
        return self.obliges or self.yes_means_so is None


@lru_cache(maxsize=8)
def stance(told: Told) -> Stance | None:
    """How the question asks for yes or no; None where it does not."""
    plain = " ".join(told.text.casefold().replace("’", "'").split())
    bare = _DOUBT.sub("", plain.rstrip(" .?!)"))
    if bare != plain.rstrip(" .?!)"):
        return _doubted(bare.rstrip(" .,;:-?!"), told)
    judged = _JUDGES.search(plain)
    if judged and not _WH.search(judged.group()):
        return _judged(plain, judged)
    marked = [(part, sentence[2] == "?") for sentence in _SENTENCE.finditer(plain) for part in _parts(sentence[1])]
    parts = [part for part, _ in marked]
    spoken = frozenset(part for part, questioned in marked if part in ("no", "yes") and not questioned)
    any_marked = any(questioned for _, questioned in marked)
    asking = [part for part, questioned in marked if questioned >= any_marked and _asks(part, questioned)]
    if asking:
        return _stance(asking[-1])
    for at, part in reversed(list(enumerate(parts))):
        if at and len(part.split()) < 5 and not _WH.search(part):
            if (_PREDICATE.match(part) and not _HOW_MANY.match(part)) or _SHORT.match(part):
                return Stance(not _REVERSED.search(part), bool(_MUST.search(part)), f"{parts[at - 1]} {part}")
            if _CONFIRMS.match(part) and part not in spoken:
                return _confirmed(parts, at)
    return _bare_claim(told)


def _doubted(plain: str, told: Told) -> Stance | None:
    """`A fine target, or am I wrong?`: yes or no to what stands before, a question or a statement."""
    parts = _parts(plain)
    if not parts:
        return None
    last = parts[-1]
    return _stance(last) if _asks(last, marked=True) else _confirmed(parts, len(parts))


def opens(clause: str) -> bool:
    """Whether a clause starts as a yes/no question does: `can I …`, but not `can you tell me`."""
    return bool(_OPENS.match(clause)) and not _POLITE.match(clause)


def _parts(sentence: str) -> list[str]:
    return [part.strip(" '\"*") for part in _PART.split(sentence) if part and part.strip(" '\"*")]


def _bare_claim(told: Told) -> Stance | None:
    """`Four engages on Expert. 6 fatigue?`: a last part that is nothing but an amount."""
    last = max((mark.clause for mark in told.marks if mark.concept != "break"), default=0)
    marks = [mark for mark in told.clause_of(last) if mark.concept != "break"]
    counts = [each for each in told.counts if each.clause == last and told.marks[each.at].value is not None]
    amounts = [
        each for each in counts if each.what in CLAIMED or (each.back and any(m.concept == "pooled" for m in marks))
    ]
    if ")" in told.text[-3:]:
        # `… (1 per result)?`: an aside.
        return None
    if marks and marks[0].asks and counts and _equated(told, counts[-1]):
        return Stance(True, text=" ".join(mark.text for mark in marks))
    if not marks or len(marks) > 5 or not marks[0].asks or len(counts) != 1 or counts[0].kind == ORDINAL:
        return None
    if not amounts and not is_bare_number(told, counts[0]):
        return None
    return Stance(True, text=" ".join(mark.text for mark in marks))


def _equated(told: Told, count: Count) -> bool:
    """`5 engages on normal = 4 fatigue?`, `a second one costs 3?`"""
    end = max(at for at, mark in enumerate(told.marks) if mark.clause == count.clause and mark.concept != "break")
    if told.words[count.at - 1] == "is" and count.what not in CLAIMED:
        return False
    before = told.words[max(count.at - 2, 0) : count.at]
    return end in (count.at, count.end) and bool(
        {"=", "costs", "cost", "makes", "make", "gives", "give", "is"} & set(before)
    )


def is_bare_number(told: Told, count: Count) -> bool:
    """`so 3?`, `that makes 4 hexes?`"""
    rest = {mark.text for mark in told.clause_of(count.clause) if mark.concept != "break"} - {told.marks[count.at].text}
    return rest <= FILLERS and bool(count.back or not count.what)


def _confirmed(parts: list[str], at: int) -> Stance:
    """`Three engages make 3 fatigue, right?`: the statement before is what yes would confirm."""
    statement = " ".join(parts[:at])
    negations = len(_NOT.findall(_statement(statement)))
    if negations > 1 or re.search(r"\b(?:no|none|nobody|only)\b(?! more than)", _statement(statement)):
        return Stance(None, text=statement)
    return Stance(bool(_REVERSED.search(statement)) == bool(negations), bool(_MUST.search(statement)), statement)


def _statement(text: str) -> str:
    """A statement without the negations that only set the scene: `not on Expert`."""
    return re.sub(r"\b(?:not|isn't|aren't|we're not|no) (?:on|in|at|playing|counting|magic|expert|normal)\b", "", text)


def _asks(part: str, marked: bool) -> bool:
    if _IF_NOT.match(part) or _HOW_MANY.match(part):
        return False
    if _POLITE.match(part):
        return bool(_WHETHER.search(part))
    if _ANY.match(part):
        return True
    if not marked and _HAVING.match(part):
        return False
    if _OPENS.match(part):
        return marked or not re.match(r"\S+ (?:\w+ed|been|got|done|just|already|never|yet)\b", part)
    if _WH.search(part):
        return False
    tagged = _PREDICATE.match(part) or _CONFIRMS.match(part)
    inverted = _INVERTED.search(part) or (marked and _INVERTED_NOUN.search(part))
    return bool(_OPENS.match(part) or inverted or (len(part.split()) > 4 and tagged))


def _stance(part: str) -> Stance:
    negations = len(_NOT.findall(re.sub(rf"{_LEAD}(?:\w+n't|cant|dont|doesnt|isnt|arent|wont|aint)\b", "", part)))
    tail = re.sub(rf"{_TAG}$", "", part)
    if tail != part:
        negations = len(_NOT.findall(tail))
    if negations > 1:
        return Stance(None, text=part)
    flips = bool(_REVERSED.search(part)) != bool(negations)
    return Stance(not flips, bool(_MUST.search(part)), part)


def _judged(plain: str, judged: re.Match[str]) -> Stance:
    """`My mate says that … . Is he right?`: the claim is what is judged."""
    before = plain[: judged.start()]
    claims = list(_CLAIMS.finditer(before))
    claim = before[claims[-1].end() :] if claims else before
    negations = len(_NOT.findall(_statement(claim)))
    if negations > 1:
        return Stance(None, text=claim)
    denies = bool(_REVERSED.search(claim)) != bool(negations)
    wrong = bool(re.search(r"wrong|mistaken|lying|incorrect", judged.group()))
    return Stance(denies == wrong, bool(_MUST.search(claim)), claim.strip())
