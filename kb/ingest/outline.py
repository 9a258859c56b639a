"""Lines of plain text, told apart: headings, list items, table rows, questions, answers, labels, prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

_BULLET = re.compile(r"(?P<mark>[•◦▪‣●○■□·–*+-])\s+(?P<text>\S.*)")
_NUMBER = re.compile(r"(?P<mark>\d{1,3})[.)]\s+(?P<text>\S.*)")
_RULE = re.compile(r"(?:[-–—_*=~]\s?){3,}")
_LABEL = re.compile(r"(?:info|note|tip|warning|caution|danger|important|clarification)s?\s*:?", re.I)
_CITATION = re.compile(r"sources?(?:\s*\d+)?(?:\s*[/,|·&]\s*(?:source\s*)?\d*)*", re.I)
_QUESTION = re.compile(r"(?:Q(?:uestion)?\s*\d*)\s*[:.)]\s*(?P<text>\S.*)", re.I)
_ANSWER = re.compile(r"A(?:nswer)?\s*\d*\s*(?:\((?P<mark>[^()]*)\))?\s*[:.)]\s*(?P<text>\S.*)", re.I)
_SENTENCE_END = re.compile(r"[.!?:;,…][”\"’')\]]*$")
_LAST_BRACKET = re.compile(r"(?<=[.!?])\s*\([^()]*\)$")
MOST_HEADING_WORDS = 12
MOST_JOINED = 500
"Lines of a paragraph. A longer one is no paragraph but a text whose blank lines were lost."


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source with what it is taken for."""

    kind: str
    "blank, rule (a separating line), heading, bullet, number, row, question, answer, label, citation or text."
    text: str
    "Without the mark."
    line: int
    "1-based."
    indent: int = 0
    "Columns before the mark."
    mark: str = ""
    "A number, the bullet, or who answered (`meksmaks, Apr 28, 2026`)."


def outline(lines: Sequence[str]) -> list[Line]:
    """Classifies raw lines. A text without blank lines (`dense`) is allowed headings right above their text."""
    rough = [_by_itself(line, n) for n, line in enumerate(lines, 1)]
    dense = is_dense(rough)
    return [_in_context(rough, n, dense) for n in range(len(rough))]


def is_dense(lines: Sequence[Line]) -> bool:
    """Whether a text has next to no blank lines inside, so that each of its lines is a paragraph."""
    written = [n for n, line in enumerate(lines) if line.kind != "blank"]
    return not written or written[-1] - written[0] + 1 - len(written) <= len(written) // 5


def _by_itself(raw: str, number: int) -> Line:
    text = raw.strip()
    indent = len(raw) - len(raw.lstrip())
    if not text:
        return Line("blank", "", number)
    if _RULE.fullmatch(text):
        return Line("rule", text, number)
    if "\t" in raw.rstrip():
        return Line("row", raw.rstrip(), number)
    for kind, pattern in (("label", _LABEL), ("citation", _CITATION)):
        if pattern.fullmatch(text):
            return Line(kind, text, number)
    for kind, pattern in (("bullet", _BULLET), ("number", _NUMBER), ("question", _QUESTION), ("answer", _ANSWER)):
        if match := pattern.fullmatch(text):
            mark = match.groupdict().get("mark") or ""
            return Line(kind, match["text"].strip(), number, indent, mark)
    return Line("text", text, number, indent)


def _in_context(lines: Sequence[Line], at: int, dense: bool) -> Line:
    line = lines[at]
    if line.kind != "text" or not looks_like_title(line.text):
        return line
    before = lines[at - 1].kind if at else "blank"
    after = next((other for other in islice(lines, at + 1, at + 50) if other.kind != "blank"), None)
    directly = at + 1 < len(lines) and lines[at + 1].kind != "blank"
    if after is None or (directly and after.kind == "text" and after.text[:1].islower()):
        return line
    if dense:
        heads = directly and not (after.kind == "text" and looks_like_title(after.text) and not _shorter(line, after))
        heads = heads or (directly and _titles_something(lines, at))
    else:
        heads = before in ("blank", "rule", "label", "citation")
    return Line("heading", line.text, line.line) if heads else line


def _shorter(line: Line, other: Line) -> bool:
    return len(line.text.split()) < 4 <= len(other.text.split())


def _titles_something(lines: Sequence[Line], at: int) -> bool:
    """A title above a title, as a section is above its first sub-section (`Terms` above `Act`)."""
    third = lines[at + 2] if at + 2 < len(lines) else None
    return third is not None and third.kind == "text" and not looks_like_title(third.text)


def looks_like_title(text: str) -> bool:
    """Short, opened by a capital or digit, and not closed like a sentence (a question mark may close a title)."""
    words = text.split()
    if len(words) > MOST_HEADING_WORDS and not (text.endswith("?") and len(words) <= 30):
        return False
    opening = re.sub(r"^\[[^\]]*\]\s*", "", text).lstrip("“\"'(¿¡")[:1]
    if not opening or not (opening.isupper() or opening.isdigit()):
        return False
    return text.rstrip("”\"’'").endswith("?") or not _SENTENCE_END.search(_LAST_BRACKET.sub("", text))


def paragraphs(lines: Sequence[Line]) -> list[Line]:
    """Lines that were only wrapped joined to what they continue; blank lines dropped."""
    dense = is_dense(lines)
    joined: list[list[Line]] = []
    before = "blank"
    for line in lines:
        if line.kind == "text" and before != "blank" and _continues(joined[-1], line, dense):
            joined[-1].append(line)
        elif line.kind != "blank":
            joined.append([line])
        before = line.kind
    return [replace(parts[0], text=" ".join(part.text for part in parts)) for parts in joined]


def _continues(parts: Sequence[Line], line: Line, dense: bool) -> bool:
    kind = parts[0].kind
    if kind not in ("text", "bullet", "number", "question", "answer") or len(parts) > MOST_JOINED:
        return False
    broken_off = not _SENTENCE_END.search(parts[-1].text) and line.text[:1].islower()
    return broken_off or (kind == "text" and not dense) or (kind in ("bullet", "number") and line.indent > 0)
