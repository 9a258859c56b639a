"""What 8-bit weights cost in ranking and save in time: `precision.py CORPUS=QUERIES [CORPUS=QUERIES …]` (BEIR folders).

Ranks each query's passages by cosine alone, with the encoder in single precision and with 8-bit weights, one thread.
Times are processor time, which tells the cost on a machine that others use too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import ir_measures
import numpy as np
from ir_measures import R, nDCG

from kb import beir
from kb.encoder import Encoder, Precision
from kb.export import export_encoder
from kb.passage import Passage

MEASURES = [nDCG @ 10, R @ 10]
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")


def main(pairs: list[str]) -> None:
    exported = export_encoder()
    encoders = {precision: Encoder.load(exported, precision) for precision in PRECISIONS}
    twice = ["nDCG@10", "R@10", "passages/s", "query ms"]
    print("| set | passages |", " | ".join(f"{name} fp32 | int8" for name in twice), "| cosine |")
    print("|---" * (3 + 2 * len(twice)) + "|")
    embedded: dict[str, dict[Precision, tuple[np.ndarray, float]]] = {}
    for pair in pairs:
        corpus, _, queries = pair.partition("=")
        passages = list(beir.passages(Path(corpus)))
        if corpus not in embedded:
            embedded[corpus] = {precision: embed(encoder, passages) for precision, encoder in encoders.items()}
        print(row(encoders, passages, embedded[corpus], beir.judged(Path(queries))), flush=True)


def embed(encoder: Encoder, passages: list[Passage]) -> tuple[np.ndarray, float]:
    """The passages' vectors, and how many a second of a core gives."""
    texts = [" › ".join((*passage.path, passage.title)) + "\n" + passage.text for passage in passages]
    started = time.process_time()
    vectors = encoder.encode(texts)
    return vectors, len(texts) / (time.process_time() - started)


def row(
    encoders: dict[Precision, Encoder],
    passages: list[Passage],
    embedded: dict[Precision, tuple[np.ndarray, float]],
    judged: beir.Judged,
) -> str:
    qrels = [
        ir_measures.Qrel(query, document, grade)
        for query, grades in judged.qrels.items()
        for document, grade in grades.items()
    ]
    measured, waits = {}, {}
    for precision, encoder in encoders.items():
        asked, waits[precision] = ask(encoder, list(judged.queries.values()))
        scores = asked @ embedded[precision][0].T
        run = list(ranking(list(judged.queries), [passage.anchor for passage in passages], scores))
        measured[precision] = ir_measures.calc_aggregate(MEASURES, qrels, run)
    cells = [f"{measured[precision][measure]:.4f}" for measure in MEASURES for precision in PRECISIONS]
    cells += [f"{embedded[precision][1]:.0f}" for precision in PRECISIONS]
    cells += [f"{waits[precision]:.1f}" for precision in PRECISIONS]
    cosine = float((embedded["fp32"][0] * embedded["int8"][0]).sum(axis=1).mean())
    return f"| {judged.name} | {len(passages)} | {' | '.join(cells)} | {cosine:.4f} |"


def ask(encoder: Encoder, queries: list[str]) -> tuple[np.ndarray, float]:
    """The queries' vectors, and the median time of a core for one, ms."""
    vectors, waits = [], []
    for query in queries:
        started = time.process_time()
        vectors.append(encoder.encode_query(query))
        waits.append((time.process_time() - started) * 1e3)
    return np.array(vectors), float(np.median(waits))


def ranking(queries: list[str], documents: list[str], scores: np.ndarray) -> Iterator[ir_measures.ScoredDoc]:
    for query, row_scores in zip(queries, scores, strict=True):
        for at in np.argsort(-row_scores)[:100]:
            yield ir_measures.ScoredDoc(query, documents[at], float(row_scores[at]))


if __name__ == "__main__":
    main(sys.argv[1:])
