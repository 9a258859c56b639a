"""Examples hold, differ or cannot tell; rulings, coverage and the mutation check follow from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb.corpus import Corpus
from kb.engine.bench import Bench, open_bench
from kb.engine.check import CANNOT_TELL, CONTRADICTED, DIFFERS, HOLDS, compare, outcome
from kb.engine.coverage import load_excuses
from kb.engine.fields import boolean, integer, list_of, mapping, named, record
from kb.engine.kernel import Rules
from kb.errors import ExampleError, UsageError


def with_expect(bench: Bench, name: str, expect: dict[str, Any], **given: Any) -> Any:
    example = next(each for each in bench.examples if each.id == name)
    return outcome(replace(example, expect=expect, given={**example.given, **given}), bench.rules)


def test_check__the_toy_holds(toy: Corpus) -> None:
    bench = open_bench(toy)
    assert bench.all_hold
    assert len(bench.outcomes) == 7


def test_outcome__says_what_was_expected_and_what_came_out(toy: Corpus) -> None:
    found = with_expect(open_bench(toy), "higher-wins", {"winner": "they", "status": "resolved", "yours": 5})
    assert found.status == DIFFERS
    assert [(d.key, d.expected, d.got) for d in found.differences] == [("winner", "they", "you")]
    assert found.verdict.steps


def test_outcome__undetermined_although_a_result_was_expected_cannot_tell(toy: Corpus) -> None:
    bench = open_bench(toy)
    assert with_expect(bench, "torn", {"winner": "you"}).status == CANNOT_TELL
    assert with_expect(bench, "torn", {"status": "resolved"}).status == CANNOT_TELL
    assert with_expect(bench, "torn", {"theirs": 4}).status == HOLDS
    assert with_expect(bench, "torn", {"theirs": 5}).status == DIFFERS
    assert with_expect(bench, "torn", {"status": "undetermined", "winner": None}).status == DIFFERS
    assert with_expect(bench, "torn", {"missing": "the weather"}).status == DIFFERS


def test_outcome__refused_input_differs_unless_it_is_expected(toy: Corpus) -> None:
    bench = open_bench(toy)
    assert with_expect(bench, "higher-wins", {"winner": "you"}, you={"roll": 9}).status == DIFFERS
    assert with_expect(bench, "higher-wins", {"error": "you.roll: 9"}, you={"roll": 9}).status == HOLDS
    assert with_expect(bench, "higher-wins", {"error": "they.roll"}, you={"roll": 9}).status == DIFFERS
    assert with_expect(bench, "higher-wins", {"error": "you.roll"}).status == DIFFERS


SETS = list_of("engaged", list_of("", named(""), unordered=True), unordered=True)
DEEDS = list_of("deeds", record("", boolean("legal"), named("by")))
DAMAGE = mapping("damage", integer(""))


@pytest.mark.parametrize(
    ("field", "expected", "got", "where"),
    [
        (SETS, [["a", "b"], ["c", "a"]], [["a", "c"], ["b", "a"]], None),
        (SETS, [["a", "b"], ["a", "b"]], [["a", "b"], ["a", "c"]], "it"),
        (SETS, [["a", "b"]], [["a", "b"], ["a", "c"]], "it"),
        (DEEDS, [{"legal": True}, {"legal": False}], [{"legal": True, "by": None}, {"legal": False, "by": "x"}], None),
        (DEEDS, [{"legal": True}], [{"legal": False, "by": "x"}], "it[0].legal"),
        (DEEDS, [{"legal": True}, {"legal": False}], [{"legal": False}, {"legal": True}], "it[0].legal"),
        (DAMAGE, {"wolf": 2}, {"wolf": 2, "bear": 1}, None),
        (DAMAGE, {"wolf": 2, "bear": 0}, {"wolf": 2}, None),
        (DAMAGE, {"wolf": 2, "bear": 1}, {"wolf": 2}, "it.bear"),
        (DAMAGE, {}, {"wolf": 0}, None),
        (DAMAGE, {}, {"wolf": 2}, "it"),
        (None, 1, True, "it"),
        (None, False, 0, "it"),
        (None, None, False, "it"),
        (None, 1, 1.0, None),
    ],
)
def test_compare(field: Any, expected: Any, got: Any, where: str | None) -> None:
    assert [each.key for each in compare("it", expected, got, field)][:1] == ([where] if where else [])


def test_rulings__follow_their_examples(toy: Corpus) -> None:
    (ruling,) = open_bench(toy).rulings()
    assert (ruling.passage, ruling.state, ruling.examples) == ("toy/faq#tie", "borne out", (("charm-ties", HOLDS),))
    (ruling,) = open_bench(toy, as_printed=True).rulings()
    assert ruling.state == CONTRADICTED
    others = replace(open_bench(toy), examples=open_bench(toy).examples[:1])
    assert others.rulings()[0].state == "untested"


def test_changed__lists_what_the_printed_rule_does_otherwise(toy: Corpus) -> None:
    ((was, now),) = open_bench(toy, as_printed=True).changed()
    assert was.example.id == "charm-ties"
    assert (was.verdict.result["winner"], now.verdict.result["winner"]) == ("you", None)  # type: ignore[union-attr]
    assert open_bench(toy).changed() == ()


def test_mutations__every_clause_of_the_toy_is_noticed(toy: Corpus) -> None:
    mutations = {each.clause: each.noticed_by for each in open_bench(toy).mutations()}
    assert mutations["toy/rules#tie"] == ("charm-ties",)  # off as amended, so it is switched off as printed
    assert all(mutations.values())


def test_mutations__name_a_clause_that_no_example_misses(toy: Corpus) -> None:
    bench = open_bench(toy)
    fewer = replace(bench, examples=tuple(each for each in bench.examples if each.id != "twice-running"))
    assert [each.clause for each in fewer.mutations() if each.survived] == ["toy/rules#turns"]


def test_coverage__the_toy_is_complete(toy: Corpus) -> None:
    (found,) = open_bench(toy).coverage()
    assert found.complete
    assert list(found.excused) == ["toy/rules#start"]


def test_coverage__names_what_is_left_out(toy: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = open_bench(toy)
    fewer = replace(bench, examples=tuple(each for each in bench.examples if each.id not in ("torn", "charm-ties")))
    monkeypatch.setattr("kb.engine.bench.load_excuses", lambda *_: {"toy/rules#charm": "no"})
    (found,) = fewer.coverage()
    assert not found.complete
    assert found.uncovered == ("toy/rules#start",)
    assert found.stale_excuses == ("toy/rules#charm",)
    assert found.unexercised == ("toy/rules#torn-charm", "toy/rules#tie", "toy/faq#tie")
    assert found.unproved == ("toy/faq#tie",)
    assert found.without_passage == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not_mechanical: {rules#strt: x}", 'Perhaps "toy/rules#start" is meant'),
        ('not_mechanical: {rules#start: ""}', "excused without a reason"),
        ("not_mechanicl: {}", 'Perhaps "not_mechanical" is meant'),
        ("not_mechanical: [rules#start]", "is no mapping"),
    ],
)
def test_load_excuses__refuses(toy: Corpus, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "coverage.yaml"
    file.write_text(text)
    with pytest.raises(ExampleError) as refused:
        load_excuses(file, toy.by_id, "toy")
    assert message in str(refused.value)


def test_open_bench__says_when_there_is_nothing_to_run(toy: Corpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no worked examples"):
        open_bench(toy, [tmp_path])


def test_rules__equal_whatever_they_were_made_from() -> None:
    assert Rules() == Rules()
    assert Rules(numbers={"a": {"b": 1}}) != Rules()
