"""One rule of a numbered text: its number, its lines joined to paragraphs, whether it is a title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

_EXAMPLE = re.compile(r"\s*(?:examples?|note)s?\s*:", re.I)
SENTENCE_END = re.compile(r"[.:;,][”\"’')\]]*$")
_CALL_END = re.compile(r"[!?][”\"’')\]]*$")
MOST_TITLE_WORDS = 10
MOST_CALL_WORDS = 5
"Words of a title that ends in an exclamation or question mark."


@dataclass
class Rule:
    """A numbered line with what belongs to it."""

    number: str
    parts: tuple[str, ...]
    dot: str
    line: int
    raw: list[tuple[str, bool]] = field(default_factory=list)
    "Its lines, each with whether a blank line stands before it."
    parent: Rule | None = None
    children: list[Rule] = field(default_factory=list)

    @cached_property
    def texts(self) -> list[str]:
        """The rule, then its further paragraphs and examples, wrapped lines joined."""
        return join_wrapped(self.raw)

    @cached_property
    def titled(self) -> bool:
        """Whether it is a title rather than a sentence."""
        return len(self.texts) == 1 and is_title(self.texts[0])

    @property
    def depth(self) -> int:
        return len(self.parts)


def is_title(text: str) -> bool:
    """Whether a numbered line's text is a title rather than a sentence."""
    words = len(text.split())
    if _CALL_END.search(text):
        return 0 < words <= MOST_CALL_WORDS
    return 0 < words <= MOST_TITLE_WORDS and not SENTENCE_END.search(text)


def join_wrapped(lines: Sequence[tuple[str, bool]]) -> list[str]:
    """Paragraphs out of lines: a line continues the one before unless that one had room for more."""
    paragraphs: list[list[str]] = []
    for n, (text, blank) in enumerate(lines):
        listing = len(paragraphs) > 1 and len(paragraphs[-1]) == 1 and _is_entry(paragraphs[-1][0]) and _is_entry(text)
        after = [other for other, _ in lines[n : n + 3]]
        if not paragraphs or blank or listing or _EXAMPLE.match(text) or _ended_early(paragraphs[-1], after):
            paragraphs.append([text])
        else:
            paragraphs[-1].append(text)
    return [" ".join(paragraph).strip() for paragraph in paragraphs]


def _ended_early(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a line ends a paragraph: the next word, a capitalised one, would have fitted; or a list begins."""
    last, following = before[-1], after[0]
    if not following[:1].isupper() or not last:
        return False
    listed = re.search(r"[.:]$", last) and _is_entry(following) and (len(after) == 1 or _is_entry(after[1]))
    width = max(map(len, (*before, *after[:2])))
    return bool(listed) or len(last) + 1 + len(following.split()[0]) <= width * 4 // 5


def _is_entry(text: str) -> bool:
    return text[:1].isupper() and len(text) <= 60 and not re.search(r"[.!?,;:]$", text)


def chain(rule: Rule | None) -> Iterator[Rule]:
    """A rule and those that it stands below."""
    while rule is not None:
        yield rule
        rule = rule.parent


def order(parts: Sequence[str]) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (len(part), part) for part in parts)
