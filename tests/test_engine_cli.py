"""kb check, kb run, kb odds and kb pin: output, JSON and exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kb.cli import main
from kb.corpus import Corpus

Kb = Callable[..., Result]


@pytest.fixture
def kb(toy: Corpus, monkeypatch: pytest.MonkeyPatch) -> Kb:
    monkeypatch.setenv("KB_CORPUS", str(toy.directory))
    runner = CliRunner()
    return lambda *arguments, **more: runner.invoke(main, [str(each) for each in arguments], **more)


def read(result: Result) -> Any:
    return json.loads(result.stdout)


def test_check__all_hold(kb: Kb) -> None:
    result = kb("check")
    assert result.exit_code == 0
    assert "✓ toy/charm-ties: 4 with the charm against 5" in result.stdout
    assert "✓ borne out: toy/faq#tie" in result.stdout
    assert "7 hold (as amended)" in result.stdout


def test_check__json_has_everything(kb: Kb) -> None:
    result = kb("check", "--coverage", "--mutate", "--json")
    found = read(result)
    assert result.exit_code == 0
    assert found["ok"] is True
    assert found["counts"] == {"holds": 7, "differs": 0, "cannot tell": 0}
    assert found["rulings"] == [
        {
            "passage": "toy/faq#tie",
            "title": "Who wins on equal throws?",
            "state": "borne out",
            "examples": [{"id": "charm-ties", "status": "holds"}],
        }
    ]
    assert [each["complete"] for each in found["coverage"]] == [True]
    assert not [each for each in found["mutations"] if each["survived"]]


def test_check__an_example_that_differs_shows_its_steps(kb: Kb, toy: Corpus, tmp_path: Path) -> None:
    source = toy.directory / "toy" / "examples" / "throw.yaml"
    file = tmp_path / "other.yaml"
    file.write_text(source.read_text().replace("{winner: you, status: resolved}", "{winner: they}"))
    result = kb("check", file)
    assert result.exit_code == 1
    assert f"differs ({file}:1)" in result.stdout
    assert "winner: expected they, got you" in result.stdout
    assert "1. 5 against 4.  [toy/rules#higher]" in result.stdout
    assert "6 hold, 1 differs" in result.stdout


def test_check__as_printed_shows_what_turns_out_differently(kb: Kb) -> None:
    result = kb("check", "--as-printed")
    assert result.exit_code == 1
    assert "1 of 7 examples turn out differently than as amended" in result.stdout
    assert "as printed: resolved, winner none" in result.stdout
    assert [each["id"] for each in read(kb("check", "--as-printed", "--json"))["changed"]] == ["charm-ties"]


def test_check__a_game_s_name_stands_for_its_examples(kb: Kb) -> None:
    assert kb("check", "toy").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "nowhere.yaml"], "there is no file or folder nowhere.yaml"),
        (["check", "--without", "rules#chrm"], 'there is no clause "rules#chrm"'),
        (["check", "--game", "chess"], "there is no game"),
        (["run", "toy.thrw", "--given", "-"], 'Perhaps "toy.throw" is meant'),
        (["run", "toy.throw", "--given", "nowhere.yaml"], "nowhere.yaml can't be read"),
        (["odds", "toy.evening"], "players: missing"),
        (["pin", "rules#chrm"], 'there is no clause "rules#chrm"'),
    ],
)
def test_wrong_use__is_one_clear_message(kb: Kb, arguments: list[str], message: str) -> None:
    result = kb(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["{you: {roll: 6}, they: {roll: 1}}", '{"you": {"roll": 6}, "they": {"roll": 1}}'])
def test_run__reads_yaml_and_json(kb: Kb, text: str) -> None:
    result = kb("run", "toy.throw", "--given", "-", "--json", input=text)
    assert result.exit_code == 0
    assert read(result)["result"] == {"winner": "you", "yours": 6, "theirs": 1}
    assert read(result)["steps"][0]["clause"] == "toy/rules#higher"


def test_run__what_cannot_be_told_exits_1(kb: Kb) -> None:
    result = kb("run", "toy.throw", "--given", "-", input="{you: {roll: 6}}")
    assert result.exit_code == 1
    assert "missing: they.roll (a D6)" in result.stdout


@pytest.mark.parametrize("text", ["{you: {roll: 7}, they: {roll: 1}}", "- 1", "{", "you: {rol: 3}", ""])
def test_run__bad_input_is_one_clear_message(kb: Kb, text: str) -> None:
    result = kb("run", "toy.throw", "--given", "-", input=text)
    assert result.exit_code == 2
    assert result.stderr.startswith("kb: ")
    assert "Traceback" not in result.output


def test_run__without_a_procedure_lists_them(kb: Kb) -> None:
    assert "roll (a whole number, 1 to 6, or null, default none)" in kb("run", "--game", "toy").stdout
    (throw, _) = read(kb("run", "--game", "toy", "--json"))
    assert throw["name"] == "toy.throw"
    assert throw["given"][0]["fields"][0] == {
        "name": "roll",
        "kind": "integer",
        "allowed": "a whole number, 1 to 6, or null",
        "required": False,
        "default": None,
        "low": 1,
        "high": 6,
        "sides": 6,
    }


def test_odds__bars_and_exact_fractions(kb: Kb) -> None:
    result = kb("odds", "toy.throw")
    assert result.exit_code == 0
    assert "58.33%" in result.stdout
    assert "7/12" in result.stdout
    assert "yours: expected 3.5" in result.stdout


def test_pin__renews_what_changed(kb: Kb, toy: Corpus, tmp_path: Path) -> None:
    shutil.copytree(toy.directory, tmp_path / "corpus")
    page = tmp_path / "corpus" / "toy" / "rules.md"
    page.write_text(page.read_text().replace("adds 1", "adds 2"))
    result = kb("pin", "--corpus", tmp_path / "corpus", "--json")
    assert read(result) == {"renewed": {"toy": ["toy/rules#charm"]}}
    assert kb("pin", "--corpus", tmp_path / "corpus").stdout == "toy: every pin fits\n"
