"""Speed beside plain sentence-transformers + FAISS, both in the same run: `speed.py [--rounds N] [--out benchmarks]`.

Plain: `SentenceTransformer.encode` over the same texts, `IndexFlatIP`, and for a question encode and search: no words,
no ranking, no quotations. Ours does all of it. Cold is a fresh process from its start to its end. The questions are the
corpus's own phrasings. Each figure is the median over the rounds, in which both sides take turns;
processor time tells the cost on a machine that others use too.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import resource
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
    for side in ("plain", "ours"):
        row[f"{side}_cold_s"], row[f"{side}_cold_cpu_s"] = whole_process("--step", f"{side}_cold")
    nothing = whole_process("-c", "pass")[1]
    row["import_cpu_s"] = whole_process("-c", "import kb")[1] - nothing
    row["help_cpu_s"] = whole_process("-m", "kb.cli", "--help")[1]
    return row


def child(step: str) -> dict[str, float]:
    ran = subprocess.run([sys.executable, __file__, "--step", step], stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def whole_process(*arguments: str) -> tuple[float, float]:
    """(seconds waited, processor seconds) from a process's start to its end."""
    command = [sys.executable, *([__file__] if arguments[0] == "--step" else []), *arguments]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    waited, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# Plain sentence-transformers + FAISS


def plain_model() -> Any:
    from sentence_transformers import SentenceTransformer

    from kb.export import model_folder

    return SentenceTransformer(str(model_folder()), device="cpu")


def plain_build() -> dict[str, float]:
    import faiss

    model, texts = plain_model(), entry_texts()
    start, started = time.perf_counter(), time.process_time()
    vectors = model.encode(texts, show_progress_bar=False, normalize_embeddings=True)
    rates = rates_of("plain", len(texts), start, started)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    faiss.write_index(index, plain_file())
    return rates


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
    start, started = time.perf_counter(), time.process_time()
    entries = build_index()["embedded"]
    return {**rates_of("ours", entries, start, started), "entries": entries}


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


def rates_of(name: str, texts: int, start: float, started: float) -> dict[str, float]:
    """Texts per second waited and per second of a processor core."""
    waited, worked = time.perf_counter() - start, time.process_time() - started
    return {f"{name}_rate": texts / waited, f"{name}_cpu_rate": texts / worked}


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
    started = time.process_time()
    waits = np.array(waits_of(ask, asked)) * 1e3
    worked = (time.process_time() - started) / len(asked) * 1e3
    rss = psutil.Process().memory_info().rss / 1e6
    p50, p95 = (float(value) for value in np.percentile(waits, [50, 95]))
    return {f"{name}_cpu_ms": worked, f"{name}_p50_ms": p50, f"{name}_p95_ms": p95, f"{name}_rss_mb": rss}


def table(f: dict[str, float]) -> str:
    measures = [
        ("texts embedded per second", "rate", True),
        ("texts embedded per second of one core", "cpu_rate", True),
        ("cold, process start to answer, s", "cold_s", False),
        ("cold, seconds of a core", "cold_cpu_s", False),
        ("warm, p50 ms", "p50_ms", False),
        ("warm, p95 ms", "p95_ms", False),
        ("warm, mean ms of a core", "cpu_ms", False),
        ("memory after the questions, MB", "rss_mb", False),
    ]
    rows = []
    for label, key, more_is_better in measures:
        plain, ours = f[f"plain_{key}"], f[f"ours_{key}"]
        rows.append((label, plain, ours, ours / plain if more_is_better else plain / ours))
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    lines = [f"{datetime.date.today().isoformat()}, {machine}; {f['entries']:.0f} texts, {ASKED} questions.", ""]
    lines += ["| | sentence-transformers + FAISS | this program | better by |", "|---|---|---|---|"]
    lines += [f"| {name} | {plain:.2f} | {ours:.2f} | {ratio:.1f}× |" for name, plain, ours, ratio in rows]
    lines += [
        "",
        f"`import kb` {f['import_cpu_s'] * 1e3:.0f} ms, `kb --help` {f['help_cpu_s'] * 1e3:.0f} ms of a core; "
        f"with {THREADS} threads asking at once a question takes {f['loaded_ratio']:.1f} times its idle wait per core.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(STEPS[sys.argv[2]]()))
    else:
        main()
