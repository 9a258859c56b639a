"""Wikitext, its templates written out, told piece by piece to an outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kb.ingest.book import Item
from kb.ingest.escape import count_words, escape
from kb.ingest.grid import Cell, markdown_table, reach, spread
from kb.ingest.wiki_inline import BLOCKS, MAX_NESTING, Inline, escape_inline, gallery_texts, is_list_mark, visible

_MAGIC = re.compile(r"__[A-Z]{3,30}__")


@dataclass
class Walker(Inline):
    """Tells one wiki page."""

    paragraph: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    marks: str = ""
    "The list markers of the line that is open."
    items: list[Item] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    term: str = ""
    "A `;` name that waits for its `:`."

    def tell(self, text: str) -> None:
        """A page's wikitext."""
        import mwparserfromhell

        code = mwparserfromhell.parse(_MAGIC.sub("", text))
        self.book.words_in += count_words("".join(visible(code)))
        self.walk(code)
        self.end_block()
        self.end_section()

    def walk(self, code: Any) -> None:
        """Blocks are told, everything else is put on the line that is open."""
        self.depth += 1
        for node in code.nodes:
            kind = type(node).__name__
            if kind == "Text":
                self.text(str(node))
            elif kind == "Heading":
                self.end_block()
                self.end_section()
                title = self.inline(node.title)
                self.out.heading(node.level, title, key=f"{self.title}#{plain_heading(str(node.title))}")
            elif kind == "Tag" and (not self.marks or is_list_mark(node) or str(node.tag).lower() == "table"):
                self.tag(node)
            else:
                self.line.append(self.one(node))
        self.depth -= 1

    def text(self, text: str) -> None:
        first, *more = text.split("\n")
        self.line.append(escape_inline(first))
        for line in more:
            self.end_line()
            self.line.append(escape_inline(line))

    # -- lines, lists ---------------------------------------------------------------------------------------------

    def end_line(self) -> None:
        line, marks = "".join(self.line).strip(), self.marks
        self.line, self.marks = [], ""
        if marks:
            self.listed(marks, line)
        elif not line:
            self.end_block()
        else:
            self.end_list()
            self.paragraph.append(line)

    def listed(self, marks: str, line: str) -> None:
        """A line that begins with list markers."""
        self.end_paragraph()
        kind, level = marks[-1], len(marks) - 1
        if kind == ";":
            self.end_list()
            self.end_term()
            self.term = line
        elif kind == ":" and self.term:
            name, self.term = self.term, ""
            self.define(name, line)
        elif kind == ":" and level and self.items:
            last = self.items[-1]
            self.items[-1] = Item(f"{last.text} {line}".strip(), last.level, last.number)
        elif kind == ":":
            self.end_list()
            self.out.paragraph(line)
        else:
            self.counts = {k: n for k, n in self.counts.items() if k <= level}
            self.counts[level] = self.counts.get(level, 0) + 1
            self.items.append(Item(line, level, self.counts[level] if kind == "#" else None))

    def define(self, name: str, text: str) -> None:
        if 0 < count_words(name) <= 8 and text:
            self.out.term(name, text)
        else:
            self.out.paragraph(f"**{name}**")
            self.out.paragraph(text)

    def end_term(self) -> None:
        if self.term:
            name, self.term = self.term, ""
            self.out.paragraph(f"**{name}**")

    def end_list(self) -> None:
        items, self.items, self.counts = self.items, [], {}
        if items:
            self.out.listing(items)

    def end_paragraph(self) -> None:
        lines, self.paragraph = self.paragraph, []
        if lines:
            self.end_term()
            self.out.paragraph(" ".join(lines))

    def end_block(self) -> None:
        if any(part.strip() for part in self.line) or self.marks:
            self.end_line()
        self.line = []
        self.end_list()
        self.end_paragraph()
        self.end_term()

    def end_section(self) -> None:
        """Tells the footnotes of the section."""
        notes, self.notes = self.notes, []
        for note in notes:
            self.out.attach(note)

    # -- tags -----------------------------------------------------------------------------------------------------

    def tag(self, node: Any) -> None:
        name = str(node.tag).lower().strip()
        if is_list_mark(node):
            if not self.marks and any(part.strip() for part in self.line):
                self.end_line()
            if node.wiki_markup == ":" and self.marks == ";":
                # `; term : definition` on one line.
                self.end_line()
                self.marks = ":"
            else:
                self.marks += node.wiki_markup
        elif name == "table":
            self.end_block()
            self.table(node)
        elif name in ("ul", "ol"):
            self.end_block()
            self.out.listing([*self.html_items(node, 0)])
        elif name in ("pre", "syntaxhighlight", "source"):
            self.end_block()
            self.out.attach("```\n" + str(node.contents).strip("\n").replace("```", "'''") + "\n```")
        elif name == "gallery":
            self.end_block()
            for line in gallery_texts(node):
                self.out.paragraph(escape(line))
        elif name in ("div", "center", "blockquote", "p", "poem") and self.depth < MAX_NESTING and holds_blocks(node):
            self.end_block()
            self.walk(node.contents)
            self.end_block()
        elif name == "hr":
            self.end_block()
        elif name in ("p", "div", "center", "blockquote"):
            self.end_block()
            self.line.append(self.inline(node.contents))
            self.end_block()
        else:
            self.line.append(self.one(node))

    def html_items(self, node: Any, level: int) -> Iterator[Item]:
        number = 0
        for child in node.contents.nodes:
            name = str(getattr(child, "tag", "")).lower()
            if name in ("ul", "ol") and level < 10:
                yield from self.html_items(child, level + 1)
            elif name == "li":
                number += 1
                nested = [n for n in child.contents.nodes if str(getattr(n, "tag", "")).lower() in ("ul", "ol")]
                text = self.joined(n for n in child.contents.nodes if n not in nested)
                yield Item(text, level, number if str(node.tag).lower() == "ol" else None)
                for inner in nested:
                    yield from self.html_items(inner, level + 1)
            elif text := self.one(child).strip():
                yield Item(text, level)

    def table(self, node: Any) -> None:
        """A table; cells that hold tables are told after it, one by one."""
        caption, rows, row = "", [], []
        for child in node.contents.nodes:
            name = str(getattr(child, "tag", "")).lower()
            if name == "td" and child.wiki_markup == "|" and str(child).startswith("|+"):
                caption = self.inline(child.contents).lstrip("\\+ ")
            elif name == "caption":
                caption = self.inline(child.contents)
            elif name in ("td", "th"):
                row.append(child)
            elif name == "tr":
                rows += [row, [c for c in child.contents.nodes if str(getattr(c, "tag", "")).lower() in ("td", "th")]]
                row = []
            elif text := self.one(child).strip():
                self.out.paragraph(text)
        cells, repeated = spread([[self.cell(c) for c in r] for r in [*rows, row] if r])
        self.book.words_in += repeated
        self.out.table(markdown_table(cells), caption)

    def cell(self, node: Any) -> Cell:
        wide, down = (str(node.get(name).value) if node.has(name) else "" for name in ("colspan", "rowspan"))
        return Cell(self.inline(node.contents), reach(wide), reach(down))


def holds_blocks(node: Any) -> bool:
    """Whether a wrapper holds more than a run of words."""
    contents = node.contents
    if contents is None:
        return False
    if "\n" in str(contents).strip():
        return True
    return any(str(getattr(n, "tag", "")).lower() in BLOCKS for n in contents.nodes)


def plain_heading(wikitext: str) -> str:
    """A heading as links name it: markup gone."""
    text = re.sub(r"'{2,5}|<[^<>]*>", "", wikitext)
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", text)
    return " ".join(text.replace("_", " ").split())
