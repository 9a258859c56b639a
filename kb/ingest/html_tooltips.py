"""Hover definitions out of a page: the sentence stays clean, the definition becomes a term."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.ingest.escape import count_words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LONGEST_TRIGGER = 8
"Words. What a definition hangs on is no longer than this."
_TIP = re.compile(
    r"(?:tool-?tip|popover|hover-?card|term-?preview)[-_]*(?:text|content|body|inner|box|popup|bubble|panel|def\w*)"
    r"|\btippy-content\b|\brc-tooltip-inner\b",
    re.I,
)
_ATTRIBUTES = (
    "data-tooltip",
    "data-tooltip-content",
    "data-tooltip-html",
    "data-tip",
    "data-tippy-content",
    "data-bs-content",
    "data-bs-title",
    "data-original-title",
    "data-definition",
    "data-hover",
)
_TITLED = re.compile(r"term|gloss|tip|keyword|hint|defin", re.I)
_CANDIDATES = (
    '[role=tooltip], [class*=tooltip i], [class*=tool-tip i], [class*="popover-body"], [class*="popover-content"], '
    "[class*=hovercard i], [class*=tippy-content], [class*=term-preview i]"
)
_BEARERS = (
    ", ".join(f"[{name}]" for name in _ATTRIBUTES)
    + ", abbr[title], acronym[title], dfn[title], span[title], a[title], "
    "span[aria-label], a[aria-label]"
)


@dataclass(frozen=True, slots=True)
class Tooltip:
    """A definition that was shown on hovering."""

    title: str
    html: str
    aliases: tuple[str, ...] = ()


def take_tooltips(body: LexborNode) -> tuple[list[Tooltip], int]:
    """Removes all hover definitions below `body`; returns them and the words that stood in attributes only."""
    found = [*elements(body)]
    from_attributes = [*attributes(body)]
    words = sum(count_words(strip_tags(tip.html)) for tip in from_attributes)
    return found + from_attributes, words


def elements(body: LexborNode) -> list[Tooltip]:
    """Definitions that are elements: inside what they explain, beside it, or elsewhere and named by an id."""
    found = []
    for node in body.css(_CANDIDATES):
        tip = tip_of(node)
        if tip is None or tip.parent is None or not tip.text(strip=True):
            continue
        trigger = trigger_of(tip, body)
        if trigger is None:
            continue
        title, html = split_title(tip, trigger)
        tip.decompose()
        found.append(named(trigger, title, html))
    return [tip for tip in found if tip.html]


def tip_of(node: LexborNode) -> LexborNode | None:
    """The element with the definition: the candidate itself, or the last child of a plain `class="tooltip"`."""
    classes = node.attributes.get("class") or ""
    if node.attributes.get("role") == "tooltip" or _TIP.search(classes):
        return node
    if node.css_first("[role=tooltip]") or any(_TIP.search(kid.attributes.get("class") or "") for kid in node.css("*")):
        return None
    last = node.last_child
    while last is not None and last.is_text_node and not last.text(strip=True):
        last = last.prev
    alone = last is None or last.is_text_node or last.prev is None or last.tag not in ("span", "div", "small", "em")
    return None if alone else last


def trigger_of(tip: LexborNode, body: LexborNode) -> str | None:
    """The words that the definition hangs on."""
    if name := tip.attributes.get("id"):
        safe = name.replace("\\", "").replace('"', "")
        for key in ("aria-describedby", "aria-labelledby", "data-tooltip-id", "data-tip-id"):
            if bearer := body.css_first(f'[{key}="{safe}"]'):
                return spaced(bearer.text())
    parent = tip.parent
    rest = spaced(parent.text().replace(tip.text(), " ", 1)) if parent else ""
    if 0 < count_words(rest) <= LONGEST_TRIGGER and parent and parent.tag not in ("p", "li", "td", "body"):
        return rest
    before = tip.prev
    while before is not None and before.is_text_node and not before.text(strip=True):
        before = before.prev
    if before is not None and before.is_element_node and 0 < count_words(before.text()) <= LONGEST_TRIGGER:
        return spaced(before.text())
    return rest if 0 < count_words(rest) <= LONGEST_TRIGGER else None


def split_title(tip: LexborNode, trigger: str) -> tuple[str, str]:
    """The heading of the definition, where it has one, and the rest as HTML."""
    text = spaced(tip.text())
    for node in tip.css("h1, h2, h3, h4, h5, h6, strong, b, dt, [class*=title i], [class*=header i]"):
        title = spaced(node.text())
        if title and text.startswith(title) and count_words(title) <= LONGEST_TRIGGER and len(title) < len(text):
            node.decompose()
            return title, inner(tip)
    first, broken, rest = inner(tip).partition("<br>")
    title = spaced(strip_tags(first))
    if broken and title.casefold()[:4] == trigger.casefold()[:4] and count_words(title) <= LONGEST_TRIGGER:
        return title, rest
    return "", inner(tip)


def attributes(body: LexborNode) -> list[Tooltip]:
    """Definitions that stand in an attribute of what they explain."""
    found = []
    for node in body.css(_BEARERS):
        words = spaced(node.text())
        text = attribute_text(node)
        if text and 0 < count_words(words) <= LONGEST_TRIGGER and text.casefold() != words.casefold():
            plain = text if "<" in text and ">" in text else text.replace("&", "&amp;").replace("<", "&lt;")
            found.append(named(words, "", plain))
    return found


def attribute_text(node: LexborNode) -> str:
    at = node.attributes
    for name in _ATTRIBUTES:
        if at.get(name):
            return spaced(at[name] or "")
    # A link's title names its target and most spans' titles repeat their text: only what is marked as a term counts.
    if node.tag in ("abbr", "acronym", "dfn") or _TITLED.search(at.get("class") or ""):
        return spaced(at.get("title") or at.get("aria-label") or "")
    return ""


def named(trigger: str, title: str, html: str) -> Tooltip:
    name = title or trigger
    return Tooltip(name, html.strip(), () if trigger.casefold() == name.casefold() else (trigger,))


def inner(node: LexborNode) -> str:
    return str(node.inner_html or "")


def strip_tags(html: str) -> str:
    return re.sub(r"<[^<>]*>", " ", html)


def spaced(text: str) -> str:
    return " ".join(text.split())
