"""Lines of print to running text: hyphens at line ends, raised figures, bold and italic, list markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from kb.ingest.escape import escape
from kb.ingest.html_inline import RAISED
from kb.ingest.pdf_records import Line, Word
from kb.ingest.pdf_rows import MARKER

_HYPHENS = "-\u2010\u00ad"
_UNMAPPED = re.compile(r"\(cid:\d+\)")
TOUCHING = 0.12
"Ems. Two words with less white between them are one, set in two fonts."
_BULLETS = "•‣▪◦●○■□➢➤►✦❖·*\uf0b7\uf0a7–—-"


@dataclass
class Vocabulary:
    """The words of the whole document: whether a word broken at a line end is written with its hyphen."""

    words: set[str] = field(default_factory=set)

    def add(self, texts: Iterable[str]) -> None:
        """Words as they stand within lines."""
        self.words.update(re.sub(r"^\W+|\W+$", "", text).casefold() for text in texts)

    def knows(self, word: str) -> bool:
        return re.sub(r"^\W+|\W+$", "", word).casefold() in self.words


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style."""

    text: str
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A line's list marker taken apart."""

    number: int | None
    "Of a numbered item."
    label: str
    "What an item of letters begins with (`b)`), kept in its text;  for bullets and numbers."
    rest: tuple[Word, ...]
    x0: float


def join_initials(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """The words with each drop cap put before the word that it begins."""
    body = median(word.size for word in words) if words else 0
    out = list(words)
    for initial in [w for w in words if len(w.text) <= 2 and w.text[-1].isalpha() and w.size >= 1.8 * body]:
        beside = [
            word
            for word in out
            if 0 <= word.x0 - initial.x1 + 0.3 * body < 1.5 * body
            and initial.top - 0.5 * body <= word.top < initial.top + 0.6 * initial.size
            and word.size < initial.size / 1.4
        ]
        if not beside:
            continue
        first = min(beside, key=lambda word: word.top)
        whole = initial.text + first.text
        apart = initial.text in ("A", "I") and not vocabulary.knows(whole)
        text = f"{initial.text} {first.text}" if apart else whole
        out[out.index(first)] = replace(first, text=text, x0=initial.x0)
        out.remove(initial)
    return out


def marker_of(line: Line) -> Marked | None:
    """The list marker that a line begins with, and what follows it."""
    first, rest = line.words[0], line.words[1:]
    if first.text[0] in _BULLETS[:-3] and len(first.text) > 1:
        body = Word(first.text[1:], first.x0, first.top, first.x1, first.bottom, first.size, first.bold, first.italic)
        return Marked(None, "", (body, *rest), first.x0)
    if not rest or not MARKER.fullmatch(first.text):
        return None
    digits = first.text.strip("().")
    if first.text in _BULLETS:
        return Marked(None, "", rest, first.x0)
    return Marked(int(digits), "", rest, first.x0) if digits.isdecimal() else Marked(None, first.text, rest, first.x0)


def runs_of(lines: Sequence[Sequence[Word]], vocabulary: Vocabulary) -> tuple[list[Run], int]:
    """The words of consecutive lines as styled runs, and how many words were put together across line ends."""
    runs: list[Run] = []
    joined = 0
    for n, words in enumerate(lines):
        base = max((word.size for word in words), default=0)
        floor = max((word.bottom for word in words if word.size > 0.8 * base), default=0)
        for m, word in enumerate(words):
            text = _UNMAPPED.sub("\ufffd", word.text)
            if word.size < 0.75 * base and word.bottom < floor - 0.15 * base and text.isascii() and text.isdecimal():
                text = text.translate(RAISED)
            before = words[m - 1] if m else None
            space = " "
            if before is None:
                if n and runs and (glued := unhyphenated(runs[-1].text, text, vocabulary)) is not None:
                    runs[-1] = Run(glued, runs[-1].bold, runs[-1].italic)
                    space = ""
                    joined += 1
            elif touches(before, word):
                space = ""
                # Letters of one word in two fonts count as one word once they stand together.
                joined += before.text[-1:].isalnum() and text[:1].isalnum()
            add(runs, text, word, space if runs else "")
    return runs, joined


def touches(before: Word, word: Word) -> bool:
    """Whether two words of a line are one, set in two fonts (small capitals, a bold half)."""
    if word.x0 - before.x1 >= TOUCHING * min(word.size, before.size):
        return False
    # A label and the sentence right behind it: `GnomeThe` is no word.
    sentence = before.text[-1].isalpha() and word.text[:1].isupper() and word.text[1:2].islower()
    return not (sentence and word.size == before.size)


def add(runs: list[Run], text: str, word: Word, space: str) -> None:
    last = runs[-1] if runs else None
    bold, italic = word.bold, word.italic and not word.bold
    if last and (not space or (last.bold, last.italic) == (bold, italic)):
        runs[-1] = Run(last.text + space + text, last.bold, last.italic)
    elif last:
        runs[-1] = Run(last.text + space, last.bold, last.italic)
        runs.append(Run(text, bold, italic))
    else:
        runs.append(Run(text, bold, italic))


def unhyphenated(before: str, after: str, vocabulary: Vocabulary) -> str | None:
    """The text before a line end, without its hyphen if that only breaks the word; None where no word is broken.

    `well-` / `known` keeps its hyphen (and stays one word) if the document writes it so elsewhere.
    """
    stem = before[-60:].rpartition(" ")[2]
    if len(stem) < 2 or stem[-1] not in _HYPHENS or not stem[-2].isalpha() or not after[:1].isalpha():
        return None
    part = re.split(r"\s", after)[0]
    whole = stem[:-1] + part
    if vocabulary.knows(whole):
        return before[:-1]
    if stem[-1] != "\u00ad" and (vocabulary.knows(stem[:-1] + "-" + part) or not after[0].islower()):
        return before
    return before[:-1]


def markdown_of(runs: Sequence[Run]) -> str:
    """Runs as Markdown; emphasis that covers everything emphasises nothing and is left out."""
    worded = [run for run in runs if any(c.isalnum() for c in run.text)]
    plain = all(run.bold for run in worded) or all(run.italic for run in worded)
    text = "".join(run.text if plain else "\0" for run in runs)
    if plain:
        return escape(text).strip()
    return "".join(map(emphasised, runs)).strip()


def emphasised(run: Run) -> str:
    mark = "**" if run.bold else "*" if run.italic else ""
    inner = run.text.strip()
    if not mark or not any(c.isalnum() for c in inner):
        return escape_inline(run.text)
    before, after = run.text[: len(run.text) - len(run.text.lstrip())], run.text[len(run.text.rstrip()) :]
    return f"{before}{mark}{escape_inline(inner)}{mark}{after}"


def escape_inline(text: str) -> str:
    """Escaped text with the spaces at its ends kept."""
    return escape(text)


def text_of(words: Iterable[Word], vocabulary: Vocabulary) -> str:
    """The Markdown of a table cell: its lines joined."""
    from kb.ingest.pdf_rows import rows_of

    runs, _ = runs_of(rows_of(words), vocabulary)
    return escape("".join(run.text for run in runs))
