"""Numbered rules texts: every rule once, its number its id, examples inside, references as links."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from kb.corpus import Corpus, load_corpus
from kb.errors import IngestError
from kb.ingest.draft import Draft, Options
from kb.ingest.formats import sniff
from kb.ingest.numbered import import_numbered
from kb.ingest.writer import write_draft

FIXTURES = Path(__file__).parent / "fixtures" / "ingest"


def imported(name: str, to: Path) -> tuple[Draft, Corpus]:
    options = Options("game")
    draft = import_numbered(FIXTURES / name, options)
    write_draft(draft, options, to)
    return draft, load_corpus(to)


@pytest.fixture(scope="module")
def stones(tmp_path_factory: pytest.TempPathFactory) -> tuple[Draft, Corpus]:
    return imported("stones.txt", tmp_path_factory.mktemp("stones"))


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Draft, Corpus]:
    return imported("rivers.txt", tmp_path_factory.mktemp("rivers"))


def test_ids__are_the_rule_numbers(stones: tuple[Draft, Corpus]) -> None:
    rules = [p for p in stones[1].passages if p.page == "rules"]
    numbers = "100.1 100.1a 100.1b 100.2 101.1 101.2 101.2a 101.2b 101.3 101.3a 200.1 200.2".split()
    assert [p.anchor for p in rules] == numbers == [p.ref for p in rules]
    assert stones[1].by_id["game/rules#101.2b"].text == "101.2b A stone with glide moves 2 spaces."


def test_examples__stand_inside_their_rule(stones: tuple[Draft, Corpus]) -> None:
    lines = stones[1].by_id["game/rules#100.1a"].text.split("\n")
    assert [line.split(":")[0] for line in lines[1:]] == ["Example", "Example"]
    assert stones[1].by_id["game/rules#100.2"].text.endswith("\nA further paragraph of this rule stands by itself.")


def test_wrapped_figure__is_no_rule(stones: tuple[Draft, Corpus], rivers: tuple[Draft, Corpus]) -> None:
    assert "begin with a number such as 12 stones" in stones[1].by_id["game/rules#100.1"].text
    assert rivers[1].by_id["game/rules#101"].text == (
        "101. A bank is dry. Each player has 2 banks, the left one and the right one."
    )


def test_parents_and_paths__follow_the_numbers(stones: tuple[Draft, Corpus]) -> None:
    by_id = stones[1].by_id
    assert by_id["game/rules#100.1b"].parent == "game/rules#100.1"
    glide = by_id["game/rules#101.2b"]
    assert (glide.title, glide.path) == ("101.2. Glide", ("Rules", "1. Basics", "101. Keywords"))
    assert by_id["game/rules#101.3a"].title == "101.3. Stop!"


def test_references__become_links(stones: tuple[Draft, Corpus]) -> None:
    markdown = stones[1].by_id["game/rules#100.1b"].markdown
    # A chapter has no text of its own: the link goes to its first rule.
    assert "(see rules [100.1a](#100.1a) and [200.2](#200.2), and section [2](#200.1), “Turns”)" in markdown
    assert "3.5 minutes" in stones[1].by_id["game/rules#200.1"].markdown


def test_glossary__terms_and_what_they_point_to(stones: tuple[Draft, Corpus]) -> None:
    terms = {p.term: p for p in stones[1].passages if p.kind == "term"}
    assert list(terms) == ["Glide", "Slide", "Turn"]
    assert terms["Glide"].see == ("game/rules#101.2",)
    assert terms["Slide"].see == ("game/glossary#glide",)
    assert terms["Turn"].text.split("\n")[:2] == [
        "1. What a player does between two others.",
        "2. A time of 3.5 minutes.",
    ]


def test_contents__left_out_and_said_so(stones: tuple[Draft, Corpus]) -> None:
    draft, corpus = stones
    assert [(f.what, f.lost_words) for f in draft.findings] == [("the table of contents was left out", 14)]
    assert {name for name, _ in corpus.games["game"].pages} == {"rules", "glossary", "introduction", "credits"}


def test_source__title_and_date_from_the_text(stones: tuple[Draft, Corpus], rivers: tuple[Draft, Corpus]) -> None:
    source = stones[1].by_id["game/rules#100.1"].source
    assert (source.document, source.date) == ("The Stones Comprehensive Rules", "2026-03-05")
    assert rivers[1].by_id["game/rules#002"].source.date == "2026-06-18"


def test_six_levels__each_below_the_one_above(rivers: tuple[Draft, Corpus]) -> None:
    by_id = rivers[1].by_id
    chain = ["003.1.a.1.a.1", "003.1.a.1.a", "003.1.a.1", "003.1.a", "003.1", "003"]
    for inner, outer in pairwise(chain):
        assert by_id[f"game/rules#{inner}"].parent == f"game/rules#{outer}"
    assert by_id["game/rules#003.1.a.1.a.1"].text.endswith("a raft, as they lie side by side.")


def test_titles_in_one_row__chapters_sections_and_a_title_that_is_a_rule(rivers: tuple[Draft, Corpus]) -> None:
    by_id = rivers[1].by_id
    assert by_id["game/rules#002"].path == ("Rules", "000. Golden Rules")
    assert by_id["game/rules#002"].title == "001. First Rule"
    # A sentence of the same row follows it: as a heading it would swallow 053.
    assert by_id["game/rules#053"].title == "050. Second Rule"
    assert by_id["game/rules#052.1"].title == "052. “Can’t beats can”"


def test_list_without_marks__entries_stay_apart(rivers: tuple[Draft, Corpus]) -> None:
    assert rivers[1].by_id["game/rules#051"].text.split("\n")[1:] == ["Boats", "Barges of any size", "Rafts"]


def test_words__none_lost(stones: tuple[Draft, Corpus], tmp_path: Path) -> None:
    report = write_draft(stones[0], Options("game"), tmp_path)
    assert report.words_out + report.words_left_out >= report.words_in


def test_sniffing__numbered_or_plain() -> None:
    assert sniff(FIXTURES / "stones.txt").name == "numbered"
    assert sniff(FIXTURES / "rivers.txt").name == "numbered"
    assert sniff(FIXTURES / "harbour.txt").name == "text"


def test_no_numbers__says_which_format_fits() -> None:
    with pytest.raises(IngestError, match="no line begins with a rule number"):
        import_numbered("Just a sentence.\nAnd another.\n", Options("game"))


def test_three_thousand_rules__in_seconds(tmp_path: Path) -> None:
    rules = [
        f"{100 + n // 300}.{n % 300 + 1}. Rule {n} says that stone {n} may move {n % 7} spaces. See rule 100.1."
        for n in range(3000)
    ]
    options = Options("game")
    start = time.perf_counter()
    report = write_draft(import_numbered("\n\n".join(rules), options), options, tmp_path)
    assert report.passages["rule"] == 3000
    assert time.perf_counter() - start < 20
