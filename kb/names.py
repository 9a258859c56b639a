"""Things that a question names by several words in capitals (`Arcane Ward`, `Touch of Death`), in passages or not.

A rulebook rarely has a thing without its name, so a name that none of the nearest passages has is told beside an
answer: the rules quoted are about something like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"[A-Z][\w’'-]*(?: (?:of the |of |the )?[A-Z][\w’'-]*)+")
_SENTENCE = re.compile(r"(?:^|[.?!:]\s+|[\"“(])$")
_GENITIVE = re.compile(r"['’]s$")
SHOUTED = 0.75
"A question with a larger share of words in capitals names nothing by them."


def names(text: str) -> list[str]:
    """The names in a text, each once; a sentence's first word begins none."""
    words = re.findall(r"[^\W\d_][\w’'-]*", text)
    if sum(word[0].isupper() for word in words) > SHOUTED * len(words):
        return []
    found: list[str] = []
    for match in _NAME.finditer(text):
        parts = match.group().split()
        if _SENTENCE.search(text[: match.start()]):
            parts = parts[1:]
        found += _without_owners(parts)
    return list(dict.fromkeys(found))


def _without_owners(parts: list[str]) -> Iterable[str]:
    """`the Eldritch Knight's War Magic` names two things."""
    name: list[str] = []
    for part in [*parts, ""]:
        if part:
            name.append(_GENITIVE.sub("", part))
        if not part or _GENITIVE.search(part):
            while name and (name[0][0].islower() or name[0].casefold() in ("the", "a", "an")):
                name.pop(0)
            if len(name) > 1:
                yield " ".join(name)
            name = []


def absent(text: str, passages: Iterable[str]) -> list[str]:
    """The names that none of the passages' texts has, in the singular or the plural."""
    wanted = names(text)
    if not wanted:
        return []
    said = "\n".join(passages).casefold().replace("’", "'")
    return [name for name in wanted if name.casefold().replace("’", "'").removesuffix("s") not in said]
