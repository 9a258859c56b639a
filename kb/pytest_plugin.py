"""Collects a game's worked examples as tests, in anybody's repository that asks for it:

[tool.pytest.ini_options]
kb_corpus = "corpus"                 # the folder with <game>/game.yaml
testpaths = ["tests", "corpus"]      # where pytest looks; each <game>/examples/*.yaml becomes a test per example
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.engine.check import Outcome
    from kb.engine.examples import Example

_CORPUS = pytest.StashKey["Corpus"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("kb_corpus", "Corpus folder whose worked examples are collected as tests.", type="paths", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ExampleFile | None:
    """A file of examples below a corpus that the ini file names."""
    corpus = next((each for each in parent.config.getini("kb_corpus") if file_path.is_relative_to(each)), None)
    if corpus is None or file_path.suffix not in (".yaml", ".yml"):
        return None
    within = file_path.relative_to(corpus).parts
    if len(within) < 3 or within[1] != "examples":
        return None
    file = ExampleFile.from_parent(parent, path=file_path)
    file.directory = corpus
    return file


class ExampleFile(pytest.File):
    """A YAML file of worked examples."""

    directory: Path

    def collect(self) -> Iterator[ExampleItem]:
        from kb.engine.examples import load_examples
        from kb.errors import KBError

        try:
            corpus = self._corpus()
            examples = load_examples([self.path], corpus.by_id)
        except KBError as fault:
            raise self.CollectError(str(fault)) from None
        for example in examples:
            yield ExampleItem.of(self, example, corpus)

    def _corpus(self) -> Corpus:
        """The corpus, read once per run."""
        from kb.corpus import load_corpus

        known = self.config.stash.get(_CORPUS, None)
        if known is None or known.directory != self.directory:
            known = self.config.stash[_CORPUS] = load_corpus(self.directory)
        return known


class ExampleItem(pytest.Item):
    """One worked example, run under the rules as amended."""

    example: Example
    corpus: Corpus

    @classmethod
    def of(cls, parent: ExampleFile, example: Example, corpus: Corpus) -> ExampleItem:
        item: ExampleItem = cls.from_parent(parent, name=example.id)
        item.example, item.corpus = example, corpus
        return item

    def runtest(self) -> None:
        from kb.engine.check import HOLDS, outcome
        from kb.engine.house import rules_in_force

        found = outcome(self.example, rules_in_force(self.corpus.passages))
        if found.status != HOLDS:
            raise ExampleFailedError(found)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was expected, what came out and the steps that led there; no traceback for an example that differs."""
        if not isinstance(excinfo.value, ExampleFailedError):
            return super().repr_failure(excinfo, style)
        from kb.engine.report import outcome_lines

        return "\n".join(text for text, _ in outcome_lines(excinfo.value.outcome))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.example.line - 1, f"{self.example.game}/{self.example.id}: {self.example.title}"


class ExampleFailedError(Exception):
    """An example does not hold."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"{outcome.example.id} {outcome.status}")
        self.outcome = outcome
