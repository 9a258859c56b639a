from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from kb import beir
from kb.answer import Answer, GameChoice
from kb.cli import main
from kb.corpus import Corpus
from kb.errors import UsageError
from kb.evaluate import Item, draw, grade, load_items, reliability, risk_coverage, scores
from kb.passage import Citation


def item(**more: object) -> Item:
    plain = {"id": "1", "game": "toy", "scope": "game", "type": "t", "text": "q", "gold": ("toy/a#x",)}
    return Item(**({"verdict": None, "value": None} | plain | more))  # type: ignore[arg-type]


def citation(passage: str) -> Citation:
    return Citation(passage, "t", "quote", (0, 0), "rulebook", "b", None, None, None, (), "rule")


def answer(*ids: str, status: str = "answered", **more: object) -> Answer:
    return Answer("q", "toy", status, "", tuple(map(citation, ids)), **more)  # type: ignore[arg-type]


def test_grade__first_and_third_citation() -> None:
    assert grade(item(), answer("toy/a#x")).marks == {"leak": 0, "false-silence": 0, "cite@1": 1, "cite@3": 1}
    late = grade(item(), answer("toy/a#y", "toy/a#z", "toy/a#x"))
    assert (late.marks["cite@1"], late.marks["cite@3"]) == (0, 1)
    assert "right is toy/a#x" in late.fault


def test_grade__another_games_passage_is_a_leak() -> None:
    assert grade(item(), answer("toy/a#x", "other/a#x")).marks["leak"] == 1


def test_grade__no_verdict_is_not_a_wrong_one() -> None:
    asked = item(verdict="yes", value=3)
    assert grade(asked, answer("toy/a#x")).marks["wrong-verdict"] == 0
    wrong = grade(asked, answer("toy/a#x", verdict="no", value=4)).marks
    assert (wrong["verdict"], wrong["wrong-verdict"], wrong["value"], wrong["wrong-value"]) == (0, 1, 0, 1)
    right = grade(asked, answer("toy/a#x", verdict="yes", value="3")).marks
    assert (right["verdict"], right["value"]) == (1, 1)


def test_grade__silence_where_nothing_answers() -> None:
    unanswerable = item(gold=())
    assert grade(unanswerable, answer(status="silent")).marks["silence"] == 1
    assert grade(unanswerable, answer("toy/a#x")).fault == "should be silent"


def test_grade__which_game_counts_by_its_own_list() -> None:
    choice = GameChoice("toy", "Toy", (citation("toy/a#x"),))
    asked = Answer("q", None, "which-game", "", games=(choice,))
    assert grade(item(scope="none"), asked).marks["cite@1"] == 1


def test_risk_coverage__surest_first() -> None:
    graded = [
        grade(item(), answer("toy/a#x", confidence=0.9)),
        grade(item(), answer("toy/a#y", confidence=0.4)),
    ]
    assert [(p.answered, p.right) for p in risk_coverage(graded)] == [(0.5, 1.0), (1.0, 0.5)]
    assert reliability(graded) == [(0.4, 0.0, 1), (0.9, 1.0, 1)]
    assert scores("all", graded).means["cite@1"] == (0.5, 2)


def test_draw__writes_a_picture(tmp_path: Path) -> None:
    draw([grade(item(), answer("toy/a#x", confidence=0.9))], tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("line", "says"), [("{", "this is no question"), ('{"id": 1}', "this is no question"), ("", "no question")]
)
def test_load_items__names_the_line(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "q.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        load_items(tmp_path / "q.jsonl")


def test_beir__measures_a_run(tmp_path: Path) -> None:
    rows = [{"_id": "7.1", "title": "Combat › Fire", "text": "Shoot."}, {"_id": "7.2", "title": "", "text": "Hide."}]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "may I shoot"}\n', encoding="utf-8")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t7.1\t2\n", encoding="utf-8")
    found = list(beir.passages(tmp_path))
    assert [(p.ref, p.title, p.path) for p in found] == [("7.1", "Fire", ("Combat",)), ("7.2", "7.2", ())]
    judged = beir.judged(tmp_path)
    measures = beir.measure(judged, {"q1": [("7.2", 0.9), ("7.1", 0.5)]})
    assert measures["RR@10"] == 0.5
    assert beir.per_query(judged, {"q1": [("7.1", 1.0)]}) == {"q1": 1.0}


def test_calibrate__mends_a_calibration_that_can_not_be_read(
    toy: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = shutil.copytree(toy.directory, tmp_path / "corpus")
    (corpus / "calibration.yaml").write_text("threshold: none of your business\n")
    monkeypatch.setenv("KB_CORPUS", str(corpus))
    monkeypatch.setenv("KB_INDEX", str(tmp_path / "index"))
    asked = [("who wins a throw", ["toy/rules#higher"]), ("how do I castle", []), ("is there a fee", [])] * 4
    lines = [
        json.dumps({"id": str(n), "game": "toy", "scope": "game", "type": "t", "text": text, "gold": gold})
        for n, (text, gold) in enumerate(asked)
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines))
    broken = CliRunner().invoke(main, ["ask", "who wins a throw", "--game", "toy"])
    assert broken.exit_code == 2
    assert "--calibrate" in broken.output
    mended = CliRunner().invoke(main, ["eval", str(tmp_path / "questions.jsonl"), "--calibrate"])
    assert mended.exit_code == 0, mended.output
    assert CliRunner().invoke(main, ["ask", "who wins a throw", "--game", "toy"]).exit_code in (0, 1)
