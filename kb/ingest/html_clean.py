"""A web page down to what a reader reads: no scripts, menus and footers; pictures as words; tooltips apart."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kb.errors import IngestError
from kb.ingest.escape import clean, count_words
from kb.ingest.html_tooltips import Tooltip, take_tooltips

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_MARKUP = 20_000_000
"Characters of a page without its scripts and embedded pictures."
MAX_DEPTH = 400
"Open tags at one place. Deeper nesting takes parsers quadratic time, and no page needs it."
DEEPEST = {"dl": 10}
"Of these fewer: each is read again with every one that it stands in."
PLACEHOLDER = "The fallback content to display on prerendering"

_UNSEEN = "script, style, template, noscript, iframe, object, embed, canvas, link, meta, audio, video"
_FURNITURE = (
    "nav, footer, form, dialog, select, input, textarea, [role=navigation], [role=banner], [role=contentinfo], "
    "[role=search], [role=dialog], [role=menu], [aria-hidden=true], .navbar, .breadcrumbs, .hash-link, .headerlink, "
    ".anchor-link, .toc, #toc, .theme-doc-toc-mobile, .theme-doc-toc-desktop, .table-of-contents, .pagination-nav, "
    ".theme-doc-footer, .theme-edit-this-page, .mw-editsection, .mw-jump-link, .catlinks, .printfooter, .navbox, "
    ".mw-indicators, .skip-link"
)
_MAIN = (
    ".theme-doc-markdown, .mw-parser-output, #mw-content-text",
    "main article, article .markdown",
    "main, [role=main]",
    "article, #content, .content",
)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|blockquote|br|caption|center|d[dlt]|details|div|fig(?:ure|caption)|footer|h[1-6r]|"
    r"header|li|main|nav|ol|p|pre|section|summary|t(?:able|body|d|foot|h|head|r)|ul)\b",
    re.I,
)
_SCRIPT = re.compile(r"<(script|style)\b", re.I)
_DATA_URI = re.compile(r"data:[\w/+.-]+;base64,[\w/+=%]+")
_TAG = re.compile(
    r"<(/?)(div|span|section|article|ul|ol|dl|table|blockquote|b|i|u|s|em|strong|font|big|small|code)\b", re.I
)
_ICON_CLASS = re.compile(r"(?:^|[\s_-])(?:icon|symbol|glyph)s?[-_]+([a-z0-9][a-z0-9_-]*)", re.I)


@dataclass
class Cleaned:
    """A page's readable part."""

    root: LexborNode
    title: str
    url: str | None
    words: int
    "Words of the page with everything that a reader can see, tooltips included."
    tooltips: list[Tooltip]
    categories: tuple[str, ...] = ()
    "Names of the wiki categories that the page says it is in."
    lost: Counter[str] = field(default_factory=Counter)
    "What was left out -> its words."
    nameless: int = 0
    "Pictures that have no description."
    placeholders: int = 0


def clean_page(html: str, where: str) -> Cleaned:
    """Parses a page and takes off what is no text of it. Raises IngestError for a page that can't be one."""
    from selectolax.lexbor import LexborHTMLParser

    html = slim(clean(html))
    check(html, where)
    tree = LexborHTMLParser(_BLOCK_TAG.sub(r" \g<0>", html))
    body = tree.body
    if body is None:
        raise IngestError("the page holds no text", "Save it from the browser as a complete page", where=where)
    title, url = page_title(tree.css_first("title")), canonical(tree.css("link, meta"))
    for node in body.css(_UNSEEN):
        node.decompose()
    nameless = name_pictures(body)
    label_tabs(body)
    page = Cleaned(body, title, url, 0, [], nameless=nameless)
    page.categories = tuple(a.text(strip=True) for a in body.css(".catlinks li a"))
    page.placeholders = body.text().count(PLACEHOLDER)
    page.words = count_words(visible(body))
    drop_furniture(body, page)
    page.tooltips, added = take_tooltips(body)
    page.words += added
    page.root = main_part(body, page)
    return page


def slim(html: str) -> str:
    """The markup without scripts, styles and embedded pictures, in one pass, whatever is left unclosed."""
    out, at = [], 0
    while match := _SCRIPT.search(html, at):
        out.append(html[at : match.start()])
        end = re.compile(rf"</{match.group(1)}\b[^>]*>", re.I).search(html, match.end())
        at = end.end() if end else len(html)
    out.append(html[at:])
    return _DATA_URI.sub("", "".join(out))


def check(html: str, where: str) -> None:
    """Refuses what would take a parser minutes: too much markup, tags nested hundreds deep."""
    if len(html) > MAX_MARKUP:
        raise IngestError(
            f"the page has {len(html):,} characters of markup; up to {MAX_MARKUP:,} are read", "Split it", where=where
        )
    depth: Counter[str] = Counter()
    for match in _TAG.finditer(html):
        name = match.group(2).lower()
        depth[name] = max(0, depth[name] - 1) if match.group(1) else depth[name] + 1
        if depth[name] > DEEPEST.get(name, MAX_DEPTH):
            line = html.count("\n", 0, match.start()) + 1
            raise IngestError(
                f"<{name}> is nested more than {DEEPEST.get(name, MAX_DEPTH)} deep",
                "Save the page again, or as text",
                where=where,
                line=line,
            )


def page_title(node: LexborNode | None) -> str:
    """The page's own part of a `<title>`: what stands before the site's name."""
    text = " ".join(node.text().split()) if node else ""
    return re.split(r"\s+[|–—·]\s+|\s+-\s+(?=[^-]*$)", text)[0]


def canonical(nodes: list[LexborNode]) -> str | None:
    """The address that the page gives as its own."""
    for node in nodes:
        at = node.attributes
        found = at.get("href") if at.get("rel") == "canonical" else None
        found = found or (at.get("content") if at.get("property") == "og:url" else None)
        if found and found.startswith(("http://", "https://")):
            return found
    return None


def visible(node: LexborNode) -> str:
    """The text below a node. Words of neighbouring blocks are apart: the parser was given a space before each."""
    return str(node.text())


def name_pictures(body: LexborNode) -> int:
    """Puts a picture's description in its place; returns how many have none where one is needed."""
    nameless = 0
    for node in body.css("img, svg, [role=img], i, span"):
        if node.tag in ("i", "span") and (node.attributes.get("role") != "img"):
            if not node.text(strip=True) and (match := _ICON_CLASS.search(node.attributes.get("class") or "")):
                put_words(node, match.group(1))
            continue
        words = description(node)
        if node.tag not in ("img", "svg") and not words:
            continue
        inline = bool(node.parent and node.parent.text(strip=True)) or inside(node, "td", "th", "li")
        if not words and node.tag == "img":
            nameless += 1
            words = file_words(node) if inline else ""
        put_words(node, words)
    return nameless


def description(node: LexborNode) -> str:
    at = node.attributes
    title = node.css_first("title") if node.tag == "svg" else None
    for words in (at.get("alt"), at.get("aria-label"), title.text() if title else None, at.get("title")):
        if words and words.strip():
            return " ".join(words.split())
    return " ".join(node.text().split()) if node.tag == "svg" else ""


def file_words(node: LexborNode) -> str:
    """`img/stamina-icon.png` → `stamina icon`; "" for a name that is a number or a checksum."""
    stem = PurePosixPath(unquote((node.attributes.get("src") or "").split("?")[0])).stem
    stem = re.sub(r"[-_.][0-9a-f]{8,}$", "", stem)
    return " ".join(re.split(r"[\W_]+", stem)).strip() if re.fullmatch(r"[^\d]*[^\W\d_]{3}[^\d]*\d?", stem) else ""


def put_words(node: LexborNode, words: str) -> None:
    """Replaces a node by words, unless the text beside it says the same, with spaces where words would touch."""
    before, after = beside(node, "prev"), beside(node, "next")
    said = words.casefold()
    if said and not (before.rstrip().casefold().endswith(said) or after.lstrip().casefold().startswith(said)):
        left = " " if before and before[-1].isalnum() else ""
        right = " " if after and after[0].isalnum() else ""
        node.insert_before(f"{left}{words.replace('_', ' ')}{right}")
    node.decompose()


def beside(node: LexborNode, side: str) -> str:
    other = getattr(node, side)
    return str(other.text()) if other is not None else ""


def inside(node: LexborNode, *tags: str) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in tags:
            return True
        parent = parent.parent
    return False


def label_tabs(body: LexborNode) -> None:
    """Moves each tab's label into its panel (as `data-label`) and drops the row of tabs."""
    for row in body.css("[role=tablist]"):
        labels = [tab.text(strip=True) for tab in row.css("[role=tab]")]
        panels = row.parent.css("[role=tabpanel]") if row.parent else []
        if len(labels) == len(panels):
            for label, panel in zip(labels, panels, strict=True):
                panel.attrs["data-label"] = label
            row.attrs["data-moved"] = "yes"


def drop_furniture(body: LexborNode, page: Cleaned) -> None:
    """Takes off menus, headers, footers, forms and buttons, counting their words."""
    for node in body.css("button"):
        if inside(node, "h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt", "p", "li", "td"):
            node.unwrap()
        else:
            page.lost["buttons"] += count_words(visible(node))
            node.decompose()
    for node in body.css("[data-moved]"):
        node.decompose()
    for node in body.css(_FURNITURE):
        # A menu inside a footer went with it; what holds the whole text is no menu, whatever it is called.
        if node.parent is None or node.css_first("main, article, .mw-parser-output") is not None:
            continue
        page.lost["menus, headers and footers"] += count_words(visible(node))
        node.decompose()


def main_part(body: LexborNode, page: Cleaned) -> LexborNode:
    """The element that holds the text proper: the best-known name that has at least half of the words."""
    total = count_words(visible(body))
    for names in _MAIN:
        found = max(body.css(names), key=lambda node: len(visible(node)), default=None)
        if found is None:
            continue
        words = count_words(visible(found))
        if words and words * 2 >= total:
            page.lost["text beside the article"] += total - words
            return found
    return body
