"""Rulings: every FAQ entry and ruling, filtered."""

from __future__ import annotations

import streamlit as st

from kb.web import links
from kb.web.frame import game_choice
from kb.web.site import Site
from kb.web.views.rulings import Filter, rulings_html


def draw(site: Site) -> None:
    """The table; its filters stand in the address."""
    params = st.query_params
    wanted = Filter(params.get("state", ""), params.get("authority", ""), params.get("by", ""))
    games = game_choice(site, links.RULINGS, state=wanted.state, authority=wanted.authority)
    st.html(rulings_html(site, games, wanted, params.get("game", "")))
