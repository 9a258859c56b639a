"""Coverage-guided fuzzing of what reads: `python tests/fuzz.py TARGET [SECONDS]`, after `pip install -e .[fuzz]`.

Inputs that led somewhere new are kept in `artifacts/fuzz/TARGET/`. What crashes, or takes too long, is written beside
them and ends the run: make a test of it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kb"]):
    from fuzz_targets import PIECES, TARGETS, in_time

SLOWER = 10.0
"Instrumented code, on a machine that others use too."


def main() -> None:
    target, seconds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "300"
    kept = Path("artifacts/fuzz") / target
    kept.mkdir(parents=True, exist_ok=True)
    words = kept.with_suffix(".dict")
    words.write_text("".join(f'"{escaped(piece)}"\n' for piece in PIECES[target] if piece))
    seed(kept, PIECES[target])
    TARGETS[target](b"a")  # what is imported and read once is not counted

    def run(data: bytes) -> None:
        with in_time(len(data), SLOWER):
            TARGETS[target](data)

    limits = [
        f"-max_total_time={seconds}",
        "-max_len=10000",
        "-timeout=60",
        "-rss_limit_mb=4000",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *limits, f"-dict={words}", f"-artifact_prefix={kept.parent}/{target}-", str(kept)], run)
    atheris.Fuzz()


def seed(folder: Path, pieces: list[str]) -> None:
    """Pieces in a row, to begin with."""
    chosen = random.Random(1)
    for number in range(40):
        text = "".join(chosen.choice(pieces) for _ in range(chosen.randint(1, 30)))
        (folder / f"seed-{number}").write_bytes(text.encode("utf-8", "surrogatepass"))


def escaped(piece: str) -> str:
    """A piece as libFuzzer's dictionaries write it."""
    return "".join(f"\\x{byte:02x}" for byte in piece.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
