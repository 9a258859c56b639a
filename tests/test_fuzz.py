"""Whatever comes from outside gives a result or a KBError, within a second for 10 kB."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from fuzz_targets import PIECES, TARGETS, in_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.cli import main

LENGTH = 10_000
"Characters of a long input."
SHARED = 3.0
"How much slower a machine that others use too may be: two who share a core take twice the processor time each."


def texts(pieces: list[str]) -> st.SearchStrategy[str]:
    """Pieces and odd characters in a row, some of them many times."""
    piece = st.sampled_from(pieces) | st.text(max_size=8)
    often = st.tuples(piece, st.integers(1, 40)).map(lambda pair: pair[0] * pair[1])
    return st.lists(piece | often, max_size=25).map("".join)


@pytest.fixture(autouse=True)
def read_once(request: pytest.FixtureRequest) -> None:
    """What is imported and read once is not counted."""
    if "target" in request.fixturenames:
        TARGETS[request.getfixturevalue("target")](b"a")


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_anything__gives_a_result_or_a_kberror(target: str, data: st.DataObject) -> None:
    raw = data.draw(texts(PIECES[target])).encode("utf-8", "surrogatepass")
    with in_time(len(raw)):
        TARGETS[target](raw)


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(raw=st.binary(max_size=400))
def test_bytes__give_a_result_or_a_kberror(target: str, raw: bytes) -> None:
    with in_time(len(raw)):
        TARGETS[target](raw)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_repetition__takes_no_more_than_its_share_of_time(target: str) -> None:
    for one, other in pairwise((*PIECES[target], "a")):
        raw = ((one + other) * LENGTH)[:LENGTH].encode("utf-8", "surrogatepass")
        with in_time(len(raw), slower=SHARED):
            TARGETS[target](raw)


def test_found__half_a_character_in_json_is_replaced() -> None:
    TARGETS["import-beir"](b'{"_id": "a\\ud800", "title": "b \\udfff", "text": "c \\ud83c"}\n')


def test_found__half_a_character_in_a_batch_goes_out_as_a_question_mark(tmp_path: Path) -> None:
    (tmp_path / "asked.jsonl").write_text('{"id": 1, "text": "may \\ud800 I move", "game": "ordeals"}\n')
    ran = CliRunner().invoke(main, ["ask", "--batch", str(tmp_path / "asked.jsonl")])
    assert ran.exception is None
    assert json.loads(ran.stdout)["question"] == "may ? I move"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("import-html", "<dl><dt>x<dd>y" * 100),
        ("import-text", ":\n" * (LENGTH // 2)),
        ("import-text", "Walk" * (LENGTH // 8) + ". " * (LENGTH // 4)),
        ("import-markdown", "- a\n" * (LENGTH // 4)),
        ("ask", '2" ' * (LENGTH // 3)),
        ("examples", "{" + ", ".join(f'"{n}": 1' for n in range(LENGTH // 9)) + "}"),
    ],
    ids=["nested definitions", "lines of one name", "one long word", "items of one name", "inches", "many keys"],
)
def test_found__what_once_took_too_long_does_not(target: str, text: str) -> None:
    with in_time(len(text), slower=SHARED):
        TARGETS[target](text.encode())
