"""Rules texts that number every rule (`702.19b`, `103.1.b.2`): sub-rules, examples, cross-references, glossary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kb.errors import IngestError
from kb.ingest.dates import iso_date
from kb.ingest.draft import Block, Draft, DraftPage, Finding, Options, source_fields
from kb.ingest.escape import clean, count_words, escape
from kb.ingest.numbered_rule import MOST_TITLE_WORDS, SENTENCE_END, Rule, chain, order
from kb.ingest.reading import LONGEST_TEXT_LINE, read_text

_DEEPER = r"\.(?:\d{1,4}|[a-z]{1,2}(?=[.\s]))"
_NUMBERED = re.compile(
    rf"^[ ]{{0,12}}(?P<number>\d{{1,4}}(?:(?:{_DEEPER})+|(?:{_DEEPER})*(?<=\d)[a-z]?))"
    r"(?P<dot>\.?)(?:\s+(?P<text>\S.*))?$"
)
_PART = re.compile(r"\d+|[a-z]+")
_REFERENCE = re.compile(
    r"(?<![\w.$])(?:(?P<lead>(?:rules?|sections?)\s+))?(?P<number>\d{1,4}(?:\.(?:\d{1,3}|[a-z]{1,2}\b))*[a-z]?)\b", re.I
)
_LIST_GOES_ON = re.compile(r"(?:,|,?\s+(?:and|or|through|to)|–|-)\s*")
_SEE_TERM = re.compile(r"\bSee(?: also)? (?P<term>[A-Z“][^.;()]{1,60})\.")
_EFFECTIVE = re.compile(
    r"\b(?:effective|updated|revised|version of)\b[^\d\n]{0,20}?"
    r"(?P<date>\d{4}-\d\d-\d\d|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4})",
    re.I,
)
FEWEST_RULES = 10
"Numbered lines that make a text a numbered one (in its first 64 KB), half of them of several parts."
MOST_REFERENCES = 6
"Of a glossary entry that become `see`."


def looks_like_numbered(path: Path, head: str) -> bool:
    """Whether a text's lines mostly begin with rule numbers of more than one part."""
    lines = [line for line in head.replace("\r", "\n").split("\n") if line.strip()]
    numbered = [match for line in lines if (match := _NUMBERED.match(line))]
    deep = sum(1 for match in numbered if len(_PART.findall(match["number"])) > 1)
    return deep >= FEWEST_RULES // 2 and len(numbered) >= max(FEWEST_RULES, len(lines) // 8)


def import_numbered(source: Path | str, options: Options) -> Draft:
    """Imports a numbered rules text: page `rules`, ids are the rule numbers; page `glossary` where it has one."""
    text = clean(read_text(source, options, LONGEST_TEXT_LINE) if isinstance(source, Path) else source)
    name = source.name if isinstance(source, Path) else "text"
    book = _Book(name, text.split("\n"))
    if not book.rules:
        raise IngestError("no line begins with a rule number", "Import it as --format text", where=name)
    options.progress(1, 2)
    title = book.title or Path(name).stem
    fields = source_fields(options, title)
    if book.date:
        fields["date"] = book.date
    pages = [
        DraftPage("introduction", "Introduction", tuple(book.loose(book.before)), origin=name),
        DraftPage("rules", "Rules", tuple(book.blocks()), key="rules", origin=name),
        DraftPage("credits", "Credits", tuple(book.loose(book.after)), origin=name),
        DraftPage("glossary", "Glossary", tuple(book.terms()), "term", key="glossary", origin=name),
    ]
    kept = tuple(page for page in pages if page.blocks)
    return Draft(kept, {"source": fields}, tuple(book.findings), title, words_in=count_words(text))


class _Book:
    """The text cut into what stands before the rules, the rules, the glossary, and what comes after."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name = name
        self.lines = lines
        self.findings: list[Finding] = []
        self.title = next((line.strip() for line in lines[:20] if line.strip() and not _NUMBERED.match(line)), "")
        self.date = self._date()
        start = self._skip_contents()
        glossary, credits_at = self._ends(start)
        self.before: list[tuple[int, str]] = [
            (n, line) for n, line in enumerate(self.lines[:start]) if n not in self.skipped
        ]
        self.rules: list[Rule] = []
        self._read_rules(start, glossary)
        self.glossary = (glossary + 1, credits_at)
        self.after = list(enumerate(lines))[credits_at + 1 :]
        self.known = {rule.number: rule for rule in self.rules}
        dotless = [rule for rule in self.rules if rule.depth == 1]
        self.sections_are_rules = any(not rule.titled for rule in dotless)
        self.headings = self._headings()

    def _date(self) -> str | None:
        match = _EFFECTIVE.search("\n".join(self.lines[:40]))
        return iso_date(match["date"]) if match else None

    # -- cutting --------------------------------------------------------------------------------------------------

    def _skip_contents(self) -> int:
        """The line at which the rules begin. A table of contents, whose titles all come again, is left out."""
        self.skipped: set[int] = set()
        seen: dict[str, int] = {}
        first = len(self.lines)
        for n, line in enumerate(self.lines):
            match = _NUMBERED.match(line)
            if not match or not match["text"]:
                continue
            first = min(first, n)
            if line.strip() in seen:
                start = seen[line.strip()]
                return self._leave_out(start, n) if start == first else first
            seen[line.strip()] = n
            if n - first > 2000:
                break
        return first

    def _leave_out(self, start: int, end: int) -> int:
        start -= next((1 + k for k in range(3) if self.lines[start - 1 - k].strip().casefold().endswith("contents")), 0)
        self.skipped = set(range(start, end))
        words = sum(count_words(line) for line in self.lines[start:end])
        self.findings.append(Finding("the table of contents was left out", self.name, start + 1, lost_words=words))
        return end

    def _ends(self, start: int) -> tuple[int, int]:
        """The lines of the headings of glossary and credits (the text's end where there are none)."""
        end = len(self.lines)
        glossary = next((n for n in range(start, end) if self.lines[n].strip().casefold() == "glossary"), end)
        after = next((n for n in range(start, end) if self.lines[n].strip().casefold() in ("credits", "index")), end)
        return min(glossary, after), after

    # -- rules ----------------------------------------------------------------------------------------------------

    def _read_rules(self, start: int, end: int) -> None:
        blank = True
        for n in range(start, end):
            line = self.lines[n]
            if not line.strip():
                blank = True
            elif rule := self._rule_at(n, line):
                self._place(rule)
                blank = False
            elif self.rules:
                self.rules[-1].raw.append((line.strip(), blank))
                blank = False

    def _rule_at(self, n: int, line: str) -> Rule | None:
        match = _NUMBERED.match(line)
        if not match:
            return None
        rule = Rule(match["number"], tuple(_PART.findall(match["number"])), match["dot"], n + 1)
        rule.raw.append((match["text"] or "", False))
        return rule if self._plausible(rule) else None

    def _plausible(self, rule: Rule) -> bool:
        """Whether a number at the beginning of a line is a rule's and not a figure in a wrapped sentence."""
        if not self.rules:
            return rule.dot == "." or rule.depth > 1
        last = self.rules[-1]
        if rule.depth > 1:
            above = [r.parts for r in chain(last)]
            stands_below = rule.parts[:-1] in above or rule.parts[:-1] in [parts[:-1] for parts in above]
            # Where no line bears the section's number, its first rule says that it begins.
            opens = last.parent is None and (rule.dot == "." or set(rule.parts[1:]) == {"1"})
            return (stands_below or opens) and order(rule.parts) > order(last.parts)
        if rule.dot != ".":
            return False
        peers = [r for r in chain(last) if r.depth == 1 and len(r.number) == len(rule.number)]
        if peers:
            return order(rule.parts) > order(peers[0].parts)
        # A figure of another length: a chapter above sections, or the first section of a chapter.
        return rule.titled

    def _place(self, rule: Rule) -> None:
        above = list(chain(self.rules[-1])) if self.rules else []
        if rule.depth > 1:
            rule.parent = next((r for r in above if r.parts == rule.parts[:-1]), None)
        else:
            # `1. Game Concepts` stands above `100. General`.
            shorter = [r for r in above if r.depth == 1 and len(r.number) < len(rule.number)]
            rule.parent = shorter[0] if shorter else None
        if rule.parent:
            rule.parent.children.append(rule)
        self.rules.append(rule)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _headings(self) -> dict[str, int]:
        """Level of the rules that are headings."""
        levels: dict[str, int] = {}
        roots = [rule for rule in self.rules if rule.parent is None]
        if self.sections_are_rules:
            self._head_flat(roots, levels)
        else:
            self._head(roots, 2, levels)
        return levels

    def _head(self, siblings: Sequence[Rule], level: int, levels: dict[str, int]) -> None:
        """Titles that no sentence of the same rank follows: the sentence would stand below the wrong title."""
        for rule in reversed(siblings):
            if not rule.titled or level > 6:
                break
            if rule.children or rule.depth == 1:
                levels[rule.number] = level
                self._head(rule.children, level + 1, levels)

    def _head_flat(self, siblings: Sequence[Rule], levels: dict[str, int]) -> None:
        """Titles and sentences numbered in one row: round numbers are chapters, other titles sections."""
        chapters = {rule.number for rule in siblings if rule.titled and rule.number.endswith("00")}
        follows_well = True
        for rule in reversed(siblings):
            if rule.titled and (not rule.children or follows_well):
                levels[rule.number] = 2 if rule.number in chapters or not chapters else 3
            follows_well = rule.number in levels

    def blocks(self) -> Iterator[Block]:
        for rule in self.rules:
            level = self.headings.get(rule.number)
            if level is not None:
                bare = rule.depth == 1 and not self.sections_are_rules
                yield self._heading(rule, level, bare)
            else:
                yield self._item(rule)

    def _heading(self, rule: Rule, level: int, bare: bool) -> Block:
        title = f"{rule.number}{rule.dot} {rule.texts[0]}"
        text = "" if bare else escape(title)
        return Block(text, "heading", level, title=title, key=rule.number, ref=rule.number, line=rule.line)

    def _item(self, rule: Rule) -> Block:
        above = [r for r in chain(rule.parent) if r.number not in self.headings] if rule.parent else []
        first, *others = rule.texts
        head = f"**{rule.number}{rule.dot}** {self.linked(first, rule.number)}"
        text = "\n\n".join([head, *(self.linked(part, rule.number) for part in others)])
        title = next((f"{r.number}{r.dot} {r.texts[0]}" for r in (rule, *above) if r.titled), "")
        return Block(text, "item", len(above), title=title, key=rule.number, ref=rule.number, line=rule.line)

    def linked(self, text: str, own: str = "") -> str:
        """Raw text as Markdown, the numbers of rules in it as links."""
        out: list[str] = []
        at = 0
        for start, end in self.references(text, own):
            number = text[start:end]
            out += [escape(text[at:start]) if at < start else "", f"[{number}](kb:{number})"]
            at = end
        return "".join([*out, escape(text[at:])]) if out else escape(text)

    def references(self, text: str, own: str = "") -> Iterator[tuple[int, int]]:
        """Where rule numbers stand: with a point or letter anywhere, others behind `rule`, `rules`, `section`."""
        list_end = -1
        for match in _REFERENCE.finditer(text):
            number = match["number"]
            listed = list_end >= 0 and _LIST_GOES_ON.fullmatch(text[list_end : match.start("number")])
            led = bool(match["lead"]) or bool(listed)
            list_end = match.end() if led else -1
            if number in self.known and number != own and (led or not number.isdecimal()):
                yield match.start("number"), match.end("number")

    # -- the rest -------------------------------------------------------------------------------------------------

    def loose(self, lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
        """Text outside of the rules: short lines above a paragraph are headings."""
        paragraphs: list[tuple[int, list[str]]] = []
        blank = True
        for n, line in lines:
            if line.strip() == self.title:
                continue
            if line.strip() and blank:
                paragraphs.append((n + 1, [line.strip()]))
            elif line.strip():
                paragraphs[-1][1].append(line.strip())
            blank = not line.strip()
        for k, (number, parts) in enumerate(paragraphs):
            text = " ".join(parts)
            title = len(text.split()) <= MOST_TITLE_WORDS and not SENTENCE_END.search(text) and k + 1 < len(paragraphs)
            if title:
                yield Block("", "heading", 2, title=text, line=number)
            else:
                yield Block(escape(text), line=number)

    def terms(self) -> Iterator[Block]:
        start, end = self.glossary
        entry: list[str] = []
        first = start
        for n in range(start, end + 1):
            line = self.lines[n].strip() if n < end else ""
            if line:
                first = n if not entry else first
                entry.append(line)
            elif entry:
                yield self._term(entry, first + 1)
                entry = []

    def _term(self, entry: Sequence[str], line: int) -> Block:
        term, *definition = entry
        if not definition:
            self.findings.append(Finding(f"the term “{term}” has no definition", self.name, line, "Write it"))
        text = " ".join(definition)
        numbers = [text[start:end] for start, end in self.references(text)]
        terms = [
            f"term:{match['term'].casefold()}" for match in _SEE_TERM.finditer(text) if match["term"][:4] != "rule"
        ]
        return Block(
            "\n\n".join(self.linked(part) for part in definition) or escape(term),
            "heading",
            2,
            title=term,
            kind="term",
            key=f"term:{term.casefold()}",
            see=tuple(dict.fromkeys([*numbers[:MOST_REFERENCES], *terms])),
            line=line,
        )
