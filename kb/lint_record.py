"""What the linter's checks read and what they yield."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from kb.corpus import Corpus, Game
from kb.passage import Passage

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a corpus that a person should mend."""

    check: str
    "Name of the check that found it."
    file: str
    "Path below the corpus folder."
    line: int
    "1-based."
    what: str
    "One sentence: what was found."
    mend: str
    "One sentence: how to mend it."

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}. {self.mend}. [{self.check}]"

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`."""
        return asdict(self)


@dataclass(frozen=True)
class Subject:
    """One game of a corpus, as the checks look at it."""

    corpus: Corpus
    game: Game
    passages: tuple[Passage, ...]
    files: Mapping[str, tuple[str, ...]]
    "File below the corpus folder -> its lines."

    def lines(self) -> Iterator[tuple[str, int, str]]:
        """(file, line, text) of all lines of all files."""
        for file, lines in self.files.items():
            for number, text in enumerate(lines, 1):
                yield file, number, text

    def line_of(self, passage: Passage, snippet: str) -> int:
        """The line of a passage's file that holds a piece of its text; the passage's first line where none does."""
        first, last = passage.lines
        lines = self.files.get(passage.file, ())[first - 1 : last]
        return next((first + n for n, line in enumerate(lines) if snippet in line), first)

    def fault(self, check: str, passage: Passage, what: str, mend: str, snippet: str = "") -> Fault:
        """A fault of a passage, at the line that holds the snippet."""
        line = self.line_of(passage, snippet) if snippet else passage.lines[0]
        return Fault(check, passage.file, line, what, mend)

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word occurs in the game's texts, folded."""
        return Counter(word.casefold() for p in self.passages for word in WORD.findall(f"{p.title}\n{p.text}"))


def shorten(text: str, most: int = 60) -> str:
    """A text on one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def first_of_each(faults: Iterable[Fault], most: int) -> Iterator[Fault]:
    """Of faults that say the same, the first `most`; what more there are is counted in the last one."""
    kept: dict[str, list[Fault]] = {}
    for fault in faults:
        kept.setdefault(fault.what, []).append(fault)
    for same in kept.values():
        yield from same[: most - 1]
        if len(same) >= most:
            last, more = same[most - 1], len(same) - most
            note = f" (and {more} more times)" if more else ""
            yield Fault(last.check, last.file, last.line, last.what + note, last.mend)
