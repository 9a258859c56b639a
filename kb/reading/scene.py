"""A question as clauses of items: each stretch of words gets a letter that says what it is, so that short patterns over
the letters find what stands by what. The letters of a game's words are the game's; the ones used here are in `LETTERS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kb.reading.tokens import Token, tokenize

NUMBER, PARTY, LINK, FILLER, OTHER = "N", "P", "=", "a", "."
LETTERS = {
    NUMBER: "a number",
    PARTY: "a mention of one of the parties",
    LINK: "is, of, at, on, a colon",
    FILLER: "articles and adjectives that change nothing",
    OTHER: "any other word",
}
GLUE = {
    "=": "is|are|am|was|were|be|been|of|at|on|being|equals|reads|says|counts|came to|comes to|amounts to|stands at|"
    "worth",
    "a": "a|an|the|just|only|also|even|some|exactly|measly|lousy|poor|bad|good|nice|natural|nat|whole|mere|another|"
    "stupid|nasty|big|small|tiny|mighty|low|high|great|lucky|unlucky|really|now|then|so|my own|his own|own|very|"
    "pathetic|miserable|solid|decent|strong|weak|puny|meagre|meager|crappy|shitty|fat|about to|currently|still|"
    "already|again|too|actual|actually",
    "u": "points|point|pips|pip|pts|pt",
    "f": "for|to|into|onto|upon|in",
    "v": "vs|versus|against|v",
    "&": "and|but|while|whereas|or|plus a|with a plus",
    "+": "plus",
    "b": "rolled the same|roll the same|the same number|the same roll|the same result|both|each|either|everyone|"
    "everybody|anybody|anyone|neither|nobody|all of us|both of us|each of us|all|"
    "either of us|none of us|anywhere|both sides|either side|both models|both guys|us both|them both|both of them",
    "n": "no|without|not|never|nothing|none|nil|with / o|zip|nada|no one|zero",
    "h": "has|have|had|having|wears|wear|carries|owns|has got|have got",
    "j": "with|wearing|using",
    "y": "by",
    "q": "what|how|who|which|where|whats|what's|how's|who's|when|why|whose|wot|wat",
}
"Words that every game's questions share; phrases are divided by `|`."


@dataclass
class Item:
    """A stretch of words of one kind."""

    tag: str
    text: str
    "Lower case."
    start: int
    end: int
    value: float | int | None = None
    parties: tuple[tuple[str, float], ...] = ()
    "Whom a mention may mean, each with how far-fetched that is: 0 for what it says."
    role: str = ""
    "subject | object | owner"
    bound: int = -1
    "Where the first mention by this pronoun stands, if it means one person throughout."

    @property
    def party(self) -> str | None:
        return self.parties[0][0] if self.parties else None


@dataclass
class Clause:
    """Items up to a comma, a parenthesis, a full stop."""

    items: list[Item]
    sentence: int
    mark: str = ""
    "What ended it."
    first: int = 0
    "Place of its first item among all items of the text."

    @property
    def tags(self) -> str:
        return "".join(item.tag for item in self.items)

    @property
    def text(self) -> str:
        return " ".join(item.text for item in self.items)


class Lexicon:
    """Phrases and the letters they stand for; the longest phrase wins."""

    def __init__(self, *groups: Mapping[str, str]) -> None:
        self.by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for group in groups:
            for tag, phrases in group.items():
                for phrase in phrases.split("|"):
                    self.add(tag, phrase)

    def add(self, tag: str, phrase: str) -> None:
        words = tuple(phrase.split())
        known = self.by_first.setdefault(words[0], [])
        known[:] = [entry for entry in known if entry[0] != words] + [(words, tag)]
        known.sort(key=lambda entry: -len(entry[0]))

    def match(self, texts: list[str], at: int) -> tuple[str, int] | None:
        """The letter of the phrase that starts here, and how many tokens it takes."""
        for words, tag in self.by_first.get(texts[at], ()):
            if tuple(texts[at : at + len(words)]) == words:
                return tag, len(words)
        return None


_BREAK = re.compile(r"[.?!;\n]")
_ABBREVIATED = frozenset("vs v no approx".split())


def take_apart(text: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses of a text with their items; no party is known yet."""
    tokens = _split_possessives(_single_marks(tokenize(text)))
    clauses = [Clause([], 0)]
    texts = [token.text for token in tokens]
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if at and _symbol_between(text, tokens[at - 1].end, token.start):
            _close(clauses, "", 0)
        found = lexicon.match(texts, at)
        width = found[1] if found else 1
        if token.kind == "mark" and not found:
            _mark(clauses, tokens, at)
        else:
            clauses[-1].items.append(_item(tokens[at : at + width], found[0] if found else None))
        at += width
    for clause in clauses:
        _zeros(clause)
    return _numbered([clause for clause in clauses if clause.items])


def _zeros(clause: Clause) -> None:
    """`Might: none` is a number, `no Might` is not."""
    for at, item in enumerate(clause.items):
        before = "".join(each.tag for each in clause.items[:at])
        counted = re.search(r"(?<!n)[A-Z][=a]*$", before) and not re.search(r"[PNKA][=a]*$", before)
        if counted and item.text in ("none", "nil", "nothing", "zip", "nada", "zero"):
            item.tag, item.value = NUMBER, 0


def _single_marks(tokens: Iterable[Token]) -> Iterator[Token]:
    """`(+` and `?!` as two marks each."""
    for token in tokens:
        if token.kind == "mark" and len(token.text) > 1:
            yield from (
                Token("mark", sign, token.start + at, token.start + at + 1) for at, sign in enumerate(token.text)
            )
        else:
            yield token


def _split_possessives(tokens: Iterable[Token]) -> list[Token]:
    """`ogre's` becomes `ogre` and `'s`, which may be a genitive or an `is`."""
    found: list[Token] = []
    for token in tokens:
        cut = token.text.removesuffix("'s")
        if token.kind == "word" and cut != token.text and cut not in ("what", "who", "how", "let", "that", "there"):
            found += tokenize(token.text[:-2]) and [
                Token(each.kind, each.text, token.start, token.end - 2, each.value) for each in tokenize(cut)
            ]
            found.append(Token("word", "'s", token.end - 2, token.end))
        else:
            found.append(token)
    return found


def _symbol_between(text: str, start: int, end: int) -> bool:
    """An emoji divides like a comma."""
    return any(ord(sign) > 0x2190 for sign in text[start:end])


def _close(clauses: list[Clause], mark: str, further: int) -> None:
    if clauses[-1].items:
        clauses[-1].mark = mark
        clauses.append(Clause([], clauses[-1].sentence + further))
    elif further and len(clauses) > 1 and clauses[-1].sentence == clauses[-2].sentence:
        clauses[-2].mark, clauses[-1].sentence = mark, clauses[-1].sentence + further


def _mark(clauses: list[Clause], tokens: list[Token], at: int) -> None:
    """Commas, parentheses and dashes end a clause, full stops a sentence; the rest are items."""
    token = tokens[at]
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    between_numbers = bool(before and after and before.kind == after.kind == "number")
    digits = bool(before and after and before.text[0].isdigit() and after.text[0].isdigit())
    if token.text == "." and before and before.text in _ABBREVIATED:
        return
    if _holds_a_number(tokens, at):
        # `full Endurance (6)`
        return
    if token.text == ":" and before and before.kind == "number" and at > 1 and tokens[at - 2].text in COUNTED:
        # `round 2: 9 to 4`
        _close(clauses, ":", 0)
    elif _BREAK.search(token.text):
        _close(clauses, token.text, 1)
    elif token.text in "+=" or (token.text in ("/", "-", "–", ":", "--") and between_numbers and digits):
        tag = "+" if token.text == "+" else "=" if token.text == "=" else "-"
        clauses[-1].items.append(Item(tag, token.text, token.start, token.end))
    elif token.text == ":":
        clauses[-1].items.append(Item("=", ":", token.start, token.end))
    elif token.text == "-" and after and after.kind == "number" and after.start == token.end:
        clauses[-1].items.append(Item("m", "-", token.start, token.end))
    elif token.text in "-–" and before and after and before.end == token.start and after.start == token.end:
        return
    elif token.text != "/" or not (before and before.text == "with"):
        # The stroke of `w/` divides nothing.
        _close(clauses, token.text, 0)


COUNTED = frozenset("exchange round fight bout assault attack hit blow roll turn clash".split())
"What is told one after another by number."
SOMEBODY = frozenset("me mine i him his he her hers she them foe enemy opponent".split())


def _holds_a_number(tokens: list[Token], at: int) -> bool:
    """Whether a parenthesis opens before a lone number, or closes after one."""
    if tokens[at].text == "(":
        if at and tokens[at - 1].kind == "number" and [each.text for each in tokens[at + 2 : at + 3]] == [")"]:
            # `9 (me)`
            return tokens[at + 1].text in SOMEBODY
        inside = [each.kind if each.kind == "number" else each.text for each in tokens[at + 1 : at + 4]]
        return inside[:2] == ["number", ")"] or inside == ["+", "number", ")"]
    if at > 2 and tokens[at - 2].text == "(" and tokens[at - 3].kind == "number" and tokens[at - 1].text in SOMEBODY:
        return True
    inside = [each.kind if each.kind == "number" else each.text for each in tokens[max(0, at - 3) : at]]
    return tokens[at].text == ")" and (inside[-2:] == ["(", "number"] or inside == ["(", "+", "number"])


def _item(tokens: list[Token], tag: str | None) -> Item:
    first = tokens[0]
    text = " ".join(token.text for token in tokens)
    if tag == "2":
        return Item(NUMBER, text, first.start, tokens[-1].end, 2)
    if tag is None:
        tag = {"number": NUMBER, "ordinal": "o", "dice": "R"}.get(first.kind, OTHER)
    if text == "'s":
        tag = "'"
    value = first.value if tag in (NUMBER, "o") else None
    return Item(tag, text, first.start, tokens[-1].end, value)


def _numbered(clauses: list[Clause]) -> list[Clause]:
    count = 0
    for clause in clauses:
        clause.first = count
        count += len(clause.items)
    return clauses


@dataclass
class Scene:
    """A question's clauses with everybody in them told apart."""

    text: str
    clauses: list[Clause]
    sides: tuple[str, str]
    "The two parties: `me` and `foe`, or two names."
    names: dict[str, str] = field(default_factory=dict)
    "Party -> the player's own word for it."
    strangers: frozenset[str] = frozenset()
    "Nouns of third ones."
    asking: frozenset[int] = frozenset()
    "Places of the clauses that ask, once they are known."

    def other(self, party: str) -> str:
        return self.sides[1] if party == self.sides[0] else self.sides[0]

    @property
    def items(self) -> list[Item]:
        return [item for clause in self.clauses for item in clause.items]
