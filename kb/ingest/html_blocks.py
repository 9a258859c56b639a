"""Walks the readable part of a page and tells its pieces to an outline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kb.ingest.book import Book, Outline, page_name, plain_title
from kb.ingest.escape import count_words, escape
from kb.ingest.grid import markdown_table, spread
from kb.ingest.html_cells import list_items, table_rows
from kb.ingest.html_inline import Resolve, inline_writer
from kb.ingest.questions import is_faq

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_NESTING = 150
"Levels of elements walked. What stands deeper becomes one paragraph."
_BLOCKS = (
    "p, div, section, article, main, header, footer, aside, figure, figcaption, blockquote, pre, ul, ol, dl, table, "
    "details, h1, h2, h3, h4, h5, h6, hr, center, fieldset, address, nav"
)
_BLOCK_TAGS = frozenset(_BLOCKS.split(", ")) | {
    "tbody",
    "tr",
    "td",
    "th",
    "li",
    "dt",
    "dd",
    "summary",
    "caption",
    "body",
}
_ADMONITION = re.compile(r"\b(?:theme-)?(?:admonition|callout|infobox-note|messagebox|notice|note-box)\b", re.I)
_DEFAULT_TITLES = {
    "info",
    "note",
    "tip",
    "warning",
    "danger",
    "caution",
    "important",
    "notice",
    "hint",
    "clarification",
}
_PARAGRAPH_BREAK = re.compile(r"(?:\\\n\s*){2,}|\n{2,}")


class Walker:
    """Tells one web page to its outline; a second `<h1>` starts another."""

    def __init__(self, book: Book, out: Outline, resolve: Resolve, file_key: str) -> None:
        self.book = book
        self.out = out
        self.markdown = inline_writer(resolve)
        self.file_key = file_key
        self.aliases: dict[str, str] = {}
        "`file#id` of any element -> the key of the heading that it stands below."
        self.here = out.page.key or file_key
        self.depth = 0

    def walk(self, node: LexborNode) -> None:
        """Tells everything below a node, inline runs between blocks as paragraphs."""
        self.depth += 1
        run: list[str] = []
        for child in node.iter(include_text=True, skip_empty=False):
            if self.is_inline(child):
                self.note_ids(child)
                run.append(child.html or "")
                continue
            self.paragraphs("".join(run))
            run = []
            self.block(child)
        self.paragraphs("".join(run))
        self.depth -= 1

    def is_inline(self, node: LexborNode) -> bool:
        if node.is_text_node:
            return True
        if not node.is_element_node:
            return True
        return node.tag not in _BLOCK_TAGS and (node.css_first(_BLOCKS) is None or self.depth > MAX_NESTING)

    def paragraphs(self, html: str) -> None:
        if not html.strip():
            return
        for part in _PARAGRAPH_BREAK.split(self.markdown(html)):
            self.out.paragraph(part.removesuffix("\\").strip())

    def block(self, node: LexborNode) -> None:
        """One block, by its kind."""
        tag = node.tag or ""
        if self.depth > MAX_NESTING:
            self.out.paragraph(escape(" ".join(node.text().split())))
            return
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.heading(int(tag[1]), node)
            return
        self.note_ids(node, deep=tag in ("p", "ul", "ol", "dl", "table", "pre"))
        if tag in ("ul", "ol"):
            held: list[LexborNode] = []
            self.out.listing([*list_items(node, self.markdown, held)])
            for inner in held:
                self.block(inner)
        elif tag == "dl":
            self.definitions(node)
        elif tag == "table":
            self.table(node)
        elif tag == "pre":
            self.out.attach("```\n" + node.text().strip("\n").replace("```", "'''") + "\n```")
        elif tag == "details":
            self.details(node)
        elif tag == "aside" or _ADMONITION.search(node.attributes.get("class") or ""):
            self.box(node)
        elif label := node.attributes.get("data-label"):
            self.out.open_box(label)
            self.walk(node)
            self.out.close_box()
        else:
            self.walk(node)

    # -- headings and links ---------------------------------------------------------------------------------------

    def heading(self, level: int, node: LexborNode) -> None:
        title = self.markdown(node.inner_html or "")
        name = self.own_id(node)
        if level == 1 and self.out.aside is None:
            self.note_ids(node, deep=True)
            self.chapter(title)
            return
        if not title:
            return
        key = f"{self.file_key}#{name}" if name else None
        if key and self.out.aside is None:
            self.here = key
        self.note_ids(node, deep=True)
        self.out.heading(level, title, anchor=anchor(name), key=key)

    def chapter(self, title: str) -> None:
        """An `<h1>`: the first names the page, each further one begins a page of its own."""
        plain = plain_title(title)
        if not plain:
            return
        if not self.out.titled and not self.out.blocks:
            self.out.retitle(plain)
        else:
            self.out.end()
            page = self.out.page
            self.here = f"{self.file_key}#{page_name(plain)}"
            fields = {"key": self.here, "origin": page.origin, "source": page.source}
            self.out = self.book.outline(
                plain, f"{page.name.rpartition('/')[0]}/{page_name(plain)}".lstrip("/"), **fields
            )
            self.out.titled = True

    def own_id(self, node: LexborNode) -> str:
        """The heading's id: its own, or that of the element in it which a wiki gives it to."""
        inner = node.css_first(".mw-headline[id], a[name], [id]")
        return node.id or (inner.id or inner.attributes.get("name") or "" if inner else "")

    def note_ids(self, node: LexborNode, deep: bool = False) -> None:
        """Remembers which heading the ids of an element belong to."""
        if not node.is_element_node:
            return
        nodes = [node, *(node.css("[id], a[name]") if deep or node.tag not in _BLOCK_TAGS else ())]
        for each in nodes:
            for name in (each.id, each.attributes.get("name") if each.tag == "a" else None):
                if name:
                    self.aliases.setdefault(f"{self.file_key}#{name}", self.here)

    # -- lists ----------------------------------------------------------------------------------------------------

    def definitions(self, node: LexborNode) -> None:
        """A definition list: short names with definitions are terms, anything else stays text."""
        names: list[str] = []
        for child in node.css("dt, dd"):
            if child.tag == "dt":
                names.append(self.markdown(child.inner_html or ""))
                continue
            text = self.markdown(child.inner_html or "")
            short = [name for name in names if 0 < count_words(name) <= 8]
            if short and text:
                self.out.term(short[0], text, aliases=tuple(short[1:]))
                names = []
            else:
                self.loose(names, text)
                names = []
        self.loose(names, "")

    def loose(self, names: list[str], text: str) -> None:
        for name in names:
            self.out.paragraph(f"**{name}**")
        self.out.paragraph(text)

    # -- boxes ----------------------------------------------------------------------------------------------------

    def details(self, node: LexborNode) -> None:
        """A fold-out: a question with its answer, or a box."""
        summary = next((child for child in node.iter() if child.tag == "summary"), None)
        title = self.markdown(summary.inner_html or "") if summary else ""
        if summary:
            summary.decompose()
        if title and (title.rstrip("*_ ").endswith("?") or self.out.special is not None or is_faq(title)):
            self.out.ask(title)
            self.walk(node)
            self.out.end_question()
            return
        self.out.open_box(title)
        self.walk(node)
        self.out.close_box()

    def box(self, node: LexborNode) -> None:
        """An admonition or side box: clarifies what stands around it."""
        head = node.css_first(
            "[class*=admonitionHeading], [class*=admonition-heading], [class*=admonition-title], [class*=callout-title]"
        )
        title = " ".join(head.text().split()) if head else ""
        if head:
            head.decompose()
        if title.casefold() in _DEFAULT_TITLES:
            self.book.words_in -= count_words(title)
            title = ""
        self.out.open_box(escape(title), kind="clarification")
        self.walk(node)
        self.out.close_box()

    # -- tables ---------------------------------------------------------------------------------------------------

    def table(self, node: LexborNode) -> None:
        """A table; one that only arranges the page is walked through."""
        if node.attributes.get("role") in ("presentation", "none") or node.css_first(
            "table table, h1, h2, h3, h4, table ul ul"
        ):
            self.walk(node)
            return
        caption = node.css_first("caption")
        text = self.markdown(caption.inner_html or "") if caption else self.figure_caption(node)
        if caption:
            caption.decompose()
        rows, repeated = spread(table_rows(node, self.markdown))
        self.book.words_in += repeated
        self.out.table(markdown_table(rows), text)

    def figure_caption(self, node: LexborNode) -> str:
        parent = node.parent
        if parent is None or parent.tag != "figure":
            return ""
        caption = parent.css_first("figcaption")
        if caption is None:
            return ""
        text = self.markdown(caption.inner_html or "")
        caption.decompose()
        return text


def anchor(name: str) -> str | None:
    """An HTML id where it can be one of the corpus."""
    return name if re.fullmatch(r"[\w][\w.:-]{0,79}", name) else None
