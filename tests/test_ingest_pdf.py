"""PDF rulebooks: reading order, structure, what is taken off, and input that means harm."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulebook_pdf import Sheet

from kb.errors import IngestError
from kb.ingest import pdf
from kb.ingest.draft import Block, Draft, Options
from kb.ingest.escape import count_words
from kb.ingest.pdf import import_pdf, looks_like_pdf
from kb.ingest.pdf_layout import read_page
from kb.ingest.pdf_records import Area, Line, Page, Word
from kb.ingest.pdf_rows import rows_of, undrawn_tables
from kb.parse import plain

OPTIONS = Options("lantern")


@pytest.fixture(scope="module")
def lantern(tmp_path_factory: pytest.TempPathFactory) -> Draft:
    """A rulebook of four pages: two columns between wide text, a box, tables, a scan, a question."""
    path = tmp_path_factory.mktemp("pdf") / "lantern.pdf"
    sheet = Sheet(path, "Lantern Keep: the rules", first_page=11)
    sheet.heading("Brawling", 22)
    sheet.text(
        "A brawl is how a keeper puts out another's lamp. What the loser suf\u00adfers stands in both col\u00adumns."
    )
    top = sheet.y
    first_column(sheet, top)
    second_column(sheet, top)
    sheet.turn()
    sheet.heading("Resting", 22)
    sheet.text("A keeper who rests ends the turn. Resting takes away all pale glow.")
    sheet.heading("Oil")
    sheet.table([["Source", "Oil gained"], ["A well", "2"], ["A neighbour", "1"], ["The tower", "5"]], grid=False)
    sheet.text("Oil beyond 6 is lost.")
    sheet.turn()
    sheet.scan()
    sheet.turn()
    sheet.heading("Questions", 22)
    sheet.heading("FAQ")
    sheet.text("Q: May a dazed keeper nap?")
    sheet.text("A: Yes. Napping is no brawl.")
    sheet.save()
    return import_pdf(path, OPTIONS)


def first_column(sheet: Sheet, top: float) -> None:
    sheet.column(0, top)
    sheet.heading("Who may brawl")
    sheet.text(
        "A keeper may brawl a keeper within 3 paces. A dazed keeper may not brawl; the excep\u00adtion is the "
        "night watch. Close-combat lamps count as lit, and no close-\u00adcombat lamp can be put out from afar by "
        "any\u00adbody at all."
    )
    sheet.text("The keeper must say whom the brawl is against before any die is rolled, and can't take it back.")
    sheet.heading("The steps")
    sheet.item("1.", "Gain 1 pale glow for each brawl after the first in this turn, or 2 glow on a stormy night.")
    sheet.item("2.", "Roll as many dice as your vigour. You must not roll more than 5 dice in all.")
    sheet.item("3.", "Add the lamp's bonus. The higher total wins; on a draw nobody is hurt.")
    sheet.text("When a keeper has won, the loser's lamp loses as much oil as the difference of the totals, and")


def second_column(sheet: Sheet, top: float) -> None:
    sheet.column(1, top)
    sheet.text("a lamp without oil goes out at the end of the round. It can be lit again by a neighbour.")
    sheet.box(
        "The night watch", "The night watch brawls with 2 dice more and may not nap while a neighbour's lamp is out."
    )
    sheet.text("Any number of keepers may watch a brawl. They gain nothing by it.", bold="Onlookers.")
    sheet.text("Table 3: Lamps and their bonus")
    sheet.table([["Lamp", "Bonus", "Oil"], ["Tin lamp", "0", "4"], ["Brass lamp", "+1", "6"]])
    sheet.text("A lamp that is not in this table has no bonus at all, however much oil it may hold.")


def block(draft: Draft, beginning: str) -> Block:
    """The block whose title or text begins so."""
    found = [b for _, b in draft.blocks() if b.title.startswith(beginning) or b.text.startswith(beginning)]
    assert found, f"no block begins {beginning!r}"
    return found[0]


def order(draft: Draft, *beginnings: str) -> bool:
    """Whether the blocks that begin so come in that order."""
    blocks = [b for _, b in draft.blocks()]
    places = [blocks.index(block(draft, beginning)) for beginning in beginnings]
    return places == sorted(places)


def words_out(draft: Draft) -> int:
    """Words of titles and texts, list numbers included, captions that are title and text once."""
    count = 0
    for page in draft.pages:
        count += count_words(page.title)
        for b in page.blocks:
            count += count_words(plain(b.text)) + (b.number is not None)
            count += 0 if b.title == plain(b.text) else count_words(b.title)
    return count


def test_columns__left_is_read_before_right(lantern: Draft) -> None:
    assert order(
        lantern, "A brawl is how", "Who may brawl", "The keeper must", "The steps", "When a keeper", "The night"
    )


def test_columns__a_sentence_goes_on_in_the_next_one(lantern: Draft) -> None:
    assert "of the totals, and a lamp without oil goes out" in block(lantern, "When a keeper has won").text


def test_hyphens__broken_words_are_joined_and_compounds_keep_theirs(lantern: Draft) -> None:
    text = block(lantern, "Who may brawl").text
    assert "the exception is" in text
    assert "no close-combat lamp" in text
    assert "by anybody at all" in text


def test_headings__the_largest_begin_pages_and_the_others_sections(lantern: Draft) -> None:
    assert [page.title for page in lantern.pages][:2] == ["Brawling", "Resting"]
    assert [b.title for b in lantern.pages[0].blocks if b.form == "heading"] == ["Who may brawl", "The steps"]


def test_lists__each_step_is_an_item_with_its_number(lantern: Draft) -> None:
    items = [b for _, b in lantern.blocks() if b.form == "item"]
    assert [b.number for b in items] == [1, 2, 3]
    assert items[1].text == "Roll as many dice as your vigour. You must not roll more than 5 dice in all."


def test_tables__a_drawn_one_is_whole_and_has_its_caption(lantern: Draft) -> None:
    blocks = list(lantern.pages[0].blocks)
    place = blocks.index(block(lantern, "Table 3: Lamps and their bonus"))
    assert blocks[place].title == "Table 3: Lamps and their bonus"
    assert blocks[place + 1].text.splitlines()[-1] == "| Brass lamp | +1 | 6 |"


def test_tables__one_without_lines_is_found_by_its_columns(lantern: Draft) -> None:
    assert block(lantern, "Oil").text.splitlines()[2:] == ["| A well | 2 |", "| A neighbour | 1 |", "| The tower | 5 |"]


def test_boxes__are_passages_of_their_own_with_their_title(lantern: Draft) -> None:
    box = block(lantern, "The night watch")
    assert box.title == "The night watch"
    assert box.text.startswith("The night watch brawls with 2 dice more")
    assert "Onlookers" not in box.text


def test_run_in_heads__stay_bold(lantern: Draft) -> None:
    assert block(lantern, "**Onlookers.** Any number").form == "paragraph"


def test_running_lines__are_left_out_and_reported_and_the_page_number_is_kept(lantern: Draft) -> None:
    assert not [b for _, b in lantern.blocks() if "Lantern Keep" in b.text]
    assert [f for f in lantern.findings if "“Lantern Keep: the rules” (4)" in f.what and f.lost_words == 20]
    assert block(lantern, "Who may brawl").page == "11"
    assert block(lantern, "A keeper who rests").page == "12"
    assert block(lantern, "May a dazed keeper nap").page == "14"


def test_scans__are_named_with_their_page(lantern: Draft) -> None:
    assert [f.where for f in lantern.findings if "no text" in f.what] == ["lantern.pdf p. 3 of the file"]


def test_questions__have_their_answer_and_verdict(lantern: Draft) -> None:
    asked = block(lantern, "May a dazed keeper nap?")
    assert (asked.kind, asked.text, asked.verdict) == ("faq", "Yes. Napping is no brawl.", "yes")


def test_words__all_are_in_the_draft_or_accounted_for(lantern: Draft) -> None:
    added = count_words("Questions and answers")
    assert words_out(lantern) - added == lantern.words_in - sum(f.lost_words for f in lantern.findings)


def test_words__letter_by_letter_what_was_drawn_is_there(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    drawn = [
        "Every keeper rolls 2 dice, never 3, unless the tower's oil is below 0.5 measures.",
        "Then it's over at once.",
    ]
    for text in drawn:
        sheet.text(text)
    sheet.save()
    draft = import_pdf(tmp_path / "x.pdf", OPTIONS)
    got = "".join(plain(b.text) for _, b in draft.blocks())
    assert Counter("".join(drawn).replace(" ", "")) == Counter(got.replace(" ", "").replace("\n", ""))


def test_contents__page_and_index_are_left_out_and_counted(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    sheet.heading("Contents", 18)
    sheet.text("Brawling . . . . . . . . . . . 3")
    sheet.text("Resting . . . . . . . . . . . 5")
    sheet.heading("Brawling", 18)
    sheet.text("A keeper may brawl once in a turn, and only if the lamp is lit.")
    sheet.save()
    draft = import_pdf(tmp_path / "x.pdf", OPTIONS)
    assert [b.title or b.text for _, b in draft.blocks()] == [
        "A keeper may brawl once in a turn, and only if the lamp is lit."
    ] or [b.title for _, b in draft.blocks()] == ["Brawling"]
    assert sum(f.lost_words for f in draft.findings) == 5


def test_drop_caps__join_the_word_that_they_begin(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    sheet.canvas.setFont("Times-Roman", 34)
    sheet.canvas.drawString(sheet.x, sheet.y - 26, "T")
    sheet.text(
        "he keeper lights the lamp before the first round and must not let it go out while a neighbour sleeps.",
        indent=21,
    )
    sheet.save()
    [only] = [b for _, b in import_pdf(tmp_path / "x.pdf", OPTIONS).blocks()]
    assert only.text.startswith("The keeper lights the lamp")


def test_raised_figures__never_join_the_number_before(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    sheet.canvas.setFont("Times-Roman", 10)
    sheet.canvas.drawString(60, 700, "The tower holds 10")
    x = 60 + sheet.canvas.stringWidth("The tower holds 10", "Times-Roman", 10)
    sheet.canvas.setFont("Times-Roman", 6)
    sheet.canvas.drawString(x, 704, "2")
    sheet.canvas.setFont("Times-Roman", 10)
    sheet.canvas.drawString(x + 6, 700, "measures of oil and not one drop more than that.")
    sheet.save()
    [only] = [b for _, b in import_pdf(tmp_path / "x.pdf", OPTIONS).blocks()]
    assert "holds 10² measures" in only.text


def test_looks__by_name_or_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"%PDF-1.7 ...")
    (tmp_path / "b.txt").write_text("rules")
    assert looks_like_pdf(tmp_path / "a", "")
    assert not looks_like_pdf(tmp_path / "b.txt", "rules")


# -- input that means harm ----------------------------------------------------------------------------------------


def objects(path: Path, *bodies: bytes) -> Path:
    """A PDF of these objects, the first its catalogue."""
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(bodies) + 1, table) + (
        b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, len(out))
    )
    path.write_bytes(out)
    return path


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), extra, data)


CATALOGUE = (
    b"<< /Type /Catalog /Pages 2 0 R >>",
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
)


def test_hostile__a_stream_that_unpacks_to_half_a_gigabyte(tmp_path: Path) -> None:
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b"q Q " * 1_000_000) for _ in range(125)) + packer.flush()
    path = objects(tmp_path / "bomb.pdf", *CATALOGUE, stream(packed, b"/Filter /FlateDecode"), stream(b""))
    with pytest.raises(IngestError, match="unpacks to more than 100 MB"):
        import_pdf(path, OPTIONS)


def test_hostile__drawings_that_call_each_other_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "PAGE_SECONDS", 3.0)
    calls = b"/X Do " * 10
    forms = [
        stream(calls, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>" % n)
        for n in range(6, 17)
    ]
    last = stream(b"", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    with pytest.raises(IngestError, match="page 1 takes more than"):
        import_pdf(objects(tmp_path / "laughs.pdf", *CATALOGUE, stream(calls), *forms, last), OPTIONS)


def test_hostile__encrypted(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf", encrypt="secret")
    sheet.text("Nobody may read this.")
    sheet.save()
    with pytest.raises(IngestError, match=r"the PDF is encrypted\. Save it without a password"):
        import_pdf(tmp_path / "x.pdf", OPTIONS)


def test_hostile__only_scans(tmp_path: Path) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    sheet.scan()
    sheet.save()
    with pytest.raises(IngestError, match="no page holds text, only pictures"):
        import_pdf(tmp_path / "x.pdf", OPTIONS)


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "empty"), (b"Lantern Keep", "no PDF"), (b"%PDF-1.4\nnothing", "damaged")]
)
def test_hostile__no_pdf_at_all(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "x.pdf").write_bytes(content)
    with pytest.raises(IngestError, match=says):
        import_pdf(tmp_path / "x.pdf", OPTIONS)


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 4000), st.binary(min_size=1, max_size=30))
def test_hostile__damaged_bytes_give_a_draft_or_one_sentence(tmp_path: Path, place: int, junk: bytes) -> None:
    sheet = Sheet(tmp_path / "x.pdf")
    sheet.text("A keeper may brawl once in a turn, and only if the lamp is lit.")
    sheet.save()
    whole = (tmp_path / "x.pdf").read_bytes()
    place %= len(whole)
    (tmp_path / "x.pdf").write_bytes(whole[:place] + junk + whole[place + len(junk) :])
    with suppress(IngestError):
        assert import_pdf(tmp_path / "x.pdf", OPTIONS).pages


# -- the layout by itself -----------------------------------------------------------------------------------------


def words(*rows: str, left: float = 50, top: float = 100) -> list[Word]:
    """Words of 10 points on a grid of 5 points a character: two spaces in a row are a gap."""
    found = []
    for n, row in enumerate(rows):
        for match in re.finditer(r"\S+", row):
            x0, y = left + 5 * match.start(), top + 12 * n
            found.append(Word(match.group(), x0, y, x0 + 5 * len(match.group()), y + 10, 10))
    return found


def test_rows__a_table_without_lines_keeps_wrapped_cells_together() -> None:
    rows = rows_of(
        words(
            "Lamp         Bonus  Rule",
            "Tin             +0  None.",
            "Storm           +2  It cannot be put out",
            "                    by wind.",
            "Brass           +1  None.",
        )
    )
    [table] = undrawn_tables(rows)
    assert isinstance(table, Area)
    cells = [[" ".join(word.text for word in cell) for cell in row] for row in table.rows]
    assert cells[2] == ["Storm", "+2", "It cannot be put out by wind."]


def test_rows__prose_with_wide_spaces_and_numbered_lists_are_no_tables() -> None:
    prose = rows_of(words("A  keeper  may brawl once", "in  a turn, and  only if it", "is lit   and nobody naps"))
    steps = rows_of(words("1.   Gain one glow", "2.   Roll your dice", "3.   Compare them"))
    assert not [part for part in [*undrawn_tables(prose), *undrawn_tables(steps)] if isinstance(part, Area)]


def test_columns__three_are_read_one_after_the_other() -> None:
    column = [
        "the lamp burns on its own",
        "until all oil is used up",
        "or the keeper goes to bed",
        "and so on for the night",
    ]
    page = Page(1, 600, 800, words=[w for n in range(3) for w in words(*column, left=40 + 180 * n)])
    read = [line.x0 for line in read_page(page) if isinstance(line, Line)]
    assert read == [40.0] * 4 + [220.0] * 4 + [400.0] * 4


def test_columns__wide_text_parts_what_stands_above_from_what_stands_below() -> None:
    column = ["the lamp burns on its own", "until all oil is used up", "or the keeper goes to bed"]
    half = [w for top in (100, 200) for n in range(2) for w in words(*column, left=40 + 180 * n, top=top)]
    wide = words("A heading that runs across both of the columns of this page", top=160)
    read = [round(line.top) for line in read_page(Page(1, 400, 800, words=half + wide)) if isinstance(line, Line)]
    assert read == [100, 112, 124] * 2 + [160] + [200, 212, 224] * 2
