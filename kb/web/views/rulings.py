"""Every FAQ entry and ruling with who gave it, what it concerns and whether the worked examples bear it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kb.answer import Proof
from kb.passage import Passage
from kb.web import links
from kb.web.proved import RULING_KINDS, concerned, proved
from kb.web.site import Site
from kb.web.template import fill
from kb.web.views.passages import AUTHORITY_NAMES, MARKS, Quoted, quoted

STATES = ("borne out", "contradicted", "untested", "not mechanical")


@dataclass(frozen=True)
class Row:
    """One ruling."""

    quoted: Quoted
    state: str
    "One of STATES."
    excuse: str | None
    concerns: tuple[tuple[str, str], ...]
    "(title, address) of the passages that it is about."
    examples: tuple[Proof, ...]

    @property
    def passage(self) -> Passage:
        return self.quoted.passage

    @property
    def by(self) -> str:
        return self.passage.source.by or ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What is wanted; empty stands for all."""

    state: str = ""
    authority: str = ""
    by: str = ""

    def takes(self, row: Row) -> bool:
        return (
            self.state in ("", row.state)
            and self.authority in ("", row.passage.source.authority)
            and self.by in ("", row.by)
        )


def rows(site: Site, games: Sequence[str]) -> list[Row]:
    """Every FAQ entry and ruling of the games, in the corpus's order."""
    return [_row(site, p) for game in games for p in site.knowledge.passages(game) if p.kind in RULING_KINDS]


def _row(site: Site, p: Passage) -> Row:
    knowledge = site.knowledge
    proof = proved(knowledge, p.game)[p.id]
    state = knowledge.proofs(p.game).rulings.get(p.id, "untested")
    concerns = concerned(knowledge, p.game).get(p.id, ())
    return Row(
        quoted(site, p),
        "not mechanical" if state == "untested" and proof.excuse else state,
        proof.excuse,
        tuple((site.title(id_), site.passage_url(id_)) for id_ in concerns),
        tuple(each for each in proof.examples if p.id in each.bears_out) or proof.examples,
    )


def rulings_html(site: Site, games: Sequence[str], wanted: Filter, game: str = "") -> Markup:
    """The table with its filters."""
    every = rows(site, games)
    shown = [row for row in every if wanted.takes(row)]
    keys = {"game": game, "state": wanted.state, "authority": wanted.authority, "by": wanted.by}
    filters = [
        ("Status", _choices(site, keys, "state", (row.state for row in every), {s: s.capitalize() for s in STATES})),
        ("Authority", _choices(site, keys, "authority", (r.passage.source.authority for r in every), AUTHORITY_NAMES)),
        ("Given by", _choices(site, keys, "by", (row.by for row in every if row.by), {})),
    ]
    titles = {name: site.knowledge.games[name].title for name in games}
    return fill(
        "rulings",
        rows=shown,
        total=len(every),
        filters=[(label, choices) for label, choices in filters if len(choices) > 2],
        titles=titles if len(games) > 1 else {},
        marks=MARKS,
        site=site,
    )


def _choices(
    site: Site, keys: dict[str, str], key: str, values: Iterable[str], names: dict[str, str]
) -> list[tuple[str, str, bool]]:
    """(words, address, whether chosen): all, then each value with how many there are."""
    count = Counter(values)
    order = sorted(count, key=lambda value: list(names).index(value) if value in names else 0)
    every = [("All", site.url(links.RULINGS, **keys | {key: ""}), keys[key] == "")]
    return every + [
        (
            f"{names.get(value, value)} {count[value]}",
            site.url(links.RULINGS, **keys | {key: value}),
            keys[key] == value,
        )
        for value in order
    ]
