"""Bytes checked before they are used: files mapped or in memory, seen as arrays, written with their checksums."""

from __future__ import annotations

import contextlib
import hashlib
import io
import mmap
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from kb.errors import StoreError

PIECE = 1 << 20
"Bytes under one checksum."
DAMAGED = "damaged"
"Name of the mark in a generation in which a damaged piece was found while reading."
T = TypeVar("T", bound=np.generic)


class DamagedIndexError(StoreError):
    """A file of the index is not what was written. Building again mends it."""

    def __init__(self, found: str, where: Path | str | None = None) -> None:
        super().__init__(f"The search index is damaged: {found}", "Run: kb build", where=where)


class UnusableError(StoreError):
    """The index's directory can't be written or read: read-only, full, no directory."""

    def __init__(self, root: Path, error: OSError) -> None:
        super().__init__(
            f"The search index's directory can't be used ({error.strerror or error})",
            "Free space there or name another directory with --index or KB_INDEX",
            where=root,
        )
        self.reason = error.strerror or str(error)


def number_of(text: str) -> int:
    """Eight bytes that stand for a text in a sorted table: the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@contextlib.contextmanager
def writing(root: Path) -> Iterator[None]:
    """Turns the system's refusal to write into an UnusableError."""
    try:
        yield
    except OSError as error:
        raise UnusableError(root, error) from error


class Blob:
    """A file's bytes, mapped or in memory, with the checksums of its pieces."""

    def __init__(self, path: Path, data: Any, sums: NDArray[np.uint32] | None) -> None:
        self.path = path
        self.data = memoryview(data)
        self._sums = sums
        self._unchecked = np.ones(0 if sums is None else len(sums), dtype=bool)
        self._whole = sums is None

    @property
    def is_checked(self) -> bool:
        """Whether every byte has been verified, or needs not to be."""
        return self._whole

    def check(self, start: int = 0, stop: int | None = None) -> None:
        """Verifies the pieces that hold bytes `start` up to `stop`. Raises DamagedIndexError."""
        if self._whole or self._sums is None:
            return
        stop = len(self.data) if stop is None else stop
        first, last = start // PIECE, -(-stop // PIECE)
        for piece in first + np.flatnonzero(self._unchecked[first:last]):
            at = int(piece) * PIECE
            if zlib.crc32(self.data[at : at + PIECE]) != self._sums[piece]:
                with contextlib.suppress(OSError):  # so that whoever opens it next knows without reading everything
                    (self.path.parent / DAMAGED).touch()
                raise DamagedIndexError(f"bytes from {at} on have changed since they were written", self.path)
            self._unchecked[piece] = False
        self._whole = not self._unchecked.any()

    def let_go(self) -> None:
        """Gives the memory of pages read so far back to the system, where it offers that; reading brings them back."""
        if isinstance(self.data.obj, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.data.obj.madvise(mmap.MADV_DONTNEED)

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
        if not self._blob.is_checked:
            start, stop, _ = rows.indices(len(self._array))
            self._blob.check(start * self._size, max(start, stop) * self._size)
        return self._array[rows]

    def take(self, rows: NDArray[np.int64]) -> NDArray[T]:
        """The rows at these numbers, copied."""
        begins = rows * self._size
        for piece in np.unique(np.concatenate([begins // PIECE, (begins + self._size - 1) // PIECE])):
            self._blob.check(int(piece) * PIECE, int(piece) * PIECE + 1)
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
            return np.frombuffer(self._file.getvalue(), dtype=dtype)
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
        return Blob(Path(name), self._files[name], None)

    def scratch(self) -> Scratch:
        return Scratch()


class Summing:
    """A writer that keeps a CRC-32 for every PIECE bytes that pass."""

    def __init__(self, file: IO[bytes], root: Path) -> None:
        self._file = file
        self._root = root
        self.size = 0
        self._sums: list[int] = []
        self._sum = 0

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")  # an empty array's view can't be cast
        with writing(self._root):
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


def map_file(path: Path, record: dict[str, Any]) -> Blob:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != record["bytes"]:
            raise DamagedIndexError(f"{path.name} has {size} bytes, {record['bytes']} were written", path)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    sums = np.frombuffer(bytes.fromhex(record["crc32"]), dtype=">u4").astype(np.uint32)
    return Blob(path, data, sums)
