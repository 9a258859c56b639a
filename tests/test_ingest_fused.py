"""Plain text with fused tooltips: definitions out, sentences whole, structure found."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus, load_corpus
from kb.errors import IngestError
from kb.ingest.dates import iso_date
from kb.ingest.draft import Draft, Options
from kb.ingest.fused_text import import_text
from kb.ingest.tooltips import lift_tooltips
from kb.ingest.writer import write_draft
from kb.passage import Passage

FIXTURES = Path(__file__).parent / "fixtures" / "ingest"


def imported(name: str, game: str, to: Path) -> tuple[Draft, Corpus]:
    options = Options(game)
    draft = import_text(FIXTURES / name, options)
    write_draft(draft, options, to)
    return draft, load_corpus(to)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return imported("harbour.txt", "harbour", tmp_path_factory.mktemp("harbour"))[1]


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return imported("orchard.txt", "orchard", tmp_path_factory.mktemp("orchard"))[1]


def passage(corpus: Corpus, ending: str) -> Passage:
    return next(p for p in corpus.passages if p.id.endswith(ending))


# -- tooltips -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "clean", "term", "definition"),
    [
        ("gain fuelFuelBurns in the furnace. they carry.", "gain fuel they carry.", "Fuel", "Burns in the furnace."),
        ("a big gateGatesA gate opens. It costs 2. you", "a big gate you", "Gates", "A gate opens. It costs 2."),
        ("one TorchTorch items give light. item", "one Torch item", "Torch", "Torch items give light."),
        ("in form (DormantRange: 0. It sleeps.). Then", "in form (Dormant). Then", "Dormant", "Range: 0. It sleeps."),
        ("pay 1 coinCoinMoney (silver or gold).. Next", "pay 1 coin. Next", "Coin", "Money (silver or gold)."),
        ("an ally, as in guardGuardStand still., or so", "an ally, as in guard, or so", "Guard", "Stand still."),
        ("set sailSetting SailA ship leaves port. once", "set sail once", "Setting Sail", "A ship leaves port."),
        ("DrainedDrainedIt is gone. Then it returns.", "Drained", "Drained", "It is gone. Then it returns."),
    ],
)  # fmt: skip
def test_tooltip__sentence_and_definition_come_apart(line: str, clean: str, term: str, definition: str) -> None:
    lifted = lift_tooltips([line])
    assert lifted.lines == (clean,)
    assert [(tip.term, tip.text) for tip in lifted.tips] == [(term, definition)]


@pytest.mark.parametrize(
    "line",
    [
        "The site moved to GitHub pages in 2020. it is faster now.",
        "McDonald's iPhone runs LaTeX and JavaScript. it does.",
        "LethalDamage is dealt at once. Then the turn ends.",
        "Roll a D12. The winner moves 2”. Ties move nobody.",
    ],
)
def test_tooltip__names_and_slips_are_no_definitions(line: str) -> None:
    assert lift_tooltips([line]).lines == (line,)


def test_tooltip__repeated_definition_ends_where_its_occurrences_part() -> None:
    lines = [
        "Play it with VeilIt hides one unit. Two veils hide two. Nobody may look.",
        "Without VeilIt hides one unit. Two veils hide two. units are seen.",
    ]
    lifted = lift_tooltips(lines)
    assert lifted.lines == ("Play it with Veil Nobody may look.", "Without Veil units are seen.")
    assert [(tip.text, tip.count) for tip in lifted.tips] == [("It hides one unit. Two veils hide two.", 2)]


def test_tooltip__one_definition_per_term_and_no_seam_left(harbour: Corpus) -> None:
    terms = {p.term: p.text for p in harbour.passages if p.kind == "term"}
    assert terms == {
        "Sailing": "Move a ship up to its Speed in sea spaces. A ship that is moored first spends 1 crew to cast off.",
        "Crew": "The people aboard (sailors and soldiers). A ship without crew drifts.",
        "Port": "A space with a harbour. Ships are repaired here.",
        "Damaged": "A damaged ship has Speed 1. Two damage tokens sink it.",
        "Steam": "Range: up to 4 spaces. Steam needs no crew.",
        "Truce": "Ships in this space must not attack until the next watch.",
        "Alarm": "All ships in sight gain 1 crew.",
    }
    assert passage(harbour, "sailing-steps-1").text == (
        "Weigh Anchor: Spend 1 crew. If the ship is Damaged, spend 2 crew instead."
    )
    assert harbour.passages[0].text == (
        "A captain may sail once per watch, and a second time for 2 more crew. "
        "A ship in a port may not sail in a storm."
    )


# -- structure ----------------------------------------------------------------------------------------------------


def test_steps__numbers_titles_and_parents(harbour: Corpus) -> None:
    steps = [p for p in harbour.passages if p.page == "set-sail" and "Sailing Steps" in (*p.path, p.title)]
    assert [(p.anchor, p.title, (p.parent or "").split("#")[-1]) for p in steps] == [
        ("sailing-steps-1", "Weigh Anchor", ""),
        ("sailing-steps-2", "Set the Course", ""),
        ("headwind", "Headwind", "sailing-steps-2"),
        ("steam-headwind-ignored", "Sailing Steps", "headwind"),
        ("ship-steam-not-carry-sails", "Sailing Steps", "headwind"),
        ("tailwind", "Tailwind", "sailing-steps-2"),
        ("sailing-steps-3", "Arrive", ""),
    ]


def test_box__its_entries_are_clarifications_and_end_with_it(harbour: Corpus) -> None:
    kinds = {p.title: (p.kind, p.source.authority) for p in harbour.passages if p.page == "set-sail"}
    assert kinds["Flags in Fog"] == kinds["Two Flags"] == ("clarification", "clarification")
    assert kinds["Ashore"] == ("rule", "rulebook")


def test_table__whole_with_links_to_its_terms(harbour: Corpus) -> None:
    table = passage(harbour, "#signal-flags-flag")
    assert table.text == "Flag\nTruce\nAlarm"
    assert "[Truce](glossary.md#truce)" in table.markdown


def test_questions__kind_verdict_and_what_they_replace(harbour: Corpus) -> None:
    moored, drifts = (p for p in harbour.passages if p.kind == "faq")
    assert (moored.title, moored.verdict, moored.source.authority) == ("Can a moored ship fight?", "no", "official-faq")
    assert "Source" not in moored.text
    assert drifts.supersedes == ("harbour/set-sail#tailwind",)


def test_dense_text__headings_without_blank_lines(orchard: Corpus) -> None:
    rules = [p for p in orchard.passages if p.kind == "rule"]
    assert [p.title for p in rules] == ["Orchard", "Orchard", "Orchard", "Haste"]
    assert orchard.games["orchard"].title == "Book of Orchards"


def test_terms__defaults_and_arrows(orchard: Corpus) -> None:
    basket = passage(orchard, "glossary#basket")
    assert (basket.text, basket.default, basket.missing) == ("Apples that a Picker can carry.", "3", ("Equipment",))
    assert passage(orchard, "glossary#round").missing == ("Rounds & Seasons", "Equipment")
    assert orchard.games["orchard"].missing_pages == ("Equipment", "Picking", "Rounds & Seasons")


def test_answers__signed_and_dated_ones_are_rulings(orchard: Corpus) -> None:
    signed = [
        (p.kind, p.source.by, p.source.date, p.source.via, p.verdict) for p in orchard.passages if p.kind == "ruling"
    ]
    assert signed == [
        ("ruling", "rowan", "2025-05-03", "Community Answers (Forum)", "no"),
        ("ruling", "hazel", "2025-06", "Community Answers (Forum)", "yes"),
    ]
    assert [(p.kind, p.verdict, p.source.by) for p in orchard.passages if p.page == "faq"] == [("faq", "yes", None)]


@pytest.mark.parametrize("name", ["harbour.txt", "orchard.txt"])
def test_words__each_is_in_the_corpus_or_accounted_for(name: str, tmp_path: Path) -> None:
    options = Options("g")
    draft = import_text(FIXTURES / name, options)
    report = write_draft(draft, options, tmp_path)
    assert report.words_out + report.words_left_out >= report.words_in


def test_wrapped_lines__are_joined() -> None:
    draft = import_text(
        "The Gate\n\nA gate opens once for each key\nthat is shown to it.\n\n- A key may be\n  lent.\n", Options("g")
    )
    assert [block.text for _, block in draft.blocks()] == [
        "A gate opens once for each key that is shown to it.",
        "A key may be lent.",
    ]


def test_lost_list__a_colon_without_marks_is_reported() -> None:
    draft = import_text(
        "Each draw goes so:\nBoth draw a card from the deck.\nThe higher card wins the draw.\n", Options("g")
    )
    assert any("colon" in finding.what for finding in draft.findings)


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("Apr 28, 2026", "2026-04-28"),
        ("28 April 2026", "2026-04-28"),
        ("Mar 2026", "2026-03"),
        ("March 3rd, 2026", "2026-03-03"),
        ("2026-3-1", "2026-03-01"),
        ("2026", "2026"),
        ("04/05/2026", None),
        ("Maybe 2026", None),
        ("Feb 30, 2026", None),
        ("soon", None),
    ],
)
def test_date__as_exact_as_it_says(written: str, iso: str | None) -> None:
    assert iso_date(written) == iso


# -- hostile ------------------------------------------------------------------------------------------------------


def test_no_text__one_clear_error() -> None:
    with pytest.raises(IngestError, match="there is no text"):
        import_text("  \n\t\n", Options("g"))


def test_endless_seams__bounded_time() -> None:
    lifted = lift_tooltips(["Each fooFooBar is a thing you do. " * 20_000])
    assert len(lifted.tips) <= 1
