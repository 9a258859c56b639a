"""How passages are proved: which the engine carries out, which examples hold, which ruling concerns which passage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kb.answer import Proof
from kb.knowledge import Knowledge
from kb.parse import links as links_in
from kb.passage import Passage

RULING_KINDS = ("faq", "ruling")
MECHANICAL_KINDS = ("rule", "clarification", "faq", "ruling")
MOST_CONCERNED = 6
"Passages named as what a ruling concerns, at most."


@dataclass(frozen=True, slots=True)
class Proved:
    """How one passage is proved."""

    carried_out: bool
    "A clause of the engine carries it out."
    examples: tuple[Proof, ...]
    excuse: str | None
    "Why no clause does: the reason given by the corpus."

    @property
    def passing(self) -> int:
        return sum(proof.status == "holds" for proof in self.examples)

    @property
    def words(self) -> str:
        """The clause mark in words."""
        count = len(self.examples)
        if count:
            noun = "example" if count == 1 else "examples"
            held = "holds" if self.passing == count == 1 else "hold" if self.passing == count else f"of {count} hold"
            return f"{self.passing} {noun} {held}" if self.passing == count else f"{self.passing} {held}"
        return "not mechanical" if self.excuse else "run by the engine" if self.carried_out else ""


@lru_cache(maxsize=64)
def proved(knowledge: Knowledge, game: str) -> Mapping[str, Proved]:
    """Passage id -> how it is proved, for the passages that somebody could carry out."""
    clauses = _clauses(game)
    excuses = _excuses(knowledge, game)
    examples = knowledge.proofs(game).by_passage
    return {
        p.id: Proved(p.id in clauses, tuple(examples.get(p.id, ())), excuses.get(p.id))
        for p in knowledge.passages(game)
        if p.kind in MECHANICAL_KINDS or p.id in clauses or p.id in examples
    }


def _clauses(game: str) -> frozenset[str]:
    from kb.engine import plugins

    if game not in plugins.games():
        return frozenset()
    return frozenset(plugins.clauses_of(plugins.procedures(game).values()))


def _excuses(knowledge: Knowledge, game: str) -> Mapping[str, str]:
    from kb.engine.coverage import load_excuses

    known = {p.id for p in knowledge.passages(game)}
    return load_excuses(knowledge.directory / game / "coverage.yaml", known, game)


@lru_cache(maxsize=64)
def concerned(knowledge: Knowledge, game: str) -> Mapping[str, tuple[str, ...]]:
    """Ruling -> the passages that it is about.

    Those that it replaces, points or links to, or that point or link to it; where there are none, those that its
    worked examples bear out with it.
    """
    passages = {p.id: p for p in knowledge.passages(game)}
    rulings = [p.id for p in passages.values() if p.kind in RULING_KINDS]
    direct: dict[str, dict[str, None]] = {id_: {} for id_ in rulings}
    for p in passages.values():
        for target in _points_to(p):
            if p.id in direct and target in passages:
                direct[p.id][target] = None
            elif target in direct:
                direct[target][p.id] = None
    by_examples = _borne_out_together(knowledge, game)
    return {id_: tuple(direct[id_] or by_examples.get(id_, {}))[:MOST_CONCERNED] for id_ in rulings}


def _points_to(passage: Passage) -> list[str]:
    found = [*passage.supersedes, *passage.superseded_by, *passage.see]
    for href in links_in(passage.markdown):
        path, _, anchor = href.partition("#")
        page = path.removesuffix(".md") or passage.page
        found.append(f"{passage.game}/{page}#{anchor}")
    return found


def _borne_out_together(knowledge: Knowledge, game: str) -> Mapping[str, dict[str, None]]:
    """Passage -> the others that examples name beside it."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for outcome in knowledge.proofs(game).outcomes.values():
        named = outcome.example.bears_out
        for one in named:
            found[one].update(dict.fromkeys(other for other in named if other != one))
    return found


@lru_cache(maxsize=64)
def rulings_on(knowledge: Knowledge, game: str) -> Mapping[str, tuple[str, ...]]:
    """Passage -> the rulings that concern it."""
    found: dict[str, list[str]] = defaultdict(list)
    for ruling, passages in concerned(knowledge, game).items():
        for passage in passages:
            found[passage].append(ruling)
    return {passage: tuple(rulings) for passage, rulings in found.items()}


@lru_cache(maxsize=64)
def amended(knowledge: Knowledge, game: str) -> bool:
    """Whether anything in the game replaces anything, so that "as first printed" means something."""
    return any(p.supersedes or p.superseded_by for p in knowledge.passages(game))
