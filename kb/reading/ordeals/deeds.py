"""Book of Ordeals: questions that count the Deeds or the Assaults of an Act."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kb.engine.kernel import ILLEGAL, Verdict
from kb.reading.ordeals.asking import asking, plain
from kb.reading.ordeals.owners import PRONOUNS
from kb.reading.ordeals.story import TOGETHER, UNKNOWN
from kb.reading.ordeals.words import lexicon, words
from kb.reading.parties import tell_apart
from kb.reading.scene import Clause, Item, Scene, take_apart
from kb.reading.situation import Found, Situation
from kb.reading.tokens import NUMBER_WORDS

COUNT = re.compile(r"\b(?:how many|number of|how often|max\w*|at most|left|remain\w*|still (?:have|got))\b")
ANY = re.compile(r"^(?:(?:so|and|have i|do i have|has he|got|is there|are there) )*any(?:thing)?\b.*\bleft\b")
"`any Deeds left?` asks whether."
ONE_MORE = re.compile(
    r"\b(?:one more|another(?: one)?|again|(?:a|the|my) (?:third|3rd|fourth|4th|second|2nd)|once more)\b(?!.*\b(?:foe|"
    r"enemy)\b)"
)
"`one more?` asks whether, not how many."
ASSAULTS = re.compile(r"\b(?:assaults?|attacks?|swings?|hits?|strikes?|jabs?|fight)\b")
DEEDS = re.compile(r"\b(?:deeds?|actions?)\b")
REACH = re.compile(r"\breach\b")
APART = re.compile(
    r"\b(?:never|not|un-?|without|staying|stay|isn't|isnt|am not)\b.{0,24}\b(?:engaged|within 1|within one|contact)|"
    r"\bunengaged\b|\b(?:nobody|no one|no foe|no enemy|nothing) (?:is )?within\b|\bfrom (?:beyond|outside|two|2|1\.5|"
    r"three|3)\b|\b(?:two|2|1\.5|three|3) ?in(?:ches)?\b|\b(?:outside|beyond|out of) (?:the |an |one |1 )?inch\b"
)
NOT_ENGAGED = re.compile(r"\b(?:not|never|un|isn't|isnt|nobody|no one)[ -]?(?:\w+ ){0,2}engaged\b|\bunengaged\b")
MOVED_IN = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|walk\w*|runs?|ran|running|rush\w*|step(?:s|ped)?)\b.{0,30}\b(?:in|into|up|contact|next|"
    r"adjacent|to|engagement|at|him|her|it)\b|\bcharg(?:e|es|ed|ing)\b"
)
MOVED = re.compile(r"\b(?:mov(?:e|es|ed|ing)|ran|walk(?:s|ed)|step(?:s|ped))\b(?! (?:to|for)\b)")
COUNTED_MOVE = re.compile(r"\b(?:1|one)(?: deed| action)? (?:on|for|to) (?:an? |the |my )?(?:move)\b")
SO_MANY_MOVES = re.compile(r"\b(?:[1-3]|one|two|three) moves?\b")
"`one on a Move` is counted by its number."
FREED = re.compile(
    r"\b(?:push\w*|kill\w*|dead|die[sd]?|out of action|(?<!deeds )(?<!actions )free|leav\w*|break\w*|gets? out|"
    r"got out|lost|lose)\b"
)
HELD = re.compile(
    r"\b(?:never|not|n't|without|no|nobody)(?: \w+){0,2} (?:push\w*|leav\w*|break\w*|gets? out|out|free|die[sd]?)"
    r"(?: (?:or|and|nor) (?:is |gets? |goes )?(?:push\w*|leav\w*|break\w*|killed|out|free|die[sd]?|dead|falls?))*\b"
)
ELSE = words("no_deeds")
PRICE = re.compile(
    r"\b(?:assaults?|attacks?|it|each|swings?|one|all|every|both|they|deeds?|actions?)(?: \w+){0,2} (?:is|are|costs?|"
    r"takes?|uses?|counts? as|=) (?:just |only |always )?(?:1|one|(?:1|one|a) (?:deed|action))\b(?: each| apiece)?|"
    r"\b(?:both|each|all) (?:of them )?(?:just |only )?(?:1|one|a) (?:deed|action)\b"
)
"What a Deed costs where nothing else is said."
SPENT = re.compile(r"\b(?:spent|spend|used|use|took|take|taken|did|done|made|gone|blew|already|spending|using)\b")
STRUCK = frozenset("hit struck swung fought bit thrust".split())
"Blows told of, besides the words in -ed."
MOVES = re.compile(r"\bmoves?\b(?! (?:to|for)\b)")
OTHERS = re.compile(
    r"\b(?:(?:stand|stood)(?: up)?(?! (?:next|beside|near|within|in|at|there|by)\b)|fir(?:e|es|ed|ing)|"
    r"aid(?:s|ed|ing)?|aim(?:s|ed|ing)?|climb(?:s|ed|ing)?|guard(?:s|ed|ing)?|hid(?:e|es|ing)?|use)\b"
)
WISHES = re.compile(r"\b(?:wants?|wanna|would|will|going|gonna|plan\w*|like|can|could|may|might|so that|before)\b")
"What is only intended is not spent, and may be meant."
OTHER_THINGS = re.compile(
    r"\bhow many (?!(?:\w+ )?(?:deeds?|actions?|assaults?|attacks?|swings?|hits?|strikes?|jabs?|times|more)\b|"
    r"(?:of|are|is|am|do|does|did|can|could|may|have|has|left|remain\w*|still|other|to)\b|$)"
)
"What is counted is neither Deeds nor Assaults."
IN_AN_ACT = 3
"Deeds of an Act: the engine counts with its own number; this one is for `two Deeds left`."
ONCE = frozenset({"once", "twice", "thrice"})


@dataclass
class Spent:
    """Deeds told of: outright, or by what was done."""

    outright: int = 0
    place: int = 0
    "The last Deed that is taken, where they are told by place (`my second Deed`)."
    moved_in: bool = False
    moves: int = 0
    assaults: int = 0
    others: int = 0

    @property
    def named(self) -> int:
        return self.moves + self.assaults + self.others

    def is_unclear(self, low: str) -> bool:
        """Whether what is named may be among the Deeds counted or come on top of them."""
        counted = bool(self.outright or self.place)
        return 0 < self.outright < self.named or (counted and self.named > 0 and FURTHER.search(low) is not None)

    @property
    def total(self) -> int:
        return max(self.place, self.outright or self.named)


def deeds(text: str) -> Situation | None:
    """How many Deeds or Assaults an Act has left."""
    scene = tell_apart(text, take_apart(text, lexicon()))
    places = asking(scene) or [at for at, clause in enumerate(scene.clauses) if ONE_MORE.search(plain(clause))][-1:]
    low = " ".join(clause.text for clause in scene.clauses)
    ask = " ".join(plain(scene.clauses[place]) for place in places)
    if (asked := SO_MANY.search(ask)) and not re.search(r"\bhow (?:many|often)\b|\bleft\b|\bremain", ask):
        return _so_many(scene, places, low, asked)
    more = ONE_MORE.search(ask)
    counted = len(re.findall(r"\bhow (?:many|often)\b", ask))
    if not (COUNT.search(ask) or more) or counted > 1 or OTHER_THINGS.search(ask) or not _only_counts(scene, places):
        return None
    beside = PRICE.sub(" ", low)
    counts = re.split(rf" (?:{'|'.join(CONDITIONS)}) ", ask[ask.find("how many") if "how many" in ask else 0 :])[0]
    wants = "assaults" if ASSAULTS.search(counts) else "deeds_left"
    if (wants == "assaults" and FREED.search(HELD.sub(" ", low))) or ELSE.search(beside) or _unknown(beside):
        return None
    if wants == "deeds_left":
        if more and not DEEDS.search(ask) and ASSAULTS.search(low):
            wants = "assaults"
        elif more and ("again" in ask or REACH.search(low)):
            # What is done again may be an Assault in other words.
            return None
        elif not DEEDS.search(ask) and not (DEEDS.search(low) and re.search(r"left|more|remain|to go", ask)):
            return None
    spent = _spent(scene, places)
    if spent is None or spent.is_unclear(low) or (more and not (spent.assaults or spent.outright or spent.place)):
        return None
    if more and wants == "assaults":
        spent.assaults = max(1, spent.assaults)
    given = _given(spent, low, wants)
    if given is None:
        return None
    said = _says(given)
    if more or ANY.search(ask):
        counts = bool(COUNT.search(ask))
        return Situation("ordeals.deeds", given, said, lambda verdict: _whether(verdict, wants, counts))
    return Situation("ordeals.deeds", given, said, lambda verdict: _count(verdict, wants))


SO_MANY = re.compile(
    r"(?=.*\b(?:can|may|could|legal|allowed|ok|okay|possible|permitted|valid)\b).*?\b(?P<many>[2-9]|two|three|four|"
    r"five|six) (?:times )?(?P<what>assaults?|attacks?|deeds?|actions?)\b|"
    r"\b(?:can|may|could) @\w+ (?P<doing>assault|attack|swing|hit)(?: @\w+)? "
    r"(?P<twice>twice|(?:2|two|3|three|4|four) times)\b"
)
"`are 4 Assaults in one Act legal?`"


def _so_many(scene: Scene, places: Sequence[int], low: str, asked: re.Match[str]) -> Situation | None:
    """Whether so many Assaults or Deeds fit into an Act of which nothing is spent."""
    number, what = (asked["many"] or asked["twice"]).split()[0], asked["what"] or asked["doing"]
    many = NUMBER_WORDS.get(number) or int(number)
    wants = "assaults" if ASSAULTS.fullmatch(what) else "deeds_left"
    told = [item for clause in scene.clauses for item in clause.items if item.tag == "N" and item.value != many]
    if told or len(places) != 1 or FREED.search(HELD.sub(" ", low)) or ELSE.search(low) or _unknown(low):
        return None
    given = {"spent": 0, "assaults_made": 0} if wants == "deeds_left" else _given(Spent(), low, wants)
    if given is None:
        return None

    def find(verdict: Verdict) -> Found:
        found = _count(verdict, wants)
        if not isinstance(found.value, int):
            return Found()
        return Found(found.value, found.unit, "yes" if many <= found.value else "no", found.deciding, beside=True)

    return Situation("ordeals.deeds", given, f"{many} {what}: {_says(given)}", find)


STANDS = {
    "reach": "by Reach, not Engaged",
    "moved_in": "moved into Engagement in this Act",
    "engaged": "Engaged when the Act started",
}


def _says(given: dict[str, Any]) -> str:
    """The reading in a line: `2 Deeds spent, 1 of them an Assault; Engaged when the Act started`."""
    spent, assaults = given["spent"], given["assaults_made"]
    parts = [f"{spent} Deed{'s' * (spent != 1)} spent" + (f", {assaults} on Assaults" if assaults else "")]
    return "; ".join([*parts, *(words for name, words in STANDS.items() if given.get(name))])


def _only_counts(scene: Scene, places: Sequence[int]) -> bool:
    """Whether nothing else is asked, but for `can I take more, how many?`."""
    clauses = [plain(scene.clauses[place]) for place in places]
    others = [text for text in clauses if not COUNT.search(text) and not ONE_MORE.search(text)]
    return all(re.search(r"\b(?:take|use|do|have) (?:any )?more\b", text) for text in others)


def _unknown(low: str) -> bool:
    """`at most` and the Deeds' own names bound and name nothing new here."""
    named = r"\bat (?:the )?(?:most|least|max)\b|\bup to\b|\breach\b|" + OTHERS.pattern
    return UNKNOWN.search(re.sub(named, " ", low)) is not None


def _spent(scene: Scene, places: Sequence[int]) -> Spent | None:
    """What the question tells of Deeds taken; None where a number is no Deed's."""
    spent = Spent()
    named = {item.text for place in places for item in scene.clauses[place].items if item.role == "subject"} - PRONOUNS
    asked = {item.party for place in places for item in scene.clauses[place].items if item.tag == "P"}
    for number, clause in enumerate(scene.clauses):
        asks = number in places
        people = {item.text for item in clause.items if item.role == "subject"} - PRONOUNS
        if not _numbers(spent, clause, asks) or (people and named and not people & named):
            return None
        told = _condition(clause) if asks else clause
        goes_on = asks
        for part in _parts(told):
            before = spent.named
            if not _done(spent, part, goes_on):
                return None
            goes_on = spent.named > before
            doers = {item.party for item in part.items[:-1] if item.role == "subject"}
            if goes_on and doers and asked and not doers & asked:
                # What another one does is not of this Act.
                return None
    return spent


MAY = frozenset("can could may might do does".split())


def _condition(clause: Clause) -> Clause:
    """What an asking clause tells: `… after a Move and an Assault`, `if I move, …`."""
    asks = next((at for at, item in enumerate(clause.items) if item.tag in "qe" or item.text in MAY), 0)
    conditions = (at + 1 for at in range(asks, len(clause.items)) if clause.items[at].text in CONDITIONS)
    rest = clause.items[next(conditions, len(clause.items)) :]
    told = [item for item in clause.items[:asks] if item.text not in CONDITIONS and item.text != ":"]
    return replace(clause, items=rest if len(told) < 2 else [*told, *rest])


CONDITIONS = ("after", "once", "if", "with")


def _parts(clause: Clause) -> list[Clause]:
    """The clause, cut where one thing is done after the other."""
    found: list[list[Item]] = [[]]
    for item in clause.items:
        if item.text in ("and", "&", "+", "then", "plus"):
            found.append([])
        else:
            found[-1].append(item)
    return [replace(clause, items=items) for items in found if items]


def _numbers(spent: Spent, clause: Clause, asks: bool) -> bool:
    """Adds Deeds and Assaults told by number; False for a number that is neither."""
    for at, item in enumerate(clause.items):
        if item.tag == "x" and item.text == "one deed":
            if not PRICE.search(clause.text) and not re.match(r"each|apiece", _text(clause.items[at + 1 :])):
                _one_deed(spent, clause, at + 1)
        elif item.tag == "x" and item.text == "one assault":
            spent.assaults += 1
        elif item.value is not None and _is_place(clause, at, asks):
            over = _is_over(clause, at, asks)
            if over is None:
                return False
            spent.place = max(spent.place, int(item.value) - (not over))
        elif item.tag == "N" and item.value is not None:
            before, after = " ".join(i.text for i in clause.items[:at]), clause.items[at + 1 :]
            whole = item.value == 3 and re.search(
                r"\b(?:of|with|all|have|has)(?: (?:my|his|her|the|its|your))?$", before
            )
            if item.value == 1 and _text(after).startswith("more"):
                continue
            if item.value == 1 and re.match(
                rf"(?:to|for|on) (?:an? |the |my )?(?:mov|assault|attack|{OTHERS.pattern})", _text(after)
            ):
                _one_deed(spent, clause, at + 1)
                continue
            if whole and before.endswith("all") and SPENT.search(clause.text) and not asks:
                spent.outright = int(item.value)
            if whole or (after and after[0].tag == "i") or PRICE.search(clause.text):
                continue
            if _follows(after, MOVES):
                spent.moves += int(item.value)
                spent.moved_in = spent.moved_in or TOGETHER.search(clause.text) is not None
            elif _follows(after, ASSAULTS):
                spent.assaults += int(item.value)
            elif _follows(after, DEEDS) and re.search(r"\b(?:left|remaining|more|to go|available)\b", _text(after)):
                spent.outright += max(0, IN_AN_ACT - int(item.value))
            elif _follows(after, DEEDS) and not SPENT.search(clause.text):
                if item.value != IN_AN_ACT:
                    return False
            elif _follows(after, DEEDS) and item.value == 1:
                _one_deed(spent, clause, at + 2)
            elif _follows(after, DEEDS) or re.match(r"of (?:my|the|his|her|its|your|those|these|them)\b", _text(after)):
                spent.outright += int(item.value)
            else:
                return False
    return True


def _one_deed(spent: Spent, clause: Clause, at: int) -> None:
    """`one Deed to move`, `one Deed on Stand`; one of which nothing more is said counts by itself."""
    after = _text(clause.items[at:])
    if re.match(r"(?:was |is |for |on |used |spent |to |an? |the )*(?:assault|attack|swing|hit)", after):
        spent.assaults += 1
    elif re.match(r"(?:was |is |for |on |used |spent |to |a |the )*mov", after):
        spent.moves += not any(MOVED_IN.search(part.text) for part in _parts(clause))
    elif not re.match(rf"(?:was |is |for |on |used |spent |to |a |the )*{OTHERS.pattern}", after):
        spent.outright += 1


def _is_place(clause: Clause, at: int, asks: bool) -> bool:
    """`my second Deed`, `with my second and third`, `Deed 2`: so many are gone with it."""
    if clause.items[at].tag == "o":
        after = clause.items[at + 1 :]
        return _follows(after, DEEDS) or (not asks and (not after or after[0].tag == "&"))
    return clause.items[at].tag == "N" and at > 0 and clause.items[at - 1].tag == "Z"


BEHIND = re.compile(r"\b(?:after|once|past|beyond|following|since|spent|used|took|did|done)(?: \w+){0,2}$")
AHEAD = re.compile(
    r"\b(?:on|for|at|with|as|before|now|still|left|remaining|unused|yet|next|this|it|my|is|'s|be|use|using|have|want|"
    r"wanna|would|will|can|could|may)\b"
)


def _is_over(clause: Clause, at: int, asks: bool) -> bool | None:
    """Whether the Deed of that place is taken already: in `can Deed 3 be an Assault again` it is the one that is asked.

    None where that cannot be told.
    """
    if BEHIND.search(_text(clause.items[:at])):
        return True
    if asks:
        return False if ONE_MORE.search(plain(clause)) else None
    told = any(each.search(clause.text) for each in (SPENT, MOVED_IN, MOVED, OTHERS)) or _strikes(clause)
    named = "A" in clause.tags and not AHEAD.search(clause.text) and not ONE_MORE.search(plain(clause))
    return True if told or named else None


def _follows(after: list[Item], pattern: re.Pattern[str]) -> bool:
    return bool(pattern.match(_text(after[:3]).removeprefix("of ").removeprefix("my ").removeprefix("the ")))


def _text(items: list[Item]) -> str:
    return " ".join(item.text for item in items)


def _done(spent: Spent, clause: Clause, goes_on: bool) -> bool:
    """Adds what was done without a number: a move into contact, a Stand, an Assault. False where that is not sure."""
    # `my guard moves` is no Guard.
    items = [item for item in clause.items if item.tag != "P" or item is clause.items[-1]]
    text = COUNTED_MOVE.sub(" ", SO_MANY_MOVES.sub(" ", _text(items)))
    times = next((NUMBER_WORDS[item.text] for item in clause.items if item.text in ONCE), 1)
    others = len(OTHERS.findall(re.sub(r"\buse (?=(?:a|one|two|the|my|\d)\b)", " ", text)))
    moves = MOVED.findall(text)
    into = MOVED_IN.search(SO_MANY_MOVES.sub(" ", clause.text))
    if re.search(r"n't\b|\b(?:not|never|nobody|havent|no)\b", text) or PRICE.search(text):
        return True
    if WISHES.search(text) and (others or moves or into or ASSAULTS.search(text)) and TOGETHER.search(text) is None:
        return False
    if into:
        spent.moved_in = True
        spent.moves += times
    else:
        spent.moves += len(moves) * times
    spent.assaults += times * (_strikes(clause) or _strikes_now(clause, goes_on))
    spent.others += others * (times if others == 1 else 1)
    return True


def _strikes_now(clause: Clause, goes_on: bool) -> bool:
    """`I attack`, `an Assault`, `move and assault`: by who does it, an article, or what was done before it."""
    at = clause.tags.find("A")
    if at < 0 or re.search(r"[^s]s$", clause.items[at].text):
        return at > 0 and clause.items[at - 1].tag == "P"
    alone = clause.tags.strip("a&") == "A"
    before = clause.tags[:at].rstrip("a")
    noun = DOES_ONE.search(_text(clause.items[:at]))
    return alone or bool(noun) or (goes_on and not before) or before.endswith("P")


DOES_ONE = re.compile(r"(?:^|\b(?:did|do|does|made|make|makes|took|take|takes|used|was|is|after) )(?:an?|my|the)$")
"So stands an Assault that is done, and none that somebody might do."


def _strikes(clause: Clause) -> bool:
    return any(item.tag == "A" and (item.text.endswith("ed") or item.text in STRUCK) for item in clause.items)


def _given(spent: Spent, low: str, wants: str) -> dict[str, Any] | None:
    """The procedure's input; None where the question tells no situation."""
    if not spent.total and re.search(r"\b(?:left|more|remain\w*|other|still)\b", low):
        # Something was spent, and what is not told.
        return None
    given: dict[str, Any] = {"spent": spent.total, "assaults_made": spent.assaults}
    if wants == "deeds_left":
        return given if spent.total or UNSPENT.search(low) else None
    if REACH.search(low) and APART.search(low):
        return {**given, "reach": True}
    if NOT_ENGAGED.search(low) or not (spent.moved_in or TOGETHER.search(low) or "stay in" in low):
        return None
    moved_in = spent.moved_in or (spent.moves > 0 and ENDED_UP.search(low) is not None)
    return {**given, "engaged": not moved_in, "moved_in": moved_in}


ENDED_UP = re.compile(r"\b(?:end(?:ed|s)? up|got|get|now|then|became|becomes?|am) (?:\w+ )?engaged\b")
FURTHER = re.compile(r"\b(?:then|after that(?!$)|plus|also|besides)\b")
UNSPENT = re.compile(
    r"\b(?:havent|haven't|have not|hasnt|hasn't|not|nothing)\b.{0,12}\b(?:done|did|used|acted|anything|yet)\b|"
    r"\bno (?:deeds?|actions?) (?:\w+ )?(?:used|spent|taken|done)\b|"
    r"\b(?:start|beginning) of (?:my|his|her|its|the|an) (?:act|turn|activation)\b"
)


def _whether(verdict: Verdict, wants: str, counts: bool) -> Found:
    """Whether one more may be taken, and how many, if that is asked."""
    found = _count(verdict, wants)
    so = "yes" if found.value else "no"
    return replace(found, verdict=so, beside=False) if counts else Found(verdict=so, deciding=found.deciding)


def _count(verdict: Verdict, wants: str) -> Found:
    if verdict.status == ILLEGAL or wants not in verdict.result:
        return Found()
    deciding = "ordeals/close-combat#repeat" if wants == "assaults" else "ordeals/glossary#act"
    acted = {step.clause for step in verdict.steps}
    unit = "Assaults" if wants == "assaults" else "Deeds left"
    return Found(verdict.result[wants], unit, deciding=deciding if deciding in acted else None)
