"""A Markdown page becomes passages. The only module that knows markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.front_matter import front_matter_plugin

from kb.errors import CorpusError
from kb.yamlfile import parse_yaml

KEYS = frozenset(
    "id title kind source page by via date verdict supersedes superseded_by see term aliases default ref url".split()
)
_BRACES = re.compile(r'(?<!\\)\{(#[^\s{}"]+(?:\s+[\w-]+=(?:"(?:[^"\\]|\\.)*"|[^\s{}"]+))*)\s*\}\s*$')
_LOOKS_LIKE_BRACES = re.compile(r"(?<!\\)\{\s*#[^{}\n]*\}?\s*$")
_PAIR = re.compile(r'([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s{}"]+))')
_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")


@dataclass
class Block:
    """A piece of a page that has an id: what becomes a passage once the page's defaults are applied."""

    attrs: dict[str, str]
    title: str
    path: tuple[str, ...]
    line: int
    last_line: int
    parent: str | None = None
    texts: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Page:
    """A parsed page: front matter, title, blocks with ids, and the lines of text that stand outside of any."""

    front: Mapping[str, Any]
    title: str
    blocks: tuple[Block, ...]
    stray: tuple[tuple[int, str], ...]
    "(line, text) of blocks that belong to no id."


@cache
def reader() -> MarkdownIt:
    """CommonMark with tables and front matter, HTML off, trailing `{#id …}` taken off each block."""
    md = MarkdownIt("commonmark", {"html": False}).enable("table").use(front_matter_plugin)
    md.core.ruler.before("inline", "take_ids", _take_ids)
    return md


def _take_ids(state: StateCore) -> None:
    for before, token in zip(state.tokens, state.tokens[1:], strict=False):
        if token.type != "inline":
            continue
        found = _BRACES.search(token.content)
        if found:
            before.meta["attrs"] = found.group(1)
            token.content = token.content[: found.start()].rstrip()
        elif _LOOKS_LIKE_BRACES.search(token.content):
            before.meta["bad"] = token.content[token.content.rfind("{") :]


def _attributes(raw: str, where: str, line: int) -> dict[str, str]:
    anchor, _, rest = raw.partition(" ")
    attrs = {"id": anchor[1:]}
    for key, quoted, bare in _PAIR.findall(rest):
        if key not in KEYS:
            raise CorpusError(
                f"unknown key {key!r} in the braces", f"Allowed are: {', '.join(sorted(KEYS))}", where=where, line=line
            )
        if key in attrs:
            raise CorpusError(f"the key {key!r} is given twice in the braces", "Keep one", where=where, line=line)
        attrs[key] = re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
    return attrs


def inline_text(node: SyntaxTreeNode) -> str:
    """The plain text of an inline node: markup gone, link texts and image descriptions kept."""
    if node.type in ("text", "code_inline"):
        return node.content
    if node.type == "softbreak":
        return " "
    if node.type == "hardbreak":
        return "\n"
    if node.type == "image":
        return node.content
    return "".join(inline_text(child) for child in node.children)


def block_text(node: SyntaxTreeNode) -> str:
    """The plain text of a block, list items and table rows on lines of their own."""
    match node.type:
        case "inline" | "paragraph" | "heading" | "th" | "td":
            return inline_text(node).strip()
        case "bullet_list":
            return "\n".join(f"• {block_text(item)}" for item in node.children)
        case "ordered_list":
            first = int(node.attrs.get("start", 1))
            return "\n".join(f"{n}. {block_text(item)}" for n, item in enumerate(node.children, first))
        case "tr":
            return " | ".join(block_text(cell) for cell in node.children)
        case "fence" | "code_block":
            return node.content.rstrip("\n")
        case "hr":
            return ""
        case _:
            return "\n".join(filter(None, (block_text(child) for child in node.children)))


class _Walk:
    """Walks a page's blocks in order and deals them out to the blocks with ids."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self.lines = text.splitlines()
        self.headings: list[tuple[int, str]] = []
        self.open: Block | None = None
        self.blocks: list[Block] = []
        self.stray: list[tuple[int, str]] = []
        self.title = ""

    def walk(self, root: SyntaxTreeNode) -> None:
        for node in root.children:
            if node.type == "front_matter":
                continue
            if node.type == "heading":
                self.heading(node)
            else:
                self.block(node)

    def heading(self, node: SyntaxTreeNode) -> None:
        level, title = int(node.tag[1:]), inline_text(node).strip()
        self.headings = [(lv, t) for lv, t in self.headings if lv < level]
        path = tuple(t for _, t in self.headings)
        self.headings.append((level, title))
        self.title = self.title or (title if level == 1 else "")
        attrs = self.attrs(node)
        self.open = self.start(node, attrs, title, path) if attrs else None

    def attrs(self, node: SyntaxTreeNode) -> dict[str, str] | None:
        opening = node.nester_tokens.opening if node.nester_tokens else None
        if opening is None:
            return None
        line = (opening.map or [0])[0] + 1
        if "bad" in opening.meta:
            raise CorpusError(
                f"these braces can't be read: {opening.meta['bad']}",
                'Write {#id key=value key="two words"} at the end of the block',
                where=self.where,
                line=line,
            )
        raw = opening.meta.get("attrs")
        return _attributes(raw, self.where, line) if raw else None

    def start(
        self, node: SyntaxTreeNode, attrs: dict[str, str], title: str, path: tuple[str, ...], parent: str | None = None
    ) -> Block:
        first, last = node.map or (0, 0)
        block = Block(attrs, attrs.get("title") or title, path, first + 1, last, parent)
        self.blocks.append(block)
        return block

    def under_heading(self, attrs: dict[str, str]) -> tuple[str, tuple[str, ...]]:
        """The title and path of a block that is no heading itself."""
        titles = [t for _, t in self.headings]
        if "title" in attrs or not titles:
            return attrs.get("title", titles[-1] if titles else attrs["id"]), tuple(titles)
        return titles[-1], tuple(titles[:-1])

    def block(self, node: SyntaxTreeNode) -> None:
        if node.type in ("bullet_list", "ordered_list") and any(self.has_id(item) for item in node.children):
            outer = self.open
            for item in node.children:
                self.item(item, outer)
            self.open = outer
            return
        attrs = self.attrs(node) if node.type == "paragraph" else None
        if attrs:
            title, path = self.under_heading(attrs)
            self.open = self.start(node, attrs, title, path)
        self.add(node)

    def has_id(self, node: SyntaxTreeNode) -> bool:
        opening = node.nester_tokens.opening if node.nester_tokens else None
        if opening is not None and ("attrs" in opening.meta or "bad" in opening.meta):
            return True
        return any(self.has_id(child) for child in node.children)

    def item(self, item: SyntaxTreeNode, outer: Block | None) -> None:
        attrs = next(filter(None, (self.attrs(child) for child in item.children if child.type == "paragraph")), None)
        if attrs:
            title, path = self.under_heading(attrs)
            self.open = self.start(item, attrs, title, path, self.anchor(outer))
            self.open.last_line = self.open.line
        else:
            self.open = outer
        mine = self.open
        for child in item.children:
            if child.type in ("bullet_list", "ordered_list") and self.has_id(child):
                for nested in child.children:
                    self.item(nested, mine)
                self.open = mine
            else:
                self.add(child)

    @staticmethod
    def anchor(block: Block | None) -> str | None:
        return block.attrs["id"] if block else None

    def add(self, node: SyntaxTreeNode) -> None:
        text = block_text(node)
        first, last = node.map or (0, 0)
        if not text:
            return
        if self.open is None:
            self.stray.append((first + 1, text))
            return
        self.open.texts.append(text)
        self.open.sources.append(self.source(first, last, node))
        self.open.last_line = max(self.open.last_line, last)

    def source(self, first: int, last: int, node: SyntaxTreeNode) -> str:
        lines = self.lines[first:last]
        if node.parent is not None and node.parent.type == "list_item":
            lines = [_MARKER.sub("", line, count=1) if n == 0 else line.strip() for n, line in enumerate(lines)]
        return _BRACES.sub("", "\n".join(lines)).rstrip()


def _front_matter(root: SyntaxTreeNode, where: str) -> Mapping[str, Any]:
    for node in root.children:
        if node.type == "front_matter":
            front = parse_yaml(node.content, where, first_line=2)
            if front is None:
                return {}
            if not isinstance(front, dict):
                raise CorpusError("the front matter is no mapping", "Write `key: value` lines", where=where, line=2)
            return front
    return {}


def parse_page(text: str, where: str) -> Page:
    """Parses a page. `where` names the file in errors.

    A heading with an id owns everything below it up to the next heading or the next block with an id; a list item
    with an id owns what stands in it except nested items that have ids of their own.
    """
    root = SyntaxTreeNode(reader().parse(text))
    walk = _Walk(text, where)
    walk.walk(root)
    front = _front_matter(root, where)
    return Page(front, str(front.get("title") or walk.title or where), tuple(walk.blocks), tuple(walk.stray))


def plain(markdown: str) -> str:
    """Markdown as plain text."""
    root = SyntaxTreeNode(reader().parse(markdown))
    return "\n".join(filter(None, (block_text(node) for node in root.children)))


def links(markdown: str) -> Iterator[str]:
    """The targets of the links in a piece of Markdown, in order."""
    for token in reader().parse(markdown):
        for child in token.children or ():
            if child.type == "link_open":
                yield str(child.attrs["href"])
