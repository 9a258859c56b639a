"""Wikitext within a line to Markdown: links, pictures, emphasis, notes, hover definitions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kb.ingest.book import Book, Outline
from kb.ingest.escape import count_words, escape
from kb.ingest.html_inline import RAISED
from kb.ingest.html_links import address

MAX_NESTING = 40
_PICTURE_OPTION = re.compile(
    r"(?:thumb(?:nail)?|frame(?:less|d)?|border|left|right|center|none|baseline|middle|sub|super|text-top|text-bottom|top|"
    r"bottom|upright(?:=.*)?|x?\d+(?:x\d+)?\s*px|(?:link|class|lang|page|start|end)=.*)",
    re.I,
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)?:\S")
UNSEEN = frozenset("section references templatestyles ref_list seo".split())
BLOCKS = frozenset("div center blockquote table pre syntaxhighlight source poem p ul ol dl gallery tabber".split())


@dataclass
class Inline:
    """Writes what stands on a line of one wiki page."""

    book: Book
    out: Outline
    title: str
    link: Callable[[str], str | None]
    "A link's target (title, `#section`) -> what to write, None for a page that is not imported."
    lost: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    "Footnotes, told after the section that they stand in."
    depth: int = 0

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
        if name in UNSEEN:
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
                apart = name in BLOCKS or name in ("td", "th", "tr", "li", "dd", "dt", "br", "ref")
                yield "\n" if apart else ""
                if name == "gallery":
                    yield "\n".join(gallery_texts(node))
                elif node.contents is not None and name not in UNSEEN:
                    yield from visible(node.contents)
                yield "\n" if apart else ""


def gallery_texts(node: Any) -> list[str]:
    """What stands below the pictures of a gallery, their file's name where nothing does."""
    lines = [line.partition("|") for line in str(node.contents).split("\n") if line.strip()]
    return [(caption or name.rpartition(":")[2]).strip() for name, _, caption in lines]


def seen_of_link(node: Any) -> Iterator[str]:
    kind = str(node.title).partition(":")[0].strip().lower()
    if kind == "category":
        return
    if kind in ("file", "image", "media"):
        parts = [p for p in Inline.options(node) if not _PICTURE_OPTION.fullmatch(p)]
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
