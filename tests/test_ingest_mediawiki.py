"""MediaWiki dumps: what becomes of templates, sections, redirects, namespaces, old revisions, and hostile dumps."""

from __future__ import annotations

import bz2
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.corpus import load_corpus
from kb.errors import IngestError
from kb.ingest import wiki_dump
from kb.ingest.draft import Block, Draft, Options
from kb.ingest.mediawiki import import_mediawiki, looks_like_mediawiki
from kb.ingest.writer import write_draft
from kb.parse import plain

DUMP = Path(__file__).parent / "fixtures" / "ingest" / "wiki.xml"
OPTIONS = Options("lantern")


@pytest.fixture(scope="module")
def lantern() -> Draft:
    return import_mediawiki(DUMP, OPTIONS)


def page(wikitext: str) -> Draft:
    """One page of wikitext."""
    return import_mediawiki(wikitext, OPTIONS)


def dump(*pages: str) -> str:
    """A dump with these `<page>`s."""
    head = "<siteinfo><sitename>W</sitename><namespaces><namespace key='0'/></namespaces></siteinfo>"
    return f"<mediawiki version='0.11'>{head}{''.join(pages)}</mediawiki>"


def dumped(title: str, text: str, day: str = "2026-01-01") -> str:
    return (
        f"<page><title>{title}</title><ns>0</ns><id>1</id><revision><id>1</id>"
        f"<timestamp>{day}T00:00:00Z</timestamp><text>{text}</text></revision></page>"
    )


def block(draft: Draft, beginning: str) -> Block:
    """The block whose title or text begins so."""
    blocks = [b for _, b in draft.blocks()]
    found = [b for b in blocks if b.title == beginning]
    found += [b for b in blocks if b.title.startswith(beginning) or b.text.startswith(beginning)]
    assert found, f"no block begins {beginning!r}"
    return found[0]


def everything(draft: Draft) -> str:
    return "\n".join(f"{b.title}\n{b.text}" for _, b in draft.blocks())


def words_out(draft: Draft) -> Counter[str]:
    texts = [f"{b.title} {plain(b.text)}" for _, b in draft.blocks()] + [p.title for p in draft.pages]
    return Counter(re.findall(r"[^\W_]+", " ".join(texts)))


def found(draft: Draft, what: str) -> str:
    """The finding that speaks of it."""
    return next(f.what for f in draft.findings if what in f.what)


def test_revisions__only_the_newest_counts(lantern: Draft) -> None:
    assert "outdated" not in everything(lantern)
    assert block(lantern, "A **brawl** is fought").text.startswith("A **brawl** is fought between two")


def test_links__lead_to_pages_sections_and_through_redirects(lantern: Draft) -> None:
    assert "between two [keeper](kb:Keeper)s" in everything(lantern)
    assert "see [naps](kb:Resting#Naps) and Dark row" in everything(lantern)
    assert "See [scuffle](kb:Brawl)" in everything(lantern)
    assert lantern.missing_pages == ("Dark row",)


def test_redirects__are_other_names_of_what_they_lead_to(lantern: Draft) -> None:
    assert block(lantern, "Keeper").aliases == ("Lamplighter",)
    brawl = next(p for p in lantern.pages if p.title == "Brawl")
    assert brawl.blocks[0].aliases == ("Scuffle",)


def test_templates__defined_ones_are_written_out(lantern: Draft) -> None:
    assert block(lantern, "**Gain glow:**").text == "**Gain glow:** gain 1 pale glow for each brawl after the first."
    assert "Roll up to 5 dice;" in everything(lantern)
    assert "Documentation of the template" not in everything(lantern)


def test_templates__undefined_ones_keep_name_and_values(lantern: Draft) -> None:
    assert "| cost | 1 glow |" in everything(lantern)
    assert "Infobox action (1)" in found(lantern, "templates that the dump does not define")
    assert "deals Harm 3 to the loser" in everything(page("A brawl deals {{Harm|3}} to the loser."))


def test_templates__hover_ones_are_terms(lantern: Draft) -> None:
    assert (block(lantern, "oil").kind, block(lantern, "oil").text) == ("term", "What a lamp burns.")
    assert block(lantern, "Compare.").text == "Compare. The loser loses oil"


def test_transclusion__a_labelled_section_stands_where_it_is_named(lantern: Draft) -> None:
    text = block(lantern, "From the brawl's page").text
    assert text == ("From the brawl's page: On a draw nobody is hurt, and both lamps stay lit until the round ends.")


def test_transclusion__by_heading_and_of_what_is_absent() -> None:
    draft = import_mediawiki(
        dump(
            dumped("Rest", "Ends the turn.\n== Naps ==\nA nap takes 1 glow.\n== Sleep ==\nLong."),
            dumped("All", "Here: {{#lsth:Rest|Naps}} And {{#lst:Nowhere|x}}."),
        ),
        OPTIONS,
    )
    assert block(draft, "Here:").text == "Here: A nap takes 1 glow. And Nowhere."
    assert "Nowhere#x (1)" in found(draft, "not in the dump; a link")


def test_namespaces__talk_is_left_out_and_named_and_a_glossary_kept(lantern: Draft) -> None:
    assert "unfair" not in everything(lantern)
    assert "Talk (1)" in found(lantern, "namespaces are left out")
    assert (block(lantern, "Vigour").kind, block(lantern, "Vigour").text) == (
        "term",
        "How many dice a keeper may roll.",
    )


def test_categories__faq_and_glossary_set_the_kind(lantern: Draft) -> None:
    asked = block(lantern, "May a dazed keeper brawl?")
    assert (asked.kind, asked.verdict) == ("faq", "no")
    assert block(lantern, "Keeper").text == "A player's figure, which carries a lamp."
    assert block(lantern, "Notes").kind is None


def test_tables__spans_are_filled_and_the_caption_stays(lantern: Draft) -> None:
    blocks = next(list(p.blocks) for p in lantern.pages if p.title == "Brawl")
    place = blocks.index(block(lantern, "Table 1: Lamps"))
    assert blocks[place + 1].text.splitlines()[2:] == ["| Tin | 0 |", "| Brass | 0 |", "| Storm | +2 |"]


def test_lists__steps_have_numbers_and_their_second_lines(lantern: Draft) -> None:
    items = [b for p in lantern.pages if p.title == "Brawl" for b in p.blocks if b.form == "item"]
    assert [(b.level, b.number) for b in items] == [(0, 1), (1, 1), (0, 2), (0, 3)]
    assert items[2].text.endswith("A die that shows a lamp counts twice.")


def test_lists__name_and_definition_are_a_term(lantern: Draft) -> None:
    assert (block(lantern, "Pale glow").kind, block(lantern, "Pale glow").text) == ("term", "Glow that a nap removes.")
    assert block(page("Some text before.\n; Oil : burns"), "Oil").text == "burns"


def test_pictures_and_notes__their_words_are_kept(lantern: Draft) -> None:
    assert "Two keepers A brawl at [rest](kb:Resting)" in everything(lantern)
    assert "The tower's own measure, not the map's." in everything(lantern)
    assert "nobody reads this" not in everything(lantern)


def test_sources__each_page_has_its_address(lantern: Draft) -> None:
    assert lantern.sources["resting"]["url"] == "https://lantern.example/wiki/Resting"


def test_written__the_corpus_reads_it(lantern: Draft, tmp_path: Path) -> None:
    report = write_draft(lantern, OPTIONS, tmp_path)
    corpus = load_corpus(tmp_path)
    assert corpus.by_id["lantern/glossary#keeper"].aliases == ("Lamplighter",)
    assert report.words_out >= report.words_in - report.words_left_out


def test_packed__dumps_are_read_and_recognised(tmp_path: Path) -> None:
    (tmp_path / "d.xml.bz2").write_bytes(bz2.compress(DUMP.read_bytes()))
    assert looks_like_mediawiki(tmp_path / "d.xml.bz2", "")
    assert looks_like_mediawiki(DUMP, DUMP.read_text()[:1000])
    assert not looks_like_mediawiki(DUMP, "<rss></rss>")
    assert import_mediawiki(tmp_path / "d.xml.bz2", OPTIONS).pages


# -- nothing is lost ----------------------------------------------------------------------------------------------

TABLE = "{| class=a\n! h\n|-\n| cell || 9\n|}\n"
INLINE = "lamp,2 oil ,'''bold''',''it'',[[Page|link]],[http://x.example web],<b>x</b>,<ref>note</ref>,{{Tag|arg}},&lt;"
BLOCKS = "* item ,# step ,** sub ,: in ,; name ,<div>box</div>,<nowiki>''raw''</nowiki>, - ,| ,{{,]]"
PIECES = st.lists(
    st.sampled_from([*INLINE.split(","), *BLOCKS.split(","), "\n", "\n\n", "== Part ==\n", TABLE]),
    min_size=1,
    max_size=25,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(PIECES)
def test_words__whatever_the_markup_all_words_come_through(pieces: list[str]) -> None:
    text = "".join(pieces)
    parts = {
        "[http://x.example web]": "web",
        "[[Page|link]]": "link",
        "{| class=a\n! h\n|-\n| cell || 9\n|}\n": "h cell 9",
    }
    seen = " ".join(re.sub(r"<[^<>]*>|&lt;", " ", parts.get(piece, piece)) for piece in pieces)
    try:
        draft = page(text)
    except IngestError:
        assert not re.search(r"[^\W_]", seen)
        return
    joined = "".join(words_out(draft).elements())
    missing = Counter("".join(re.findall(r"[^\W_]+", seen))) - Counter(joined)
    assert not missing, (missing, everything(draft))


# -- input that means harm ----------------------------------------------------------------------------------------


def test_hostile__entities_that_multiply_are_not_read() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    text = f'<?xml version="1.0"?><!DOCTYPE m [<!ENTITY l0 "ha">{laughs}]>' + dump(dumped("P", "&l9;"))
    with pytest.raises(IngestError, match="declares a document type"):
        import_mediawiki(text, OPTIONS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("   ", "empty"),
        (dump(dumped("P", "x"))[:-40], "not well-formed"),
        ("<mediawiki><page></page></mediawiki>", "can't be read"),
        (dump(), "no page of rules"),
    ],
)
def test_hostile__broken_or_empty(text: str, says: str) -> None:
    with pytest.raises(IngestError, match=says):
        import_mediawiki(text, OPTIONS)


def test_hostile__other_encodings_and_other_xml(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_bytes(dump(dumped("P", "x")).encode("utf-16"))
    with pytest.raises(IngestError, match="no MediaWiki dump in UTF-8"):
        import_mediawiki(tmp_path / "x.xml", OPTIONS)


def test_hostile__a_packed_dump_that_unpacks_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiki_dump, "LONGEST_STRETCH", 3_000_000)
    (tmp_path / "x.xml.bz2").write_bytes(bz2.compress(dump(dumped("P", "a" * 20_000_000)).encode()))
    with pytest.raises(IngestError, match="3,000,000 bytes without a tag"):
        import_mediawiki(tmp_path / "x.xml.bz2", OPTIONS)


def test_hostile__a_page_longer_than_any_is_named() -> None:
    draft = import_mediawiki(dump(dumped("Long", "lamp " * 500_000), dumped("Short", "A lamp.")), OPTIONS)
    assert [p.title for p in draft.pages] == ["Short"]
    assert "'Long' is longer" in found(draft, "longer")


@pytest.mark.parametrize("piece", ["{{a|", "[[b|", "<b>", "<b ", "[http://x ", "{|\n", "<nowiki>", "<!--", "{{{"])
def test_hostile__markup_without_end_takes_no_time(piece: str) -> None:
    started = time.perf_counter()
    with suppress(IngestError):
        page(f"The lamp. {piece * 20_000}")
    assert time.perf_counter() - started < 5


def test_hostile__templates_that_call_themselves() -> None:
    loop = dumped("Template:A", "{{A|{{{1|}}}x}}{{A|{{{1|}}}y}}").replace("<ns>0", "<ns>10")
    started = time.perf_counter()
    draft = import_mediawiki(dump(dumped("P", "The lamp {{A|z}} burns."), loop), OPTIONS)
    assert time.perf_counter() - started < 30
    assert "nest or grow without end" in found(draft, "nest or grow")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet="{}[]|'=<>/!#*:;-&\nab1 ", max_size=200))
def test_hostile__any_characters_give_a_draft_or_one_sentence(text: str) -> None:
    with suppress(IngestError):
        assert page(text).pages
