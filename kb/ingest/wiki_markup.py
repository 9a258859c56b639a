"""Wikitext, its templates written out, told piece by piece to an outline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kb.ingest.book import Book, Item, Outline
from kb.ingest.escape import count_words, escape
from kb.ingest.grid import markdown_table
from kb.ingest.html_inline import RAISED
from kb.ingest.html_links import address

MAX_NESTING = 40
_PICTURE_OPTION = re.compile(
    r"(?:thumb(?:nail)?|frame(?:less|d)?|border|left|right|center|none|baseline|middle|sub|super|text-top|text-bottom|top|"
    r"bottom|upright(?:=.*)?|x?\d+(?:x\d+)?\s*px|(?:link|class|lang|page|start|end)=.*)",
    re.I,
)
_MAGIC = re.compile(r"__[A-Z]{3,30}__")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)?:\S")
_UNSEEN = frozenset("section references templatestyles ref_list seo".split())
_BLOCKS = frozenset("div center blockquote table pre syntaxhighlight source poem p ul ol dl gallery tabber".split())


@dataclass
class Walker:
    """Tells one wiki page."""

    book: Book
    out: Outline
    title: str
    link: Callable[[str], str | None]
    "A link's target (title, `#section`) -> what to write, None for a page that is not imported."
    lost: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    "Footnotes, told after the section that they stand in."
    paragraph: list[str] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    marks: str = ""
    "The list markers of the line that is open."
    items: list[Item] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    term: str = ""
    "A `;` name that waits for its `:`."
    depth: int = 0

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
            for line in str(node.contents).split("\n"):
                self.out.paragraph(escape(line.partition("|")[2].strip()))
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
        caption, rows, row = "", [], []  # type: ignore[var-annotated]
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
        self.grid([r for r in [*rows, row] if r], caption)

    def grid(self, rows: list[list[Any]], caption: str) -> None:
        pending: dict[int, tuple[int, str]] = {}
        cells: list[list[str]] = []
        for row in rows:
            line: list[str] = []
            for cell in row:
                self.carry(pending, line)
                text = self.inline(cell.contents)
                wide, down = span(cell, "colspan"), span(cell, "rowspan")
                if down > 1:
                    pending |= {len(line) + n: (down - 1, "" if n else text) for n in range(wide)}
                line += [text, *[""] * (wide - 1)]
            self.carry(pending, line)
            cells.append(line)
        self.out.table(markdown_table(cells), caption)

    def carry(self, pending: dict[int, tuple[int, str]], line: list[str]) -> None:
        """Cells that reach down from the rows above."""
        while len(line) in pending:
            left, text = pending.pop(len(line))
            if left > 1:
                pending[len(line)] = (left - 1, text)
            self.book.words_in += count_words(text)
            line.append(text)

    # -- inline ---------------------------------------------------------------------------------------------------

    def inline(self, code: Any) -> str:
        """Markdown on one line."""
        return self.joined(code.nodes) if code is not None else ""

    def joined(self, nodes: Iterable[Any]) -> str:
        return " ".join("".join(map(self.one, nodes)).split())

    def one(self, node: Any) -> str:
        match type(node).__name__:
            case "Text":
                return escape_inline(str(node))
            case "HTMLEntity":
                return escape_inline(str(node.normalize()))
            case "Wikilink":
                return self.wikilink(node)
            case "ExternalLink":
                url = str(node.url).strip()
                words = self.inline(node.title) if node.title is not None else escape(url)
                good = url.startswith(("http://", "https://", "//"))
                target = f"https:{url}" if url.startswith("//") else url
                return f"[{words}]({address(target)})" if good and words else words
            case "Heading":
                return self.inline(node.title)
            case "Tag":
                return self.inline_tag(node)
            case "Comment" | "Argument":
                return ""
        return escape_inline(str(node))

    def inline_tag(self, node: Any) -> str:
        name = str(node.tag).lower().strip()
        if name in _UNSEEN:
            return ""
        if is_list_mark(node):
            return " • " if node.wiki_markup in "*#" else " "
        if name in ("br", "hr"):
            return " "
        if name in ("nowiki", "code", "tt", "kbd", "pre", "math"):
            return escape_inline(str(node.contents))
        self.depth += 1
        inner = self.inline(node.contents) if self.depth < MAX_NESTING else escape_inline(node.contents.strip_code())
        self.depth -= 1
        if name == "ref":
            if inner:
                self.notes.append(inner)
            return ""
        if name in ("li", "td", "th", "tr", "table", "div", "p"):
            return f" {'• ' if name == 'li' else ''}{inner} "
        if name in ("abbr", "span", "dfn") and node.has("title") and inner:
            tip = str(node.get("title").value)
            if count_words(inner) <= 8 and tip.strip().casefold() != inner.casefold():
                self.book.words_in += count_words(tip)
                self.out.term(inner, escape(tip.replace("&quot;", '"')))
            return inner
        return emphasised(name, self.spaced(node, inner), inner)

    @staticmethod
    def spaced(node: Any, inner: str) -> tuple[str, str]:
        raw = str(node.contents) if node.contents is not None else ""
        return (" " if raw[:1].isspace() and inner else ""), (" " if raw[-1:].isspace() and inner else "")

    def wikilink(self, node: Any) -> str:
        target = str(node.title).strip()
        space, colon, rest = target.partition(":")
        kind = space.strip().lower()
        if kind in ("file", "image", "media") and colon:
            return self.picture(node, rest)
        if kind == "category" and colon:
            return ""
        if _LANGUAGE.match(target) and self.link(target) is None and node.text is None:
            self.lost["links to other languages"] += count_words(target)
            return ""
        words = self.inline(node.text) if node.text is not None else escape(target.lstrip(":").replace("_", " "))
        found = self.link(target)
        return f"[{words}]({found})" if found and words else words

    def picture(self, node: Any, name: str) -> str:
        """A picture's description: `alt=`, else its caption, else the words of its file's name."""
        alt, caption = "", ""
        for part in self.options(node):
            if part.lower().startswith("alt="):
                alt = part[4:].strip()
            elif not _PICTURE_OPTION.fullmatch(part):
                caption = part
        said = " ".join(dict.fromkeys(filter(None, (alt, caption))))
        if said:
            import mwparserfromhell

            return self.inline(mwparserfromhell.parse(said))
        stem = re.sub(r"\.\w{2,4}$", "", name)
        words = " ".join(re.split(r"[\W_]+", stem)).strip()
        self.book.words_in += count_words(words)
        return escape(words)

    @staticmethod
    def options(node: Any) -> list[str]:
        if node.text is None:
            return []
        # A bar inside a link of the caption parts nothing.
        return [part.strip() for part in re.split(r"\|(?![^\[\]]*\]\])", str(node.text))]


def visible(code: Any) -> Iterator[str]:
    """Every text of the page that a reader sees, with white between blocks: what word counts are taken from."""
    for node in code.nodes:
        match type(node).__name__:
            case "Text":
                yield str(node)
            case "HTMLEntity":
                yield str(node.normalize())
            case "Wikilink":
                yield from seen_of_link(node)
            case "ExternalLink":
                yield from (visible(node.title) if node.title is not None else [str(node.url)])
            case "Heading":
                yield from ("\n", *visible(node.title), "\n")
            case "Tag":
                name = str(node.tag).lower()
                apart = name in _BLOCKS or name in ("td", "th", "tr", "li", "dd", "dt", "br", "ref")
                yield "\n" if apart else ""
                if node.contents is not None and name not in _UNSEEN:
                    yield from visible(node.contents)
                yield "\n" if apart else ""


def seen_of_link(node: Any) -> Iterator[str]:
    kind = str(node.title).partition(":")[0].strip().lower()
    if kind == "category":
        return
    if kind in ("file", "image", "media"):
        parts = [p for p in Walker.options(node) if not _PICTURE_OPTION.fullmatch(p)]
        shown = [p[4:] for p in parts if p.lower().startswith("alt=")] + [
            p for p in parts if not p.lower().startswith("alt=")
        ][-1:]
        for part in dict.fromkeys(p.strip() for p in shown):
            import mwparserfromhell

            yield from (" ", *visible(mwparserfromhell.parse(part)), " ")
        return
    yield from (visible(node.text) if node.text is not None else [str(node.title).replace("_", " ")])


def is_list_mark(node: Any) -> bool:
    return node.wiki_markup in ("*", "#", ":", ";")


def holds_blocks(node: Any) -> bool:
    """Whether a wrapper holds more than a run of words."""
    contents = node.contents
    if contents is None:
        return False
    if "\n" in str(contents).strip():
        return True
    return any(str(getattr(n, "tag", "")).lower() in _BLOCKS for n in contents.nodes)


def emphasised(name: str, around: tuple[str, str], inner: str) -> str:
    before, after = around
    if name in ("b", "strong") and any(c.isalnum() for c in inner):
        return f"{before}**{inner}**{after}"
    if name in ("i", "em") and any(c.isalnum() for c in inner):
        return f"{before}*{inner}*{after}"
    if name == "sup" and inner.isdecimal():
        return inner.translate(RAISED)
    return f"{before}{inner}{after}"


def escape_inline(text: str) -> str:
    """Escaped text on one line, the spaces at its ends kept."""
    return escape(re.sub(r"\s+", " ", text))


def plain_heading(wikitext: str) -> str:
    """A heading as links name it: markup gone."""
    text = re.sub(r"'{2,5}|<[^<>]*>", "", wikitext)
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", text)
    return " ".join(text.replace("_", " ").split())


def span(cell: Any, name: str) -> int:
    value = str(cell.get(name).value).strip(" \"'") if cell.has(name) and cell.get(name).value else ""
    return min(max(int(value), 1), 100) if value.isdecimal() else 1
