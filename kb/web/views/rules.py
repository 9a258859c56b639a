"""A page of rules as a page: headings, anchors, what is replaced, and the rulings at the passage they concern."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from kb.parse import plain
from kb.passage import Passage
from kb.web import links
from kb.web.proved import Proved, proved, rulings_on
from kb.web.site import Site
from kb.web.template import fill
from kb.web.views.passages import MARKS, Quoted, by_ids, quoted, replaced, replacements

_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*(?:(?<!\\)\{#[^{}]*\})?\s*$")
_MARKER = re.compile(r"^\s*(\d{1,9}[.)]|[-*+])\s")


@dataclass(frozen=True)
class Section:
    """A passage on its page."""

    quoted: Quoted
    depth: int
    "1 below the page's title; a sub-point stands one deeper than its point."
    headings: tuple[tuple[int, str], ...]
    "(depth, text) of headings above it that are no passages themselves."
    number: str
    "The list number that it has in the file (`4.`), else empty."
    proof: Proved | None
    newer: tuple[Quoted, ...] = ()
    older: tuple[Quoted, ...] = ()
    rulings: tuple[Quoted, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def passage(self) -> Passage:
        return self.quoted.passage

    def differs_from(self, usual: Quoted) -> str:
        """What its source has that the page's usual one has not: `source`, only the printed `page`, or nothing."""
        mine, other = _source(self.quoted), _source(usual)
        if mine != other:
            return "source"
        return "page" if self.passage.source.page != usual.passage.source.page else ""


@dataclass(frozen=True)
class Stray:
    """Text of the page that belongs to no passage."""

    text: str


@dataclass
class _Writer:
    """Puts the sections of a page in order."""

    site: Site
    game: str
    lines: Sequence[str]
    shown: list[str] = field(default_factory=list)
    "Headings that stand above the passage at hand."

    def section(self, p: Passage) -> Section:
        knowledge = self.site.knowledge
        headings = self.headings(p)
        rulings = [id_ for id_ in rulings_on(knowledge, self.game).get(p.id, ()) if id_ not in p.superseded_by]
        return Section(
            quoted=quoted(self.site, p),
            depth=len(p.path) + self.nesting(p),
            headings=headings,
            number=self.number(p),
            proof=proved(knowledge, self.game).get(p.id),
            newer=tuple(replacements(self.site, p)),
            older=tuple(replaced(self.site, p)),
            rulings=tuple(quoted(self.site, ruling, terms=False) for ruling in by_ids(self.site, rulings)),
            missing=p.missing,
        )

    def headings(self, p: Passage) -> tuple[tuple[int, str], ...]:
        """The headings above the passage that have not been shown; the page's own title is none of them.

        A heading that is a passage under another title is shown above it as it stands in the file.
        """
        path = list(p.path[1:])
        own = _HEADING.match(self.line(p))
        whole = [*path, plain(own.group(1))] if own else path
        common = 0
        while common < min(len(whole), len(self.shown)) and whole[common] == self.shown[common]:
            common += 1
        new = tuple((depth + 1, text) for depth, text in enumerate(whole) if depth >= common)
        self.shown = whole
        return new[:-1] if own and new and new[-1][1] == p.title else new

    def line(self, p: Passage) -> str:
        """The first line of the passage in its file."""
        return self.lines[p.lines[0] - 1] if p.lines[0] <= len(self.lines) else ""

    def nesting(self, p: Passage) -> int:
        depth, parent = 0, p.parent
        while parent is not None and depth < 4:
            depth += 1
            above = self.site.passage(parent)
            parent = above.parent if above else None
        return depth

    def number(self, p: Passage) -> str:
        found = _MARKER.match(self.line(p))
        return found.group(1) if found and found.group(1)[0].isdigit() else ""


def page_html(site: Site, game: str, page: str, at: str = "") -> Markup:
    """The page; `at` is the anchor that was asked for."""
    corpus = site.knowledge.corpus
    title = dict(corpus.games[game].pages)[page]
    passages = [p for p in site.knowledge.passages(game) if p.page == page]
    file = f"{game}/{page}.md"
    writer = _Writer(site, game, _lines(site, file))
    entries: list[tuple[int, Section | Stray]] = [(p.lines[0], writer.section(p)) for p in passages]
    entries += [(line, Stray(text)) for name, line, text in corpus.stray if name == file]
    entries.sort(key=lambda entry: entry[0])
    usual = _usual([entry.quoted for _, entry in entries if isinstance(entry, Section)])
    return fill(
        "rules",
        title=title,
        game=corpus.games[game],
        back=site.url(links.RULES, game=game),
        pages=[(name, site.page_url(f"{game}/{other}"), other == page) for other, name in corpus.games[game].pages],
        entries=[entry for _, entry in entries],
        usual=usual,
        has_notes=any(e.newer or e.older or e.rulings for _, e in entries if isinstance(e, Section)),
        contents=[(p.anchor, p.title) for p in passages if not p.parent],
        marks=MARKS,
        site=site,
        at=at,
    )


def _usual(quotes: Sequence[Quoted]) -> Quoted | None:
    """A passage with the source that most of the page has: it is named once, at the head, and others at themselves."""
    count = Counter(_source(quote) for quote in quotes)
    most = max(count, key=lambda source: count[source], default=None)
    return next((quote for quote in quotes if _source(quote) == most), None)


def _source(quote: Quoted) -> tuple[str, str, bool]:
    source = quote.passage.source
    return source.authority, quote.signed, source.restated


def _lines(site: Site, file: str) -> Sequence[str]:
    return (site.knowledge.directory / file).read_text(encoding="utf-8-sig").splitlines()


def contents_html(site: Site, games: Sequence[str]) -> Markup:
    """The pages of the games, and those that the texts point to and that are not there."""
    corpus = site.knowledge.corpus
    return fill("contents", games=[(corpus.games[name], list(_pages(site, name))) for name in games])


def _pages(site: Site, game: str) -> Iterator[tuple[str, str, str]]:
    """(title, address, how much stands there) of each page."""
    passages = site.knowledge.passages(game)
    for page, title in site.knowledge.corpus.games[game].pages:
        count = sum(p.page == page for p in passages)
        yield title, site.page_url(f"{game}/{page}"), f"{count} passage{'' if count == 1 else 's'}"
