"""What the ranking of games without phrasings is made of: `fusion.py BENCH [--learn]`.

BENCH is as for `peers.py`. The bundled games take part with their phrasings left out, asked the project's own question
sets: five games in all, so that a weight which fits one of them only shows. Every row is the product's own search with
one thing changed. `--learn` fits the weights to all games but one (listwise softmax, gradient descent) and measures on
that one.

Tried as well, by hand, and left: cosines from 0 to 1 among the candidates instead of as they are (the same); the rule
that a sub-rule stands below in its embedded text (-.01 to -.02 on both Magic sets), or a share of its score (worse, or
the same); a share of the best score under the heading (no better than the neighbours'); every clause by itself; the sum
of all referring passages instead of the best one (-.01 to -.04 on four sets of five); what refers to a good passage
(helps two sets, costs .01 to .03 on three).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from tempfile import gettempdir

import numpy as np
from numpy.typing import NDArray

from kb import beir
from kb.build import ensure
from kb.corpus import corpus_digest, default_corpus_directory, load_corpus
from kb.evaluate import load_items
from kb.index import Index
from kb.knowledge import index_beside
from kb.question import Question
from kb.retrieval import PLAIN, Hit, Retriever, Weights, document

QUESTIONS = Path(__file__).with_name("questions")
LEARNED = ("text", "sentence", "words", "title")
NO_DENSE = replace(PLAIN, text=0, sentence=0, title=0, kin=0, referred=0)
VARIANTS: Mapping[str, Weights] = {
    "as shipped": PLAIN,
    "dense alone": replace(NO_DENSE, text=1, words=0),
    "BM25 alone": NO_DENSE,
    "no sentences": replace(PLAIN, sentence=0),
    "sentences twice": replace(PLAIN, sentence=2 * PLAIN.sentence),
    "words by half": replace(PLAIN, words=PLAIN.words / 2),
    "words twice": replace(PLAIN, words=2 * PLAIN.words),
    "no titles": replace(PLAIN, title=0),
    "titles by half": replace(PLAIN, title=PLAIN.title / 2),
    "titles twice": replace(PLAIN, title=2 * PLAIN.title),
    "numbers in titles count": replace(PLAIN, title_numbers=True),
    "no kin": replace(PLAIN, kin=0),
    "kin twice": replace(PLAIN, kin=2 * PLAIN.kin),
    "no references": replace(PLAIN, referred=0),
    "references by half": replace(PLAIN, referred=PLAIN.referred / 2),
    "references twice": replace(PLAIN, referred=2 * PLAIN.referred),
    "nearest of text and sentence": replace(PLAIN, ask=0.3, text=0.23, sentence=0.08),
}
ENCODED: Mapping[str, Callable[[Question], str]] = {
    "encoded: whole, as it stands": lambda question: question.text,
    "encoded: asking clause alone": lambda question: question.core,
    "encoded: asking clause, then whole": lambda question: f"{question.core} {question.text}",
    "encoded: first line, asking clause": lambda question: f"{question.text.partition(chr(10))[0]} {question.core}",
}
Vectors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Set:
    """Judged questions to one game of an index."""

    found: beir.Judged
    game: str
    index: Index

    def vectors(self, encoded: Callable[[Question], str] | None = None) -> Vectors:
        """The questions' vectors: the product's, or those of another text made of the question."""
        retriever, encoder = Retriever(self.index), self.index.encoder
        questions = {query: Question(text) for query, text in self.found.queries.items()}
        if encoded is None:
            return {query: retriever.encode(question) for query, question in questions.items()}
        return {query: encoder.encode_query(encoded(question)) for query, question in questions.items()}

    def search(self, weights: Weights, vectors: Vectors, k: int = 10) -> dict[str, list[Hit]]:
        retriever = Retriever(self.index, weights)
        texts = self.found.queries.items()
        return {query: retriever.search(Question(text), self.game, k, vectors[query]) for query, text in texts}

    def ndcg(self, weights: Weights, vectors: Vectors) -> float:
        runs = {query: [(ref(hit), hit.score) for hit in hits] for query, hits in self.search(weights, vectors).items()}
        return beir.measure(self.found, runs)["nDCG@10"]


def ref(hit: Hit) -> str:
    return hit.passage.ref or hit.passage.id


def public_sets(bench: Path) -> Iterable[Set]:
    for path in sorted(bench.glob("queries/*/CORPUS")):
        folder = bench / "corpora" / path.read_text().strip()
        index = ensure(
            beir.digest(folder), lambda folder=folder: map(document, beir.passages(folder)), index_beside(folder)
        )
        yield Set(beir.judged(path.parent), folder.name, index)


def own_sets() -> Iterable[Set]:
    directory = default_corpus_directory()
    corpus = load_corpus(directory)
    # Without refs as well: the question sets name passages by id.
    plain = [replace(passage, asks=(), ref=None) for passage in corpus.passages]
    where = Path(gettempdir()) / "rules-kb-fusion"
    index = ensure(f"without phrasings: {corpus_digest(directory)}", lambda: map(document, plain), where)
    for game in corpus.games:
        items = [item for item in load_items(QUESTIONS / f"{game}.jsonl") if item.gold]
        queries = {item.id: item.text for item in items}
        qrels = {item.id: dict.fromkeys(item.gold, 1) for item in items}
        yield Set(beir.Judged(game, queries, qrels), game, index)


def row(label: str, values: Iterable[float]) -> None:
    values = list(values)
    print(f"| {label} | " + " | ".join(f"{value:.3f}" for value in values) + f" | {np.mean(values):.3f} |", flush=True)


def learn(sets: Iterable[tuple[Set, Vectors]]) -> Weights:
    """Weights that put the judged passages first; every set counts the same."""
    lists = []
    for each, vectors in sets:
        for query, hits in each.search(PLAIN, vectors, 200).items():
            gains = np.array([each.found.qrels[query].get(ref(hit), 0) for hit in hits], dtype=float)
            if gains.sum():
                lists.append((_signals(hits), gains / gains.sum(), 1 / len(each.found.queries)))
    learned = np.full(len(LEARNED), 5.0)
    for _ in range(300):
        step = 0.01 * learned
        for signals, wanted, share in lists:
            chance = np.exp(signals @ learned - np.max(signals @ learned))
            step += share * signals.T @ (chance / chance.sum() - wanted)
        learned = np.maximum(0, learned - step)
    shares = learned / learned.sum() * sum(getattr(PLAIN, name) for name in LEARNED)
    return replace(PLAIN, **dict(zip(LEARNED, shares.tolist(), strict=True)))


def _signals(hits: list[Hit]) -> NDArray[np.float64]:
    rows = np.array([[max(hit.parts[name], 0.0) for name in LEARNED] for hit in hits])
    sentence, words = LEARNED.index("sentence"), LEARNED.index("words")
    rows[:, sentence] = np.where(rows[:, sentence] > 0, rows[:, sentence], rows[:, LEARNED.index("text")])
    rows[:, words] /= max(rows[:, words].max(), 1e-9)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("--learn", action="store_true")
    options = parser.parse_args()
    sets = [*public_sets(options.bench), *own_sets()]
    print("| nDCG@10 | " + " | ".join(f"{each.found.name} ({len(each.found.queries)})" for each in sets) + " | mean |")
    print("|---" * (len(sets) + 2) + "|")
    shipped = [each.vectors() for each in sets]
    for label, weights in VARIANTS.items():
        row(label, (each.ndcg(weights, vectors) for each, vectors in zip(sets, shipped, strict=True)))
    for label, encoded in ENCODED.items():
        row(label, (each.ndcg(PLAIN, each.vectors(encoded)) for each in sets))
    if options.learn:
        pairs, values = list(zip(sets, shipped, strict=True)), []
        for each, vectors in pairs:
            weights = learn(pair for pair in pairs if pair[0].game != each.game)
            print(each.found.name, [round(value, 2) for value in astuple(weights)], file=sys.stderr)
            values.append(each.ndcg(weights, vectors))
        row("learned on the other games", values)


if __name__ == "__main__":
    main()
