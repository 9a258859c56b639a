"""Starts the browser app: what `kb serve` does."""

from __future__ import annotations

import importlib.util
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import click

from kb.corpus import default_corpus_directory
from kb.errors import KBError, UsageError
from kb.web.settings import streamlit_options

SCRIPT = Path(__file__).parent / "app.py"


def serve(host: str, port: int, open_browser: bool) -> None:
    """Runs the app until it is stopped. `UsageError` where Streamlit is missing, the port taken or no corpus there."""
    if importlib.util.find_spec("streamlit") is None:
        raise UsageError("the browser app needs Streamlit", 'Install it: pip install "rules-kb[app]"')
    folder = default_corpus_directory()
    if not any(folder.glob("*/game.yaml")):
        raise UsageError(f"there is no game in {folder}", "Name a corpus with --corpus; `kb import` makes one")
    _check_free(host, port)
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    _run(host, port, open_browser)


def _check_free(host: str, port: int) -> None:
    """Raises where the address can't be listened on; Streamlit would take another port in silence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(
                f"can't listen on {host} port {port} ({error.strerror})", f"Try: kb serve --port {port + 1}"
            ) from None


def _warm_up() -> None:
    """Opens the corpus and draws an answer of each game while the server starts, so that the first comes at once."""
    from kb.web.site import open_site
    from kb.web.starters import starters
    from kb.web.views.ask import Asked, answer_html

    try:
        site = open_site()
        if site.learnt is not None:
            return  # a first start: whoever waits for a page needs the processor more
        for game, questions in starters(site.knowledge):
            asked = Asked(questions[0], game)
            answer_html(site.knowledge.ask(asked.question, game), asked, site)
    except KBError:
        return  # the page shows it, to whoever opens it


def _run(host: str, port: int, open_browser: bool) -> None:
    from streamlit.net_util import get_internal_ip
    from streamlit.web import cli

    if open_browser:
        for address in _addresses(host, port, get_internal_ip):
            click.echo(f"Rules KB: {address}")
    flags = [f"--{name}={_text(value)}" for name, value in streamlit_options(host, port, open_browser).items()]
    cli.main(["run", str(SCRIPT), *flags], standalone_mode=False)


def _addresses(host: str, port: int, own_ip: Callable[[], str | None]) -> list[str]:
    """Where a browser finds the app; for a wildcard host this machine's name first, then its address in the network."""
    names = ["localhost", own_ip()] if host in ("0.0.0.0", "::") else [host]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}" for name in names if name]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
