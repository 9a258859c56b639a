"""Web pages: what is text and what is not, tooltips, boxes, tabs, questions, tables, links, and hostile pages."""

from __future__ import annotations

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
from kb.ingest.draft import Block, Draft, Options
from kb.ingest.escape import count_words
from kb.ingest.html import import_html, looks_like_html
from kb.ingest.writer import write_draft
from kb.parse import plain

FOLDER = Path(__file__).parent / "fixtures" / "ingest" / "docusaurus"
OPTIONS = Options("lantern")


@pytest.fixture(scope="module")
def lantern() -> Draft:
    """Two saved pages of a Docusaurus site."""
    return import_html(FOLDER, OPTIONS)


def page(body: str) -> Draft:
    return import_html(f"<html><head><title>Page</title></head><body>{body}</body></html>", OPTIONS)


def block(draft: Draft, beginning: str) -> Block:
    """The block whose title or text begins so."""
    found = [b for _, b in draft.blocks() if b.title.startswith(beginning) or b.text.startswith(beginning)]
    assert found, f"no block begins {beginning!r}"
    return found[0]


def everything(draft: Draft) -> str:
    return "\n".join(f"{b.title}\n{b.text}" for _, b in draft.blocks())


def words_out(draft: Draft) -> Counter[str]:
    texts = [f"{b.title} {plain(b.text)}" for _, b in draft.blocks()] + [p.title for p in draft.pages]
    return Counter(re.findall(r"\w+", " ".join(texts)))


# -- what is text -------------------------------------------------------------------------------------------------


def test_tooltips__the_sentence_is_clean_and_the_definition_a_term(lantern: Draft) -> None:
    assert block(lantern, "A keeper may brawl").text == (
        "A keeper may brawl twice a turn, limited by the glow they can hold. "
        "You may [nap](kb:rest.html#nap) before or after you brawl, but not both."
    )
    glow = [b for _, b in lantern.blocks() if b.kind == "term" and b.title == "Glow"]
    assert [b.text for b in glow] == ["Tokens placed on a keeper's lamp. There are 2 kinds (pale and bright)."]


def test_tooltips__in_attributes_and_elsewhere_on_the_page() -> None:
    draft = page(
        '<p>A <abbr title="Line of sight">LoS</abbr> is needed, and <u data-tooltip="Burns in a lamp.">oil</u>.</p>'
        '<p>So is <span aria-describedby="t1">vigour</span>, always.</p>'
        '<div role="tooltip" id="t1"><strong>Vigour</strong> How many dice you roll.</div>'
    )
    assert block(draft, "A LoS").text == "A LoS is needed, and oil."
    assert {b.title: b.text for _, b in draft.blocks() if b.kind == "term"} == {
        "LoS": "Line of sight",
        "oil": "Burns in a lamp.",
        "Vigour": "How many dice you roll.",
    }


def test_admonitions__are_clarifications_with_their_own_titles(lantern: Draft) -> None:
    notes = [b for _, b in lantern.blocks() if b.kind == "clarification"]
    assert [b.title for b in notes] == ["Resolving a part", "Reach of a lamp"]
    assert notes[0].text.startswith("Do as much of an ability as you can")


def test_steps__each_is_an_item_and_points_are_nested(lantern: Draft) -> None:
    items = [b for _, b in lantern.blocks() if b.form == "item"]
    assert [(b.number, b.level) for b in items] == [(1, 0), (2, 0), (None, 1), (None, 1), (3, 0)]
    assert items[3].text == "You *must not* roll a die from the dark row."


def test_tabs__each_panel_is_a_passage_named_by_its_tab(lantern: Draft) -> None:
    assert block(lantern, "Calm nights").text.startswith("On calm nights a keeper heals 1")
    assert block(lantern, "Stormy nights").text.startswith("On stormy nights no keeper heals")


def test_tables__icons_have_names_and_the_caption_stays(lantern: Draft) -> None:
    blocks = list(lantern.pages[0].blocks)
    place = blocks.index(block(lantern, "Table 1: Where a die goes"))
    assert blocks[place + 1].text.splitlines() == [
        "| Icon | Name | Dice |",
        "| --- | --- | --- |",
        r"| flash | Instant \| now | 1 |",
        r"| drain | Instant \| now | 2 |",
    ]


def test_figures__raised_ones_never_join_their_base(lantern: Draft) -> None:
    assert "10² is 100, and 1 1/2 rounds up" in everything(lantern)


def test_questions__by_heading_and_by_fold_out(lantern: Draft) -> None:
    asked = {b.title: (b.kind, b.verdict) for _, b in lantern.blocks() if b.title.endswith("?")}
    assert asked == {
        "May a keeper brawl while dazed?": ("faq", "no"),
        "Does a draw hurt anybody?": ("faq", "yes"),
    }


def test_questions__signed_answers_are_rulings() -> None:
    draft = page("<p>Q: May I nap twice?</p><p>A (lamper, Apr 28, 2026): No. Once a turn.</p>")
    ruling = block(draft, "May I nap twice?")
    assert (ruling.kind, ruling.by, ruling.date, ruling.verdict) == ("ruling", "lamper", "2026-04-28", "no")
    assert ruling.text == "No. Once a turn."


def test_terms__definition_lists_with_second_names(lantern: Draft) -> None:
    lamp = block(lantern, "Lamp")
    assert (lamp.kind, lamp.text, lamp.aliases) == ("term", "What a keeper carries.", ("Lantern",))


def test_furniture__is_left_out_and_counted(lantern: Draft) -> None:
    text = everything(lantern)
    assert not re.search(r"Skip to main|Copyright|Edit this page|tracker|Lantern Keep", text)
    assert sum(f.lost_words for f in lantern.findings if "menus" in f.what or "beside" in f.what) == 19


def test_links__lead_to_passages_and_no_script_survives(lantern: Draft) -> None:
    text = everything(lantern)
    assert "[the codes](kb:brawl.html#codes) or the trap" in text
    assert "[napping](kb:rest.html#nap)" in text
    assert "[brawl](kb:brawl.html)" in text
    assert "javascript" not in text
    assert "alert" not in text


def test_lists__letters_stay_letters() -> None:
    draft = page(
        '<h2>Steps</h2><ol type="a"><li>Light the lamp with oil from the tower.</li><li>See step a again.</li></ol>'
    )
    assert [b.text for _, b in draft.blocks() if b.form == "item"] == [
        "a. Light the lamp with oil from the tower.",
        "b. See step a again.",
    ]


def test_mediawiki__rendered_pages_give_categories_and_headings() -> None:
    draft = page(
        '<div id="mw-content-text"><div class="mw-parser-output"><div id="toc" class="toc">Contents 1 Naps</div>'
        '<div class="mw-heading"><h2><span class="mw-headline" id="Naps">Naps</span>'
        '<span class="mw-editsection">[edit]</span></h2></div><p>A nap takes one turn.</p></div></div>'
        '<div class="catlinks"><ul><li><a>FAQ</a></li></ul></div>'
    )
    nap = block(draft, "Naps")
    assert (nap.kind, nap.title, nap.text) == ("faq", "Naps", "A nap takes one turn.")


def test_pages__each_h1_begins_one() -> None:
    draft = page("<h1>Brawling</h1><p>Fight for the last oil.</p><h1>Resting</h1><p>Sleep beside the lamp.</p>")
    assert [p.title for p in draft.pages] == ["Brawling", "Resting"]


def test_written__the_corpus_reads_it(lantern: Draft, tmp_path: Path) -> None:
    write_draft(lantern, OPTIONS, tmp_path)
    corpus = load_corpus(tmp_path)
    assert corpus.by_id["lantern/rest#nap"].text == "Stay where you are. Remove 1 glow (not 2)."
    assert corpus.by_id["lantern/rest#nap"].source.authority == "rulebook"


# -- nothing is lost ----------------------------------------------------------------------------------------------


def test_words__what_a_reader_sees_is_in_the_draft_or_accounted_for() -> None:
    draft = import_html(FOLDER / "rest.html", OPTIONS)
    lost = sum(f.lost_words for f in draft.findings)
    # A second name of a term is no text of its own.
    aliases = sum(count_words(a) for _, b in draft.blocks() for a in b.aliases)
    added = count_words("Glossary")
    assert words_out(draft).total() + aliases - added == draft.words_in - lost + count_words("Rest") - 1


INLINE = st.recursive(
    st.sampled_from(["lamp", "2 oil", "isn't", "a|b", "*x*", "[y]", "&lt;b&gt;", "_", "1.", "{#z}", "#", "`"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{' '.join(parts)}</{tag}>",
        st.sampled_from(["b", "em", "span", "a href='x'", "u", "code", "small"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)
BLOCKS = st.recursive(
    INLINE.map(lambda text: f"<p>{text}</p>"),
    lambda inner: st.builds(
        lambda form, parts: form.replace("*", "".join(parts)),
        st.sampled_from(
            [
                "<div>*</div>",
                "<ul><li>*</li></ul>",
                "<ol><li>*</li><li>end</li></ol>",
                "<blockquote>*</blockquote>",
                "<section><h3>Part</h3>*</section>",
                "<aside>*</aside>",
                "<table><tr><td>*</td><td>9</td></tr></table>",
                "<details><summary>More</summary>*</details>",
                "<dl><dt>Word</dt><dd>*</dd></dl>",
                "<span>*</span>",
            ]
        ),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(BLOCKS, min_size=1, max_size=4))
def test_words__whatever_the_markup_all_words_come_through(blocks: list[str]) -> None:
    html = "".join(blocks)
    seen = re.sub(r"<[^<>]*>", " ", html).replace("&lt;", "<").replace("&gt;", ">")
    try:
        draft = page(html)
    except IngestError:
        assert not re.search(r"\w", seen)
        return
    missing = Counter(re.findall(r"[^\W_]+", seen)) - words_out(draft)
    repeated = sum(f.lost_words for f in draft.findings)
    assert missing.total() <= repeated, missing


# -- input that means harm ----------------------------------------------------------------------------------------


def test_hostile__scripts_handlers_and_styles_leave_nothing() -> None:
    draft = page(
        "<p onclick=evil()>A lamp burns <script>evil()</script>oil.</p><style>p{color:evil}</style>"
        '<a href="JaVa\nScript:evil()">here</a> <a href="data:text/html,evil">there</a> <iframe src="//evil"></iframe>'
        "<svg onload=evil()><circle/></svg><script>unclosed evil <p>not text</p>"
    )
    assert "evil" not in everything(draft)
    assert "A lamp burns oil." in everything(draft)
    assert "here there" in everything(draft)


@pytest.mark.parametrize(
    "html",
    ["<div>" * 30_000, "<b>" * 30_000 + "x", "<table><tr><td>" * 5_000, "<ul><li>" * 5_000 + "x", "<span>" * 5_000],
)
def test_hostile__tags_without_end_are_refused_at_once(html: str) -> None:
    started = time.perf_counter()
    with pytest.raises(IngestError, match=r"is nested more than 400 deep"):
        page(html)
    assert time.perf_counter() - started < 5


def test_hostile__deep_but_allowed_nesting_keeps_its_words() -> None:
    draft = page("<div>" * 390 + "<p>The lamp at the bottom.</p>" + "</div>" * 390)
    assert "The lamp at the bottom." in everything(draft)


def test_hostile__too_much_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.ingest.html_clean.MAX_MARKUP", 1000)
    with pytest.raises(IngestError, match="characters of markup; up to 1,000 are read"):
        page("word " * 1000)


@pytest.mark.parametrize(("content", "says"), [(b"", "empty"), (b"<html><body><nav>Menu</nav>", "no text")])
def test_hostile__nothing_to_read(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "x.html").write_bytes(content)
    with pytest.raises(IngestError, match=says):
        import_html(tmp_path / "x.html", OPTIONS)


@pytest.mark.parametrize(
    ("encoding", "head"), [("cp1252", '<meta charset="iso-8859-1">'), ("utf-16", ""), ("utf-8", ""), ("cp1252", "")]
)
def test_encodings__declared_marked_or_detected(tmp_path: Path, encoding: str, head: str) -> None:
    text = "The café’s lamp burns for 3 rounds – naïve keepers nap beside it, and the façade stays dark all night long."
    (tmp_path / "x.html").write_bytes(f"<html><head>{head}</head><body><p>{text}</p></body></html>".encode(encoding))
    assert text in everything(import_html(tmp_path / "x.html", OPTIONS))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet="<>/=\"'&;! abdivpulotrxhs123-\n", max_size=300))
def test_hostile__any_characters_give_a_draft_or_one_sentence(text: str) -> None:
    with suppress(IngestError):
        assert page(text).pages


def test_looks__by_name_or_beginning(tmp_path: Path) -> None:
    assert looks_like_html(FOLDER, "")
    assert looks_like_html(Path("x.htm"), "")
    assert looks_like_html(Path("x"), "<!DOCTYPE html><html>")
    assert not looks_like_html(tmp_path, "")
    assert not looks_like_html(Path("x.md"), "# Rules <html>")
