"""A question as marks: words, phrases of a game's lexicon, numbers, and the breaks between clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kb.glossary import stem
from kb.reading.tokens import Token, tokenize

ORDINAL_WORDS = {"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}


CARDINAL, ORDINAL = "cardinal", "ordinal"
ENDS_SENTENCE, ENDS_CLAUSE = frozenset(".?!\n"), frozenset(",;()–—:")


@dataclass(frozen=True, slots=True)
class Mark:
    """A word, a phrase of the lexicon, or a number of the question."""

    text: str
    "Lower case; a phrase as it was written."
    concept: str = ""
    "What the lexicon says it is."
    value: float | int | None = None
    kind: str = ""
    "cardinal | ordinal, for a number."
    clause: int = 0
    sentence: int = 0
    asks: bool = False
    "Its sentence ends with a question mark."


class Lexicon:
    """Phrases and their concepts; the longest phrase wins. `=word` is taken as it stands, other words by their stem."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        known: dict[tuple[str, ...], str] = {}
        for phrase, concept in phrases:
            known.setdefault(tuple(word if word.startswith("=") else stem(word) for word in phrase.split()), concept)
        self.by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for key in sorted(known, key=lambda key: (-len(key), [not word.startswith("=") for word in key])):
            self.by_first.setdefault(key[0], []).append((key, known[key]))

    def forms(self, token: Token) -> tuple[str, str]:
        """What a token may be called in a phrase."""
        return "=" + token.text, stem(token.text)

    def match(self, forms: Sequence[tuple[str, str]], at: int) -> tuple[str, int] | None:
        """The concept of the phrase that starts here, and its length in tokens."""
        best: tuple[str, int] | None = None
        for first in forms[at]:
            for key, concept in self.by_first.get(first, ()):
                if best is not None and len(key) <= best[1]:
                    break
                if all(word in found for word, found in zip(key, forms[at : at + len(key)], strict=False)) and (
                    at + len(key) <= len(forms)
                ):
                    best = concept, len(key)
                    break
        return best


def marks_of(text: str, lexicon: Lexicon) -> list[Mark]:
    """The marks of a text."""
    return list(_marked(text, lexicon))


@lru_cache(maxsize=16)
def _marked(text: str, lexicon: Lexicon) -> tuple[Mark, ...]:
    """The same, kept for a while: every reader of a game asks for those of the question."""
    return tuple(_with_questions(list(_marks(_hashes(tokenize(text), text), lexicon))))


def _hashes(tokens: list[Token], text: str) -> list[Token]:
    """`#4` and `no. 4` are the fourth."""
    found: list[Token] = []
    for token in tokens:
        if token.kind == "number" and [each.text for each in found[-2:]] in (["no", "."], ["nr", "."]):
            del found[-2:]
            token = replace(token, kind="ordinal")
        elif token.kind == "number" and text[max(token.start - 1, 0)] == "#":
            token = replace(token, kind="ordinal")
        found.append(token)
    return found


def _marks(tokens: list[Token], lexicon: Lexicon) -> Iterator[Mark]:
    at, clause, sentence = 0, 0, 0
    forms = [lexicon.forms(token) for token in tokens]
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "mark":
            ends = set(token.text) & ENDS_SENTENCE
            link = not ends and token.text in ("=", ":", "-", "/", "+") and _before_a_number(tokens, at)
            if ends or (set(token.text) & ENDS_CLAUSE and not link):
                clause, sentence = clause + 1, sentence + bool(ends)
                yield Mark(
                    token.text, "break", None, "?" if "?" in token.text else "", clause - 1, sentence - bool(ends)
                )
            elif link or token.text == "+":
                yield Mark(token.text, clause=clause, sentence=sentence)
            at += 1
            continue
        found = lexicon.match(forms, at)
        if found and not (found[1] == 1 and token.kind in ("number", "ordinal")):
            concept, length = found
            text = " ".join(each.text for each in tokens[at : at + length])
            yield Mark(text, concept, clause=clause, sentence=sentence)
            at += length
            continue
        yield _plain(token, clause, sentence)
        at += 1


def _plain(token: Token, clause: int, sentence: int) -> Mark:
    if token.text in ORDINAL_WORDS:
        return Mark(token.text, "", ORDINAL_WORDS[token.text], ORDINAL, clause, sentence)
    kind = {"number": CARDINAL, "ordinal": ORDINAL}.get(token.kind, "")
    return Mark(token.text, "", token.value, kind, clause, sentence)


def _before_a_number(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].kind == "number" and at > 0


def _with_questions(marks: list[Mark]) -> list[Mark]:
    asking = {mark.sentence for mark in marks if mark.concept == "break" and mark.kind == "?"}
    return [replace(mark, asks=mark.sentence in asking) for mark in marks]


def said_in(texts: Iterable[str | Mark]) -> set[str]:
    """The single words of these phrases."""
    return {word for text in texts for word in (text if isinstance(text, str) else text.text).split()}


def phrases(table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """A lexicon's entries from concept -> phrases divided by `|`."""
    for concept, listed in table.items():
        for phrase in listed.split("|"):
            yield phrase.strip(), concept
