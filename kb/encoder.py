"""Texts -> unit vectors, on ONNX Runtime and tokenizers: no torch.

The files it reads are made by `kb.export`. A text longer than the model's limit (256 tokens for the default model) is
cut there: what stands after the cut is found by its words, or by entries of its own (sentences), not by this vector.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kb.errors import StoreError

Vectors = NDArray[np.float32]
Precision = Literal["int8", "fp32"]
Progress = Callable[[int], None]
"Called with the number of texts done since the last call."

COMMON = 25_000
"A token's number up to which its word counts as common; a word piece vocabulary is ordered by frequency."
BATCH = 512
"Tokens that run together: more gain nothing, and take memory."
WINDOW = 4096
"Texts among which those of one length are looked for: bounds memory."


class Encoder:
    """One exported model, ready to encode. Safe to share between threads."""

    def __init__(self, model: Path | bytes, tokenizer: str, record: dict[str, Any]) -> None:
        """`model` is an ONNX file, or its bytes: these take more memory."""
        try:
            self._prompts: dict[str, str] = record["prompts"]
            self._session = _session(model)
            self._tokenizer = _tokenizer(tokenizer, int(record["max_tokens"]))
            self.dim = int(self._session.get_outputs()[0].shape[1])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"The encoder's files do not belong together ({error})", "Run: kb build") from error
        self.model: str = record["model"]

    @classmethod
    def load(cls, directory: Path, precision: Precision = "int8") -> Encoder:
        """Opens a folder that `export_encoder` made."""
        try:
            record = json.loads((directory / "encoder.json").read_text(encoding="utf-8"))
            tokenizer = (directory / "tokenizer.json").read_text(encoding="utf-8")
            return cls(directory / f"{precision}.onnx", tokenizer, record)
        except (OSError, ValueError) as error:
            raise StoreError(f"The encoder can't be read ({error})", "Run: kb build", where=directory) from error

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is a common one: one token, and not among the rarest, which are often foreign."""
        number = self._tokenizer.token_to_id(word)
        return number is not None and number < COMMON

    def encode_query(self, text: str) -> Vectors:
        """The unit vector of a question, shape (dim,)."""
        ids: list[int] = self._tokenizer.encode(_sound(self._prompts["query"] + text)).ids
        return np.asarray(self._run([ids])[0], dtype=np.float32)

    def encode(
        self,
        texts: Sequence[str],
        kind: Literal["document", "query"] = "document",
        progress: Progress | None = None,
        workers: int = 1,
    ) -> Vectors:
        """Unit vectors of the texts in their order, shape (n, dim); `workers` threads share the texts."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for places, made in self.encode_batches(texts, kind, workers):
            vectors[places] = made
            if progress is not None:
                progress(len(places))
        return vectors

    def encode_batches(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document", workers: int = 1
    ) -> Iterator[tuple[list[int], Vectors]]:
        """The same a batch at a time, as they are done, of WINDOW texts the short first: (which texts, their vectors).

        Texts run together that have the same number of tokens, so that nothing is padded, and the scales of the 8 bits
        are fixed: a text's vector is what it is alone (but for float noise of 1e-7).
        """
        with ThreadPoolExecutor(max(1, workers)) as pool:
            for start in range(0, len(texts), WINDOW):
                whole = [_sound(self._prompts[kind] + text) for text in texts[start : start + WINDOW]]
                ids = [each.ids for each in self._tokenizer.encode_batch(whole)]
                batches = list(_batches([len(each) for each in ids]))
                runs = pool.map(self._run, [[ids[place] for place in batch] for batch in batches])
                for batch, vectors in zip(batches, runs, strict=True):
                    yield [start + place for place in batch], vectors

    def _run(self, ids: list[list[int]]) -> Vectors:
        (vectors,) = self._session.run(None, {"input_ids": np.array(ids, dtype=np.int64)})
        return np.asarray(vectors, dtype=np.float32)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that run together: of one length each, BATCH tokens or a single text."""
    for length, group in groupby(sorted(range(len(lengths)), key=lengths.__getitem__), key=lengths.__getitem__):
        places, most = list(group), max(1, BATCH // max(1, length))
        yield from (places[start : start + most] for start in range(0, len(places), most))


def _sound(text: str) -> str:
    """The text, a `?` for each surrogate: as such a terminal hands on bytes that are no text."""
    return text.encode("utf-8", "replace").decode()


def _session(model: Path | bytes) -> Any:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1  # callers bring their own threads; a query's matrices are too small to share
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL  # done when it was exported
    options.log_severity_level = 3
    source = str(model) if isinstance(model, Path) else model
    try:
        return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's own types have no common base
        raise ValueError(f"ONNX Runtime can't load the graph: {error}") from error


def _tokenizer(source: str, limit: int) -> Any:
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(source)
    tokenizer.enable_truncation(limit)
    tokenizer.no_padding()  # the file may ask for a fixed length, which would cost a short question a long one's time
    return tokenizer
