"""The frozen records that everything else passes on: Source, Passage, Citation."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from typing import Any

KINDS = ("rule", "clarification", "faq", "ruling", "term", "undefined", "gap")
"`undefined`: a word that the source uses and never defines; `gap`: a question that it raises and does not answer."
SAYS_NOTHING = ("undefined", "gap")
"Kinds that record what the rules do not say: found, shown as missing, never cited as an answer."
AUTHORITIES = ("rulebook", "official-faq", "clarification", "community", "house")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage comes from and with what authority."""

    authority: str
    "One of AUTHORITIES."
    document: str
    "The document's title, as a person would cite it."
    page: str | None = None
    "The printed page or pages, as text (`60`, `12-13`)."
    by: str | None = None
    "Who gave the ruling."
    via: str | None = None
    "The channel it was given in."
    date: str | None = None
    "ISO date, as exact as known: `2026`, `2026-03` or `2026-03-28`."
    url: str | None = None
    licence: str | None = None
    restated: bool = False
    "True where the text states the source's facts in this project's words instead of quoting it."

    @property
    def badge(self) -> str:
        """One line for people: ``rulebook p. 60, restated`` or ``community: deokel, 2026-03``."""
        name = {"official-faq": "official FAQ"}.get(self.authority, self.authority)
        if self.page:
            name += f" p. {self.page}"
        signed = ", ".join(part for part in (self.by, self.date) if part)
        if signed:
            name += f": {signed}"
        return f"{name}, restated" if self.restated else name


@dataclass(frozen=True, slots=True)
class Ask:
    """A way players put a question that a passage answers: found by, never quoted."""

    text: str
    verdict: str | None = None
    "`yes` or `no` where it is a yes/no question that the passage settles so."
    example: str | None = None
    "Id of the worked example (within the game) that bears the verdict out."


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of a corpus with an id of its own: the unit that is found, quoted and cited."""

    id: str
    "`game/page#anchor`; for ever."
    game: str
    page: str
    "The page's name: its path below the game's folder without `.md`."
    anchor: str
    kind: str
    "One of KINDS."
    title: str
    path: tuple[str, ...]
    "Headings from the page's title down to the passage, its own title excluded."
    text: str
    "The passage as plain text, markup removed: what quotes are cut from."
    markdown: str
    "The passage as it stands in the file, id braces removed."
    source: Source
    file: str
    "Path of the file, relative to the corpus directory."
    lines: tuple[int, int]
    "First and last line in the file, 1-based, both included."
    term: str | None = None
    "The glossary term that the passage defines (kinds `term` and `undefined`)."
    aliases: tuple[str, ...] = ()
    "Other words players use for the term."
    default: str | None = None
    "A term's default value, as text."
    asks: tuple[Ask, ...] = ()
    "Ways players put the question that this passage answers."
    see: tuple[str, ...] = ()
    "What it points to: passage ids and `game/page` ids."
    missing: tuple[str, ...] = ()
    "Names of pages that it points to and that the corpus does not contain."
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    verdict: str | None = None
    "`yes` or `no` where a question and answer passage answers its own question so."
    parent: str | None = None
    "Id of the passage that this one stands below (a sub-point's point), if that has an id."
    ref: str | None = None
    "The passage's name in the document it was imported from (`702.19b`)."

    @property
    def digest(self) -> str:
        """SHA-256 of the text, hex: what engine pins compare."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`; tuples become lists."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim piece of a passage together with where it stands. Made by `cite`, never by hand."""

    passage: str
    title: str
    quote: str
    "A verbatim piece of `Passage.text`."
    deciding: tuple[int, int]
    "Start and end of the deciding sentence inside `quote`; (0, 0) where none is marked."
    authority: str
    badge: str
    by: str | None
    date: str | None
    page: str | None
    superseded_by: tuple[str, ...]
    kind: str
    score: float = field(default=0.0, compare=False)
    "How well it fits the question, 0 to 1."

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def cite(passage: Passage, deciding: tuple[int, int] = (0, 0), score: float = 0.0) -> Citation:
    """Cites a passage whole. `deciding` are character offsets into `passage.text`."""
    return Citation(
        passage=passage.id,
        title=passage.title,
        quote=passage.text,
        deciding=deciding,
        authority=passage.source.authority,
        badge=passage.source.badge,
        by=passage.source.by,
        date=passage.source.date,
        page=passage.source.page,
        superseded_by=passage.superseded_by,
        kind=passage.kind,
        score=score,
    )
