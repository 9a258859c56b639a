"""Each check of `kb lint`: what it must find, and what it must leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kb.cli import main
from kb.corpus import default_corpus_directory
from kb.lint_record import Fault
from kb.linter import CHECKS, lint

GAME = "game: g\ntitle: G\nsources: {book: {authority: rulebook, document: Book}}\n"


def faults(tmp_path: Path, page: str, **more: str) -> list[Fault]:
    """Lints a game of one page, other files given by name (`glossary_md`)."""
    folder = tmp_path / "g"
    folder.mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME + more.pop("game", ""), encoding="utf-8")
    (folder / "page.md").write_text(f"# Page\n\n{page}\n", encoding="utf-8")
    for name, text in more.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return lint(tmp_path)


def found(tmp_path: Path, page: str, **more: str) -> list[tuple[str, int]]:
    return [(fault.check, fault.line) for fault in faults(tmp_path, page, **more)]


def test_bundled_corpora__lint_clean() -> None:
    assert [str(fault) for fault in lint(default_corpus_directory())] == []


def test_fault__says_where_what_and_how_to_mend(tmp_path: Path) -> None:
    fault = faults(tmp_path, "Spend one () here. {#a}")[0]
    assert str(fault) == (
        "g/page.md:3: nothing between the brackets: “Spend one () here.”. "
        "Write what stood there, such as the icon's name. [empty-brackets]"
    )


FALLBACK = "gain The fallback content to display on prerendering"


@pytest.mark.parametrize(
    ("check", "page"),
    [
        ("placeholder", f"You {FALLBACK} now. {{#a}}"),
        ("placeholder", "Lorem ipsum dolor. {#a}"),
        ("placeholder", "Costs {{cost|2}} to play. {#a}"),
        ("empty-brackets", "Spend one () here. {#a}"),
        ("empty-brackets", "Spend one [ ] here. {#a}"),
        ("empty-brackets", "Spend two (, ) here. {#a}"),
        ("empty-brackets", "Gain “” twice. {#a}"),
        ("fused-tooltip", "You gain fuelFuelBurns in the furnace. that burns. {#a}"),
        ("fused-tooltip", "As WeaponWeapon items give an edge. items do. {#a}"),
        ("broken-word", "The move- ment ends. The movement was long. {#a}"),
        ("broken-word", "A re action is quick. A reaction is a reaction: one reaction, two, of a reaction. {#a}"),
        ("broken-word", "Then LethalDamage is dealt. Lethal it is, the damage. {#a}"),
        ("mid-sentence", "The figure that stands nearest to it may {#a}\n\nnot move until its turn comes again. {#b}"),
        ("table", "Some text about things. {#a}\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
        ("characters", "Roll a d\ufffd to hit. {#a}"),
        ("characters", "The manâ€™s turn. {#a}"),
        ("characters", "GroÃŸe Figuren. {#a}"),
        ("characters", "The ﬁrst player. {#a}"),
        ("characters", "Spend \ue001 to act. {#a}"),
        ("reference", "See [that](nowhere.md#a). {#a}"),
        ("reference", "See [that](page.md#nothing). {#a}"),
        ("reference", "See [that](#nothing). {#a}"),
        ("ruling", "No. {#a kind=ruling by=somebody}"),
        ("ruling", "No. {#a kind=ruling date=2026}"),
        ("supersedes", "One. {#a supersedes=page#b}\n\nTwo. {#b supersedes=page#a}"),
    ],
)  # fmt: skip
def test_check__finds_it(check: str, page: str, tmp_path: Path) -> None:
    assert check in {name for name, _ in found(tmp_path, page)}


@pytest.mark.parametrize(
    "page",
    [
        "Figures (big ones) move [2] spaces; f() and “so” are fine. {#a}",
        "- [ ] a box to tick\n- [x] a ticked one\n\nA text. {#a}",
        "The site is on GitHub, and McDonald’s iPhone has LaTeX. {#a}",
        "A two- or three-space move, a push- and pull-move. {#a}",
        "Choose one of these:\n\n- first of all, the one that was chosen {#a}\n- second, whatever else there is {#b}",
        "**Costs**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nText. {#a}",
        "## Costs {#a}\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "The following list says it:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nText. {#a}",
        "Größe, naïve, Ærø, “quotes” – dashes… {#a}",
        "See [that](page.md#a), [this](#a), [web](https://example.org/nowhere.md) and [page](page.md). {#a}",
        "No. {#a kind=ruling by=somebody date=2026-03}",
        "New. {#a supersedes=page#b}\n\nOld. {#b}",
        "A ship with the sign moves twice as far as others do. {#a}\n\nA ship with the sign must not move twice. {#b}",
        "Go 2 on: whoever is hit by it has to go back one space, and so have all that stand behind it. {#a}\n\n"
        "Go 3 on: whoever is hit by it has to go back one space, and so have all that stand behind it. {#b}",
    ],
)  # fmt: skip
def test_check__leaves_it_alone(page: str, tmp_path: Path) -> None:
    assert found(tmp_path, page) == []


def test_placeholder__any_phrase_that_stands_inside_several_sentences(tmp_path: Path) -> None:
    page = "\n\n".join(f"Whoever {n} gains The text of this tip loads {n} now. {{#{n}}}" for n in ("a", "b", "c"))
    assert found(tmp_path, page) == [("placeholder", 3), ("placeholder", 5), ("placeholder", 7)]


def test_copy__the_same_text_twice_named_once(tmp_path: Path) -> None:
    text = "Whoever is first in the row goes back to the end of it."
    page = "\n\n".join(f"{text} {{#{name}}}" for name in "abc")
    assert [fault.what for fault in faults(tmp_path, page)] == [
        "the same text as g/page#a and 1 more: “Whoever is first in the row goes back t…”"
    ]


def test_copy__a_revision_of_a_page_is_one_fault(tmp_path: Path) -> None:
    page = "\n\n".join(f"The rule of {n} says that {n} may go before all of the others. {{#{n}}}" for n in "abcd")
    listed = faults(tmp_path, page, old_md=f"# Old\n\n{page}\n\nOne more sentence stands only in here, I say. {{#e}}\n")
    assert [(fault.check, fault.file, fault.line) for fault in listed] == [("copy", "g/page.md", 1)]


def test_copy__nearly_the_same_sentence(tmp_path: Path) -> None:
    text = (
        "When a figure is pushed off the board it is set aside, and its player takes it back at the end of the round "
        "unless somebody else has taken it in the meantime {} a ransom"
    )
    page = f"{text.format('for')}. {{#a}}\n\n{text.format('against')}. {{#b}}"
    assert found(tmp_path, page) == [("copy", 5)]


def test_language__a_page_in_another_one(tmp_path: Path) -> None:
    english = "The player whose turn it is may move one of the figures that stand on the board, and then it ends. " * 4
    german = "Der Spieler, der an der Reihe ist, darf eine der Figuren auf dem Brett bewegen, und nicht mehr. " * 4
    listed = faults(tmp_path, f"{english} {{#a}}", zwei_md=f"# Zwei\n\n{german} {{#b}}\n")
    assert [(f.check, f.file, f.what) for f in listed] == [
        ("copy", "g/zwei.md", "this page is German, the rest of the game English")
    ]


GLOSSARY = (
    "---\nkind: term\n---\n# Glossary\n\n## Stone {#stone}\n\nA round thing.\n\n## Pebble {#pebble}\n\nA small thing.\n"
)


def test_terms__defined_and_never_used(tmp_path: Path) -> None:
    listed = faults(tmp_path, "Every stone may move. {#a}", glossary_md=GLOSSARY)
    assert [(f.line, f.what) for f in listed] == [(10, "no passage uses the term “Pebble”")]


def test_terms__used_and_never_defined(tmp_path: Path) -> None:
    page = "\n\n".join(f"Whoever {n} a Stone may throw a Boulder. {{#{n}}}" for n in ("takes", "has", "sees"))
    glossary = GLOSSARY.split("## Pebble")[0]
    listed = faults(tmp_path, page, glossary_md=glossary, game="capitalised_terms: true\n")
    assert [fault.what for fault in listed] == [
        "“Boulder” is written as a term in 3 places and the glossary does not have it"
    ]
    assert faults(tmp_path, page, glossary_md=glossary) == []


def test_missing_page__that_is_there(tmp_path: Path) -> None:
    assert found(tmp_path, "Text. {#a}", game="missing_pages: [Page]\n") == [("reference", 1)]


def test_pins__a_changed_passage_names_its_clause(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(default_corpus_directory() / "ordeals", tmp_path / "ordeals")
    assert [fault for fault in lint(tmp_path) if fault.check == "pin"] == []
    page = tmp_path / "ordeals/close-combat.md"
    page.write_text(page.read_text(encoding="utf-8").replace("+1 Might", "+2 Might"), encoding="utf-8")
    assert {fault.file for fault in lint(tmp_path) if fault.check == "pin"} == {"ordeals/close-combat.md"}


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("verdict: no, kind: may, example: walk-away", None),
        ("verdict: yes, kind: may, example: walk-away", "is illegal"),
        ("verdict: no, kind: may, example: walk-around", "does not exist"),
        ("verdict: no, kind: may, example: reroll-while-engaged", "has nothing to do with eldfall/engaged#movement"),
        ("verdict: perhaps", "verdict or kind is off"),
    ],
)
def test_claims__are_held_against_the_examples_that_they_name(tmp_path: Path, claim: str, said: str | None) -> None:
    import shutil

    shutil.copytree(default_corpus_directory() / "eldfall", tmp_path / "eldfall")
    entry = f"# Claims\n- {{claim: Walks off, passage: engaged#movement, if: [walk], {claim}}}\n"
    (tmp_path / "eldfall/claims.yaml").write_text(entry, encoding="utf-8")
    found = [fault for fault in lint(tmp_path) if fault.check == "claim"]
    assert [fault.what.endswith(said or "") for fault in found] == ([] if said is None else [True])


def test_unreadable_corpus__is_a_fault(tmp_path: Path) -> None:
    listed = faults(tmp_path, "One. {#a}\n\nTwo. {#a}")
    assert [(f.check, f.file, f.line) for f in listed] == [("readable", "g/page.md", 5)]


def test_folder_of_a_game__is_linted_alone(tmp_path: Path) -> None:
    faults(tmp_path, "Spend () now. {#a}")
    other = tmp_path / "other"
    other.mkdir()
    (other / "game.yaml").write_text(GAME.replace("game: g", "game: other"))
    (other / "page.md").write_text("# P\n\nSpend () now. {#a}\n")
    assert {fault.file for fault in lint(tmp_path)} == {"g/page.md", "other/page.md"}
    assert {fault.file for fault in lint(other)} == {"other/page.md"}


def test_command__exit_code_and_json(tmp_path: Path) -> None:
    faults(tmp_path, "Spend () now. {#a}")
    dirty = CliRunner().invoke(main, ["lint", str(tmp_path), "--json"])
    listed = json.loads(dirty.output)
    assert (dirty.exit_code, listed["ok"], listed["findings"][0]["line"]) == (1, False, 3)
    faults(tmp_path, "Spend one now. {#a}")
    clean = CliRunner().invoke(main, ["lint", str(tmp_path)])
    assert (clean.exit_code, clean.output) == (0, "no findings\n")
    assert CliRunner().invoke(main, ["lint", str(tmp_path / "nowhere")]).exit_code == 2


def test_checks__each_says_what_it_looks_for() -> None:
    assert all(check.__doc__ for check in CHECKS)
