"""A game's examples run as tests in somebody's own repository."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def repository(pytester: pytest.Pytester) -> pytest.Pytester:
    shutil.copytree(TOY / "corpus", pytester.path / "corpus")
    pytester.makeini("[pytest]\nkb_corpus = corpus\ntestpaths = corpus\n")
    pytester.makeconftest(
        f"import sys\nsys.path.insert(0, {str(TOY)!r})\n"
        "from kb.engine import plugins\nplugins.BUNDLED = {'toy': 'toy_rules'}\nplugins.forget()\n"
    )
    return pytester


def test_plugin__a_test_per_example(repository: pytest.Pytester) -> None:
    result = repository.runpytest_subprocess("-v")
    result.assert_outcomes(passed=7)
    result.stdout.fnmatch_lines(["*throw.yaml::charm-ties PASSED*"])


def test_plugin__a_failure_reads_well(repository: pytest.Pytester) -> None:
    file = repository.path / "corpus" / "toy" / "examples" / "throw.yaml"
    file.write_text(file.read_text().replace("{winner: you, status: resolved}", "{winner: they}"))
    result = repository.runpytest_subprocess()
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(["*winner: expected they, got you", "*5 against 4.  [[]toy/rules#higher]"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_plugin__a_file_that_is_not_well_formed_is_one_error(repository: pytest.Pytester) -> None:
    file = repository.path / "corpus" / "toy" / "examples" / "throw.yaml"
    file.write_text(file.read_text().replace("expect:", "expct:", 1))
    result = repository.runpytest_subprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(['*throw.yaml:1: *unknown key "expct". Perhaps "expect" is meant*'])


def test_plugin__is_silent_unless_asked(repository: pytest.Pytester) -> None:
    repository.makeini("[pytest]\n")
    assert repository.runpytest_subprocess("corpus").ret == pytest.ExitCode.NO_TESTS_COLLECTED
