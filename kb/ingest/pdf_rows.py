"""Words to rows, and rows that line up in columns to tables that no lines are drawn for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kb.ingest.pdf_records import Area, Word

MARKER = re.compile(r"[•‣▪◦●○■□➢➤►✦❖·*\uf0b7\uf0a7–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]")
"What a list item begins with."
CELL_GAP = 1.1
"Ems of white between two cells of a table that no lines are drawn for."


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
