"""The glossary as HTML: A to Z, a term's page, and what the rules do not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from kb.glossary import Glossary, Term
from kb.passage import Passage
from kb.termpage import TermPage, term_page
from kb.web import links
from kb.web.quote import mark, plain_html
from kb.web.site import Site
from kb.web.template import fill
from kb.web.terms import shortened
from kb.web.views.passages import by_ids, quoted

NEIGHBOURS = 9
"Names on each side of the picture at most."
USES = 40
"Places of use that are listed at most."


@dataclass(frozen=True, slots=True)
class Row:
    """A term in the list."""

    term: Term
    definition: str
    href: str
    game_title: str


@dataclass(frozen=True, slots=True)
class Node:
    """A name in the picture of a term's neighbourhood."""

    label: str
    href: str
    kind: str
    "term | undefined | passage | ruling | missing | more"

    def to_json(self) -> dict[str, str]:
        return {"label": self.label, "href": self.href, "kind": self.kind}


def rows(site: Site, games: Sequence[str], wanted: str = "") -> list[Row]:
    """The terms of the games, A to Z; only those whose name or alias contains `wanted`."""
    needle = wanted.strip().casefold()
    found = [
        Row(term, shortened(passage.text, 140), site.passage_url(passage.id), site.knowledge.games[game].title)
        for game in games
        for term in site.knowledge.glossary(game).terms[game]
        if needle in " ".join((term.name, *term.aliases)).casefold()
        for passage in by_ids(site, [term.passage])
    ]
    return sorted(found, key=lambda row: row.term.name.casefold())


def list_html(site: Site, games: Sequence[str], wanted: str = "") -> Markup:
    """The A to Z list."""
    found = rows(site, games, wanted)
    letters: dict[str, list[Row]] = {}
    for row in found:
        first = row.term.name[:1].upper()
        letters.setdefault(first if first.isalpha() else "#", []).append(row)
    return fill("glossary", letters=letters, several=len(games) > 1, wanted=wanted.strip())


def gaps_html(site: Site, games: Sequence[str]) -> Markup:
    """What the rules raise and do not answer: by game, each a link to where that is recorded."""
    found = [
        (site.knowledge.games[game].title, [(p.title, site.passage_url(p.id)) for p in gaps])
        for game in games
        if (gaps := [p for p in site.knowledge.passages(game) if p.kind == "gap"])
    ]
    return fill("gaps", games=found) if found else Markup("")


def find_term(site: Site, name: str, games: Sequence[str]) -> Term:
    """The term of that anchor or name, in the first game that has it; `UsageError` with the nearest names."""
    for game in games:
        for term in site.knowledge.glossary(game).terms[game]:
            if term.passage.partition("#")[2] == name:
                return term
    glossaries = [site.knowledge.glossary(game) for game in games]
    for glossary, game in zip(glossaries[:-1], games[:-1], strict=True):
        if any(name.casefold() in {form.casefold() for form in term.forms} for term in glossary.terms[game]):
            return glossary.lookup(name, game)[0]
    return glossaries[-1].lookup(name, games[-1])[0]


def term_html(site: Site, term: Term) -> Markup:
    """A term's page."""
    glossary = site.knowledge.glossary(term.game)
    passages = {p.id: p for p in site.knowledge.passages(term.game)}
    page = term_page(term, glossary, passages)
    own = passages[term.passage]
    uses = [
        (site.passage_url(use.passage), use.title, _marked(use.sentence, term, glossary), passages[use.passage])
        for use in page.used_in[:USES]
    ]
    return fill(
        "term",
        page=page,
        own=quoted(site, own),
        rules=[use for use in uses if use[3].kind in ("rule", "clarification")],
        gaps=[use for use in uses if use[3].kind == "gap"],
        rulings=[use for use in uses if use[3].kind in ("faq", "ruling")],
        terms=[use for use in uses if use[3].kind in ("term", "undefined")],
        points_to=[_named(site, target) for target in page.points_to],
        mentions=[_named(site, target) for target in page.mentions],
        more=len(page.used_in) - USES,
        back=site.url(links.GLOSSARY, game=term.game),
    )


def _marked(sentence: str, term: Term, glossary: Glossary) -> Markup:
    """The sentence with the term in it marked."""
    found = [m for m in glossary.find(sentence, term.game) if m.term.passage == term.passage]
    return plain_html(sentence, [mark(m.start, m.end) for m in found[:1]])


def _named(site: Site, target: str) -> tuple[str, str]:
    """(title, address) of a passage or page."""
    passage = site.passage(target)
    if passage is not None:
        return passage.term or passage.title, site.passage_url(target)
    game, _, page = target.partition("/")
    titles = dict(site.knowledge.corpus.games[game].pages) if game in site.knowledge.corpus.games else {}
    return titles.get(page, target), site.page_url(target)


def picture(site: Site, term: Term) -> dict[str, Any]:
    """The neighbourhood of a term: who names it (left), whom it names (right)."""
    glossary = site.knowledge.glossary(term.game)
    passages = {p.id: p for p in site.knowledge.passages(term.game)}
    page = term_page(term, glossary, passages)
    incoming = sorted(
        (passages[use.passage] for use in page.used_in), key=lambda p: p.kind not in ("term", "undefined")
    )
    left = [_node(site, p) for p in incoming]
    right = list(_outgoing(site, page))
    return {
        "term": term.name,
        "left": [node.to_json() for node in _cut(left, site.passage_url(term.passage))],
        "right": [node.to_json() for node in _cut(right, site.passage_url(term.passage))],
    }


def _outgoing(site: Site, page: TermPage) -> Iterator[Node]:
    seen: set[str] = set()
    for target in (*page.mentions, *page.points_to):
        if target not in seen:
            seen.add(target)
            passage = site.passage(target)
            yield _node(site, passage) if passage else Node(*_named(site, target), "passage")
    for name in page.missing:
        yield Node(name, "", "missing")


def _node(site: Site, passage: Passage) -> Node:
    kind = {"faq": "ruling", "ruling": "ruling", "term": "term", "undefined": "undefined"}.get(passage.kind, "passage")
    return Node(passage.term or passage.title, site.passage_url(passage.id), kind)


def _cut(nodes: Sequence[Node], href: str) -> list[Node]:
    if len(nodes) <= NEIGHBOURS:
        return list(nodes)
    rest = len(nodes) - NEIGHBOURS + 1
    return [*nodes[: NEIGHBOURS - 1], Node(f"and {rest} more", href, "more")]
