"""Passages as HTML: every word of the text, nothing that runs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from web_shelf import Shelf, site, write_game

from kb.corpus import load_corpus
from kb.passage import Passage
from kb.web.quote import mark, passage_html, plain_html
from kb.web.terms import shortened, term_spans
from kb.web.views.passages import quoted, resolve

EVERY = load_corpus().passages


class Reader(HTMLParser):
    """Collects what a browser would show, definitions folded into terms left out."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.marked: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("br", "hr", "img"):
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if any(kind == "tip" for _, kind in self.open):
            return
        self.text.append(data)
        if any(tag == "mark" for tag, _ in self.open):
            self.marked.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


def bare(text: str, numbers: str = "") -> str:
    """Without white space and what stands for markup in plain text: bullets, column bars, and list `numbers`."""
    return re.sub(rf"\s|[•|]{numbers}", "", text, flags=re.M)


@pytest.mark.parametrize("passage", EVERY, ids=lambda p: p.id)
def test_passage_html__shows_every_character_of_the_text(passage: Passage) -> None:
    shelf = site()
    shown = read(quoted(shelf, passage).html)
    assert bare("".join(shown.text)) == bare(passage.text, r"|^\d+\.")


def test_mark__the_deciding_sentence_and_nothing_else() -> None:
    passage = next(p for p in EVERY if p.id == "ordeals/close-combat#engaged-leaving")
    start = passage.text.index("This rule names")
    shown = read(passage_html(passage, [mark(start, len(passage.text))], lambda href: "x"))
    assert "".join(shown.marked) == passage.text[start:]


def test_mark__survives_a_term_inside_it() -> None:
    passage = next(p for p in EVERY if p.id == "ordeals/close-combat#engaged-deeds")
    end = passage.text.index(".") + 1
    shown = read(quoted(site(), passage, (0, end)).html)
    assert "".join(shown.marked) == passage.text[:end]
    assert any(attrs.get("class") == "term" for _, attrs in shown.tags)


def game(tmp_path: Path, text: str, glossary: str = "") -> Shelf:
    pages = {"rules": text} | ({"glossary": glossary} if glossary else {})
    return Shelf(write_game(tmp_path, "toy", **pages))


def first(shelf: Shelf) -> Passage:
    return shelf.corpus.passages[0]


@pytest.mark.parametrize(
    "text",
    [
        "<script>window.pwned = 1</script>",
        '<img src=x onerror="window.pwned=1">',
        '<a href="javascript:window.pwned=1">here</a>',
        "[here](javascript:window.pwned=1)",
        "[here](JaVaScRiPt:window.pwned=1)",
        "[here](data:text/html;base64,PHNjcmlwdD4=)",
        "[here](vbscript:x)",
        "[here](//evil.invalid/x)",
        "![a picture](http://beacon.invalid/x.png)",
        "![a picture](data:image/png;base64,AAAA)",
        "[![a picture](http://beacon.invalid/x.png)](javascript:x)",
        "<http://beacon.invalid/<script>>",
        '[here](https://example.org/"onmouseover="x)',
        "`<script>` &lt;script&gt; &amp;",
    ],
)
def test_passage_html__nothing_that_runs_or_loads(tmp_path: Path, text: str) -> None:
    shelf = game(tmp_path, f"## A rule {{#a}}\n\nBefore {text} after.")
    passage = first(shelf)
    shown = read(passage_html(passage))
    assert {tag for tag, _ in shown.tags} <= {"p", "a", "code"}
    for tag, attrs in shown.tags:
        assert set(attrs) <= ({"href", "rel", "target"} if tag == "a" else set())
        assert tag != "a" or str(attrs["href"]).startswith(("https://", "http://"))
    assert "Before" in "".join(shown.text)
    assert "after." in "".join(shown.text)


def test_links__to_passages_stay_inside(tmp_path: Path) -> None:
    shelf = site()
    passage = next(p for p in EVERY if p.id == "ordeals/close-combat#repeat")
    assert resolve(shelf, passage, "close-combat.md#charge") == "rules?at=ordeals/close-combat%23charge"
    assert resolve(shelf, passage, "#charge") == "rules?at=ordeals/close-combat%23charge"
    assert resolve(shelf, passage, "glossary.md#reach") == "glossary?game=ordeals&term=reach"
    assert resolve(shelf, passage, "glossary.md") == "rules?at=ordeals/glossary"
    for nowhere in ("close-combat.md#no-such", "no-such.md", "../../etc/passwd", "/close-combat.md", "x.html#a"):
        assert resolve(shelf, passage, nowhere) is None


def test_links__to_nowhere_leave_their_words(tmp_path: Path) -> None:
    shelf = game(tmp_path, "## A rule {#a}\n\nSee [the other rule](other.md#b) for more.")
    shown = read(passage_html(first(shelf)))
    assert "".join(shown.text).strip() == "See the other rule for more."
    assert [tag for tag, _ in shown.tags] == ["p"]


def test_terms__are_explained_once_and_never_by_themselves(tmp_path: Path) -> None:
    shelf = game(
        tmp_path,
        "## A rule {#a}\n\nA Witch meets a Witch. [A Witch](https://example.org) flies.",
        "## Witch {#witch}\n\nA Witch is a <b>model</b> that casts.",
    )
    rule, term = shelf.corpus.passages
    shelf_site = site(shelf.directory)
    assert [(s.start, s.end) for s in term_spans(rule, shelf_site)] == [(2, 7)]
    assert list(term_spans(term, shelf_site)) == []
    html = str(quoted(shelf_site, rule).html)
    assert html.count('class="term"') == 1
    assert "&lt;b&gt;model&lt;/b&gt;" in html


def test_terms__inside_a_link_are_left_to_the_link(tmp_path: Path) -> None:
    shelf = game(tmp_path, "## A rule {#a}\n\nSee [the Witch](https://example.org).", "## Witch {#witch}\n\nCasts.")
    html = str(quoted(site(shelf.directory), first(shelf)).html)
    assert 'class="term"' not in html


def test_plain_html__escapes_and_marks() -> None:
    assert plain_html("a <b> c", [mark(2, 5)]) == "a <mark>&lt;b&gt;</mark> c"


def test_shortened__whole_sentences_and_a_sign() -> None:
    text = "One is short. " + "Two " * 100 + "ends."
    assert shortened(text) == "One is short. …"
    assert shortened("One. Two.") == "One. Two."
    long = "word " * 100 + "end."
    assert shortened(long) == long
