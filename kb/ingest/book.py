"""A document told piece by piece becomes pages of blocks, cut as finely as the corpus wants them.

The importers of HTML, wikis and PDF know their format; this module knows what becomes a passage of its own: a heading
with its first paragraph, every further paragraph of some length, every item of a list of sentences, a question with
its answer, a term with its definition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from kb.ingest.draft import Block, Draft, DraftPage, Finding, Options, source_fields
from kb.ingest.escape import count_words, escape
from kb.ingest.questions import answer_in, is_faq, is_glossary, question_in, verdict_of
from kb.parse import plain

SUBSTANTIAL = 12
"Words. A shorter paragraph belongs to what stands before it."
SHORT_ITEM = 8
"Words. A bulleted list of items no longer than this stays one block."
BIG_TABLE = 120
"Words. A bigger table without a caption gets a heading of its own."
_MARKUP = re.compile(r"[\\*_`\[<&!]")


def plain_title(markdown: str) -> str:
    """A one-line title out of a piece of Markdown."""
    text = " ".join(markdown.split())
    return " ".join(plain(text).split()) if _MARKUP.search(text) else text


def page_name(title: str, fallback: str = "page") -> str:
    """A file name without ending: lower case, words joined by hyphens, at most 60 characters."""
    name = re.sub(r"[^\w]+", "-", title.casefold(), flags=re.UNICODE).strip("-_")
    return name[:60].strip("-_") or fallback


@dataclass(frozen=True, slots=True)
class Item:
    """One list item, nested ones apart."""

    text: str
    level: int = 0
    number: int | None = None
    page: str | None = None
    "Printed page; None: that of the list."


@dataclass
class Book:
    """The whole import: pages, and the glossary and questions that were found on the way."""

    options: Options
    document: str
    title: str = ""
    "The document's own title."
    pages: list[DraftPage] = field(default_factory=list)
    terms: dict[tuple[str, str], Block] = field(default_factory=dict)
    questions: list[Block] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sources: dict[str, dict[str, str]] = field(default_factory=dict)
    words_in: int = 0
    repeated_words: int = 0
    "Words of definitions that were met before."
    emptied_words: int = 0
    "Words of headings such as FAQ whose entries moved to a page of their own."
    _names: set[str] = field(default_factory=lambda: {"glossary", "faq", "rulings"})

    def outline(self, title: str, name: str | None = None, **fields: str) -> Outline:
        """Starts a page. `fields` are `key`, `origin`, `kind` and `source` of the DraftPage."""
        return Outline(self, DraftPage(self.free_name(name or page_name(title)), title, (), **fields))

    def free_name(self, name: str) -> str:
        """The name, with a number behind it where a page has it already."""
        candidate, n = name, 1
        while candidate.casefold() in self._names:
            n += 1
            candidate = f"{name}-{n}"
        self._names.add(candidate.casefold())
        return candidate

    def term(self, title: str, text: str, **fields: object) -> None:
        """A definition. The same one twice is kept once, its words counted as left out."""
        title = plain_title(title)
        if not title:
            return
        key = (title.casefold(), " ".join(text.split()))
        known = self.terms.get(key)
        if known is None:
            self.terms[key] = Block(text, "heading", 2, title=title, kind="term", **fields)  # type: ignore[arg-type]
            return
        aliases = dict.fromkeys((*known.aliases, *fields.get("aliases", ())))  # type: ignore[misc]
        self.terms[key] = replace(known, aliases=tuple(aliases))
        self.repeated_words += count_words(title) + count_words(text)

    def note(self, what: str, where: str, mend: str = "", lost_words: int = 0, line: int | None = None) -> None:
        """Adds a finding."""
        self.findings.append(Finding(what, where, line, mend, lost_words))

    def draft(self) -> Draft:
        """All that was told, glossary, questions and signed rulings on pages of their own."""
        if self.repeated_words:
            self.note(
                "definitions that the source repeats word for word are kept once",
                self.document,
                lost_words=self.repeated_words,
            )
        if self.emptied_words:
            self.note(
                "headings are left out whose questions or definitions moved to the pages `faq` and `glossary`",
                self.document,
                lost_words=self.emptied_words,
            )
        pages = [page for page in self.pages if page.blocks]
        self.forget_empty({page.key for page in pages})
        sources = {"source": source_fields(self.options, self.document), **self.sources}
        faq = [self.sourced(block, sources, "official-faq") for block in self.questions if block.kind == "faq"]
        rulings = [self.sourced(block, sources, "community") for block in self.questions if block.kind == "ruling"]
        if self.terms:
            pages.append(DraftPage("glossary", "Glossary", tuple(self.terms.values()), kind="term"))
        if faq:
            pages.append(DraftPage("faq", "Questions and answers", tuple(faq), kind="faq"))
        if rulings:
            pages.append(DraftPage("rulings", "Rulings", tuple(rulings), kind="ruling"))
        return Draft(tuple(pages), sources, tuple(self.findings), self.title, words_in=self.words_in)

    def forget_empty(self, keys: Collection[str | None]) -> None:
        """Takes references to pages off that came to nothing: all they said is in questions and terms."""
        self.terms = {name: replace(b, see=tuple(k for k in b.see if k in keys)) for name, b in self.terms.items()}
        self.questions = [replace(b, see=tuple(k for k in b.see if k in keys)) for b in self.questions]

    def sourced(self, block: Block, sources: dict[str, dict[str, str]], authority: str) -> Block:
        """The question under a source with that authority, where its document claims the rulebook's for its rules."""
        fields = sources.get(block.source or "source", {})
        if fields.get("authority") != "rulebook":
            return block
        key = f"{block.source or 'source'}-{authority}"
        sources[key] = {**fields, "authority": authority}
        return replace(block, source=key)


class Outline:
    """One page in the making. Pieces are told in reading order."""

    def __init__(self, book: Book, page: DraftPage) -> None:
        self.book = book
        self.page = page
        self.blocks: list[Block] = []
        self.titled = False
        "Whether the title comes from the text."
        self.moved = False
        "Whether something of it went to the pages of questions or terms."
        self.printed: str | None = None
        "The printed page that the next pieces stand on."
        self.special: tuple[int, str] | None = (1, page.kind) if page.kind in ("faq", "term") else None
        "Level of the heading below which headings are questions (faq) or words defined (term)."
        self.aside: str | None = None
        "Title of the box that is open, empty before it is known; None outside of one."
        self.aside_kind: str | None = None
        self.late: list[Block] = []
        "Big tables, which wait for the end of their section lest what follows reads as theirs."
        self.question: Block | None = None
        "The question, or the term, whose answer is being told."
        self.parts: list[str] = []
        self.boxes: list[bool] = []
        "Open boxes: whether each is one of the page, not a part of an answer."

    # -- pieces ---------------------------------------------------------------------------------------------------

    def retitle(self, title: str) -> None:
        """The page's title, where it is met after the page was begun."""
        self.page, self.titled = replace(self.page, title=plain_title(title)), True
        self.special = self.special or special(1, title)

    def heading(self, level: int, title: str, **fields: str | None) -> None:
        """A heading; below one that says FAQ it is a question, below one that says Glossary a term."""
        level, title = min(max(level, 2), 6), plain_title(title)
        if not title:
            return
        if self.aside is not None:
            self.open_aside()
            self.aside = title
            return
        self.end_question()
        if self.special and level <= self.special[0]:
            self.end_section()
            self.special = None
        if self.special:
            self.ask(title, "", **{"kind": self.special[1], **fields})
            return
        self.end_section()
        self.special = special(level, title)
        self.blocks.append(Block("", "heading", level, title=title, page=self.printed, **fields))  # type: ignore[arg-type]

    def paragraph(self, markdown: str) -> None:
        """Running text. `Q:` and `A:` at its beginning make a question of it."""
        markdown = markdown.strip()
        if not markdown:
            return
        if asked := question_in(markdown):
            self.book.words_in -= 1  # the Q
            self.end_question()
            self.ask(asked)
        elif self.question is not None:
            self.answer(markdown)
        elif self.aside:
            self.add_own(markdown)
        elif self.heading_is_bare():
            self.blocks[-1] = replace(self.blocks[-1], text=markdown)
        elif count_words(markdown) >= SUBSTANTIAL or not self.blocks:
            self.add_own(markdown)
        else:
            self.add("more", markdown)

    def listing(self, items: Sequence[Item]) -> None:
        """A list, nested items with their level in reading order."""
        short = all(item.number is None and count_words(item.text) <= SHORT_ITEM for item in items)
        if not items:
            return
        if self.question is not None:
            self.parts.append(list_markdown(items))
        elif short and self.blocks and self.blocks[-1].form != "item":
            self.attach(list_markdown(items))
        else:
            self.open_aside()
            self.blocks += [
                Block(item.text, "item", item.level, item.number, kind=self.aside_kind, page=item.page or self.printed)
                for item in items
            ]

    def table(self, markdown: str, caption: str = "") -> None:
        """A table, whole. With a caption it is a passage named by it."""
        if self.question is not None:
            self.parts += [caption, markdown] if caption else [markdown]
        elif caption:
            # Bold, so that it reads as the table's caption whatever it says.
            self.add("paragraph", caption if "*" in caption else f"**{caption}**", title=plain_title(caption))
            self.add("more", markdown)
        elif self.heading_is_bare() or count_words(markdown) < BIG_TABLE:
            self.attach(markdown)
        else:
            level, title = next(((b.level, b.title) for b in reversed(self.blocks) if b.form == "heading"), (1, ""))
            title = f"{title or self.page.title}: table"
            self.late.append(Block(markdown, "heading", min(level + 1, 6), title=title, page=self.printed))

    def attach(self, markdown: str) -> None:
        """Markdown that belongs to what stands before it, whatever its length."""
        if self.question is not None:
            self.parts.append(markdown)
            return
        self.open_aside()
        if self.heading_is_bare():
            self.blocks[-1] = replace(self.blocks[-1], text=markdown)
        elif self.blocks:
            self.add("more", markdown)
        else:
            self.add("paragraph", markdown)

    def ask(self, question: str, answer: str = "", **fields: str | None) -> None:
        """Opens a question; what follows up to the next heading or question is its answer."""
        self.end_question()
        kind = "ruling" if fields.get("by") else "faq"
        self.question = Block(
            "",
            "heading",
            2,
            title=plain_title(question),
            page=self.printed,
            source=self.page.source,
            **{"kind": kind, **fields},  # type: ignore[arg-type]
        )
        self.parts = [answer] if answer else []

    def answer(self, markdown: str) -> None:
        """A paragraph of the answer of the open question, its `A (somebody, date):` read."""
        found = answer_in(markdown) if self.question and not self.parts else None
        if found and self.question:
            signed = bool(found.by or found.date)
            self.question = replace(
                self.question, by=found.by, date=found.date, kind="ruling" if signed else self.question.kind
            )
            self.book.words_in -= count_words(markdown) - count_words(found.text)
            markdown = found.text
        self.parts.append(markdown)

    def term(self, name: str, text: str, aliases: tuple[str, ...] = (), key: str | None = None) -> None:
        """A definition met in the text."""
        see = (self.page.key,) if self.page.key else ()
        self.book.term(name, text, aliases=aliases, source=self.page.source, see=see, page=self.printed, key=key)

    def open_box(self, title: str = "", kind: str | None = None) -> None:
        """A side box or admonition begins: its first paragraph is a passage titled `title`."""
        self.boxes.append(self.question is None)
        if self.question is None:
            self.open_aside()
            self.aside, self.aside_kind = plain_title(title), kind
        elif title:
            self.parts.append(f"**{title}**")

    def close_box(self) -> None:
        """The box ends."""
        if self.boxes and self.boxes.pop():
            self.end_question()
            self.open_aside()
            self.aside = self.aside_kind = None

    def end(self) -> None:
        """The page is complete."""
        while self.boxes:
            self.close_box()
        self.end_question()
        self.end_section()
        if self.moved and not self.blocks:
            self.book.emptied_words += count_words(self.page.title) if self.titled else 0
        elif self.titled and not self.blocks and self.page.title != self.book.title:
            self.blocks.append(Block(escape(self.page.title), "paragraph", page=self.printed))
        if self.blocks:
            self.book.pages.append(replace(self.page, blocks=tuple(self.blocks)))

    # -- the inside -----------------------------------------------------------------------------------------------

    def heading_is_bare(self) -> bool:
        return bool(self.blocks) and self.blocks[-1].form == "heading" and not self.blocks[-1].text and not self.aside

    def add_own(self, markdown: str) -> None:
        """A paragraph that is a passage; in a box it takes the box's title."""
        title, self.aside = self.aside or "", None if self.aside is None else ""
        self.add("paragraph", markdown, title=title)

    def open_aside(self) -> None:
        """A box whose title has had no paragraph yet: the title is the paragraph."""
        if self.aside:
            self.add_own(f"**{escape(self.aside)}**")

    def add(self, form: str, markdown: str, title: str = "") -> None:
        kind = None if form == "more" else self.aside_kind
        self.blocks.append(Block(markdown, form, title=title, kind=kind, page=self.printed))

    def end_section(self) -> None:
        """Tells the tables that waited; a heading whose entries all moved away goes."""
        self.blocks += self.late
        self.late = []
        if self.heading_is_bare() and special(0, self.blocks[-1].title):
            self.book.emptied_words += count_words(self.blocks.pop().title)

    def end_question(self) -> None:
        if self.question is None:
            return
        asked, text = self.question, "\n\n".join(self.parts)
        self.question, self.parts = None, []
        if not text:
            # A heading among questions that nothing answers groups those below it.
            self.blocks.append(Block("", "heading", 2, title=asked.title, page=asked.page, key=asked.key))
            return
        self.moved = True
        if asked.kind == "term":
            self.term(asked.title, text, key=asked.key)
            return
        see = (self.page.key,) if self.page.key else ()
        self.book.questions.append(replace(asked, text=text, verdict=verdict_of(text), see=see))


def special(level: int, title: str) -> tuple[int, str] | None:
    """What kind of headings stand below a heading of that title, if not rules."""
    if is_faq(title):
        return level, "faq"
    return (level, "term") if is_glossary(title) else None


def list_markdown(items: Iterable[Item]) -> str:
    """The items as a Markdown list."""
    lines = []
    for item in items:
        mark = f"{item.number}." if item.number is not None else "-"
        indent = "   " * item.level
        first, *rest = item.text.split("\n")
        lines.append(f"{indent}{mark} {first}")
        lines += [f"{indent}{' ' * (len(mark) + 1)}{line}" if line else "" for line in rest]
    return "\n".join(lines)
