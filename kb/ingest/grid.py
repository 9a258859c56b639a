"""Rows of cells to a Markdown table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from kb.ingest.escape import count_words

BAR = re.compile(r"(?<!\\)\|")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row is the header; cells are Markdown, made to fit one line. "" for no content at all.

    Short rows get empty cells; rows and columns without any content are left out.
    """
    cells = [[BAR.sub(r"\\|", " ".join(cell.replace("\\\n", "\n").split())) for cell in row] for row in rows]
    columns = [column for column in zip_longest(*filter(any, cells), fillvalue="") if any(column)]
    if not columns:
        return ""
    lines = [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
    lines.insert(1, f"|{' --- |' * len(columns)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that may reach over several columns and rows."""

    text: str
    wide: int = 1
    down: int = 1


def spread(rows: Sequence[Sequence[Cell]]) -> tuple[list[list[str]], int]:
    """The cells' texts in their columns, and the words that were repeated for it.

    What spans rows is repeated in each, so that a row can be read by itself; what spans columns stands in the first.
    """
    pending: dict[int, tuple[int, str]] = {}
    out: list[list[str]] = []
    repeated = 0
    for row in rows:
        line: list[str] = []
        for cell in (*row, None):
            while len(line) in pending:
                left, text = pending.pop(len(line))
                if left > 1:
                    pending[len(line)] = (left - 1, text)
                repeated += count_words(text)
                line.append(text)
            if cell is None:
                break
            if cell.down > 1:
                pending |= {len(line) + n: (cell.down - 1, "" if n else cell.text) for n in range(cell.wide)}
            line += [cell.text, *[""] * (cell.wide - 1)]
        out.append(line)
    return out, repeated


def reach(value: str | None) -> int:
    """A `colspan` or `rowspan` as a number, 1 for what is none."""
    value = (value or "").strip(" \"'")
    return min(max(int(value), 1), 100) if value.isascii() and value.isdecimal() else 1
