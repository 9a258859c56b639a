"""What a question is about, whatever words it uses: phrases of players become concepts of the game.

`corpus/<game>/concepts.yaml` maps a concept to the phrases that players say it with. `locked in melee`, `tied up` and
`has an orc in his face` are all `engaged`. Concepts are what claims are matched by, and retrieval searches them beside
the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kb.errors import CorpusError
from kb.glossary import stem
from kb.phrases import ANY, LIST, LITERAL, MARKS, SKIPPED, Phrases, Word, spelt
from kb.yamlfile import read_yaml

_WORD = re.compile(
    r"(?<![\w.])(?:\+\d+|\d+/\d+|\d+(?:\.\d+)?|\.\d+)(?=in\b|mm\b|cm\b|[^\w]|$)|(?<=\d)(?:\s?(?:''|[\"”″])|in\b)"
    r"|[^\W_]+(?:['’][^\W_]+)*|[.?!;,:\n]"
)
_NEGATIONS = frozenset(
    "not no never without nor neither cannot isnt arent doesnt dont cant wont aint wasnt didnt hasnt havent "
    "isn't aren't doesn't don't can't won't ain't wasn't didn't hasn't haven't".split()
)
_CONDITIONS = frozenset("while whilst when whenever if once after before because unless although though but".split())
"Where a clause begins: a negation before one of these does not reach behind it."
_BRACKETS = str.maketrans("()[]=", ",,,,,")
"What parts a text as a comma does."
TWICE = "#2"
"Behind a tag: the concept is mentioned at least twice."
KEPT = 64
"Texts whose concepts are kept: ranking, claims and leaning ask for the same."
REACH = 3
"Words between a negation and what it negates, at most."


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that says a concept. `start` and `end` are character offsets."""

    concept: str
    start: int
    end: int
    negated: bool

    @property
    def tag(self) -> str:
        """`engaged`, or `-engaged` where it is negated."""
        return f"-{self.concept}" if self.negated else self.concept


class Lexicon:
    """The phrases of a game's concepts. In one, `*` stands for any word, `(walk|run|)` for any of these or nothing, and
    `{foe}` for any phrase of that list; a list named `_foe` is no concept. Articles and possessives don't count.
    Concepts listed as `_always` count within longer phrases too (`"*"`: all of them, `-foe`: but not this);
    where some are listed as `_hiding`, only phrases of these hide what is within them, and those of `_muting` hide it
    even where it is listed as `_always`. `_turning` names concepts that may turn a question round: a claim that does
    not name them says nothing where they are asked."""

    def __init__(self, phrases: Mapping[str, Iterable[str]]) -> None:
        self.concepts = frozenset(name for name in phrases if not name.startswith("_"))
        always = frozenset(phrases.get("_always", ()))
        self._always = self.concepts - {name[1:] for name in always} if ANY in always else always
        self.turning = frozenset(phrases.get("_turning", ()))
        self._hiding = frozenset(phrases.get("_hiding", ())) or self.concepts
        self._muting = frozenset(phrases.get("_muting", ()))
        self._phrases = Phrases(phrases)
        self.find = lru_cache(maxsize=KEPT)(self._find)
        "The concepts of a text, left to right; a phrase within a longer one does not count."
        for concept in phrases:
            if concept in self.concepts:
                for phrase in phrases[concept]:
                    self._phrases.add(phrase, concept)

    def _find(self, text: str) -> tuple[Mention, ...]:
        words = [m for m in _WORD.finditer(text.translate(_BRACKETS)) if m.group().casefold() not in SKIPPED]
        read = [_read("inch" if _is_inch(m) else m.group()) for m in words]
        mentions: list[Mention] = []
        reached = muted = 0
        for at in range(len(words)):
            hits = self._phrases.match(read, at)
            if not hits:
                continue
            if self._muting:
                longest = max((hits[concept] for concept in self._muting & hits.keys()), default=0)
                hits = {name: n for name, n in hits.items() if at + n > muted and n >= longest}
                muted = max(muted, at + longest if longest else 0)
            longest = max((length for concept, length in hits.items() if concept in self._hiding), default=0)
            negated = bool(hits) and self._negated(words, at)
            mentions += [
                Mention(concept, words[at].start(), words[at + length - 1].end(), negated)
                for concept, length in hits.items()
                if (length >= longest and at + length > reached) or concept in self._always
            ]
            reached = max(reached, at + longest)
        return tuple(mentions)

    def tokens(self, text: str) -> list[str]:
        """The concepts of a text as words that no text has, for the lexical index."""
        return [f"cx{re.sub(r'[^a-z0-9]', '', m.concept.casefold())}q" for m in self.find(text)]

    def tags(self, text: str) -> frozenset[str]:
        """The tags of a text's concepts."""
        return tags_of(self.find(text))

    @staticmethod
    def _negated(words: list[re.Match[str]], at: int) -> bool:
        """Whether a negation stands shortly before, in the same clause. A leading `isn't he …` negates nothing."""
        for back in range(at - 1, max(-1, at - 1 - REACH), -1):
            word = words[back].group().casefold().replace("’", "'")
            if word in MARKS or word in _CONDITIONS:
                return False
            if word in _NEGATIONS:
                leads = back == 0 or words[back - 1].group() in MARKS
                return not (leads and word not in ("no", "not", "without", "never"))
        return False


def tags_of(mentions: Iterable[Mention]) -> frozenset[str]:
    """The tags of mentions; `walk#2` where two of them, one behind the other, say `walk`."""
    tags: set[str] = set()
    ends: dict[str, int] = {}
    for mention in mentions:
        if mention.start >= ends.get(mention.tag, 0):
            tags.add(mention.tag + TWICE if mention.tag in tags else mention.tag)
            ends[mention.tag] = mention.end
    return frozenset(tags)


@lru_cache(maxsize=8192)
def _read(word: str) -> Word:
    """A word as it is looked up, by its stem and by its form: the mark behind `2"` is an inch."""
    plain = "inch" if word.strip() in ('"', "”", "″", "''") else spelt(word)
    return word if word in MARKS else stem(plain), LITERAL + plain.casefold()


def _is_inch(word: re.Match[str]) -> bool:
    return word.group() == "in" and word.start() > 0 and word.string[word.start() - 1].isdigit()


_PLAIN = re.compile(r"[<>]=?\d+(?:\.\d+)?|[=+]?[^\W_]+(?:['’][^\W_]+)*|\*")


def _says_something(phrase: str) -> bool:
    return any(word[0] not in SKIPPED for word in _PLAIN.finditer(phrase.casefold()))


def load_lexicon(path: Path) -> Lexicon:
    """Reads concepts.yaml; a game without one has no concepts."""
    raw = read_yaml(path) if path.is_file() else {}
    if not isinstance(raw, dict):
        raise CorpusError("this file is no mapping", "Write `concept: [phrase, …]`", where=path)
    for concept, phrases in raw.items():
        if not isinstance(phrases, list) or not all(isinstance(p, str) and _says_something(p) for p in phrases):
            raise CorpusError(f"{concept!r} has no list of phrases", 'Write ["…", "…"]', where=path)
        if unknown := [each for phrase in phrases for each in LIST.findall(phrase) if each not in raw]:
            raise CorpusError(f"{concept!r}: there is no list {unknown[0]!r}", "Write the name of a list", where=path)
    if (endless := _endless(raw)) is not None:
        raise CorpusError(f"the list {endless!r} is made of itself", "Take the list out of its own phrases", where=path)
    return Lexicon(raw)


def _endless(raw: Mapping[str, Iterable[str]]) -> str | None:
    """A list that names itself, be it through others; None where each comes to an end."""
    named = {name: {each for phrase in phrases for each in LIST.findall(phrase)} for name, phrases in raw.items()}
    while ended := [name for name, others in named.items() if not others & named.keys()]:
        for name in ended:
            del named[name]
    return next(iter(named), None)
