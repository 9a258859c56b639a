"""The default model's ONNX files out of its own weights: byte for byte what `kb.export` makes, in a second, no torch.

An export needs torch and half a minute, and all that it adds to a model's weights is small. A recipe keeps that: what
stands between the weights, and for every stretch of weights which tensor it is and what was done to it. The SHA-256
of each file decides; where one differs, because the model or a library is another, the model is exported after all.
`make recipe` writes the recipe of the default model anew, for when `kb.export.RECIPE` is raised.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "recipes"
SHORTEST = 256
"Bytes: shorter stretches are kept as they are."
STEPS = 254
"Steps of a weight in 8 bits, from -127 to 127."

Weights = Mapping[str, NDArray[Any]]
Floats = NDArray[np.float32]
Piece = tuple[str, str]
"(what is done, the tensor that it is done to)."


def recipe_file(digest: str, version: int) -> Path:
    """Where the recipe for a model of that digest lies, if there is one; `version` is `kb.export.RECIPE`."""
    return FOLDER / f"{digest[:16]}-{version}.recipe"


def follow(recipe: Path, weights: Path, into: Path) -> dict[str, Any] | None:
    """Makes the files of a recipe in `into`, and returns what the recipe says of the model (`max_tokens`, `prompts`).

    None, and nothing of use in `into`, where a file is not what it should be. Raises FileNotFoundError where there is
    no recipe or no weights, ImportError without safetensors, KeyError or ValueError where the weights are others.
    """
    head, _, between = zlib.decompress(recipe.read_bytes()).partition(b"\n")
    from safetensors.numpy import load_file

    record: dict[str, Any] = json.loads(head)
    tensors = _Tensors(load_file(weights), record["apart"])
    start = 0
    for name, file in record["files"].items():
        digest = hashlib.sha256()
        with (into / name).open("wb") as out:
            for doing, what in file["pieces"]:
                if doing == "between":
                    data, start = between[start : start + int(what)], start + int(what)
                else:
                    data = tensors.piece(doing, what)
                digest.update(data)
                out.write(data)
        if digest.hexdigest() != file["sha256"]:
            return None
    return record


def write_recipe(recipe: Path, weights: Path, exported: Path) -> None:
    """Writes the recipe for the ONNX files in an exported model's folder."""
    from safetensors.numpy import load_file

    loaded = load_file(weights)
    graphs = sorted(exported.glob("*.onnx"))
    tensors = _Tensors(loaded, {k: v for graph in graphs for k, v in _channels_apart(loaded, graph).items()})
    said = json.loads((exported / "encoder.json").read_text(encoding="utf-8"))
    record: dict[str, Any] = {"max_tokens": said["max_tokens"], "prompts": said["prompts"], "apart": tensors.apart}
    record["files"] = {}
    kept = []
    for graph in graphs:
        content = graph.read_bytes()
        pieces = list(_pieces(content, tensors))
        kept += [what for _, what in pieces if isinstance(what, bytes)]
        told = [(doing, len(what) if isinstance(what, bytes) else what) for doing, what in pieces]
        record["files"][graph.name] = {"sha256": hashlib.sha256(content).hexdigest(), "pieces": told}
    head = json.dumps(record).encode()
    recipe.write_bytes(zlib.compress(b"\n".join((head, b"".join(kept))), 9))


class _Tensors:
    """A model's weights, and what the export makes of them: see there for what channels are kept apart and why."""

    def __init__(self, weights: Weights, apart: Mapping[str, list[int]]) -> None:
        self._weights = weights
        self.apart = apart
        "Of each linear layer: the input channels that are left out of the 8 bits."
        self._made: dict[str, Callable[[str], NDArray[Any]]] = {
            "as it is": lambda name: weights[name],
            "turned": lambda name: weights[name].T,
            "apart": lambda name: weights[name].T[apart[name]],
            "rest": self._rest,
            "scale": self._scale,
            "in 8 bits": self._in_8_bits,
        }

    def piece(self, doing: str, name: str) -> bytes:
        return np.ascontiguousarray(self._made[doing](name)).tobytes()

    def pieces(self) -> Iterator[Piece]:
        """All that can be made, except what is too short to be worth it."""
        for name, tensor in self._weights.items():
            if tensor.dtype == np.float32 and tensor.nbytes >= SHORTEST:
                yield "as it is", name
                if tensor.ndim == 2:
                    yield "turned", name
        for name in self.apart:
            yield from ((doing, name) for doing in ("apart", "rest", "scale", "in 8 bits"))

    def _rest(self, name: str) -> Floats:
        """1 for each channel that goes into the 8 bits, 0 for the others."""
        rest = np.ones(self._weights[name].shape[1], dtype=np.float32)
        rest[self.apart[name]] = 0
        return rest

    def _scale(self, name: str) -> Floats:
        """The size of a step, for each output."""
        largest = np.abs(self._turned_rest(name)).max(axis=0)
        return np.asarray(largest.astype(np.float64) * 2 / STEPS).astype(np.float32)

    def _in_8_bits(self, name: str) -> NDArray[np.int8]:
        steps = np.round(self._turned_rest(name) / self._scale(name))
        return np.clip(steps, -(STEPS // 2), STEPS // 2).astype(np.int8)

    def _turned_rest(self, name: str) -> Floats:
        return np.asarray((self._weights[name] * self._rest(name)).T, dtype=np.float32)


def _channels_apart(weights: Weights, graph: Path) -> dict[str, list[int]]:
    """Which channels of each linear layer an export has kept apart: their weights stand in it as rows of a constant."""
    import onnx
    from onnx import numpy_helper

    constants = (node.attribute[0].t for node in onnx.load(str(graph)).graph.node if node.op_type == "Constant")
    tables = [table for table in map(numpy_helper.to_array, constants) if table.ndim == 2]
    rows = {row.tobytes() for table in tables if table.nbytes >= SHORTEST for row in table}
    found: dict[str, list[int]] = {}
    for name, tensor in weights.items():
        if tensor.ndim == 2:
            apart = [at for at, column in enumerate(np.ascontiguousarray(tensor.T)) if column.tobytes() in rows]
            if apart:
                found[name] = apart
    return found


def _pieces(content: bytes, tensors: _Tensors) -> Iterator[tuple[str, str | bytes]]:
    """The file in pieces: those that can be made of the weights, longest first where two overlap, and what is left."""
    places: list[tuple[int, int, Piece]] = []
    for piece in tensors.pieces():
        made = tensors.piece(*piece)
        at = content.find(made)
        while at >= 0:
            places.append((at, at + len(made), piece))
            at = content.find(made, at + len(made))
    done = 0
    for start, end, piece in sorted(places, key=lambda place: (place[0], -place[1])):
        if start < done:
            continue
        if start > done:
            yield "between", content[done:start]
        yield piece
        done = end
    yield "between", content[done:]
