"""An answer, and the page before there is one, as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kb.answer import Answer
from kb.passage import Citation
from kb.render import markdown
from kb.web import links
from kb.web.proved import amended
from kb.web.settings import MOST_PASSAGES
from kb.web.site import Site
from kb.web.template import fill
from kb.web.terms import shortened
from kb.web.views.passages import MARKS, Quoted, quoted, replaced, replacements

MOST_WORDS = 5
"Terms of the question that are explained beside the answer."
SURENESS = ((0.9, "sure"), (0.75, "fairly sure"), (0.5, "likely"), (0.0, "a guess"))
"Least confidence of each word."


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of an answer holds."""

    question: str = ""
    game: str = ""
    k: int = 5
    as_printed: bool = False

    def url(self, site: Site, **changed: object) -> str:
        """The address that brings this answer back, or one like it."""
        parameters: dict[str, object] = {
            "q": self.question,
            "game": self.game,
            "k": None if self.k == 5 else self.k,
            "printed": self.as_printed,
        }
        return site.url(links.ASK, **(parameters | changed))


def sureness(confidence: float) -> str:
    """A confidence in words."""
    return next(word for least, word in SURENESS if confidence >= least)


def answer_html(answer: Answer, asked: Asked, site: Site, history: Sequence[Asked] = ()) -> Markup:
    """The answer to a question, whole; beside it the words of the question and what else this session has asked."""
    cited = [(citation, _quote(site, citation)) for citation in answer.citations]
    first = cited[0][1] if cited else None
    game = site.knowledge.games.get(answer.game or "")
    return fill(
        "answer",
        answer=answer,
        asked=asked,
        site=site,
        game=game,
        first=first,
        older=list(replaced(site, first.passage)) if first else [],
        newer=list(replacements(site, first.passage)) if first else [],
        others=[(citation, quote) for citation, quote in cited[1:] if not _shown_beside(first, quote)],
        nearest=[(citation, _quote(site, citation)) for citation in answer.nearest],
        choices=[(choice, _excerpt(choice.citations)) for choice in answer.games],
        words=_words(site, answer),
        history=history,
        reading=_reading(answer),
        sure=sureness(answer.confidence),
        marks=MARKS,
        copy=markdown(answer),
        bench=bench_url(answer, site),
        amended=bool(answer.game) and amended(site.knowledge, answer.game or ""),
        can_show_more=asked.k < MOST_PASSAGES and len(answer.citations) >= asked.k,
    )


def _words(site: Site, answer: Answer) -> list[tuple[str, str, str]]:
    """(term, definition in short, address) of the terms that the question names."""
    if answer.game is None:
        return []
    glossary = site.knowledge.glossary(answer.game)
    terms = {mention.term.passage: mention.term for mention in glossary.find_asked(answer.question, answer.game)}
    return [
        (term.name, shortened(passage.text, 160), site.passage_url(id_))
        for id_, term in list(terms.items())[:MOST_WORDS]
        if (passage := site.passage(id_))
    ]


def _reading(answer: Answer) -> str:
    """How the question was read, where that is not just the question itself."""
    says = answer.reading.says if answer.reading else ""
    return "" if _bare(says) == _bare(answer.question) else says


def _bare(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def _quote(site: Site, citation: Citation) -> Quoted:
    passage = site.passage(citation.passage)
    assert passage is not None, citation.passage
    return quoted(site, passage, citation.deciding)


def _shown_beside(first: Quoted | None, other: Quoted) -> bool:
    """Whether the passage stands beside the first already, as what it replaces or what replaces it."""
    return first is not None and other.passage.id in (*first.passage.supersedes, *first.passage.superseded_by)


def _excerpt(citations: Sequence[Citation]) -> str:
    """The deciding sentence of a game's best passage."""
    if not citations:
        return ""
    start, end = citations[0].deciding
    return citations[0].quote[start:end] or citations[0].quote


def bench_url(answer: Answer, site: Site) -> str | None:
    """The bench with the values that were read out of the question; None where nothing was computed."""
    reading = answer.reading
    if reading is None or reading.procedure is None:
        return None
    return site.url(links.BENCH, procedure=reading.procedure, given=reading.given)


def welcome_html(site: Site, starters: Sequence[tuple[str, Sequence[str]]], history: Sequence[Asked]) -> Markup:
    """The Ask page before anything is asked: (game, example questions), and what this session has asked."""
    titles = {name: game.title for name, game in site.knowledge.games.items()}
    return fill("welcome", site=site, starters=starters, titles=titles, history=history, Asked=Asked)
