"""What stands on a printed page: words, lines, tables and boxes, with their places in points."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """A word as printed. Places in points from the page's top left."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one line of one column."""

    words: tuple[Word, ...]
    left: float
    "The column's left edge."
    right: float

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return max(word.x1 for word in self.words)

    @property
    def top(self) -> float:
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """The size of most of its letters, to half a point."""
        sizes: dict[float, int] = {}
        for word in self.words:
            key = round(word.size * 2) / 2
            sizes[key] = sizes.get(key, 0) + len(word.text)
        return max(sizes, key=lambda size: (sizes[size], size))

    @property
    def bold(self) -> bool:
        return all(word.bold for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Area:
    """A table or a side box: stands in the text as one thing."""

    x0: float
    top: float
    x1: float
    bottom: float
    rows: tuple[tuple[tuple[Word, ...], ...], ...] = ()
    "A table's cells."
    inside: tuple[Element, ...] = ()
    "A box's content, in reading order."


Element = Line | Area


@dataclass
class Page:
    """One page, ready to be told."""

    number: int
    "1-based, in the file."
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    tables: list[Area] = field(default_factory=list)
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)
    printed: str = ""
    "The page number as printed."
    pictures: float = 0.0
    "Share of its area that pictures cover."
    turned: str = ""
    "Text that does not run from left to right."


def within(item: Word | Area, box: tuple[float, float, float, float]) -> bool:
    """Whether the item's middle lies in the box."""
    x, y = (item.x0 + item.x1) / 2, (item.top + item.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
