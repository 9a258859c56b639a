"""Reads a PDF page by page and prints what is on each as one line of JSON. Runs as a process of its own.

A PDF is a program: a kilobyte of it can ask for gigabytes of memory or for hours of drawing. This process may take a
bounded amount of memory, and whoever started it (`kb.ingest.pdf`) ends it when a page takes too long.

    python -m kb.ingest.pdf_pages FILE
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

MAX_MEMORY = 3_000_000_000
"Bytes of address space, where the system can limit it."
MAX_STREAM = 100_000_000
"Bytes that one compressed stream may unpack to."
MAX_CHARS = 150_000
"Characters of a page. A dense rulebook page has 8,000."
MAX_EDGES = 4_000
"Lines drawn on a page, beyond which tables aren't looked for: that takes time by the square."


class TooBigError(Exception):
    """A stream unpacks to more than any page needs."""


def main(path: str) -> None:
    """Prints {"pages": n, …}, then a line per page, or {"error": kind, "detail": …}."""
    limit_memory()
    try:
        for record in records(path):
            print_line(record)
    except MemoryError:
        print_line({"error": "memory"})
    except RecursionError:
        print_line({"error": "broken", "detail": "its objects are nested without end"})
    except Exception as error:  # pdfminer raises whatever a broken file leads to, KeyError and struct.error among it
        print_line({"error": kind_of(error), "detail": str(error)[:200]})


def kind_of(error: Exception) -> str:
    """`password`, `bomb`, `memory` or `broken`: libraries wrap what was raised first in errors of their own."""
    chain = " ".join(repr(each) for each in (error, error.__context__, error.__cause__))
    known = {"Password": "password", "TooBigError": "bomb", "MemoryError": "memory"}
    return next((kind for name, kind in known.items() if name in chain), "broken")


def print_line(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def limit_memory() -> None:
    """Bounds this process's memory and what a stream may unpack to."""
    try:
        import resource
    except ImportError:  # not on Windows; the streams are bounded there all the same
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    bound_streams()


def bound_streams() -> None:
    """Makes pdfminer unpack streams up to MAX_STREAM only. It has no setting for that; this process is ours alone."""
    import zlib
    from types import SimpleNamespace

    import pdfminer.pdftypes

    def decompress(data: bytes) -> bytes:
        unpacker = zlib.decompressobj()
        out = unpacker.decompress(data, MAX_STREAM)
        if unpacker.unconsumed_tail:
            raise TooBigError
        if not unpacker.eof:
            raise zlib.error("incomplete stream")
        return out

    bounded = SimpleNamespace(decompress=decompress, decompressobj=zlib.decompressobj, error=zlib.error)
    vars(pdfminer.pdftypes)["zlib"] = bounded


def records(path: str) -> Iterator[dict[str, Any]]:
    """The header, then a record per page."""
    import pdfplumber

    with pdfplumber.open(path) as pdf:
        labels = page_labels(pdf)
        title = pdf.metadata.get("Title") if isinstance(pdf.metadata.get("Title"), str) else ""
        yield {"pages": len(pdf.pages), "title": title}
        for number, page in enumerate(pdf.pages, 1):
            record = {"number": number, "label": labels[number - 1] if number <= len(labels) else None}
            yield record | page_record(page)
            page.close()


def page_labels(pdf: Any) -> list[str]:
    """The page numbers that the file itself gives its pages; [] where it gives none."""
    from itertools import islice

    try:
        return [str(label) for label in islice(pdf.doc.get_page_labels(), len(pdf.pages))]
    except Exception:  # most files have none, and broken ones are no reason to refuse the text
        return []


def page_record(page: Any) -> dict[str, Any]:
    """Words with place and type, tables, boxes, and whether there is a picture instead of text."""
    width, height = float(page.width), float(page.height)
    record: dict[str, Any] = {"width": width, "height": height, "words": [], "turned": "", "tables": [], "boxes": []}
    if len(page.chars) > MAX_CHARS:
        return record | {"skipped": f"it has {len(page.chars):,} characters"}
    record["images"] = sum(i["width"] * i["height"] for i in page.images) / (width * height or 1)
    if any(not char["upright"] for char in page.chars):
        turned = page.filter(lambda item: item["object_type"] == "char" and not item["upright"])
        record["turned"] = " ".join(word["text"] for word in turned.extract_words())
        page = page.filter(lambda item: item["object_type"] != "char" or item["upright"])
    words = once(page).extract_words(x_tolerance_ratio=0.18, y_tolerance=2, extra_attrs=["fontname", "size"])
    record["words"] = [word_record(word) for word in words]
    edges = len(page.edges)
    if edges > MAX_EDGES:
        return record | {"untabled": edges}
    tables = page.find_tables() if edges else []
    record["tables"] = [[[cell and list(cell) for cell in row.cells] for row in table.rows] for table in tables]
    shapes = [*page.rects, *(c for c in page.curves if c["fill"] or len(c["pts"]) > 3)]
    record["boxes"] = [[s["x0"], s["top"], s["x1"], s["bottom"]] for s in shapes if s["stroke"] or s["fill"]][:2000]
    return record


def once(page: Any) -> Any:
    """The page without letters printed twice at one place, which is how some programs make bold."""
    seen: set[tuple[str, int, int]] = set()

    def first(item: dict[str, Any]) -> bool:
        if item["object_type"] != "char":
            return True
        place = (item["text"], round(item["x0"]), round(item["top"]))
        return not (place in seen or seen.add(place))  # type: ignore[func-returns-value]

    if all(map(first, page.chars)):
        return page
    seen.clear()
    return page.filter(first)


def word_record(word: dict[str, Any]) -> list[Any]:
    """[text, x0, top, x1, bottom, size, bold, italic], places to a hundredth of a point."""
    font = str(word["fontname"]).rpartition("+")[2].lower()
    bold = any(name in font for name in ("bold", "black", "heavy", "demi", "cmbx", "cmssbx"))
    italic = any(name in font for name in ("italic", "oblique", "-it", "slanted", "cmti", "cmsl"))
    place = [round(word[name], 2) for name in ("x0", "top", "x1", "bottom", "size")]
    return [word["text"], *place, bold, italic]


if __name__ == "__main__":
    main(sys.argv[1])
