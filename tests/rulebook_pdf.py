"""Draws small rulebooks of a game that does not exist, to import them: columns, tables, boxes, running lines.

A soft hyphen in a text is where a word may be broken at a line's end.
"""

from __future__ import annotations

import io
from itertools import groupby
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

WIDTH, HEIGHT = A4
LEFT, RIGHT, TOP = 60, 535, HEIGHT - 90
COLUMN = 225
SOFT = "\u00ad"


class Sheet:
    """A page being drawn from the top down; `x` and `width` say in which column."""

    def __init__(self, path: Path, header: str = "", first_page: int = 1, **options: object) -> None:
        self.canvas = Canvas(str(path), pagesize=A4, invariant=1, **options)  # type: ignore[arg-type]
        self.header, self.number = header, first_page
        self.x, self.width, self.y = LEFT, RIGHT - LEFT, TOP
        self.running()

    def running(self) -> None:
        if self.header:
            self.canvas.setFont("Helvetica", 8)
            self.canvas.drawString(LEFT, HEIGHT - 40, self.header)
            self.canvas.drawRightString(RIGHT, 30, str(self.number))

    def column(self, n: int, top: float = TOP) -> None:
        """Goes to the top of column 0 or 1."""
        self.x, self.width, self.y = LEFT + n * (COLUMN + 25), COLUMN, top

    def wide(self) -> None:
        self.x, self.width = LEFT, RIGHT - LEFT

    def turn(self) -> None:
        """The next page."""
        self.canvas.showPage()
        self.number += 1
        self.wide()
        self.y = TOP
        self.running()

    def heading(self, text: str, size: float = 14) -> None:
        self.y -= size * 0.7
        self.write([(text, "Helvetica-Bold")], size)
        self.y -= 4

    def text(self, text: str, *, bold: str = "", indent: float = 0, size: float = 10, gap: float = 6) -> None:
        """A paragraph, `bold` before it."""
        self.write([(bold, "Times-Bold"), (text, "Times-Roman")], size, indent)
        self.y -= gap

    def item(self, mark: str, text: str) -> None:
        """A list item with a hanging indent."""
        self.canvas.setFont("Times-Roman", 10)
        self.canvas.drawString(self.x, self.y - 10, mark)
        self.write([(text, "Times-Roman")], 10, 14)
        self.y -= 2

    def write(self, parts: list[tuple[str, str]], size: float, indent: float = 0) -> None:
        line: list[tuple[str, str]] = []
        words = [(word, font) for text, font in parts for word in text.split()]
        while words:
            word, font = words.pop(0)
            shown = word.replace(SOFT, "")
            room = self.width - indent - sum(stringWidth(w + " ", f, size) for w, f in line)
            if stringWidth(shown, font, size) <= room:
                line.append((shown, font))
                continue
            head, _, tail = word.partition(SOFT)
            if tail and stringWidth(head + "-", font, size) <= room:
                line.append((head + "-", font))
                words.insert(0, (tail, font))
            else:
                words.insert(0, (word, font))
            self.flush(line, size, indent)
            line = []
        self.flush(line, size, indent)

    def flush(self, line: list[tuple[str, str]], size: float, indent: float) -> None:
        x = self.x + indent
        self.y -= size * 1.2
        for font, words in groupby(line, key=lambda part: part[1]):
            text = " ".join(word for word, _ in words) + " "
            self.canvas.setFont(font, size)
            self.canvas.drawString(x, self.y + size * 0.2, text)
            x += stringWidth(text, font, size)

    def table(self, rows: list[list[str]], grid: bool = True) -> None:
        table = Table(rows, colWidths=[self.width / len(rows[0])] * len(rows[0]))
        style = [("FONT", (0, 0), (-1, -1), "Times-Roman", 9)]
        table.setStyle([*style, ("GRID", (0, 0), (-1, -1), 0.5, "black")] if grid else style)
        _, height = table.wrapOn(self.canvas, self.width, 500)
        table.drawOn(self.canvas, self.x, self.y - height)
        self.y -= height + 8

    def box(self, title: str, text: str) -> None:
        """A framed side box."""
        top = self.y
        self.x, self.width, self.y = self.x + 8, self.width - 16, self.y - 6
        self.write([(title, "Helvetica-Bold")], 10)
        self.write([(text, "Helvetica")], 9)
        self.x, self.width = self.x - 8, self.width + 16
        self.canvas.setFillGray(0.5)
        self.canvas.rect(self.x, self.y - 6, self.width, top - self.y + 6, stroke=1, fill=0)
        self.canvas.setFillGray(0)
        self.y -= 16

    def scan(self) -> None:
        """A page that is one picture."""
        from PIL import Image

        pixels = io.BytesIO()
        Image.new("L", (60, 80), 200).save(pixels, "PNG")
        pixels.seek(0)
        self.canvas.drawImage(ImageReader(pixels), 40, 40, WIDTH - 80, HEIGHT - 80)

    def save(self) -> None:
        self.canvas.save()
