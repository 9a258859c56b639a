"""Speed beside plain sentence-transformers + FAISS, both in the same run: `speed.py [--rounds N] [--out benchmarks]`.

Plain: `SentenceTransformer.encode` over the same texts, `IndexFlatIP`, and for a question encode and search: no words,
no ranking, no quotations. Ours does all of it. Cold is a fresh process from its start to its end. The questions are
those of `benchmarks/questions`, with and without their game. Embedding is the loop that a build spends most of its time
in; the whole build reads the corpus, its words and its concepts besides, which plain search has not. Each figure is the
median over the rounds, in which both sides take turns; processor time tells the cost on a machine that others use too.
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
THREADS = 32
LOADED_S = 20.0
"Seconds in each round that the threads ask."
SAMPLE = 800
"Of the texts that our index embeds: so many tell plain encoding's rate."
ASKED = 200
"Of the questions: so many tell plain encoding's waits."
LOADED = 200
"Questions they choose from: more than an opened corpus keeps the vectors of."


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
    row["load"] = os.getloadavg()[0]
    for step in ("plain_build", "ours_embed", "ours_build", "plain_warm", "ours_warm", "ours_loaded"):
        row |= child(step)
    row["plain_cold_s"], row["plain_cold_cpu_s"] = whole_process("--step", "plain_cold")
    row["ours_cold_s"], row["ours_cold_cpu_s"] = whole_process("-m", "kb.cli", "ask", "--game", "eldfall", QUESTION)
    nothing, nothing_cpu = whole_process("-c", "pass")
    imported, imported_cpu = whole_process("-c", "import kb")
    row |= {"import_s": imported - nothing, "import_cpu_s": imported_cpu - nothing_cpu}
    row["help_s"], row["help_cpu_s"] = whole_process("-m", "kb.cli", "--help")
    return row


def child(step: str) -> dict[str, float]:
    ran = subprocess.run([sys.executable, __file__, "--step", step], stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def whole_process(*arguments: str) -> tuple[float, float]:
    """(seconds waited, processor seconds) from a process's start to its end."""
    command = [sys.executable, *([__file__] if arguments[0] == "--step" else []), *arguments]
    # As installed: with compiled files beside the modules.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=env)
    waited, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# Plain sentence-transformers + FAISS


def plain_model() -> Any:
    from sentence_transformers import SentenceTransformer

    from kb.export import model_folder

    return SentenceTransformer(str(model_folder()), device="cpu")


def plain_build() -> dict[str, float]:
    import faiss

    model, texts = plain_model(), random.Random(7).sample(entry_texts(), SAMPLE)
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
        "plain",
        lambda q, _: index.search(model.encode([q], show_progress_bar=False, normalize_embeddings=True), 10),
        questions()[:ASKED],
    )


def plain_file() -> str:
    return str(Path(os.environ["KB_SPEED"]) / "plain.faiss")


# Ours


def ours_embed() -> dict[str, float]:
    """The rate of the loop in which a build embeds its texts."""
    from kb.encoder import Encoder
    from kb.export import export_encoder
    from kb.known import KnownVectors

    encoder, texts = Encoder.load(export_encoder()), entry_texts()
    start, started = time.perf_counter(), time.process_time()
    for _ in KnownVectors(encoder, "", None, False, lambda _: None).vectors(texts):
        pass
    return {f"{name}_embed": rate for name, rate in rates_of("ours", len(texts), start, started).items()}


def ours_build() -> dict[str, float]:
    """The rate of what `kb build` does for a new corpus once the encoder is there: read, encode, write."""
    import shutil

    from kb.export import export_encoder
    from kb.knowledge import build_index

    export_encoder()
    shutil.rmtree(os.environ["KB_INDEX"], ignore_errors=True)
    start, started = time.perf_counter(), time.process_time()
    entries = build_index()["entries"]
    return {**rates_of("ours", entries, start, started), "entries": entries}


def ours_warm() -> dict[str, float]:
    from kb.knowledge import open_knowledge

    knowledge = open_knowledge()
    return measured("ours", knowledge.ask, questions())


def ours_loaded() -> dict[str, float]:
    """THREADS threads at one opened corpus: the median wait against an idle one's, per core; answers that differ."""
    from kb.knowledge import open_knowledge

    knowledge = open_knowledge()
    asked = questions()[:LOADED]
    expected = {each: knowledge.ask(*each).to_json() for each in asked}
    idle = waits_of(knowledge.ask, asked)
    busy: list[float] = []
    wrong: list[Any] = []
    end = time.monotonic() + LOADED_S

    def ask(number: int) -> None:
        chosen = random.Random(number)
        while time.monotonic() < end:
            each = chosen.choice(asked)
            start = time.perf_counter()
            answer = knowledge.ask(*each)
            busy.append(time.perf_counter() - start)
            if answer.to_json() != expected[each]:
                wrong.append(each)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    share = THREADS / min(THREADS, os.cpu_count() or 1)
    return {
        "loaded_ratio": float(np.median(busy) / np.median(idle)) / share,
        "loaded_rate": len(busy) / LOADED_S,
        "idle_rate": len(idle) / sum(idle),
        "loaded_wrong": float(len(wrong)),
    }


STEPS: dict[str, Callable[[], dict[str, float]]] = {
    "plain_build": plain_build,
    "plain_cold": plain_cold,
    "plain_warm": plain_warm,
    "ours_embed": ours_embed,
    "ours_build": ours_build,
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


def questions() -> list[tuple[str, str | None]]:
    """Our own questions in some order, those that name their game with it."""
    folder = Path(__file__).parent / "questions"
    rows = [
        json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()
    ]
    random.Random(7).shuffle(rows)
    return [(row["text"], row["game"] if row["scope"] == "game" else None) for row in rows]


def rates_of(name: str, texts: int, start: float, started: float) -> dict[str, float]:
    """Texts per second waited and per second of a processor core."""
    waited, worked = time.perf_counter() - start, time.process_time() - started
    return {f"{name}_rate": texts / waited, f"{name}_cpu_rate": texts / worked}


def waits_of(ask: Callable[[str, str | None], Any], asked: list[tuple[str, str | None]]) -> list[float]:
    waits = []
    for question, game in asked:
        start = time.perf_counter()
        ask(question, game)
        waits.append(time.perf_counter() - start)
    return waits


def measured(name: str, ask: Callable[[str, str | None], Any], asked: list[tuple[str, str | None]]) -> dict[str, float]:
    for each in asked[:100]:
        ask(*each)
    started = time.process_time()
    waits = np.array(waits_of(ask, asked)) * 1e3
    worked = (time.process_time() - started) / len(asked) * 1e3
    rss = psutil.Process().memory_info().rss / 1e6
    p50, p95 = (float(value) for value in np.percentile(waits, [50, 95]))
    return {f"{name}_cpu_ms": worked, f"{name}_p50_ms": p50, f"{name}_p95_ms": p95, f"{name}_rss_mb": rss}


def table(f: dict[str, float]) -> str:
    measures = [
        ("texts embedded per second", "rate_embed", True),
        ("texts embedded per second of one core", "cpu_rate_embed", True),
        ("texts per second, the whole build", "rate", True),
        ("texts per second of one core, the whole build", "cpu_rate", True),
        ("cold, process start to answer, s", "cold_s", False),
        ("cold, seconds of a core", "cold_cpu_s", False),
        ("warm, p50 ms", "p50_ms", False),
        ("warm, p95 ms", "p95_ms", False),
        ("warm, mean ms of a core", "cpu_ms", False),
        ("memory after the questions, MB", "rss_mb", False),
    ]
    rows = []
    for label, key, more_is_better in measures:
        plain, ours = f[f"plain_{key.removesuffix('_embed')}"], f[f"ours_{key}"]
        rows.append((label, plain, ours, ours / plain if more_is_better else plain / ours))
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    size = f"{f['entries']:.0f} texts, {len(questions())} questions"
    lines = [f"{datetime.date.today().isoformat()}, {machine}, no GPU, load {f['load']:.1f} before; {size}.", ""]
    lines += ["| | sentence-transformers + FAISS | this program | better by |", "|---|---|---|---|"]
    lines += [f"| {name} | {plain:.2f} | {ours:.2f} | {ratio:.1f}× |" for name, plain, ours, ratio in rows]
    lines += [
        "",
        f"`import kb` {f['import_s'] * 1e3:.0f} ms ({f['import_cpu_s'] * 1e3:.0f} of a core), "
        f"`kb --help` {f['help_s'] * 1e3:.0f} ms ({f['help_cpu_s'] * 1e3:.0f}).",
        f"{THREADS} threads at one opened corpus: {f['loaded_rate']:.0f} answers a second "
        f"({f['idle_rate']:.0f} where one asks), {f['loaded_wrong']:.0f} of them other than one thread's; "
        f"a question takes {f['loaded_ratio']:.1f} times its idle wait per core.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        print(json.dumps(STEPS[sys.argv[2]]()))
    else:
        main()
