"""PDF rulebooks to a draft: columns in reading order, headings by type size, tables, boxes, page numbers as sources.

pdfplumber finds words, drawn tables and frames (it is the well-kept reader that gives places and fonts); it runs in a
process of its own with bounded memory and time (`kb.ingest.pdf_pages`). Reading order and structure are made here.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kb.errors import IngestError
from kb.ingest.book import Book
from kb.ingest.draft import Draft, Finding, Options
from kb.ingest.escape import count_words, escape
from kb.ingest.pdf_flow import Flow
from kb.ingest.pdf_layout import read_page
from kb.ingest.pdf_paragraphs import pitches_of
from kb.ingest.pdf_records import Area, Page, Word, within
from kb.ingest.pdf_rows import rows_of
from kb.ingest.pdf_running import take_running, types_of
from kb.ingest.pdf_text import Vocabulary, join_initials
from kb.ingest.reading import read_bytes

MAX_PAGES = 5_000
PAGE_SECONDS = 60.0
"Time for one page (for opening the file: twice that). A rulebook page takes a tenth of a second."
A_PICTURE = 0.3
"Of a page's area: so much picture without text is a scan."


def looks_like_pdf(path: Path, head: str) -> bool:
    """Whether the file is a PDF, by its name or first bytes."""
    if path.suffix.lower() == ".pdf":
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return b"%PDF-" in file.read(1024)


def import_pdf(source: Path | str, options: Options) -> Draft:
    """A PDF as a draft, one page per chapter.

    Raises IngestError: no PDF, encrypted, broken, without any text, or asking for unreasonable memory or time.
    """
    path = Path(source)
    if b"%PDF-" not in read_bytes(path, options)[:1024]:
        raise IngestError("this is no PDF", "Check that the file was downloaded whole", where=path)
    book = Book(options, options.document or path.stem)
    pages, title = read_pages(path, options, book)
    words_in = sum(count_words(word.text) for page in pages for word in printed_words(page))
    if not words_in:
        raise IngestError(
            "no page holds text, only pictures of it (a scan?)", "Run text recognition over it first (OCR)", where=path
        )
    running = take_running(pages)
    if running.lines:
        shown = "; ".join(f"“{line}” ({n})" for line, n in running.lines.most_common(4))
        book.note(
            f"running headers, footers and page numbers are left out: {shown}",
            path.name,
            "Check that none of them is a rule",
            lost_words=sum(map(count_words, running.words)),
        )
    for page in pages:
        if not page.words and not page.tables and page.pictures >= A_PICTURE:
            book.note(
                "the page has no text, only a picture (a scan?)",
                f"{path.name} p. {page.number} of the file",
                "Run text recognition over the file (OCR)",
            )
    flow = tell(book, pages, title or options.document or path.stem, path.name)
    book.words_in += words_in - flow.joined + sum(count_words(page.turned) for page in pages)
    book.title = flow.title
    return book.draft()


def tell(book: Book, pages: list[Page], title: str, origin: str) -> Flow:
    """Tells all pages to the book."""
    vocabulary = Vocabulary()
    for page in pages:
        for row in rows_of(page.words):
            vocabulary.add(word.text for word in row[:-1])
    for page in pages:
        page.words = join_initials(page.words, vocabulary)
    types = types_of(pages)
    read = [read_page(page) for page in pages]
    flow = Flow(book, book.outline(title, origin=origin), types, vocabulary, pitches_of(read))
    for page, elements in zip(pages, read, strict=True):
        flow.page(elements, page.printed)
        if page.turned:
            flow.end_block()
            flow.out.paragraph(escape(page.turned))
            book.note("turned text stands at the end of its page", f"{origin} p. {page.printed}", "Place it by hand")
    flow.end()
    return flow


def printed_words(page: Page) -> Iterator[Word]:
    """Every word of a page, those in tables too."""
    yield from page.words
    for table in page.tables:
        for row in table.rows:
            for cell in row:
                yield from cell


# -- the reading process ------------------------------------------------------------------------------------------


def read_pages(path: Path, options: Options, book: Book) -> tuple[list[Page], str]:
    """All pages and the title that the file gives itself. What is odd about a page becomes a finding."""
    found = records(path)
    header = next(found)
    total = int(header["pages"])
    if total > MAX_PAGES:
        raise IngestError(f"the file has {total:,} pages; up to {MAX_PAGES:,} are read", "Split it", where=path)
    pages = []
    for record in found:
        page = page_of(record)
        pages.append(page)
        book.findings += page_findings(record, path.name)
        options.progress(page.number, total)
    return pages, clean_title(str(header.get("title") or ""))


def clean_title(title: str) -> str:
    """The title in the file's data, unless it is a file name, as word processors leave it."""
    title = " ".join(title.split())
    return "" if "." in title[-6:] or title.casefold() in ("untitled", "anonymous", "unknown") else title


def page_of(record: dict[str, Any]) -> Page:
    words = [Word(*word) for word in record["words"]]
    page = Page(record["number"], record["width"], record["height"], printed=record["label"] or "")
    page.turned, page.pictures = record["turned"], record.get("images", 0.0)
    for rows in record["tables"]:
        table, words = table_of(rows, words, page)
        if table:
            page.tables.append(table)
    page.words = words
    page.boxes = [tuple(box) for box in record["boxes"]]
    return page


def table_of(rows: list[list[Any]], words: list[Word], page: Page) -> tuple[Area | None, list[Word]]:
    """A drawn grid with its words, and the words outside of it; no table where the grid only frames the page."""
    boxes = [cell for row in rows for cell in row if cell]
    columns = max((sum(cell is not None for cell in row) for row in rows), default=0)
    if columns < 2 or len(rows) < 2:
        return None, words
    held: dict[int, list[Word]] = {}
    rest = []
    for word in words:
        place = next((n for n, box in enumerate(boxes) if within(word, box)), None)
        if place is None:
            rest.append(word)
        else:
            held.setdefault(place, []).append(word)
    wordy = any(len(cell) > 150 for cell in held.values())
    if wordy or len(held) * 3 < len(boxes):
        return None, words
    numbers = iter(range(len(boxes)))
    cells = tuple(tuple(tuple(held.get(next(numbers), ())) if cell else () for cell in row) for row in rows)
    x0, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Area(x0, top, max(box[2] for box in boxes), max(box[3] for box in boxes), rows=cells), rest


def page_findings(record: dict[str, Any], name: str) -> Iterator[Finding]:
    """What a person should know about a page."""
    where = f"{name} p. {record['number']} of the file"
    if "skipped" in record:
        yield Finding(f"the page is left out: {record['skipped']}", where, mend="Copy it by hand")
        return
    if "untabled" in record:
        yield Finding("tables were not looked for: too many lines are drawn", where, mend="Check the tables by hand")
    unmapped = sum(word[0].count("(cid:") for word in record["words"])
    if unmapped:
        yield Finding(
            f"{unmapped} letters have no meaning in the file; � stands for them",
            where,
            mend="Type them in by hand",
        )


def records(path: Path) -> Iterator[dict[str, Any]]:
    """What the reading process prints, the header first; IngestError for what it can't read, in time and memory."""
    lines: queue.Queue[bytes | None] = queue.Queue(maxsize=64)
    root = str(Path(__file__).resolve().parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))}
    command = [sys.executable, "-m", "kb.ingest.pdf_pages", str(path.resolve())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as reader:

        def pump() -> None:
            assert reader.stdout is not None
            for line in reader.stdout:
                lines.put(line)
            lines.put(None)

        threading.Thread(target=pump, daemon=True).start()
        try:
            yield from parsed(lines, path)
        finally:
            reader.kill()
            while lines.get() is not None:
                pass


def parsed(lines: queue.Queue[bytes | None], path: Path) -> Iterator[dict[str, Any]]:
    total, seen = 0, -1
    record: dict[str, Any]
    while seen < total:
        try:
            line = lines.get(timeout=PAGE_SECONDS * (2 if seen < 0 else 1))
        except queue.Empty:
            page = f"page {seen + 1}" if seen >= 0 else "opening it"
            raise IngestError(
                f"{page} takes more than a minute", "Save the file again from another program", where=path
            ) from None
        record = json.loads(line) if line is not None else {"error": "memory"}
        if "error" in record:
            raise refusal(record, path)
        total = record.get("pages", total)
        seen += 1
        yield record


def refusal(record: dict[str, Any], path: Path) -> IngestError:
    """The reading process's complaint as one sentence."""
    match record["error"]:
        case "password":
            return IngestError("the PDF is encrypted", "Save it without a password and import that", where=path)
        case "bomb":
            return IngestError("a part of the PDF unpacks to more than 100 MB", "Save it again, as PDF/A", where=path)
        case "memory":
            return IngestError("reading the PDF takes more memory than is allowed", "Split it", where=path)
    detail = f" ({record['detail']})" if record.get("detail") else ""
    return IngestError(f"the PDF is damaged{detail}", "Open it in a viewer and save it again", where=path)
