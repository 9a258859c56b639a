"""Building and refreshing the index: only what changed is embedded again, and a killed build can go on where it was.

`ensure` is what everything calls: it opens the index, or says why it can't be used and makes a new one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kb.blobs import DamagedIndexError, Memory, UnusableError, writing
from kb.encoder import Encoder, Precision
from kb.errors import StoreError
from kb.export import RECIPE, export_encoder, folder_stamp
from kb.index import FORMAT, Document, Index
from kb.known import KnownVectors
from kb.store import Draft, open_current, remove_leftovers
from kb.writer import write_documents

Documents = Callable[[], Iterable[Document]]
"Gives all documents, a game's together, in the order of their numbers; may be called again."
Say = Callable[[str], None]
Progress = Callable[[int, int], None]
"Called with (entries done, entries in all)."

ENCODER_FILES = ("encoder.onnx", "encoder.tokenizer", "encoder.json")
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


def begins_anew(directory: Path, model: str | None = None) -> bool:
    """Whether a build in `directory` has no vectors to take over: there is no index, or one of another model."""
    with contextlib.suppress(StoreError):
        generation = open_current(directory, salvage=True)
        return generation is None or not _of_model(generation.manifest, model)
    return True


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
    try:
        index = None if rebuild else _usable(digest, directory, model, say)
        if index is not None:
            return index
        with _only_builder(directory, say):
            index = None if rebuild else _usable(digest, directory, model, lambda _: None)
            return index or build(digest, documents, directory, model=model, progress=progress, say=say)
    except UnusableError as error:
        say(f"{directory} can't be used ({error.reason}): the index is built in memory, for this run only.")
        return build(digest, documents, None, model=model, progress=progress, say=say, take_over=directory)


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
    if (manifest["format"], manifest["corpus"]) != (FORMAT, digest):
        return False
    return _of_model(manifest, model)


def _of_model(manifest: dict[str, Any], model: str | None) -> bool:
    """Whether the index was built with this model; a model's folder that is not here can't have changed."""
    if (manifest["format"], manifest["wanted_model"], manifest.get("export")) != (FORMAT, model, RECIPE):
        return False
    stamp = None if model is None else folder_stamp(model)
    return stamp is None or stamp == manifest["model_stamp"]


@contextlib.contextmanager
def _only_builder(directory: Path, say: Say) -> Iterator[None]:
    from filelock import FileLock, Timeout  # the system's lock: it goes when its process does

    lock = FileLock(directory / "lock")
    with writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=0.2)
        except Timeout:
            say("Another process is building this index; waiting for it.")
            with contextlib.suppress(Timeout):  # drafts have names of their own: two builders do each other no harm
                lock.acquire(timeout=WAIT)
    try:
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
    say: Say | None = None,
    take_over: Path | None = None,
) -> Index:
    """Builds the index in `directory` (None: in memory) and opens it.

    Vectors of unchanged texts are taken over from the index in `directory` or `take_over`. Raises StoreError when the
    encoder can't be prepared, UnusableError when the directory can't be written.
    """
    with ThreadPoolExecutor(1) as beside:
        counting = beside.submit(_counting, documents, progress)
        parts = _encoder_parts(directory or take_over, model, precision, say or _to_stderr)
        encoder = Encoder(parts["encoder.onnx"], parts["encoder.tokenizer"].decode(), json.loads(parts["encoder.json"]))
        advance = counting.result()
    draft = Memory() if directory is None else Draft(directory)
    try:
        for name, data in parts.items():
            with draft.create(name) as file:
                file.write(data)
        digest_of_encoder = hashlib.sha256(parts["encoder.onnx"]).hexdigest()
        known = KnownVectors(encoder, digest_of_encoder, directory or take_over, directory is not None, advance)
        counts = write_documents(draft, documents(), known)
        manifest = {
            "format": FORMAT,
            "corpus": digest,
            "wanted_model": model,
            "model_stamp": folder_stamp(model),
            "export": RECIPE,
            "model": encoder.model,
            "model_sha256": digest_of_encoder,
            "precision": precision,
            "dim": encoder.dim,
            "libraries": _versions("faiss-cpu", "bm25s", "PyStemmer", "onnxruntime", "tokenizers", "numpy"),
            **counts,
        }
        if isinstance(draft, Memory):
            index = Index(draft, manifest, None)
            index.encoder = encoder  # loaded already
            return index
        draft.commit(manifest)
        known.forget()
        remove_leftovers(draft.root)
        return Index.open(draft.root)
    finally:
        if isinstance(draft, Draft):
            draft.discard()


def _versions(*packages: str) -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version  # 25 ms that opening an index does without

    found = {}
    for name in packages:
        with contextlib.suppress(PackageNotFoundError):  # the same library may come under another name
            found[name] = version(name)
    return found


def _encoder_parts(directory: Path | None, model: str | None, precision: Precision, say: Say) -> dict[str, bytes]:
    """The encoder's files: those of the index that is refreshed if they fit, which needs no torch, else exported."""
    with contextlib.suppress(StoreError):
        generation = open_current(directory, salvage=True) if directory is not None else None
        if (
            generation is not None
            and generation.manifest["precision"] == precision
            and _of_model(generation.manifest, model)
        ):
            return {name: generation.blob(name).read() for name in ENCODER_FILES}
    try:
        return _read_export(export_encoder(model, say=say), precision)
    except OSError:
        with tempfile.TemporaryDirectory(prefix="rules-kb-") as elsewhere, writing(Path(elsewhere)):
            return _read_export(export_encoder(model, Path(elsewhere), say=say), precision)


def _read_export(exported: Path, precision: Precision) -> dict[str, bytes]:
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
