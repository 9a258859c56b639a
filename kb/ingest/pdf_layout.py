"""Where things stand on a page, and the order to read them in: columns, lines, boxes, tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

GUTTER = 7.0
"Points of white between two columns, at least."
NARROWEST = 0.18
"Of the region's width: a narrower strip is a list of names, not a column."
MARKER = re.compile(r"[•‣▪◦●○■□➢➤►✦❖·*\uf0b7\uf0a7–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]")
"What a list item begins with."
CELL_GAP = 1.1
"Ems of white between two cells of a table that no lines are drawn for."


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


def read_page(page: Page) -> list[Element]:
    """Everything on the page in reading order."""
    words, areas = page.words, list(page.tables)
    for box in side_boxes(page):
        held = [word for word in words if within(word, box)]
        tables = [table for table in areas if within(table, box)]
        if len(held) < 3 and not tables:
            continue
        words = [word for word in words if not within(word, box)]
        areas = [area for area in areas if area not in tables]
        areas.append(Area(*box, inside=tuple(in_order(held, tables))))
    return in_order(words, areas)


def within(item: Word | Area, box: tuple[float, float, float, float]) -> bool:
    """Whether the item's middle lies in the box."""
    x, y = (item.x0 + item.x1) / 2, (item.top + item.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def side_boxes(page: Page) -> list[tuple[float, float, float, float]]:
    """The drawn frames and shades that hold several lines of text each and cut through no word, small ones first."""
    found: list[tuple[float, float, float, float]] = []
    for box in sorted(set(page.boxes), key=lambda b: (b[2] - b[0]) * (b[3] - b[1])):
        x0, top, x1, bottom = box
        share = (x1 - x0) * (bottom - top) / (page.width * page.height or 1)
        if x1 - x0 < 60 or bottom - top < 20 or share > 0.6 or any(same(box, other) for other in found):
            continue
        if any(same(box, (table.x0, table.top, table.x1, table.bottom)) for table in page.tables):
            continue
        held = [word for word in page.words if within(word, box)]
        cut = [w for w in held if w.x0 < x0 - 2 or w.x1 > x1 + 2 or w.top < top - 3 or w.bottom > bottom + 3]
        if len(held) >= 3 and not cut and len(rows_of(held)) >= 2:
            found.append(box)
    return found


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < 4 for a, b in zip(one, other, strict=True))


def in_order(words: Sequence[Word], areas: Sequence[Area]) -> list[Element]:
    """Lines and areas in reading order: column by column between whatever runs across the columns."""
    items: list[Word | Area] = [*words, *areas]
    if not items:
        return []
    gutter = find_gutter(items)
    if gutter is None:
        return single(words, areas)
    floating = [area for area in areas if crosses(area, gutter) and beside(area, words)]
    held = [item for item in items if item not in floating] if floating else items
    out: list[Element] = []
    for across, part in bands(held, gutter):
        if across:
            out += single(*apart(part))
        else:
            middle = (gutter[0] + gutter[1]) / 2
            for side in (True, False):
                out += in_order(*apart([item for item in part if ((item.x0 + item.x1) / 2 < middle) is side]))
    return out + list(floating)


def apart(items: Iterable[Word | Area]) -> tuple[list[Word], list[Area]]:
    words: list[Word] = []
    areas: list[Area] = []
    for item in items:
        if isinstance(item, Word):
            words.append(item)
        else:
            areas.append(item)
    return words, areas


def crosses(item: Word | Area, gutter: tuple[float, float]) -> bool:
    return item.x0 < gutter[1] - 1 and item.x1 > gutter[0] + 1


def beside(area: Area, words: Iterable[Word]) -> bool:
    """Whether text runs beside the area, so that it cuts no column."""
    return any(
        word.bottom > area.top + 2 and word.top < area.bottom - 2 and (word.x1 < area.x0 or word.x0 > area.x1)
        for word in words
    )


def find_gutter(items: Sequence[Word | Area]) -> tuple[float, float] | None:
    """The strip of white that parts the region into columns of running text; None where there is none."""
    left, right = min(item.x0 for item in items), max(item.x1 for item in items)
    width = right - left
    if width < 150:
        return None
    ink = [0] * (int(width) + 2)
    for item in items:
        ink[max(0, int(item.x0 - left))] += 1
        ink[min(len(ink) - 1, int(item.x1 - left) + 1)] -= 1
    for x in range(1, len(ink)):
        ink[x] += ink[x - 1]
    most = max(ink)
    best, best_score = None, 0.0
    for start, end in low_runs(ink, most // 3, int(width * NARROWEST), int(width * (1 - NARROWEST))):
        gutter = core(ink, start, end, left)
        if gutter is None:
            continue
        score = column_height(items, gutter, width)
        if score > best_score:
            best, best_score = gutter, score
    return best


def low_runs(ink: Sequence[int], limit: int, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Stretches of x in which little is printed."""
    start = None
    for x in range(first, last + 1):
        if ink[x] <= limit and start is None:
            start = x
        elif ink[x] > limit and start is not None:
            yield start, x
            start = None
    if start is not None:
        yield start, last


def core(ink: Sequence[int], start: int, end: int, left: float) -> tuple[float, float] | None:
    """The emptiest part of a stretch, if it is as wide as a gutter."""
    for limit in sorted(set(ink[start:end])):
        widest = max(low_runs(ink, limit, start, end - 1), key=lambda run: run[1] - run[0], default=(0, 0))
        # Places are rounded outwards by up to a point on either side.
        if widest[1] - widest[0] + 2 >= GUTTER:
            return left + widest[0], left + widest[1]
    return None


def column_height(items: Sequence[Word | Area], gutter: tuple[float, float], width: float) -> float:
    """Points of height over which the strip has running text on both sides; 0 where one side is no text column."""
    height = 0.0
    for across, part in bands(items, gutter):
        if across:
            continue
        middle = (gutter[0] + gutter[1]) / 2
        sides = [[i for i in part if ((i.x0 + i.x1) / 2 < middle) is left] for left in (True, False)]
        if all(is_column(side, width) for side in sides):
            height += min(max(i.bottom for i in side) - min(i.top for i in side) for side in sides)
    return height


def is_column(items: Sequence[Word | Area], width: float) -> bool:
    """Whether these look like running text: lines of several words that fill the column, or a table or box."""
    words, areas = apart(items)
    if not words:
        return bool(areas)
    rows = rows_of(words)
    if areas and len(rows) < 3:
        return True
    reach = max(w.x1 for w in words) - min(w.x0 for w in words)
    filled = median(max(w.x1 for w in row) - min(w.x0 for w in row) for row in rows)
    return (
        len(rows) >= 2
        and reach >= NARROWEST * width
        and median(len(row) for row in rows) >= 2.5
        and filled >= 0.45 * reach
    )


def bands(items: Sequence[Word | Area], gutter: tuple[float, float]) -> Iterator[tuple[bool, list[Word | Area]]]:
    """The region from top to bottom as (runs across the gutter?, items)."""
    walls: list[tuple[float, float]] = []
    for top, bottom in sorted((i.top, i.bottom) for i in items if crosses(i, gutter)):
        if walls and top <= walls[-1][1] + 1:
            walls[-1] = walls[-1][0], max(walls[-1][1], bottom)
        else:
            walls.append((top, bottom))
    rest = sorted(items, key=lambda i: (i.top + i.bottom) / 2)
    at = 0
    for top, bottom in [*walls, (float("inf"), float("inf"))]:
        for across, limit in ((False, top), (True, bottom)):
            part = []
            while at < len(rest) and (rest[at].top + rest[at].bottom) / 2 < limit:
                part.append(rest[at])
                at += 1
            if part:
                yield across, part


def rows_of(words: Iterable[Word]) -> list[list[Word]]:
    """Words by line, lines from top to bottom, words from left to right. A word's middle decides."""
    rows: list[list[Word]] = []
    spans: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda w: ((w.top + w.bottom) / 2, w.x0)):
        middle = (word.top + word.bottom) / 2
        if rows and spans[-1][0] <= middle <= spans[-1][1]:
            rows[-1].append(word)
            # A raised figure must not stretch the line it stands in, nor a small first word narrow it.
            if 1 < (word.bottom - word.top) / (spans[-1][1] - spans[-1][0] or 1) < 1.6:
                spans[-1] = word.top, word.bottom
        else:
            rows.append([word])
            spans.append((word.top, word.bottom))
    for row in rows:
        row.sort(key=lambda w: w.x0)
    return rows


def single(words: Sequence[Word], areas: Sequence[Area]) -> list[Element]:
    """One column: its lines, tables and boxes from top to bottom."""
    if not words:
        return sorted(areas, key=lambda a: a.top)
    left, right = min(w.x0 for w in words), max(w.x1 for w in words)
    found: list[Element] = []
    for part in undrawn_tables(rows_of(words)):
        if isinstance(part, Area):
            found.append(part)
        else:
            found.append(Line(tuple(part), left, right))
    found += areas
    place: Callable[[Element], float] = lambda e: e.top  # noqa: E731 (typed for sorted)
    return sorted(found, key=place)


def undrawn_tables(rows: Sequence[list[Word]]) -> Iterator[list[Word] | Area]:
    """The rows, runs of at least three that line up in columns as tables."""
    start = 0
    while start < len(rows):
        end = start
        while end < len(rows) and (len(cells_of(rows[end])) > 1 or (end > start and continues(rows, start, end))):
            end += 1
        columns = columns_of(rows[start:end])
        listed = all(MARKER.fullmatch(row[0].text) for row in rows[start:end])
        if sum(len(cells_of(row)) > 1 for row in rows[start:end]) >= 3 and len(columns) > 1 and not listed:
            yield table_of(rows[start:end], columns)
        else:
            yield from rows[start : max(end, start + 1)]
        start = max(end, start + 1)


def continues(rows: Sequence[list[Word]], start: int, end: int) -> bool:
    """Whether a row of one cell goes on with a cell of the row above: it starts right of the first column."""
    left = min(word.x0 for row in rows[start:end] for word in row)
    em = rows[end][0].size
    near = rows[end][0].top - rows[end - 1][0].bottom < 0.8 * em
    return near and rows[end][0].x0 > left + 3 * em and len(cells_of(rows[end])) == 1


def cells_of(row: Sequence[Word]) -> list[list[Word]]:
    """The row cut where the white between two words is wider than any space."""
    cells: list[list[Word]] = []
    for word in row:
        if cells and word.x0 - cells[-1][-1].x1 < max(CELL_GAP * word.size, 8):
            cells[-1].append(word)
        else:
            cells.append([word])
    return cells


def columns_of(rows: Sequence[Sequence[Word]]) -> list[tuple[float, float]]:
    """The stretches of x that the rows' cells cover; those of a table stay apart in every row."""
    spans: list[tuple[float, float]] = []
    for cell in sorted((cell for row in rows for cell in cells_of(row)), key=lambda cell: cell[0].x0):
        if spans and cell[0].x0 < spans[-1][1] + 4:
            spans[-1] = spans[-1][0], max(spans[-1][1], cell[-1].x1)
        else:
            spans.append((cell[0].x0, cell[-1].x1))
    return spans


def table_of(rows: Sequence[list[Word]], columns: Sequence[tuple[float, float]]) -> Area:
    """The rows as a table, a row without a first cell joined to the one above."""
    cells: list[list[tuple[Word, ...]]] = []
    for row in rows:
        line: list[tuple[Word, ...]] = [
            tuple(word for word in row if x0 - 1 <= (word.x0 + word.x1) / 2 <= x1 + 1) for x0, x1 in columns
        ]
        if cells and not line[0]:
            cells[-1] = [above + below for above, below in zip(cells[-1], line, strict=True)]
        else:
            cells.append(line)
    every = [word for row in rows for word in row]
    return Area(
        min(w.x0 for w in every),
        min(w.top for w in every),
        max(w.x1 for w in every),
        max(w.bottom for w in every),
        rows=tuple(map(tuple, cells)),
    )
