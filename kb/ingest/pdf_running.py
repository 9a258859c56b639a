"""What repeats on every page: running headers and footers, page numbers; and the type sizes of headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb.ingest.pdf_records import Page, Word
from kb.ingest.pdf_rows import rows_of

ZONE = 0.13
"Of the page's height at its top and bottom: headers and footers stand there."
_NUMBER = re.compile(r"(?<![\d.,/:])\d{1,4}(?![\d:,/]|\.\d)")
_ROMAN = re.compile(r"\b[ivxlc]{1,8}\b", re.I)
_LONE = re.compile(
    r"\W*(?:page|p\.?)?\W*(?P<n>\d{1,4}|x{0,3}(?:ix|iv|v?i{1,3}|v|(?<=x)))\W*(?:(?:of|/)\W*\d{1,4}\W*)?", re.I
)


@dataclass
class Slot:
    """A line in the head or foot of a page."""

    page: int
    "Index."
    words: list[Word]
    edge: bool
    "Nothing stands between it and the page's edge, and white parts it from what follows."

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def place(self) -> int:
        return round(self.words[0].bottom / 4)

    @property
    def shape(self) -> str:
        return _ROMAN.sub("#", re.sub(r"\d+", "#", self.text)).casefold()


@dataclass
class Running:
    """What was taken off the pages."""

    lines: Counter[str] = field(default_factory=Counter)
    "A header or footer as printed on its first page -> number of pages."
    words: list[str] = field(default_factory=list)
    "All words taken off."


def take_running(pages: Sequence[Page]) -> Running:
    """Removes running headers, footers and page numbers from the pages' words and sets `Page.printed`."""
    slots = [slot for index, page in enumerate(pages) for slot in slots_of(index, page)]
    shapes: dict[str, set[int]] = defaultdict(set)
    places: dict[int, set[int]] = defaultdict(set)
    for slot in slots:
        shapes[slot.shape].add(slot.page)
        if slot.edge:
            for place in (slot.place - 1, slot.place, slot.place + 1):
                places[place].add(slot.page)
    enough = 2 if len(pages) < 4 else 3
    repeated = [s for s in slots if len(shapes[s.shape]) >= min(enough, len(pages)) and len(pages) > 1]
    sizes = {slot.place + d: slot.words[0].size for slot in repeated if slot.edge for d in (-1, 0, 1)}
    offset = page_offset(slots, len(pages))
    running = Running()
    taken = []
    for slot in slots:
        # Where most pages have their header, another line of its size is the header of another chapter.
        there = slot.edge and abs(slot.words[0].size - sizes.get(slot.place, 0)) < 0.6
        if slot in repeated or (there and len(places[slot.place]) * 2 > len(pages)) or is_number(slot, offset):
            taken.append(slot)
    firsts: dict[str, str] = {}
    for slot in taken:
        running.lines[firsts.setdefault(slot.shape, slot.text)] += 1
        running.words += [word.text for word in slot.words]
        gone = set(map(id, slot.words))
        pages[slot.page].words = [word for word in pages[slot.page].words if id(word) not in gone]
    number_pages(pages, taken, offset)
    return running


def slots_of(index: int, page: Page) -> Iterator[Slot]:
    """The lines in the page's head and foot."""
    head, foot = page.height * ZONE, page.height * (1 - ZONE)
    for rows in (
        rows_of(word for word in page.words if word.bottom < head + 30),
        rows_of(word for word in page.words if word.top > foot - 30)[::-1],
    ):
        edge = True
        for n, row in enumerate(rows):
            if not (row[0].bottom < head or row[0].top > foot):
                break
            after = rows[n + 1] if n + 1 < len(rows) else None
            tall = row[0].bottom - row[0].top
            gap = tall * 9 if after is None else max(after[0].top - row[0].bottom, row[0].top - after[0].bottom)
            yield Slot(index, row, edge and gap > 0.7 * tall)
            edge = edge and gap <= 3 * tall


def page_offset(slots: Sequence[Slot], pages: int) -> int | None:
    """Printed number less index, the same on at least two pages and a third of those with numbers; None for none."""
    offsets: Counter[int] = Counter()
    numbered = set()
    for slot in slots:
        found = {int(n) - slot.page for n in _NUMBER.findall(slot.text)}
        offsets.update(found)
        numbered |= {slot.page} if found else set()
    offset, seen = max(offsets.items(), key=lambda item: item[1], default=(0, 0))
    return offset if seen >= 2 and seen * 3 >= len(numbered) and pages > 1 else None


def is_number(slot: Slot, offset: int | None) -> bool:
    """Whether the line is this page's number and nothing else."""
    lone = _LONE.fullmatch(slot.text)
    if not lone or not slot.edge or offset is None:
        return False
    return not lone["n"].isdigit() or int(lone["n"]) - slot.page == offset


def number_pages(pages: Sequence[Page], slots: Sequence[Slot], offset: int | None) -> None:
    """Sets each page's printed number: the one in its header or footer that counts up, else the file's label."""
    lone = {slot.page: match["n"] for slot in slots if (match := _LONE.fullmatch(slot.text))}
    for index, page in enumerate(pages):
        if not lone.get(index, "1").isdigit():
            page.printed = lone[index]
        elif offset is not None and index + offset > 0:
            page.printed = str(index + offset)
        else:
            page.printed = page.printed or str(page.number)


@dataclass(frozen=True, slots=True)
class Types:
    """The document's type sizes."""

    body: float
    title: float | None
    "Size of the document's title, on its first pages only."
    levels: tuple[float, ...]
    "Sizes of headings, largest first."

    def level(self, size: float) -> int | None:
        """0 for the largest heading size; None for a size that is none of headings."""
        return self.levels.index(size) if size in self.levels else None


def types_of(pages: Sequence[Page]) -> Types:
    """Body size: that of most letters. Headings: anything larger, of which there is little."""
    letters: Counter[float] = Counter()
    where: dict[float, set[int]] = defaultdict(set)
    for page in pages:
        for word in page.words:
            size = round(word.size * 2) / 2
            letters[size] += len(word.text)
            if len(word.text) > 1:
                where[size].add(page.number)
    total = sum(letters.values())
    body = max(letters, key=lambda size: (letters[size], -size), default=10.0)
    larger = sorted((s for s in where if s >= body * 1.08 and s > body and letters[s] < 0.2 * total), reverse=True)
    title = None
    if len(larger) > 1 and len(where[larger[0]]) == 1 and min(where[larger[0]]) <= 2:
        title = larger.pop(0)
    return Types(body, title, tuple(larger))
