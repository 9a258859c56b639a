"""The lines of all pages in reading order to headings, paragraphs, lists, tables and boxes, told to an outline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kb.ingest.book import Book, Item, Outline, plain_title
from kb.ingest.escape import count_words, escape
from kb.ingest.grid import markdown_table
from kb.ingest.pdf_paragraphs import ENDS, Paragraph, begins_paragraph, gap, hangs, is_item
from kb.ingest.pdf_records import Area, Element, Line
from kb.ingest.pdf_running import Types
from kb.ingest.pdf_text import Marked, Vocabulary, markdown_of, marker_of, runs_of, text_of

LONGEST_HEADING = 16
"Words."
_CONTENTS = re.compile(r"^\W*(?:(?:table of )?contents|(?:[\w ,&]+ )?index)\W*$", re.I)
_LETTERS = re.compile(r"(?:\w\W*){1,4}")
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*(?:\d{1,4}\b|[ivxl]{1,7}$)")
_CAPTION = re.compile(r"^\W*(?:table|tab\.)\s+[\dA-Z]+\b", re.I)


class Flow:
    """Tells the document; knows what is open: a paragraph, a list, and the tables and boxes that wait for its end."""

    def __init__(
        self, book: Book, out: Outline, types: Types, vocabulary: Vocabulary, pitches: Mapping[float, float]
    ) -> None:
        self.book, self.out, self.types, self.vocabulary = book, out, types, vocabulary
        self.origin = out.page.origin
        self.title = out.page.title
        self.title_printed = False
        self.printed = ""
        self.open: Paragraph | None = None
        self.items: list[tuple[Marked, str, str]] = []
        "Marker, Markdown and page of the list items so far."
        self.waiting: list[Area] = []
        self.heading: list[Line] = []
        self.rows: list[list[str]] = []
        "The table that may go on overleaf."
        self.caption = ""
        self.in_contents = False
        self.lost_contents = 0
        self.joined = 0
        self.pitches = pitches
        # With one size of headings they are sections; with more the largest are chapters.
        self.chapters = len(types.levels) > 1

    def page(self, elements: Sequence[Element], printed: str) -> None:
        """Tells one page."""
        self.printed = printed
        for n, element in enumerate(elements):
            if isinstance(element, Line):
                self.line(element, elements[n + 1] if n + 1 < len(elements) else None)
            elif self.open is not None and not ENDS.search(self.open.lines[-1].text):
                self.waiting.append(element)
            else:
                self.area(element)

    def end(self) -> None:
        """The last page is told."""
        self.end_block()
        self.out.end()
        if self.lost_contents:
            self.book.note(
                "tables of contents and indexes are left out: headings and search take their place",
                self.origin,
                lost_words=self.lost_contents,
            )

    # -- lines ----------------------------------------------------------------------------------------------------

    def line(self, line: Line, after: Element | None) -> None:
        if (self.below_contents() and is_entry(line.text)) or _LEADERS.search(line.text):
            self.end_block()
            self.lost_contents += count_words(line.text)
            return
        if self.is_heading(line, after):
            self.head(line)
            return
        self.end_heading()
        self.in_contents = False
        begins = self.open is None or begins_paragraph(line, self.open, self.pitches, self.printed)
        marked = marker_of(line)
        if marked and not is_item(marked, self.open, [m.number for m, _, _ in self.items], begins):
            marked = None
        if marked or begins or self.open is None:
            self.end_paragraph()
            self.end_table()
            self.open = Paragraph(marked=marked)
        self.open.lines.append(line)
        self.open.words.append(marked.rest if marked else line.words)
        self.open.pages.append(self.printed)

    def below_contents(self) -> bool:
        """Whether the last heading is that of a table of contents or an index."""
        return _CONTENTS.match(" ".join(line.text for line in self.heading)) is not None or self.in_contents

    # -- headings -------------------------------------------------------------------------------------------------

    def is_heading(self, line: Line, after: Element | None) -> bool:
        size = line.size
        if size == self.types.title or self.types.level(size) is not None:
            return count_words(line.text) <= LONGEST_HEADING and any(c.isalpha() for c in line.text)
        if not line.bold or not 0 < count_words(line.text) <= LONGEST_HEADING - 4 or line.text[-1] in ".,;:":
            return False
        if marker_of(line) and not line.words[0].text[0].isdigit():
            return False
        if (
            self.open is not None
            and not ENDS.search(self.open.lines[-1].text)
            and not gap(line, self.open, self.pitches)
        ):
            return False
        follows = isinstance(after, Line) and (not after.bold or bool(self.types.level(after.size)))
        return follows and line.text[:1].upper() == line.text[:1]

    def head(self, line: Line) -> None:
        """A line of a heading; lines of one size right below each other are one heading."""
        if self.heading:
            last = self.heading[-1]
            near = 0 < line.top - last.top < 1.6 * line.size and line.size == last.size and line.bold == last.bold
            if near and count_words(" ".join(part.text for part in self.heading)) < LONGEST_HEADING:
                self.heading.append(line)
                return
        self.end_block()
        self.heading = [line]
        self.out.printed = self.printed

    def end_heading(self) -> None:
        if not self.heading:
            return
        lines, self.heading = self.heading, []
        runs, joined = runs_of([line.words for line in lines], self.vocabulary)
        self.joined += joined
        title = escape("".join(run.text for run in runs))
        size = lines[0].size
        if _CONTENTS.match(title):
            self.in_contents = True
            self.lost_contents += count_words(title)
            return
        self.in_contents = False
        if size == self.types.title:
            self.titled(title)
            return
        level = self.types.level(size)
        if level is None:
            self.out.heading(len(self.types.levels) + (1 if self.chapters else 2), title)
        elif level == 0 and self.chapters:
            self.chapter(title)
        else:
            self.out.heading(level + (1 if self.chapters else 2), title)

    def titled(self, title: str) -> None:
        """The document's title: the draft's own, and that of what stands before the first chapter."""
        if self.title_printed:
            self.out.heading(2, title)
            return
        self.title_printed = True
        self.title = self.book.title = plain_title(title)
        if not self.out.blocks:
            self.out.retitle(title)

    def chapter(self, title: str) -> None:
        """Begins a page of the corpus."""
        if not self.out.blocks and not self.out.titled:
            self.out.retitle(title)
            return
        self.out.end()
        printed = self.out.printed
        self.out = self.book.outline(title, origin=self.origin)
        self.out.retitle(title)
        self.out.printed = printed

    # -- ends -----------------------------------------------------------------------------------------------------

    def end_block(self) -> None:
        self.end_heading()
        self.end_paragraph()
        self.end_list()
        self.end_table()

    def end_paragraph(self) -> None:
        if self.open is None:
            return
        paragraph, self.open = self.open, None
        runs, joined = runs_of(paragraph.words, self.vocabulary)
        self.joined += joined
        text = markdown_of(runs)
        if paragraph.marked:
            label = f"{escape(paragraph.marked.label)} " if paragraph.marked.label else ""
            self.items.append((paragraph.marked, label + text, paragraph.printed))
        elif self.items and hangs(paragraph, self.items[-1][0]):
            marked, above, printed = self.items[-1]
            self.items[-1] = marked, f"{above} {text}", printed
        else:
            self.end_list()
            self.say(text, paragraph.printed)
        waiting, self.waiting = self.waiting, []
        for area in waiting:
            self.area(area)

    def say(self, text: str, printed: str) -> None:
        self.out.printed = printed
        if _CAPTION.match(text) and count_words(text) <= 25:
            if self.rows and not self.caption:
                # A caption below its table.
                self.end_table(text)
            else:
                self.end_table()
                self.caption = text
            return
        self.end_table()
        self.out.paragraph(text)

    def end_list(self) -> None:
        if not self.items:
            return
        items, self.items = self.items, []
        indents: list[float] = []
        told = []
        for marked, text, printed in items:
            while indents and marked.x0 < indents[-1] - 3:
                indents.pop()
            if not indents or marked.x0 > indents[-1] + 3:
                indents.append(marked.x0)
            told.append(Item(text, len(indents) - 1, marked.number, printed))
        self.out.printed = items[0][2]
        self.out.listing(told)

    # -- tables and boxes -----------------------------------------------------------------------------------------

    def area(self, area: Area) -> None:
        if area.rows:
            self.table(area)
        else:
            self.box(area)

    def table(self, area: Area) -> None:
        """A table; one that goes on overleaf in as many columns is the same table."""
        rows = [[text_of(cell, self.vocabulary) for cell in row] for row in area.rows]
        if self.below_contents() and all(is_entry(cell) for row in rows for cell in row[-1:] if cell):
            self.lost_contents += sum(count_words(cell) for row in rows for cell in row)
            return
        self.end_heading()
        self.end_paragraph()
        self.end_list()
        if self.rows and not self.caption and len(self.rows[0]) == len(rows[0]):
            repeated = rows[0] == self.rows[0]
            self.book.repeated_words += sum(map(count_words, rows[0])) if repeated else 0
            self.rows += rows[1:] if repeated else rows
            return
        caption, self.caption = self.caption if not self.rows else "", "" if not self.rows else self.caption
        self.end_table()
        self.caption, self.rows = caption, rows
        self.out.printed = self.printed

    def end_table(self, caption: str = "") -> None:
        caption, self.caption = caption or self.caption, ""
        rows, self.rows = self.rows, []
        if rows:
            self.out.table(markdown_table(rows), caption)
        elif caption:
            self.out.paragraph(caption)

    def box(self, area: Area) -> None:
        """A side box: its first heading or bold line is its title."""
        self.end_block()
        lines = [element for element in area.inside if isinstance(element, Line)]
        inside = list(area.inside)
        title = ""
        if len(lines) > 1 and inside[0] is lines[0] and (lines[0].bold or lines[0].size > lines[1].size + 0.4):
            runs, joined = runs_of([inside.pop(0).words], self.vocabulary)  # type: ignore[union-attr]
            self.joined += joined
            title = escape("".join(run.text for run in runs))
        self.out.printed = self.printed
        self.out.open_box(title)
        for n, element in enumerate(inside):
            if isinstance(element, Line):
                self.line(element, inside[n + 1] if n + 1 < len(inside) else None)
            else:
                self.area(element)
        self.end_block()
        self.out.close_box()


def is_entry(text: str) -> bool:
    """Whether a line below "Contents" or "Index" is one of its entries: it ends with a number or is a letter."""
    return bool(re.search(r"\d\W*$", text) or _LETTERS.fullmatch(text))
