"""Made-up documents for the index tests; run as a program (DIRECTORY SIZE) it builds an index of them."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from kb.build import ensure
from kb.index import Document
from kb.passage import Passage, Source

WORDS = """archer bishop castle dagger engage falcon guard harm initiative javelin knight lancer move noble oath push
quest reach shield tower unhorse ward exchange charge retreat damage roll total winner loser turn token""".split()
GAMES = ("alpha", "beta", "gamma")


def sentence(seed: str, length: int = 12) -> str:
    """Always the same words for the same seed."""
    chosen = random.Random(seed)
    return " ".join(chosen.choice(WORDS) for _ in range(length)).capitalize() + "."


def documents(size: int, games: tuple[str, ...] = GAMES, version: str = "") -> Iterator[Document]:
    """`size` documents for each game; every tenth has another text in another `version`."""
    for game in games:
        for i in range(size):
            seed = f"{game}{i}{version if i % 10 == 0 else ''}"
            text = f"{sentence(seed)} {sentence(seed + 'b')}"
            yield document(game, i, f"{WORDS[i % len(WORDS)].capitalize()} {i}", text)


def document(game: str, i: int, title: str, text: str, asks: tuple[str, ...] = ()) -> Document:
    source = Source("house", "Rules of the tests")
    passage = Passage(
        f"{game}/page#p{i}", game, "page", f"p{i}", "rule", title, (), text, text, source, "page.md", (1, 1)
    )
    sentences = [("sentence", part.strip() + ".") for part in text.rstrip(".").split(".")]
    entries = (("text", f"{title}\n{text}"), *(("ask", ask) for ask in asks), *sentences)
    return Document(passage, entries, "\n".join((title, text, *asks)))


if __name__ == "__main__":
    size = int(sys.argv[2])
    ensure(f"{size} documents", lambda: documents(size), Path(sys.argv[1]))
