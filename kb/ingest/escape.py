"""Raw text to Markdown that shows exactly that text, and word counts to prove that nothing was lost."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\u200b\u2060\u00ad]")
_HALF = re.compile(r"[\ud800-\udfff]")
"Half of a character, as JSON may have it: no file can hold it."
_SPACE = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_NEWLINE = re.compile(r"\r\n?|[\x0c\x85\u2028\u2029]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_SPECIAL = re.compile(
    r"""\\(?=[!-/:-@\[-`{-~]|$)   # a backslash that would escape something, or break the line
    | `
    | (?<!\s)\*|\*(?!\s)          # emphasis; an asterisk between spaces is none
    | (?<![^\W_])_|_(?![^\W_])    # emphasis; an underscore inside a word is none
    | <(?=[A-Za-z/!?])
    | &(?=\#?\w{1,32};)
    | \{(?=\s*(?:\#|$))           # braces that would be read as an id
    | ~(?=~)
    """,
    re.VERBOSE | re.MULTILINE,
)
_LINE_START = re.compile(
    r"""^([ ]*)(?:
      (\d{1,9})(?=[.)](?:[ ]|$))                # a numbered list
    | (?=[-+](?:[ ]|$) | \*(?:[ ]|$) | \#{1,6}(?:[ ]|$) | > | \| | ~~~ | =+[ ]*$ | [-:][-:|\ ]*$)
    )""",
    re.VERBOSE | re.MULTILINE,
)
_LINK = re.compile(r"\][(\[:]|\]\s*\Z")


def clean(text: str, *, keep_tabs: bool = False) -> str:
    """Text without control and zero-width characters, composed (NFC), with one kind of line end and of space."""
    text = _HALF.sub("\ufffd", _SPACE.sub(" ", _CONTROL.sub("", _NEWLINE.sub("\n", text))))
    return unicodedata.normalize("NFC", text if keep_tabs else text.replace("\t", " "))


def escape(text: str) -> str:
    """Raw text as Markdown: every character shows as itself, whatever line it begins, whatever braces it ends with."""
    text = re.sub(r"^ {4,}", "   ", re.sub(r" +\n", "\n", clean(text)), flags=re.MULTILINE)
    text = _SPECIAL.sub(lambda match: "&amp;" if match[0] == "&" else f"\\{match[0]}", text)
    if _LINK.search(text) or text.count("[") != text.count("]"):
        text = re.sub(r"[\[\]]", r"\\\g<0>", text)
    # A digit can't be escaped: its dot is.
    return _LINE_START.sub(lambda match: f"{match[1]}{match[2] or ''}\\", text)


def count_words(text: str) -> int:
    """Runs of letters and digits, apostrophes inside them included. Markup characters don't count."""
    return sum(1 for _ in _WORD.finditer(text))
