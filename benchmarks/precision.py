"""What 8-bit weights cost in ranking and save in time: `precision.py CORPUS=QUERIES [CORPUS=QUERIES …]` (BEIR folders).

Ranks each query's passages by cosine alone, with the encoder in single precision and with 8-bit weights, one thread.
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

MEASURES = [nDCG @ 10, R @ 10]
PRECISIONS: tuple[Precision, ...] = ("fp32", "int8")


def main(pairs: list[str]) -> None:
    exported = export_encoder()
    twice = ["nDCG@10", "R@10", "passages/s", "query ms"]
    print("| set | passages |", " | ".join(f"{name} fp32 | int8" for name in twice), "| cosine |")
    print("|---" * (3 + 2 * len(twice)) + "|")
    for pair in pairs:
        corpus, queries = (Path(folder) for folder in pair.split("="))
        print(row(exported, corpus, queries), flush=True)


def row(exported: Path, corpus: Path, queries: Path) -> str:
    passages = list(beir.passages(corpus))
    texts = [" › ".join((*passage.path, passage.title)) + "\n" + passage.text for passage in passages]
    judged = beir.judged(queries)
    measured, vectors = {}, {}
    for precision in PRECISIONS:
        encoder = Encoder.load(exported, precision)
        start = time.perf_counter()
        vectors[precision] = encoder.encode(texts)
        rate = len(texts) / (time.perf_counter() - start)
        asked, waits = ask(encoder, list(judged.queries.values()))
        scores = asked @ vectors[precision].T
        run = list(ranking(list(judged.queries), [passage.anchor for passage in passages], scores))
        qrels = [
            ir_measures.Qrel(query, document, grade)
            for query, grades in judged.qrels.items()
            for document, grade in grades.items()
        ]
        measured[precision] = (ir_measures.calc_aggregate(MEASURES, qrels, run), rate, float(np.median(waits)) * 1e3)
    cosine = float((vectors["fp32"] * vectors["int8"]).sum(axis=1).mean())
    cells = [f"{measured[p][0][measure]:.4f}" for measure in MEASURES for p in PRECISIONS]
    cells += [f"{measured[p][1]:.0f}" for p in PRECISIONS] + [f"{measured[p][2]:.1f}" for p in PRECISIONS]
    return f"| {queries.name} | {len(passages)} | {' | '.join(cells)} | {cosine:.4f} |"


def ask(encoder: Encoder, queries: list[str]) -> tuple[np.ndarray, list[float]]:
    vectors, waits = [], []
    for query in queries:
        start = time.perf_counter()
        vectors.append(encoder.encode_query(query))
        waits.append(time.perf_counter() - start)
    return np.array(vectors), waits


def ranking(queries: list[str], documents: list[str], scores: np.ndarray) -> Iterator[ir_measures.ScoredDoc]:
    for query, row_scores in zip(queries, scores, strict=True):
        for at in np.argsort(-row_scores)[:100]:
            yield ir_measures.ScoredDoc(query, documents[at], float(row_scores[at]))


if __name__ == "__main__":
    main(sys.argv[1:])
