"""`kb lint`: checks a corpus for what imports and edits break. The list of checks is the documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kb import lint_claims, lint_corpus, lint_text
from kb.corpus import Corpus, Game, default_corpus_directory, load_corpus
from kb.errors import CorpusError, UsageError
from kb.lint_record import Fault, Subject
from kb.passage import Passage

Check = Callable[[Subject], Iterable[Fault]]

TEXT_CHECKS: tuple[Check, ...] = (
    lint_text.placeholders,
    lint_text.empty_brackets,
    lint_text.fused_tooltips,
    lint_text.broken_words,
    lint_text.mid_sentence,
    lint_text.characters,
)
"What copying, converting and decoding leave behind in a text."

CORPUS_CHECKS: tuple[Check, ...] = (
    lint_corpus.tables,
    lint_corpus.copies,
    lint_corpus.languages,
    lint_corpus.references,
    lint_corpus.undefined_terms,
    lint_corpus.unused_terms,
    lint_corpus.rulings,
    lint_corpus.cycles,
    lint_corpus.pins,
    lint_claims.claims,
)
"What is wrong between passages."

CHECKS: tuple[Check, ...] = (*TEXT_CHECKS, *CORPUS_CHECKS)


def lint(directory: Path | None = None, game: str | None = None) -> list[Fault]:
    """All faults of a corpus folder, or of one game's folder, ordered by file and line.

    A corpus that can't be read is a fault too: the one that the reader stumbled over.
    """
    root, only = _places(directory, game)
    try:
        corpus = load_corpus(root)
    except CorpusError as error:
        return [_unreadable(error, root)]
    if only is not None:
        only = corpus.game(only).name
    faults = [
        fault
        for name, each in corpus.games.items()
        if only in (None, name)
        for fault in lint_game(corpus, each, [p for p in corpus.passages if p.game == name])
    ]
    return sorted(set(faults), key=lambda fault: (fault.file, fault.line, fault.check, fault.what))


def lint_game(corpus: Corpus, game: Game, passages: Iterable[Passage], checks: Iterable[Check] = CHECKS) -> list[Fault]:
    """The faults of one game."""
    subject = Subject(corpus, game, tuple(passages), dict(_files(corpus, game)))
    return [fault for check in checks for fault in check(subject)]


def _places(directory: Path | None, game: str | None) -> tuple[Path, str | None]:
    """The corpus folder and the game meant: a folder with a game.yaml is a game's."""
    root = directory or default_corpus_directory()
    if not root.is_dir():
        raise UsageError(f"there is no folder {str(root)!r}", "Name a corpus folder, or a game's folder in one")
    if (root / "game.yaml").is_file():
        return root.resolve().parent, game or root.resolve().name
    return root, game


def _files(corpus: Corpus, game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    for path in sorted((corpus.directory / game.name).rglob("*.md")):
        file = path.relative_to(corpus.directory).as_posix()
        yield file, tuple(path.read_text(encoding="utf-8-sig").splitlines())


def _unreadable(error: CorpusError, root: Path) -> Fault:
    file = (error.where or str(root)).removeprefix(f"{root}/")
    return Fault("readable", file, error.line or 1, re.sub(r"\s+", " ", error.found), error.mend or "Mend the file")
