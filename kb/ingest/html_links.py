"""Links between imported pages: from what the pages write to the importer's keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, unquote, urljoin, urlsplit

from kb.ingest.draft import Block, DraftPage

_KB_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\(kb:([^()\s]*)\)")


def kb_link(key: str) -> str:
    """The target of a link to a block or page of the import."""
    return f"kb:{quote(key, safe='/#:.-_~')}"


def shape(path: str) -> str:
    """A page's address without what differs between sites: `/docs/engage/index.html` → `docs/engage`."""
    path = unquote(path).strip("/")
    path = re.sub(r"(^|/)index\.x?html?$", "", path)
    return re.sub(r"\.(x?html?|php|aspx?)$", "", path, flags=re.I).strip("/").casefold()


@dataclass
class Links:
    """Which addresses are pages of this import."""

    keys: dict[str, str] = field(default_factory=dict)
    'A page\'s shape, and that of each of its tails -> its key; an ambiguous tail -> "".'
    urls: dict[str, str] = field(default_factory=dict)
    "A page's own URL without its fragment -> its key."
    outside: dict[str, int] = field(default_factory=dict)
    "Links to pages of the site that were not imported -> how often."

    def add(self, key: str, url: str | None = None) -> None:
        """A page of the import, by its path within the folder."""
        parts = shape(key).split("/")
        for n in range(len(parts)):
            tail = "/".join(parts[n:])
            if n and self.keys.get(tail, key) != key:
                self.keys[tail] = ""
            else:
                self.keys[tail] = key
        if url:
            self.urls[plain_url(url)] = key

    def resolve(self, href: str, page: str, url: str | None) -> str | None:
        """The target to write for a link on the page with that key; None where only its words are kept."""
        href = "".join(href.split())
        try:
            parts = urlsplit(href)
        except ValueError:
            return None
        if parts.scheme in ("http", "https"):
            key = self.urls.get(plain_url(href))
            return kb_link(f"{key}#{parts.fragment}" if parts.fragment else key) if key else address(href)
        if parts.scheme or parts.netloc or not href:
            return address(f"https:{href}") if href.startswith("//") else None
        key = page if not parts.path else self.find(parts.path, page)
        if key:
            return kb_link(f"{key}#{unquote(parts.fragment)}" if parts.fragment else key)
        if url:
            return self.resolve(urljoin(url, href), page, url) if "://" not in href else None
        self.outside[href] = self.outside.get(href, 0) + 1
        return None

    def find(self, path: str, page: str) -> str:
        """The page that a relative or site-absolute path means, "" for none."""
        if not path.startswith("/"):
            joined = urljoin(f"/{page}", path)
            if found := self.keys.get(shape(joined)):
                return found
        wanted = shape(path).split("/")
        if not path.startswith("/") and len(wanted) == 1:
            return ""
        # The folder may be a part of the site, or the site a part of the folder.
        return next((key for n in range(len(wanted)) if (key := self.keys.get("/".join(wanted[n:])))), "")


def plain_url(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc.casefold()}/{shape(parts.path)}?{parts.query}"


def address(url: str) -> str:
    """A web address that stands safely between the parentheses of a Markdown link."""
    return quote(url, safe=":/?#[]@!$&'*+,;=%~-._")


def settle(pages: Iterable[DraftPage], aliases: Mapping[str, str]) -> list[DraftPage]:
    """Rewrites `kb:` links by `aliases` (a page's element -> the block it stands in); an unknown part -> its page."""
    pages = list(pages)
    known = {page.key for page in pages if page.key} | {b.key for page in pages for b in page.blocks if b.key}

    def target(match: re.Match[str]) -> str:
        words, key = match.group(1), unquote(match.group(2))
        for candidate in (aliases.get(key, key), key.partition("#")[0]):
            if candidate in known:
                return f"[{words}]({kb_link(candidate)})"
        return words

    def settled(block: Block) -> Block:
        text = _KB_LINK.sub(target, block.text) if "](kb:" in block.text else block.text
        return block if text is block.text else replace(block, text=text)

    return [replace(page, blocks=tuple(map(settled, page.blocks))) for page in pages]
