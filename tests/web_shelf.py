"""A corpus without an index: enough to draw pages from, and opened in a moment."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from kb.answer import Answer
from kb.corpus import default_corpus_directory
from kb.index import Index
from kb.knowledge import Knowledge
from kb.passage import Passage
from kb.web.site import Site


class Shelf(Knowledge):
    """Reads passages from the corpus itself; answers are put in beforehand."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, cast(Index, SimpleNamespace(root=None)), "shelf")
        self.answers: dict[str, Answer] = {}
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []

    def passages(self, game: str) -> tuple[Passage, ...]:
        return tuple(p for p in self.corpus.passages if p.game == game)

    def passage(self, passage_id: str) -> Passage | None:
        return self.corpus.by_id.get(passage_id)

    def ask(self, question: str, game: str | None = None, **options: Any) -> Answer:
        self.asked.append((question, game, options))
        return self.answers.get(question) or Answer(question, game, "silent", "The rules here are silent on this.")


def site(directory: Path | None = None, library: str = "") -> Site:
    """A site on the bundled corpus, or on another."""
    return Site(Shelf(directory or default_corpus_directory()), library)


def write_game(root: Path, name: str, **pages: str) -> Path:
    """A small game: `write_game(tmp_path, "toy", rules="## A rule {#a}\\n\\nText.")`."""
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(
        f"game: {name}\ntitle: {name.capitalize()}\nsources: {{book: {{authority: rulebook, document: Book}}}}\n"
        "capitalised_terms: true\n"
    )
    for page, text in pages.items():
        kind = "term" if page == "glossary" else "rule"
        (folder / f"{page}.md").write_text(f"---\ntitle: {page.capitalize()}\nkind: {kind}\n---\n{text}\n")
    return root
