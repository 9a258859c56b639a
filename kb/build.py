"""Building and refreshing the index: only what changed is embedded again, and a killed build can go on where it was.

`ensure` is what everything calls: it opens the index, or says why it can't be used and makes a new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.encoder import Encoder, Precision
from kb.errors import StoreError
from kb.index import FORMAT, KINDS, Document, Index, id_hash
from kb.known import KnownVectors
from kb.store import DamagedIndexError, Draft, Memory, Writable, open_current, remove_leftovers
from kb.words import WordsWriter

Documents = Callable[[], Iterable[Document]]
"Gives all documents, a game's together, in the order of their numbers; may be called again."
Say = Callable[[str], None]
Progress = Callable[[int, int], None]
"Called with (entries done, entries in all)."

ENCODER_FILES = ("encoder.onnx", "encoder.tokenizer", "encoder.json")
SLAB = 4096
"Documents taken at a time: bounds memory."
WAIT = 300.0
"Seconds to wait for another process that builds the same index before building beside it."


def default_directory(corpus: Path) -> Path:
    """Where the index of a corpus directory lives: KB_INDEX, or a folder in the user's cache."""
    named = os.environ.get("KB_INDEX")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    key = hashlib.sha256(str(corpus.resolve()).encode()).hexdigest()[:12]
    return user_cache_path("rules-kb") / "indexes" / f"{corpus.resolve().name}-{key}"


def ensure(
    digest: str,
    documents: Documents,
    directory: Path,
    *,
    model: str | None = None,
    rebuild: bool = False,
    say: Say | None = None,
    progress: Progress | None = None,
) -> Index:
    """The index of these documents, opened; built or refreshed first where it has to be.

    `digest` stands for everything the documents are made from; when it is what the index was built with, the documents
    are not asked for. Where `directory` can't be written the index is built in memory, and `say` tells so once.
    """
    say = say or _to_stderr
    index = None if rebuild else _usable(digest, directory, model, say)
    if index is not None:
        return index
    try:
        with _only_builder(directory, say):
            index = None if rebuild else _usable(digest, directory, model, lambda _: None)
            return index or build(digest, documents, directory, model=model, progress=progress)
    except OSError as error:
        reason = error.strerror or str(error)
        say(f"{directory} can't be written ({reason}): the index is built in memory, for this run only.")
        return build(digest, documents, None, model=model, progress=progress, take_over=directory)


def _usable(digest: str, directory: Path, model: str | None, say: Say) -> Index | None:
    """The index in `directory` if it is whole and is of these documents and this model."""
    try:
        generation = open_current(directory)
        if generation is None or not _fits(generation.manifest, digest, model):
            return None
        return Index(generation, generation.manifest, directory)
    except DamagedIndexError as error:
        say(f"{error.found}. It is built again.")
        return None


def _fits(manifest: dict[str, Any], digest: str, model: str | None) -> bool:
    return (manifest["format"], manifest["corpus"], manifest["wanted_model"]) == (FORMAT, digest, model)


@contextlib.contextmanager
def _only_builder(directory: Path, say: Say) -> Iterator[None]:
    from filelock import FileLock, Timeout  # the system's lock: it goes when its process does

    directory.mkdir(parents=True, exist_ok=True)
    lock = FileLock(directory / "lock")
    try:
        try:
            lock.acquire(timeout=0.2)
        except Timeout:
            say("Another process is building this index; waiting for it.")
            with contextlib.suppress(Timeout):  # drafts have names of their own: two builders do each other no harm
                lock.acquire(timeout=WAIT)
        yield
    finally:
        lock.release()


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr)  # noqa: T201  the one place that speaks when the caller gave no voice


def build(
    digest: str,
    documents: Documents,
    directory: Path | None,
    *,
    model: str | None = None,
    precision: Precision = "int8",
    progress: Progress | None = None,
    take_over: Path | None = None,
) -> Index:
    """Builds the index in `directory` (None: in memory) and opens it.

    Vectors of unchanged texts are taken over from the index in `directory` or `take_over`. Raises StoreError when the
    encoder can't be prepared, OSError when the directory can't be written.
    """
    parts = _encoder_parts(directory or take_over, model, precision)
    encoder = Encoder(parts["encoder.onnx"], parts["encoder.tokenizer"].decode(), json.loads(parts["encoder.json"]))
    draft = Memory() if directory is None else Draft(directory)
    try:
        for name, data in parts.items():
            with draft.create(name) as file:
                file.write(data)
        known = KnownVectors(encoder, directory or take_over, journal=directory is not None)
        counts = _write_documents(draft, _Source(documents, progress), known)
        manifest = {
            "format": FORMAT,
            "corpus": digest,
            "wanted_model": model,
            "model": encoder.model,
            "model_sha256": encoder.digest,
            "precision": precision,
            "dim": encoder.dim,
            "libraries": {name: version(name) for name in ("faiss-cpu", "bm25s", "PyStemmer", "onnxruntime", "numpy")},
            **counts,
        }
        if isinstance(draft, Memory):
            return Index(draft, manifest, None)
        draft.commit(manifest)
        known.forget()
        remove_leftovers(draft.root)
        return Index.open(draft.root)
    finally:
        if isinstance(draft, Draft):
            draft.discard()


def _encoder_parts(directory: Path | None, model: str | None, precision: Precision) -> dict[str, bytes]:
    """The encoder's files: those of the index that is refreshed if they fit, which needs no torch, else exported."""
    with contextlib.suppress(StoreError):
        generation = open_current(directory) if directory is not None else None
        if generation is not None:
            made_of = generation.manifest
            if (made_of["format"], made_of["wanted_model"], made_of["precision"]) == (FORMAT, model, precision):
                return {name: generation.blob(name).read() for name in ENCODER_FILES}
    from kb.export import export_encoder

    exported = export_encoder(model)
    sources = (f"{precision}.onnx", "tokenizer.json", "encoder.json")
    return {name: (exported / source).read_bytes() for name, source in zip(ENCODER_FILES, sources, strict=True)}


class _Source:
    """The documents with a count of how far a build has come."""

    def __init__(self, documents: Documents, progress: Progress | None) -> None:
        self._documents = documents
        self._progress = progress
        self._total = sum(len(document.entries) for document in documents()) if progress is not None else 0
        self._done = 0

    def games(self) -> Iterator[tuple[str, Iterator[Document]]]:
        return groupby(self._documents(), key=lambda document: document.passage.game)

    def advance(self, entries: int) -> None:
        self._done += entries
        if self._progress is not None:
            self._progress(self._done, self._total)


def _write_documents(files: Writable, source: _Source, known: KnownVectors) -> dict[str, Any]:
    """Writes everything but the encoder, a slab of documents at a time; returns what the manifest counts."""
    games: dict[str, tuple[int, int]] = {}
    words = WordsWriter(files)
    with _PassageWriter(files, known, source.advance) as passages:
        for game, group in source.games():
            if game in games:
                raise StoreError(f"The passages of the game {game!r} do not stand together")
            begin = passages.size
            found_by: list[str] = []
            titles: list[str] = []
            while slab := list(islice(group, SLAB)):
                found_by += [document.words for document in slab]
                titles += [document.passage.title for document in slab]
                passages.add(slab)
            games[game] = (begin, passages.size)
            words.add_game(found_by, titles)
    words.finish()
    return {"games": games, "passages": passages.size, "entries": passages.entries}


class _PassageWriter:
    """Writes the passages' texts and vectors as they come, and what finds them when closed."""

    def __init__(self, files: Writable, known: KnownVectors, advance: Callable[[int], None]) -> None:
        self._files = files
        self._known = known
        self._advance = advance
        self._starts, self._firsts = [0], [0]
        self._hashes: list[np.uint64] = []
        self._stack = contextlib.ExitStack()
        names = ("passages.jsonl", "vectors.f32", "entries.passage", "entries.kind", "entries.key")
        self._text, self._vectors, self._owner, self._kind, self._key = (
            self._stack.enter_context(files.create(name)) for name in names
        )

    @property
    def size(self) -> int:
        return len(self._starts) - 1

    @property
    def entries(self) -> int:
        return self._firsts[-1]

    def add(self, documents: list[Document]) -> None:
        for document in documents:
            line = json.dumps(document.passage.to_json(), ensure_ascii=False).encode() + b"\n"
            self._text.write(line)
            self._owner.write(np.full(len(document.entries), self.size, dtype=np.int32).data)
            self._kind.write(bytes(KINDS.index(kind) for kind, _ in document.entries))
            self._starts.append(self._starts[-1] + len(line))
            self._firsts.append(self._firsts[-1] + len(document.entries))
            self._hashes.append(id_hash(document.passage.id))
        texts = [text for document in documents for _, text in document.entries]
        for keys, vectors in self._known.vectors(texts):
            self._key.write(keys.tobytes())
            self._vectors.write(vectors.tobytes())
            self._advance(len(keys))

    def __enter__(self) -> _PassageWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._stack.close()
        if kind is None:
            self._write_arrays()

    def _write_arrays(self) -> None:
        hashes = np.array(self._hashes, dtype=np.uint64)
        order = np.argsort(hashes, kind="stable")
        arrays: dict[str, NDArray[Any]] = {
            "passages.starts": np.array(self._starts, dtype=np.int64),
            "entries.first": np.array(self._firsts, dtype=np.int64),
            "ids.hash": hashes[order],
            "ids.number": order.astype(np.int32),
        }
        for name, array in arrays.items():
            with self._files.create(name) as file:
                file.write(array.data)
