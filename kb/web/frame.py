"""What several pages have at their head: the choice of game, as links, so that it is part of the address."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kb.web.site import Site
from kb.web.template import fill


def game_choice(site: Site, page: str, **parameters: Any) -> list[str]:
    """Shows the games to choose from and returns those that are chosen: one, or all."""
    wanted = st.query_params.get("game", "")
    chosen = site.knowledge.game(wanted).name if wanted else ""
    games = site.knowledge.games
    if len(games) > 1:
        options = [("", "All games"), *((name, game.title) for name, game in games.items())]
        choices = [(title, site.url(page, **parameters, game=name), name == chosen) for name, title in options]
        st.html(fill("chips", label="Game", choices=choices))
    return [chosen] if chosen else list(games)
