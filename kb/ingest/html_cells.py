"""List items and table cells of a web page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from kb.ingest.book import Item
from kb.ingest.escape import escape
from kb.ingest.grid import Cell, reach

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

ToMarkdown = Callable[[str], str]


def list_items(node: LexborNode, markdown: ToMarkdown, held: list[LexborNode], level: int = 0) -> Iterator[Item]:
    """The items of a list and those nested in it, in reading order. Tables and code in them are added to `held`."""
    numbered = node.tag == "ol"
    letters = node.attributes.get("type") if numbered else None
    number = int(start) if (start := node.attributes.get("start") or "").isdecimal() else 1
    for child in node.iter():
        if child.tag in ("ul", "ol"):
            yield from list_items(child, markdown, held, level + 1)
            continue
        if (value := child.attributes.get("value") or "").isdecimal() and child.tag == "li":
            number = int(value)
        nested = [*outermost_lists(child)]
        text = item_text(child, nested, markdown, held)
        if letters in ("a", "A", "i", "I"):
            yield Item(f"{marker(number, letters)}. {text}", level)
        elif text or nested:
            yield Item(text, level, number if numbered else None)
        number += child.tag == "li"
        for inner in nested:
            if level < 20:
                yield from list_items(inner, markdown, held, level + 1)
            else:
                yield Item(escape(" ".join(inner.text().split())), level)


def item_text(node: LexborNode, nested: list[LexborNode], markdown: ToMarkdown, held: list[LexborNode]) -> str:
    """The item without the lists in it; tables and code in it are told after the list."""
    html = node.inner_html or ""
    mine = [] if node.tag != "li" else [inner for inner in node.css("table, pre") if not inside(inner, nested, node)]
    for inner in (*nested, *mine):
        html = html.replace(inner.html or "", " ", 1)
    held += mine
    return markdown(html)


def outermost_lists(node: LexborNode) -> Iterator[LexborNode]:
    """The lists inside an item that are in no other list of it."""
    for child in node.iter():
        if child.tag in ("ul", "ol"):
            yield child
        elif child.css_first("ul, ol") is not None:
            yield from outermost_lists(child)


def inside(node: LexborNode, others: list[LexborNode], top: LexborNode) -> bool:
    """Whether one of the other nodes, or a table below `top`, holds the node."""
    at = node.parent
    while at is not None and at.mem_id != top.mem_id:
        if at.tag in ("table", "pre") or any(at.mem_id == other.mem_id for other in others):
            return True
        at = at.parent
    return False


def marker(number: int, letters: str) -> str:
    """`b` for the second item of `type="a"`, `ii` for that of `type="i"`."""
    if letters in "iI":
        text = ""
        for value, roman in ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
            while number >= value:
                text, number = text + roman, number - value
    else:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    return text.upper() if letters.isupper() else text


def table_rows(table: LexborNode, markdown: ToMarkdown) -> list[list[Cell]]:
    """The cells of a table, lists in them on one line."""
    return [[cell_of(cell, markdown) for cell in row.css("td, th")] for row in table.css("tr")]


def cell_of(node: LexborNode, markdown: ToMarkdown) -> Cell:
    for item in node.css("li"):
        item.insert_before(" • ")
        item.unwrap()
    text = re.sub(r"\\\n|\n+", " ", markdown(node.inner_html or ""))
    return Cell(text, reach(node.attributes.get("colspan")), reach(node.attributes.get("rowspan")))
