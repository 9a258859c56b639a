"""What every importer yields: pages of blocks, with findings for whatever could not be placed.

An importer reads one source and returns a `Draft`. It does not choose final ids, write files or escape braces:
`kb.ingest.writer` does. It must lose nothing: text it can't place becomes a block all the same, plus a `Finding`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

FORMS = ("heading", "paragraph", "item", "more")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person should look at after the import."""

    what: str
    "One sentence: what was found."
    where: str
    "The source file, with what narrows it down (`rules.pdf p. 12`)."
    line: int | None = None
    "Line in the source, 1-based."
    mend: str = ""
    "What to do about it, as a sentence."
    lost_words: int = 0
    "Words of the source that are not in the corpus because of it (navigation, running headers)."


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page, in page order. Most become a passage of their own."""

    text: str
    "Markdown, HTML excluded. Raw text goes through `kb.ingest.escape.escape` first. May be empty below a heading."
    form: str = "paragraph"
    """`heading`: opens a section named `title`; `text` is all that stands below it, any Markdown blocks.
    `paragraph`: one paragraph that is a passage of its own (several blocks: the writer gives them a heading).
    `item`: a list item that is a passage of its own.
    `more`: belongs to the passage before it and has no id (a table, a picture's caption, a remark)."""
    level: int = 0
    "heading: 2 to 6 (1 is the page's title). item and paragraph: nesting, 0 outermost; the parent is the item above."
    number: int | None = None
    "item: its ordinal in a numbered list, None in a bulleted one."
    title: str = ""
    "Plain text, not Markdown. Needed for headings, terms and questions; optional elsewhere."
    kind: str | None = None
    "One of `kb.passage.KINDS`; None takes the page's."
    anchor: str | None = None
    "A wanted id. None: the writer makes one from `ref`, else from the title's or text's words, below its section."
    key: str | None = None
    "The importer's own name for the block (a rule number, `file.html#id`): what `kb:` links in texts point to."
    source: str | None = None
    "Key into `Draft.sources`; None takes the page's."
    page: str | None = None
    "Printed page (or pages) in the source."
    by: str | None = None
    via: str | None = None
    date: str | None = None
    "ISO, as exact as known: `2026`, `2026-03` or `2026-03-28`."
    verdict: str | None = None
    "`yes` or `no`, on faq and ruling blocks whose answer begins so."
    term: str | None = None
    "kinds term and undefined: the word defined, where it differs from the title."
    default: str | None = None
    aliases: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    "Keys, page names or page titles that it points to. What is in no page of the draft becomes a missing page."
    supersedes: tuple[str, ...] = ()
    "Keys of blocks that this one replaces."
    ref: str | None = None
    "Its name in the source document (`702.19b`, a BEIR `_id`)."
    line: int | None = None
    "Line in the source, 1-based."


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A Markdown file to be."""

    name: str
    "File name without `.md`, may hold folders (`spells/fireball`). `glossary`, `faq` and `rulings` are for just that."
    title: str
    blocks: tuple[Block, ...]
    kind: str = "rule"
    "Default kind of its passages."
    source: str = "source"
    "Key into `Draft.sources`."
    page: str | None = None
    key: str | None = None
    "The importer's own name for the page (a file's path, a URL), which `kb:` links point to."
    origin: str = ""
    "The source file it was made from."


@dataclass(frozen=True, slots=True)
class Draft:
    """An imported document before it is written."""

    pages: tuple[DraftPage, ...]
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    "key -> fields of `kb.passage.Source` (authority, document, url, licence, page …)."
    findings: tuple[Finding, ...] = ()
    title: str = ""
    "The document's title, where it states one."
    missing_pages: tuple[str, ...] = ()
    "Titles of pages that the text names and that are not part of it."
    words_in: int = 0
    "Words of the source (`kb.ingest.escape.count_words` of its text), for the report; 0 = not counted."

    def blocks(self) -> Iterator[tuple[DraftPage, Block]]:
        """Every block with its page, in order."""
        for page in self.pages:
            for block in page.blocks:
                yield page, block


def no_progress(done: int, total: int) -> None:
    """The progress callback of callers who don't look."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the person who imports says about the source."""

    game: str
    title: str | None = None
    "The game's title."
    document: str | None = None
    "The source document's title; None: taken from the source, else from the file's name."
    authority: str = "rulebook"
    url: str | None = None
    licence: str | None = None
    owner: str | None = None
    max_bytes: int = 200_000_000
    "Bigger sources are refused; per file."
    progress: Callable[[int, int], None] = no_progress
    "Called with (done, total) in any unit, now and then."


def source_fields(options: Options, document: str) -> dict[str, str]:
    """The entry of `Draft.sources` for what the options say; `document` where they don't name it."""
    fields = {"authority": options.authority, "document": options.document or document}
    fields |= {name: value for name in ("url", "licence") if (value := getattr(options, name))}
    return fields
