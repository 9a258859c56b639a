from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import corpus_digest, load_corpus
from kb.errors import CorpusError, UsageError
from kb.yamlfile import read_yaml

GAME = """game: toy
title: "Toy Fights"
aliases: ["TF"]
sources:
  book: {authority: rulebook, document: "Toy book", page: "3"}
  faq: {authority: official-faq, document: "Toy FAQ"}
default_source: book
missing_pages: ["Armoury"]
"""
RULES = """---
title: "Rules"
---
## Hitting {#hit}

A hit takes 1 life.
"""
FAQ = """---
title: "FAQ"
kind: faq
source: faq
---
## Do hits hurt twice? {#twice verdict=no by=ann date=2026-03 supersedes=hit see="Armoury, Rules"}

No.
"""


def make(root: Path, **files: str) -> Path:
    folder = root / "toy"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ({"game.yaml": GAME, "rules.md": RULES, "faq.md": FAQ} | files).items():
        (folder / name).write_text(text, encoding="utf-8")
    return root


def test_corpus__source_is_inherited_and_overridden(tmp_path: Path) -> None:
    corpus = load_corpus(make(tmp_path, **{"faq.md": FAQ.replace("supersedes=hit", "supersedes=rules#hit")}))
    rule, faq = corpus.by_id["toy/rules#hit"], corpus.by_id["toy/faq#twice"]
    assert (rule.source.authority, rule.source.page) == ("rulebook", "3")
    assert (faq.source.authority, faq.source.by, faq.source.date, faq.verdict) == (
        "official-faq",
        "ann",
        "2026-03",
        "no",
    )
    assert rule.superseded_by == ("toy/faq#twice",)
    assert faq.supersedes == ("toy/rules#hit",)
    assert (faq.see, faq.missing) == (("toy/rules",), ("Armoury",))


def test_corpus__digest_changes_with_a_letter(tmp_path: Path) -> None:
    make(tmp_path, **{"faq.md": FAQ.replace("supersedes=hit ", "")})
    before = corpus_digest(tmp_path)
    make(tmp_path, **{"faq.md": FAQ.replace("supersedes=hit ", ""), "rules.md": RULES.replace("1 life", "2 life")})
    assert corpus_digest(tmp_path) != before


@pytest.mark.parametrize(
    ("files", "place", "says"),
    [
        ({"rules.md": RULES + "\n## Again {#hit}\n\nx y\n"}, "toy/rules.md:8", "the id 'hit' is given twice"),
        ({"faq.md": FAQ.replace("supersedes=hit", "supersedes=gone")}, "toy/faq.md:6", "refers to 'gone'"),
        ({"faq.md": FAQ.replace("2026-03", "2026-13")}, "toy/faq.md:6", "bad date '2026-13'"),
        ({"rules.md": RULES.replace("{#hit}", "{#hit kind=law}")}, "toy/rules.md:4", "unknown kind 'law'"),
        ({"rules.md": RULES.replace("{#hit}", "{#hit source=web}")}, "toy/rules.md:4", "unknown source 'web'"),
        ({"rules.md": "## A {#a}\n\n## B {#b}\n\ntext here\n"}, "toy/rules.md:1", "the passage 'a' has no text"),
        ({"game.yaml": GAME + "title: again\n"}, "game.yaml:9", "the key 'title' is given twice"),
        ({"game.yaml": GAME.replace("rulebook", "gospel")}, "game.yaml", "unknown authority 'gospel'"),
        ({"game.yaml": "game: [\n"}, "game.yaml", "this is not valid YAML"),
        ({"asks.yaml": "rules#gone: ['x y']\n"}, "asks.yaml", "asks for 'rules#gone', which is no passage"),
        ({"asks.yaml": "rules#hit: [{verdict: maybe, asks: [x]}]\n"}, "asks.yaml", "has a group that can't be read"),
    ],
)
def test_corpus__faults_name_file_line_and_mend(tmp_path: Path, files: dict[str, str], place: str, says: str) -> None:
    with pytest.raises(CorpusError) as caught:
        load_corpus(make(tmp_path, **files))
    message = str(caught.value)
    assert place in message
    assert says in message
    assert caught.value.mend


def test_corpus__not_utf8_is_refused_with_the_line(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "toy/rules.md").write_bytes(b"# A\n\xff\xfe\n")
    with pytest.raises(CorpusError, match=r"rules\.md:2: this file is not UTF-8"):
        load_corpus(tmp_path)


def test_corpus__asks_keep_verdict_and_example(tmp_path: Path) -> None:
    asks = "rules#hit:\n  - does it hurt\n  - {verdict: yes, example: hurt, asks: [is it one life]}\n"
    faq = FAQ.replace("supersedes=hit ", "")
    rule = load_corpus(make(tmp_path, **{"asks.yaml": asks, "faq.md": faq})).by_id["toy/rules#hit"]
    assert [(a.text, a.verdict, a.example) for a in rule.asks] == [
        ("does it hurt", None, None),
        ("is it one life", "yes", "hurt"),
    ]


def test_corpus__unknown_game_names_the_known_ones(tmp_path: Path) -> None:
    corpus = load_corpus(make(tmp_path, **{"faq.md": FAQ.replace("supersedes=hit ", "")}))
    assert corpus.game("tf").name == "toy"
    with pytest.raises(UsageError, match="The games are: toy"):
        corpus.game("chess")


def test_bundled_corpus__every_passage_can_be_quoted_alone() -> None:
    for passage in load_corpus().passages:
        assert len(passage.text.split()) >= 4, passage.id
        assert "{#" not in passage.text, passage.id
        assert passage.source.document, passage.id


def test_yaml__words_that_only_begin_like_booleans_stay_words(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("false_alarm: trueish\nyes: on\nflag: true\nday: 2026-03-01\n", encoding="utf-8")
    assert read_yaml(tmp_path / "x.yaml") == {"false_alarm": "trueish", "yes": "on", "flag": True, "day": "2026-03-01"}
