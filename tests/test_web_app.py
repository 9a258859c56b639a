"""The pages as Streamlit runs them, without a browser and without an index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from web_shelf import Shelf, site, write_game

from kb.answer import ANSWERED, Answer
from kb.errors import CorpusError
from kb.passage import cite
from kb.web import app
from kb.web import site as sites

QUESTION = "May it fire?"


class Session:
    """One person's session on one page."""

    def __init__(self, path: str, **parameters: str) -> None:
        script = f"from kb.web.app import show\nshow({path!r})"
        self.test = AppTest.from_string(script, default_timeout=30)
        for key, value in parameters.items():
            self.test.query_params[key] = value
        self.run()

    def run(self) -> None:
        self.test.run(timeout=30)
        assert not self.test.exception

    @property
    def html(self) -> str:
        return "\n".join(element.proto.body for element in self.test.get("html") if "<style" not in element.proto.body)

    @property
    def parameters(self) -> dict[str, Any]:
        return {key: value[0] if isinstance(value, list) else value for key, value in self.test.query_params.items()}

    def widget(self, kind: str, label: str) -> Any:
        return next(widget for widget in getattr(self.test, kind) if widget.label == label)


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shelf:
    """The bundled corpus with one answer put in."""
    monkeypatch.setenv("KB_LIBRARY", str(tmp_path / "library"))
    monkeypatch.delenv("KB_NO_IMPORT", raising=False)
    found = site().knowledge
    assert isinstance(found, Shelf)
    monkeypatch.setattr(app, "open_site", lambda library="": sites.Site(found, library))
    monkeypatch.setattr(app, "is_open", lambda library="": True)
    passage = found.corpus.by_id["ordeals/close-combat#engaged-deeds"]
    end = passage.text.index(".") + 1
    found.answers[QUESTION] = Answer(
        QUESTION, "ordeals", ANSWERED, passage.text[:end], (cite(passage, (0, end)),), verdict="no", confidence=0.97
    )
    return found


def test_main__draws_the_page_with_style_and_script() -> None:
    test = AppTest.from_string("from kb.web.app import main\nmain()", default_timeout=30).run()
    assert not test.exception
    bodies = [element.proto.body for element in test.get("html")]
    assert any(body.startswith("<style>") for body in bodies)
    assert any("Ask the rules" in body for body in bodies)


def test_ask__an_empty_page_offers_questions_of_every_game(shelf: Shelf) -> None:
    session = Session("")
    assert "How do I break away from a fight?" in session.html
    assert all(game.title in session.html for game in shelf.games.values())
    assert shelf.asked == []


def test_ask__the_question_goes_into_the_address_and_is_answered(shelf: Shelf) -> None:
    session = Session("", game="ordeals")
    session.test.text_input(key="question").set_value(QUESTION)
    session.test.button[0].click()
    session.run()
    assert session.parameters == {"q": QUESTION, "game": "ordeals"}
    assert "verdict-no" in session.html
    assert shelf.asked == [(QUESTION, "ordeals", {"k": 5, "as_printed": False})]


def test_ask__an_address_brings_question_and_options_back(shelf: Shelf) -> None:
    session = Session("", q=QUESTION, game="BoO", k="10", printed="1")
    assert session.test.text_input(key="question").value == QUESTION
    assert session.test.session_state["game"] == "ordeals"
    assert shelf.asked == [(QUESTION, "ordeals", {"k": 10, "as_printed": True})]


def test_ask__another_game_asks_the_same_again(shelf: Shelf) -> None:
    session = Session("", q=QUESTION, game="ordeals", k="10")
    session.test.button_group(key="game").set_value("eldfall")
    session.run()
    assert shelf.asked[-1] == (QUESTION, "eldfall", {"k": 10, "as_printed": False})
    assert session.parameters["game"] == "eldfall"


def test_ask__what_was_asked_before_is_listed(shelf: Shelf) -> None:
    session = Session("", q=QUESTION)
    session.test.text_input(key="question").set_value("Something <else>?")
    session.test.button[0].click()
    session.run()
    assert "Asked in this session" in session.html
    assert f'href="./?q={QUESTION.replace(" ", "%20").replace("?", "%3F")}"' in session.html


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"game": "<script>x</script>"}, "There is no game"),
        ({"q": "x", "k": "<b>"}, "It is a number of passages"),
        ({"q": "x", "k": "1000"}, "It is a number of passages"),
    ],
)
def test_ask__a_broken_address_is_explained(parameters: dict[str, str], words: str) -> None:
    html = Session("", **parameters).html
    assert words in html
    assert "<script>" not in html
    assert "<b>" not in html.split('<footer class="foot">')[0]


def test_ask__a_question_is_never_html(shelf: Shelf) -> None:
    html = Session("", q="<img src=x onerror=y>").html
    assert "<img" not in html
    assert "&lt;img" in html


def test_glossary__filter_term_and_unknown_term() -> None:
    session = Session("glossary", game="ordeals")
    assert ">Endurance</a>" in session.html
    session.test.text_input(key="term_filter").set_value("hit poi")
    session.run()
    assert ">Endurance</a>" in session.html
    assert ">Might</a>" not in session.html
    term = Session("glossary", game="ordeals", term="endurance").html
    assert "default <b" in term
    assert "hit points" in term
    assert "Recruitment" in term
    assert "Did you mean" in Session("glossary", game="ordeals", term="endorance").html


def test_rules__pages_anchors_and_unknown_pages() -> None:
    assert "Close Combat" in Session("rules").html
    page = Session("rules", at="ordeals/close-combat#charge").html
    assert 'id="charge"' in page
    assert "here" in page
    assert "has no page" in Session("rules", at="ordeals/no-such").html
    assert "no passage of that name" in Session("rules", at="ordeals/close-combat#no-such").html


def test_rulings__filters_stand_in_the_address() -> None:
    every = Session("rulings").html
    assert every.count('class="ruling"') == 10
    community = Session("rulings", authority="community").html
    assert community.count('class="ruling"') == 4
    assert "None of the" in Session("rulings", state="contradicted").html


def test_bench__an_example_fills_the_form_and_holds() -> None:
    session = Session("bench", example="ordeals/tie")
    assert "This example holds" in session.html
    assert session.widget("number_input", "Might").value == 2
    session.widget("number_input", "Might").set_value(6)
    session.run()
    assert "Changed from the example" in session.html
    assert "The attacker wins by 4" in session.html
    next(button for button in session.test.button if button.label == "Back to the example").click()
    session.run()
    assert session.widget("number_input", "Might").value == 2
    assert "This example holds" in session.html


def test_bench__values_from_an_address() -> None:
    given = {"attacker": {"might": 2, "roll": 9}, "defender": {"ward": 1, "roll": 5}}
    html = Session("bench", procedure="ordeals.assault", given=json.dumps(given)).html
    assert "5 damage" in html or "6 damage" in html


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"procedure": "ordeals.asault"}, "Perhaps"),
        ({"example": "ordeals/tye"}, "Perhaps &#39;tie&#39; is meant"),
        ({"example": "nowhere/tie"}, "There is no game"),
        ({"procedure": "ordeals.assault", "given": "{"}, "can&#39;t be read"),
        ({"procedure": "ordeals.assault", "given": "[1]"}, "is no mapping"),
    ],
)
def test_bench__a_broken_address_is_explained(parameters: dict[str, str], words: str) -> None:
    assert words in Session("bench", **parameters).html


def test_bench__entries_are_added_and_removed() -> None:
    session = Session("bench", procedure="ordeals.engagement")
    for _ in range(2):
        next(button for button in session.test.button if button.label == "Add character").click()
        session.run()
    names = [widget for widget in session.test.text_input if widget.label == "Name"]
    sides = [widget for widget in session.test.text_input if widget.label == "Side"]
    assert len(names) == 2
    for widget, text in zip([*names, *sides], ["Orc", "Elf", "red", "blue"], strict=True):
        widget.set_value(text)
    session.run()
    assert "Orc and Elf" in session.html
    next(button for button in session.test.button if button.label == "Remove").click()
    session.run()
    assert [widget.value for widget in session.test.text_input if widget.label == "Name"] == ["Elf"]


def test_bench__rules_of_the_house_and_their_faults() -> None:
    session = Session("bench", example="ordeals/tie")
    session.test.button_group(key="bench_rules").set_value("House rules")
    session.run()
    text = session.widget("text_area", "House rules (YAML)")
    text.set_value('name: "Soft"\noff: ["ordeals/close-combat#exchange-2"]')
    session.run()
    assert "house rules: Soft" in session.html
    session.widget("text_area", "House rules (YAML)").set_value("name: [")
    session.run()
    assert "Not valid YAML" in session.html


def test_bench__saves_an_example_as_yaml() -> None:
    session = Session("bench", example="ordeals/tie")
    (code,) = session.test.code
    assert "procedure: ordeals.assault" in code.value
    assert "winner: null" in code.value


def test_import__can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 'href="import"' in Session("").html
    monkeypatch.setenv("KB_NO_IMPORT", "1")
    assert 'href="import"' not in Session("").html
    assert [entry.title for entry in app.entries()] == ["Ask", "Glossary", "Rules", "Rulings", "Bench"]


def test_import__lists_the_own_library_and_removes_from_it(tmp_path: Path) -> None:
    write_game(tmp_path / "library", "skyduel", rules="## Diving {#diving}\n\nA dive gains 3 speed.")
    session = Session("import")
    assert "Skyduel" in session.html
    next(button for button in session.test.button if button.label == "Yes, remove it").click()
    session.run()
    assert "Skyduel" not in session.html
    assert not (tmp_path / "library" / "skyduel").exists()


def test_library__is_offered_once_it_has_games(tmp_path: Path) -> None:
    assert "Your library" not in Session("").html
    write_game(tmp_path / "library", "skyduel", rules="## Diving {#diving}\n\nA dive gains 3 speed.")
    html = Session("", library="own").html
    assert "Your library" in html
    assert "library=own" in html


def test_faults__a_corpus_that_can_not_be_read_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(library: str = "") -> None:
        raise CorpusError("this is <b>broken</b>", "Mend it", where="corpus/x.md", line=3)

    monkeypatch.setattr(app, "open_site", broken)
    html = Session("").html
    assert "corpus/x.md:3" in html
    assert "Mend it." in html
    assert "<b>broken" not in html


def test_faults__an_unforeseen_one_shows_no_traceback(monkeypatch: pytest.MonkeyPatch, shelf: Shelf) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret /path")

    monkeypatch.setattr(shelf, "ask", broken)
    html = Session("", q="x").html
    assert "Something went wrong" in html
    assert "secret" not in html


def test_stale__a_corpus_that_broke_while_open_is_told(monkeypatch: pytest.MonkeyPatch, shelf: Shelf) -> None:
    stale: Callable[..., sites.Site] = lambda library="": sites.Site(shelf, library, CorpusError("bad <i>braces</i>"))  # noqa: E731  # as short as it gets
    monkeypatch.setattr(app, "open_site", stale)
    html = Session("").html
    assert "Shown is what it was before" in html
    assert "<i>" not in html


def test_learning__answers_without_phrasings_are_told_as_such(monkeypatch: pytest.MonkeyPatch, shelf: Shelf) -> None:
    learnt: list[float | None] = [0.42]
    monkeypatch.setattr(app, "open_site", lambda library="": sites.Site(shelf, library, learnt=learnt[0]))
    session = Session("", q=QUESTION)
    assert "First start: 42 % read" in session.html
    learnt[0] = None
    session.test.run()
    assert "First start" not in session.html
    assert QUESTION in session.html


def test_sessions__share_nothing(shelf: Shelf) -> None:
    one = Session("", q=QUESTION)
    two = Session("")
    assert QUESTION in one.html
    assert QUESTION not in two.html
    assert "Asked in this session" not in two.html
