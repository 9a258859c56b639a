"""Directories that are whole or absent: written beside, swapped in one rename, checked when read.

    INDEX/current                  which generation counts, and the digest of its manifest; replaced in one rename
    INDEX/generation-…/            one complete set of files, never changed after it counts
    INDEX/building-…/              a set being written; removed by a later build when its writer is gone
    INDEX/pending/                 vectors of an unfinished build, by content

Every file's CRC-32s, one per MiB, stand in the manifest. Small files are checked when they are opened, large ones piece
by piece when they are first read, so that opening a large index stays cheap and no damaged byte is ever used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from kb.blobs import DAMAGED, PIECE, Blob, DamagedIndexError, Scratch, Summing, UnusableError, map_file, writing

CHECKED_AT_OPEN = 64 << 20
"Files up to this size are checked whole when they are opened; larger ones as they are read."


class Draft:
    """Files being written into a directory of their own; `commit` makes them the index in one rename."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        self._part = root / f"building-{self._name}"
        self._files: dict[str, dict[str, Any]] = {}
        from filelock import FileLock

        self._alive = FileLock(self._part.with_suffix(".lock"))
        "Held while the draft is written: what tells `remove_leftovers` that somebody still does."
        with writing(root):
            self._part.parent.mkdir(parents=True, exist_ok=True)
            self._alive.acquire()
            self._part.mkdir()

    @contextlib.contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        with writing(self.root):
            file = (self._part / name).open("wb", buffering=PIECE)
        summing = Summing(file, self.root)
        try:
            yield cast(BinaryIO, summing)
            with writing(self.root):
                file.flush()
                os.fsync(file.fileno())
        finally:
            with writing(self.root):
                file.close()
        self._files[name] = {"bytes": summing.size, "crc32": summing.finish()}

    def blob(self, name: str) -> Blob:
        return map_file(self._part / name, self._files[name])

    def scratch(self) -> Scratch:
        return Scratch(tempfile.TemporaryFile(dir=self._part))

    def commit(self, manifest: dict[str, Any]) -> None:
        """Writes the manifest, makes this draft the current generation, removes the ones before it."""
        text = json.dumps({**manifest, "files": self._files}, indent=1, ensure_ascii=False).encode()
        final = self.root / f"generation-{self._name}"
        pointer = {"generation": final.name, "manifest_sha256": hashlib.sha256(text).hexdigest()}
        with writing(self.root):
            _write_through(self._part / "manifest.json", text)
            _write_through(self._part / "current", json.dumps(pointer, separators=(",", ":")).encode())
            _sync_directory(self._part)
            os.replace(self._part, final)
            os.replace(final / "current", self.root / "current")
            _sync_directory(self.root)

    def discard(self) -> None:
        """Removes what was written, if it was not committed, and lets go."""
        shutil.rmtree(self._part, ignore_errors=True)
        self._alive.release()
        with contextlib.suppress(OSError):
            self._part.with_suffix(".lock").unlink()


@dataclass(frozen=True)
class Generation:
    """One complete set of files, opened: each is mapped at once, so that it stays readable after being replaced."""

    root: Path
    name: str
    manifest: dict[str, Any]
    blobs: dict[str, Blob]

    def blob(self, name: str) -> Blob:
        try:
            return self.blobs[name]
        except KeyError:
            raise DamagedIndexError(f"{name} is missing", self.root) from None

    def verify(self) -> None:
        """Checks every byte of every file. Raises DamagedIndexError."""
        for blob in self.blobs.values():
            blob.check()


def open_current(root: Path, *, salvage: bool = False) -> Generation | None:
    """The generation that counts; None where nothing was built yet. Raises DamagedIndexError.

    With `salvage` damaged files are left out or found out when they are read: for taking over what is still whole.
    """
    for attempt in range(5):
        name = None
        try:
            text = (root / "current").read_bytes()
            pointer = json.loads(text)
            name, digest = pointer["generation"], pointer["manifest_sha256"]
            return _open(root, name, digest, salvage)
        except (FileNotFoundError, NotADirectoryError) as error:
            if name is None:
                return None
            if attempt == 4:
                raise DamagedIndexError(f"{error.filename} is missing", root) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedIndexError("its pointer file can't be read", root / "current") from error
        except OSError as error:
            raise UnusableError(root, error) from error
        time.sleep(0.01)  # a newer generation was swapped in between two reads
    return None


def _open(root: Path, name: str, digest: str, salvage: bool) -> Generation:
    folder = root / Path(name).name
    if (folder / DAMAGED).exists() and not salvage:
        raise DamagedIndexError("a changed byte was found in it while reading", folder)
    text = (folder / "manifest.json").read_bytes()
    if hashlib.sha256(text).hexdigest() != digest:
        raise DamagedIndexError("its manifest has changed since it was written", folder / "manifest.json")
    manifest = json.loads(text)
    blobs: dict[str, Blob] = {}
    for file, record in manifest["files"].items():
        with contextlib.suppress(*((DamagedIndexError, FileNotFoundError) if salvage else ())):
            blobs[file] = map_file(folder / file, record)
            if len(blobs[file].data) <= CHECKED_AT_OPEN and not salvage:
                blobs[file].check()
                blobs[file].let_go()
    return Generation(root, name, manifest, blobs)


def remove_leftovers(root: Path) -> None:
    """Removes generations that do not count any more, and drafts whose writers are gone. Whatever fails is left."""
    from filelock import FileLock, Timeout

    with contextlib.suppress(OSError, ValueError, KeyError):
        counts = json.loads((root / "current").read_bytes())["generation"]
        for path in root.glob("generation-*"):
            if path.name != counts:
                shutil.rmtree(path, ignore_errors=True)
    for lock in root.glob("building-*.lock"):
        with contextlib.suppress(OSError, Timeout), FileLock(lock, timeout=0):
            shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
            lock.unlink()


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    if os.name == "nt":  # directories can't be opened there; a rename is durable with the volume's journal
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
