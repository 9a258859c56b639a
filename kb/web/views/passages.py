"""Passages as several pages show them: quoted, with their source, what replaces them and how they are proved."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kb.passage import Passage
from kb.web.quote import mark, passage_html
from kb.web.site import Site
from kb.web.terms import term_spans

AUTHORITY_NAMES = {
    "rulebook": "Rulebook",
    "official-faq": "Official FAQ",
    "clarification": "Clarification",
    "community": "Community",
    "house": "House rule",
}
MARKS = {"holds": "✓", "differs": "✗", "cannot tell": "?"}


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage, ready for a template."""

    passage: Passage
    html: Markup
    href: str
    replaced: bool
    "True where something supersedes it, so that it is struck."

    @property
    def authority(self) -> str:
        return AUTHORITY_NAMES[self.passage.source.authority]

    @property
    def signed(self) -> str:
        """Who said it, where and when."""
        source = self.passage.source
        return " · ".join(filter(None, (source.by, source.via, source.date)))


def quoted(site: Site, passage: Passage, deciding: tuple[int, int] = (0, 0), terms: bool = True) -> Quoted:
    """The passage with its deciding sentence marked and its terms explained."""
    start, end = deciding
    spans = [mark(start, end)] if end > start else []
    if terms:
        spans += term_spans(passage, site)
    html = passage_html(passage, spans, lambda href: resolve(site, passage, href))
    return Quoted(passage, html, site.passage_url(passage.id), bool(passage.superseded_by))


def replacements(site: Site, passage: Passage) -> Iterator[Quoted]:
    """What supersedes a passage."""
    for id_ in passage.superseded_by:
        if newer := site.passage(id_):
            yield quoted(site, newer)


def replaced(site: Site, passage: Passage) -> Iterator[Quoted]:
    """What a passage supersedes."""
    for id_ in passage.supersedes:
        if older := site.passage(id_):
            yield quoted(site, older)


def resolve(site: Site, passage: Passage, href: str) -> str | None:
    """Where a link in a passage's text leads; None where this library has no such place."""
    path, _, anchor = href.partition("#")
    page = passage.page if not path else _page(passage.page, path)
    if page is None:
        return None
    if anchor:
        target = f"{passage.game}/{page}#{anchor}"
        return site.passage_url(target) if site.passage(target) else None
    known = any(other.page == page for other in site.knowledge.passages(passage.game))
    return site.page_url(f"{passage.game}/{page}") if known else None


def _page(here: str, path: str) -> str | None:
    if not path.endswith(".md") or path.startswith("/"):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(here), path.removesuffix(".md")))


def by_ids(site: Site, ids: Sequence[str]) -> list[Passage]:
    """The passages of these ids that the library has."""
    return [found for id_ in ids if (found := site.passage(id_))]
