"""Gives a draft's pages names and its blocks ids, and turns keys into links and references."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from kb.ingest.draft import Block, Draft, DraftPage, Finding
from kb.ingest.markdown_page import Link, Named
from kb.ingest.naming import bears_id, name_blocks, name_pages
from kb.parse import plain

MOST_FINDINGS = 20
"Dead links are listed up to this number; the rest is counted."


@dataclass
class Linked:
    """Pages ready to be written."""

    pages: list[tuple[str, DraftPage, list[Named]]] = field(default_factory=list)
    "Name, page, its blocks with ids and references."
    places: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    "Key -> page name and id (None: the page itself)."
    missing: dict[str, None] = field(default_factory=dict)
    dead: list[tuple[str, str]] = field(default_factory=list)
    "(page, key) of links that lead nowhere."

    @property
    def missing_pages(self) -> tuple[str, ...]:
        return tuple(self.missing)

    @property
    def findings(self) -> tuple[Finding, ...]:
        listed = [
            Finding(f"a link points to {key!r}, which is not in the source", f"{page}.md", None, "Its words were kept")
            for page, key in self.dead[:MOST_FINDINGS]
        ]
        if more := len(self.dead) - MOST_FINDINGS:
            listed += [Finding(f"{more} more links point to what is not in the source", "")] if more > 0 else []
        return tuple(listed)

    def link_for(self, page: str) -> Link:
        """The function that settles the links of one page."""

        def link(key: str, words: str) -> str:
            place = self.places.get(unquote(key))
            if place is None:
                self.dead.append((page, unquote(key)))
                return words
            return f"[{words}]({self.target(page, *place)})"

        return link

    def target(self, page: str, other: str, anchor: str | None) -> str:
        """A link's target as it stands in the file of `page`."""
        path = "" if other == page and anchor else f"{posixpath.relpath(other, posixpath.dirname(page) or '.')}.md"
        return quote(path, safe="/.") + (f"#{quote(anchor, safe=':.')}" if anchor else "")


def link_pages(draft: Draft, old_ids: Mapping[str, Mapping[str, str]]) -> Linked:
    """Names everything and resolves every reference. `old_ids`: page -> (text -> id) of an earlier import."""
    pages = [page for page in draft.pages if page.blocks]
    names = name_pages(pages)
    anchors = [name_blocks(page, _kept(page, old_ids.get(name, {}))) for page, name in zip(pages, names, strict=True)]
    linked = Linked(missing={_listable(name): None for name in draft.missing_pages})
    titles = _places(linked, pages, names, anchors)
    for page, name, ids in zip(pages, names, anchors, strict=True):
        refs = _References(linked, titles, name)
        linked.pages.append((name, page, [refs.named(b, a) for b, a in zip(page.blocks, ids, strict=True)]))
    return linked


def _kept(page: DraftPage, old: Mapping[str, str]) -> dict[int, str]:
    """Ids that blocks had at an earlier import: a text that has not changed keeps its id."""
    if not old:
        return {}
    texts = {
        n: " ".join(plain(b.text).split()) for n, b in enumerate(page.blocks) if b.text and bears_id(page.blocks, n)
    }
    count = Counter(texts.values())
    return {n: old[text] for n, text in texts.items() if text in old and count[text] == 1}


def _places(
    linked: Linked, pages: Sequence[DraftPage], names: Sequence[str], anchors: Sequence[Sequence[str | None]]
) -> dict[str, tuple[str, str]]:
    """Fills in where each key is; returns the pages' folded titles -> (name, title)."""
    titles: dict[str, tuple[str, str]] = {}
    for page, name, ids in zip(pages, names, anchors, strict=True):
        titles.setdefault(page.title.casefold(), (name, page.title))
        for key in filter(None, (page.key, page.name, name)):
            linked.places.setdefault(key, (name, None))
        following: str | None = None
        for block, anchor in reversed(list(zip(page.blocks, ids, strict=True))):
            # What has no id of its own is linked by the next passage below it.
            following = anchor or following
            if block.key:
                linked.places.setdefault(block.key, (name, following))
    return titles


def _listable(name: str) -> str:
    """A page's title as it can stand in a comma-separated list."""
    return " ".join(name.replace(",", " ").split())


@dataclass(frozen=True)
class _References:
    """Turns the keys of one page's blocks into what stands in braces."""

    linked: Linked
    titles: Mapping[str, tuple[str, str]]
    page: str

    def named(self, block: Block, anchor: str | None) -> Named:
        see = tuple(dict.fromkeys(filter(None, map(self.see, block.see))))
        supersedes = tuple(ref for key in block.supersedes if (ref := self.passage(key)))
        return Named(block, anchor, see, supersedes)

    def passage(self, key: str) -> str | None:
        name, anchor = self.linked.places.get(key, ("", None))
        if not anchor:
            self.linked.dead.append((self.page, key))
            return None
        return f"{name}#{anchor}"

    def see(self, key: str) -> str:
        name, anchor = self.linked.places.get(key, (self.titles.get(key.casefold(), ("", ""))[0], None))
        if not name:
            self.linked.missing[_listable(key)] = None
            return _listable(key)
        return f"{name}#{anchor}" if anchor else self.page_reference(name)

    def page_reference(self, name: str) -> str:
        """A page is referred to by its title; by its first passage where the title can't stand in a list."""
        title = next((title for other, title in self.titles.values() if other == name), "")
        if title and "," not in title:
            return title
        return next((f"{name}#{a}" for p, a in self.linked.places.values() if p == name and a), "")
