"""MediaWiki XML dumps, streamed by mwxml: the newest revision of every page, bounded, no entities expanded."""

from __future__ import annotations

import bz2
import gzip
import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from kb.errors import IngestError
from kb.ingest.draft import Options
from kb.ingest.questions import is_faq, is_glossary

MAX_UNPACKED = 4_000_000_000
"Bytes of a dump after unpacking, old revisions included."
MAX_TEXT = 300_000_000
"Characters of all pages that are kept, newest revisions only: they are held in memory."
MAX_PAGE = 2_100_000
"Characters of one page. MediaWiki itself allows 2 MB."
LONGEST_STRETCH = 20_000_000
"Bytes without any tag."
MAIN, TEMPLATE, CATEGORY = 0, 10, 14
_PROLOGUE = 65_536
_REDIRECT = re.compile(r"\s*#\w+\s*:?\s*\[\[\s*:?([^\[\]|#]+)(?:#([^\[\]|]*))?", re.UNICODE)
_RULES = re.compile(r"\brul(?:es?|ings?)\b|\berrat(?:a|um)\b", re.I)


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A page's newest text."""

    title: str
    "With its namespace (`Template:Icon`), underscores as spaces."
    namespace: int
    text: str
    redirect: str | None = None
    "Title (and `#section`) that it only points to."
    date: str | None = None
    "ISO day of the revision."


@dataclass
class Dump:
    """What a dump holds for readers."""

    site: str = ""
    base: str | None = None
    "Address that page titles are put behind."
    pages: list[WikiPage] = field(default_factory=list)
    templates: dict[str, str] = field(default_factory=dict)
    "Name without namespace -> wikitext."
    namespaces: dict[str, int] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    "Namespace -> its pages that were left out."
    too_long: list[str] = field(default_factory=list)
    "Titles of pages beyond MAX_PAGE, left out."
    old: int = 0
    "Revisions that a newer one replaces."


class _Bounded(io.RawIOBase):
    """A dump being read, refused when it unpacks without end or holds megabytes without a tag."""

    def __init__(self, inner: IO[bytes], head: bytes, where: Path | str) -> None:
        self.inner, self.head, self.where = inner, head, where
        self.total, self.stretch = 0, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self.head:
            chunk, self.head = self.head, b""
        else:
            chunk = self.inner.read(min(size, 1 << 18) if size and size > 0 else 1 << 18)
        self.total += len(chunk)
        at = chunk.rfind(b"<")
        self.stretch = len(chunk) - at if at >= 0 else self.stretch + len(chunk)
        if self.total > MAX_UNPACKED:
            raise IngestError(f"the dump unpacks to more than {MAX_UNPACKED:,} bytes", "Split it", where=self.where)
        if self.stretch > LONGEST_STRETCH:
            raise IngestError(
                f"the dump holds {LONGEST_STRETCH:,} bytes without a tag", "Export the wiki again", where=self.where
            )
        return chunk


def looks_like_dump(path: Path, head: str) -> bool:
    """Whether a file is a MediaWiki export, packed or not."""
    if "<mediawiki" in head:
        return True
    if not path.name.lower().endswith((".xml.bz2", ".xml.gz")):
        return False
    try:
        with _unpacked(path) as file:
            return b"<mediawiki" in file.read(_PROLOGUE)
    except (OSError, EOFError, ValueError):
        return False


def read_dump(source: Path | str, options: Options) -> Dump:
    """The newest revisions of a dump's pages. Raises IngestError for what is no dump, is broken or has no end."""
    where = source if isinstance(source, Path) else "dump"
    try:
        with _opened(source, options) as file:
            head = file.read(_PROLOGUE)
            _check_prologue(head, where)
            return _read(_Bounded(file, head, where), where, options)
    except IngestError:
        raise
    except (OSError, EOFError) as error:
        raise IngestError(f"the dump can't be unpacked: {error}", "Download it again", where=where) from error


@contextmanager
def _opened(source: Path | str, options: Options) -> Iterator[IO[bytes]]:
    if isinstance(source, str):
        yield io.BytesIO(source.encode())
        return
    if not source.is_file():
        raise IngestError("there is no such file", "Check the path", where=source)
    if source.stat().st_size > options.max_bytes * (20 if source.suffix == ".xml" else 1):
        raise IngestError("the dump is too big", "Split it, or export current revisions only", where=source)
    with _unpacked(source) as file:
        yield file


def _unpacked(path: Path) -> IO[bytes]:
    suffix = path.suffix.lower()
    if suffix == ".bz2":
        return bz2.open(path, "rb")
    return gzip.open(path, "rb") if suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _check_prologue(head: bytes, where: Path | str) -> None:
    """A dump is UTF-8 and declares no entities: those are how a kilobyte of XML becomes gigabytes."""
    if not head.strip():
        raise IngestError("the file is empty", "Export the wiki again", where=where)
    start = head.find(b"<mediawiki")
    if start < 0:
        raise IngestError(
            "this is no MediaWiki dump in UTF-8", "Export one at the wiki's page Special:Export", where=where
        )
    if b"<!DOCTYPE" in head[:start] or b"<!ENTITY" in head[:start]:
        raise IngestError("the dump declares a document type, which no wiki does", "Export the wiki again", where=where)


def _read(file: _Bounded, where: Path | str, options: Options) -> Dump:
    import logging
    from xml.etree.ElementTree import ParseError

    import mwxml

    logging.getLogger("mwxml").setLevel(logging.ERROR)
    dump = Dump()
    try:
        read = mwxml.Dump.from_file(file)
        info = read.site_info
        dump.site, dump.base = info.name or "", _base(info.base)
        dump.namespaces = {space.name: space.id for space in info.namespaces or () if space.name}
        kept = 0
        for n, page in enumerate(read.pages, 1):
            kept += _take(page, dump, where)
            if kept > MAX_TEXT:
                raise IngestError(f"the wiki's text exceeds {MAX_TEXT:,} characters", "Split the dump", where=where)
            if n % 500 == 0:
                options.progress(n, n)
    except IngestError:
        raise
    except ParseError as error:
        line = error.position[0] if hasattr(error, "position") else None
        raise IngestError("the dump is not well-formed", "Download it again", where=where, line=line) from error
    except Exception as error:  # mwxml raises MalformedXML, ValueError, KeyError … for what it does not expect
        raise IngestError(f"the dump can't be read: {str(error)[:200]}", "Export it again", where=where) from error
    return dump


def _base(address: str | None) -> str | None:
    if address and address.startswith(("http://", "https://")):
        return address.rpartition("/")[0] + "/"
    return None


def _take(page: Any, dump: Dump, where: Path | str) -> int:
    """Keeps the newest revision of a page that readers see; returns its length."""
    names = {number: name for name, number in dump.namespaces.items()}
    space = page.namespace or 0
    title = str(page.title or "").replace("_", " ").strip()
    wanted = space in (MAIN, TEMPLATE, CATEGORY) or _is_wanted(names.get(space, ""))
    best: tuple[str, int] | None = None
    text, count = "", 0
    for revision in page:
        count += 1
        order = (str(revision.timestamp or ""), revision.id or 0)
        if wanted and (best is None or order >= best):
            found = revision.slots.contents["main"].text if "main" in revision.slots.contents else None
            best, text = order, found or ""
    dump.old += max(0, count - 1)
    if not wanted:
        dump.skipped[names.get(space) or f"namespace {space}"] += 1
        return 0
    if len(text) > MAX_PAGE:
        dump.too_long.append(title)
        return 0
    if space == TEMPLATE:
        dump.templates[title.partition(":")[2] or title] = text
        return len(text)
    redirect = page.redirect or None
    if match := _REDIRECT.match(text[:500]):
        redirect = match.group(1).strip() + (f"#{match.group(2).strip()}" if match.group(2) else "")
    if text.strip() or redirect:
        day = best[0][:10] if best and re.match(r"\d{4}-\d\d-\d\d", best[0]) else None
        dump.pages.append(WikiPage(title, space, text, redirect, day))
    return len(text)


def _is_wanted(namespace: str) -> bool:
    """Whether a namespace of the wiki's own holds rules: Glossary, FAQ, Rules, Errata; never its talk pages."""
    if re.search(r"talk|discussion", namespace, re.I):
        return False
    return bool(is_faq(namespace) or is_glossary(namespace) or _RULES.search(namespace))
