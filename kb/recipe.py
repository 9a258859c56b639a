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

from kb.eight_bits import Fit, rows_in_8_bits, shares, weights_in_8_bits

FOLDER = Path(__file__).parent / "recipes"
SHORTEST = 256
"Bytes: shorter stretches are kept as they are."

Weights = Mapping[str, NDArray[Any]]
Ways = Mapping[str, Mapping[str, list[int]]]
"Of each linear layer in 8 bits, by its weights' name: the channels `apart` and how often each is `halved`."
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
    tensors = _Tensors(load_file(weights), record["ways"])
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


def write_recipe(recipe: Path, weights: Path, exported: Path, fits: Mapping[str, Fit]) -> None:
    """Writes the recipe for the ONNX files in an exported model's folder, whose layers were brought into 8 bits so."""
    from safetensors.numpy import load_file

    loaded = load_file(weights)
    ways = {f"{name}.weight": {"apart": [*how.apart], "halved": [*how.halved]} for name, how in fits.items()}
    tensors = _Tensors(loaded, ways)
    said = json.loads((exported / "encoder.json").read_text(encoding="utf-8"))
    record: dict[str, Any] = {"max_tokens": said["max_tokens"], "prompts": said["prompts"], "ways": ways, "files": {}}
    kept = []
    for graph in sorted(exported.glob("*.onnx")):
        content = graph.read_bytes()
        pieces = list(_pieces(content, tensors))
        kept += [what for _, what in pieces if isinstance(what, bytes)]
        told = [(doing, len(what) if isinstance(what, bytes) else what) for doing, what in pieces]
        record["files"][graph.name] = {"sha256": hashlib.sha256(content).hexdigest(), "pieces": told}
    head = json.dumps(record).encode()
    recipe.write_bytes(zlib.compress(b"\n".join((head, b"".join(kept))), 9))


class _Tensors:
    """A model's weights, and what the export makes of them: `kb.eight_bits` says what and why."""

    def __init__(self, weights: Weights, ways: Ways) -> None:
        self._weights = weights
        self._ways = ways
        self._made: dict[str, Callable[[str], NDArray[Any]]] = {
            "as it is": lambda name: weights[name],
            "turned": lambda name: weights[name].T,
            "rows in 8 bits": lambda name: rows_in_8_bits(weights[name])[0],
            "steps of rows": lambda name: rows_in_8_bits(weights[name])[1],
            "apart": lambda name: weights[name].T[ways[name]["apart"]],
            "shares": lambda name: shares(ways[name]["halved"]),
            "scale": lambda name: self._in_8_bits(name)[1],
            "in 8 bits": lambda name: self._in_8_bits(name)[0],
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
                    yield "rows in 8 bits", name
                    yield "steps of rows", name
        for name, way in self._ways.items():
            yield from ((doing, name) for doing in ("scale", "in 8 bits"))
            yield from (("apart", name) for _ in way["apart"][:1])
            yield from (("shares", name) for _ in way["halved"][:1])

    def _in_8_bits(self, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
        return weights_in_8_bits(self._weights[name], self._ways[name]["halved"], self._ways[name]["apart"])


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
