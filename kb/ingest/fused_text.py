"""Plain text, as copied from a web page or typed: tooltips out, headings, lists, tables, questions and terms found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from kb.errors import IngestError
from kb.ingest.draft import Block, Draft, DraftPage, Finding, Options, source_fields
from kb.ingest.escape import clean, count_words, escape
from kb.ingest.outline import Line, looks_like_title, outline, paragraphs
from kb.ingest.questions import is_faq, is_glossary, signature, verdict_of
from kb.ingest.reading import LONGEST_TEXT_LINE, read_text
from kb.ingest.tables import lines_to_table
from kb.ingest.termlist import split_term, term_block
from kb.ingest.tooltips import Tip, lift_tooltips

_COMMUNITY = re.compile(r"\b(?:community|unofficial|discord|forums?|reddit|rulings?)\b", re.I)
_LEAD = re.compile(r"(?:[a-z][.)]\s+)?(?P<lead>[A-Z][^.:;!?]{1,60}):\s")
_NO_LEAD = re.compile(r"(?:for )?(?:example|note|important|exception|instance)\b", re.I)
_MONTH = re.compile(r"[^\W\d_]{3,}(?=\.? \d)")
_REPLACES = re.compile(
    r"\b(?:this|which)\s+(?:replaces|supersedes)\s+(?:the\s+)?(?P<label>\w)\.?\)?\s+(?:sub-?)?point\s+(?:under|of|in)\s+"
    r"(?P<title>.+?)(?:\s+on\s+p(?:g|age|p)?\.?\s*\d+)?(?:\s+(?:of|in)\s+the\s+\w+)?[.;]",
    re.I,
)
MOST_ROWS = 10_000
"Rows of a table."
LONGEST_ANSWER = 20_000
"Characters that are joined to one block; what more there is stands in blocks behind it."
_SOURCES = {
    "faq": "official-faq",
    "clarification": "clarification",
    "community": "community",
}


def looks_like_text(path: Path, head: str) -> bool:
    """Any readable text: what is left when no other format fits."""
    return bool(head.strip()) and path.suffix.lower() in ("", ".txt", ".text", ".log")


def import_text(source: Path | str, options: Options) -> Draft:
    """Imports plain text. `source` is a file, or the text itself."""
    text = clean(read_text(source, options, LONGEST_TEXT_LINE) if isinstance(source, Path) else source, keep_tabs=True)
    if not text.strip():
        raise IngestError("there is no text", "Save the page's text and import it again")
    name = source.name if isinstance(source, Path) else "text"
    raw = text.split("\n")
    lifted = lift_tooltips(raw)
    builder = _Builder(name, options.game, tips=frozenset(tip.term.casefold() for tip in lifted.tips))
    builder.read(paragraphs(outline(lifted.lines)))
    builder.add_tips(lifted.tips)
    return builder.draft(options, count_words(text))


@dataclass
class _Builder:
    """Deals the lines out to pages. One method per kind of line."""

    name: str
    game: str
    tips: frozenset[str] = frozenset()
    "Terms that tooltips define, folded."
    rules: list[Block] = field(default_factory=list)
    faq: list[Block] = field(default_factory=list)
    rulings: list[Block] = field(default_factory=list)
    terms: dict[str, Block] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    mode: str = "rules"
    "`rules`, `faq`, `community` or `terms`: what the section is."
    section: str = ""
    title: str = ""
    document: str = ""
    aside: str = ""
    "Empty, `open` (inside a box labelled info, note …) or `closing` (after its source line)."
    indents: list[int] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)
    citations: list[Line] = field(default_factory=list)
    read_off: list[str] = field(default_factory=list)
    "Words that were read and not kept: section headings that became pages, marks such as `Q:`, names of months."

    def read(self, lines: Sequence[Line]) -> None:
        """Deals out all lines. Each method is given the line and what follows it: one line, or none at the end."""
        for at, line in enumerate(lines):
            if self.rows and line.kind != "row":
                self.end_table()
            if line.kind not in ("bullet", "number"):
                self.indents = []
            if self.aside == "closing" and line.kind not in ("rule", "citation"):
                self.aside = ""
            getattr(self, f"on_{line.kind}")(line, lines[at + 1 : at + 2])
        if self.rows:
            self.end_table()

    # One method per kind of line.

    def on_rule(self, line: Line, rest: Sequence[Line]) -> None:
        if self.aside == "closing":
            self.aside = "open"

    def on_label(self, line: Line, rest: Sequence[Line]) -> None:
        self.aside = "open"

    def on_citation(self, line: Line, rest: Sequence[Line]) -> None:
        self.citations.append(line)
        self.aside = "closing" if self.aside else ""

    def on_row(self, line: Line, rest: Sequence[Line]) -> None:
        if self.mode == "terms" and (pair := split_term(line.text)):
            self.add_term(*pair, line.line)
        else:
            self.rows.append(line)

    def on_heading(self, line: Line, rest: Sequence[Line]) -> None:
        self.mode = mode = self.mode_of(line.text, rest)
        if self.opens_section(line.text):
            self.section = line.text
            self.read_off += [line.text] if mode != "community" else []
        elif mode == "terms":
            self.add_term(line.text, "", line.line)
        elif mode != "rules":
            self.add_question(line)
        elif not self.title and not self.rules and mode == "rules" and line.line <= 3:
            self.title = line.text
        else:
            self.section = line.text if not self.aside else self.section
            kind = "clarification" if self.aside else None
            self.rules.append(
                self.block(line, form="heading", level=3 if self.aside else 2, title=line.text, kind=kind, text="")
            )

    def on_text(self, line: Line, rest: Sequence[Line]) -> None:
        said = self.rules[-1:] if self.mode == "rules" else self.answers()[-1:]
        if not rest and self.mode != "terms" and looks_like_title(line.text) and said and said[0].text:
            # The last line of a copied page is often what the site calls the book.
            self.document = line.text
        elif self.mode == "terms":
            self.on_term_text(line, rest)
        elif self.mode in ("faq", "community") and self.answers():
            self.extend(self.answers(), line)
        elif self.aside:
            self.on_aside_text(line)
        elif self.rules and self.rules[-1].form == "heading" and not self.rules[-1].text:
            self.rules[-1] = replace(self.rules[-1], text=escape(line.text))
        else:
            if self.rules and self.rules[-1].text.endswith(":"):
                what = "a line ends in a colon and no list follows: its marks were lost when the text was copied"
                self.findings.append(Finding(what, self.name, line.line, "Make a list of the lines that belong to it"))
            self.rules.append(self.block(line))

    def on_term_text(self, line: Line, rest: Sequence[Line]) -> None:
        waiting = next(reversed(self.terms.values()), None)
        if not rest and looks_like_title(line.text) and waiting and waiting.text:
            self.document = line.text
        elif (waiting is None or waiting.text) and (pair := split_term(line.text)):
            self.add_term(*pair, line.line)
        elif waiting is not None:
            key = next(reversed(self.terms))
            more = f"{waiting.text}\n\n" if waiting.text else ""
            self.terms[key] = term_block(waiting.title, line.text, waiting.line or line.line, more)
        else:
            self.rules.append(self.block(line))

    def on_aside_text(self, line: Line) -> None:
        last = self.rules[-1] if self.rules else None
        if last is not None and last.kind == "clarification":
            self.extend(self.rules, line)
        else:
            self.rules.append(self.block(line, kind="clarification"))

    def on_bullet(self, line: Line, rest: Sequence[Line]) -> None:
        self.on_item(line, None)

    def on_number(self, line: Line, rest: Sequence[Line]) -> None:
        self.on_item(line, int(line.mark))

    def on_item(self, line: Line, number: int | None) -> None:
        while self.indents and self.indents[-1] > line.indent:
            self.indents.pop()
        if not self.indents or self.indents[-1] < line.indent:
            self.indents.append(line.indent)
        target = self.answers() if self.mode in ("faq", "community") else []
        if target:
            mark = "-" if number is None else f"{number}."
            self.extend(target, line, prefix=f"{mark} ")
            return
        kind = "clarification" if self.aside else None
        self.rules.append(
            self.block(line, form="item", level=len(self.indents) - 1, number=number, title=lead(line.text), kind=kind)
        )

    def on_question(self, line: Line, rest: Sequence[Line]) -> None:
        if self.mode not in ("faq", "community"):
            self.mode = "faq"
        self.read_off.append("Q")
        self.add_question(line)

    def on_answer(self, line: Line, rest: Sequence[Line]) -> None:
        target = self.answers()
        if not target:
            self.rules.append(self.block(line))
            return
        by, date = signature(line.mark) if line.mark else (None, None)
        self.read_off += ["A", *_MONTH.findall(line.mark)] if date else ["A"]
        if by and self.mode == "faq":
            # A signed answer is one person's, whatever the section is called.
            target, moved = self.rulings, target.pop()
            target.append(moved)
        self.extend(target, line)
        if by or self.mode == "community":
            target[-1] = replace(
                target[-1], kind="ruling", source="community", by=by, date=date, via=self.section or None
            )

    # What the methods share.

    def mode_of(self, heading: str, rest: Sequence[Line]) -> str:
        if heading.endswith("?"):
            return self.mode
        if _COMMUNITY.search(heading) and rest and (rest[0].kind == "question" or rest[0].text.endswith("?")):
            return "community"
        if is_faq(heading):
            return "faq"
        if is_glossary(heading):
            return "terms"
        if self.mode in ("faq", "community"):
            asked = rest and (rest[0].kind == "question" or rest[0].text.endswith("?"))
            return self.mode if asked else "rules"
        return self.mode

    def opens_section(self, heading: str) -> bool:
        """Whether the heading only says what follows, and is no question or term itself."""
        named = is_faq(heading) or is_glossary(heading) or _COMMUNITY.search(heading)
        return self.mode != "rules" and not heading.endswith("?") and (bool(named) or self.mode != "terms")

    def block(self, line: Line, **given: object) -> Block:
        fields = {"text": escape(line.text), "line": line.line} | given
        if fields.get("kind") == "clarification":
            fields["source"] = "clarification"
        return Block(**fields)  # type: ignore[arg-type]

    def answers(self) -> list[Block]:
        """The page that the question last asked stands on."""
        return self.rulings if self.mode == "community" else self.faq

    def add_question(self, line: Line) -> None:
        kind, source = ("ruling", "community") if self.mode == "community" else ("faq", "faq")
        via = self.section if self.mode == "community" else None
        self.answers().append(
            self.block(line, form="heading", level=2, title=line.text, text="", kind=kind, source=source, via=via)
        )

    def extend(self, target: list[Block], line: Line, prefix: str = "") -> None:
        """Adds a paragraph or list item to the last block of a page."""
        last = target[-1]
        text = prefix + escape(line.text)
        if last.form == "more" or len(last.text) > LONGEST_ANSWER:
            target.append(Block(text, "more", line=line.line))
            return
        gap = "\n" if prefix and last.text.rsplit("\n", 1)[-1].startswith(prefix[:1]) else "\n\n"
        verdict = last.verdict
        if not last.text and last.kind in ("faq", "ruling"):
            verdict = verdict_of(line.text)
        target[-1] = replace(last, text=f"{last.text}{gap}{text}" if last.text else text, verdict=verdict)

    def add_term(self, term: str, definition: str, line: int) -> None:
        self.terms[term.casefold()] = term_block(term, definition, line)

    def end_table(self) -> None:
        rows, self.rows = self.rows, []
        if len(rows) > MOST_ROWS:
            raise IngestError(
                f"a table of {len(rows):,} rows; up to {MOST_ROWS:,} are read", "Split it", where=self.name
            )
        table, empty = lines_to_table([row.text for row in rows], self.link)
        if empty:
            what = (
                f"the column “{empty}” is empty: what stood there, pictures perhaps, was lost when the text was copied"
            )
            self.findings.append(Finding(what, self.name, rows[0].line, "Write in words what the pictures showed"))
        last = self.rules[-1] if self.rules else None
        if last is not None and last.form == "heading" and not last.text:
            self.rules[-1] = replace(last, text=table)
            return
        head = ", ".join(cell.strip() for cell in rows[0].text.split("\t") if cell.strip() and cell.strip() != empty)
        title = f"{self.section or self.title or 'Table'}: {head}"
        self.findings.append(
            Finding("a table has no caption", self.name, rows[0].line, f"It was called “{title}”: rename it")
        )
        self.rules.append(Block(table, form="heading", level=3, title=title, line=rows[0].line))

    def link(self, cell: str) -> str:
        """A table cell; a term becomes a link to its definition."""
        known = cell.casefold() in self.tips or cell.casefold() in self.terms
        return f"[{escape(cell)}](kb:{quote(f'term:{cell.casefold()}')})" if known else escape(cell)

    def add_tips(self, tips: Iterable[Tip]) -> None:
        for tip in tips:
            key = tip.term.casefold()
            if key in self.terms and self.terms[key].text != escape(tip.text):
                what = f"“{tip.term}” has two definitions"
                self.findings.append(Finding(what, self.name, tip.line, "Keep the right one in glossary.md"))
                key = f"{key} {tip.line}"
            block = term_block(tip.term, tip.text, tip.line)
            self.terms[key] = replace(block, aliases=tip.forms)
            if not tip.sure:
                what = f"the definition of “{tip.term}” was cut out of a sentence without a sure sign of where it ends"
                self.findings.append(Finding(what, self.name, tip.line, "Compare it with the source"))
        repeated = sum((tip.count - 1) * count_words(tip.text) + tip.count * count_words(tip.term) for tip in tips)
        if repeated:
            what = f"{sum(tip.count for tip in tips)} tooltips were fused into the text; each definition is kept once"
            self.findings.append(Finding(what, self.name, lost_words=repeated))

    def draft(self, options: Options, words: int) -> Draft:
        if self.citations:
            what = f"{len(self.citations)} lines “Source” were links whose address is not in the text"
            lost = sum(count_words(line.text) for line in self.citations)
            self.findings.append(Finding(what, self.name, self.citations[0].line, "Add the addresses by hand", lost))
        if self.read_off:
            what = (
                "headings of FAQs and glossaries became pages, marks such as “Q:” kinds, dates are written 2026-04-28"
            )
            self.findings.append(Finding(what, self.name, lost_words=sum(map(count_words, self.read_off))))
        title = self.title or title_from(self.name, self.game)
        rules = list(self.replaced())
        pages = [
            DraftPage(title, title, tuple(rules), origin=self.name),
            DraftPage("faq", "Frequently Asked Questions", tuple(self.faq), "faq", "faq", origin=self.name),
            DraftPage("rulings", "Rulings", tuple(self.rulings), "ruling", "community", origin=self.name),
            DraftPage("glossary", "Glossary", tuple(self.terms.values()), "term", origin=self.name),
        ]
        kept = tuple(page for page in pages if page.blocks)
        document = options.document or self.document or title
        used = {block.source for page in kept for block in page.blocks} | {page.source for page in kept}
        sources = {"source": source_fields(options, document)} | {
            key: {**source_fields(options, document), "authority": authority}
            for key, authority in _SOURCES.items()
            if key in used
        }
        return Draft(kept, sources, tuple(self.findings), self.document, words_in=words)

    def replaced(self) -> Iterator[Block]:
        """The rules; answers that say which point they replace are tied to it on the way."""
        rules = [replace(b, key=b.key or f"rule {n}") for n, b in enumerate(self.rules)]
        for n, answer in enumerate(self.faq):
            if not (match := _REPLACES.search(answer.text)):
                continue
            points = [
                b for b in _points_below(rules, match["title"]) if b.text.startswith(f"{match['label'].lower()}.")
            ]
            if len(points) == 1:
                self.faq[n] = replace(answer, supersedes=(points[0].key or "",))
            what = f"this answer replaces point {match['label']} under “{match['title']}”"
            mend = "Check which sub-points it replaces too" if points else "Add supersedes= to its heading"
            self.findings.append(Finding(what, self.name, answer.line, mend))
        return iter(rules)


def _points_below(rules: Sequence[Block], title: str) -> Iterator[Block]:
    """The list items that stand directly below the item or heading of that title."""
    level: int | None = None
    for block in rules:
        if block.title.casefold() == title.casefold():
            level = block.level + 1 if block.form == "item" else 0
        elif level is not None and (block.form != "item" or block.level < level):
            level = None
        elif level is not None and block.level == level:
            yield block


def lead(text: str) -> str:
    """What a list item calls itself: `Gain Fatigue` of `Gain Fatigue: If this is …`; empty where it has no name."""
    match = _LEAD.match(text)
    if not match or len(match["lead"].split()) > 7 or _NO_LEAD.match(match["lead"]):
        return ""
    return match["lead"]


def title_from(name: str, game: str) -> str:
    """A page title from a file name: `ordeals-close-combat.txt` → `Close Combat` for the game `ordeals`."""
    words = re.sub(r"[-_\s]+", " ", Path(name).stem).strip()
    bare = re.sub(rf"^{re.escape(game)}\b\s*", "", words, flags=re.I) or words
    return bare.title() if bare == bare.lower() else bare
