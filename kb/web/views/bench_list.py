"""What can be run: a game's procedures with their worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kb.answer import Proof
from kb.engine import plugins
from kb.engine.examples import Example
from kb.engine.kernel import Procedure
from kb.web import links
from kb.web.site import Site
from kb.web.template import fill
from kb.web.views.passages import MARKS


@dataclass(frozen=True, slots=True)
class Entry:
    """One procedure with its examples."""

    procedure: Procedure
    href: str
    examples: tuple[Proof, ...]

    @property
    def passing(self) -> int:
        return sum(proof.status == "holds" for proof in self.examples)


def bench_list_html(site: Site, games: Sequence[str]) -> Markup:
    """All procedures of the games."""
    found = [(site.knowledge.games[game].title, _entries(site, game)) for game in games if game in plugins.games()]
    return fill("bench_list", games=found, marks=MARKS, site=site)


def _entries(site: Site, game: str) -> list[Entry]:
    proofs = site.knowledge.proofs(game)
    of: dict[str, list[Proof]] = {}
    for outcome in proofs.outcomes.values():
        of.setdefault(outcome.example.procedure, []).append(proofs.proof(outcome))
    return [
        Entry(each, site.url(links.BENCH, procedure=each.name), tuple(of.get(each.name, ())))
        for each in plugins.procedures(game).values()
    ]


def bench_head_html(site: Site, procedure: Procedure, example: Example | None) -> Markup:
    """The head of the bench: what is run, and the examples that one can go on from."""
    entries = {entry.procedure.name: entry for entry in _entries(site, procedure.game)}
    return fill(
        "bench_head",
        procedure=procedure,
        example=example,
        back=site.url(links.BENCH, game=procedure.game),
        blank=site.url(links.BENCH, procedure=procedure.name),
        game=site.knowledge.games[procedure.game].title if procedure.game in site.knowledge.games else procedure.game,
        entry=entries[procedure.name],
        marks=MARKS,
        site=site,
    )
