"""The app's own script in the browser: links that keep the session, copy buttons, keys, where the window goes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st


@cache
def _component() -> Any:
    """Registered once per process; Streamlit hands it to each session."""
    script = (Path(__file__).parent / "wire.js").read_text(encoding="utf-8")
    return st.components.v2.component("rules-kb-wire", js=script, isolate_styles=False)


def wire(place: str, to: str = "", focus: bool = False) -> None:
    """Puts the script on the page. When `place` changes the window goes to the element `to`, else to the top.

    It stands before the page itself, so that it stays the same one when the page changes. `focus` puts the cursor into
    the question box.
    """
    _component()(key="wire", data={"place": place, "to": to, "focus": focus})
