"""Ask: a question, Enter, the answer."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from kb.errors import UsageError
from kb.web.settings import LONGEST_QUESTION, MOST_PASSAGES
from kb.web.site import Site
from kb.web.starters import starters
from kb.web.views.ask import Asked, answer_html, welcome_html

ANY = ""
KEPT = 20
"Questions of this session that are listed."


def draw(site: Site) -> None:
    """The page. Its address holds the question, so that a link brings the answer back."""
    asked = _from_address(site)
    _form(site, asked)
    if not asked.question:
        st.html(welcome_html(site, starters(site.knowledge, asked.game), _history()))
        return
    answer = site.knowledge.ask(asked.question, asked.game or None, k=asked.k, as_printed=asked.as_printed)
    _remember(asked)
    st.html(answer_html(answer, asked, site, [other for other in _history() if other != asked]))


def _from_address(site: Site) -> Asked:
    params = st.query_params
    game = params.get("game", ANY)
    if game:
        game = site.knowledge.game(game).name
    k = params.get("k", "5")
    if not k.isdigit() or not 1 <= int(k) <= MOST_PASSAGES:
        raise UsageError(f"k is {k!r} in this address", f"It is a number of passages, 1 to {MOST_PASSAGES}")
    question = params.get("q", "").strip()[:LONGEST_QUESTION]
    return Asked(question, game, int(k), params.get("printed") == "1")


def _form(site: Site, asked: Asked) -> None:
    """The question box and the choice of game. They show what the address holds, and what is entered goes into it."""
    state = st.session_state
    if state.get("ask_shown") != asked or "question" not in state:
        state["question"], state["game"], state["ask_shown"] = asked.question, asked.game, asked
    with st.container(key="find"), st.form("ask", border=False):
        st.text_input(
            "Your question",
            key="question",
            placeholder="May I … while I am engaged?",
            max_chars=LONGEST_QUESTION,
            autocomplete="off",
        )
        st.form_submit_button("Ask", type="primary", on_click=_entered)
    titles = {ANY: "Any game", **{name: game.title for name, game in site.knowledge.games.items()}}
    if len(titles) > 2:
        st.pills(
            "Game",
            list(titles),
            key="game",
            format_func=titles.__getitem__,
            label_visibility="collapsed",
            required=True,
            on_change=_entered,
        )


def _entered() -> None:
    """Puts what was entered into the address, before the page is drawn from it."""
    state = st.session_state
    shown: Asked = state["ask_shown"]
    now = Asked(str(state["question"] or "").strip(), state.get("game") or ANY)
    if now.question == shown.question:
        now = replace(now, k=shown.k, as_printed=shown.as_printed)
    state["ask_shown"] = now
    parameters = {
        "q": now.question,
        "game": now.game,
        "k": "" if now.k == 5 else str(now.k),
        "printed": "1" if now.as_printed else "",
        "library": st.query_params.get("library", ""),
    }
    st.query_params.from_dict({key: value for key, value in parameters.items() if value})


def _history() -> list[Asked]:
    """What this session has asked, the latest first."""
    found: list[Asked] = st.session_state.setdefault("history", [])
    return found


def _remember(asked: Asked) -> None:
    others = [other for other in _history() if (other.question, other.game) != (asked.question, asked.game)]
    st.session_state["history"] = [asked, *others][:KEPT]
