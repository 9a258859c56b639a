"""The search index, opened: passages, their vectors and their words, a game a contiguous range of numbers.

A passage may have several vectors: of its text, of each phrasing players use for it, of its sentences. `KINDS` names
them; results come as one column per kind, so that the caller decides what each is worth.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.blobs import Readable, Rows, number_of
from kb.encoder import Encoder, Vectors
from kb.errors import StoreError
from kb.passage import Ask, Passage, Source
from kb.ridge import Leanings
from kb.store import Generation, open_current
from kb.taught import Taught
from kb.vectors import ABSENT as ABSENT
from kb.vectors import Numbers, VectorStore
from kb.words import Words

FORMAT = 8
"Raise when the files change their meaning: older indexes are then built again."
KINDS = ("text", "ask", "sentence")
"What an entry's vector was made of. The order is the order of columns."


def _no_concepts(line: str) -> Sequence[str]:
    """Of a game without concepts."""
    return ()


def _no_tags(phrasing: str) -> Set[str]:
    """Of a game without concepts."""
    return frozenset()


@dataclass(frozen=True, slots=True)
class Document:
    """A passage and what it is to be found by."""

    passage: Passage
    entries: tuple[tuple[str, str], ...]
    "(kind, text) to embed; kinds from KINDS, each as often as wanted, at least one entry."
    words: str
    "What the lexical index reads: heading path, title, text, asks, aliases."
    concepts: Callable[[str], Sequence[str]] = _no_concepts
    "The concepts of a line, as words that no text has: what it reads besides. It takes time."
    tags: Callable[[str], Set[str]] = _no_tags
    "The tags of a phrasing's concepts."


class Index:
    """An opened index. Safe to share between threads; stays whole when a newer one replaces it on disk."""

    def __init__(self, files: Readable, manifest: dict[str, Any], root: Path | None) -> None:
        self.root = root
        "Its directory; None for an index that lives in memory."
        self.manifest = manifest
        self.games: dict[str, tuple[int, int]] = {game: (a, b) for game, (a, b) in manifest["games"].items()}
        "Game -> numbers of its passages, first and one past the last."
        self.words = Words(files)
        self.kinds = tuple(VectorStore(files, kind, manifest["dim"]) for kind in KINDS)
        "The vectors, one store per kind, in the order of KINDS."
        self._taught = Taught(files, manifest["dim"])
        self.leanings = Leanings(files)
        "What the answered phrasings of each passage say to a yes/no question, by its number."
        self._files = files
        self._text = files.blob("passages.jsonl")
        self._text_starts = Rows(files.blob("passages.starts"), np.int64)
        self.id_hashes = Rows(files.blob("ids.hash"), np.uint64)
        self._id_numbers = Rows(files.blob("ids.number"), np.int32)
        self._read = lru_cache(maxsize=8192)(self._parse)

    @classmethod
    def open(cls, directory: Path) -> Index:
        """The index in `directory`, whatever corpus it was built from. Raises StoreError, DamagedIndexError."""
        generation = open_current(directory)
        if generation is None:
            raise StoreError("There is no search index here", "Run: kb build", where=directory)
        if generation.manifest["format"] != FORMAT:
            raise StoreError("The search index is of another version of this program", "Run: kb build", where=directory)
        return cls(generation, generation.manifest, directory)

    def __len__(self) -> int:
        return int(self.manifest["passages"])

    def range(self, game: str | None = None) -> tuple[int, int]:
        """The numbers of a game's passages; of all passages without a game. KeyError for an unknown game."""
        return (0, len(self)) if game is None else self.games[game]

    def game_of(self, number: int) -> str:
        """The game a passage belongs to."""
        at = int(np.searchsorted(self._game_starts[1], number, side="right")) - 1
        return self._game_starts[0][at]

    @cached_property
    def _game_starts(self) -> tuple[list[str], NDArray[np.int64]]:
        return list(self.games), np.array([start for start, _ in self.games.values()], dtype=np.int64)

    def passage(self, number: int) -> Passage:
        """The passage with this number."""
        return self._read(int(number))

    def number(self, passage_id: str) -> int | None:
        """The number of the passage with this id; None where there is none."""
        hashes = self.id_hashes[:]
        wanted = np.uint64(number_of(passage_id))
        at = int(np.searchsorted(hashes, wanted))
        while at < len(hashes) and hashes[at] == wanted:
            number = int(self._id_numbers[at : at + 1][0])
            if self.passage(number).id == passage_id:
                return number
            at += 1
        return None

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder that the passages were embedded with; its file lies in the index. Loaded at first use (0.1 s)."""
        record, tokenizer = (self._files.blob(name).read() for name in ("encoder.json", "encoder.tokenizer"))
        model = self._files.blob("encoder.onnx")
        model.check()
        if model.path.exists():
            with contextlib.suppress(StoreError):  # a newer index may take the file away at any moment
                return Encoder(model.path, tokenizer.decode(), json.loads(record))
        return Encoder(model.read(), tokenizer.decode(), json.loads(record))

    def nearest(self, vector: Vectors, k: int, start: int = 0, stop: int | None = None) -> tuple[Numbers, Vectors]:
        """The passages whose best entry of any kind is nearest to the vector, best first, at most `k`.

        Their cosines by kind have shape (n, len(KINDS)), ABSENT where a passage has no entry of the kind.
        """
        stop = len(self) if stop is None else stop
        numbers = np.unique(np.concatenate([store.nearest(vector, k, start, stop) for store in self.kinds]))
        cosines = self.cosines(vector, numbers)
        best = np.argsort(-cosines.max(axis=1, initial=ABSENT), kind="stable")[:k]
        return numbers[best], cosines[best]

    def cosines(self, vector: Vectors, numbers: Numbers | Iterable[int]) -> Vectors:
        """The highest cosine of each of these passages by kind, shape (n, len(KINDS)), ABSENT where it has none."""
        wanted = np.asarray(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=np.int64)
        return np.stack([store.best(vector, wanted) for store in self.kinds], axis=1)

    def cosines_in(self, vector: Vectors, start: int, stop: int) -> Vectors:
        """The same for every passage from `start` up to `stop`: for ranges that are worth scoring whole."""
        return np.stack([store.best_in(vector, start, stop) for store in self.kinds], axis=1)

    def taught(
        self, vector: Vectors, words: Sequence[str], concepts: Sequence[str], start: int, stop: int
    ) -> Vectors | None:
        """How much a question is about each passage of a game, by what its phrasings teach (`kb.taught`).

        None where they teach nothing, or where `start` up to `stop` is not a game.
        """
        at = int(np.searchsorted(self._game_starts[1], start))
        if at == len(self.games) or self.games[self._game_starts[0][at]] != (start, stop):
            return None
        return self._taught.scores(at, stop - start, vector, words, concepts)

    def entries_like(
        self, vector: Vectors, start: int, stop: int, kind: int, k: int
    ) -> tuple[list[tuple[int, int]], Vectors]:
        """The `k` entries of a kind nearest to the vector among passages `start` up to `stop`, best first.

        Each is (passage number, its place among the passage's entries of that kind), with its cosine.
        """
        rows, cosines = self.kinds[kind].search(vector, k, start, stop)
        numbers, places = self.kinds[kind].owners(rows)
        return list(zip(numbers.tolist(), places.tolist(), strict=True)), cosines

    def vectors_of(self, number: int, kind: int) -> Vectors:
        """The vectors of a passage's entries of a kind, in order, shape (n, dim)."""
        return self.kinds[kind].of(number)

    def verify(self) -> None:
        """Checks every byte of the index. Raises DamagedIndexError."""
        if isinstance(self._files, Generation):
            self._files.verify()

    def _parse(self, number: int) -> Passage:
        if not 0 <= number < len(self):
            raise IndexError(number)
        first, last = self._text_starts[number : number + 2]
        return passage_from_json(json.loads(self._text.read(int(first), int(last))))


_TUPLES = tuple(field.name for field in fields(Passage) if str(field.type).startswith("tuple"))


def passage_to_json(passage: Passage) -> str:
    """One line of JSON; twenty times faster than by `Passage.to_json`, which copies everything first."""
    return json.dumps(passage, default=_fields, ensure_ascii=False)


def _fields(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def passage_from_json(record: Mapping[str, Any]) -> Passage:
    """The reverse, of the parsed line."""
    tuples = {name: tuple(record[name]) for name in _TUPLES}
    asks = tuple(Ask(**ask) for ask in record["asks"])
    return Passage(**{**record, **tuples, "asks": asks, "source": Source(**record["source"])})
