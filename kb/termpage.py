"""A glossary term's page: what it means and how it hangs together with the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kb.glossary import Glossary, Term
from kb.passage import Passage
from kb.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Use:
    """A sentence that mentions the term."""

    passage: str
    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TermPage:
    """All that the corpus knows about a term."""

    term: str
    game: str
    game_title: str
    passage: str
    definition: str
    badge: str
    defined: bool
    default: str | None
    aliases: tuple[str, ...]
    points_to: tuple[str, ...]
    "Ids of passages and pages named by see-also."
    missing: tuple[str, ...]
    "Pages it points to and that the corpus does not contain."
    mentions: tuple[str, ...]
    "Ids of the terms that its definition mentions."
    used_in: tuple[Use, ...]
    rulings: tuple[str, ...]
    "Ids of FAQ and ruling passages that mention it."

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def term_page(term: Term, glossary: Glossary, passages: Mapping[str, Passage]) -> TermPage:
    """Collects a term's page. `passages` maps ids to the passages of the corpus."""
    own = passages[term.passage]
    users = [passages[id_] for id_ in glossary.used_in(term)]
    return TermPage(
        term=term.name,
        game=term.game,
        game_title=glossary.games[term.game].title,
        passage=term.passage,
        definition=own.text,
        badge=own.source.badge,
        defined=term.defined,
        default=term.default,
        aliases=term.aliases,
        points_to=own.see,
        missing=own.missing,
        mentions=tuple(glossary.mentions(own.id)),
        used_in=tuple(Use(p.id, p.title, _sentence(p, term, glossary)) for p in users),
        rulings=tuple(p.id for p in users if p.kind in ("faq", "ruling")),
    )


def _sentence(passage: Passage, term: Term, glossary: Glossary) -> str:
    """The first sentence of the passage that mentions the term."""
    first = next(m for m in glossary.find(passage.text, passage.game) if m.term.passage == term.passage)
    for start, end in sentence_spans(passage.text):
        if start <= first.start < end:
            return passage.text[start:end]
    return passage.text
