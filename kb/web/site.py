"""What a page is drawn from: one library, opened, with the addresses of its passages and terms."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.corpus import corpus_files, default_corpus_directory
from kb.knowledge import Knowledge, open_knowledge
from kb.passage import Passage
from kb.web import links
from kb.web.settings import own_library

OWN = "own"
"Name of the library that holds what was imported in the browser."


@dataclass(frozen=True)
class Site:
    """A library as the browser shows it."""

    knowledge: Knowledge
    library: str = ""
    "Empty for the corpus that the app was started with, else OWN."

    def url(self, page: str, **parameters: Any) -> str:
        """An address in this library."""
        return links.address(page, {**parameters, "library": self.library})

    def passage_url(self, passage_id: str) -> str:
        """Where a passage is read: a term in the glossary, everything else on its page."""
        passage = self.knowledge.passage(passage_id)
        if passage is None:
            return self.page_url(passage_id)
        if passage.kind in ("term", "undefined"):
            return self.url(links.GLOSSARY, game=passage.game, term=passage.anchor)
        return self.url(links.RULES, at=passage.id)

    def page_url(self, page_id: str) -> str:
        """Where a page (`game/page`) is read."""
        return self.url(links.RULES, at=page_id)

    def title(self, passage_id: str) -> str:
        passage = self.knowledge.passage(passage_id)
        return passage.title if passage else passage_id

    def passage(self, passage_id: str) -> Passage | None:
        return self.knowledge.passage(passage_id)


def own_library_has_games() -> bool:
    """Whether something was imported in the browser."""
    return any(own_library().glob("*/game.yaml"))


def open_site(library: str = "") -> Site:
    """The library, its index built or refreshed where its files have changed."""
    if library == OWN and own_library_has_games():
        folder = own_library()
        return Site(_fresh(folder, folder.parent / f"{folder.name}-index"), OWN)
    return Site(_fresh(default_corpus_directory(), None))


Stamp = tuple[tuple[str, int, int], ...]
_opened: dict[Path, tuple[Stamp, Knowledge]] = {}
_lock = threading.Lock()


def _fresh(corpus: Path, index: Path | None) -> Knowledge:
    """The opened corpus. Its files are read again only when one of them looks changed, so that a draw costs little."""
    stamp = _stamp(corpus)
    with _lock:
        known = _opened.get(corpus)
    if known is not None and stamp and known[0] == stamp:
        return known[1]
    knowledge = open_knowledge(corpus, index)
    with _lock:
        _opened[corpus] = (stamp, knowledge)
    return knowledge


def _stamp(corpus: Path) -> Stamp:
    """Name, time and size of every file that an opened corpus is made from."""
    examples = corpus.glob("*/examples/**/*.y*ml")
    files = [*corpus_files(corpus), *examples, *corpus.glob("*/coverage.yaml")]
    return tuple((str(path), stat.st_mtime_ns, stat.st_size) for path in files for stat in [path.stat()])


def game_titles(knowledge: Knowledge) -> Mapping[str, str]:
    """Game name -> title, in the corpus's order."""
    return {name: game.title for name, game in knowledge.games.items()}
