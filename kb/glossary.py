"""Terms and the graph of terms and passages: what defines, mentions and points to what."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kb import stemming
from kb.corpus import Game
from kb.errors import UsageError
from kb.passage import Passage

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PARENTHESIS = re.compile(r"\s*\(([^)]*)\)")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The word's stem, lower case: `Engaged`, `engages` and `engaging` have one in common."""
    return stemming.stem(re.sub(r"['’]s?$", "", word.casefold()))


def name_forms(name: str) -> tuple[str, ...]:
    """A term's name without its parenthesis, and the parenthesis where that is an abbreviation (`LoS`)."""
    base = _PARENTHESIS.sub("", name).strip()
    inner = [part for part in _PARENTHESIS.findall(name) if re.fullmatch(r"\w*[A-Z]\w*[A-Z]\w*", part)]
    return (base or name, *inner)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a game, as its glossary has it."""

    name: str
    game: str
    passage: str
    "Id of the passage that defines it, or that says that nothing does."
    forms: tuple[str, ...]
    "The name as running text writes it."
    aliases: tuple[str, ...]
    default: str | None
    defined: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that names a term. `start` and `end` are character offsets."""

    start: int
    end: int
    term: Term


class Matcher:
    """Finds the longest phrases of a set in text, word by word and by stem, never inside a word."""

    def __init__(self, phrases: Iterable[tuple[str, Term]], capitalised: bool) -> None:
        self.capitalised = capitalised
        self.by_first: dict[str, list[tuple[tuple[str, ...], Term]]] = defaultdict(list)
        for phrase, term in phrases:
            stems = tuple(stem(word) for word in _WORD.findall(phrase))
            if stems:
                self.by_first[stems[0]].append((stems, term))
        for entries in self.by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def find(self, text: str) -> Iterator[Mention]:
        """The mentions in a text, left to right, none overlapping."""
        words = list(_WORD.finditer(text))
        stems = [stem(word.group()) for word in words]
        at = 0
        while at < len(words):
            for phrase, term in self.by_first.get(stems[at], ()):
                end = at + len(phrase)
                if tuple(stems[at:end]) == phrase and self.cased(text, words[at]):
                    yield Mention(words[at].start(), words[end - 1].end(), term)
                    at = end - 1
                    break
            at += 1

    def cased(self, text: str, word: re.Match[str]) -> bool:
        """Whether the word is written as a term: with a capital, where the game does that."""
        return not self.capitalised or word.group()[0].isupper()


class Glossary:
    """All terms of the games, and who mentions whom."""

    def __init__(self, games: Mapping[str, Game], passages: Iterable[Passage]) -> None:
        self.games = games
        self.passages = tuple(passages)
        self.terms: dict[str, list[Term]] = {name: [] for name in games}
        for p in self.passages:
            if p.kind in ("term", "undefined"):
                name = p.term or p.title
                self.terms[p.game].append(
                    Term(name, p.game, p.id, name_forms(name), p.aliases, p.default, p.kind == "term")
                )

    @cached_property
    def by_passage(self) -> Mapping[str, Term]:
        return {term.passage: term for terms in self.terms.values() for term in terms}

    @cached_property
    def _in_text(self) -> dict[str, Matcher]:
        return {
            game: Matcher(((form, term) for term in terms for form in term.forms), self.games[game].capitalised_terms)
            for game, terms in self.terms.items()
        }

    @cached_property
    def _in_questions(self) -> dict[str, Matcher]:
        return {
            game: Matcher(((form, term) for term in terms for form in (*term.forms, *term.aliases)), False)
            for game, terms in self.terms.items()
        }

    def find(self, text: str, game: str) -> list[Mention]:
        """Terms that a passage's text mentions, written as the game writes them."""
        return list(self._in_text[game].find(text)) if game in self._in_text else []

    def find_asked(self, question: str, game: str) -> list[Mention]:
        """Terms that a player's question names, by name or alias, whatever the case."""
        return list(self._in_questions[game].find(question)) if game in self._in_questions else []

    @cached_property
    def _mentions(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """(passage id -> term passages it mentions, term passage -> ids of passages that mention it)."""
        outgoing: dict[str, list[str]] = {}
        incoming: dict[str, list[str]] = defaultdict(list)
        for p in self.passages:
            named = dict.fromkeys(m.term.passage for m in self.find(p.text, p.game) if m.term.passage != p.id)
            outgoing[p.id] = list(named)
            for term in named:
                incoming[term].append(p.id)
        return outgoing, incoming

    def mentions(self, passage: str) -> list[str]:
        """Ids of the term passages that a passage mentions."""
        return self._mentions[0].get(passage, [])

    def used_in(self, term: Term) -> list[str]:
        """Ids of the passages whose text mentions the term."""
        return self._mentions[1].get(term.passage, [])

    def lookup(self, name: str, game: str | None = None) -> list[Term]:
        """Terms of that name or alias, exact names first; `UsageError` with the nearest names where there is none."""
        wanted = tuple(stem(word) for word in _WORD.findall(name))
        ranked: list[tuple[int, Term]] = []
        for term in (t for g, terms in self.terms.items() if game in (None, g) for t in terms):
            if wanted in {tuple(stem(w) for w in _WORD.findall(form)) for form in (term.name, *term.forms)}:
                ranked.append((0 if name.casefold() in {f.casefold() for f in term.forms} else 1, term))
            elif wanted in {tuple(stem(w) for w in _WORD.findall(alias)) for alias in term.aliases}:
                ranked.append((2, term))
        if not ranked:
            raise UsageError(f"no term {name!r} in the glossary", self.nearest(name, game))
        best = min(rank for rank, _ in ranked)
        return [term for rank, term in ranked if rank == best or best < 2 > rank]

    def nearest(self, name: str, game: str | None) -> str:
        """A sentence that names the terms most like a name."""
        from rapidfuzz import fuzz, process

        known = sorted({t.name for g, terms in self.terms.items() if game in (None, g) for t in terms})
        close = process.extract(name, known, scorer=fuzz.WRatio, limit=3, score_cutoff=60)
        if close:
            return f"Did you mean {' or '.join(repr(match[0]) for match in close)}?"
        return "`kb passages` lists what there is"
