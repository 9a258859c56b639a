"""The app's own script in the browser, and what it reports: a link inside the app that was followed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st


@cache
def _component() -> Any:
    """Registered once per process; Streamlit hands it to each session."""
    script = (Path(__file__).parent / "wire.js").read_text(encoding="utf-8")
    return st.components.v2.component("rules-kb-wire", js=script, isolate_styles=False)


def wire(place: str, to: str = "", focus: bool = False) -> tuple[str, dict[str, str]] | None:
    """Puts the script on the page, and returns (page, query parameters) of the link that was just followed.

    It stands before the page itself, so that it stays the same one when the page changes. When `place` changes the
    window goes to the element `to`, else to the top; `focus` puts the cursor into the question box.
    """
    data = {"place": place, "to": to, "focus": focus}
    target = _component()(key="wire", data=data, on_go_change=lambda: None).go
    return (str(target["page"]), dict(parse_qsl(str(target["query"])))) if target else None
