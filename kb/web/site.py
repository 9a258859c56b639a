"""What a page is drawn from: one library, opened, with the addresses of its passages and terms."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from kb.corpus import default_corpus_directory
from kb.errors import KBError
from kb.knowledge import Knowledge, open_first, open_knowledge
from kb.passage import Passage
from kb.web import links
from kb.web.learning import build_beside
from kb.web.settings import own_library

OWN = "own"
"Name of the library that holds what was imported in the browser."


@dataclass(frozen=True)
class Site:
    """A library as the browser shows it."""

    knowledge: Knowledge
    holding: str = ""
    "Empty for the corpus that the app was started with, else OWN."
    trouble: KBError | None = None
    "Why the corpus as it is on disk now can't be shown; what is shown is the last good one."
    learnt: float | None = None
    "What share of the players' phrasings is read, while a first index is built; None when all are."

    def url(self, page: str, **parameters: Any) -> str:
        """An address in this library."""
        return links.address(page, {**parameters, "library": self.holding})

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


def own_index() -> Path:
    """Where the index of the own library lives: beside it."""
    folder = own_library()
    return folder.with_name(f"{folder.name}-index")


def open_site(library: str = "") -> Site:
    """The library, its index built or refreshed where its files have changed."""
    if library == OWN and own_library_has_games():
        opened = _fresh(own_library(), own_index())
        return Site(opened.knowledge, OWN, opened.trouble, opened.learnt)
    opened = _fresh(default_corpus_directory(), None)
    return Site(opened.knowledge, "", opened.trouble, opened.learnt)


Stamp = tuple[tuple[str, int, int], ...]
PATIENCE = 2.0
"Seconds that a page waits for a changed corpus; after that it is drawn from what was there, and the next one asks."

MOST_WARMED = 8
"Games of a library that are made ready before they are asked for."


@dataclass(frozen=True, slots=True)
class _Opened:
    """A corpus, opened."""

    stamp: Stamp
    "Of the files when they were last looked at."
    knowledge: Knowledge
    trouble: KBError | None = None
    "Why the files as they are now can't be used: then `knowledge` is of the last good ones."
    learnt: float | None = None
    "While `knowledge` lacks the players' phrasings: the share of them that is read."


_opened: dict[Path, _Opened] = {}
_refreshing: dict[Path, threading.Thread] = {}
_lock = threading.Lock()
_opening = threading.Lock()


def is_open(library: str = "") -> bool:
    """Whether the library has been opened, so that a page of it is drawn at once."""
    return (own_library() if library == OWN else default_corpus_directory()) in _opened


def _fresh(corpus: Path, index: Path | None) -> _Opened:
    """The opened corpus. Its files are read again only when one of them looks changed, so that a draw costs little."""
    stamp = _stamp(corpus)
    known = _opened.get(corpus)
    if known is None:
        with _opening:
            if corpus not in _opened:
                _open(corpus, index, stamp)
    elif known.learnt is None and (known.stamp != stamp or known.knowledge.rebuilt):
        _refresh(corpus, index, stamp).join(PATIENCE)
    return _opened[corpus]


def _open(corpus: Path, index: Path | None, stamp: Stamp) -> None:
    """Opens a corpus; where there is no index yet, without the players' phrasings first, and these follow."""
    first = open_first(corpus, index)
    if first is None:
        _opened[corpus] = _Opened(stamp, _warmed(open_knowledge(corpus, index)))
    else:
        _opened[corpus] = _Opened(stamp, first, learnt=0.0)
        _refresh(corpus, index, stamp)


def _refresh(corpus: Path, index: Path | None, stamp: Stamp) -> threading.Thread:
    """Opens a changed corpus in the background; everybody goes on with the old one until that is done."""
    with _lock:
        running = _refreshing.get(corpus)
        if running is None or not running.is_alive():
            running = threading.Thread(target=_reopen, args=(corpus, index, stamp), name="refresh", daemon=True)
            _refreshing[corpus] = running
            running.start()
        return running


def _reopen(corpus: Path, index: Path | None, stamp: Stamp) -> None:
    old = _opened[corpus].knowledge
    try:
        if _opened[corpus].learnt is not None:
            build_beside(corpus, index, partial(_learn, corpus))  # where that fails, `open_knowledge` says why
        knowledge = open_knowledge(corpus, index)
        if knowledge is old:
            # Only files that are not indexed have changed (worked examples): the index is good, what was derived isn't.
            knowledge = Knowledge(old.directory, old.index, old.digest)
        _opened[corpus] = _Opened(stamp, _warmed(knowledge))
    except KBError as error:
        _opened[corpus] = _Opened(stamp, old, error)


def _learn(corpus: Path, done: int, total: int) -> None:
    _opened[corpus] = replace(_opened[corpus], learnt=done / max(1, total))


def _warmed(knowledge: Knowledge) -> Knowledge:
    """Has a question answered in each game, so that all that is read once is read before anybody waits for it."""
    for game in list(knowledge.games)[:MOST_WARMED]:
        with contextlib.suppress(Exception):  # what is wrong with one game shows when that one is asked
            knowledge.ask("May I move?", game)
    # Streamlit collects garbage after every draw: it need not look through what is here to stay (0.1 s each time).
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return knowledge


def _stamp(corpus: Path) -> Stamp:
    """Name, time and size of every file of a corpus."""
    found = []
    for folder, _, names in os.walk(corpus):
        for name in names:
            with contextlib.suppress(OSError):  # a file that goes away while we look is seen next time
                stat = os.stat(os.path.join(folder, name))
                found.append((f"{folder}/{name}", stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(found))
