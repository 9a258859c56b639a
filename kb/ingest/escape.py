"""Raw text to Markdown that shows exactly that text, and word counts to prove that nothing was lost."""

from __future__ import annotations

import re
import unicodedata

_INLINE = re.compile(r"([\\`*_\[\]<])")
_LIST_OR_BLOCK = re.compile(r"^(\s*)([-+>#=~|]|:(?=\s)|\d{1,9}(?=[.)](?:\s|$)))")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_BRACES = re.compile(r"([{}])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff\u200b\u2060\u00ad]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def clean(text: str) -> str:
    """Text without control and zero-width characters, composed (NFC), with one kind of line end and of space."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n"))
    text = re.sub(
        r"[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]", " ", text.replace("\u2028", "\n").replace("\u2029", "\n")
    )
    return unicodedata.normalize("NFC", text)


def escape(text: str) -> str:
    """Raw text as Markdown: every character shows as itself, whatever line it begins, whatever braces it ends with."""
    return "\n".join(_escape_line(line) for line in clean(text).split("\n"))


def _escape_line(line: str) -> str:
    line = _BRACES.sub(r"\\\1", _ENTITY.sub("&amp;", _INLINE.sub(r"\\\1", line)))
    if match := _LIST_OR_BLOCK.match(line):
        space, mark = match.groups()
        rest = line[match.end() :]
        # A digit can't be escaped: its dot is.
        line = f"{space}{mark}\\{rest}" if mark.isdigit() else f"{space}\\{mark}{rest}"
    return line.replace("~~", "\\~~")


def count_words(text: str) -> int:
    """Runs of letters and digits, apostrophes inside them included. Markup characters don't count."""
    return sum(1 for _ in _WORD.finditer(text))
