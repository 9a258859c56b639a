"""Entries of a list of terms: default values in brackets, arrows to other pages."""

from __future__ import annotations

import re

from kb.ingest.draft import Block
from kb.ingest.escape import escape

_DEFAULT = re.compile(r"^\[([^\[\]]{1,20})\]\s+")
_ARROW = re.compile(r"\s*[(\[]?\s*(?:→|⟶|⇒|->|=>|»)\s*([^()\[\]→]+?)\s*[)\]]?\s*\.?$")
_PAIR = re.compile(r"^(?P<term>[^\t:–—]{1,50}?)(?:\t+|\s*:\s+|\s+[–—-]\s+)(?P<text>\S.*)$")


def split_term(line: str) -> tuple[str, str] | None:
    """`Deed: one action …` or `Deed – one action …` as (term, definition)."""
    match = _PAIR.match(line.strip())
    if not match or len(match["term"].split()) > 5 or not match["term"][:1].isupper():
        return None
    return match["term"].strip(), match["text"].strip()


def term_block(term: str, definition: str, line: int, before: str = "") -> Block:
    """A glossary entry. `[6] Damage … (→ Recruitment; Effects)` has the default 6 and points to two pages.

    `before` is Markdown that the definition continues.
    """
    default = None
    see: tuple[str, ...] = ()
    if match := _DEFAULT.match(definition):
        default, definition = match[1].strip(), definition[match.end() :]
    if match := _ARROW.search(definition):
        see = tuple(part.strip() for part in match[1].split(";") if part.strip())
        definition = definition[: match.start()]
    return Block(
        before + escape(definition.strip()),
        form="heading",
        level=2,
        kind="term",
        title=term,
        key=f"term:{term.casefold()}",
        default=default,
        see=see,
        line=line,
    )
