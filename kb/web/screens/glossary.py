"""Glossary: A to Z, a term's page, the neighbourhood of a term."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from kb.web import links
from kb.web.frame import game_choice
from kb.web.site import Site
from kb.web.views.glossary import NEIGHBOURS, find_term, gaps_html, list_html, picture, term_html


def draw(site: Site) -> None:
    """The list, or the page of the term that the address names."""
    name = st.query_params.get("term", "").strip()
    games = game_choice(site, links.GLOSSARY) if not name else _games(site)
    if name:
        term = find_term(site, name, games)
        st.html(term_html(site, term))
        _picture(site, picture(site, term))
        return
    _list(site, games)
    if gaps := gaps_html(site, games):
        st.html(gaps)


@st.fragment
def _list(site: Site, games: list[str]) -> None:
    """The list with its filter: only this part is drawn again while somebody types."""
    with st.container(key="find"):
        wanted = st.text_input("Find a term", key="term_filter", type="search", live=True, placeholder="Find a term")
    st.html(list_html(site, games, wanted or ""))


def _games(site: Site) -> list[str]:
    game = st.query_params.get("game", "")
    return [site.knowledge.game(game).name] if game else list(site.knowledge.games)


@cache
def _component() -> Any:
    script = (Path(__file__).parent.parent / "picture.js").read_text(encoding="utf-8")
    return st.components.v2.component("rules-kb-picture", js=script, isolate_styles=False)


def _picture(site: Site, data: dict[str, Any]) -> None:
    """The picture's height is known before it is drawn, so that nothing below it moves."""
    if not data["left"] and not data["right"]:
        return
    with st.container(key="picture"):
        st.html('<h2 class="label">Neighbourhood</h2>')
        rows = min(NEIGHBOURS, max(len(data["left"]), len(data["right"])))
        _component()(key="neighbourhood", data=data, height=44 * rows + 16)
