"""Splits text into sentences, as character spans."""

from __future__ import annotations

import re

# A full stop after these ends no sentence.
_ABBREVIATIONS = frozenset("e.g i.e etc vs cf p pp pg no fig st mr mrs dr approx min max inc".split())
_END = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s)|\n+")
_LAST_WORD = re.compile(r"([\w.]+)$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence, in order, surrounding white space left out.

    A line break ends a sentence; the full stop of an abbreviation, of a number or of a single letter does not.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and _is_abbreviation(text, match.start()):
            continue
        _add(spans, text, start, match.end())
        start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _is_abbreviation(text: str, stop: int) -> bool:
    found = _LAST_WORD.search(text, max(0, stop - 12), stop)
    word = found.group(1).casefold() if found else ""
    at_line_start = found is not None and text[: found.start()].rpartition("\n")[2].strip(" •") == ""
    is_letter = len(word) == 1 and word.isalpha() and word != "i"
    return word in _ABBREVIATIONS or is_letter or (at_line_start and word.isdigit())


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip(" \n\t•"))
    right = end - (len(piece) - len(piece.rstrip()))
    if left < right:
        spans.append((left, right))
