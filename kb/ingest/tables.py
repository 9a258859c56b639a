"""Tables as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kb.ingest.escape import escape


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of Markdown cells, the first one the head, as a Markdown table. Short rows are filled up; no rows: empty."""
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return ""
    width = max(map(len, rows))
    filled = [[*row, *[""] * (width - len(row))] for row in rows]
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in filled]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _cell(text: str) -> str:
    return " ".join(re.sub(r"(?<!\\)\|", r"\\|", text).split())


def lines_to_table(lines: Sequence[str], cell: Callable[[str], str] = escape) -> tuple[str, str]:
    """Tab-separated lines as a Markdown table, and the heads of columns that are empty below their head."""
    rows = [line.split("\t") for line in lines]
    width = max(map(len, rows))
    rows = [[*(part.strip() for part in row), *[""] * (width - len(row))] for row in rows]
    full = [n for n in range(width) if any(row[n] for row in rows[1:]) or not any(row[n] for row in rows)]
    if len(rows) < 2 or not full:
        full = list(range(width))
    lost = ", ".join(rows[0][n] for n in range(width) if n not in full)
    return markdown_table([[cell(row[n]) for n in full] for row in rows]), lost
