"""A passage as HTML: its Markdown with HTML off, the deciding sentence marked, its terms explained where they stand.

No character of the text is altered: what the browser shows, markup aside, is `Passage.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup, escape

from kb.parse import reader
from kb.passage import Passage

SAFE_SCHEMES = ("http", "https")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a passage's text that is shown in a way of its own."""

    start: int
    end: int
    wrap: Callable[[str], Markup]
    "From the stretch of text to its HTML."
    alone: bool = False
    "True where it may not be cut into pieces, nor stand inside a link."


def mark(start: int, end: int) -> Span:
    """The deciding sentence."""
    return Span(start, end, lambda text: Markup("<mark>{}</mark>").format(text))


def passage_html(
    passage: Passage, spans: Iterable[Span] = (), resolve: Callable[[str], str | None] = lambda _: None
) -> Markup:
    """The passage's Markdown as HTML. `resolve` turns a link's target into an address; None leaves plain words."""
    return _Renderer(passage, list(spans), resolve).html()


class _Renderer:
    """Rewrites the parsed text of one passage; markdown-it's own renderer does the rest."""

    def __init__(self, passage: Passage, spans: Sequence[Span], resolve: Callable[[str], str | None]) -> None:
        self.passage, self.spans, self.resolve = passage, spans, resolve
        self.at = 0
        "How far into `Passage.text` the tokens seen so far reach."

    def html(self) -> Markup:
        md = reader()
        tokens = md.parse(self.passage.markdown)
        for token in tokens:
            if token.type == "inline":
                token.children = list(self.inline(token.children or []))
        return Markup(md.renderer.render(tokens, md.options, {}))  # HTML is off: the parser has escaped it

    def inline(self, tokens: Sequence[Any]) -> Iterator[Any]:
        links: list[bool] = []
        for token in tokens:
            if token.type == "link_open":
                target = self.target(str(token.attrs.get("href", "")))
                links.append(target is not None)
                if target is None:
                    continue
                token.attrs = _link_attributes(target)
            elif token.type == "link_close":
                if not links.pop():
                    continue
            elif token.type == "image":
                # A picture would be fetched from wherever the text says: its description is shown instead.
                token = token.copy(type="text", tag="", content=token.content, children=None, attrs={})
            if token.type in ("text", "code_inline"):
                yield from self.text(token, inside_link=any(links))
            else:
                yield token

    def target(self, href: str) -> str | None:
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            return href if parts.scheme.lower() in SAFE_SCHEMES else None
        return self.resolve(href)

    def text(self, token: Any, inside_link: bool) -> Iterator[Any]:
        """The token, or its pieces where spans begin or end in it."""
        start = self.place(token.content)
        if start is None or token.type != "text":
            yield token
            return
        for piece, span in _cut(token.content, start, self.spans, inside_link):
            html = str(span.wrap(piece)) if span else str(escape(piece))
            yield token.copy(type="html_inline", content=html)

    def place(self, content: str) -> int | None:
        """Where in `Passage.text` a token's text stands; None where it can't be told."""
        bare = content.strip()
        found = self.passage.text.find(bare, self.at) if bare else -1
        if found < 0:
            return None
        self.at = found + len(bare)
        return found - (len(content) - len(content.lstrip()))


def _link_attributes(target: str) -> dict[str, str | int | float]:
    outside = urlsplit(target).scheme != ""
    return {"href": target, **({"rel": "noopener noreferrer nofollow", "target": "_blank"} if outside else {})}


def _cut(text: str, start: int, spans: Sequence[Span], inside_link: bool) -> Iterator[tuple[str, Span | None]]:
    """The text in pieces, with the innermost span of each. `start` is the text's place in the passage."""
    end = start + len(text)
    here = [
        span
        for span in spans
        if span.start < end and span.end > start
        if not span.alone or (not inside_link and start <= span.start and span.end <= end)
    ]
    cuts = sorted({start, end, *(at for s in here for at in (s.start, s.end) if start < at < end)})
    for left, right in pairwise(cuts):
        covering = [span for span in here if span.start <= left and right <= span.end]
        yield text[left - start : right - start], _nested(covering)


def _nested(covering: Sequence[Span]) -> Span | None:
    """The spans that cover a piece as one: the shortest innermost."""
    if len(covering) < 2:
        return covering[0] if covering else None
    ordered = sorted(covering, key=lambda span: span.end - span.start)

    def wrap(text: str) -> Markup:
        html = ordered[0].wrap(text)
        for outer in ordered[1:]:
            html = outer.wrap(html)  # Markup is not escaped a second time
        return html

    return Span(ordered[0].start, ordered[0].end, wrap)


def plain_html(text: str, spans: Iterable[Span] = ()) -> Markup:
    """Plain text as HTML, with spans."""
    pieces = _cut(text, 0, list(spans), inside_link=False)
    return Markup("").join(span.wrap(piece) if span else escape(piece) for piece, span in pieces)
