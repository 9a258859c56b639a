"""Hover definitions that a copied web page has fused into its sentences, taken out again.

A page with tooltips copies as ``gain fatigueFatigueThese dice are placed … . they can gain``: the word, the tooltip's
title (or none), its text, and on goes the sentence. Nothing marks the seams, but three things give them away: a small
letter meets a capital without a space; the word and the title are the same; and the same definition comes again and
again. Where a definition ends shows where the sentence resumes: after its full stop follows a small letter or more
punctuation, or two occurrences of it part ways.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

_SEAM = re.compile(r"(?<=[a-z0-9)’'])(?=[“\"(]?[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])")
_STOP = re.compile(r"[.!?…][”\"’')\]]*")
_ABBREVIATION = re.compile(r"(?:\b(?:i\.e|e\.g|etc|vs|cf|pg?|pp|no|approx|incl|max|min|esp)|\.\.)\.$", re.I)
_ARTICLE = re.compile(r"(?:an?|the)\b", re.I)
_TITLE = re.compile(r"[A-Z][\w’'-]*(?:\s(?:[A-Z][\w’'-]*|of|the|and|in|to|for)){0,4}?(?=(?<=[a-z0-9])[A-Z])")
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
FEWEST_WORDS = 3
"A shorter text is no definition (unless the tooltip's title shows that it is one)."
MOST_SEAMS = 20_000
"Seams that are looked at, which bounds the time; a page of tooltips has a few hundred."
_SAME_START = 25
"Characters in which two occurrences of a definition must agree."
_LONGEST = 2000
"Characters of a definition. Keeps the time linear on a line without end."
_STOPS = 60
"Places where a definition may end that are looked at: more in so few characters are no sentences."
_ENOUGH = 50
"Occurrences of a definition that are looked at to find its end."
_BACK = 120
"Characters before a seam in which the visible term is looked for."


@dataclass(frozen=True, slots=True)
class Tip:
    """A definition that was fused into the text."""

    term: str
    "As the tooltip's title has it, else as the sentence has it."
    text: str
    line: int
    "Line of its first occurrence."
    count: int
    forms: tuple[str, ...] = ()
    "How the sentences write the term where that differs."
    sure: bool = True
    "False where only the end of the line told where it ends, or neither a title nor a repetition was seen."


@dataclass(frozen=True, slots=True)
class Lifted:
    """Text without its tooltips, and the tooltips."""

    lines: tuple[str, ...]
    tips: tuple[Tip, ...]


@dataclass(frozen=True, slots=True)
class _Seam:
    line: int
    at: int
    "Where the visible word ends."
    start: int
    "Where the definition starts, after the tooltip's title."
    shown: str
    title: str | None
    doubled: bool


@dataclass(frozen=True, slots=True)
class _Found:
    seam: _Seam
    end: int
    sure: bool


def lift_tooltips(lines: Sequence[str]) -> Lifted:
    """Takes tooltips out of lines of raw text. A line is a paragraph, list item or table row (cells split at tabs)."""
    seams = list(islice((seam for n, line in enumerate(lines) for seam in _seams(n, line)), MOST_SEAMS))
    found = _drop_nested(_settle(lines, seams))
    return Lifted(_without(lines, found), _tips(lines, found))


def _without(lines: Sequence[str], found: Sequence[_Found]) -> tuple[str, ...]:
    """The lines without titles and definitions."""
    cuts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for item in found:
        cuts[item.seam.line].append((item.seam.at, item.end))
    clean = list(lines)
    for number, spans in cuts.items():
        starts = [0, *(end for _, end in sorted(spans))]
        ends = [*(at for at, _ in sorted(spans)), len(lines[number])]
        clean[number] = "".join(lines[number][start:end] for start, end in zip(starts, ends, strict=True))
    return tuple(clean)


def _seams(number: int, line: str) -> Iterable[_Seam]:
    for match in _SEAM.finditer(line):
        at = match.start()
        before = line[max(0, at - _BACK) : at].rsplit("\t", 1)[-1]
        shown, length = _doubled(before, line[at : at + _BACK])
        if length:
            yield _Seam(number, at, at + length, shown, line[at : at + length], True)
        elif title := _TITLE.match(line, at):
            # `sailSetting SailA ship …`: a title of another wording than the sentence's.
            yield _Seam(number, at, title.end(), shown or _shown(before), title.group(), False)
        else:
            # `WeaponWeapon items provide …`: no title; that the definition begins with the word is as good.
            yield _Seam(number, at, at, shown or _shown(before), None, bool(shown))


def _doubled(left: str, right: str) -> tuple[str, int]:
    """The visible words that `right` repeats and the length of the title there (0 where the definition begins so)."""
    words = [m.start() for m in _WORD.finditer(left)][-5:]
    for start in words:
        shown = left[start:].lstrip("(“\"'[")
        if _ARTICLE.match(shown):
            continue
        for variant in _numbers(shown):
            if not right.casefold().startswith(variant.casefold()):
                continue
            after = right[len(variant) :]
            if re.match(r"[“\"(]?[A-Z0-9]", after):
                return shown, len(variant)
            if re.match(r"\W", after) and right[:1].isupper():
                return shown, 0
    return "", 0


def _numbers(word: str) -> list[str]:
    """A word in the forms that its title may have: itself, plural, singular; longest first."""
    forms = [word + "es", word + "s", word]
    if word.endswith("y"):
        forms.insert(0, word[:-1] + "ies")
    forms += [word[: -len(end)] for end in ("es", "s") if word.endswith(end) and len(word) > len(end) + 2]
    return forms


def _shown(left: str) -> str:
    """The visible term before a seam without title: the last word and the capitalised ones right before it."""
    names = list(_NAME.finditer(left))
    if not names:
        return ""
    first = len(names) - 1
    while first > 0 and names[first].group()[0].isupper():
        before = names[first - 1]
        opens_sentence = not re.search(r"\w", left[: before.start()]) or re.search(
            r"[.!?:]\W*$", left[: before.start()]
        )
        if left[before.end() : names[first].start()] != " " or not before.group()[0].isupper() or opens_sentence:
            break
        first -= 1
    return left[names[first].start() :].strip("(“\"'[ ")


def _ends(line: str, start: int) -> Iterable[tuple[int, bool]]:
    """Where a definition that starts there may end: (position, whether the sentence visibly resumes)."""
    cell_end = line.find("\t", start, start + _LONGEST)
    cell_end = len(line) if cell_end < 0 else cell_end
    limit = min(cell_end, start + _LONGEST)
    for match in _STOP.finditer(line, start, limit):
        end = match.end()
        # A bracket that was opened before the definition closes after it.
        while end > match.start() + 1 and line[start:end].count(")") > line[start:end].count("("):
            end = match.start() + 1
        after = line[end:limit]
        if _ABBREVIATION.search(line[max(start, end - 12) : end]) and re.match(r"\s?[a-z,]", after):
            continue
        if not after.strip():
            yield end, False
        elif re.match(r"[.,;:!?)\]’'–—a-z-]|\s+[a-z(–—&]", after):
            yield end, True
        else:
            yield end, False
    if limit == cell_end and not _STOP.search(line[max(start, limit - 2) : limit]):
        yield limit, False


def _settle(lines: Sequence[str], seams: Sequence[_Seam]) -> list[_Found]:
    """Decides which seams are tooltips and where each definition ends."""
    alike: dict[str, list[_Seam]] = defaultdict(list)
    for seam in seams:
        alike[lines[seam.line][seam.start : seam.start + _SAME_START]].append(seam)
    doubled = sorted((seam.line, seam.at) for seam in seams if seam.doubled)
    found: list[_Found] = []
    for start, group in alike.items():
        length = _shared_length(lines, group) if len(start) == _SAME_START and len(group) > 1 else 0
        if length:
            shown = min((seam.shown for seam in group), key=len)
            found += [_Found(replace(seam, shown=shown), seam.start + length, True) for seam in group]
        else:
            found += filter(None, (_single(lines[seam.line], seam, doubled) for seam in group))
    return found


def _shared_length(lines: Sequence[str], group: Sequence[_Seam]) -> int:
    """Length of a repeated definition: up to where a sentence resumes, or the occurrences part ways.

    0 where it is no definition: nothing is doubled and no sentence resumes (`GitHub …` comes again and again too).
    """
    texts = [lines[seam.line][seam.start : seam.start + _LONGEST] for seam in group]
    first, last = min(texts), max(texts)
    shared = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    resumes: list[int] = []
    stops: list[int] = []
    for seam in group[:_ENOUGH]:
        for end, resumed in _ends(lines[seam.line], seam.start):
            length = end - seam.start
            if length <= shared:
                (resumes if resumed else stops).append(length)
    if resumes:
        return min(resumes)
    return max(stops, default=0) if any(seam.doubled for seam in group) else 0


def _single(line: str, seam: _Seam, doubled: Sequence[tuple[int, int]]) -> _Found | None:
    """A definition that occurs once, or None where the evidence does not bear it. It ends before the next tooltip."""
    after = bisect_right(doubled, (seam.line, seam.start))
    next_seam = doubled[after][1] if after < len(doubled) and doubled[after][0] == seam.line else len(line)
    within = takewhile(lambda found: found[0] <= next_seam, _ends(line, seam.start))
    ends = list(islice(within, _STOPS))
    end = next((end for end, resumes in ends if resumes), None)
    if end is not None:
        return _Found(seam, end, seam.doubled) if seam.doubled or _vouched(line, seam, end) else None
    if not (seam.title and seam.doubled) or not ends:
        return None
    last = ends[-1][0]
    return _Found(seam, last, len(ends) == 1)


def _vouched(line: str, seam: _Seam, end: int) -> bool:
    """Whether a seam without a doubled word is a tooltip's after all, and not inside a name such as `GitHub`.

    The title, or the definition's beginning, has the visible word, or punctuation follows the definition's own.
    """
    shown = {word.casefold() for word in seam.shown.split()[-1:]}
    if seam.title:
        return bool(shown & set(seam.title.casefold().split()))
    definition = _NAME.findall(line[seam.start : end])
    says_so = shown & {word.casefold() for word in definition[:4]}
    return len(definition) >= FEWEST_WORDS and bool(says_so or re.match(r"[.,;:)\]]", line[end:]))


def _drop_nested(found: Sequence[_Found]) -> list[_Found]:
    """Of finds that overlap, the surer one, else the earlier one."""
    kept: list[_Found] = []
    for item in sorted(found, key=lambda f: (f.seam.line, f.seam.at)):
        last = kept[-1] if kept else None
        if last is None or last.seam.line != item.seam.line or last.end <= item.seam.at:
            kept.append(item)
        elif item.sure and not last.sure:
            kept[-1] = item
    return kept


def _tips(lines: Sequence[str], found: Sequence[_Found]) -> tuple[Tip, ...]:
    """One tip per term and text, in the order of first occurrence."""
    tips: dict[tuple[str, str], Tip] = {}
    for item in sorted(found, key=lambda f: (f.seam.line, f.seam.at)):
        seam, text = item.seam, lines[item.seam.line][item.seam.start : item.end].strip()
        title = seam.title or seam.shown
        term = title[:1].upper() + title[1:]
        alike = seam.doubled or set(seam.shown.casefold().split()) & set(term.casefold().split())
        forms = (seam.shown,) if alike and seam.shown.casefold() != term.casefold() else ()
        key = (term.casefold(), text)
        old = tips.get(key, Tip(term, text, seam.line + 1, 0, sure=item.sure))
        tips[key] = replace(
            old, count=old.count + 1, forms=tuple(dict.fromkeys((*old.forms, *forms))), sure=old.sure and item.sure
        )
    return tuple(tips.values())
