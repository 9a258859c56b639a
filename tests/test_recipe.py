"""The default model's files, made of its weights by the recipe that comes with the program."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from kb import export
from kb.encoder import Encoder
from kb.export import RECIPE, export_encoder, folder_digest, model_folder
from kb.recipe import follow, recipe_file


@pytest.fixture(scope="module")
def recipe() -> Path:
    return recipe_file(folder_digest(model_folder()), RECIPE)


def record_of(recipe: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(recipe.read_bytes()).partition(b"\n")[0])
    return found


def test_recipe__there_is_one_for_the_default_model_and_it_is_small(recipe: Path) -> None:
    assert recipe.is_file(), "The way of exporting has changed: make recipe"
    assert recipe.stat().st_size < 60_000


def test_export__the_default_model_needs_no_torch(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = sys.modules['sentence_transformers'] = None\n"
        "from pathlib import Path\nfrom kb.export import export_encoder\n"
        f"print(export_encoder(None, Path({str(tmp_path)!r}), print))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    (folder,) = said.splitlines()  # one line: it has nothing to say about loading slowly
    assert Encoder.load(Path(folder)).encode_query("May I move?").shape == (384,)
    assert Encoder.load(Path(folder), "fp32").dim == 384


def test_follow__other_weights_give_nothing(recipe: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(model_folder() / "model.safetensors")
    weights["encoder.layer.3.output.dense.weight"][5, 7] += 0.25
    save_file(weights, tmp_path / "model.safetensors")
    assert follow(recipe, tmp_path / "model.safetensors", tmp_path) is None


def test_export__what_a_recipe_gets_wrong_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class TorchWantedError(Exception):
        pass

    def load(_: Path) -> None:
        raise TorchWantedError

    monkeypatch.setattr(export, "_load", load)
    monkeypatch.setattr(export, "follow", lambda *_: None)
    said: list[str] = []
    with pytest.raises(TorchWantedError):
        export_encoder(None, tmp_path, said.append)
    assert "loads slowly" in said[0]
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".lock"]


@pytest.mark.slow
def test_recipe__the_export_gives_the_same_bytes(recipe: Path, tmp_path: Path) -> None:
    export._export(model_folder(), tmp_path, export.DEFAULT_MODEL)
    wanted = {name: file["sha256"] for name, file in record_of(recipe)["files"].items()}
    assert {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in tmp_path.glob("*.onnx")} == wanted
    said = json.loads((tmp_path / "encoder.json").read_text())
    assert (said["max_tokens"], said["prompts"]) == (record_of(recipe)["max_tokens"], record_of(recipe)["prompts"])
