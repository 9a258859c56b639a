"""Many phrases at once: an automaton that tells what the phrases beginning at a word say.

A phrase is words, `*` for any word, `(walk|run|)` for any of these or nothing, `{foe}` for any phrase of a list,
`=dies` for this very form, `<=1` for any number that is so. Words are compared by stem.
"""

from __future__ import annotations

import operator
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern

from kb.glossary import stem

SKIPPED = frozenset("the a an my his her their our your this that these those some".split())
"Words that don't count, neither in a phrase nor in a text."
MARKS = frozenset(".?!;,:\n")
ANY = "*"
LITERAL = "="
"Before a word of a phrase: only this very form (`=engages` is not said by `engaged`)."
LIST = re.compile(r"\{([^{}]*)\}")
_TOKEN = re.compile(r"\{[^{}]*\}|[()|]|[<>]=?\d+(?:\.\d+)?|[=+]?[^\W_]+(?:['’][^\W_]+)*|\*")
_COMPARE = re.compile(r"(?P<how>[<>]=?)(?P<with>\d+(?:\.\d+)?)")
"In a phrase: any number that is so (`<=1 inch`); numbers are read in digits and in words."
_COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_VALUES = {"half": 0.5, "quarter": 0.25, "½": 0.5, "¼": 0.25, "¾": 0.75, "couple": 2.0, "dozen": 12.0} | {
    word: float(n)
    for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_SPELT = {str(int(n)): word for word, n in _VALUES.items() if n in range(2, 13) and word not in ("couple", "dozen")}
Word = tuple[str, str]
"Of a text: its stem, and its form behind LITERAL."
MOST = 20_000
"Steps from state to state that are remembered; 4 MB."


class Phrases:
    """Phrases and the concepts that they say. Safe to share between threads once all phrases are added.

    A phrase takes its place in the automaton when a text has its first word: most never do, and putting thousands in
    their places takes a seventh of a second.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._lists = lists
        self._parsed: dict[str, _Choice] = {}
        "The lists named so far, parsed."
        self._waiting: dict[str, list[tuple[str, str]]] = {}
        "First word -> (phrase, concept), in the order in which they were added."
        self._unplaced: set[tuple[str, str]] = set()
        "Of these, those that have not got their place by another first word."
        self._comparing: tuple[str, ...] = ()
        "Numbers to compare with, of the phrases so far."
        self._placing = threading.Lock()
        self._root = _Node()
        self._words: dict[tuple[str, ...], str] = {}
        "The words of a list -> what stands for it in the tables of places."
        self._lists_of: dict[str, tuple[str, ...]] = {}
        "A word -> the lists that it is in."
        self._junctions: dict[tuple[tuple[int, ...], str], _Node] = {}
        "Places and the list that follows them -> the one place behind it."
        self._begin = _State((self._root,), ())
        self._placed: set[Word] = set()
        "Words of late whose phrases are in place: which they are is quickly found out again."
        self._states: dict[frozenset[int], _State] = {}
        self._steps = 0

    def add(self, phrase: str, concept: str) -> None:
        """Adds a phrase of a concept."""
        found = (token[0] for token in _TOKEN.finditer(phrase.casefold()) if token[0] not in SKIPPED)
        first = next(found, "")
        keys = [self._key(first)] if first and first[0] not in "(|){" else self._firsts(self._parse(phrase))
        waiting = (phrase, concept)
        self._unplaced.add(waiting)
        for key in dict.fromkeys(keys):
            self._waiting.setdefault(key, []).append(waiting)

    def match(self, words: Sequence[Word], at: int) -> dict[str, int]:
        """The concepts that phrases beginning at a word say, with the length in words of the longest of each."""
        if words[at] not in self._placed:
            self._place(*words[at])
            self._placed.add(words[at])
        hits: dict[str, int] = {}
        state = self._begin
        for place in range(at, len(words)):
            word = words[place]
            after = state.after[word] if word in state.after else self._after(state, word)
            if after is None:
                break
            state = after
            for concept in state.says:
                hits[concept] = place - at + 1
        return hits

    def _place(self, word: str, form: str) -> None:
        """Gives the phrases that may begin with a word their places."""
        for key in (word, form, ANY, *self._comparing):
            if key in self._waiting:
                with self._placing:
                    for each in self._waiting.get(key, ()):
                        if each in self._unplaced:
                            self._put(*each)
                            self._unplaced.discard(each)
                    self._waiting.pop(key, None)  # last: whoever finds it gone finds all in place

    def _put(self, phrase: str, concept: str) -> None:
        """Puts a phrase in its place."""
        for end in self._lead([self._root], self._parse(phrase)):
            if end is not self._root and concept not in end.says:
                end.says += (concept,)

    def _firsts(self, parsed: _Parsed) -> Iterator[str]:
        """The words that a parsed phrase may begin with."""
        for item in parsed:
            if isinstance(item, str):
                yield item
                return
            yield from item.words
            for each in item.longer:
                yield from self._firsts(each)
            if not item.may_be_nothing:
                return

    def _parse(self, phrase: str) -> _Parsed:
        """Words, and alternatives that are parsed phrases themselves."""
        stack: list[list[_Parsed]] = [[[]]]
        for token in _TOKEN.findall(phrase.casefold()):
            if token == "(":
                stack.append([[]])
            elif token == "|":
                stack[-1].append([])
            elif token == ")" and len(stack) > 1:
                choice = _Choice(stack.pop())
                stack[-1][-1].append(choice)
            elif token[0] == "{":
                stack[-1][-1].append(self._list(token[1:-1]))
            elif token not in SKIPPED:
                stack[-1][-1].append(self._key(token))
        return stack[0][0]

    def _key(self, token: str) -> str:
        """A word of a phrase as the places know it: one string, however often it is said."""
        if token[0] == LITERAL:
            return intern(LITERAL + spelt(token[1:]))
        if token[0] in "<>" and token not in self._comparing:
            self._comparing += (token,)
        return intern(token if token == ANY or token[0] in "<>" else stem(spelt(token)))

    def _list(self, name: str) -> _Choice:
        """A list's phrases, parsed."""
        if name not in self._parsed:
            self._parsed[name] = _Choice([self._parse(each) for each in self._lists[name]])
        return self._parsed[name]

    def _lead(self, starts: list[_Node], parsed: _Parsed) -> list[_Node]:
        """The places to which a parsed phrase leads."""
        for item in parsed:
            if isinstance(item, str):
                starts = [_link(starts, item)]
            else:
                ends = [self._junction(starts, item.words)] if item.words else []
                for each in item.longer:
                    ends += self._lead(starts, each)
                starts = list(dict.fromkeys(ends))
        return starts

    def _junction(self, starts: list[_Node], words: tuple[str, ...]) -> _Node:
        """The one place to which any of the words leads from all of these.

        The places know the list, not its words: one of sixty words takes no more room than one of two.
        """
        if len(words) == 1:
            return _link(starts, words[0])
        known_as = self._words.get(words) or self._listed(words)
        key = (tuple(map(id, starts)), known_as)
        if key not in self._junctions:
            node = self._junctions[key] = _Node()
            for start in starts:
                start.lead(known_as, node)
        return self._junctions[key]

    def _listed(self, words: tuple[str, ...]) -> str:
        """A new list of words, as it is known to places."""
        known_as = self._words[words] = f"#{len(self._words)}"
        for word in words:
            self._lists_of[word] = (*self._lists_of.get(word, ()), known_as)
        return known_as

    def _known_by(self, word: Word) -> dict[str, None]:
        """All that a word of a text may be known by in the tables of places."""
        stemmed, form = word
        keys = [stemmed, form]
        if stemmed not in MARKS:
            keys.append(ANY)
        if (number := _value(form[1:])) is not None:
            keys += [each for each in self._comparing if _compares(each, number)]
        return dict.fromkeys([*keys, *(known_as for key in keys for known_as in self._lists_of.get(key, ()))])

    def _state(self, nodes: Iterable[_Node]) -> _State:
        key = frozenset(map(id, nodes))
        state = self._states.get(key)
        if state is None:
            says = dict.fromkeys(concept for node in nodes for concept in node.says)
            going = tuple(node for node in nodes if node.next is not _NOTHING)
            state = self._states.setdefault(key, _State(going, tuple(says)))
        return state

    def _after(self, state: _State, word: Word) -> _State | None:
        """The state behind a word, worked out; None where no phrase goes on."""
        self._steps += 1
        if self._steps > MOST:
            self._steps = 0
            self._states.clear()  # whoever is under way keeps the states that it holds
            self._placed.clear()
            self._begin = _State((self._root,), ())
        keys = self._known_by(word)
        nodes = dict.fromkeys(after for node in state.nodes for after in node.after(keys))
        after = state.after[word] = self._state(nodes) if nodes else None
        return after


def spelt(word: str) -> str:
    """`two` for `2`: small numbers count as the same however they are written."""
    return _SPELT.get(word, word)


class _Choice:
    """Alternatives in a phrase."""

    __slots__ = ("longer", "may_be_nothing", "words")

    def __init__(self, ways: list[_Parsed]) -> None:
        self.words = tuple(dict.fromkeys(way[0] for way in ways if len(way) == 1 and isinstance(way[0], str)))
        "Those that are a word and no more."
        self.longer = [way for way in ways if len(way) != 1 or not isinstance(way[0], str)]
        self.may_be_nothing: bool = any(
            all(not isinstance(item, str) and item.may_be_nothing for item in way) for way in self.longer
        )


_Parsed = list[str | _Choice]
_NOTHING: dict[str, tuple[_Node, ...]] = {}
"The table of a place behind which nothing follows, as most are: one for all."


class _Node:
    """A place in the phrases: what follows, and the concepts of the phrases that end here."""

    __slots__ = ("next", "says", "sole")

    def __init__(self, sole: _Node | None = None) -> None:
        self.sole = sole
        "The only place that leads here, if it is one: phrases that begin alike share such places."
        self.next: dict[str, tuple[_Node, ...]] = _NOTHING
        "Each word that may follow, as places know it -> the places that it leads to."
        self.says: tuple[str, ...] = ()

    def lead(self, key: str, node: _Node) -> None:
        """Lets a word lead to a place."""
        if self.next is _NOTHING:
            self.next = {}
        self.next[key] = (*self.next.get(key, ()), node)

    def after(self, keys: Mapping[str, None]) -> Iterable[_Node]:
        """The places that a word leads to, by all that it may be known by."""
        few, many = (self.next, keys) if len(self.next) < len(keys) else (keys, self.next)
        return [node for key in few if key in many for node in self.next[key]]


class _State:
    """The places where the phrases that fit so far stand, as far as they go on, and what the words so far say."""

    __slots__ = ("after", "nodes", "says")

    def __init__(self, nodes: tuple[_Node, ...], says: tuple[str, ...]) -> None:
        self.nodes = nodes
        self.says = says
        self.after: dict[Word, _State | None] = {}


def _link(starts: Sequence[_Node], key: str) -> _Node:
    """The place to which a word leads from all of these."""
    sole = starts[0] if len(starts) == 1 else None
    if sole is not None:
        for node in sole.next.get(key, ()):
            if node.sole is sole:
                return node
    node = _Node(sole)
    for start in starts:
        start.lead(key, node)
    return node


def _compares(wanted: str, number: float) -> bool:
    """Whether a number is as a phrase wants it."""
    comparison = _COMPARE.fullmatch(wanted)
    return comparison is not None and bool(_COMPARED[comparison["how"]](number, float(comparison["with"])))


@lru_cache(maxsize=4096)
def _value(word: str) -> float | None:
    """The number that a word is, in digits, as a fraction or spelt out."""
    if re.fullmatch(r"\d*\.?\d+", word):
        return float(word)
    above, _, below = word.partition("/")
    if above.isdigit() and below.isdigit() and int(below):
        return int(above) / int(below)
    return _VALUES.get(word)
