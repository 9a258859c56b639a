"""The source formats: how each is told, and the module that reads it. A module is imported when it is needed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb.errors import IngestError, UsageError
from kb.ingest.draft import Draft, Options
from kb.ingest.merging import merge_drafts

HEAD = 65_536
"Bytes of a file that are looked at to tell its format."


@dataclass(frozen=True, slots=True)
class Format:
    """A source format."""

    name: str
    module: str
    summary: str
    endings: tuple[str, ...] = ()
    "Of file names: a file that has one is told what to install when the module can't be imported."
    folder: bool = False
    "Whether its importer takes a folder whole."

    def function(self, prefix: str) -> Callable[..., Any]:
        """`import_<name>` or `looks_like_<name>` of its module; IngestError where a library is missing."""
        try:
            found: Callable[..., Any] = getattr(importlib.import_module(self.module), f"{prefix}_{self.name}")
        except ImportError as error:
            raise IngestError(
                f"importing {self.summary} needs a library that is not installed ({error.name})",
                'Run `pip install "rules-kb[import]"`',
            ) from error
        return found


FORMATS = (
    Format("pdf", "kb.ingest.pdf", "PDF", (".pdf",)),
    Format("mediawiki", "kb.ingest.mediawiki", "MediaWiki XML dumps", (".xml",)),
    Format("html", "kb.ingest.html", "HTML pages", (".html", ".htm"), folder=True),
    Format("beir", "kb.ingest.beir", "BEIR corpora", (".jsonl",)),
    Format("markdown", "kb.ingest.markdown_folder", "Markdown", (".md", ".markdown"), folder=True),
    Format("numbered", "kb.ingest.numbered", "numbered rules texts"),
    Format("text", "kb.ingest.fused_text", "plain text"),
)
"In the order in which they are tried."


def import_sources(sources: Sequence[Path], options: Options, format_name: str | None = None) -> Draft:
    """Imports files and folders, each by its format, as one draft."""
    drafts: list[Draft] = []
    for source in sources:
        if not source.exists():
            raise IngestError("there is no such file or folder", "Check the path", where=source)
        for path, found in _parts(source, format_name):
            draft = found.function("import")(path, options)
            # What a re-import replaces is decided by the sources as they were named, not by the files in them.
            drafts.append(replace(draft, pages=tuple(replace(page, origin=source.name) for page in draft.pages)))
    return merge_drafts(drafts)


def _parts(source: Path, format_name: str | None) -> Iterator[tuple[Path, Format]]:
    """What is imported by itself: a file, or a folder that a format takes whole."""
    if format_name is not None:
        chosen = format_named(format_name)
        paths = [source] if source.is_file() or chosen.folder else _visible(source)
        yield from ((path, chosen) for path in paths)
    elif source.is_file():
        yield source, sniff(source)
    else:
        yield from _folder_parts(source)


def _folder_parts(folder: Path) -> Iterator[tuple[Path, Format]]:
    files = [(path, found) for path in _visible(folder) if (found := _sniff(path)) is not None]
    if not files:
        raise IngestError("no file in this folder has a format that can be imported", _known(), where=folder)
    whole = {found.name for _, found in files if found.folder}
    for found in FORMATS:
        if found.name in whole:
            yield folder, found
    yield from ((path, found) for path, found in files if not found.folder)


def _visible(folder: Path) -> list[Path]:
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(path for path in paths if not any(p.startswith(".") for p in path.relative_to(folder).parts))


def sniff(path: Path) -> Format:
    """The format of a file; IngestError where it has none that is known."""
    found = _sniff(path)
    if found is None:
        from kb.ingest.reading import read_text

        # Says what is wrong with the file where something is: empty, binary, unreadable.
        read_text(path, Options(game=""))
        raise IngestError("the format of this file is not known", _known(), where=path)
    return found


def _sniff(path: Path) -> Format | None:
    head = _head(path)
    for found in FORMATS:
        try:
            looks_like = found.function("looks_like")
        except IngestError:
            # A library that one format needs is no business of the files of another.
            if path.suffix.lower() in found.endings:
                raise
            continue
        if looks_like(path, head):
            return found
    return None


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(HEAD)
    except OSError as error:
        raise IngestError(
            f"the file can't be read: {(error.strerror or str(error)).lower()}", "Check its rights", where=path
        ) from error
    text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", errors="replace")
    return re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))


def format_named(name: str) -> Format:
    """The format of that name; UsageError lists the names."""
    for found in FORMATS:
        if found.name == name:
            return found
    raise UsageError(f"there is no format {name!r}", _known())


def _known() -> str:
    return f"Formats are: {', '.join(found.name for found in FORMATS)}"
