"""The browser app: its pages, what frames them, and how a fault is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from kb.errors import KBError
from kb.web import links
from kb.web.screens import ask, bench, glossary, rules, rulings
from kb.web.settings import NAME
from kb.web.site import OWN, Site, open_site
from kb.web.template import fill
from kb.web.wire import followed, wire

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
    return (
        Entry(links.ASK, "Ask", ask.draw),
        Entry(links.GLOSSARY, "Glossary", glossary.draw),
        Entry(links.RULES, "Rules", rules.draw),
        Entry(links.RULINGS, "Rulings", rulings.draw),
        Entry(links.BENCH, "Bench", bench.draw),
    )


def main() -> None:
    """Draws the page that the address names. Streamlit calls it for every draw."""
    st.set_page_config(page_title=NAME, page_icon=str(ICON), layout="centered")
    st.html(f"<style>{STYLE.read_text(encoding='utf-8')}</style>")
    shown = entries()
    pages = {entry.path: _page(entry) for entry in shown}
    current = st.navigation(list(pages.values()), position="hidden")
    link = followed()
    if link is not None and link[0] in pages:
        st.switch_page(pages[link[0]], query_params=link[1])
    current.run()


def _page(entry: Entry) -> Any:
    def draw() -> None:
        _framed(entry)

    return st.Page(draw, title=f"{entry.title} · {NAME}", url_path=entry.path or None, default=not entry.path)


def _framed(entry: Entry) -> None:
    """The page between header and footer; a fault in its place, in words where a user can mend it."""
    st.session_state["to"] = ""
    site, trouble = _guarded(_open)
    st.html(fill("header", name=NAME, site=site, pages=_menu(entry, site)))
    if site is not None:
        _, trouble = _guarded(lambda: entry.draw(site))
    if trouble is not None:
        st.html(fill("error", error=trouble))
    st.html(fill("footer", games=list(site.knowledge.games.values()) if site else []))
    wire(_place(entry), str(st.session_state["to"]), focus=not entry.path)


def _open() -> Site:
    library = st.query_params.get("library", "")
    return open_site(library if library == OWN else "")


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


def _menu(current: Entry, site: Site | None) -> list[dict[str, Any]]:
    """The menu keeps the library and the game that are looked at."""
    game = st.query_params.get("game", "")
    return [
        {
            "title": entry.title,
            "href": site.url(entry.path, game=game) if site else links.url(entry.path),
            "current": entry.path == current.path,
        }
        for entry in entries()
    ]


def _place(entry: Entry) -> str:
    """The address as one text: when it changes, another place is shown."""
    return links.address(entry.path, st.query_params.to_dict())


if __name__ == "__main__":
    main()
