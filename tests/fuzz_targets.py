"""What reads things from outside, each as a function of any bytes: it gives a result or a KBError, and soon.

`test_fuzz.py` feeds them with hypothesis, `fuzz.py` by coverage with atheris.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from kb.calibration import load_calibration
from kb.claims import load_claims
from kb.concepts import load_lexicon
from kb.corpus import load_corpus
from kb.engine.check import check
from kb.engine.examples import load_examples
from kb.engine.house import rules_in_force
from kb.errors import KBError
from kb.ingest.draft import Options
from kb.ingest.formats import FORMATS, import_sources
from kb.ingest.writer import write_draft
from kb.knowledge import Knowledge, open_knowledge
from kb.linter import lint
from kb.parse import parse_page
from kb.yamlfile import read_yaml

SECONDS_PER_10_KB = 1.0
GAME = {
    "game.yaml": 'game: toy\ntitle: "Toy"\nsources:\n  book: {authority: rulebook, document: "Toy", restated: true}\n'
    "default_source: book\nprecedence: [house, official-faq, clarification, community, rulebook]\n",
    "page.md": "# Moves\n\n## Walk {#walk}\n\nA piece may walk once.\n\n- Twice when it is late. {#late title=Late}\n",
    "asks.yaml": 'page#walk: ["may I walk"]\n',
    "concepts.yaml": 'walk: ["walk|stroll", "go (for|on) a walk"]\nlate: ["late"]\n',
    "claims.yaml": '- claim: "A piece may walk."\n  passage: page#walk\n  verdict: yes\n  if: [walk]\n',
    "calibration.yaml": "answerable: {weights: {near: 1.0}, bias: 0}\nright: {weights: {near: 1.0}, bias: 0}\n"
    "threshold: 0.3\n",
}
"A whole game: one of its files is what is fuzzed."


class TooSlowError(AssertionError):
    """More than a second for 10 kB."""


@contextmanager
def in_time(size: int, slower: float = 1.0) -> Iterator[None]:
    """Fails where what is done takes too much of a processor's time for so many bytes."""
    started = time.process_time()
    yield
    took, allowed = time.process_time() - started, slower * SECONDS_PER_10_KB * max(1.0, size / 10_000)
    if took > allowed:
        raise TooSlowError(f"{took:.1f} s for {size} bytes; {allowed:.1f} s are allowed")


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that goes; in memory where the system has that."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="kb-fuzz-", dir=memory if memory.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fuzz_page(data: bytes) -> None:
    """A Markdown page."""
    with suppress(KBError):
        parse_page(data.decode("utf-8", "replace"), "page.md")


def fuzz_corpus(data: bytes) -> None:
    """A file of a corpus; the first byte tells which."""
    names = list(GAME)
    with scratch() as folder:
        game = folder / "toy"
        game.mkdir()
        for name, text in GAME.items():
            (game / name).write_text(text, encoding="utf-8")
        fuzzed = names[data[0] % len(names)] if data else names[0]
        place = folder if fuzzed == "calibration.yaml" else game
        (place / fuzzed).write_bytes(data[1:])
        with suppress(KBError):
            corpus = load_corpus(folder)
            lexicon = load_lexicon(game / "concepts.yaml")
            lexicon.find("may a late piece walk or go on a walk")
            load_claims(game / "claims.yaml", "toy", lexicon, (passage.id for passage in corpus.passages))
        with suppress(KBError):
            load_calibration(folder)
        with suppress(KBError):
            lint(folder)


def fuzz_ask(data: bytes) -> None:
    """A question: of one game, or of whichever its words tell."""
    text = data.decode("utf-8", "surrogateescape")
    games = [None, *_knowledge().games]
    answer = _knowledge().ask(text, games[len(text) % len(games)])
    assert json.loads(json.dumps(answer.to_json()))["status"] == answer.status
    assert 0 <= answer.confidence <= 1


def fuzz_examples(data: bytes) -> None:
    """A file of worked examples, read and run."""
    passages = _knowledge().passages("ordeals")
    with scratch() as folder:
        (folder / "examples.yaml").write_bytes(data)
        with suppress(KBError):
            found = load_examples([folder], {passage.id for passage in passages})
            check(found, rules_in_force(passages))


def fuzz_import(format_name: str, data: bytes) -> None:
    """A document to import; what is written must be readable."""
    ending = next((found.endings for found in FORMATS if found.name == format_name), ()) or (".txt",)
    with scratch() as folder:
        source = folder / f"source{ending[0]}"
        source.write_bytes(_WRAPPED[format_name](data) if format_name in _WRAPPED else data)
        options = Options(game="toy", title="Toy")
        try:
            draft = import_sources([source], options, format_name)
            write_draft(draft, options, folder / "corpus")
        except KBError:
            return
        load_corpus(folder / "corpus")


def _as_dump(data: bytes) -> bytes:
    """Wiki markup as the page of a dump, unless it is a dump itself."""
    if b"<mediawiki" in data:
        return data
    text = "".join(c for c in data.decode("utf-8", "replace") if c >= " " or c in "\n\t")
    page = (
        f"<page><title>A</title><ns>0</ns><id>1</id><revision><id>1</id><text>{escape(text)}</text></revision></page>"
    )
    return f"<mediawiki>{page}</mediawiki>".encode("utf-8", "replace")


def _as_pdf(data: bytes) -> bytes:
    """What a page draws as a PDF of that page, unless it is one itself."""
    if data.startswith(b"%PDF"):
        return data
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(data), data),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(body)
    return body + b"xref\n0 6\n0000000000 65535 f \n" + table + end


_WRAPPED: dict[str, Callable[[bytes], bytes]] = {"mediawiki": _as_dump, "pdf": _as_pdf}


@cache
def _knowledge() -> Knowledge:
    opened = open_knowledge()
    for game in opened.games:
        opened.ask("may I move", game)  # what is read once is read
    return opened


def _importer(name: str) -> Callable[[bytes], None]:
    return lambda data: fuzz_import(name, data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "page": fuzz_page,
    "corpus": fuzz_corpus,
    "ask": fuzz_ask,
    "examples": fuzz_examples,
    **{f"import-{found.name}": _importer(found.name) for found in FORMATS},
}
PIECES: dict[str, list[str]] = read_yaml(Path(__file__).parent / "fixtures" / "fuzz.yaml")
"Of what each target's input is put together, besides characters of any kind."
