"""Cost against size, 10³ to 10⁶ passages: build, open, ask in one game and in all, and which FAISS index finds as much.

    scale.py [--sizes N …] [--texts BEIR_FOLDER …] [--work DIR] [--out benchmarks]

The passages are made up: one to four sentences of the bundled corpus (and of the folders named) in a row, 200 passages
a game. Embedding a million of them would take hours and measure the encoder only, so the sentences are embedded and a
passage's vector is the mean of its sentences' with a little noise; the build finds it as a vector that an earlier,
killed build had saved. Everything else is the real thing. Each step is a process of its own, so that its memory shows.
To build while others are at work and measure when it is quiet: `--steps vectors build faiss --keep`, `--steps ask`.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from kb import beir
from kb.build import build
from kb.corpus import default_corpus_directory, load_corpus
from kb.encoder import Encoder
from kb.export import export_encoder
from kb.index import Document, Index
from kb.known import KnownVectors, content_key
from kb.passage import Passage, Source
from kb.question import Question
from kb.retrieval import Retriever
from kb.sentences import sentence_spans
from kb.vectors import APPROXIMATE_FROM, CANDIDATES, SCANNED, load_faiss

PER_GAME = 200
QUERIES = 200
NOISE = 0.02
"Standard deviation per dimension of what is added to a made-up passage's vector."


def main() -> None:
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    prepare_sentences(options.work, options.texts)
    known = options.out / "scale.json"
    before = {row["size"]: row for row in json.loads(known.read_text())} if known.exists() else {}
    rows = []
    for size in options.sizes:
        folder = options.work / f"index-{size}"
        row = before.get(size, {"size": size})
        for step in options.steps:
            row |= in_own_process(step, options.work, folder, size)
            print(step, row, flush=True)
        rows.append(row)
        if not options.keep:
            shutil.rmtree(folder)
    (options.out / "scale.json").write_text(json.dumps(rows, indent=1) + "\n")
    if all("faiss" in row and "open_ms" in row for row in rows):
        (options.out / "scale.md").write_text(table(rows))
        plot(rows, options.out / "scale.png")
        print(table(rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--texts", type=Path, nargs="*", default=[])
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "rules-kb-scale")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--steps", nargs="+", choices=list(STEPS), default=list(STEPS), help="the others' figures stay")
    parser.add_argument("--keep", action="store_true", help="leave the indexes in the work folder")
    return parser.parse_args()


# The material


def prepare_sentences(work: Path, folders: list[Path]) -> None:
    """Embeds up to 20,000 sentences once; kept in the work folder."""
    if (work / "sentences.npy").exists():
        return
    passages = [*load_corpus(default_corpus_directory()).passages, *(p for f in folders for p in beir.passages(f))]
    spans = ((p, span) for p in passages for span in sentence_spans(p.text))
    found = sorted({p.text[a:b] for p, (a, b) in spans if 20 < b - a < 300})
    sentences = random.Random(1).sample(found, min(20_000, len(found)))
    vectors = Encoder.load(export_encoder()).encode(sentences, workers=2)
    (work / "sentences.json").write_text(json.dumps(sentences))
    np.save(work / "sentences.npy", vectors)


def chosen_sentences(size: int, count: int) -> Iterator[list[int]]:
    """For each passage the sentences it is made of; always the same ones."""
    chosen = random.Random(size)
    for _ in range(size):
        yield [chosen.randrange(count) for _ in range(chosen.randint(1, 4))]


def documents(work: Path, size: int) -> Iterator[Document]:
    sentences = json.loads((work / "sentences.json").read_text())
    source = Source("house", "Made up")
    for number, chosen in enumerate(chosen_sentences(size, len(sentences))):
        game, anchor = f"game{number // PER_GAME:05d}", f"p{number}"
        text = " ".join(sentences[i] for i in chosen)
        title = " ".join(text.split()[:4])
        place = (f"{game}/page#{anchor}", game, "page", anchor)
        passage = Passage(*place, "rule", title, (), text, text, source, "page.md", (1, 1))
        yield Document(passage, (("text", f"{anchor} {text}"),), f"{title}\n{text}")


# The steps, each a process


def step_vectors(work: Path, folder: Path, size: int) -> dict[str, Any]:
    """Saves the made-up vectors as a killed build would have saved its own."""
    sentences = np.load(work / "sentences.npy")
    noise = np.random.default_rng(size)
    model = export_encoder()
    digest = hashlib.sha256((model / "int8.onnx").read_bytes()).hexdigest()
    saved = KnownVectors(Encoder.load(model), digest, folder, True, lambda _: None)
    made = zip(documents(work, size), chosen_sentences(size, len(sentences)), strict=True)
    while part := [pair for _, pair in zip(range(10_000), made, strict=False)]:
        keys = np.array([content_key(document.entries[0][1]) for document, _ in part], dtype="S16")
        vectors = np.array([sentences[chosen].mean(axis=0) for _, chosen in part])
        vectors += noise.normal(0, NOISE, vectors.shape)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        saved.save(keys, vectors.astype(np.float32))
    return {}


def step_build(work: Path, folder: Path, size: int) -> dict[str, Any]:
    start, started = time.perf_counter(), time.process_time()
    index = build(f"made up {size}", lambda: documents(work, size), folder)
    took, worked = time.perf_counter() - start, time.process_time() - started
    assert index.manifest["embedded"] == 0
    disk = sum(file.stat().st_size for file in folder.glob("generation-*/*"))
    return {"build_s": took, "build_cpu_s": worked, "games": len(index.games), "disk_mb": disk / 1e6}


def step_ask(work: Path, folder: Path, size: int) -> dict[str, Any]:
    start = time.perf_counter()
    index = Index.open(folder)
    opened = time.perf_counter() - start
    retriever = Retriever(index)
    chosen = random.Random(2)
    sentences = json.loads((work / "sentences.json").read_text())
    questions = [Question(chosen.choice(sentences)) for _ in range(QUERIES)]
    start = time.perf_counter()
    retriever.search(questions[0], chosen.choice(list(index.games)))
    first = time.perf_counter() - start
    games = [chosen.choice(list(index.games)) for _ in questions]
    # Warm: each game has been asked something else before. The best of three rounds: others use the machine too.
    for question, game in zip(questions, games, strict=True):
        retriever.search(question, game)
        retriever.search(question)
    rounds = []
    for turn in range(1, 4):
        turned = games[turn:] + games[:turn]
        scoped = timed([lambda q=q, g=g: retriever.search(q, g) for q, g in zip(questions, turned, strict=True)])
        rounds.append((scoped, timed([lambda q=q: retriever.search(q) for q in questions])))
    scoped, everywhere = (
        {name: min(each[name] for each in part) for name in part[0]} for part in zip(*rounds, strict=True)
    )
    return {
        "load": os.getloadavg()[0],
        "open_ms": opened * 1e3,
        "first_ms": first * 1e3,
        **{f"scoped_{name}": value for name, value in scoped.items()},
        **{f"all_{name}": value for name, value in everywhere.items()},
    }


def step_faiss(work: Path, folder: Path, size: int) -> dict[str, Any]:
    """Recall and time of several FAISS indexes over the same vectors, candidates rescored exactly where inexact."""
    faiss = load_faiss()
    index = Index.open(folder)
    rows = index.kinds[0].all()
    sentences = np.load(work / "sentences.npy")
    picked = np.random.default_rng(3).integers(0, len(sentences), QUERIES)
    queries = sentences[picked] + np.random.default_rng(4).normal(0, 0.03, (QUERIES, 384)).astype(np.float32)
    queries = np.ascontiguousarray(queries / np.linalg.norm(queries, axis=1, keepdims=True), dtype=np.float32)
    _, exact = faiss.knn(queries, rows, 100, metric=faiss.METRIC_INNER_PRODUCT)
    found = {"ours": measure(lambda q: index.kinds[0].search(q, 100, 0, size)[0], queries, exact, 0.0, 0.0)}
    for factory in ("Flat", "SQ8", "PQ96x4fs", "PQ192x4fs", "RaBitQfs", "IVF1024,SQ8", "HNSW32,SQ8"):
        if (factory.startswith("IVF") and size < 50_000) or (factory.startswith("HNSW") and size > 100_000):
            continue  # too few rows to train on; too long to build on two cores
        start = time.process_time()
        tried = faiss.index_factory(384, factory, faiss.METRIC_INNER_PRODUCT)
        tried.train(rows[:: max(1, size // 40_000)])
        tried.add(rows)
        took = time.process_time() - start
        if factory.startswith("IVF"):
            tried.nprobe = 64
        if factory.startswith("HNSW"):
            tried.hnsw.efSearch = 256
        megabytes = len(faiss.serialize_index(tried)) / 1e6
        found[factory] = measure(lambda q, t=tried: rescored(t, q, rows), queries, exact, megabytes, took)
    return {"faiss": found}


def rescored(tried: Any, query: np.ndarray, rows: np.ndarray) -> np.ndarray:
    _, found = tried.search(query[None], 1000)
    candidates = np.sort(found[0][found[0] >= 0])
    return candidates[np.argsort(-(rows[candidates] @ query))[:100]]


def measure(
    search: Callable[[np.ndarray], np.ndarray], queries: np.ndarray, exact: np.ndarray, megabytes: float, took: float
) -> dict[str, float]:
    search(queries[0])
    recall = {10: [], 100: []}  # type: dict[int, list[float]]
    waits = []
    for query, wanted in zip(queries, exact, strict=True):
        start = time.process_time()
        got = search(query)
        waits.append(time.process_time() - start)
        for k, values in recall.items():
            k_wanted = wanted[:k][wanted[:k] >= 0]
            values.append(len(set(got[:k].tolist()) & set(k_wanted.tolist())) / len(k_wanted))
    return {
        "cpu_ms": float(np.median(waits)) * 1e3,
        "recall10": float(np.mean(recall[10])),
        "recall100": float(np.mean(recall[100])),
        "mb": megabytes,
        "build_s": took,
    }


def timed(calls: list[Callable[[], Any]]) -> dict[str, float]:
    """Waits, and the processor's time, which tells the cost on a machine that others use too."""
    waits, work = [], []
    for call in calls:
        start, started = time.perf_counter(), time.process_time()
        call()
        waits.append((time.perf_counter() - start) * 1e3)
        work.append((time.process_time() - started) * 1e3)
    p50, p95 = (float(value) for value in np.percentile(waits, [50, 95]))
    return {"p50_ms": p50, "p95_ms": p95, "cpu_ms": float(np.median(work))}


STEPS = {"vectors": step_vectors, "build": step_build, "ask": step_ask, "faiss": step_faiss}


def in_own_process(step: str, work: Path, folder: Path, size: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--step", step, str(work), str(folder), str(size)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def run_step(step: str, work: str, folder: str, size: str) -> None:
    """Runs one step and prints its figures with the peak of its own memory: without the mapped files' pages."""
    peak = 0.0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.05):
            memory = psutil.Process().memory_full_info()
            peak = max(peak, (memory.rss - memory.shared) / 1e6)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        row = STEPS[step](Path(work), Path(folder), int(size))
    finally:
        done.set()
        watcher.join()
    print(json.dumps({**row, f"{step}_own_mb": peak}))


# What is shown


def table(rows: list[dict[str, Any]]) -> str:
    columns = {
        "passages": lambda r: f"{r['size']:,}",
        "games": lambda r: f"{r['games']:,}",
        "build: processor s, wait": lambda r: f"{r['build_cpu_s']:.0f}, {r['build_s']:.0f}",
        "build, own MB": lambda r: f"{r['build_own_mb']:.0f}",
        "disk MB": lambda r: f"{r['disk_mb']:.0f}",
        "open ms": lambda r: f"{r['open_ms']:.0f}",
        "first ask ms": lambda r: f"{r['first_ms']:.0f}",
        "one game: processor ms, wait p50 / p95": lambda r: show_waits(r, "scoped"),
        "all games: processor ms, wait p50 / p95": lambda r: show_waits(r, "all"),
        "asking, own MB": lambda r: f"{r['ask_own_mb']:.0f}",
        "recall@10 / @100": lambda r: f"{r['faiss']['ours']['recall10']:.3f} / {r['faiss']['ours']['recall100']:.3f}",
    }
    machine = f"{os.cpu_count()} cores, no GPU, {platform.machine()}, Python {platform.python_version()}"
    loads = [row["load"] for row in rows]
    lines = [
        f"{datetime.date.today().isoformat()}, {machine}; load while asking {min(loads):.1f} to {max(loads):.1f}.",
        "",
    ]
    lines += [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    lines += [f"| {' | '.join(show(row) for show in columns.values())} |" for row in rows]
    lines += [
        "",
        "| passages | FAISS index | processor ms | recall@10 | recall@100 | MB | build s |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        for name, m in row["faiss"].items():
            figures = (
                f"{m['cpu_ms']:.2f} | {m['recall10']:.4f} | {m['recall100']:.4f} | {m['mb']:.0f} | {m['build_s']:.0f}"
            )
            lines.append(f"| {row['size']:,} | {name} | {figures} |")
    lines += ["", *which_index(rows)]
    return "\n".join(lines) + "\n"


def which_index(rows: list[dict[str, Any]]) -> list[str]:
    """What searches which sizes, and what it finds."""
    worst = min(row["faiss"]["ours"]["recall10"] for row in rows)
    return [
        f"Which index serves: a range of up to {SCANNED:,} vectors (a game) is scanned whole in numpy; a larger one",
        "by FAISS's exact search (`Flat`) over just its rows, without a copy; all games together from",
        f"{APPROXIMATE_FROM:,} vectors on by FAISS's `PQ192x4fs`, whose {CANDIDATES:,} nearest are scored exactly.",
        f"`ours` is the choice that this makes. Lowest recall@10 against exact search: {worst:.4f}.",
    ]


def show_waits(row: dict[str, Any], name: str) -> str:
    return f"{row[f'{name}_cpu_ms']:.1f}, {row[f'{name}_p50_ms']:.1f} / {row[f'{name}_p95_ms']:.1f}"


def plot(rows: list[dict[str, Any]], file: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    sizes = [row["size"] for row in rows]
    lines = {
        "ask in one game, median": "scoped_p50_ms",
        "ask in all games, median": "all_p50_ms",
        "open": "open_ms",
    }
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), dpi=120)
    for label, key in lines.items():
        left.plot(sizes, [row[key] for row in rows], marker="o", label=label)
    left.set(xscale="log", yscale="log", xlabel="passages", ylabel="milliseconds", title="Time")
    for label, key in {"build": "build_own_mb", "ask": "ask_own_mb", "disk": "disk_mb"}.items():
        right.plot(sizes, [row[key] for row in rows], marker="o", label=label)
    right.set(xscale="log", yscale="log", xlabel="passages", ylabel="megabytes", title="Memory (own pages) and disk")
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(file)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        run_step(*sys.argv[2:])
    else:
        main()
