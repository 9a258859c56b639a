"""Words to rows, and rows that line up in columns to tables that no lines are drawn for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kb.ingest.pdf_records import Area, Word

MARKER = re.compile(r"[•‣▪◦●○■□➢➤►✦❖·*\uf0b7\uf0a7–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]")
"What a list item begins with."
CELL_GAP = 1.1
"Ems of white between two cells of a table that no lines are drawn for, in three rows of it at least."
NARROW_GAP = 0.55
"The same in any row of it."


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
        end, columns = table_at(rows, start)
        if end:
            yield table_of(rows[start:end], columns)
        else:
            yield rows[start]
        start = end or start + 1


def table_at(rows: Sequence[list[Word]], start: int) -> tuple[int, list[tuple[float, float]]]:
    """Where the table ends that begins with that row, and its columns; 0 where none begins.

    Its first row must have wide gaps. Each further row is taken while the columns stay apart.
    """
    columns = columns_of([cells_of(rows[start], CELL_GAP)])
    end, wide = start + 1, 1
    while end < len(rows) and len(columns) > 1:
        cells = cells_of(rows[end], NARROW_GAP)
        if len(cells) < 2 and not continues(rows, start, end):
            break
        wider = columns_of([*((span,) for span in columns), cells])
        if len(wider) < len(columns) or apart(rows[end - 1], rows[end]):
            break
        columns, wide = wider, wide + (len(cells_of(rows[end], CELL_GAP)) > 1)
        end += 1
    listed = all(MARKER.fullmatch(row[0].text) for row in rows[start:end])
    # Columns as close as words of the first row come apart once all rows are seen.
    columns = max(columns, columns_of(cells_of(row, NARROW_GAP) for row in rows[start:end]), key=len)
    enough = end - start >= 3 and wide >= 3 and len(columns) > 1
    return (end, columns) if enough and not listed else (0, [])


def apart(above: Sequence[Word], below: Sequence[Word]) -> bool:
    """Whether more white is between two rows than a table has."""
    return below[0].top - above[0].bottom > 2 * below[0].size


def continues(rows: Sequence[list[Word]], start: int, end: int) -> bool:
    """Whether a row of one cell goes on with a cell of the row above: it starts right of the first column."""
    left = min(word.x0 for row in rows[start:end] for word in row)
    em = rows[end][0].size
    near = rows[end][0].top - rows[end - 1][0].bottom < 0.8 * em
    return near and rows[end][0].x0 > left + 3 * em and len(cells_of(rows[end], CELL_GAP)) == 1


def cells_of(row: Sequence[Word], ems: float) -> list[tuple[float, float]]:
    """The stretches of x that the row's cells cover: it is cut where the white between words is so many ems wide."""
    cells: list[tuple[float, float]] = []
    for word in row:
        if cells and word.x0 - cells[-1][1] < max(ems * word.size, 5):
            cells[-1] = cells[-1][0], max(cells[-1][1], word.x1)
        else:
            cells.append((word.x0, word.x1))
    return cells


def columns_of(rows: Iterable[Iterable[tuple[float, float]]]) -> list[tuple[float, float]]:
    """The stretches of x that the cells of all rows cover together; those of a table's columns stay apart."""
    spans: list[tuple[float, float]] = []
    for x0, x1 in sorted(cell for row in rows for cell in row):
        if spans and x0 < spans[-1][1] + 4:
            spans[-1] = spans[-1][0], max(spans[-1][1], x1)
        else:
            spans.append((x0, x1))
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
