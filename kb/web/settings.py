"""How the app is set up: Streamlit's options, and what whoever runs it can switch off by environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

NAME = "Rules KB"
LONGEST_QUESTION = 2000
"Characters of a question; the rest of a longer one is not taken."
MOST_PASSAGES = 20
"Passages that an answer in the browser shows at most."

LIGHT = {
    "base": "light",
    "primaryColor": "#2b4c7e",
    "backgroundColor": "#fcfbf8",
    "secondaryBackgroundColor": "#f2efe8",
    "textColor": "#23211e",
    "borderColor": "#d9d3c7",
    "linkColor": "#2b4c7e",
}
DARK = {
    "base": "dark",
    "primaryColor": "#41689f",
    "backgroundColor": "#181715",
    "secondaryBackgroundColor": "#24221f",
    "textColor": "#ece8e1",
    "borderColor": "#3d3933",
    "linkColor": "#9dbdec",
}
SHAPES: dict[str, str | bool] = {
    "baseRadius": "6px",
    "buttonRadius": "6px",
    "showWidgetBorder": True,
    "linkUnderline": True,
}


def streamlit_options(host: str, port: int, open_browser: bool) -> dict[str, str | int | bool]:
    """The options that the server is started with, by their dotted names."""
    return {
        "server.address": host,
        "server.port": port,
        "server.headless": not open_browser,
        # Where a browser is opened Streamlit advertises in the page; the same option takes its addresses from the
        # terminal, so `kb serve` prints them.
        "logger.hideWelcomeMessage": open_browser,
        **fixed_options(),
    }


def fixed_options() -> dict[str, str | int | bool]:
    """The options that do not depend on where the app runs: `.streamlit/config.toml` has the same ones."""
    return {
        "server.fileWatcherType": "none",
        "server.showEmailPrompt": False,
        "server.maxUploadSize": upload_megabytes(),
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "runner.magicEnabled": False,
        **{f"theme.{key}": value for key, value in SHAPES.items()},
        **{f"theme.light.{key}": value for key, value in LIGHT.items() if key != "base"},
        **{f"theme.dark.{key}": value for key, value in DARK.items() if key != "base"},
    }


def imports_allowed(environ: Mapping[str, str] = os.environ) -> bool:
    """False where whoever runs the app has set KB_NO_IMPORT."""
    return environ.get("KB_NO_IMPORT", "").strip().lower() in ("", "0", "false", "no")


def upload_megabytes(environ: Mapping[str, str] = os.environ) -> int:
    """The largest file that may be uploaded: KB_UPLOAD_MB, else 50."""
    text = environ.get("KB_UPLOAD_MB", "")
    return max(1, int(text)) if text.isdigit() else 50


def own_library(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder with what was imported in the browser: KB_LIBRARY, else one in the user's data directory."""
    named = environ.get("KB_LIBRARY")
    return Path(named) if named else user_data_path("rules-kb") / "library"
