"""A real `kb serve` and a real Chromium, for journeys through the app as a browser sees it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kb.build import default_directory
from kb.corpus import default_corpus_directory
from kb.knowledge import open_knowledge

ROOT = Path(__file__).parent.parent.parent
ARTIFACTS = ROOT / "artifacts"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PATIENCE = 120.0
"Seconds for the server to start and to build its index, on a slow machine."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@dataclass(frozen=True)
class App:
    """A running app."""

    url: str
    own: Path
    "The folder of imported games."
    log: Path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium. Without one the journeys are skipped; where KB_BROWSER_REQUIRED is set they fail."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        reason = "no Chromium on this machine: install the package `chromium` to run the browser's journeys"
        if os.environ.get("KB_BROWSER_REQUIRED"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def app(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """`kb serve` on a free port, with an index and a library of its own."""
    folder = tmp_path_factory.mktemp("app")
    write_hostile(folder / "library" / "hostile")
    open_knowledge()  # the journeys are of the app with all its phrasings read, which takes a minute
    shutil.copytree(default_directory(default_corpus_directory()), folder / "index")
    with running(folder) as app:
        yield app


@contextmanager
def running(folder: Path, corpus: Path | None = None) -> Iterator[App]:
    """`kb serve` on a free port; index, library and log are in `folder`."""
    library = folder / "library"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {key: value for key, value in os.environ.items() if key not in ("KB_CORPUS", "KB_NO_IMPORT")}
    env |= {"KB_INDEX": str(folder / "index"), "KB_LIBRARY": str(library), "HF_HUB_OFFLINE": "1"}
    if corpus is not None:
        env["KB_CORPUS"] = str(corpus)
    log = folder / "log.txt"
    command = [sys.executable, "-m", "kb.cli", "serve", "--no-open", "--port", str(port)]
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(url, server, log)
        yield App(url, library, log)
    finally:
        server.terminate()
        server.wait(20)


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Waits until the server answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"kb serve ended with {server.returncode}:\n{log.read_text()}")
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"kb serve did not come up:\n{log.read_text()}")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Visitor:
    """One person with a browser window."""

    page: Any
    app: App
    requests: list[str]
    errors: list[str]

    def go(self, address: str) -> None:
        """Opens an address and waits until the page is drawn whole."""
        self.page.goto(f"{self.app.url}/{address}")
        self.drawn()

    def drawn(self) -> None:
        """Waits until the page's foot is there and nothing is being drawn."""
        self.page.wait_for_selector(".foot", timeout=PATIENCE * 1000)
        self.page.wait_for_function("!document.querySelector('[data-test-script-state=running]')", timeout=30_000)

    def ask(self, question: str) -> None:
        box = self.page.get_by_role("textbox", name="Your question")
        box.fill(question)
        box.press("Enter")
        self.page.wait_for_selector(f'.answer[data-question="{question}"]', timeout=30_000)

    def follow(self, name: str, within: str = "body", exact: bool = False) -> None:
        """Follows a link by its words."""
        self.page.locator(within).get_by_role("link", name=name, exact=exact).first.click()

    @property
    def query(self) -> str:
        return str(self.page.evaluate("location.search"))

    @property
    def path(self) -> str:
        return str(self.page.evaluate("location.pathname"))

    def text(self, selector: str = "body") -> str:
        return str(self.page.inner_text(selector))

    def outside(self) -> list[str]:
        """Requests that went anywhere but to the app."""
        return [url for url in self.requests if not url.startswith((self.app.url, "data:", "blob:"))]


@pytest.fixture
def visit(app: App, browser: Any) -> Iterator[Any]:
    """Makes visitors: `visit(width=390, scheme="dark")`."""
    with visiting(app, browser) as make:
        yield make


@contextmanager
def visiting(app: App, browser: Any) -> Iterator[Any]:
    """Makes visitors of an app, until the end."""
    contexts = []

    def make(width: int = 1280, height: int = 900, scheme: str = "light", **more: Any) -> Visitor:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **more)
        contexts.append(context)
        page = context.new_page()
        visitor = Visitor(page, app, [], [])
        page.on("request", lambda request: visitor.requests.append(request.url))
        page.on("pageerror", lambda error: visitor.errors.append(str(error)))
        page.on("dialog", lambda dialog: (visitor.errors.append("dialog"), dialog.dismiss()))
        return visitor

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def newcomer(chromium: str, browser: Any, tmp_path: Path) -> Iterator[Visitor]:
    """Somebody at an app that has just been started and has no index yet.

    Its corpus has one phrasing in eight, still thousands: to read all of them takes minutes beside other work.
    """
    corpus = shutil.copytree(default_corpus_directory(), tmp_path / "corpus")
    for file in corpus.glob("*/asks.yaml"):
        file.write_text(one_in_eight(file.read_text(encoding="utf-8")), encoding="utf-8")
    with running(tmp_path, corpus) as app, visiting(app, browser) as make:
        yield make()


def one_in_eight(asks: str) -> str:
    """Every eighth phrasing, and each list's first."""
    kept = []
    place = 0
    for line in asks.splitlines(keepends=True):
        is_phrasing = line.lstrip().startswith('- "')
        place = place + 1 if is_phrasing else -1
        if not is_phrasing or place % 8 == 0:
            kept.append(line)
    return "".join(kept)


@pytest.fixture
def visitor(visit: Any) -> Visitor:
    """Somebody at a desk."""
    made: Visitor = visit()
    return made


HOSTILE = """\
---
title: "<script>window.pwned = 1</script> Rules"
kind: rule
source: rulebook
---
# Rules

## Casting <img src=x onerror="window.pwned=1"> a hex {#hex}

A witch casts a hex <script>window.pwned = 1</script> on her foe. <img src="http://beacon.invalid/a.png">
![a beacon](http://beacon.invalid/b.png) and [a trap](javascript:window.pwned=1) and [another](data:text/html,x)
and <a href="javascript:window.pwned=1">a third</a> and [a web page](https://example.org/page).

## The end of a hex {#hex-ends}

A hex ends when the witch sleeps.
"""
GLOSSARY = """\
---
title: "Glossary"
kind: term
source: rulebook
---
# Glossary

## Witch {#witch aliases="<script>window.pwned=1</script>|crone"}

A witch is "><script>window.pwned = 1</script> a model that casts.
"""


def write_hostile(folder: Path) -> None:
    """A game whose texts try to run scripts and to load pictures from elsewhere."""
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(
        'game: hostile\ntitle: "Hexes <script>window.pwned=1</script>"\n'
        'owner: "Nobody\'s <img src=http://beacon.invalid/c.png>."\n'
        'sources: {rulebook: {authority: rulebook, document: "<b onmouseover=window.pwned=1>Book</b>"}}\n'
    )
    (folder / "rules.md").write_text(HOSTILE)
    (folder / "glossary.md").write_text(GLOSSARY)
