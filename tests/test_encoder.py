"""The exported encoder against the model it was exported from, and what importing and asking costs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb import export
from kb.encoder import BATCH, Encoder, Precision
from kb.errors import StoreError
from kb.export import export_encoder, folder_stamp, model_folder

TEXTS = (
    "May an Engaged Character walk away?",
    "2",
    "",
    "Each side rolls a D12 and adds its Might; the higher total wins and the difference is the damage.",
    "The losing model removes one Endurance per point of Harm, to a minimum of zero. " * 30,
    "Ünïcode – “quotes” – 攻撃 – 🎲",
)


SUBJECTS = ("A knight", "The wounded model", "Every character in play", "An orc")
VERBS = ("may move", "attacks", "cannot be shot at", "rolls two dice and adds its Might")
ENDS = ("", "before the round ends.", "in melee?", "twice; then it stops", "!!! 12")


@pytest.fixture(scope="module")
def exported() -> Path:
    return export_encoder()


@cache
def shared_encoder() -> Encoder:
    return Encoder.load(export_encoder())


@pytest.mark.slow
def test_encode__single_precision_agrees_with_sentence_transformers(exported: Path) -> None:
    from sentence_transformers import SentenceTransformer

    ours = Encoder.load(exported, "fp32").encode(TEXTS)
    theirs = SentenceTransformer(str(model_folder()), device="cpu").encode(list(TEXTS), normalize_embeddings=True)
    assert (ours * theirs).sum(axis=1).min() >= 0.999


def test_encode__eight_bits_stay_close_to_single_precision(exported: Path) -> None:
    exact, small = Encoder.load(exported, "fp32").encode(TEXTS), Encoder.load(exported, "int8").encode(TEXTS)
    cosines = (exact * small).sum(axis=1)
    assert cosines.min() >= 0.95  # the processor's kernels decide the digits
    assert cosines.mean() >= 0.98


def test_encode__unit_vectors_in_order(exported: Path) -> None:
    encoder = Encoder.load(exported)
    together = encoder.encode(TEXTS, workers=2)
    assert together.shape == (len(TEXTS), encoder.dim)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(encoder.encode([text])[0], vector, atol=1e-6)
        np.testing.assert_allclose(encoder.encode_query(text), vector, atol=1e-6)


@pytest.mark.parametrize("precision", ["int8", "fp32"])
def test_encode__a_vector_depends_on_its_text_alone(exported: Path, precision: Precision) -> None:
    encoder = Encoder.load(exported, precision)
    texts = [f"{a} {b} {c}" for a in SUBJECTS for b in VERBS for c in ENDS]
    alone = np.array([encoder.encode_query(text) for text in texts])
    batches = [places for places, _ in encoder.encode_batches(texts)]
    assert max(map(len, batches)) >= 10
    assert sorted(place for places in batches for place in places) == list(range(len(texts)))
    np.testing.assert_allclose(encoder.encode(texts, workers=2), alone, atol=1e-5)
    few = list(range(0, len(texts), 7))
    np.testing.assert_allclose(encoder.encode([texts[at] for at in few]), alone[few], atol=1e-5)


def test_encode__texts_run_together_that_are_of_one_length(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder.load(exported)
    run: list[tuple[int, int]] = []

    def note(ids: list[list[int]]) -> np.ndarray:
        assert len({len(each) for each in ids}) == 1
        run.append((len(ids), len(ids[0])))
        return np.zeros((len(ids), encoder.dim), dtype=np.float32)

    monkeypatch.setattr(encoder, "_run", note)
    encoder.encode(["walk on"] * 300 + ["shield " * 300] * 3)
    assert all(texts * tokens <= BATCH for texts, tokens in run)
    assert sum(texts for texts, _ in run) == 303
    assert len(run) <= 6


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(), max_size=200))
def test_encode__any_text_gives_a_unit_vector(text: str) -> None:
    assert np.linalg.norm(shared_encoder().encode_query(text)) == pytest.approx(1, abs=1e-4)


def test_encode__what_is_no_text_is_read_as_a_question_mark(exported: Path) -> None:
    encoder = Encoder.load(exported)
    np.testing.assert_array_equal(encoder.encode_query("move \udce4"), encoder.encode_query("move ?"))


def test_encode__no_texts(exported: Path) -> None:
    assert Encoder.load(exported).encode([]).shape == (0, 384)


def test_encode__reports_every_text(exported: Path) -> None:
    done: list[int] = []
    Encoder.load(exported).encode(TEXTS, progress=done.append)
    assert sum(done) == len(TEXTS)


def test_encode__what_stands_after_256_tokens_is_cut(exported: Path) -> None:
    encoder = Encoder.load(exported)
    long = "shield " * 300
    np.testing.assert_array_equal(encoder.encode_query(long), encoder.encode_query(long + "dragon"))


def test_encode__threads_get_what_one_gets(exported: Path) -> None:
    encoder = Encoder.load(exported)
    expected = [encoder.encode_query(text) for text in TEXTS]
    wrong: list[str] = []

    def ask() -> None:
        for text, vector in zip(TEXTS, expected, strict=True):
            if not np.array_equal(encoder.encode_query(text), vector):
                wrong.append(text)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_load__a_folder_that_is_no_export(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="encoder can't be read"):
        Encoder.load(tmp_path)
    (tmp_path / "encoder.json").write_text(json.dumps({"model": "x"}))
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "int8.onnx").write_bytes(b"not a graph")
    with pytest.raises(StoreError, match="encoder's files"):
        Encoder.load(tmp_path)


def test_export__without_the_libraries_says_how_to_install_them(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['sentence_transformers'] = None\n"
        "from pathlib import Path\nfrom kb import export\nfrom kb.errors import StoreError\nexport.RECIPE = 0\n"
        f"try: export.export_encoder(None, Path({str(tmp_path)!r}))\nexcept StoreError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "pip install 'rules-kb[build]'" in said


def test_export__a_folder_that_holds_no_model(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(StoreError, match="can't load the model"):
        export_encoder(tmp_path / "model", tmp_path / "kept")


def test_export__a_second_process_takes_the_first_ones_export(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_load", lambda _: pytest.fail("exported again"))
    assert export_encoder() == exported
    assert not list(exported.parent.glob("*.part"))


@pytest.mark.slow
def test_export__two_processes_at_once_make_one_export(tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from kb.export import export_encoder\n"
        f"print(export_encoder(None, Path({str(tmp_path)!r})))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    folders = {process.communicate()[0].strip() for process in both}
    assert [process.returncode for process in both] == [0, 0]
    (folder,) = folders
    assert Encoder.load(Path(folder)).dim == 384
    assert [path for path in tmp_path.iterdir() if path.suffix != ".lock"] == [Path(folder)]


def test_folder_stamp__changes_with_the_files(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"1")
    before = folder_stamp(str(tmp_path))
    assert folder_stamp(str(tmp_path)) == before
    (tmp_path / "weights").write_bytes(b"12")
    assert folder_stamp(str(tmp_path)) != before
    assert folder_stamp("a name") is None
