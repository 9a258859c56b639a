"""Many people at one opened corpus: they get what one gets, wait a fair share, and it stays small."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from kb.knowledge import Knowledge, open_knowledge

THREADS = 32
SET = Path(__file__).parent.parent / "benchmarks" / "questions"


def questions(most: int) -> list[tuple[str, str | None]]:
    """Some of our own questions, every second one with its game."""
    rows = [json.loads(line) for file in sorted(SET.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    chosen = random.Random(5).sample(rows, most)
    return [(row["text"], row["game"] if row["scope"] == "game" else None) for row in chosen]


def all_questions() -> list[tuple[str, str | None]]:
    return questions(sum(len(file.read_text("utf-8").splitlines()) for file in SET.glob("*.jsonl")))


def answered(knowledge: Knowledge, asked: tuple[str, str | None]) -> str:
    return json.dumps(knowledge.ask(*asked).to_json(), sort_keys=True)


def in_threads(count: int, work: Callable[[int], None]) -> None:
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_threads__that_find_nothing_opened_yet_get_what_one_gets() -> None:
    asked = questions(12)
    expected = [answered(open_knowledge(), each) for each in asked]
    opened = open_knowledge()
    fresh = Knowledge(opened.directory, opened.index, opened.digest)  # every game is read for the first time at once
    wrong: list[tuple[str, str | None]] = []

    def ask(number: int) -> None:
        for at in range(len(asked)):
            place = (at + number) % len(asked)
            if answered(fresh, asked[place]) != expected[place]:
                wrong.append(asked[place])

    in_threads(THREADS, ask)
    assert wrong == []


@pytest.mark.slow
def test_threads__thirty_two_for_a_while_get_what_one_gets() -> None:
    knowledge = open_knowledge()
    asked = questions(150)  # more than the vectors that are kept
    expected = {each: answered(knowledge, each) for each in asked}
    wrong: list[tuple[str, str | None]] = []
    end = time.monotonic() + 10

    def ask(number: int) -> None:
        chosen = random.Random(number)
        while time.monotonic() < end:
            each = chosen.choice(asked)
            if answered(knowledge, each) != expected[each]:
                wrong.append(each)

    in_threads(THREADS, ask)
    assert wrong == []


@pytest.mark.slow
def test_threads__wait_no_more_than_three_times_their_share() -> None:
    knowledge = open_knowledge()
    asked = questions(100)
    for each in asked:
        knowledge.ask(*each)
    count = 8

    def waits(number: int) -> list[float]:
        found = []
        for at in range(len(asked)):
            start = time.perf_counter()
            knowledge.ask(*asked[(at + 12 * number) % len(asked)])
            found.append(time.perf_counter() - start)
        return found

    def ratio() -> float:
        idle, busy = waits(0), list[float]()
        in_threads(count, lambda number: busy.extend(waits(number)))
        return median(busy) / median(idle) / (count / min(count, os.cpu_count() or 1))

    assert min(ratio() for _ in range(3)) <= 3  # a machine that others use too may be slow once


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells memory another way")
def test_memory__of_a_process_that_has_answered_hundreds_of_questions_is_below_300_mb() -> None:
    program = (
        "import json, sys\nfrom pathlib import Path\nfrom kb.knowledge import open_knowledge\n"
        "opened = open_knowledge()\n"
        "for each in json.load(sys.stdin): opened.ask(*each)\n"
        "print(next(line for line in Path('/proc/self/status').read_text().splitlines() if line.startswith('VmRSS')))"
    )
    open_knowledge()  # the index is there
    asked = json.dumps(all_questions()[::3])  # all of them, in benchmarks/speed.py, take a few megabytes more
    ran = subprocess.run([sys.executable, "-c", program], input=asked, capture_output=True, text=True, check=True)
    assert int(ran.stdout.split()[1]) * 1024 < 300e6
