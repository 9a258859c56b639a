"""Writes what an index holds, a slab of documents at a time, so that memory does not grow with the corpus."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Iterable, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.blobs import Writable, number_of
from kb.encoder import Vectors
from kb.errors import StoreError
from kb.index import KINDS, Document, passage_to_json
from kb.known import KnownVectors
from kb.ridge import Answered, LeaningWriter
from kb.taught import MOST, Phrasing, TaughtWriter
from kb.vectors import write_quantizer
from kb.words import WordsWriter

SLAB = 4096
"Documents taken at a time: bounds memory."
ASKED = "ask"
"The kind of phrasings' vectors, among KINDS."


def write_documents(files: Writable, documents: Iterable[Document], known: KnownVectors) -> dict[str, Any]:
    """Writes everything but the encoder, a slab of documents at a time; returns what the manifest counts."""
    games: dict[str, tuple[int, int]] = {}
    words, taught, leanings = WordsWriter(files), TaughtWriter(files), LeaningWriter(files)
    adding: Future[None] | None = None
    unlearned: list[str] = []

    def add_game(name: str, found_by: list[_FoundBy], titles: list[str], vectors: Vectors) -> None:
        words.add_game([each.words for each in found_by], titles)
        phrasings = [Phrasing(*ask, place) for place, each in enumerate(found_by) for ask in each.asks]
        if len(phrasings) > MOST:
            unlearned.append(name)
        taught.add_game(phrasings, vectors, len(found_by))
        start = 0
        for each in found_by:
            own = vectors[start : start + len(each.asks)]
            # Of a game with more phrasings than are held in memory not all have their vectors here.
            leanings.add_passage(each.answered if len(own) == len(each.asks) else (), own)
            start += len(each.asks)

    with _PassageWriter(files, known) as passages, ThreadPoolExecutor(1) as beside:
        for game, group in groupby(documents, key=lambda document: document.passage.game):
            if game in games:
                raise StoreError(f"The passages of the game {game!r} do not stand together")
            begin = passages.size
            found_by: list[_FoundBy] = []
            titles: list[str] = []
            while slab := list(islice(group, SLAB)):
                reading = beside.submit(_found_by, slab)
                titles += [document.passage.title for document in slab]
                passages.add(slab)
                found_by += reading.result()
            games[game] = (begin, passages.size)
            if adding is not None:
                adding.result()
            adding = beside.submit(add_game, game, found_by, titles, passages.asked())
        if adding is not None:
            adding.result()
    for each in (words, taught, leanings):
        each.finish()
    entries = {kind: writer.entries for kind, writer in passages.kinds.items()}
    return {
        "games": games,
        "passages": passages.size,
        "entries": sum(entries.values()),
        "entries_by_kind": entries,
        "embedded": known.embedded,
        "reused": sum(entries.values()) - known.embedded,
        "unlearned": unlearned,
    }


@dataclass(frozen=True, slots=True)
class _FoundBy:
    """What a passage is found by but for its vectors."""

    words: str
    "Its words and concepts."
    asks: list[tuple[str, Sequence[str]]]
    "Each phrasing, and the concepts of it."
    answered: list[Answered]


def _found_by(documents: list[Document]) -> list[_FoundBy]:
    return [_of_document(document) for document in documents]


def _of_document(document: Document) -> _FoundBy:
    verdicts = {ask.text: ask.verdict for ask in document.passage.asks if ask.verdict}
    concepts: dict[str, Sequence[str]] = {}
    tags: dict[str, Set[str]] = {}
    asks = [text for kind, text in document.entries if kind == ASKED]
    for line in (*document.words.splitlines(), *asks):
        if line not in concepts:
            concepts[line] = document.concepts(line)
            if line in verdicts:
                tags[line] = document.tags(line)  # right behind: what a lexicon found last it still knows
    words = [document.words, *(" ".join(concepts[line]) for line in document.words.splitlines() if concepts[line])]
    answered = [
        Answered(text, verdict, tags[text], place)
        for place, text in enumerate(asks)
        if (verdict := verdicts.get(text)) is not None
    ]
    return _FoundBy("\n".join(words), [(ask, concepts[ask]) for ask in asks], answered)


class _KindWriter:
    """Writes the vectors of one kind, and how many of them the passages before each passage have."""

    def __init__(self, kind: str, files: Writable, stack: contextlib.ExitStack) -> None:
        self._kind = kind
        self._vectors, self._keys, self._first = (
            stack.enter_context(files.create(f"{kind}.{name}")) for name in ("vectors", "keys", "first")
        )
        self._first.write(np.zeros(1, dtype=np.int64).data)
        self.entries = 0
        self.latest: list[Vectors] = []
        "Those of phrasings of the game under way, as many as `kb.taught` may want."

    def add(self, documents: list[Document], known: KnownVectors) -> None:
        texts: list[str] = []
        ends: list[int] = []
        for document in documents:
            texts += [text for kind, text in document.entries if kind == self._kind]
            ends.append(self.entries + len(texts))
        self._first.write(np.array(ends, dtype=np.int64).data)
        self.entries += len(texts)
        for keys, vectors in known.vectors(texts):
            self._keys.write(keys.data)
            self._vectors.write(vectors.data)
            if self._kind == ASKED and sum(map(len, self.latest)) <= MOST:
                self.latest.append(vectors)


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
        lines = [passage_to_json(document.passage).encode() + b"\n" for document in documents]
        self._text.write(b"".join(lines))
        ends = self._written + np.cumsum([len(line) for line in lines], dtype=np.int64)
        self._start.write(ends.data)
        self._written = int(ends[-1])
        self._hashes.extend(number_of(document.passage.id) for document in documents)
        for writer in self.kinds.values():
            writer.add(documents, self._known)

    def asked(self) -> Vectors:
        """The vectors of the phrasings that the game has which ends here."""
        latest = self.kinds[ASKED].latest
        found = np.concatenate([np.zeros((0, self._known.dim), dtype=np.float32), *latest])
        latest.clear()
        return found

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
