"""Starting the app, its settings, and opening what it shows."""

from __future__ import annotations

import importlib.util
import os
import socket
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from web_shelf import Shelf, write_game

from kb import knowledge
from kb.errors import CorpusError, UsageError
from kb.knowledge import open_first
from kb.web import serve as serving
from kb.web import settings
from kb.web import site as sites
from kb.web.imports import Looked, check_size, look
from kb.web.learning import build_beside
from kb.web.starters import OF_GAME, starters

ROOT = Path(__file__).parent.parent


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, bool]]:
    """What would be run."""
    calls: list[tuple[str, int, bool]] = []
    monkeypatch.setattr(serving, "_run", lambda *how: calls.append(how))
    monkeypatch.setattr(serving, "_warm_up", lambda: None)
    return calls


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_serve__runs_where_it_is_told(started: list[Any]) -> None:
    port = free_port()
    serving.serve("127.0.0.1", port, False)
    assert started == [("127.0.0.1", port, False)]


def test_serve__without_streamlit_names_the_command(started: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r'pip install "rules-kb\[app\]"'):
        serving.serve("127.0.0.1", free_port(), False)
    assert started == []


def test_serve__a_taken_port_is_refused_and_another_named(started: list[Any]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"kb serve --port {port + 1}"):
            serving.serve("127.0.0.1", port, False)
    assert started == []


def test_serve__a_folder_without_games_is_refused(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KB_CORPUS", str(tmp_path))
    with pytest.raises(UsageError, match="there is no game"):
        serving.serve("127.0.0.1", free_port(), False)
    assert started == []


def test_settings__config_file_and_kb_serve_say_the_same() -> None:
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        written = tomllib.load(file)
    found: dict[str, Any] = {}

    def walk(prefix: str, values: dict[str, Any]) -> None:
        for key, value in values.items():
            if isinstance(value, dict):
                walk(f"{prefix}{key}.", value)
            else:
                found[f"{prefix}{key}"] = value

    walk("", written)
    assert found == settings.fixed_options()


def test_settings__nothing_is_reported_and_no_traceback_shown() -> None:
    options = settings.streamlit_options("127.0.0.1", 8501, False)
    assert options["browser.gatherUsageStats"] is False
    assert options["client.showErrorDetails"] == "none"
    assert options["server.headless"] is True
    opened = settings.streamlit_options("127.0.0.1", 8501, True)
    assert opened["server.headless"] is False
    assert opened["logger.hideWelcomeMessage"] is True  # else Streamlit advertises over the page


def test_serve__prints_where_the_app_is() -> None:
    assert serving._addresses("127.0.0.1", 8501, lambda: None) == ["http://127.0.0.1:8501"]
    assert serving._addresses("::1", 8501, lambda: None) == ["http://[::1]:8501"]
    assert serving._addresses("0.0.0.0", 80, lambda: "10.0.0.7") == ["http://localhost:80", "http://10.0.0.7:80"]
    assert serving._addresses("0.0.0.0", 80, lambda: None) == ["http://localhost:80"]


def test_settings__import_switch_and_size() -> None:
    assert settings.imports_allowed({})
    assert settings.imports_allowed({"KB_NO_IMPORT": "0"})
    assert not settings.imports_allowed({"KB_NO_IMPORT": "1"})
    assert not settings.imports_allowed({"KB_NO_IMPORT": "true"})
    assert settings.upload_megabytes({}) == 50
    assert settings.upload_megabytes({"KB_UPLOAD_MB": "7"}) == 7
    assert settings.upload_megabytes({"KB_UPLOAD_MB": "lots"}) == 50


def test_settings__every_option_is_one_that_streamlit_has() -> None:
    from streamlit import config

    known = set(config.get_config_options(force_reparse=False))
    assert set(settings.streamlit_options("127.0.0.1", 8501, False)) <= known


class Opener:
    """Stands for `open_knowledge`: a new shelf whenever the texts have changed, and slow or broken when told so."""

    def __init__(self) -> None:
        self.calls = 0
        self.slow = 0.0
        self.fault: CorpusError | None = None
        self.last: tuple[str, Shelf] | None = None

    def __call__(self, corpus: Path, index: Path | None = None) -> Shelf:
        self.calls += 1
        time.sleep(self.slow)
        if self.fault:
            raise self.fault
        text = "".join(path.read_text() for path in sorted(corpus.rglob("*.md")))
        if self.last is None or self.last[0] != text:
            self.last = (text, Shelf(corpus))
            assert self.last[1].corpus  # read now, as an index is
        return self.last[1]


@pytest.fixture
def opener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Opener:
    opener = Opener()
    write_game(tmp_path / "corpus", "toy", rules="## A rule {#a}\n\nOld text.")
    monkeypatch.setenv("KB_CORPUS", str(tmp_path / "corpus"))
    monkeypatch.setattr(sites, "open_knowledge", opener)
    monkeypatch.setattr(sites, "_opened", {})
    return opener


def text_of(site: sites.Site) -> str:
    return site.knowledge.passages("toy")[0].text


def page(tmp_path: Path) -> Path:
    return tmp_path / "corpus" / "toy" / "rules.md"


def test_site__is_opened_once_and_looked_at_cheaply(opener: Opener) -> None:
    assert not sites.is_open()
    first = sites.open_site()
    assert sites.is_open()
    assert all(sites.open_site().knowledge is first.knowledge for _ in range(5))
    assert opener.calls == 1


def test_site__a_changed_text_is_picked_up(opener: Opener, tmp_path: Path) -> None:
    sites.open_site()
    page(tmp_path).write_text(page(tmp_path).read_text().replace("Old", "New and longer"))
    assert text_of(sites.open_site()) == "New and longer text."


def test_site__changed_examples_alone_make_everything_derived_anew(opener: Opener, tmp_path: Path) -> None:
    before = sites.open_site().knowledge
    (tmp_path / "corpus" / "toy" / "coverage.yaml").write_text("not_mechanical: {}\n")
    # A shelf has no index that could be shared, so the derived copy can't be made from it: only that it is tried.
    with pytest.MonkeyPatch.context() as patch:
        made: list[tuple[Any, ...]] = []
        patch.setattr(sites, "Knowledge", lambda *parts: made.append(parts) or Shelf(parts[0]))
        after = sites.open_site().knowledge
    assert made
    assert after is not before


def test_site__a_slow_rebuild_keeps_nobody_waiting(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sites.open_site()
    monkeypatch.setattr(sites, "PATIENCE", 0.05)
    opener.slow = 0.5
    page(tmp_path).write_text(page(tmp_path).read_text().replace("Old", "New and longer"))
    begin = time.monotonic()
    assert text_of(sites.open_site()) == "Old text."
    assert time.monotonic() - begin < 0.4
    for thread in threading.enumerate():
        if thread.name == "refresh":
            thread.join()
    assert text_of(sites.open_site()) == "New and longer text."
    assert opener.calls == 2


def test_site__a_corpus_that_breaks_goes_on_as_it_was_and_says_so(opener: Opener, tmp_path: Path) -> None:
    sites.open_site()
    opener.fault = CorpusError("broken")
    page(tmp_path).write_text("---\nbroken: [")
    broken = sites.open_site()
    assert broken.trouble is opener.fault
    sites.open_site()
    assert opener.calls == 2, "what could not be read is not read again until it changes"
    opener.fault = None
    page(tmp_path).write_text("---\ntitle: Rules\n---\n## A rule {#a}\n\nMended text.\n")
    mended = sites.open_site()
    assert mended.trouble is None
    assert text_of(mended) == "Mended text."


def test_site__without_an_index_opens_bare_and_learns_the_rest(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare, go_on = Shelf(tmp_path / "corpus"), threading.Event()

    def build(corpus: Path, index: Path | None, progress: Any) -> bool:
        progress(3, 4)
        go_on.wait(20)
        return True

    monkeypatch.setattr(sites, "open_first", lambda corpus, index: bare)
    monkeypatch.setattr(sites, "build_beside", build)
    first = sites.open_site()
    assert first.knowledge is bare
    while (learnt := sites.open_site().learnt) == 0.0:
        time.sleep(0.01)
    assert learnt == 0.75
    assert opener.calls == 0
    go_on.set()
    end = time.monotonic() + 20
    while sites.open_site().learnt is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert opener.last is not None
    assert sites.open_site().knowledge is opener.last[1]


def test_build_beside__builds_in_another_process_and_reports(tmp_path: Path) -> None:
    write_asked_game(tmp_path / "corpus")
    told: list[tuple[int, int]] = []
    assert build_beside(tmp_path / "corpus", tmp_path / "index", lambda *now: told.append(now))
    assert told[-1][0] == told[-1][1] > 0
    assert (tmp_path / "index" / "current").is_file()
    assert not build_beside(tmp_path / "nowhere", tmp_path / "index", lambda *now: None)


def test_open_first__only_where_a_whole_index_would_take_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, index = tmp_path / "corpus", tmp_path / "index"
    write_asked_game(corpus)
    assert open_first(corpus, index) is None, "a few phrasings are no reason"
    monkeypatch.setattr(knowledge, "MANY", 1)
    first = open_first(corpus, index)
    assert first is not None
    assert not index.exists()
    assert [passage.asks for passage in first.passages("toy")] == [(), ()]
    assert first.ask("When does a hex end?", "toy").citations[0].passage == "toy/rules#ends"
    knowledge.open_knowledge(corpus, index)
    assert open_first(corpus, index) is None, "an index there is quicker to open or to refresh"


def write_asked_game(corpus: Path) -> None:
    """A game with a few phrasings of players."""
    write_game(corpus, "toy", rules="## Casting a hex {#hex}\n\nCast.\n\n## End {#ends}\n\nA hex ends at dawn.")
    (corpus / "toy" / "asks.yaml").write_text('rules#ends: ["When is a hex over?", "How long does a hex last?"]\n')


def test_library__that_is_empty_is_not_opened(opener: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KB_LIBRARY", str(tmp_path / "library"))
    assert sites.open_site(sites.OWN).holding == ""
    write_game(tmp_path / "library", "own", rules="## B {#b}\n\nText.")
    assert sites.open_site(sites.OWN).holding == sites.OWN


MARKDOWN = b"# Sky Duel\n\n## Diving\n\nA dive gains 3 speed.\n\n## Stalling\n\nA stall drops 2 height.\n"


def test_look__finds_passages_and_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_LIBRARY", str(tmp_path / "library"))
    found = look([("sky_duel.md", MARKDOWN)], lambda done, total: None)
    assert isinstance(found, Looked)
    assert found.report.passages["rule"] == 2
    assert found.name
    assert not (tmp_path / "library").exists()


def test_look__a_name_can_not_lead_out_of_its_folder() -> None:
    found = look([("../../../etc/evil.md", MARKDOWN), ("..\\..\\evil.md", MARKDOWN)], lambda done, total: None)
    assert found.report.passages["rule"] >= 2
    assert not Path("/etc/evil.md").exists()


def test_look__too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_UPLOAD_MB", "1")
    assert os.environ["KB_UPLOAD_MB"] == "1"
    with pytest.raises(UsageError, match="too many at once"):
        check_size([("a.md", b"x")] * 41)
    with pytest.raises(UsageError, match="1 MB at most"):
        check_size([("a.md", b"x" * 2_000_000)])


def test_starters__for_bundled_games_and_for_any_other(tmp_path: Path) -> None:
    shelf = Shelf(ROOT / "corpus")
    assert dict(starters(shelf)) == {game: OF_GAME[game] for game in shelf.games}
    write_game(tmp_path, "toy", glossary="## Witch {#witch}\n\nCasts.", rules="## A {#a}\n\nText.")
    assert starters(Shelf(tmp_path)) == [("toy", ("What does Witch mean?",))]
