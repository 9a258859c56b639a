"""Dates as people write them, to ISO as exact as they say."""

from __future__ import annotations

import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*)\.?"
_SHAPES = [
    re.compile(r"(?P<year>\d{4})-(?P<m>\d{1,2})(?:-(?P<day>\d{1,2}))?(?:[T ][\d:.]+\S*)?"),
    re.compile(r"(?P<year>\d{4})/(?P<m>\d{1,2})(?:/(?P<day>\d{1,2}))?"),
    re.compile(rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})", re.I),
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})", re.I),
    re.compile(rf"{_MONTH},?\s+(?P<year>\d{{4}})", re.I),
    re.compile(r"(?P<year>(?:19|20)\d{2})"),
]
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def iso_date(text: str) -> str | None:
    """`Apr 28, 2026` → `2026-04-28`, `Mar 2026` → `2026-03`, `2026` → `2026`; None for what is no date.

    `04/05/2026` is None: which of the two is the month can't be known.
    """
    for shape in _SHAPES:
        if match := shape.fullmatch(text.strip()):
            return _iso(match.groupdict())
    return None


def _iso(parts: dict[str, str | None]) -> str | None:
    name = parts.get("month")
    # `Apr` and `April` are months, `Maybe` is not.
    if name and not _is_month(name):
        return None
    number = _MONTHS.index(name[:3].lower()) + 1 if name else int(parts.get("m") or 0)
    day = int(parts.get("day") or 0)
    if not number:
        return parts["year"]
    if number > 12 or (parts.get("day") and not 1 <= day <= _LONGEST[number - 1]):
        return None
    return f"{parts['year']}-{number:02d}" + (f"-{day:02d}" if day else "")


def _is_month(name: str) -> bool:
    full = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
    return any(month.startswith(name.lower()) for month in full) or name.lower() == "sept"
