"""Games are found as bundled modules and by the entry point of plug-in packages."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from kb.corpus import Corpus
from kb.engine import plugins
from kb.engine.kernel import Procedure
from kb.errors import UsageError


def offer(monkeypatch: pytest.MonkeyPatch, module: Any, name: str = "mine") -> None:
    point = EntryPoint(name=name, value="mine.rules", group=plugins.GROUP)
    monkeypatch.setattr(plugins, "entry_points", lambda group: [point])
    monkeypatch.setitem(sys.modules, "mine", SimpleNamespace(__path__=[]))
    monkeypatch.setitem(sys.modules, "mine.rules", module)
    plugins.forget()


@pytest.fixture(autouse=True)
def fresh() -> Any:
    yield
    plugins.forget()


def dice(name: str) -> Procedure:
    return Procedure(name, "x", (), (), dict, ())


def test_procedures__an_entry_point_adds_a_game(toy: Corpus) -> None:
    assert plugins.games() == (*plugins.BUNDLED, "toy")
    assert list(plugins.procedures("toy")) == ["toy.throw", "toy.evening"]


def test_procedures__a_plug_in_may_add_to_a_bundled_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(iter(plugins.BUNDLED))
    offer(monkeypatch, SimpleNamespace(PROCEDURES=(dice(f"{game}.more"),)), game)
    assert f"{game}.more" in plugins.procedures(game)
    assert len(plugins.procedures(game)) > 1


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (SimpleNamespace(), "mine.rules has no PROCEDURES"),
        (SimpleNamespace(PROCEDURES=(dice("other.throw"),)), "Name each Procedure mine.something"),
        (SimpleNamespace(PROCEDURES=(dice("mine.a"), dice("mine.a"))), "each only once"),
        (SimpleNamespace(PROCEDURES=("mine.a",)), 'offers "mine.a"'),
    ],
)
def test_procedures__a_bad_plug_in_is_named(monkeypatch: pytest.MonkeyPatch, module: Any, message: str) -> None:
    offer(monkeypatch, module)
    with pytest.raises(UsageError, match=message):
        plugins.procedures("mine")


def test_procedures__a_plug_in_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, SimpleNamespace(PROCEDURES=()))
    monkeypatch.delitem(sys.modules, "mine.rules")
    with pytest.raises(UsageError, match=r'the plug-in "mine" \(mine.rules\) can\'t be loaded'):
        plugins.procedures("mine")


def test_procedure__names_the_nearest(toy: Corpus) -> None:
    with pytest.raises(UsageError, match=r'Perhaps "toy\.throw" is meant'):
        plugins.procedure("toy.trow")


def test_games__asking_for_their_names_loads_no_game() -> None:
    script = (
        "import sys; from kb.engine import plugins; plugins.games(); print(*[m for m in sys.modules if 'kb.' in m])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not {f"kb.engine.{game}" for game in plugins.BUNDLED} & set(loaded)
    assert not {"kb.corpus", "kb.index", "kb.vectors"} & set(loaded)
