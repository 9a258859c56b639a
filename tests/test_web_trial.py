"""What the bench makes of an input."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from web_shelf import Shelf, site

from kb.corpus import default_corpus_directory
from kb.engine import plugins
from kb.engine.check import HOLDS, outcome
from kb.engine.examples import load_examples
from kb.engine.house import parse_house_rules
from kb.engine.kernel import run
from kb.engine.odds import odds
from kb.errors import ExampleError
from kb.web.inputs import beginning
from kb.web.trial import (
    AMENDED,
    HOUSE,
    PRINTED,
    example_yaml,
    house_template,
    odds_of,
    percent,
    rules_for,
    slug,
    what_if,
)
from kb.web.views.bench import odds_html, outcome_html, refused_html, verdict_html, what_if_html

SHELF = Shelf(default_corpus_directory())
ASSAULT = plugins.procedure("ordeals.assault")
GIVEN = beginning(ASSAULT.given, {"attacker": {"might": 2, "roll": 9}, "defender": {"ward": 1, "roll": 5}})
RULES = rules_for(SHELF, "ordeals", AMENDED)


def test_rules__as_amended_as_printed_and_house() -> None:
    betrayal = rules_for(SHELF, "betrayal", AMENDED)
    printed = rules_for(SHELF, "betrayal", PRINTED)
    assert "betrayal/engage#steps-5b-damage" in betrayal.off
    assert "betrayal/faq#pooled-damage" in printed.off
    house = rules_for(SHELF, "ordeals", HOUSE, 'name: Soft\nnumbers: {"ordeals/close-combat#charge": {bonus: 3}}')
    assert house.house
    charged = {**GIVEN, "charged": True}
    assert run(ASSAULT, charged, house).result["attacker_total"] == 14
    with pytest.raises(ExampleError, match="there is no clause"):
        rules_for(SHELF, "ordeals", HOUSE, 'name: Soft\noff: ["ordeals/close-combat#nothing"]')


@pytest.mark.parametrize("procedure", plugins.procedures().values(), ids=lambda p: p.name)
def test_house_template__can_be_read_as_it_stands_and_with_its_numbers(procedure: plugins.Procedure) -> None:
    clauses = plugins.clauses_of(plugins.procedures(procedure.game).values())
    template = house_template(procedure)
    assert parse_house_rules(template, clauses).off == frozenset()
    lines = [line.replace("#  ", "  ", 1) if line.startswith('#  "') else line for line in template.splitlines()]
    parse_house_rules("\n".join(lines), clauses)


def test_what_if__one_value_varied_and_the_present_one_marked() -> None:
    table = what_if(ASSAULT, GIVEN, RULES, "defender.ward")
    assert table.path == "defender.ward"
    assert "harm" in table.columns
    assert "attacker_total" not in table.columns
    harm = table.columns.index("harm")
    found = {value: cells[harm] for value, _, cells in table.rows}
    assert found[0] == 6
    assert found[1] == 5
    assert [value for value, now, _ in table.rows if now] == [1]


def test_what_if__with_open_dice_tells_chances() -> None:
    opened = beginning(ASSAULT.given)
    table = what_if(ASSAULT, opened, RULES, "attacker.might")
    assert table.chances
    even = next(cells for value, _, cells in table.rows if value == 0)
    columns = dict(zip(table.columns, even, strict=True))
    assert columns["winner: attacker"] == columns["winner: defender"] == Fraction(11, 24)


def test_what_if__a_refused_value_says_so() -> None:
    duel = plugins.procedure("ordeals.duel")
    table = what_if(duel, beginning(duel.given, {"charged": True, "exchanges": 2}), RULES, "exchanges")
    assert "refused" in table.columns
    assert "refused" in what_if_html(duel, table).lower()


def test_odds__leave_given_rolls_open() -> None:
    assert odds_of(ASSAULT, GIVEN, RULES) == odds(ASSAULT, {"attacker": {"might": 2}, "defender": {"ward": 1}}, RULES)


def test_odds__house_numbers_are_not_mixed_up() -> None:
    charged = {**beginning(ASSAULT.given), "charged": True}
    text = 'name: Soft\nnumbers: {"ordeals/close-combat#charge": {bonus: %d}}'
    chances = [
        odds_of(ASSAULT, charged, rules_for(SHELF, "ordeals", HOUSE, text % bonus)).chance(winner="attacker")
        for bonus in (0, 5, 0)
    ]
    assert chances[0] == chances[2] < chances[1]


def test_odds_html__bars_with_percents_and_exact_fractions() -> None:
    html = odds_html(ASSAULT, odds_of(ASSAULT, beginning(ASSAULT.given), RULES))
    assert "45.8 %" in html
    assert 'title="11/24"' in html
    assert "on average" in html


def test_example_yaml__is_an_example_that_holds(tmp_path: Path) -> None:
    verdict = run(ASSAULT, GIVEN, RULES)
    title = "The attacker wins by 6: yes, 5 Harm"
    file = tmp_path / "saved.yaml"
    file.write_text(example_yaml(ASSAULT, GIVEN, verdict, title), encoding="utf-8")
    (example,) = load_examples([file], SHELF.corpus.by_id)
    assert example.title == title
    assert example.given == {"attacker": {"might": 2, "roll": 9}, "defender": {"ward": 1, "roll": 5}}
    assert outcome(example, RULES).status == HOLDS
    assert "ordeals/close-combat#exchange-3" in example.bears_out


def test_example_yaml__a_title_can_not_break_it() -> None:
    verdict = run(ASSAULT, GIVEN, RULES)
    (raw,) = yaml.safe_load(example_yaml(ASSAULT, GIVEN, verdict, 'He said: "no"\n- id: other'))
    assert raw["title"] == 'He said: "no"\n- id: other'
    assert slug("") == "example"


def test_percent__never_says_nothing_or_all_where_it_is_not() -> None:
    assert percent(Fraction(0)) == "0 %"
    assert percent(Fraction(1)) == "100 %"
    assert percent(Fraction(1, 100_000)) == "under 0.1 %"
    assert percent(1 - Fraction(1, 100_000)) == "over 99.9 %"
    assert percent(Fraction(11, 24)) == "45.8 %"


def test_verdict_html__steps_lead_to_their_passages() -> None:
    html = verdict_html(ASSAULT, run(ASSAULT, GIVEN, RULES), site())
    assert 'href="rules?at=ordeals/close-combat%23exchange-2"' in html
    assert "as amended" in html


def test_verdict_html__open_dice_are_no_failure() -> None:
    html = verdict_html(ASSAULT, run(ASSAULT, beginning(ASSAULT.given), RULES), site())
    assert "The dice are open" in html
    assert "be told" not in html


def test_verdict_html__what_is_forbidden_names_the_clause() -> None:
    act = plugins.procedure("ordeals.act")
    verdict = run(act, {"engaged": True, "reach": False, "deeds": [{"deed": "Move"}]}, RULES)
    html = verdict_html(act, verdict, site())
    assert "Illegal" in html
    assert "Forbidden by" in html


def test_verdict_html__text_that_a_player_typed_is_escaped() -> None:
    engage = plugins.procedure("betrayal.engage")
    verdict = run(engage, {"form": "<script>alert(1)</script>"}, rules_for(SHELF, "betrayal", AMENDED))
    html = verdict_html(engage, verdict, site())
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_outcome_html__what_differs_stands_side_by_side() -> None:
    examples = {e.id: e for e in load_examples([SHELF.directory / "betrayal" / "examples"], SHELF.corpus.by_id)}
    printed = rules_for(SHELF, "betrayal", PRINTED)
    found = outcome(examples["damage-pooled"], printed)
    assert found.status != HOLDS
    html = outcome_html(found, changed=False)
    assert "differs under these rules" in html or "be told under these rules" in html


def test_refused_html__says_what_is_allowed() -> None:
    html = refused_html(ExampleError("roll: 13 is not allowed", "Allowed: 1 to 12"))
    assert "Roll: 13 is not allowed." in html
    assert "Allowed: 1 to 12." in html
