"""Rows of cells to a Markdown table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

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
