"""Checks of the text: what copying, converting and decoding leave behind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from kb.lint_record import WORD, Fault, Subject, first_of_each, shorten
from kb.passage import Passage

_PLACEHOLDER = re.compile(
    r"the fallback content to display on prerendering|lorem ipsum|\[object Object\]|\{\{[^{}\n]*\}\}|<%.*?%>"
    r"|please enable javascript|loading(?:\.{3}|…)|this page (?:has been|was) intentionally left blank"
    r"|\bimage not (?:available|found)\b|\binsert text here\b|\bTODO\b|\bTKTK\b|\bFIXME\b",
    re.I,
)
_CAPITAL_INSIDE = re.compile(
    r"(?:^|\s)[a-z]{2,},? (?P<phrase>(?:The|A|An|This|Click|Tap|Hover|Loading|Show)(?: [\w’'-]+){4})"
)
_EMPTY = re.compile(r"(?<!\w)\(\s*[,;/.]?\s*\)|(?<!^- )(?<!^\* )(?<![\w\]])\[\s*\](?!\()|“\s*”|\(\s*,|,\s*\)", re.M)
_GLUED = re.compile(r"\b([a-z]*[a-z]{2,}|[A-Z][a-z]{2,})([A-Z][a-z]{2,})\b")
_BROKEN = re.compile(r"\b([^\W\d_]{2,})-[ \n]([a-z]{2,})\b")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_SUSPENDED = frozenset("and or to nor but und oder et".split())
_MOJIBAKE = re.compile(
    r"[\u00c2\u00c3][\u0080-\u00bf\u2018-\u203a\u20ac\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2020-\u2026]"
    r"|â€[\u0080-\u00ff\u2018-\u2122œ™˜¦“”]|ï¿½|ï»¿"
)
_SIGNS = {
    "\ufffd": "a replacement character: the text was decoded with the wrong encoding",
    "ﬁ": "a ligature that searches don't find",
    "ﬂ": "a ligature that searches don't find",
    "ﬀ": "a ligature that searches don't find",
    "ﬃ": "a ligature that searches don't find",
    "ﬄ": "a ligature that searches don't find",
}
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
OFTEN = 3
"Times that a phrase must stand in the middle of different sentences to be taken for a placeholder."
MOST_ALIKE = 10
"Faults that say the same are listed up to this number."


def placeholders(subject: Subject) -> Iterator[Fault]:
    """Strings that stand where a term or picture was."""
    mend = "Write the term that belongs there, or import the page again after it has loaded"
    inside = [(p, m["phrase"]) for p in subject.passages for m in _CAPITAL_INSIDE.finditer(p.text)]
    often = {phrase for phrase, times in Counter(phrase for _, phrase in inside).items() if times >= OFTEN}

    def found() -> Iterator[Fault]:
        for file, line, text in subject.lines():
            for match in _PLACEHOLDER.finditer(text):
                yield Fault("placeholder", file, line, f"a placeholder: “{match.group()}”", mend)
        for p, phrase in inside:
            if phrase in often and not _PLACEHOLDER.search(phrase):
                what = f"“{phrase} …” stands inside several sentences"
                yield subject.fault("placeholder", p, what, mend, phrase)

    return first_of_each(found(), MOST_ALIKE)


def empty_brackets(subject: Subject) -> Iterator[Fault]:
    """Brackets and quotes with nothing in them: there were icons."""

    def found() -> Iterator[Fault]:
        for p in subject.passages:
            for match in _EMPTY.finditer(p.text):
                around = shorten(p.text[max(0, match.start() - 25) : match.end() + 15])
                snippet = match.group() if "\n" not in match.group() else ""
                mend = "Write what stood there, such as the icon's name"
                yield subject.fault("empty-brackets", p, f"nothing between the brackets: “{around}”", mend, snippet)

    return found()


def fused_tooltips(subject: Subject) -> Iterator[Fault]:
    """Hover definitions that stand inside a sentence."""
    from kb.ingest.tooltips import lift_tooltips

    rows = [(p, text) for p in subject.passages for text in p.text.split("\n")]
    lifted = lift_tooltips([text for _, text in rows])
    for tip in lifted.tips:
        if not (tip.sure or tip.count > 1):
            continue
        passage, _ = rows[tip.line - 1]
        what = f"the definition of “{tip.term}” is fused into a sentence: “{shorten(tip.text)}”"
        mend = "Take it out and give it an entry in glossary.md, or import the source as --format text"
        yield subject.fault("fused-tooltip", passage, what, mend, tip.text[:30])


def broken_words(subject: Subject) -> Iterator[Fault]:
    """Words split by a hyphen or a space, and words run together."""
    words = subject.words
    glued = Counter(m.group() for p in subject.passages for m in _GLUED.finditer(p.text))
    for p in subject.passages:
        for match in _BROKEN.finditer(p.text):
            first, second = match.groups()
            whole = f"{first}{second}".casefold()
            if second not in _SUSPENDED and words[whole] and not words[second] > words[whole]:
                yield subject.fault(
                    "broken-word", p, f"a word is split: “{match.group()}”", f"Write “{first}{second}”", match.group()
                )
        for match in _GLUED.finditer(p.text):
            first, second = match.groups()
            # A name written so (`PlayStation`) comes again; two words that also stand alone were run together.
            if glued[match.group()] <= 2 and words[first.casefold()] and words[second.casefold()]:
                yield subject.fault(
                    "broken-word", p, f"words run together: “{match.group()}”", "Put a space between", match.group()
                )
        yield from _split_by_space(subject, p)


def _split_by_space(subject: Subject, p: Passage) -> Iterator[Fault]:
    """`dam age`: neither half is a word of the corpus, and the whole is one."""
    words = subject.words
    found = list(WORD.finditer(p.text))
    for one, two in pairwise(found):
        a, b = one.group(), two.group()
        if p.text[one.end() : two.start()] != " " or not b.islower() or min(len(a), len(b)) < 2:
            continue
        whole = (a + b).casefold()
        rare = (words[a.casefold()] == 1) + (words[b] == 1)
        if words[whole] >= 2 and rare and (rare == 2 or words[whole] >= 5) and len(whole) > 4:
            yield subject.fault("broken-word", p, f"a word is split: “{a} {b}”", f"Write “{a}{b}”", f"{a} {b}")


def mid_sentence(subject: Subject) -> Iterator[Fault]:
    """Passages that end in the middle of a sentence, with one behind them that begins in the middle of one."""
    for one, two in pairwise(subject.passages):
        listed = _ITEM.match(subject.files[two.file][two.lines[0] - 1])
        if one.page != two.page or listed or one.kind in ("term", "undefined"):
            continue
        last, first = one.text.rstrip().rsplit("\n", 1)[-1], two.text.lstrip().split("\n", 1)[0]
        open_end = bool(re.search(r"[a-z,]$", last)) and len(last.split()) > 6
        open_start = first[:1].islower() and not re.match(r"[a-z]{1,3}[.)]\s", first) and len(first.split()) > 3
        if open_end and open_start:
            what = f"a sentence breaks off: “…{last[-35:]}” and the next passage goes on “{shorten(first, 35)}”"
            yield Fault("mid-sentence", one.file, one.lines[1], what, "Join the two, or mend the order of the columns")


def characters(subject: Subject) -> Iterator[Fault]:
    """Replacement characters, mojibake, ligatures, icons of a private font."""

    def found() -> Iterator[Fault]:
        for file, line, text in subject.lines():
            if match := _MOJIBAKE.search(text):
                around = shorten(text[max(0, match.start() - 15) : match.end() + 15])
                what = f"text decoded with the wrong encoding: “{around}”"
                yield Fault("characters", file, line, what, "Write what it should be, or import the source as UTF-8")
            for sign, what in _SIGNS.items():
                if sign in text:
                    yield Fault("characters", file, line, what, "Write the letters that belong there")
            if _PRIVATE.search(text):
                yield Fault("characters", file, line, "a sign of a private font: an icon was lost", "Write its name")
            if _CONTROL.search(text):
                yield Fault("characters", file, line, "a control character", "Delete it")

    return first_of_each(found(), MOST_ALIKE)
