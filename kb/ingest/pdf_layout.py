"""The order to read a page in: columns between what runs across them, boxes and tables as one thing each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

from kb.ingest.pdf_records import Area, Element, Line, Page, Word, within
from kb.ingest.pdf_rows import rows_of, undrawn_tables

GUTTER = 7.0
"Points of white between two columns, at least."
NARROWEST = 0.18
"Of the region's width: a narrower strip is a list of names, not a column."


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
