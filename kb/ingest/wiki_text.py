"""Wikitext before it is parsed: comments off, titles in one form, and a check that parsing will end."""

from __future__ import annotations

import re
from collections import Counter

MAX_OPEN = 60
"Brackets or braces open at one place. Each one that is never closed makes the parser read the rest once more."
_PAIRS = (
    (re.compile(r"\{\{|\}\}"), "{{"),
    (re.compile(r"\[|\]"), "["),
    (re.compile(r"\{\||\|\}"), "{|"),
    (re.compile(r"<(?=[a-z/!])|>", re.I), "<"),
)
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)\b[^<>]*?(/?)>", re.I)
_SECTION = re.compile(r"<section\s+(?P<side>begin|end)\s*=\s*(?P<label>[^<>]{1,200}?)\s*/>", re.I)
_SINGLE = frozenset("br hr wbr img section li dt dd tr td th references".split())


def without_comments(text: str) -> str:
    """The text without `<!-- … -->`; one that is never closed runs to the end, as in the wiki."""
    out, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        out.append(text[at:start])
        end = text.find("-->", start + 4)
        at = end + 3 if end >= 0 else len(text)
    return "".join((*out, text[at:]))


def tangled(text: str) -> bool:
    """Whether so much is opened and not closed that parsing would take minutes."""
    for pattern, opener in _PAIRS:
        depth = 0
        for match in pattern.finditer(text):
            depth = depth + 1 if match.group() == opener else max(0, depth - 1)
            if depth > MAX_OPEN:
                return True
    tags: Counter[str] = Counter()
    for close, name, single in _TAG.findall(text):
        if not single and (name := name.lower()) not in _SINGLE:
            tags[name] = max(0, tags[name] - 1) if close else tags[name] + 1
            if tags[name] > MAX_OPEN:
                return True
    return False


def title_of(link: str) -> str:
    """A page's title as the wiki knows it: spaces for underscores, first letter large, no leading colon."""
    title = " ".join(link.replace("_", " ").strip().lstrip(":").split())
    return title[:1].upper() + title[1:]


def labelled(text: str, label: str) -> str | None:
    """What stands between `<section begin="label"/>` and its end, all places of that label together."""
    found, start = None, None
    for tag in _SECTION.finditer(text):
        if tag["label"].strip(" \"'").casefold() != label.strip().casefold():
            continue
        if tag["side"].lower() == "begin":
            start = tag.end() if start is None else start
        elif start is not None:
            found, start = (found or "") + text[start : tag.start()], None
    return found


def headed(text: str, heading: str) -> str | None:
    """The section below a heading, up to the next of its level or higher."""
    wanted = heading.strip().casefold()
    lines = text.split("\n")
    start, level = None, 0
    for n, line in enumerate(lines):
        match = re.fullmatch(r"(={1,6})\s*(.*?)\s*\1\s*", line)
        if match is None:
            continue
        if start is not None and len(match.group(1)) <= level:
            return "\n".join(lines[start:n])
        if start is None and match.group(2).casefold() == wanted:
            start, level = n + 1, len(match.group(1))
    return "\n".join(lines[start:]) if start is not None else None


def included(text: str) -> str:
    """What of a page shows on another that includes it."""
    pieces = re.split(r"</?onlyinclude>", text, flags=re.I)
    if len(pieces) > 2:
        return "".join(pieces[1::2])
    text = re.sub(r"<noinclude>.*?(?:</noinclude>|\Z)", "", text, flags=re.S | re.I)
    return re.sub(r"</?includeonly>", "", text, flags=re.I)


def shown(text: str) -> str:
    """What of a page shows on the page itself."""
    text = re.sub(r"<includeonly>.*?(?:</includeonly>|\Z)", "", text, flags=re.S | re.I)
    return re.sub(r"</?(?:noinclude|onlyinclude)>", "", text, flags=re.I)
