"""Answers, term pages, rules pages and rulings as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from web_shelf import Shelf, site, write_game

from kb.answer import ANSWERED, COMPUTED, SILENT, WHICH_GAME, Answer, AnswerStep, GameChoice, Proof, Reading
from kb.passage import Citation, cite
from kb.web import links
from kb.web.proved import concerned, proved, rulings_on
from kb.web.views.ask import Asked, answer_html, sureness, welcome_html
from kb.web.views.glossary import find_term, gaps_html, list_html, picture, term_html
from kb.web.views.rules import contents_html, page_html
from kb.web.views.rulings import Filter, rulings_html

SITE = site()
ASKED = Asked("May it <b>fire</b>?", "ordeals")


def citation(passage_id: str, words: str = "") -> Citation:
    passage = SITE.passage(passage_id)
    assert passage is not None
    start = passage.text.index(words)
    return cite(passage, (start, start + len(words)), 0.8)


def answer(**more: Any) -> Answer:
    made = Answer(
        ASKED.question,
        "ordeals",
        ANSWERED,
        "Every other Deed is barred.",
        (
            citation("ordeals/close-combat#engaged-deeds", "The only Deeds"),
            citation("ordeals/close-combat#charge"),
        ),
        confidence=0.93,
    )
    return replace(made, **more)


def test_answer__verdict_quote_and_source() -> None:
    html = answer_html(answer(verdict="no"), ASKED, SITE)
    assert '<p class="verdict verdict-no">No</p>' in html
    assert "<mark>The only " in html
    assert "Rulebook" in html
    assert "restated" in html
    assert "sure" in html
    assert "<b>fire</b>" not in html


def test_answer__no_verdict_is_no_verdict() -> None:
    html = answer_html(answer(), ASKED, SITE)
    assert "verdict-yes" not in html
    assert "verdict-no" not in html


def test_answer__computed_shows_reading_value_and_linked_steps() -> None:
    given = {"attacker": {"might": 2, "roll": 9}, "defender": {"roll": 5, "ward": 1}}
    html = answer_html(
        answer(
            status=COMPUTED,
            value=5,
            unit="Harm",
            reading=Reading("you 9 + Might 2", "ordeals.assault", given),
            steps=(AnswerStep("ordeals/close-combat#exchange-3", "Step 3", "6 damage - Ward 1 = 5.", {}),),
        ),
        ASKED,
        SITE,
    )
    assert re.search(r'verdict-value">5 <small>Harm</small>', html)
    assert "you 9 + Might 2" in html
    assert 'href="rules?at=ordeals/close-combat%23exchange-3"' in html
    assert 'href="bench?procedure=ordeals.assault&amp;given=%7B' in html


def test_answer__what_replaces_and_what_is_replaced_stand_side_by_side() -> None:
    new, old = "betrayal/faq#pooled-damage", "betrayal/engage#steps-5b-damage"
    amended = answer_html(answer(game="betrayal", citations=(citation(new), citation(old))), ASKED, SITE)
    assert "Replaces" in amended
    assert 'class="quote  struck"' in amended
    assert amended.count(old.partition("#")[2]) >= 1
    assert "Also" not in amended, "the replaced passage stands beside the first and not once more below"
    printed = answer_html(
        answer(game="betrayal", citations=(citation(old), citation(new))), Asked("x", "betrayal", as_printed=True), SITE
    )
    assert "Replaced" in printed
    assert "As amended" in printed
    assert "as printed" in printed


def test_answer__silence_is_shown_as_such() -> None:
    html = answer_html(
        Answer(
            "x",
            "ordeals",
            SILENT,
            "",
            nearest=(citation("ordeals/close-combat#charge"),),
            missing=("how <far> it flies",),
        ),
        ASKED,
        SITE,
    )
    assert "The rules here are silent." in html
    assert "not an answer" in html
    assert "How &lt;far&gt; it flies." in html
    assert "Copy as quote" not in html


def test_answer__which_game_is_a_choice_of_links() -> None:
    choices = tuple(
        GameChoice(game, SITE.knowledge.games[game].title, (citation(passage),))
        for game, passage in (("ordeals", "ordeals/close-combat#engaged"), ("eldfall", "eldfall/engaged#ends"))
    )
    html = answer_html(Answer("x", None, WHICH_GAME, "", games=choices), Asked("What now?"), SITE)
    assert 'href="./?q=What%20now%3F&amp;game=ordeals"' in html
    assert 'href="./?q=What%20now%3F&amp;game=eldfall"' in html


def test_answer__did_you_mean_asks_that_instead() -> None:
    html = answer_html(answer(did_you_mean="may it <fire>"), ASKED, SITE)
    assert 'href="./?q=may%20it%20%3Cfire%3E&amp;game=ordeals"' in html


def test_answer__examples_with_their_marks() -> None:
    proofs = (Proof("ordeals/tie", "A tie", "holds"), Proof("ordeals/other", "Other", "differs"))
    html = answer_html(answer(examples=proofs, borne_out={}), ASKED, SITE)
    assert 'aria-label="holds" role="img">✓' in html
    assert 'aria-label="differs" role="img">✗' in html
    assert 'href="bench?example=ordeals/tie"' in html


@pytest.mark.parametrize("state", ["borne out", "contradicted", "untested"])
def test_answer__a_ruling_says_how_it_is_proved(state: str) -> None:
    id_ = "eldfall/rulings#two-casters"
    html = answer_html(answer(game="eldfall", citations=(citation(id_),), borne_out={id_: state}), ASKED, SITE)
    assert state.capitalize() in html
    assert "deokel · Community Answers (Discord) · 2026-04-28" in html


def test_answer__the_reading_is_left_out_where_it_is_the_question() -> None:
    same = answer_html(answer(reading=Reading("may it <B>fire</B>")), ASKED, SITE)
    assert "Read as" not in same
    assert "Read as" in answer_html(answer(reading=Reading("another way")), ASKED, SITE)


def test_sureness__in_words() -> None:
    assert [sureness(c) for c in (1.0, 0.9, 0.8, 0.6, 0.1)] == ["sure", "sure", "fairly sure", "likely", "a guess"]


def test_welcome__keeps_the_library() -> None:
    html = welcome_html(site(library="own"), [("ordeals", ["What is Ward?"])], [])
    assert 'href="./?q=What%20is%20Ward%3F&amp;game=ordeals&amp;library=own"' in html


def test_links__what_is_empty_is_left_out() -> None:
    assert links.url("") == "./"
    assert links.url("rules", at="a/b#c d", game="", x=None, y=False, z=True) == "rules?at=a/b%23c%20d&z=1"
    assert links.url("bench", given={"a": ["ü", 1]}) == "bench?given=%7B%22a%22:%5B%22%C3%BC%22,1%5D%7D"


def test_glossary__a_to_z_with_undefined_words_marked() -> None:
    html = list_html(SITE, ["ordeals"])
    assert html.index(">Act</a>") < html.index(">Ward</a>")
    assert re.search(r">Lore</a> <span[^>]*>not defined", html)
    assert "No term has “&lt;zzz&gt;”" in list_html(SITE, ["ordeals"], "<zzz>")


def test_glossary__what_the_rules_do_not_say() -> None:
    assert "How Fire is resolved" in gaps_html(SITE, ["ordeals"])


def test_term__says_all_that_hangs_together_with_it() -> None:
    html = term_html(SITE, find_term(SITE, "harm", ["ordeals"]))
    assert "<h1>Harm</h1>" in html
    assert "<mark>Harm</mark>" in html
    assert ">Ward</a>" in html
    undefined = term_html(SITE, find_term(SITE, "Lore", ["ordeals"]))
    assert "does not define it" in undefined


def test_term__is_found_by_name_alias_and_anchor_in_any_game() -> None:
    games = list(SITE.knowledge.games)
    assert find_term(SITE, "hit points", games).name == "Endurance"
    assert find_term(SITE, "out-of-action", games).name == "Out of Action"
    assert find_term(SITE, "Battle Form", games).game == "betrayal"


def test_picture__names_both_sides_with_addresses() -> None:
    drawn = picture(SITE, find_term(SITE, "engaged", ["ordeals"]))
    assert {node["label"] for node in drawn["right"]} >= {"Foe", "Deed", "Assault"}
    assert drawn["left"][-1]["kind"] == "more"
    assert all(node["href"] for node in drawn["left"] if node["kind"] != "missing")


def test_page__anchors_numbers_marks_and_headings_in_order() -> None:
    html = page_html(SITE, "ordeals", "close-combat", "charge")
    order = [html.index(f'id="{p.anchor}"') for p in SITE.knowledge.passages("ordeals") if p.page == "close-combat"]
    assert order == sorted(order)
    assert html.index(">The exchange</h2>") < html.index('id="exchange"')
    assert html.count(">The exchange</h2>") == 1
    assert '<span class="number">4.</span> Step 4' in html
    assert re.search(r'class="passage depth-1 here" id="charge"', html)
    assert re.search(r"\d+ examples hold", html)


def test_page__replaced_text_is_struck_with_its_replacement_beside_it() -> None:
    html = page_html(SITE, "betrayal", "engage")
    struck = html.split('id="steps-5b-damage"')[1].split("</section>")[0]
    assert 'class="prose struck"' in struck
    assert "Replaced by" in struck
    assert "All damage that dice would deal" in struck


def test_page__rulings_stand_at_the_passage_they_concern() -> None:
    movement = page_html(SITE, "eldfall", "engaged").split('id="movement"')[1].split("</section>")[0]
    assert "Hit and Retreat" in movement
    assert '<b class="verdict-no">No.</b>' in movement


def test_page__text_outside_of_passages_is_shown(tmp_path: Path) -> None:
    write_game(tmp_path, "toy", rules="# Rules\n\nA stray <b>remark</b>.\n\n## A rule {#a}\n\nIts text.")
    html = page_html(site(tmp_path), "toy", "rules")
    assert html.index("A stray &lt;b&gt;remark") < html.index("Its text.")


def test_contents__name_the_pages_that_are_missing() -> None:
    html = contents_html(SITE, ["ordeals"])
    assert "Close Combat" in html
    assert '<span class="absent">Recruitment</span>' in html


def test_rulings__every_one_with_authority_author_date_and_state() -> None:
    html = rulings_html(SITE, list(SITE.knowledge.games), Filter())
    kinds = ("faq", "ruling")
    wanted = [p for g in SITE.knowledge.games for p in SITE.knowledge.passages(g) if p.kind in kinds]
    assert html.count('<details class="ruling">') == len(wanted) > 8
    assert "meksmaks · Community Answers (Discord) · 2026-02-14" in html
    assert "Borne out" in html
    one = rulings_html(SITE, ["eldfall"], Filter(by="deokel"))
    assert one.count('<details class="ruling">') == 2


def test_rulings__one_that_examples_contradict_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf(SITE.knowledge.directory)
    id_ = "eldfall/rulings#two-casters"
    monkeypatch.setitem(shelf.proofs("eldfall").__dict__, "rulings", {id_: "contradicted"})
    html = rulings_html(replace(SITE, knowledge=shelf), ["eldfall"], Filter(state="contradicted"))
    assert html.count('<details class="ruling">') == 1
    assert "Contradicted" in html


def test_concerned__by_links_else_by_common_examples() -> None:
    eldfall = concerned(SITE.knowledge, "eldfall")
    assert "eldfall/engaged#movement" in eldfall["eldfall/faq#hit-and-retreat"]
    assert eldfall["eldfall/rulings#two-casters"]
    on = rulings_on(SITE.knowledge, "eldfall")
    assert "eldfall/faq#hit-and-retreat" in on["eldfall/engaged#movement"]


def test_proved__counts_examples_and_gives_reasons() -> None:
    found = proved(SITE.knowledge, "ordeals")
    assert found["ordeals/close-combat#charge"].passing == len(found["ordeals/close-combat#charge"].examples) > 3
    assert "hold" in found["ordeals/close-combat#charge"].words
    for game in SITE.knowledge.games:
        for each in proved(SITE.knowledge, game).values():
            assert each.words or not (each.excuse or each.examples or each.carried_out)
