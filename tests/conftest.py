"""Fixtures that several test modules share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from kb.corpus import Corpus, load_corpus
from kb.engine import plugins

pytest_plugins = ["pytester"]
TOY = Path(__file__).parent / "toy"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """The one-page toy game's corpus; its procedures come by the entry point that a plug-in package would have."""
    monkeypatch.syspath_prepend(TOY)
    point = EntryPoint(name="toy", value="toy_rules", group=plugins.GROUP)
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point] if group == plugins.GROUP else [])
    plugins.forget()
    yield load_corpus(TOY / "corpus")
    plugins.forget()
