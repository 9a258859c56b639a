"""Building and refreshing the index: only what changed is embedded again, and a killed build can go on where it was.

`ensure` is what everything calls: it opens the index, or says why it can't be used and makes a new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from array import array
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
from kb.vectors import write_quantizer
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
        known = KnownVectors(encoder, directory or take_over, directory is not None, _counting(documents, progress))
        counts = _write_documents(draft, documents, known)
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


def _counting(documents: Documents, progress: Progress | None) -> Callable[[int], None]:
    """What turns "so many more are done" into "so many of so many are done"."""
    if progress is None:
        return lambda _: None
    total = sum(len(document.entries) for document in documents())
    done = 0

    def advance(entries: int) -> None:
        nonlocal done
        done += entries
        progress(done, total)

    return advance


def _write_documents(files: Writable, documents: Documents, known: KnownVectors) -> dict[str, Any]:
    """Writes everything but the encoder, a slab of documents at a time; returns what the manifest counts."""
    games: dict[str, tuple[int, int]] = {}
    words = WordsWriter(files)
    with _PassageWriter(files, known) as passages:
        for game, group in groupby(documents(), key=lambda document: document.passage.game):
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
    entries = {kind: writer.entries for kind, writer in passages.kinds.items()}
    return {
        "games": games,
        "passages": passages.size,
        "entries": sum(entries.values()),
        "entries_by_kind": entries,
        "embedded": known.embedded,
        "reused": sum(entries.values()) - known.embedded,
    }


class _KindWriter:
    """Writes the vectors of one kind, and how many of them the passages before each passage have."""

    def __init__(self, kind: str, files: Writable, stack: contextlib.ExitStack) -> None:
        self._kind = kind
        self._vectors, self._keys, self._first = (
            stack.enter_context(files.create(f"{kind}.{name}")) for name in ("vectors", "keys", "first")
        )
        self._first.write(np.zeros(1, dtype=np.int64).data)
        self.entries = 0

    def add(self, documents: list[Document], known: KnownVectors) -> None:
        texts: list[str] = []
        for document in documents:
            texts += [text for kind, text in document.entries if kind == self._kind]
            self._first.write(np.array([self.entries + len(texts)], dtype=np.int64).data)
        self.entries += len(texts)
        for keys, vectors in known.vectors(texts):
            self._keys.write(keys.data)
            self._vectors.write(vectors.data)


class _PassageWriter:
    """Writes the passages' texts and vectors as they come, and the table of their ids when closed."""

    def __init__(self, files: Writable, known: KnownVectors) -> None:
        self._files = files
        self._known = known
        self._hashes = array("Q")
        self._stack = contextlib.ExitStack()
        self._text, self._start = (
            self._stack.enter_context(files.create(name)) for name in ("passages.jsonl", "passages.starts")
        )
        self._start.write(np.zeros(1, dtype=np.int64).data)
        self._written = 0
        self.kinds = {kind: _KindWriter(kind, files, self._stack) for kind in KINDS}

    @property
    def size(self) -> int:
        return len(self._hashes)

    def add(self, documents: list[Document]) -> None:
        for document in documents:
            line = json.dumps(document.passage.to_json(), ensure_ascii=False).encode() + b"\n"
            self._text.write(line)
            self._written += len(line)
            self._start.write(np.array([self._written], dtype=np.int64).data)
            self._hashes.append(id_hash(document.passage.id))
        for writer in self.kinds.values():
            writer.add(documents, self._known)

    def __enter__(self) -> _PassageWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._stack.close()
        if kind is None:
            for name in self.kinds:
                write_quantizer(self._files, name, self._known.dim)
            hashes = np.frombuffer(self._hashes, dtype=np.uint64) if self._hashes else np.zeros(0, dtype=np.uint64)
            order = np.argsort(hashes, kind="stable")
            arrays: dict[str, NDArray[Any]] = {"ids.hash": hashes[order], "ids.number": order.astype(np.int32)}
            for name, table in arrays.items():
                with self._files.create(name) as file:
                    file.write(table.data)
