"""BEIR corpora: `corpus.jsonl` with `_id`, `title` and `text`; the `_id` stays as the passage's `ref`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import IngestError
from kb.ingest.draft import Block, Draft, DraftPage, Finding, Options, source_fields
from kb.ingest.escape import clean, count_words, escape
from kb.ingest.reading import read_text

_PATH = re.compile(r"\s*[›»>|]\s*|\s+::\s+")
MOST_PAGES = 300
"More different first parts of titles than this, and everything goes to one page."
MOST_DEPTH = 4
MOST_FINDINGS = 10


@dataclass(frozen=True, slots=True)
class Document:
    """A line of the corpus."""

    ref: str
    path: tuple[str, ...]
    "The title's parts."
    text: str
    line: int


def looks_like_beir(path: Path, head: str) -> bool:
    """JSON lines whose first one has an `_id` and a `text`."""
    first = head.lstrip().split("\n", 1)[0]
    return first.startswith("{") and '"_id"' in first and '"text"' in first


def import_beir(source: Path | str, options: Options) -> Draft:
    """Imports a BEIR `corpus.jsonl`. A title's first part (`A › B › C`) names the page, the others are headings."""
    text = read_text(source, options) if isinstance(source, Path) else source
    name = source.name if isinstance(source, Path) else "corpus.jsonl"
    findings: list[Finding] = []
    documents = list(_documents(text, name, findings))
    if not documents:
        raise IngestError("no line has an `_id` and a text", "Check that this is a BEIR corpus", where=name)
    firsts = list(dict.fromkeys(doc.path[0] for doc in documents if doc.path))
    if len(firsts) > MOST_PAGES or not firsts:
        pages = [_page("corpus", "Corpus", documents, 0, name)]
    else:
        groups: dict[str, list[Document]] = {}
        for doc in documents:
            groups.setdefault(doc.path[0] if doc.path else "Corpus", []).append(doc)
        pages = [_page(title, title, group, 1, name) for title, group in groups.items()]
    words = sum(count_words(doc.text) for doc in documents)
    folder = source.resolve().parent.name if isinstance(source, Path) else name
    return Draft(tuple(pages), {"source": source_fields(options, folder)}, tuple(findings), words_in=words)


def _documents(text: str, name: str, findings: list[Finding]) -> Iterator[Document]:
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, name, number)
        ref = clean(str(row.get("_id", ""))).strip()
        body = clean(str(row.get("text") or "")).strip()
        title = clean(str(row.get("title") or "")).strip()
        what = None
        if not ref or not (body or title):
            what = "a line has no `_id` or no text"
        elif ref in seen:
            what = f"the `_id` {ref!r} comes twice"
        if what and len(findings) < MOST_FINDINGS:
            findings.append(Finding(what, name, number, "Mend the corpus"))
        if ref and (body or title):
            seen.add(ref)
            yield Document(ref, tuple(part for part in _PATH.split(title) if part), body or title, number)


def _row(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise IngestError(
            "this line is no JSON", "Each line must be an object with _id, title and text", where=name, line=number
        ) from error
    if not isinstance(row, dict):
        raise IngestError("this line is no JSON object", 'Write {"_id": …, "text": …}', where=name, line=number)
    return row


def _page(name: str, title: str, documents: list[Document], depth: int, origin: str) -> DraftPage:
    """A page of documents; the parts of their titles from `depth` on are its headings."""
    blocks: list[Block] = []
    open_path: tuple[str, ...] = ()
    for doc in documents:
        path = doc.path[depth : depth + MOST_DEPTH]
        same = next((n for n, (a, b) in enumerate(zip(open_path, path, strict=False)) if a != b), len(path))
        same = min(same, len(open_path))
        text = "\n\n".join(escape(part) for part in re.split(r"\n+", doc.text))
        for n in range(same, len(path) - 1):
            blocks.append(Block("", "heading", n + 2, title=path[n]))
        if same < len(path):
            blocks.append(Block(text, "heading", len(path) + 1, title=path[-1], ref=doc.ref, line=doc.line))
        elif len(path) < len(open_path):
            # Its section is over: the title is written again so that nothing stands under the wrong one.
            blocks.append(
                Block(text, "heading", len(path) + 1, title=(path or (title,))[-1], ref=doc.ref, line=doc.line)
            )
        else:
            blocks.append(Block(text, ref=doc.ref, line=doc.line))
        open_path = path
    return DraftPage(name, title, tuple(blocks), origin=origin)
