"""Documents that somebody uploads: looked at first, then put into this computer's own library and indexed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kb.errors import IngestError, UsageError
from kb.ingest.draft import Draft, Options
from kb.ingest.formats import FORMATS, import_sources
from kb.ingest.naming import slug
from kb.ingest.writer import Report, game_folder, write_draft
from kb.knowledge import build_index
from kb.lint_record import Fault
from kb.linter import lint
from kb.web.settings import own_library, upload_megabytes
from kb.web.site import own_index

MOST_FILES = 40
ENDINGS = sorted({ending.removeprefix(".") for format_ in FORMATS for ending in format_.endings} | {"txt"})
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Looked:
    """What was found in uploaded documents, before anything is kept."""

    draft: Draft
    report: Report
    faults: tuple[Fault, ...]
    title: str
    "The title that the documents state, else one made from the first file's name."

    @property
    def name(self) -> str:
        """A short name for the game, to begin with."""
        return slug(self.title, 4) or "my-game"


def look(files: Sequence[tuple[str, bytes]], progress: Progress) -> Looked:
    """Reads the files (name, content) and writes a trial corpus that is thrown away; what it and lint say is kept."""
    check_size(files)
    with tempfile.TemporaryDirectory(prefix="rules-kb-") as folder:
        sources = _write(files, Path(folder) / "upload")
        options = Options(game="trial", progress=progress, max_bytes=upload_megabytes() * 1_000_000)
        draft = import_sources(sources, options)
        report = write_draft(draft, options, Path(folder) / "corpus")
        faults = tuple(lint(Path(folder) / "corpus"))
    return Looked(draft, report, faults, draft.title or _title_of(files[0][0]))


def check_size(files: Sequence[tuple[str, bytes]]) -> None:
    """Refuses too much at once."""
    if len(files) > MOST_FILES:
        raise UsageError(f"{len(files)} files are too many at once", f"{MOST_FILES} at most; `kb import` takes folders")
    most = upload_megabytes()
    size = sum(len(content) for _, content in files) / 1_000_000
    if size > most:
        raise UsageError(
            f"these files have {size:.0f} MB", f"{most} MB at most; `kb import` on the command line takes more"
        )


def _write(files: Sequence[tuple[str, bytes]], folder: Path) -> list[Path]:
    """The uploads as files, under their own names, each in a folder of its own so that none meets another."""
    written = []
    for number, (name, content) in enumerate(files):
        place = folder / str(number)
        place.mkdir(parents=True)
        # Only the name counts: an upload says nothing about folders.
        path = place / (Path(name.replace("\\", "/")).name.lstrip(".") or "upload.txt")
        path.write_bytes(content)
        written.append(path)
    return written


def _title_of(file: str) -> str:
    return Path(file).stem.replace("_", " ").replace("-", " ").strip().capitalize() or "My game"


def add(looked: Looked, options: Options, progress: Progress) -> Report:
    """Puts what was looked at into the own library and indexes it. Nothing is kept where the index can't be made."""
    library = own_library()
    fresh = not game_folder(options.game, library).exists()
    library.mkdir(parents=True, exist_ok=True)
    report = write_draft(_with_source(looked.draft, options), options, library)
    try:
        build_index(library, own_index(), progress=progress)
    except Exception:
        if fresh:
            remove(options.game)
        raise
    return report


def _with_source(draft: Draft, options: Options) -> Draft:
    """The draft with what the person says about its source. Parts with an authority of their own keep it."""
    said = {"document": options.document, "licence": options.licence, "authority": options.authority}
    given = {key: value for key, value in said.items() if value}
    sources = {
        key: {**fields, **given} if fields.get("authority", "rulebook") == "rulebook" else fields
        for key, fields in draft.sources.items()
    }
    return replace(draft, sources=sources)


def remove(game: str) -> None:
    """Takes a game out of the own library."""
    folder = game_folder(game, own_library())
    if not (folder / "game.yaml").is_file():
        raise UsageError(f"there is no game {game!r} in this library", "Look at the list again")
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise IngestError(f"the game can't be removed ({error.strerror})", "Check its rights", where=folder) from None
