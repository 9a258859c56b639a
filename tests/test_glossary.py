from __future__ import annotations

import pytest

from kb.corpus import load_corpus
from kb.errors import UsageError
from kb.glossary import Glossary
from kb.termpage import term_page


@pytest.fixture(scope="module")
def glossary() -> Glossary:
    corpus = load_corpus()
    return Glossary(corpus.games, corpus.passages)


def names(glossary: Glossary, text: str, game: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.term.name) for m in glossary.find(text, game)]


def test_mentions__inflected_and_longest(glossary: Glossary) -> None:
    found = names(glossary, "Two Foes went Out of Action; Assaulting again.", "ordeals")
    assert found == [("Foes", "Foe"), ("Out of Action", "Out of Action"), ("Assaulting", "Assault")]


def test_mentions__need_a_capital_where_the_game_writes_one(glossary: Glossary) -> None:
    assert names(glossary, "it will act and might reach the ward", "ordeals") == []
    assert names(glossary, "the adventurer engages", "betrayal") == [("engages", "Engage")]


def test_mentions__never_inside_a_word(glossary: Glossary) -> None:
    assert names(glossary, "A Forward Actor", "ordeals") == []


def test_questions__find_aliases_in_any_case(glossary: Glossary) -> None:
    asked = "how many HIT POINTS"
    assert [m.term.name for m in glossary.find_asked(asked, "ordeals")] == ["Endurance"]


def test_lookup__abbreviation_and_inflection(glossary: Glossary) -> None:
    assert [t.passage for t in glossary.lookup("los", "eldfall")] == ["eldfall/glossary#line-of-sight"]
    assert {t.game for t in glossary.lookup("engaged")} == {"betrayal", "eldfall", "ordeals"}


def test_lookup__unknown_name_suggests_the_nearest(glossary: Glossary) -> None:
    with pytest.raises(UsageError, match="Did you mean 'Endurance'"):
        glossary.lookup("indurance", "ordeals")


def test_term_page__knows_both_directions(glossary: Glossary) -> None:
    (term,) = glossary.lookup("Reach", "ordeals")
    page = term_page(term, glossary, {p.id: p for p in glossary.passages})
    assert page.missing == ("Lore Definitions",)
    assert "ordeals/close-combat#charge" in {use.passage for use in page.used_in}
    assert all("Reach" in use.sentence for use in page.used_in)
    assert "ordeals/glossary#engaged" in page.mentions


def test_term_page__undefined_word_is_marked(glossary: Glossary) -> None:
    (term,) = glossary.lookup("Tired", "ordeals")
    assert not term_page(term, glossary, {p.id: p for p in glossary.passages}).defined
