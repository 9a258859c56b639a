"""The rest of a first index, built in a process of its own: pages are drawn meanwhile as fast as ever."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

PROGRAM = """
import os, sys
from kb.knowledge import build_index
getattr(os, "nice", int)(10)  # who asks comes first
build_index(sys.argv[1], sys.argv[2] or None, progress=lambda done, total: print(done, total, flush=True))
"""
Progress = Callable[[int, int], None]
"Called with (phrasings and passages read, all there are)."


def build_beside(corpus: Path, index: Path | None, progress: Progress) -> bool:
    """Builds the index of a corpus and waits for it; False where that went wrong.

    The process ends with this one: what it says goes nowhere then. A build that is cut short goes on the next time.
    """
    command = [sys.executable, "-c", PROGRAM, str(corpus), str(index or "")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            with contextlib.suppress(ValueError):
                done, total = map(int, line.split())
                progress(done, total)
    return process.returncode == 0
