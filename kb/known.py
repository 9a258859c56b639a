"""Vectors by content, so that a text is embedded once: the index's at hand, those an unfinished build saved, new ones.

The journal of an unfinished build is a row of records (key, vector, checksum) that only grows: each batch of texts that
the encoder has done is added at once. A killed build leaves at most one record half written, and loses the batches that
were under way, one per thread; the next build takes over all whole records.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from kb.blobs import DamagedIndexError, Rows, writing
from kb.encoder import WINDOW, Encoder, Vectors
from kb.errors import StoreError
from kb.index import KINDS
from kb.store import open_current

Keys = NDArray[np.bytes_]
RECENT = 16_384
"New vectors at hand for texts that come again; 25 MB for the default model."
WORKERS = min(2, os.cpu_count() or 1)
"Threads that encode during a build."


class KnownVectors:
    """Gives the vectors of texts, encoding only those that are not known yet."""

    def __init__(
        self, encoder: Encoder, digest: str, directory: Path | None, journal: bool, advance: Callable[[int], None]
    ) -> None:
        """`digest` is the SHA-256 of the encoder's file: other encoders' vectors are of no use."""
        self._encoder = encoder
        self._digest = digest
        self._advance = advance
        self.dim = encoder.dim
        self.embedded = 0
        "How many texts had to be encoded."
        self._record = np.dtype([("key", "S16"), ("vector", "<f4", (encoder.dim,)), ("crc", "<u4")])
        self._pending = None if directory is None else directory / "pending" / digest[:16]
        self._sources = [] if directory is None else [*self._current(directory), *self._saved()]
        self._recent = _Recent()
        self._journal: BinaryIO | None = None
        self._keeps_journal = journal

    def vectors(self, texts: Sequence[str]) -> Iterator[tuple[Keys, Vectors]]:
        """(keys, vectors) of the texts in their order, WINDOW at a time."""
        for start in range(0, len(texts), WINDOW):
            part = texts[start : start + WINDOW]
            keys = np.array([content_key(text) for text in part], dtype="S16")
            vectors = np.zeros((len(part), self._encoder.dim), dtype=np.float32)
            lacking = np.ones(len(part), dtype=bool)
            for source in self._sources:
                source.fill(keys, vectors, lacking)
            self._recent.fill(keys, vectors, lacking)
            new = np.flatnonzero(lacking)
            _, first, which = np.unique(keys[new], return_index=True, return_inverse=True)
            self._advance(len(part) - len(first))
            vectors[new] = self._encoded(keys[new[first]], [part[int(i)] for i in new[first]])[which]
            yield keys, vectors

    def _encoded(self, keys: Keys, texts: Sequence[str]) -> Vectors:
        """New vectors. Each batch is saved as soon as it is done."""
        vectors = np.zeros((len(texts), self._encoder.dim), dtype=np.float32)
        for places, made in self._encoder.encode_batches(texts, workers=WORKERS):
            vectors[places] = made
            self.save(keys[places], made)
            self._advance(len(places))
        self._recent.add(keys, vectors)
        self.embedded += len(texts)
        return vectors

    def forget(self) -> None:
        """Removes the journals: the vectors are in an index now."""
        if self._journal is not None:
            self._journal.close()
        if self._pending is not None:
            shutil.rmtree(self._pending.parent, ignore_errors=True)

    def _current(self, directory: Path) -> Iterator[_Source]:
        with contextlib.suppress(StoreError):
            generation = open_current(directory, salvage=True)
            if generation is not None and generation.manifest.get("model_sha256") == self._digest:
                for kind in KINDS:
                    keys = np.frombuffer(generation.blob(f"{kind}.keys").read(), dtype="S16")
                    yield _Source(keys, Rows(generation.blob(f"{kind}.vectors"), np.float32, self._encoder.dim))

    def _saved(self) -> Iterator[_Source]:
        assert self._pending is not None
        for file in sorted(self._pending.glob("*.journal")):
            with contextlib.suppress(OSError, ValueError):  # a journal that can't be read only costs time
                whole = file.stat().st_size // self._record.itemsize
                records = np.memmap(file, self._record, mode="r", shape=(whole,))
                yield _Source(np.array(records["key"]), _Records(records))

    def save(self, keys: Keys, vectors: Vectors) -> None:
        """Adds vectors to the journal: a later build of this directory takes them over."""
        if self._pending is None or not self._keeps_journal:
            return
        records = np.zeros(len(keys), dtype=self._record)
        records["key"], records["vector"] = keys, vectors
        records["crc"] = _sums(records)
        with writing(self._pending):
            if self._journal is None:
                self._pending.mkdir(parents=True, exist_ok=True)
                self._journal = (self._pending / f"{secrets.token_hex(8)}.journal").open("wb")
            self._journal.write(records.tobytes())
            self._journal.flush()


class _Records:
    """A journal's vectors; those whose checksum does not hold are refused."""

    def __init__(self, records: NDArray[Any]) -> None:
        self._records = records

    def take(self, rows: NDArray[np.int64]) -> Vectors:
        records = self._records[rows]
        if not np.array_equal(_sums(records), records["crc"]):
            raise DamagedIndexError("a saved vector has changed since it was written")
        return np.asarray(records["vector"], dtype=np.float32)


class _Recent:
    """The vectors encoded last, by key. Where texts come again they mostly do so soon (`See rule 349.`)."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()

    def add(self, keys: Keys, vectors: Vectors) -> None:
        self._vectors.update(zip(keys.tolist(), vectors, strict=True))
        while len(self._vectors) > RECENT:
            self._vectors.popitem(last=False)

    def fill(self, keys: Keys, vectors: Vectors, lacking: NDArray[np.bool_]) -> None:
        """Puts the vectors it has where they are lacking."""
        for at in np.flatnonzero(lacking).tolist():
            known = self._vectors.get(bytes(keys[at]))
            if known is not None:
                vectors[at] = known
                lacking[at] = False


class _Source:
    """Vectors that lie somewhere, found by key."""

    def __init__(self, keys: Keys, rows: Rows[np.float32] | _Records) -> None:
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._rows = rows

    def fill(self, keys: Keys, vectors: Vectors, lacking: NDArray[np.bool_]) -> None:
        """Puts the vectors it has where they are lacking. Damaged ones count as not there."""
        wanted = np.flatnonzero(lacking)
        if not len(self._keys) or not len(wanted):
            return
        at = np.minimum(np.searchsorted(self._keys, keys[wanted]), len(self._keys) - 1)
        here = self._keys[at] == keys[wanted]
        with contextlib.suppress(DamagedIndexError):
            vectors[wanted[here]] = self._rows.take(self._order[at[here]])
            lacking[wanted[here]] = False


def content_key(text: str) -> bytes:
    """Sixteen bytes that stand for a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _sums(records: NDArray[Any]) -> NDArray[np.uint32]:
    size = records.dtype.itemsize - 4
    return np.array([zlib.crc32(record.tobytes()[:size]) for record in records], dtype=np.uint32)
