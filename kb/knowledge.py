"""A corpus with its index, opened: what the command line, the browser and programs ask."""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from kb import build as building
from kb.answer import Answer
from kb.calibration import Calibration, load_calibration
from kb.claims import Claim, load_claims
from kb.concepts import Lexicon, load_lexicon
from kb.corpus import Corpus, Game, corpus_digest, default_corpus_directory, find_game, load_corpus, read_games
from kb.encoder import Vectors
from kb.errors import CorpusError
from kb.export import export_encoder
from kb.glossary import Glossary
from kb.index import Index
from kb.passage import Passage
from kb.proofs import Proofs
from kb.question import FUNCTION_WORDS, Question
from kb.retrieval import ASK, Hit, Retriever, document
from kb.spelling import Speller
from kb.stemming import stem
from kb.termpage import TermPage, term_page
from kb.words import STOP, words


class Knowledge:
    """One opened corpus. Safe to share between threads; `current` tells whether its files have changed since."""

    def __init__(self, directory: Path, index: Index, digest: str) -> None:
        self.directory = directory
        self.index = index
        self.digest = digest
        self._pointer = _pointer(index)
        self.retriever = Retriever(index)
        self._lock = threading.RLock()
        self._of_game: dict[str, tuple[Passage, ...]] = {}
        self._glossaries: dict[str, Glossary] = {}
        self._proofs: dict[tuple[str, bool], Proofs] = {}
        self._vectors: dict[str, Vectors] = {}
        self._speller: Speller | None = None
        self._lexicons: dict[str, Lexicon] = {}
        self._claims: dict[str, tuple[Claim, ...]] = {}

    @property
    def rebuilt(self) -> bool:
        """Whether another index has taken the place of the opened one on disk."""
        return _pointer(self.index) != self._pointer

    @cached_property
    def games(self) -> Mapping[str, Game]:
        """The games, without their pages."""
        return read_games(self.directory)

    @cached_property
    def corpus(self) -> Corpus:
        """The whole corpus, pages and all: for reading, not for answering."""
        return load_corpus(self.directory)

    def game(self, name: str) -> Game:
        """A game by name, title or alias; `UsageError` names those there are."""
        return find_game(self.games, name)

    def passages(self, game: str) -> tuple[Passage, ...]:
        """The passages of a game, in order."""
        with self._lock:
            if game not in self._of_game:
                self._of_game[game] = tuple(self.index.passage(n) for n in range(*self.index.range(game)))
            return self._of_game[game]

    def passage(self, passage_id: str) -> Passage | None:
        """The passage of that id, or None."""
        number = self.index.number(passage_id)
        return None if number is None else self.index.passage(number)

    def glossary(self, game: str) -> Glossary:
        """The terms of a game."""
        with self._lock:
            if game not in self._glossaries:
                self._glossaries[game] = Glossary({game: self.games[game]}, self.passages(game))
            return self._glossaries[game]

    def lexicon(self, game: str) -> Lexicon:
        """The concepts of a game."""
        with self._lock:
            if game not in self._lexicons:
                self._lexicons[game] = load_lexicon(self.directory / game / "concepts.yaml")
            return self._lexicons[game]

    def claims(self, game: str) -> tuple[Claim, ...]:
        """The claims that a game's passages settle."""
        with self._lock:
            if game not in self._claims:
                path = self.directory / game / "claims.yaml"
                ids = (p.id for p in self.passages(game)) if path.is_file() else ()
                self._claims[game] = load_claims(path, game, self.lexicon(game), ids)
            return self._claims[game]

    def leaning(self, hit: Hit, question: Question, vector: Vectors) -> float:
        """What a passage's answered phrasings say to a question: above 0 yes, below 0 no; 0 where they can't tell."""
        leaning = self.index.leanings.of(hit.number)
        if leaning is None:
            return 0.0
        tags = self.lexicon(hit.passage.game).tags(question.text)
        return leaning.to(question, tags, vector, self.index.vectors_of(hit.number, ASK))

    @cached_property
    def calibration(self) -> Calibration:
        """How sure is sure enough to answer."""
        return load_calibration(self.directory)

    def proofs(self, game: str, as_printed: bool = False) -> Proofs:
        """The worked examples of a game, run."""
        with self._lock:
            key = (game, as_printed)
            if key not in self._proofs:
                self._proofs[key] = Proofs(self.directory, game, self.passages(game), as_printed)
            return self._proofs[key]

    def ask(
        self, question: str, game: str | None = None, *, k: int = 5, as_printed: bool = False, explain: bool = False
    ) -> Answer:
        """Answers a question. `k` bounds the citations; an unknown game is a `UsageError`."""
        from kb.answering import Options, answer

        return answer(self, question, self.game(game).name if game else None, Options(k, as_printed, explain))

    def encode(self, question: Question) -> Vectors:
        """The question's vector; the last ones are kept, since every game asks for the same."""
        vector = self._vectors.get(question.text)
        if vector is None:
            vector = self.retriever.encode(question)  # without the lock: it is most of an answer's work
            with self._lock:
                if len(self._vectors) > 64:
                    self._vectors.clear()
                self._vectors[question.text] = vector
        return vector

    def speller(self, game: str) -> Speller:
        """Mends misspellings by the words of the corpus."""
        with self._lock:
            if self._speller is None:
                self._speller = Speller(self.index.words.surface, self._is_english)
            return self._speller

    def _is_english(self, word: str) -> bool:
        return word in STOP or word in FUNCTION_WORDS or self.index.encoder.knows(word)

    def unknown_words(self, question: Question, game: str) -> list[str]:
        """The question's words that stand nowhere in a game, rarest kinds of words first."""
        span = self.index.range(game)
        found = [w for w in dict.fromkeys(words(question.text)) if w not in STOP and not w[0].isdigit()]
        return [w for w in found if not self.index.words.frequency(stem(w), *span)]

    def term(self, name: str, game: str | None = None) -> list[TermPage]:
        """The pages of the terms of that name; `UsageError` with the nearest names where there is none."""
        games = [self.game(game).name] if game else list(self.games)
        glossary = Glossary({g: self.games[g] for g in games}, [p for g in games for p in self.passages(g)])
        by_id = {p.id: p for p in glossary.passages}
        return [term_page(term, glossary, by_id) for term in glossary.lookup(name, games[0] if game else None)]


def _pointer(index: Index) -> bytes:
    """What names the generation of an index that counts; nothing where there is none on disk."""
    try:
        return (index.root / "current").read_bytes() if index.root else b""
    except OSError:
        return b""


MANY = 1000
"Phrasings that take so long to embed that it is worth answering without them first."


def open_first(corpus: Path | str | None = None, index: Path | str | None = None) -> Knowledge | None:
    """The corpus within seconds where its index would have to be built from nothing: without the players' phrasings.

    Everything that is quoted and computed is there; questions are judged as for a game that has no phrasings, which
    knows less often that the rules are silent. The index lives in memory. None where `open_knowledge` is as fast.
    """
    directory, where = _places(corpus, index)
    if not building.begins_anew(where):
        return None
    loaded = load_corpus(directory)
    if sum(len(passage.asks) for passage in loaded.passages) < MANY:
        return None
    with ThreadPoolExecutor(1) as beside:
        beside.submit(export_encoder)  # kept, for the build to find; what may go wrong with it goes wrong there again
        lexicons = {game: load_lexicon(directory / game / "concepts.yaml") for game in loaded.games}
        bare = [document(replace(passage, asks=()), lexicons[passage.game]) for passage in loaded.passages]
    digest = corpus_digest(directory)
    knowledge = Knowledge(directory, building.build(digest, lambda: bare, None), digest)
    knowledge._lexicons.update(lexicons)
    return knowledge


_open: dict[tuple[Path, Path], Knowledge] = {}
_opening = threading.Lock()


def open_knowledge(corpus: Path | str | None = None, index: Path | str | None = None) -> Knowledge:
    """The corpus, opened, its index built or refreshed first where it has to be. Kept open within the process."""
    directory, where = _places(corpus, index)
    digest = corpus_digest(directory)
    with _opening:
        opened = _open.get((directory, where))
        if opened is None or opened.digest != digest or opened.rebuilt:
            opened = Knowledge(directory, _ensure(directory, where, digest), digest)
            _open[directory, where] = opened
        return opened


def build_index(
    corpus: Path | str | None = None,
    index: Path | str | None = None,
    *,
    model: str | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Builds or refreshes the index and reports what was done, for people and machines.

    `progress` is called with (texts done, texts in all); without it a bar is drawn on a terminal.
    """
    directory, where = _places(corpus, index)
    start = time.perf_counter()
    with _no_search_for_garbage():
        built = _ensure(directory, where, corpus_digest(directory), model=model, force=force, progress=progress)
    return {
        "directory": str(where),
        "passages": len(built),
        "games": len(built.games),
        "entries": built.manifest["entries"],
        "embedded": built.manifest.get("embedded", 0),
        "reused": built.manifest.get("reused", 0),
        "unlearned": built.manifest.get("unlearned", []),
        "model": built.manifest["model"],
        "seconds": round(time.perf_counter() - start, 3),
    }


@contextlib.contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """A build makes a hundred thousand objects that stay: to go through them again and again takes most of a second."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def index_beside(folder: Path) -> Path:
    """Where the index of a folder lives that is no corpus directory (a BEIR corpus)."""
    return building.default_directory(folder.resolve())


def _places(corpus: Path | str | None, index: Path | str | None) -> tuple[Path, Path]:
    directory = Path(corpus) if corpus is not None else default_corpus_directory()
    if not directory.is_dir():
        raise CorpusError("there is no such corpus folder", "Name one with --corpus or KB_CORPUS", where=directory)
    directory = directory.resolve()
    return directory, Path(index).resolve() if index is not None else building.default_directory(directory)


KEPT = 20_000
"A corpus of more passages is read again rather than kept whole in memory while it is built."


def _ensure(
    directory: Path,
    where: Path,
    digest: str,
    model: str | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Index:
    made: list[Any] = []

    def documents() -> Iterator[Any]:
        if made:
            return iter(made)
        corpus = load_corpus(directory)
        lexicons = {game: load_lexicon(directory / game / "concepts.yaml") for game in corpus.games}
        documents = (document(passage, lexicons[passage.game]) for passage in corpus.passages)
        if len(corpus.passages) > KEPT:
            return documents
        # They are gone through twice: to count what there is to do, and to do it.
        made.extend(documents)
        return iter(made)

    from kb.progress import progress_bar

    with progress_bar("Building the index") as advance:
        return building.ensure(digest, documents, where, model=model, rebuild=force, progress=progress or advance)
