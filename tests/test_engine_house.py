"""House rules and the rule set in force."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.engine.bench import clauses_in, open_bench, rules_for
from kb.engine.house import load_house_rules, rules_in_force
from kb.errors import ExampleError, UsageError

GOOD = 'name: "Tavern"\noff: [toy/faq#tie]\nnumbers: {toy/rules#charm: {bonus: 2}}\n'


def test_house_rules__change_the_outcome_and_are_shown(toy: Corpus, tmp_path: Path) -> None:
    file = tmp_path / "tavern.yaml"
    file.write_text(GOOD)
    bench = open_bench(toy, house=file)
    assert (bench.rules.label, bench.rules.house) == ("as amended, house rules: Tavern", True)
    by_id = {each.example.id: each for each in bench.outcomes}
    assert by_id["charm-ties"].verdict.result["yours"] == 6  # type: ignore[union-attr]
    assert by_id["charm-ties"].verdict.house  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("off:", "of:", 'unknown key "of". Perhaps "off" is meant'),
        ("faq#tie", "faq#tye", 'there is no clause "toy/faq#tye". Perhaps "toy/faq#tie" is meant'),
        ("rules#charm", "rules#charn", 'Perhaps "toy/rules#charm" is meant'),
        ("bonus", "bonas", 'toy/rules#charm: unknown key "bonas". Perhaps "bonus" is meant'),
        ("bonus: 2", "bonus: two", 'toy/rules#charm: bonus is "two". Write a whole number'),
        ("bonus: 2", "bonus: true", "Write a whole number"),
        ('name: "Tavern"', "", "name is missing"),
        ("[toy/faq#tie]", "toy/faq#tie", "off is no list"),
    ],
)
def test_house_rules__refuse(toy: Corpus, tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "tavern.yaml"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(ExampleError) as refused:
        load_house_rules(file, clauses_in(toy))
    assert message in str(refused.value)
    assert str(file) in str(refused.value)


def test_rules_in_force__a_chain_of_amendments_leaves_the_last_or_the_first(toy: Corpus) -> None:
    from dataclasses import replace

    first, second = (toy.by_id[each] for each in ("toy/rules#tie", "toy/faq#tie"))
    third = replace(second, id="toy/faq#tie-again", supersedes=("toy/faq#tie",), superseded_by=())
    passages = [first, second, third]
    assert rules_in_force(passages).off == {"toy/rules#tie", "toy/faq#tie"}
    assert rules_in_force(passages, as_printed=True).off == {"toy/faq#tie", "toy/faq#tie-again"}


def test_without__takes_short_names_and_refuses_unknown_ones(toy: Corpus) -> None:
    rules = rules_for(toy, without=["rules#charm"])
    assert "toy/rules#charm" in rules.off
    assert rules.label == "as amended, without toy/rules#charm"
    with pytest.raises(UsageError, match='Perhaps "toy/rules#charm" is meant'):
        rules_for(toy, without=["toy/rules#charms"])
