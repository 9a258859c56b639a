"""Where a paragraph or a list item begins: by white, indents, how the line before ends."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from kb.ingest.pdf_records import Element, Line, Word
from kb.ingest.pdf_text import Marked

ENDS = re.compile(r"[.!?:;…][\"”’')\]]*$")
"How a line ends that ends a sentence."
WIDE = 1.35
"Usual distances of lines: a line further down begins a paragraph."


@dataclass
class Paragraph:
    """Lines that belong together."""

    lines: list[Line] = field(default_factory=list)
    words: list[tuple[Word, ...]] = field(default_factory=list)
    "Per line, without a list marker."
    marked: Marked | None = None
    pages: list[str] = field(default_factory=list)

    @property
    def printed(self) -> str:
        first, last = self.pages[0], self.pages[-1]
        return first if first == last else f"{first}-{last}"


def pitches_of(pages: Sequence[Sequence[Element]]) -> dict[float, float]:
    """The usual distance of lines in points, per type size."""
    found: dict[float, list[float]] = defaultdict(list)
    for elements in pages:
        for above, below in pairwise(elements):
            if isinstance(above, Line) and isinstance(below, Line) and above.size == below.size:
                step = below.top - above.top
                if 0 < step < 3 * below.size:
                    found[below.size].append(step)
    return {size: median(steps) for size, steps in found.items()}


def gap(line: Line, open_: Paragraph, pitches: Mapping[float, float]) -> bool:
    """Whether the line stands further below the one before than lines of a paragraph do, or in another column."""
    step, pitch = line.top - open_.lines[-1].top, pitches.get(line.size, 1.25 * line.size)
    return step > WIDE * pitch or step < -pitch


def begins_paragraph(line: Line, open_: Paragraph, pitches: Mapping[float, float], printed: str) -> bool:
    """Whether the line begins a paragraph instead of going on with the open one."""
    last, em = open_.lines[-1], line.size
    ended = bool(ENDS.search(last.text))
    if line.top < last.top or abs(line.left - last.left) > 2 * em or open_.pages[-1] != printed:
        # Overleaf or in the next column a sentence goes on unless it had ended, or its line was not full.
        fresh = line.text[:1].isupper() or not line.text[:1].isalnum()
        return fresh and (ended or last.x1 < last.right - 5 * em)
    if line.top - last.top > WIDE * pitches.get(line.size, 1.25 * em) or abs(line.size - last.size) > 1:
        return True
    first = open_.marked.x0 if open_.marked else open_.lines[0].x0
    if open_.marked:
        return line.x0 < first + 0.3 * em and (ended or last.x1 < last.right - 4 * em)
    if len(open_.lines) > 1 or first <= last.left + 0.5 * em:
        indented = line.x0 > last.x0 + 0.8 * em and line.x0 > line.left + 0.8 * em
        if indented and (ended or line.text[:1].isupper()):
            return True
    return ended and last.x1 < last.right - 0.2 * (last.right - last.left) - em


def is_item(marked: Marked, open_: Paragraph | None, numbers: Sequence[int | None], begins: bool) -> bool:
    """Whether a marker opens an item: of numbers only one that begins or continues a list, not any a line begins with.

    `numbers` are those of the list's items so far; `begins` says whether the line begins a paragraph by its place.
    """
    if marked.number is None:
        return True
    earlier = [number for number in numbers if number is not None]
    if open_ and open_.marked and open_.marked.number is not None:
        earlier.append(open_.marked.number)
    starts = begins or open_ is None or bool(ENDS.search(open_.lines[-1].text))
    return marked.number - 1 in earlier[-8:] or (starts and (marked.number <= 1 or not earlier))


def hangs(paragraph: Paragraph, marker: Marked) -> bool:
    """Whether the whole paragraph stands indented below that list item: its first line alone may do so by chance."""
    return all(marker.x0 + 0.4 * line.size < line.x0 < marker.rest[0].x0 + line.size for line in paragraph.lines)
