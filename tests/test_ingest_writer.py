"""The writer: what is written is what was meant, whole or not at all, and never over somebody's edits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.cli import main
from kb.corpus import Corpus, load_corpus
from kb.errors import IngestError
from kb.ingest import reading, writer
from kb.ingest.draft import Block, Draft, DraftPage, Options
from kb.ingest.escape import clean, escape
from kb.ingest.formats import import_sources
from kb.ingest.merging import merge_drafts
from kb.ingest.writer import write_draft
from kb.parse import plain

OPTIONS = Options("game", title="The Game")


def draft(*blocks: Block, name: str = "page", **fields: object) -> Draft:
    page = DraftPage(name, "Page", blocks, origin="source.txt")
    return Draft((page,), {"source": {"authority": "rulebook", "document": "Book"}}, **fields)  # type: ignore[arg-type]


def written(to: Path, *blocks: Block, **fields: object) -> Corpus:
    write_draft(draft(*blocks, **fields), OPTIONS, to)
    return load_corpus(to)


def one_line(text: str) -> str:
    return " ".join(text.split())


# -- escaping -----------------------------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="ab1*_`[](){}#<>&;:!|~=-+.\\\"' \n/x", max_size=40) | st.text(max_size=40))
def test_escape__shows_exactly_the_raw_text(raw: str) -> None:
    assert one_line(plain(escape(raw))) == one_line(clean(raw))


@pytest.mark.parametrize(
    "raw",
    [
        "+1 Might",
        "-1/-1 counters",
        "{T}: Add {B}",
        "[A] or [M] here",
        "a_b is 2 * 3",
        "1” of a Foe",
        "Cost (2)",
        "50 % & more",
    ],
)
def test_escape__leaves_what_needs_no_escape_readable(raw: str) -> None:
    assert escape(raw) == raw


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet="ab {}#=\"'\\-1.*[]()|\n", min_size=1, max_size=40))
def test_round_trip__reader_reads_what_the_writer_wrote(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    wanted = one_line(clean(text))
    if not wanted or not one_line(plain(escape(text))):
        return
    forms = {"heading": 2, "paragraph": 0, "item": 0}
    blocks = [Block(escape(text), form, level, title=f"T {text}", ref=wanted) for form, level in forms.items()]
    passages = written(tmp_path_factory.mktemp("trip"), *blocks).passages
    assert [one_line(p.text) for p in passages] == [wanted] * 3
    assert {p.title for p in passages} == {one_line(clean(f"T {text}"))}


# -- ids ----------------------------------------------------------------------------------------------------------


def test_ids__from_ref_number_or_words(tmp_path: Path) -> None:
    corpus = written(
        tmp_path,
        Block("Ärger über Größe!", "heading", 2, title="Ärger über 10 Größen"),
        Block("First.", "item", number=1),
        Block("A stone with holes may float.", "item", 1),
        Block("The same words again.", ref="702.19b"),
        Block("The same words again."),
        Block("The same words again.", ref="bad id, {here}"),
        Block("一つの石", "heading", 2, title="石の規則"),
    )
    assert [p.anchor for p in corpus.passages] == [
        "arger-uber-10-grossen",
        "arger-uber-10-grossen-1",
        "stone-holes-float",
        "702.19b",
        "same-words-again",
        "bad-id-here",
        "石の規則",
    ]


def test_ids__same_names_get_their_section_then_a_number(tmp_path: Path) -> None:
    heads = [("Elf", 2), ("Speed", 3), ("Orc", 2), ("Speed", 3), ("Speed", 3)]
    corpus = written(tmp_path, *(Block("Text.", "heading", level, title=title) for title, level in heads))
    assert [p.anchor for p in corpus.passages] == ["elf", "speed", "orc", "orc-speed", "speed-2"]


def test_reimport__unchanged_texts_keep_their_ids(tmp_path: Path) -> None:
    twins = [Block("Old text.", "heading", 2, title="Speed"), Block("Other text.", "heading", 2, title="Speed")]
    written(tmp_path, *twins)
    newer = Block("New text.", "heading", 2, title="Speed")
    corpus = written(tmp_path, newer, *twins)
    assert {p.text: p.anchor for p in corpus.passages} == {
        "Old text.": "speed",
        "Other text.": "speed-2",
        "New text.": "speed-3",
    }


def test_reimport__ids_that_are_gone_are_named(tmp_path: Path) -> None:
    written(tmp_path, Block("One.", title="First"), Block("Two.", title="Second"))
    report = write_draft(draft(Block("One.", title="First")), OPTIONS, tmp_path)
    assert report.gone == ("page#second",)


# -- form ---------------------------------------------------------------------------------------------------------


def test_lists__nesting_numbers_and_parents(tmp_path: Path) -> None:
    corpus = written(
        tmp_path,
        Block("Steps:", "heading", 2, title="Steps"),
        Block("One.\n\nMore of one.", "item", 0, 1),
        Block("Two.", "item", 0, 2),
        Block("Below two.", "item", 1),
        Block("| a | b |\n| --- | --- |\n| 1 | 2 |", "more"),
        Block("Deep.", "item", 2),
        Block("Four, not three.", "item", 0, 4),
        Block("Another list.", "item", 0, 1),
    )
    texts = [(p.text, p.parent and p.parent.split("#")[1]) for p in corpus.passages]
    assert texts == [
        ("Steps:", None),
        ("One.\nMore of one.", "steps"),
        ("Two.", "steps"),
        ("Below two.\na | b\n1 | 2", "steps-2"),
        ("Deep.", "below-two"),
        ("Four, not three.", "steps"),
        ("Another list.", "steps"),
    ]
    page = (tmp_path / "game/page.md").read_text(encoding="utf-8")
    assert re.findall(r"^(\d+[.)]) ", page, re.M) == ["1.", "2.", "4)", "1."]


def test_fields__stand_in_the_braces_only_where_they_differ(tmp_path: Path) -> None:
    signed = Block(
        "No.",
        "heading",
        2,
        title='Is "it" {#so}?',
        kind="ruling",
        by="somebody",
        via='Forum "A"',
        date="2026-03",
        verdict="no",
        page="7",
        aliases=("a|b", "c"),
        default='5"',
        ref="x y",
    )
    passage = written(tmp_path, signed).passages[0]
    source = passage.source
    assert (passage.title, passage.kind, passage.verdict, passage.ref) == ('Is "it" {#so}?', "ruling", "no", "x y")
    assert (source.by, source.via, source.date, source.page) == ("somebody", 'Forum "A"', "2026-03", "7")
    assert (passage.aliases, passage.default) == (("a/b", "c"), '5"')
    assert "source=" not in (tmp_path / "game/page.md").read_text(encoding="utf-8")


def test_text__with_headings_and_braces_in_it_stays_one_passage(tmp_path: Path) -> None:
    text = "First {#no}\n\n# Not a heading\n\nSetext\n---\n\nLast {.x}"
    passages = written(tmp_path, Block(text, "heading", 2, title="Whole")).passages
    assert [p.text for p in passages] == ["First {#no}\nNot a heading\nSetext\nLast {.x}"]


def test_table_without_heading__gets_one_to_bear_the_id(tmp_path: Path) -> None:
    passage = written(tmp_path, Block("| a |\n| --- |\n| 1 |", title="Costs")).passages[0]
    assert (passage.title, passage.text, passage.anchor) == ("Costs", "a\n1", "costs")


def test_links__resolved_across_folders_and_dead_ones_reported(tmp_path: Path) -> None:
    pages = (
        DraftPage("a/one", "One", (Block("See [two](kb:two), [page](kb:p%202), [no](kb:nowhere)."),), origin="s"),
        DraftPage(
            "b/two", "Two", (Block("", "heading", 2, title="Bare", key="two"), Block("Text.")), key="p 2", origin="s"
        ),
    )
    report = write_draft(Draft(pages, {"source": {"authority": "rulebook", "document": "B"}}), OPTIONS, tmp_path)
    passage = load_corpus(tmp_path).passages[0]
    assert passage.markdown == "See [two](../b/two.md#text), [page](../b/two.md), no."
    assert [f.what for f in report.findings] == ["a link points to 'nowhere', which is not in the source"]


def test_references__pages_passages_and_missing_ones(tmp_path: Path) -> None:
    corpus = written(
        tmp_path,
        Block("Old.", key="old", title="Old rule"),
        Block("New.", "heading", 2, title="New", supersedes=("old",), see=("old", "Page", "Maps, Charts")),
    )
    new = corpus.by_id["game/page#new"]
    assert new.supersedes == ("game/page#old-rule",)
    assert new.see == ("game/page#old-rule", "game/page")
    assert new.missing == ("Maps Charts",)


def test_merge__glossaries_join_and_sources_stay_apart(tmp_path: Path) -> None:
    def part(document: str, text: str) -> Draft:
        term = Block(text, "heading", 2, title="Stone", kind="term")
        pages = (DraftPage("glossary", "Glossary", (term,), "term"), DraftPage("rules", "Rules", (Block(text),)))
        return Draft(pages, {"source": {"authority": "rulebook", "document": document}})

    merged = merge_drafts([part("A", "A stone is hard."), part("B", "A stone is soft.")])
    write_draft(merged, OPTIONS, tmp_path)
    found = {p.id.removeprefix("game/"): p.source.document for p in load_corpus(tmp_path).passages}
    assert found == {
        "rules#stone-hard": "A",
        "rules-2#stone-soft": "B",
        "glossary#stone": "A",
        "glossary#stone-2": "B",
    }


# -- files --------------------------------------------------------------------------------------------------------


def test_hand_edits__kept_while_the_source_is_the_same(tmp_path: Path) -> None:
    written(tmp_path, Block("As it was."))
    page = tmp_path / "game/page.md"
    page.write_text(page.read_text().replace("As it was.", "As I like it."))
    report = write_draft(draft(Block("As it was.")), OPTIONS, tmp_path)
    assert report.kept == ("page.md",)
    assert "As I like it." in page.read_text()


def test_hand_edits__stop_an_import_of_a_changed_source(tmp_path: Path) -> None:
    written(tmp_path, Block("As it was."))
    page = tmp_path / "game/page.md"
    page.write_text(page.read_text().replace("As it was.", "As I like it."))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(IngestError, match=r"(?s)edited by hand.*page\.md.*-As I like it.*\+As it is now.*--force"):
        write_draft(draft(Block("As it is now.")), OPTIONS, tmp_path)
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    report = write_draft(draft(Block("As it is now.")), OPTIONS, tmp_path, force=True)
    assert report.overwritten == ("page.md",)
    assert "As it is now." in page.read_text()


def test_other_files__of_the_game_stay(tmp_path: Path) -> None:
    written(tmp_path, Block("One.", title="A"))
    game = tmp_path / "game"
    (game / "house.md").write_text("# House\n\nOur own rule. {#ours}\n")
    (game / "examples").mkdir()
    (game / "examples/one.yaml").write_text("[]\n")
    (game / "asks.yaml").write_text('page#a: ["what is one"]\n')
    (game / "game.yaml").write_text((game / "game.yaml").read_text() + "aliases: [Toy]\n")
    corpus = written(tmp_path, Block("One.", title="A"), Block("Two."))
    assert (game / "examples/one.yaml").read_text() == "[]\n"
    assert corpus.games["game"].aliases == ("Toy",)
    assert {p.page for p in corpus.passages} == {"page", "house"}
    assert corpus.by_id["game/page#a"].asks


def test_second_source__stands_beside_the_first(tmp_path: Path) -> None:
    term = Block("Hard.", "heading", 2, title="Stone", kind="term")
    for origin, document in (("a.txt", "A"), ("b.txt", "B")):
        page = DraftPage("glossary", "Glossary", (term,), "term", origin=origin)
        sources = {"source": {"authority": "rulebook", "document": document}}
        write_draft(Draft((page,), sources), OPTIONS, tmp_path)
    corpus = load_corpus(tmp_path)
    assert {p.id: p.source.document for p in corpus.passages} == {
        "game/glossary#stone": "A",
        "game/glossary-b#stone": "B",
    }


def test_pages_of_the_source_that_are_no_more__go(tmp_path: Path) -> None:
    written(tmp_path, Block("One."), name="old")
    corpus = written(tmp_path, Block("Two."), name="new")
    assert [name for name, _ in corpus.games["game"].pages] == ["new"]


def test_failure__leaves_the_old_folder_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, Block("One."))
    before = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writer, "_swap", no_space)
    with pytest.raises(IngestError, match="can't be written: no space left on device"):
        write_draft(draft(Block("Two.")), OPTIONS, tmp_path)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == before
    assert load_corpus(tmp_path).passages[0].text == "One."


def test_killed_between_renames__the_next_import_finds_the_old_folder(tmp_path: Path) -> None:
    written(tmp_path, Block("One."))
    (tmp_path / ".kb-import-x").mkdir()
    (tmp_path / "game").rename(tmp_path / ".kb-import-x/game.old")
    report = write_draft(draft(Block("Two.")), OPTIONS, tmp_path)
    assert report.gone == ("page#one",)


@pytest.mark.parametrize("name", ["../out", "/etc/x", "a/../../out", "..\\out", "....//out", "con/../../x"])
def test_page_name__never_leaves_the_folder(name: str, tmp_path: Path) -> None:
    written(tmp_path / "corpus", Block("Text."), name=name)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


@pytest.mark.parametrize("game", ["../out", "", "A Game", ".hidden", "a/b", "x" * 99])
def test_game_name__must_be_a_plain_one(game: str, tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="can't be the name of a game"):
        write_draft(draft(Block("Text.")), Options(game), tmp_path)


def test_link_out_of_the_corpus__is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/game").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(IngestError, match="leads out of the corpus folder"):
        write_draft(draft(Block("Text.")), OPTIONS, tmp_path / "corpus")


def test_too_many_passages__refused(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="100,001 passages; up to 100,000"):
        write_draft(draft(*[Block("Text.")] * 100_001), OPTIONS, tmp_path)


def test_picture_without_words__is_no_passage_and_no_failure(tmp_path: Path) -> None:
    corpus = written(tmp_path, Block("![](a.png)"), Block("***", "heading", 2, title="Bare"), Block("Text."))
    assert [p.text for p in corpus.passages] == ["Text."]


def test_nothing_found__is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="nothing that could be a passage"):
        write_draft(draft(), OPTIONS, tmp_path)
    assert not (tmp_path / "game").exists()


# -- sources ------------------------------------------------------------------------------------------------------


def hostile() -> Iterator[tuple[str, bytes, str]]:
    yield "empty.txt", b"", "the file is empty"
    yield "blank.txt", b" \n\t \n", "the file is empty"
    yield "nul.txt", b"A text\x00with a NUL.\n", "NUL"
    yield "line.txt", b"word " * 500_000, "a line is longer than 20,000 characters"
    yield "lines.txt", b"a\n" * 600_000, "more than 500,000 lines"
    yield "utf16.txt", b"\xff\xfeA\x00\xd8", "says that it is utf-16 and is not"
    yield "noise.bin", bytes(range(256)) * 40, "file"


@pytest.mark.parametrize(("name", "content", "says"), list(hostile()), ids=[name for name, _, _ in hostile()])
def test_hostile_file__one_clear_error(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(IngestError, match=says) as raised:
        import_sources([path], OPTIONS)
    assert str(raised.value).startswith(str(path))


def test_hundred_megabytes__refused_by_size_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail("it was read"))
    with pytest.raises(IngestError, match="100,000,000 bytes"):
        reading.read_text(path, OPTIONS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encoding__text_comes_out_right(encoding: str, tmp_path: Path) -> None:
    text = "Der Zauber trifft jede Figur – auch die eigene – in der Nähe. Größere Figuren dürfen würfeln.\n" * 3
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode(encoding))
    assert reading.read_text(path, OPTIONS) == text


# -- command ------------------------------------------------------------------------------------------------------


def kb(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_command__reports_and_names_the_next_step(tmp_path: Path) -> None:
    source = tmp_path / "rules.txt"
    source.write_text("The Gate\n\nA gate opens once.\n\nKeys\n\nA key opens a gate.\n")
    done = kb("import", source, "--game", "gates", "--to", tmp_path / "corpus", "--title", "Gates")
    assert done.exit_code == 0
    assert "1 page with 2 rules" in done.output
    assert f"kb lint {tmp_path}/corpus/gates" in done.output
    assert load_corpus(tmp_path / "corpus").games["gates"].title == "Gates"
    listed = json.loads(kb("import", source, "--game", "gates", "--to", tmp_path / "corpus", "--json").output)
    assert (listed["pages"], listed["passages"], listed["gone"]) == (1, {"rule": 2}, [])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.txt",), "there is no such file or folder"),
        (("{}/rules.txt", "--format", "scroll"), "there is no format 'scroll'"),
        (("{}/picture.png",), "file"),
    ],
)
def test_command__wrong_use_is_one_line_and_exit_code_2(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("A rule.\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    done = kb("import", *(a.format(tmp_path) for a in arguments), "--game", "g", "--to", tmp_path / "corpus")
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "corpus" / "g").exists()
