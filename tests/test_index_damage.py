"""Damage, refusal and death: changed bytes are found, what can't be written is said once, killed builds lose little."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from index_documents import documents
from test_index import run_builder

from kb import blobs, known, store
from kb import encoder as encoder_module
from kb.blobs import DamagedIndexError, UnusableError
from kb.build import build, ensure
from kb.index import Index

SIZE = 8


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("whole")
    ensure("same", lambda: documents(SIZE), made)
    return made


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def files_of(root: Path) -> Iterator[Path]:
    (generation,) = root.glob("generation-*")
    yield from (path for path in sorted(generation.iterdir()) if path.stat().st_size)
    yield root / "current"


def names() -> list[str]:
    kinds = [f"{kind}.{part}" for kind in ("text", "sentence") for part in ("vectors", "keys", "first")]
    words = [f"words.{part}" for part in ("json", "starts", "passages", "weights", "titles", "title_starts")]
    ids = ["ids.hash", "ids.number", "passages.jsonl", "passages.starts"]
    encoder = ["encoder.json", "encoder.onnx", "encoder.tokenizer"]
    return [*kinds, "ask.first", "taught.starts", "leaning.starts", *words, *ids, *encoder, "manifest.json", "current"]


def file_of(root: Path, name: str) -> Path:
    (file,) = (path for path in files_of(root) if path.name == name)
    return file


def flip(file: Path, at: int, mask: int = 1) -> None:
    with file.open("r+b") as stream:
        stream.seek(at)
        byte = stream.read(1)[0]
        stream.seek(at)
        stream.write(bytes([byte ^ mask]))


def test_names__are_all_files_of_an_index(whole: Path) -> None:
    assert sorted(names()) == sorted(path.name for path in files_of(whole))


@pytest.mark.parametrize("name", names())
def test_open__a_flipped_bit_anywhere_is_detected(copy: Path, name: str) -> None:
    file = file_of(copy, name)
    size = file.stat().st_size
    chosen = random.Random(name)
    for at in {0, size - 1, *(chosen.randrange(size) for _ in range(6))}:
        mask = 1 << chosen.randrange(8)
        flip(file, at, mask)
        with pytest.raises(DamagedIndexError):
            Index.open(copy)
        flip(file, at, mask)
        for mark in copy.glob(f"generation-*/{blobs.DAMAGED}"):
            mark.unlink()
    Index.open(copy)


@pytest.mark.parametrize("name", names())
def test_open__a_truncated_longer_or_missing_file_is_detected(copy: Path, name: str) -> None:
    file = file_of(copy, name)
    whole = file.read_bytes()
    for other in (whole[:-1], whole[: len(whole) // 2], b"", whole + b"\0"):
        file.write_bytes(other)
        with pytest.raises(DamagedIndexError):
            Index.open(copy)
    if name != "current":  # without it there is no index, which is no damage
        file.unlink()
        with pytest.raises(DamagedIndexError):
            Index.open(copy)


@pytest.mark.parametrize("name", ["text.vectors", "words.json", "manifest.json", "current", "encoder.onnx"])
def test_ensure__explains_damage_once_and_builds_again(copy: Path, name: str) -> None:
    flip(file_of(copy, name), file_of(copy, name).stat().st_size // 2)
    said: list[str] = []
    index = ensure("same", lambda: documents(SIZE), copy, say=said.append)
    assert sum("damaged" in line and "built again" in line for line in said) == 1
    index.verify()
    assert index.nearest(index.encoder.encode_query(index.passage(5).text), 1)[0].tolist() == [5]
    assert ensure("same", lambda: documents(SIZE), copy, say=said.append).manifest == index.manifest
    assert len(list(copy.glob("generation-*"))) == 1


def test_ensure__undamaged_vectors_are_taken_over_from_a_damaged_index(copy: Path) -> None:
    flip(file_of(copy, "passages.jsonl"), 100)
    assert ensure("same", lambda: documents(SIZE), copy, say=lambda _: None).manifest["embedded"] == 0
    flip(file_of(copy, "text.vectors"), 100)
    mended = ensure("same", lambda: documents(SIZE), copy, say=lambda _: None)
    assert 0 < mended.manifest["embedded"] == mended.manifest["entries_by_kind"]["text"]


def test_large_files__are_checked_when_read_and_remembered(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CHECKED_AT_OPEN", 1000)
    monkeypatch.setattr(blobs, "PIECE", 4096)
    ensure("small pieces", lambda: documents(SIZE), copy)
    row = 20
    flip(file_of(copy, "text.vectors"), row * 384 * 4 + 7)
    index = Index.open(copy)  # nothing that is read now is damaged
    vector = index.encoder.encode_query("knight")
    assert len(index.nearest(vector, 3, 0, 8)[0]) == 3
    with pytest.raises(DamagedIndexError, match="have changed"):
        index.cosines(vector, [row])
    with pytest.raises(DamagedIndexError):
        index.verify()
    with pytest.raises(DamagedIndexError, match="while reading"):
        Index.open(copy)
    assert ensure("small pieces", lambda: documents(SIZE), copy, say=lambda _: None).cosines(vector, [row]).shape == (
        1,
        3,
    )


def test_format__of_another_version_is_built_again_in_silence(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.build.FORMAT", 999)
    monkeypatch.setattr("kb.index.FORMAT", 999)
    said: list[str] = []
    assert ensure("same", lambda: documents(SIZE), copy, say=said.append).manifest["format"] == 999
    assert not any("damaged" in line for line in said)


def test_unwritable__one_message_and_an_index_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    said: list[str] = []
    index = ensure("same", lambda: documents(SIZE), tmp_path / "file" / "index", say=said.append)
    assert len(said) == 1
    assert "can't be used" in said[0]
    assert "in memory" in said[0]
    assert index.root is None
    assert index.passage(5) == list(documents(SIZE))[5].passage
    assert index.nearest(index.encoder.encode_query(index.passage(5).text), 1)[0].tolist() == [5]
    index.verify()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_read_only__a_fresh_index_serves_and_a_stale_one_is_refreshed_in_memory(copy: Path) -> None:
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    said: list[str] = []
    assert ensure("same", lambda: documents(SIZE), copy, say=said.append).root == copy
    assert said == []
    stale = ensure("new", lambda: documents(SIZE), copy, say=said.append)
    assert stale.root is None
    assert stale.manifest["embedded"] == 0
    copy.chmod(0o755)


def test_full_disk__one_message_an_index_in_memory_and_the_old_one_kept(copy: Path) -> None:
    program = (
        "import resource, sys; from pathlib import Path; from index_documents import documents\n"
        "from kb.build import ensure\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5_000_000, 5_000_000))\n"
        "said = []\n"
        "index = ensure('new', lambda: documents(4), Path(sys.argv[1]), say=said.append)\n"
        "print(len(index), index.root, len(said), *said)"
    )
    here = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([here, *sys.path])}
    ran = subprocess.run(
        [sys.executable, "-c", program, str(copy)], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("12 None 1 ")
    assert "in memory" in ran.stdout
    old = Index.open(copy)
    old.verify()
    assert old.manifest["corpus"] == "same"
    assert not list(copy.glob("building-*"))


def test_build__into_an_unwritable_directory_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableError, match="KB_INDEX"):
        build("x", lambda: documents(1), tmp_path / "file")


def test_killed_build__loses_at_most_what_was_not_saved(tmp_path: Path) -> None:
    size = 150
    builder = run_builder(tmp_path, size)
    record = 16 + 4 * 384 + 4
    deadline = time.monotonic() + 60
    while sum(file.stat().st_size for file in tmp_path.glob("pending/*/*.journal")) < 200 * record:
        assert builder.poll() is None, "finished before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    builder.send_signal(signal.SIGKILL)
    builder.communicate()
    saved = sum(file.stat().st_size // record for file in tmp_path.glob("pending/*/*.journal"))
    (journal,) = tmp_path.glob("pending/*/*.journal")
    journal.write_bytes(journal.read_bytes() + b"half a record")
    assert list(tmp_path.glob("building-*"))
    index = ensure(f"{size} documents", lambda: documents(size), tmp_path)
    assert index.manifest["embedded"] == index.manifest["entries"] - saved
    assert not list(tmp_path.glob("building-*"))
    assert not list(tmp_path.glob("pending/*"))


def test_journal__a_changed_vector_is_not_taken_over(tmp_path: Path) -> None:
    encoder = build("x", lambda: documents(1), None).encoder
    texts = ["one", "two", "three"]
    writing = known.KnownVectors(encoder, "encoder", tmp_path, True, lambda _: None)
    ((_, expected),) = writing.vectors(texts)
    (journal,) = tmp_path.glob("pending/*/*.journal")
    flip(journal, 100)
    reading = known.KnownVectors(encoder, "encoder", tmp_path, True, lambda _: None)
    ((_, vectors),) = reading.vectors(texts)
    np.testing.assert_array_equal(vectors, expected)
    assert reading.embedded == 3


def test_journal__an_interrupted_build_loses_one_batch_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_module, "BATCH", 40)
    encoder = build("x", lambda: documents(1), None).encoder
    texts = [f"{number} knights ride on" for number in range(60)]
    batches = [len(places) for places, _ in encoder.encode_batches(texts)]
    assert len(batches) > 5
    done: list[int] = []

    def interrupt(texts: int) -> None:
        done.append(texts)
        if len(done) == 4:  # the first tells what was known before
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(known.KnownVectors(encoder, "encoder", tmp_path, True, interrupt).vectors(texts))
    assert done == [0, *batches[:3]]
    going_on = known.KnownVectors(encoder, "encoder", tmp_path, True, lambda _: None)
    list(going_on.vectors(texts))
    assert going_on.embedded == sum(batches[3:])


@pytest.mark.slow
def test_killed_builders__fifty_at_random_moments_and_the_index_always_answers(tmp_path: Path) -> None:
    chosen = random.Random(50)
    kept = ensure("before", lambda: documents(3), tmp_path)
    question = kept.passage(4).text
    finished = 0
    for attempt in range(50):
        size = 4 + attempt  # every builder has something new to do
        builder = run_builder(tmp_path, size)
        time.sleep(chosen.uniform(0.25, 0.95))
        builder.send_signal(signal.SIGKILL)
        builder.communicate()
        index = Index.open(tmp_path)
        index.verify()
        finished += index.manifest["corpus"] == f"{size} documents"
        assert index.passage(int(index.nearest(index.encoder.encode_query(question), 1)[0][0])).text
        assert len(index) in (9, *(3 * n for n in range(4, size + 1)))
    last = ensure("after", lambda: documents(3), tmp_path)
    assert last.nearest(last.encoder.encode_query(question), 1)[0].tolist() == [4]
    left = sorted(path.name for path in tmp_path.iterdir())
    assert [name for name in left if name.startswith(("building", "pending"))] == []
    assert json.loads((tmp_path / "current").read_bytes())["generation"] in left
    print(f"{finished} of 50 builders had finished when they were killed")  # noqa: T201  worth seeing with -s
