"""Imports go down only: a module imports modules of lower layers, never of its own or of higher ones."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = [
    {"kb.errors", "kb.once"},
    {
        "kb.passage",
        "kb.yamlfile",
        "kb.progress",
        "kb.sentences",
        "kb.question",
        "kb.polarity",
        "kb.spelling",
        "kb.stemming",
        "kb.names",
    },
    {"kb.parse", "kb.answer", "kb.calibration", "kb.framing"},
    {"kb.corpus", "kb.eight_bits"},
    {"kb.blobs", "kb.recipe"},
    {"kb.glossary", "kb.encoder", "kb.store", "kb.engine"},
    {"kb.phrases"},
    {"kb.export", "kb.concepts", "kb.words", "kb.vectors", "kb.termpage"},
    {"kb.taught", "kb.ridge"},
    {"kb.index"},
    {"kb.known"},
    {"kb.writer"},
    {"kb.build"},
    {"kb.retrieval", "kb.proofs", "kb.reading", "kb.claims"},
    {"kb.verdict", "kb.silence", "kb.computing"},
    {"kb.calibrate", "kb.scope"},
    {"kb.knowledge", "kb.answering", "kb.ingest", "kb.lint_record"},
    {"kb.lint_corpus", "kb.lint_text", "kb.lint_claims"},
    {"kb.linter"},
    {"kb.evaluate", "kb.render", "kb.beir"},
    {"kb", "kb.web", "kb.cli_options"},
    {"kb.cli_engine", "kb.cli_ingest", "kb.cli_eval", "kb.pytest_plugin"},
    {"kb.cli"},
]
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
# Within these, modules may import each other: they are one layer cut into files.
PACKAGES = ("kb.engine", "kb.ingest", "kb.web", "kb.reading")
# `kb.answering` does what `kb.knowledge` offers, and is imported by it late.
PAIRS = {("kb.knowledge", "kb.answering")}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str | None:
    """The entry of LAYERS that a module belongs to."""
    package = next((p for p in PACKAGES if module == p or module.startswith(p + ".")), None)
    return package or (module if module in HEIGHT else None)


def imports(path: Path, late: bool) -> set[str]:
    """The kb modules a file imports: at the top (run at import), or all but those for the type checker."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found: set[str] = set()
    for node in ast.walk(tree) if late else ast.iter_child_nodes(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "kb":
            found |= {node.module} | {f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names if a.name.partition(".")[0] == "kb"}
    return found


FILES = sorted((ROOT / "kb").rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports__go_down_only(path: Path) -> None:
    own = layer_of(module_of(path))
    assert own is not None, f"{module_of(path)} has no place in LAYERS"
    for name in imports(path, late=True):
        other = layer_of(name)
        if other is None or other == own or (own, other) in PAIRS or other == "kb":
            continue
        assert HEIGHT[other] < HEIGHT[own], f"{own} imports {other}, which does not stand below it"


def test_engine__does_not_know_search() -> None:
    for path in (ROOT / "kb/engine").rglob("*.py"):
        for name in imports(path, late=True):
            assert layer_of(name) not in {"kb.index", "kb.retrieval", "kb.words", "kb.vectors", "kb.answering"}, path


def test_markdown_it__is_known_to_one_module() -> None:
    users = [p for p in FILES if "markdown_it" in p.read_text(encoding="utf-8") and "ingest" not in p.parts]
    assert [module_of(p) for p in users] == ["kb.parse"]
