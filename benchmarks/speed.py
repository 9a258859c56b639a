"""Speed beside plain sentence-transformers + FAISS, both in the same run: `speed.py [--rounds N] [--out benchmarks]`.

Plain: `SentenceTransformer.encode` over the same texts, `IndexFlatIP`, and for a question encode and search: no words,
no ranking, no quotations. Ours does all of it. Cold is a fresh process from its start to its end. The questions are the
corpus's own phrasings. Each figure is the median over the rounds, in which both sides take turns.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import psutil

QUESTION = "May a model that is engaged walk away?"
ASKED = 300
THREADS = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KB_INDEX"] = str(Path(folder) / "index")
        os.environ["KB_SPEED"] = folder
        rows = [one_round() for _ in range(options.rounds)]
    figures = {key: median(row[key] for row in rows) for key in rows[0]}
    text = table(figures)
    print(text)
    (options.out / "speed.md").write_text(text)
    (options.out / "speed.json").write_text(json.dumps(figures, indent=1) + "\n")


def one_round() -> dict[str, float]:
    row: dict[str, float] = {}
    for step in ("plain_build", "ours_build", "plain_warm", "ours_warm", "ours_loaded"):
        row |= child(step)
    row["plain_cold_s"] = wall("--step", "plain_cold")
    row["ours_cold_s"] = wall("--step", "ours_cold")
    row["import_s"] = wall("-c", "import kb") - wall("-c", "pass")
    row["help_s"] = wall("-m", "kb.cli", "--help")
    return row


def child(step: str) -> dict[str, float]:
    ran = subprocess.run([sys.executable, __file__, "--step", step], stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def wall(*arguments: str) -> float:
    command = [sys.executable, *([__file__] if arguments[0] == "--step" else []), *arguments]
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


# Plain sentence-transformers + FAISS


def plain_model() -> Any:
    from sentence_transformers import SentenceTransformer

    from kb.export import model_folder

    return SentenceTransformer(str(model_folder()), device="cpu")


def plain_build() -> dict[str, float]:
    import faiss

    model, texts = plain_model(), entry_texts()
    start = time.perf_counter()
    vectors = model.encode(texts, show_progress_bar=False, normalize_embeddings=True)
    rate = len(texts) / (time.perf_counter() - start)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, plain_file())
    return {"plain_rate": rate}


def plain_cold() -> dict[str, float]:
    import faiss

    index = faiss.read_index(plain_file())
    index.search(plain_model().encode([QUESTION], normalize_embeddings=True), 10)
    return {}


def plain_warm() -> dict[str, float]:
    import faiss

    index, model = faiss.read_index(plain_file()), plain_model()
    return measured(
        "plain", lambda q: index.search(model.encode([q], show_progress_bar=False, normalize_embeddings=True), 10)
    )


def plain_file() -> str:
    return str(Path(os.environ["KB_SPEED"]) / "plain.faiss")


# Ours


def ours_build() -> dict[str, float]:
    """The rate of what `kb build` does for a new corpus once the encoder is there: read, encode, write."""
    import shutil

    from kb.knowledge import build_index

    shutil.rmtree(os.environ["KB_INDEX"], ignore_errors=True)
    build_index()  # the encoder may have to be exported first
    shutil.rmtree(os.environ["KB_INDEX"])
    start = time.perf_counter()
    built = build_index()
    return {"ours_rate": built["embedded"] / (time.perf_counter() - start), "entries": built["embedded"]}


def ours_cold() -> dict[str, float]:
    from kb.knowledge import open_knowledge

    open_knowledge().ask(QUESTION, "eldfall")
    return {}


def ours_warm() -> dict[str, float]:
    from kb.knowledge import open_knowledge

    knowledge = open_knowledge()
    return measured("ours", lambda q: knowledge.ask(q, knowledge_game(knowledge, q)))


def ours_loaded() -> dict[str, float]:
    """The same with THREADS threads asking at once: the median wait against an idle one's, per core."""
    from kb.knowledge import open_knowledge

    knowledge = open_knowledge()
    asked = questions()[:60]
    games = {q: knowledge_game(knowledge, q) for q in asked}
    for q in asked:
        knowledge.ask(q, games[q])
    idle = waits_of(lambda q: knowledge.ask(q, games[q]), asked)
    busy: list[float] = []
    threads = [
        threading.Thread(target=lambda: busy.extend(waits_of(lambda q: knowledge.ask(q, games[q]), asked)))
        for _ in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cores = min(THREADS, os.cpu_count() or 1)
    return {"loaded_ratio": float(np.median(busy) / np.median(idle)) / (THREADS / cores)}


def knowledge_game(knowledge: Any, question: str) -> str | None:
    """Every second question names its game."""
    return sorted(knowledge.games)[0] if hash(len(question)) % 2 else None


STEPS: dict[str, Callable[[], dict[str, float]]] = {
    "plain_build": plain_build,
    "plain_cold": plain_cold,
    "plain_warm": plain_warm,
    "ours_build": ours_build,
    "ours_cold": ours_cold,
    "ours_warm": ours_warm,
    "ours_loaded": ours_loaded,
}


# Shared


def entry_texts() -> list[str]:
    """What our index embeds: the same texts for both."""
    from kb.knowledge import open_knowledge

    directory = open_knowledge().directory
    from kb.corpus import load_corpus
    from kb.retrieval import document

    return [text for passage in load_corpus(directory).passages for _, text in document(passage).entries]


def questions() -> list[str]:
    from kb.corpus import default_corpus_directory, load_corpus

    found = [ask.text for passage in load_corpus(default_corpus_directory()).passages for ask in passage.asks]
    return random.Random(7).sample(found, min(ASKED, len(found)))


def waits_of(ask: Callable[[str], Any], asked: list[str]) -> list[float]:
    waits = []
    for question in asked:
        start = time.perf_counter()
        ask(question)
        waits.append(time.perf_counter() - start)
    return waits


def measured(name: str, ask: Callable[[str], Any]) -> dict[str, float]:
    asked = questions()
    for question in asked[:20]:
        ask(question)
    waits = np.array(waits_of(ask, asked)) * 1e3
    rss = psutil.Process().memory_info().rss / 1e6
    p50, p95 = (float(value) for value in np.percentile(waits, [50, 95]))
    return {f"{name}_p50_ms": p50, f"{name}_p95_ms": p95, f"{name}_rss_mb": rss}


def table(f: dict[str, float]) -> str:
    rows = [
        ("texts embedded per second", f["plain_rate"], f["ours_rate"], f["ours_rate"] / f["plain_rate"]),
        ("cold: process start to answer, s", f["plain_cold_s"], f["ours_cold_s"], f["plain_cold_s"] / f["ours_cold_s"]),
        ("warm, p50 ms", f["plain_p50_ms"], f["ours_p50_ms"], f["plain_p50_ms"] / f["ours_p50_ms"]),
        ("warm, p95 ms", f["plain_p95_ms"], f["ours_p95_ms"], f["plain_p95_ms"] / f["ours_p95_ms"]),
        ("memory after the questions, MB", f["plain_rss_mb"], f["ours_rss_mb"], f["plain_rss_mb"] / f["ours_rss_mb"]),
    ]
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    lines = [f"{datetime.date.today().isoformat()}, {machine}; {f['entries']:.0f} texts, {ASKED} questions.", ""]
    lines += ["| | sentence-transformers + FAISS | this program | better by |", "|---|---|---|---|"]
    lines += [f"| {name} | {plain:.2f} | {ours:.2f} | {ratio:.1f}× |" for name, plain, ours, ratio in rows]
    lines += [
        "",
        f"`import kb` {f['import_s'] * 1e3:.0f} ms, `kb --help` {f['help_s'] * 1e3:.0f} ms; with {THREADS} threads "
        f"asking at once a question takes {f['loaded_ratio']:.1f} times its idle wait per core.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(STEPS[sys.argv[2]]()))
    else:
        main()
