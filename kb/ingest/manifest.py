"""What an import wrote into a game's folder, kept beside game.yaml: how hand edits and other sources are told apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kb.ingest.draft import Draft
from kb.ingest.merging import fresh_keys, with_sources
from kb.yamlfile import read_yaml

MANIFEST = ".import.json"


def digest(text: str) -> str:
    """SHA-256 of a file's text, hex."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """A file as the import wrote it."""

    sha256: str
    origin: str
    "Names of the sources that it was made from, joined by `|`."


@dataclass(frozen=True)
class Manifest:
    """The record of the imports into one folder."""

    files: Mapping[str, Entry]
    keys: Mapping[str, Mapping[str, str]]
    "Sources imported together -> (key of a source in the draft -> its key in game.yaml)."
    fields: Mapping[str, Mapping[str, str]]
    "Key in game.yaml -> the fields that the last import wrote there."

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The folder's manifest; an empty one where there is none that can be read."""
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            return cls({name: Entry(**entry) for name, entry in raw["files"].items()}, raw["keys"], raw["fields"])
        return cls({}, {}, {})

    def text(self) -> str:
        """As JSON."""
        raw = {"files": {n: asdict(e) for n, e in self.files.items()}, "keys": self.keys, "fields": self.fields}
        return json.dumps(raw, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def after(
        self,
        written: Mapping[str, Entry],
        removed: Iterable[str],
        keys: tuple[str, Mapping[str, str]],
        sources: Mapping[str, Mapping[str, str]],
    ) -> Manifest:
        """The manifest once an import is done."""
        gone = set(removed)
        files = {name: entry for name, entry in self.files.items() if name not in gone} | dict(written)
        return Manifest(files, {**self.keys, keys[0]: keys[1]}, {**self.fields, **sources})

    def foreign(self, folder: Path, origins: Iterable[str]) -> set[str]:
        """Pages that were made from other sources, wholly or in part."""
        mine = _names(origins)
        return {
            name.removesuffix(".md")
            for name, entry in self.files.items()
            if name.endswith(".md") and not _names([entry.origin]) <= mine and (folder / name).is_file()
        }

    def left_over(self, folder: Path, files: Iterable[str], origins: Iterable[str]) -> list[str]:
        """Pages that the same sources gave before and give no more, unless somebody has edited them."""
        mine, now = _names(origins), set(files)
        gone = [n for n, e in self.files.items() if n not in now and n.endswith(".md") and _names([e.origin]) <= mine]
        return [name for name in gone if _unedited(folder / name, self.files[name])]


def _names(origins: Iterable[str]) -> set[str]:
    return {name for origin in origins for name in origin.split("|")}


def _unedited(path: Path, entry: Entry) -> bool:
    with suppress(OSError, UnicodeDecodeError):
        return digest(path.read_text(encoding="utf-8")) == entry.sha256
    return False


def fit_beside(draft: Draft, folder: Path, old: Manifest) -> tuple[Draft, tuple[str, Mapping[str, str]]]:
    """Renames what another source's pages and entries in game.yaml stand in the way of (`glossary` → `glossary-notes`).

    Also returns which keys the sources have got, as `Manifest.keys` has it.
    """
    origins = sorted(_names(page.origin for page in draft.pages))
    foreign = old.foreign(folder, origins)
    together = "|".join(origins)
    keys = dict(old.keys.get(together, {}))
    new = {key: fields for key, fields in draft.sources.items() if key not in keys}
    keys |= fresh_keys(_sources(folder / "game.yaml"), new)
    pages = tuple(
        with_sources(
            replace(page, name=f"{page.name}-{Path(together).stem or 'more'}") if page.name in foreign else page, keys
        )
        for page in draft.pages
    )
    sources = {keys[key]: fields for key, fields in draft.sources.items()}
    return replace(draft, pages=pages, sources=sources), (together, keys)


def _sources(path: Path) -> Mapping[str, Mapping[str, Any]]:
    game = read_yaml(path) if path.is_file() else {}
    sources = game.get("sources") if isinstance(game, dict) else None
    return sources if isinstance(sources, dict) else {}
