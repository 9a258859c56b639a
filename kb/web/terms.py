"""Terms in running text: underlined, with their definition on hover, tap or focus."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from kb.glossary import Term
from kb.passage import Passage
from kb.sentences import sentence_spans
from kb.web.quote import Span
from kb.web.site import Site
from kb.web.template import fill

LONGEST = 280
"Characters of a definition that are shown in place; the rest is a tap away."


def term_spans(passage: Passage, site: Site) -> Iterator[Span]:
    """Each term that the passage names, where it first does, unless the passage itself explains it."""
    glossary = site.knowledge.glossary(passage.game)
    seen = {passage.id}
    for mention in glossary.find(passage.text, passage.game):
        if mention.term.passage not in seen:
            seen.add(mention.term.passage)
            yield term_span(mention.start, mention.end, mention.term, site)


def term_span(start: int, end: int, term: Term, site: Site) -> Span:
    return Span(start, end, lambda text: term_html(text, term, site), alone=True)


def term_html(text: str, term: Term, site: Site) -> Markup:
    """A word with its definition folded into it."""
    passage = site.passage(term.passage)
    definition = shortened(passage.text) if passage else ""
    return fill("term_tip", text=text, term=term, definition=definition, href=site.passage_url(term.passage))


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text's first sentences: as many as fit, at least one, with a sign where something is left out."""
    spans = sentence_spans(text)
    fitting = [end for _, end in spans if end <= longest] or [spans[0][1] if spans else len(text)]
    return text if fitting[-1] >= len(text.rstrip()) else f"{text[: fitting[-1]]} …"
