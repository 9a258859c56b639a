"""A page of a draft as the text of a Markdown file, in the format that `kb.parse` reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from kb.ingest.draft import Block, DraftPage
from kb.ingest.escape import escape

Link = Callable[[str, str], str]
"(key, words as Markdown) -> Markdown: what a `kb:` link becomes."

_KB_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(<?kb:([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\)")
_LOOKS_LIKE_ID = re.compile(r"(?<!\\)\{(?=\s*#[^{}\n]*\}?\s*$)", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_MAY_HEAD = re.compile(r"^ {0,3}(?:#{1,6}(?:\s|$)|=+\s*$|-+\s*$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Named:
    """A block with what the writer found out about it."""

    block: Block
    anchor: str | None
    see: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    "Both as they stand in the braces."


def render_page(page: DraftPage, blocks: Sequence[Named], link: Link) -> str:
    """The whole file."""
    lines = _Lines(page, link)
    for named in blocks:
        lines.add(named)
    body = "\n".join(lines.out).rstrip("\n")
    return f"{_front_matter(page)}# {_heading(page.title)}\n\n{body}\n"


def _front_matter(page: DraftPage) -> str:
    fields = {"title": one_line(page.title), "kind": page.kind, "source": page.source, "page": page.page}
    rows = "".join(f"{key}: {_quoted(value)}\n" for key, value in fields.items() if value)
    return f"---\n{rows}---\n"


class _Lines:
    """Collects a page's lines; knows how deep it is in lists."""

    def __init__(self, page: DraftPage, link: Link) -> None:
        self.page = page
        self.link = link
        self.out: list[str] = []
        self.widths: list[int] = []
        "Columns that each open list level is indented by."
        self.marks: list[tuple[int | None, str]] = []
        "The last number and mark of each open list level."

    def add(self, named: Named) -> None:
        text = settle(named.block.text, self.link)
        form = named.block.form
        if form == "heading":
            self.heading(named, text)
        elif form == "item" and named.anchor:
            self.item(named, text)
        elif form == "paragraph" and not named.block.level and named.anchor:
            self.paragraph(named, text)
        else:
            self.more(text)

    def heading(self, named: Named, text: str) -> None:
        self.close()
        level = min(max(named.block.level, 2), 6)
        title = _heading(named.block.title or named.anchor or "…")
        self.put(f"{'#' * level} {title}{self.braces(named)}")
        if text.strip():
            self.put(text)

    def paragraph(self, named: Named, text: str) -> None:
        self.close()
        first, rest = first_block(text)
        if first is None:
            # Only a paragraph can bear an id: a table or list gets a heading to bear it.
            title = named.block.title or (named.anchor or "").replace("-", " ")
            self.put(f"### {_heading(title)}{self.braces(named)}")
            self.put(text)
            return
        self.put(first + self.braces(named))
        if rest.strip():
            self.put(rest)

    def item(self, named: Named, text: str) -> None:
        first, rest = first_block(text)
        level = min(named.block.level, len(self.widths))
        del self.widths[level + 1 :], self.marks[level + 1 :]
        mark = self.mark(level, named.block.number)
        indent = sum(self.widths[:level])
        self.widths[level:] = [len(mark) + 1]
        inner = indent + len(mark) + 1
        head = (first if first is not None else escape(named.block.title or "…")) + self.braces(named)
        body = head.split("\n")
        self.out.append(" " * indent + f"{mark} {body[0]}")
        self.out += [" " * inner + line for line in body[1:]]
        rest = rest if first is not None else text
        if rest.strip():
            self.out += ["", *(" " * inner + line if line else "" for line in rest.strip("\n").split("\n")), ""]

    def mark(self, level: int, number: int | None) -> str:
        """`-`, or the number with a dot; with a bracket where a new list begins right behind another."""
        last, old = self.marks[level] if level < len(self.marks) else (None, "")
        sign = "."
        if number is not None and last is not None:
            sign = old[-1] if number == last + 1 else ")" if old[-1] == "." else "."
        mark = "-" if number is None else f"{number}{sign}"
        self.marks[level:] = [(number, mark)]
        return mark

    def more(self, text: str) -> None:
        """Text without an id, below the item or paragraph that it belongs to."""
        if not text.strip():
            return
        indent = " " * sum(self.widths)
        if self.out and self.out[-1]:
            self.out.append("")
        self.out += [indent + line if line else "" for line in text.strip("\n").split("\n")]
        self.out.append("")

    def close(self) -> None:
        """Ends the open lists."""
        if self.widths and self.out and self.out[-1]:
            self.out.append("")
        self.widths, self.marks = [], []

    def put(self, text: str) -> None:
        self.out += [text.strip("\n"), ""]

    def braces(self, named: Named) -> str:
        if named.anchor is None:
            return ""
        block, page = named.block, self.page
        fields: dict[str, str | None] = {
            "title": one_line(block.title) if block.form != "heading" and block.title else None,
            "kind": block.kind if block.kind != page.kind else None,
            "source": block.source if block.source != page.source else None,
            "page": block.page if block.page != page.page else None,
            "by": block.by,
            "via": block.via,
            "date": block.date,
            "verdict": block.verdict,
            "supersedes": ", ".join(named.supersedes),
            "see": ", ".join(named.see),
            "term": block.term if block.term != block.title else None,
            "default": block.default,
            "aliases": "|".join(alias.replace("|", "/") for alias in block.aliases),
            "ref": block.ref,
        }
        pairs = [f"{key}={_value(value)}" for key, value in fields.items() if value]
        return " {" + " ".join([f"#{named.anchor}", *pairs]) + "}"


def one_line(text: str) -> str:
    return " ".join(text.split())


def _heading(title: str) -> str:
    # The word before it keeps what only matters at the beginning of a line from being escaped.
    text = escape(f"x {one_line(title)}")[2:]
    return re.sub(r"#(?=#*$)", r"\\#", text)


def _value(text: str) -> str:
    text = one_line(text)
    return text if re.fullmatch(r"[^\s{}\"\\,|]+", text) else _quoted(text)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def settle(text: str, link: Link) -> str:
    """Markdown made safe to stand in a page: links settled, braces and headings inside it disarmed."""
    if "kb:" in text:
        text = _KB_LINK.sub(lambda match: link(match[2], match[1]), text)
    if "{" in text:
        text = _LOOKS_LIKE_ID.sub(r"\\{", text)
    return _without_headings(text) if _MAY_HEAD.search(text) else text


@cache
def _reader() -> Any:
    from kb.parse import reader

    return reader()


def _without_headings(text: str) -> str:
    """Headings inside a block's text as bold lines: they would end the passage."""
    lines = text.split("\n")
    drop: set[int] = set()
    for token, inline in pairwise(_reader().parse(text)):
        if token.type != "heading_open" or token.map is None:
            continue
        first, last = token.map
        lines[first] = f"**{inline.content.strip()}**" if inline.content.strip() else ""
        drop |= set(range(first + 1, last))
    return "\n".join(line for n, line in enumerate(lines) if n not in drop)


def first_block(text: str) -> tuple[str | None, str]:
    """The first paragraph and the rest; None and everything where the text does not begin with a paragraph."""
    text = text.strip("\n")
    if not re.search(r"\n\s*\n|\n *(?:[-*+>|#`~]|\d+[.)] )|^ *(?:[-*+>|#`~!]|\d+[.)] )", text):
        return text, ""
    for token in _reader().parse(text):
        if token.type == "paragraph_open" and token.level == 0 and token.map and token.map[0] == 0:
            lines = text.split("\n")
            return "\n".join(lines[: token.map[1]]).rstrip(), "\n".join(lines[token.map[1] :]).strip("\n")
        break
    return None, text
