"""BEIR corpora keep their `_id` as ref and lose no document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.corpus import load_corpus
from kb.errors import IngestError
from kb.ingest.beir import import_beir
from kb.ingest.draft import Options
from kb.ingest.writer import write_draft

ROWS = [
    {"_id": "cr:1.1", "title": "Basics › 1. General", "text": "1.1 Two players play."},
    {"_id": "cr:1.1a", "title": "Basics › 1. General", "text": "1.1a They sit down.\nExample: on chairs."},
    {"_id": "cr:1.2", "title": "Basics › 1. General › Deep", "text": "# 1.2 is {#no-id}"},
    {"_id": "cr:1.3", "title": "Basics › 1. General", "text": "- 1.3 Back up again."},
    {"_id": "srd:a/b", "title": "Other", "text": ""},
    {"_id": "x", "title": "", "text": "No title at all."},
]


def jsonl(rows: list[dict[str, str]]) -> str:
    return "\n".join(json.dumps(row) for row in rows) + "\n"


def test_documents__ref_text_and_path(tmp_path: Path) -> None:
    options = Options("game")
    write_draft(import_beir(jsonl(ROWS), options), options, tmp_path)
    passages = {p.ref: p for p in load_corpus(tmp_path).passages}
    assert list(passages) == ["cr:1.1", "cr:1.1a", "cr:1.2", "cr:1.3", "x", "srd:a/b"]
    assert passages["cr:1.1a"].id == "game/basics#cr:1.1a"
    assert passages["cr:1.1a"].text == "1.1a They sit down.\nExample: on chairs."
    assert (passages["cr:1.1a"].title, passages["cr:1.1a"].path) == ("1. General", ("Basics",))
    assert passages["cr:1.2"].text == "# 1.2 is {#no-id}"
    assert passages["cr:1.2"].path == ("Basics", "1. General")
    assert (passages["cr:1.3"].text, passages["cr:1.3"].title) == ("- 1.3 Back up again.", "1. General")
    assert passages["srd:a/b"].anchor == "srd:a-b"


def test_repeated_id__reported_and_kept(tmp_path: Path) -> None:
    options = Options("game")
    draft = import_beir(jsonl([ROWS[0], ROWS[0] | {"text": "Another text."}]), options)
    write_draft(draft, options, tmp_path)
    assert [p.anchor for p in load_corpus(tmp_path).passages] == ["cr:1.1", "cr:1.1-2"]
    assert draft.findings[0].what == "the `_id` 'cr:1.1' comes twice"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"_id": "a", "text": "b"}\n{broken', r"corpus\.jsonl:2: this line is no JSON\."),
        ("[1]", "no JSON object"),
        ('{"id": 1}', "no line has an `_id`"),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_broken__line_and_reason(text: str, says: str) -> None:
    with pytest.raises(IngestError, match=says):
        import_beir(text, Options("game"))
