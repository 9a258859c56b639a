"""Web pages, one or a folder of them, to a draft.

selectolax parses and markdownify writes the Markdown of paragraphs; what is a menu, a tooltip, a tab, an admonition, a
question or a table worth a passage is decided here, by names that Docusaurus, MediaWiki and their kin use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kb.errors import IngestError
from kb.ingest.book import Book, page_name
from kb.ingest.draft import Draft, Options, source_fields
from kb.ingest.escape import escape
from kb.ingest.html_blocks import Walker
from kb.ingest.html_clean import Cleaned, clean_page
from kb.ingest.html_links import Links, settle
from kb.ingest.questions import is_faq, is_glossary
from kb.ingest.reading import read_bytes, read_text

MAX_PAGES = 20_000
_SUFFIXES = {".html", ".htm", ".xhtml"}
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)""", re.I)
_WESTERN = frozenset("iso-8859-1 latin1 latin_1 latin-1 cp1250 cp1254 cp1257 iso8859_15 mac_roman mac_latin2".split())
"Declared or guessed, browsers read these as cp1252, or a short page can't tell them from it."
_LOOKS = re.compile(
    r"\ufeff?\s*(?:<\?xml[^<>]*>\s*)?(?:<!--[^<>]*-->\s*)*<(?:!doctype html|html|head|body|article|main)\b", re.I
)


def looks_like_html(path: Path, head: str) -> bool:
    """Whether a file is a web page, or a folder holds some."""
    if path.is_dir():
        return any(True for _ in files(path))
    return path.suffix.lower() in _SUFFIXES or bool(_LOOKS.match(head[:4000]))


def import_html(source: Path | str, options: Options) -> Draft:
    """A web page (its text or file) or a folder of saved pages as a draft, one page per web page and `<h1>`.

    Links between the pages become passage links. Raises IngestError for pages without text, too big or broken.
    """
    pages = [*sources(source, options)]
    where = source.name if isinstance(source, Path) else "page"
    book = Book(options, options.document or "")
    links, lost = Links(), Lost()
    aliases: dict[str, str] = {}
    cleaned = []
    for done, (key, html) in enumerate(pages, 1):
        cleaned.append((key, clean_page(html, key)))
        options.progress(done, 2 * len(pages))
    for key, page in cleaned:
        links.add(key, page.url)
    for done, (key, page) in enumerate(cleaned, 1):
        aliases |= tell(book, links, key, page, alone=len(cleaned) == 1)
        lost.add(page)
        options.progress(len(pages) + done, 2 * len(pages))
    if not book.pages and not book.terms and not book.questions:
        raise IngestError("there is no text on the page", "Save it from the browser after it has loaded", where=where)
    book.document = options.document or (cleaned[0][1].title if len(cleaned) == 1 else "") or Path(where).stem
    lost.report(book, links, where)
    book.title = book.document
    draft = book.draft()
    return Draft(tuple(settle(draft.pages, aliases)), draft.sources, draft.findings, draft.title, (), draft.words_in)


def tell(book: Book, links: Links, key: str, page: Cleaned, alone: bool) -> dict[str, str]:
    """Tells one page to the book; returns which of its elements stand in which block."""
    title = page.title or Path(key).stem
    kind = next((k for name in page.categories for k in [kind_of(name)] if k != "rule"), kind_of(title))
    folder = key.rpartition("/")[0]
    stem = Path(key).stem if Path(key).stem != "index" or not folder else ""
    name = (
        page_name(title)
        if alone
        else "/".join(filter(None, [*map(page_name, folder.split("/")[:-1]), ""]))
        + page_name(stem or folder.rpartition("/")[2])
    )
    source = "source"
    if page.url and not book.options.url:
        source = "source" if alone else page_name(key)
        book.sources[source] = {**source_fields(book.options, title), "url": page.url}
    fields = {"key": key, "origin": key, "source": source}
    out = book.outline(title, name, **fields, **({"kind": kind} if kind == "faq" else {}))
    walker = Walker(book, out, lambda href: links.resolve(href, key, page.url), key)
    for tip in page.tooltips:
        out.term(escape(tip.title), walker.markdown(tip.html), tip.aliases)
    walker.walk(page.root)
    walker.out.end()
    book.words_in += page.words
    return walker.aliases


def kind_of(title: str) -> str:
    if is_faq(title):
        return "faq"
    return "term" if is_glossary(title) else "rule"


def sources(source: Path | str, options: Options) -> Iterator[tuple[str, str]]:
    """(key, HTML) of every page."""
    if isinstance(source, str):
        if not source.strip():
            raise IngestError("the page is empty", "Save it from the browser as a complete page")
        yield "page.html", source
    elif source.is_dir():
        found = sorted(files(source))
        if not found:
            raise IngestError("the folder holds no .html files", "Name the folder with the saved pages", where=source)
        if len(found) > MAX_PAGES:
            raise IngestError(f"the folder holds {len(found):,} pages; up to {MAX_PAGES:,} are read", where=source)
        for path in found:
            yield path.relative_to(source).as_posix(), read_html(path, options)
    else:
        yield source.name, read_html(source, options)


def files(folder: Path) -> Iterator[Path]:
    """The saved pages in a folder, those in `…_files` folders of scripts and frames left out, links not followed."""
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.suffix.lower() not in _SUFFIXES or any(part.endswith("_files") for part in inside.parts[:-1]):
            continue
        if path.is_file() and not path.is_symlink():
            yield path


def read_html(path: Path, options: Options) -> str:
    """A page's text: by its byte order mark, as UTF-8, by the charset that it declares, else detected."""
    raw = read_bytes(path, options)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return read_text(path, options)
    declared = _CHARSET.search(raw[:8000])
    names = ["utf-8-sig", declared.group(1).decode().lower()] if declared else ["utf-8-sig"]
    for name in names:
        with suppress(UnicodeDecodeError, LookupError):
            return raw.decode("cp1252" if name in _WESTERN else name)
    return detected(raw)


def detected(raw: bytes) -> str:
    """A page that says nothing of its encoding: the likeliest that leaves its tags whole, else what browsers assume."""
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:200_000]).best()
    # A few accents fit every western and central European code page equally well.
    guess = best.encoding if best and best.encoding not in _WESTERN else "cp1252"
    for encoding in (guess, "cp1252"):
        text = raw.decode(encoding, errors="replace")
        if text.count("<") == raw.count(b"<"):
            return text
    return raw.decode("latin-1")


class Lost:
    """What was left out of the pages, to be said once for the whole import."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self.pages: Counter[str] = Counter()
        self.nameless = 0
        self.placeholders = 0

    def add(self, page: Cleaned) -> None:
        self.words += page.lost
        self.pages.update(name for name, words in page.lost.items() if words)
        self.nameless += page.nameless
        self.placeholders += page.placeholders

    def report(self, book: Book, links: Links, where: str) -> None:
        for name, words in self.words.items():
            on = f" on {self.pages[name]} pages" if self.pages[name] > 1 else ""
            book.note(f"{name} left out{on}", where, "Copy what is missed into a page by hand", lost_words=words)
        if self.nameless:
            book.note(
                f"{self.nameless} pictures have no description",
                where,
                "Look where an icon's name is missing from a sentence or table",
            )
        if self.placeholders:
            book.note(
                f"{self.placeholders} words had not loaded when the page was saved: a placeholder stands for them",
                where,
                "Save the page from a browser once it has loaded",
            )
        if links.outside:
            names = ", ".join([*links.outside][:5]) + (" …" if len(links.outside) > 5 else "")
            book.note(
                f"{sum(links.outside.values())} links lead to pages that were not imported: {names}",
                where,
                "Import the folder that holds them, or leave it: the words are kept",
            )
