from __future__ import annotations

import pytest

from kb.errors import CorpusError
from kb.parse import parse_page, plain

PAGE = """---
title: "Fights"
kind: rule
---
# Fights

Nobody cites this line.

## Charging {#charge title="Charge: +1"}

A *charging* model gains `+1` [Might](glossary.md#might).

It gains it once.

Being pushed is no charge. {#pushed}

1. Roll a die. {#roll}
   - A 1 always misses. {#miss}
   - a second point without an id
2. Compare.

| Die | Result |
|---|---|
| 1 | miss |
"""


def blocks() -> dict[str, tuple[str, str, str | None]]:
    page = parse_page(PAGE, "x.md")
    return {b.attrs["id"]: (b.title, "\n".join(b.texts), b.parent) for b in page.blocks}


def test_parse__heading_owns_what_follows_up_to_the_next_id() -> None:
    assert blocks()["charge"] == ("Charge: +1", "A charging model gains +1 Might.\nIt gains it once.", None)


def test_parse__paragraph_with_id_takes_the_heading_as_title() -> None:
    title, text, _ = blocks()["pushed"]
    assert title == "Charging"
    assert text.startswith("Being pushed is no charge.")


def test_parse__what_has_no_id_stays_with_the_block_around_it() -> None:
    assert "Compare." in blocks()["pushed"][1]
    assert "Die | Result\n1 | miss" in blocks()["pushed"][1]


def test_parse__nested_item_knows_its_parent() -> None:
    assert blocks()["miss"][1:] == ("A 1 always misses.", "roll")
    assert blocks()["roll"][1] == "Roll a die.\na second point without an id"


def test_parse__text_outside_of_ids_is_kept_as_stray() -> None:
    assert parse_page(PAGE, "x.md").stray == ((7, "Nobody cites this line."),)


def test_parse__lines_are_those_of_the_file() -> None:
    block = next(b for b in parse_page(PAGE, "x.md").blocks if b.attrs["id"] == "miss")
    assert PAGE.splitlines()[block.line - 1].strip() == "- A 1 always misses. {#miss}"


def test_parse__html_is_text() -> None:
    assert plain("a <script>alert(1)</script> b") == "a <script>alert(1)</script> b"


@pytest.mark.parametrize(
    ("braces", "says"),
    [
        ("{#x colour=red}", "x.md:1: unknown key 'colour' in the braces. Allowed are: aliases, by"),
        ("{#x page=1 page=2}", "x.md:1: the key 'page' is given twice in the braces. Keep one."),
        ('{#x title="open}', "x.md:1: these braces can't be read"),
    ],
)
def test_parse__bad_braces_are_refused_with_the_line(braces: str, says: str) -> None:
    with pytest.raises(CorpusError) as caught:
        parse_page(f"# A {braces}\n\ntext\n", "x.md")
    assert str(caught.value).startswith(says)
