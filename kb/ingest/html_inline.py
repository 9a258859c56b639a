"""HTML of a paragraph to Markdown: markdownify with our escaping, links that can be trusted, exact figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from kb.ingest.escape import escape
from kb.ingest.grid import BAR

if TYPE_CHECKING:
    from markdownify import MarkdownConverter

Resolve = Callable[[str], str | None]
"A link's target as the page writes it -> the target to write, None for one that is not kept."
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_FRACTION = re.compile(r"\s*[/⁄]")


def inline_writer(resolve: Resolve) -> Callable[[str], str]:
    """A function from inline HTML to Markdown, line breaks as backslashes, blocks inside apart by empty lines."""
    converter = _converter_class()(resolve)

    def to_markdown(html: str) -> str:
        if "<" not in html and "&" not in html:
            return " ".join(escape(html).split())
        try:
            markdown = str(converter.convert(html))
        except RecursionError:
            # Hundreds of nested tags carry no emphasis anybody meant.
            markdown = escape(re.sub(r"<[^<>]*>", "", html))
        return "\n".join(line.rstrip() for line in markdown.strip().split("\n"))

    return to_markdown


@cache
def _converter_class() -> Callable[[Resolve], MarkdownConverter]:
    from markdownify import BACKSLASH, MarkdownConverter

    base: Any = MarkdownConverter

    class Converter(base):  # type: ignore[misc]
        """Differs from the library's in escaping, links, pictures and raised figures."""

        def __init__(self, resolve: Resolve) -> None:
            super().__init__(newline_style=BACKSLASH, autolinks=False, bullets="-", heading_style="atx")
            self.resolve = resolve

        def process_text(self, el: Any, parent_tags: set[str] | None = None) -> str:
            text = super().process_text(el, parent_tags=parent_tags)
            return text if parent_tags and "pre" in parent_tags else str(text).replace("\n", " ")

        def escape(self, text: str, parent_tags: set[str]) -> str:
            return escape(text) if text else ""

        def convert_a(self, el: Any, text: str, parent_tags: set[str]) -> str:
            inside, target = text.strip(), self.resolve(el.get("href") or "")
            if not inside or target is None:
                return text
            before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            return f"{before}[{inside}]({target}){after}"

        def convert_img(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return escape(el.get("alt") or "")

        def convert_td(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return str(super().convert_td(el, BAR.sub(r"\|", text), parent_tags))

        def convert_th(self, el: Any, text: str, parent_tags: set[str]) -> str:
            return str(super().convert_th(el, BAR.sub(r"\|", text), parent_tags))

        def convert_sup(self, el: Any, text: str, parent_tags: set[str]) -> str:
            # 10<sup>2</sup> must not become 102, nor 1<sup>1</sup>/<sub>2</sub> eleven halves.
            if not text.strip().isdecimal():
                return text
            before = str(el.previous_sibling or "")[-1:]
            fraction = before.isdigit() and _FRACTION.match(str(el.next_sibling or ""))
            return f" {text}" if fraction else text.translate(RAISED)

    return Converter
