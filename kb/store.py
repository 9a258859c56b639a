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
import io
import json
import mmap
import os
import secrets
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from kb.errors import StoreError

PIECE = 1 << 20
"Bytes under one checksum."
CHECKED_AT_OPEN = 64 << 20
"Files up to this size are checked whole when they are opened; larger ones as they are read."
T = TypeVar("T", bound=np.generic)


class DamagedIndexError(StoreError):
    """A file of the index is not what was written. Building again mends it."""

    def __init__(self, found: str, where: Path | str | None = None) -> None:
        super().__init__(f"The search index is damaged: {found}", "Run: kb build", where=where)


class Blob:
    """A file's bytes, mapped or in memory, with the checksums of its pieces."""

    def __init__(self, name: str, data: Any, sums: NDArray[np.uint32] | None) -> None:
        self.name = name
        self.data = memoryview(data)
        self._sums = sums
        self._unchecked = np.ones(0 if sums is None else len(sums), dtype=bool)

    def check(self, start: int = 0, stop: int | None = None) -> None:
        """Verifies the pieces that hold bytes `start` up to `stop`. Raises DamagedIndexError."""
        if self._sums is None:
            return
        stop = len(self.data) if stop is None else stop
        first, last = start // PIECE, -(-stop // PIECE)
        for piece in first + np.flatnonzero(self._unchecked[first:last]):
            at = int(piece) * PIECE
            if zlib.crc32(self.data[at : at + PIECE]) != self._sums[piece]:
                raise DamagedIndexError(
                    f"bytes {at} to {at + PIECE} of {self.name} have changed since they were written"
                )
            self._unchecked[piece] = False

    def read(self, start: int = 0, stop: int | None = None) -> bytes:
        """Verified bytes."""
        self.check(start, stop)
        return bytes(self.data[start:stop])


class Rows(Generic[T]):
    """A blob seen as an array whose slices are verified when they are taken."""

    def __init__(self, blob: Blob, dtype: type[T], width: int | None = None) -> None:
        self._blob = blob
        flat = np.frombuffer(blob.data, dtype=dtype)
        self._array = flat if width is None else flat.reshape(-1, width)
        self._size = int(self._array.strides[0])

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, rows: slice) -> NDArray[T]:
        start, stop, _ = rows.indices(len(self._array))
        self._blob.check(start * self._size, max(start, stop) * self._size)
        return self._array[start:stop]

    def take(self, rows: NDArray[np.int64]) -> NDArray[T]:
        """The rows at these numbers, copied."""
        for piece in np.unique(rows * self._size // PIECE):
            self._blob.check(int(piece) * PIECE, min((int(piece) + 2) * PIECE, len(self._blob.data)))
        return self._array[rows]


class Readable(Protocol):
    """Named files to read."""

    def blob(self, name: str) -> Blob: ...


class Writable(Readable, Protocol):
    """Named files to write, each once, and to read again."""

    def create(self, name: str) -> contextlib.AbstractContextManager[BinaryIO]: ...
    def scratch(self) -> Scratch: ...


class Scratch:
    """A file for what a build can't hold in memory; it has no name and goes when it is closed or its process dies."""

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._file = io.BytesIO() if file is None else file

    def write(self, data: Any) -> None:
        self._file.write(data)

    def array(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        """All that was written, as records."""
        self._file.flush()
        if isinstance(self._file, io.BytesIO):
            return np.frombuffer(self._file.getbuffer(), dtype=dtype)
        if self._file.tell() == 0:
            return np.zeros(0, dtype=dtype)
        return np.memmap(self._file, dtype=dtype, mode="r")

    def close(self) -> None:
        self._file.close()


class Memory:
    """Files kept in memory: where no directory can be written."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    @contextlib.contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        stream = io.BytesIO()
        yield stream
        self._files[name] = stream.getvalue()

    def blob(self, name: str) -> Blob:
        return Blob(name, self._files[name], None)

    def scratch(self) -> Scratch:
        return Scratch()


class Draft:
    """Files being written into a directory of their own; `commit` makes them the index in one rename."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        self._part = root / f"building-{self._name}"
        self._part.mkdir(parents=True)
        self._files: dict[str, dict[str, Any]] = {}

    @contextlib.contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        with (self._part / name).open("wb") as file:
            summing = _Summing(file)
            yield cast(BinaryIO, summing)
            file.flush()
            os.fsync(file.fileno())
        self._files[name] = {"bytes": summing.size, "crc32": summing.finish()}

    def blob(self, name: str) -> Blob:
        return _map(self._part / name, self._files[name])

    def scratch(self) -> Scratch:
        return Scratch(tempfile.TemporaryFile(dir=self._part))

    def commit(self, manifest: dict[str, Any]) -> None:
        """Writes the manifest, makes this draft the current generation, removes the ones before it."""
        text = json.dumps({**manifest, "files": self._files}, indent=1, ensure_ascii=False).encode()
        _write_through(self._part / "manifest.json", text)
        _sync_directory(self._part)
        final = self.root / f"generation-{self._name}"
        os.replace(self._part, final)
        _sync_directory(self.root)
        pointer = {"generation": final.name, "manifest_sha256": hashlib.sha256(text).hexdigest()}
        beside = self.root / f"current.{self._name}"
        _write_through(beside, json.dumps(pointer).encode())
        os.replace(beside, self.root / "current")
        _sync_directory(self.root)

    def discard(self) -> None:
        """Removes what was written, if it was not committed."""
        shutil.rmtree(self._part, ignore_errors=True)


class _Summing:
    """A writer that keeps a CRC-32 for every PIECE bytes that pass."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self._sums: list[int] = []
        self._sum = 0

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        self._file.write(view)
        done = 0
        while done < len(view):
            part = view[done : done + PIECE - self.size % PIECE]
            self._sum = zlib.crc32(part, self._sum)
            self.size += len(part)
            done += len(part)
            if self.size % PIECE == 0:
                self._sums.append(self._sum)
                self._sum = 0
        return len(view)

    def finish(self) -> str:
        """All sums as hex, eight digits each."""
        if self.size % PIECE:
            self._sums.append(self._sum)
        return "".join(f"{value:08x}" for value in self._sums)


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


def open_current(root: Path) -> Generation | None:
    """The generation that counts; None where nothing was built yet. Raises DamagedIndexError."""
    for attempt in range(5):
        name = None
        try:
            text = (root / "current").read_bytes()
            pointer = json.loads(text)
            name, digest = pointer["generation"], pointer["manifest_sha256"]
            return _open(root, name, digest)
        except FileNotFoundError as error:
            if name is None:
                return None
            if attempt == 4:
                raise DamagedIndexError(f"{error.filename} is missing", root) from error
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedIndexError("its pointer file can't be read", root / "current") from error
        except OSError as error:
            raise StoreError(f"The search index can't be read ({error.strerror})", where=root) from error
        time.sleep(0.01)  # a newer generation was swapped in between two reads
    return None


def _open(root: Path, name: str, digest: str) -> Generation:
    folder = root / Path(name).name
    text = (folder / "manifest.json").read_bytes()
    if hashlib.sha256(text).hexdigest() != digest:
        raise DamagedIndexError("its manifest has changed since it was written", folder / "manifest.json")
    manifest = json.loads(text)
    blobs = {file: _map(folder / file, record) for file, record in manifest["files"].items()}
    for blob in blobs.values():
        if len(blob.data) <= CHECKED_AT_OPEN:
            blob.check()
    return Generation(root, name, manifest, blobs)


def _map(path: Path, record: dict[str, Any]) -> Blob:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != record["bytes"]:
            raise DamagedIndexError(f"{path.name} has {size} bytes, {record['bytes']} were written", path)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    sums = np.frombuffer(bytes.fromhex(record["crc32"]), dtype=">u4").astype(np.uint32)
    return Blob(path.name, data, sums)


def remove_leftovers(root: Path, older_than: float = 3600.0) -> None:
    """Removes generations that do not count any more, and drafts that nobody has touched for `older_than` seconds."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        counts = json.loads((root / "current").read_bytes())["generation"]
        for path in root.glob("generation-*"):
            if path.name != counts:
                shutil.rmtree(path, ignore_errors=True)
    for path in [*root.glob("building-*"), *root.glob("current.*")]:
        with contextlib.suppress(OSError):
            newest = max((file.stat().st_mtime for file in path.glob("*")), default=path.stat().st_mtime)
            if time.time() - newest > older_than:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


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
