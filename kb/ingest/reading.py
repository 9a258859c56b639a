"""Text files from anywhere: bounded, decoded, one clear error."""

from __future__ import annotations

import codecs
from dataclasses import replace
from pathlib import Path

from kb.errors import IngestError
from kb.ingest.draft import Options

MOST_TEXT = 64_000_000
"Bytes of a text file. The longest rules text has two million."
MOST_LINES = 500_000
"Lines of a text file. The longest rules text has ten thousand."
LONGEST_LINE = 2_000_000
"Characters of a line of markup or JSON."
LONGEST_TEXT_LINE = 20_000
"Characters of a line that people read. A file with a longer one is something else."
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_text(path: Path, options: Options, longest_line: int = LONGEST_LINE) -> str:
    """The file's text with `\\n` line ends. UTF-8, UTF-16 and UTF-32 by their marks, else UTF-8, else detected.

    Raises IngestError: missing, too big, empty, binary, undecodable, or one endless line.
    """
    raw = read_bytes(path, replace(options, max_bytes=min(options.max_bytes, MOST_TEXT)))
    text = _decode(raw, path)
    if "\x00" in text:
        raise IngestError("the file holds NUL characters, so it is no text", "Import a text file", where=path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise IngestError("the file is empty", "Save it with its text and import it again", where=path)
    if text.count("\n") > MOST_LINES:
        raise IngestError(f"the file has more than {MOST_LINES:,} lines", "Split it", where=path)
    if len(text) > longest_line and max(map(len, text.split("\n"))) > longest_line:
        raise IngestError(
            f"a line is longer than {longest_line:,} characters", "Import a text with line breaks", where=path
        )
    return text


def read_bytes(path: Path, options: Options) -> bytes:
    """The file's bytes, refused with IngestError when missing, unreadable, bigger than `options.max_bytes` or empty."""
    try:
        size = path.stat().st_size
        if size > options.max_bytes:
            raise IngestError(
                f"the file has {size:,} bytes; up to {options.max_bytes:,} are read", "Split it", where=path
            )
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise IngestError(f"the file can't be read: {reason}", "Check the path", where=path) from error
    if not raw.strip():
        raise IngestError("the file is empty", "Save it with its text and import it again", where=path)
    return raw


def _decode(raw: bytes, path: Path) -> str:
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return _strictly(raw, encoding, path)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _detect(raw, path)


def _strictly(raw: bytes, encoding: str, path: Path) -> str:
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise IngestError(
            f"the file says that it is {encoding} and is not (byte {error.start})", "Save it as UTF-8", where=path
        ) from error


def _detect(raw: bytes, path: Path) -> str:
    try:
        from charset_normalizer import from_bytes
    except ImportError as error:
        raise IngestError(
            "the file is not UTF-8, and guessing its encoding needs a library that is not installed",
            'Save it as UTF-8 or `pip install "rules-kb[import]"`',
            where=path,
        ) from error
    # A sample decides: detection takes a minute on a hundred megabytes.
    best = from_bytes(raw[:200_000]).best()
    if best is None or b"\x00" in raw[:200_000]:
        raise IngestError("the file is neither UTF-8 nor any text encoding known", "Save it as UTF-8", where=path)
    return raw.decode(best.encoding, errors="replace")
