"""Questions and answers as documents write them: `Q: …` / `A (name, date): …`, FAQ headings, Yes and No."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.ingest.dates import iso_date

_MARK = r"^[*_\s]*(?:{words})\s*\d*\s*(?P<signed>\([^()\n]{{1,120}}\))?[*_\s]*[:.)–—-][*_\s]*(?=\S)"
_QUESTION = re.compile(_MARK.format(words="q|question"), re.I)
_ANSWER = re.compile(_MARK.format(words="a|answer"), re.I)
_VERDICT = re.compile(r"^[\W_]*(yes|no)\b(?![\w’'-])(?!\s+(?:one|more|other|longer)\b)", re.I)
_FAQ_TITLE = re.compile(r"\b(faqs?|frequently asked questions|questions? (?:and|&) answers?|q\s?&\s?a)\b", re.I)
_GLOSSARY_TITLE = re.compile(r"^\W*(glossar(?:y|ies)|definitions?|terms|key ?words?|terminology)\b", re.I)


@dataclass(frozen=True, slots=True)
class Answered:
    """The beginning of an answer, with who signed it."""

    text: str
    by: str | None = None
    date: str | None = None
    "ISO."


def question_in(markdown: str) -> str | None:
    """The question in a paragraph that begins `Q:` or `Question 3.`; None where it begins otherwise."""
    match = _QUESTION.match(markdown)
    return markdown[match.end() :] if match else None


def answer_in(markdown: str) -> Answered | None:
    """The answer in a paragraph that begins `A:` or `A (somebody, Apr 28, 2026):`."""
    match = _ANSWER.match(markdown)
    # "A - thing" is a list of letters, "A. thing" a lettered rule: only a signature or a colon make an answer.
    if match is None or (not match["signed"] and ":" not in match.group()):
        return None
    by, date = signature(match["signed"]) if match["signed"] else (None, None)
    return Answered(markdown[match.end() :], by, date)


def signature(text: str) -> tuple[str | None, str | None]:
    """`(somebody, Apr 28, 2026)` → who and the ISO date; what is missing is None."""
    inner = text.strip().strip("()").strip()
    if date := iso_date(inner):
        return None, date
    who, _, when = inner.partition(",")
    date = iso_date(when)
    return (who.strip(), date) if date else (inner or None, None)


def verdict_of(answer: str) -> str | None:
    """`yes` or `no` where the answer begins so."""
    match = _VERDICT.match(answer)
    return match.group(1).lower() if match else None


def is_faq(title: str) -> bool:
    """Whether what stands below this heading is questions."""
    return bool(_FAQ_TITLE.search(title))


def is_glossary(title: str) -> bool:
    """Whether what stands below this heading defines words."""
    return bool(_GLOSSARY_TITLE.search(title))
