"""The browser app: its pages, what frames them, and how a fault is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from kb.errors import KBError
from kb.web import links
from kb.web.screens import ask, bench, glossary, imports, rules, rulings
from kb.web.settings import NAME, imports_allowed
from kb.web.site import OWN, Site, is_open, open_site, own_library_has_games
from kb.web.template import fill
from kb.web.wire import wire

STYLE = Path(__file__).parent / "style.css"
_log = logging.getLogger(__name__)
ICON = Path(__file__).parent / "icon.svg"


@dataclass(frozen=True, slots=True)
class Entry:
    """One page of the app."""

    path: str
    title: str
    draw: Callable[[Site], None]


def entries() -> tuple[Entry, ...]:
    """The pages, in the order of the menu."""
    always = (
        Entry(links.ASK, "Ask", ask.draw),
        Entry(links.GLOSSARY, "Glossary", glossary.draw),
        Entry(links.RULES, "Rules", rules.draw),
        Entry(links.RULINGS, "Rulings", rulings.draw),
        Entry(links.BENCH, "Bench", bench.draw),
    )
    return (*always, Entry(links.IMPORT, "Import", imports.draw)) if imports_allowed() else always


def main() -> None:
    """Draws the page that the address names. Streamlit calls it for every draw."""
    st.set_page_config(page_title=NAME, page_icon=str(ICON), layout="centered")
    st.html(_style())
    current = st.navigation([_page(entry) for entry in entries()], position="hidden")
    wire(_place(current.url_path), st.query_params.get("at", "").partition("#")[2], focus=not current.url_path)
    current.run()


@cache
def _style() -> str:
    # With the empty element Streamlit puts the style before the page: alone it would come after, and all would jump.
    return f"<style>{STYLE.read_text(encoding='utf-8')}</style><span class='style'></span>"


def _page(entry: Entry) -> Any:
    def draw() -> None:
        _framed(entry)

    return st.Page(draw, title=f"{entry.title} · {NAME}", url_path=entry.path or None, default=not entry.path)


def show(path: str) -> None:
    """Draws one page in its frame: what `main` does for the page that the address names."""
    _framed(next(entry for entry in entries() if entry.path == path))


def _framed(entry: Entry) -> None:
    """The page between header and footer; a fault in its place, in words where a user can mend it."""
    library = OWN if st.query_params.get("library") == OWN and own_library_has_games() else ""
    home = links.url(links.ASK, library=library)
    st.html(fill("header", name=NAME, home=home, pages=_menu(entry, library), libraries=_libraries(entry, library)))
    site, trouble = _guarded(lambda: _open(library))
    if site is not None:
        if site.trouble is not None:
            st.html(fill("stale", error=site.trouble))
        if site.learnt is not None:
            _learning(library)
        _, trouble = _guarded(lambda: entry.draw(site))
    if trouble is not None:
        st.html(fill("error", error=trouble))
    st.html(fill("footer", games=list(site.knowledge.games.values()) if site else []))


def _open(library: str) -> Site:
    """The library, opened. Building an index takes a while the first time: that is said."""
    if is_open(library):
        return open_site(library)
    place = st.empty()
    place.html('<p class="nothing" role="status">Reading the rules …</p>')
    try:
        return open_site(library)
    finally:
        place.empty()


@st.fragment(run_every=1.0)
def _learning(library: str) -> None:
    """Says that answers do without the players' phrasings still; draws the page anew once they are there."""
    learnt = open_site(library).learnt
    if learnt is None:
        st.rerun()
    st.html(fill("learning", percent=int(100 * learnt)))


def _libraries(entry: Entry, library: str) -> list[tuple[str, str, bool]]:
    """The choice between the corpus that the app came with and what was imported, where something was."""
    if entry.path == links.IMPORT or not own_library_has_games():
        return []
    choices = (("Bundled rules", ""), ("Your library", OWN))
    return [(words, links.url(entry.path, library=name), name == library) for words, name in choices]


Made = TypeVar("Made")


def _guarded(make: Callable[[], Made]) -> tuple[Made | None, KBError | None]:
    """(what was made, None) or (None, the fault). Only a fault of ours goes into the server's log."""
    try:
        return make(), None
    except KBError as error:
        return None, error
    except Exception:
        _log.exception("a page could not be drawn")
        return None, KBError("something went wrong that should not have", "The server's log says what")


def _menu(current: Entry, library: str) -> list[dict[str, Any]]:
    """The menu keeps the library and the game that are looked at."""
    game = st.query_params.get("game", "")
    return [
        {
            "title": entry.title,
            "href": links.url(entry.path, game=game, library=library),
            "current": entry.path == current.path,
        }
        for entry in entries()
    ]


def _place(path: str) -> str:
    """The address as one text: when it changes, another place is shown."""
    return links.address(path, st.query_params.to_dict())


if __name__ == "__main__":
    main()
