"""Rules: a page of a game's texts, with anchors."""

from __future__ import annotations

import streamlit as st

from kb.errors import UsageError
from kb.web import links
from kb.web.frame import game_choice
from kb.web.site import Site
from kb.web.views.rules import contents_html, page_html


def draw(site: Site) -> None:
    """The page that `at` names (`game/page#anchor`), else the list of pages."""
    at = st.query_params.get("at", "").strip()
    if not at:
        st.html(contents_html(site, game_choice(site, links.RULES)))
        return
    path, _, anchor = at.partition("#")
    name, _, page = path.partition("/")
    game = site.knowledge.game(name).name
    known = [key for key, _ in site.knowledge.corpus.games[game].pages]
    if page not in known:
        raise UsageError(f"{game} has no page {page!r}", f"Its pages are: {', '.join(known)}")
    if anchor and site.passage(at) is None:
        st.html('<p class="notice">This page has no passage of that name; perhaps it has moved.</p>')
        anchor = ""
    st.html(page_html(site, game, page, anchor))
