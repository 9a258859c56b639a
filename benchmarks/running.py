"""A running app and a browser for `pictures.py` and `browsers.py`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


def chromium() -> str:
    """The path of Chromium, or the end of the program with what to do."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        sys.exit("no Chromium on this machine: install the package `chromium`")
    return found


@contextmanager
def running_app(cache: Path | None = None) -> Iterator[tuple[str, int]]:
    """`kb serve` on a free port, without anything imported; yields its address and process id.

    `cache` stands for the user's cache directory, with the index and the encoder; without one it is the real one.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "KB_LIBRARY": f"{folder}/library", "HF_HUB_OFFLINE": "1"}
        if cache is not None:
            env = {key: value for key, value in env.items() if key != "KB_INDEX"} | {"XDG_CACHE_HOME": str(cache)}
        command = [sys.executable, "-m", "kb.cli", "serve", "--no-open", "--port", str(port)]
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait(url, server)
            yield url, server.pid
        finally:
            server.terminate()
            server.wait(20)


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("kb serve did not come up")
