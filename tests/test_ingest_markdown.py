"""Markdown folders: headings to ids, tables whole, links kept, no word lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus, load_corpus
from kb.errors import IngestError
from kb.ingest.draft import Options
from kb.ingest.markdown_folder import import_markdown
from kb.ingest.writer import Report, write_draft

FILES = {
    "Rules/Combat.md": """---
tags: [a]
---
# Combat

A fight goes in rounds, and each round has two phases for everyone who takes part in it.

## Attack Roll

Roll a die. See [the list](../Lists/Weapons.md#blades) and [elsewhere](https://example.org/x).

***Critical Hit***. When the die shows its highest number, the attack hits whatever the target's defence may be.

**Range:** 5 spaces (no more, whatever the weapon's own range says in the table of weapons)

**Table- Modifiers**

| Case | Modifier |
|------|---------:|
| High ground | +2 |
| Fog \\| rain | -1 |

### Attack Roll

1. Choose a target that stands in range and in sight of your own figure.
2. Roll, add and compare; the higher one of the two wins the exchange.
   - A tie hurts nobody, and both of the figures stay where they are now.

> A quoted remark stands here.

See also [[Weapons]], [[Weapons#Blades|sharp things]], [a ghost](ghost.md) and [bad](javascript:alert(1)).
""",
    "Lists/Weapons.md": """### Weapons

Text<br>with a break and <b>bold</b> tags but not <number> placeholders {#not-an-id}

#### Blades

* Knife
* Sword

```
{#code} stays
```
""",
    "notes.txt": "not imported",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("source")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Corpus]:
    to, options = tmp_path_factory.mktemp("corpus"), Options("game")
    report = write_draft(import_markdown(folder, options), options, to)
    return report, load_corpus(to)


def test_pages__one_per_file_with_the_files_own_title(made: tuple[Report, Corpus]) -> None:
    assert made[1].games["game"].pages == (("lists/weapons", "Weapons"), ("rules/combat", "Combat"))


def test_headings__ids_and_paths(made: tuple[Report, Corpus]) -> None:
    by_id = made[1].by_id
    assert by_id["game/rules/combat#attack-roll"].path == ("Combat",)
    assert by_id["game/rules/combat#critical-hit"].title == "Critical Hit"
    # The second heading of that name has no text of its own: its steps bear the ids.
    assert "compare" in by_id["game/rules/combat#attack-roll-2"].text
    assert by_id["game/rules/combat#attack-roll-2"].path == ("Combat", "Attack Roll")


def test_table__whole_with_caption(made: tuple[Report, Corpus]) -> None:
    table = made[1].by_id["game/rules/combat#table-modifiers"]
    assert table.text == "Table- Modifiers\nCase | Modifier\nHigh ground | +2\nFog | rain | -1"
    assert table.title == "Table- Modifiers"


def test_links__kept_turned_or_dropped(made: tuple[Report, Corpus]) -> None:
    report, corpus = made
    markdown = corpus.by_id["game/rules/combat#attack-roll"].markdown
    assert "[the list](../lists/weapons.md#blades)" in markdown
    assert "[elsewhere](https://example.org/x)" in markdown
    page = (corpus.directory / "game/rules/combat.md").read_text(encoding="utf-8")
    assert "[Weapons](../lists/weapons.md)" in page
    assert "[sharp things](../lists/weapons.md#blades)" in page
    assert ", a ghost and bad." in page
    assert any("'ghost.md'" in finding.what for finding in report.findings)


def test_text__tags_dropped_and_braces_are_no_id(made: tuple[Report, Corpus]) -> None:
    text = next(p.text for p in made[1].passages if p.page == "lists/weapons")
    assert text == "Text with a break and bold tags but not <number> placeholders {#not-an-id}"


def test_words__in_and_out_are_the_same(made: tuple[Report, Corpus]) -> None:
    report, _ = made
    assert report.words_in == report.words_out


def test_reference_links__keep_their_targets(tmp_path: Path) -> None:
    text = "# A\n\nSee [that][x], [x] and [no].\n\n## B\n\nOther text.\n\n[x]: https://example.org/x\n"
    options = Options("game")
    write_draft(import_markdown(text, options), options, tmp_path)
    first = load_corpus(tmp_path).passages[0]
    assert first.markdown == "See [that](https://example.org/x), [x](https://example.org/x) and [no]."


def test_empty_folder__says_so(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="no Markdown file in this folder"):
        import_markdown(tmp_path, Options("game"))


def test_symbolic_links__are_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nA sentence of its own.\n")
    (tmp_path / "b.md").symlink_to(folder / "Rules/Combat.md")
    assert [page.title for page in import_markdown(tmp_path, Options("game")).pages] == ["A"]
