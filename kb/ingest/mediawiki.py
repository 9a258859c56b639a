"""MediaWiki XML dumps (and single pages of wikitext) to a draft.

mwxml streams the dump and mwparserfromhell parses wikitext; templates and transclusions are written out from the dump
itself, redirects become aliases, only the newest revision counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kb.errors import IngestError
from kb.ingest.book import Book, page_name
from kb.ingest.draft import Block, Draft, DraftPage, Options
from kb.ingest.escape import count_words, escape
from kb.ingest.html_links import kb_link, settle
from kb.ingest.questions import is_faq, is_glossary
from kb.ingest.reading import read_text
from kb.ingest.wiki_dump import MAIN, MAX_PAGE, TEMPLATE, Dump, WikiPage, looks_like_dump, read_dump
from kb.ingest.wiki_markup import Walker
from kb.ingest.wiki_templates import Templates
from kb.ingest.wiki_text import shown, tangled, title_of, without_comments

_SUFFIXES = {".wiki", ".mediawiki", ".wikitext"}
_CATEGORY = re.compile(r"\[\[\s*category\s*:\s*([^\[\]|]+)", re.I)


def looks_like_mediawiki(path: Path, head: str) -> bool:
    """Whether a file is a dump (`.xml`, packed or not) or a page of wikitext by its name."""
    return path.is_file() and (path.suffix.lower() in _SUFFIXES or looks_like_dump(path, head))


def import_mediawiki(source: Path | str, options: Options) -> Draft:
    """A wiki's dump, or one page of wikitext, as a draft with a page per wiki page.

    Raises IngestError for what is no dump, is broken, declares entities, or holds more text than fits in memory.
    """
    dump = opened(source, options)
    where = source.name if isinstance(source, Path) else "wiki"
    book = Book(options, options.document or dump.site or Path(where).stem)
    wiki = Wiki(dump, book, where)
    for done, page in enumerate(wiki.readable, 1):
        wiki.tell(page)
        options.progress(done, len(wiki.readable))
    if not book.pages and not book.terms and not book.questions:
        raise IngestError("the wiki holds no page of rules with text", "Export its main namespace", where=where)
    wiki.report()
    book.title = book.document
    draft = book.draft()
    pages = [wiki.with_aliases(page) for page in settle(draft.pages, {})]
    return replace(draft, pages=tuple(pages), missing_pages=tuple(wiki.missing)[:500])


def opened(source: Path | str, options: Options) -> Dump:
    is_path = isinstance(source, Path)
    if isinstance(source, Path) and source.suffix.lower() in _SUFFIXES:
        text, title = read_text(source, options), source.stem
    elif isinstance(source, str) and "<mediawiki" not in source[:65_536]:
        text, title = source, "Page"
    else:
        return read_dump(source, options)
    if len(text) > MAX_PAGE or not text.strip():
        what = "is empty" if not text.strip() else f"has {len(text):,} characters; up to {MAX_PAGE:,} are read"
        raise IngestError(f"the page {what}", "Import a page of wikitext", where=source if is_path else None)
    return Dump(pages=[WikiPage(title_of(title), 0, text)])


class Wiki:
    """The wiki while it is imported."""

    def __init__(self, dump: Dump, book: Book, where: str) -> None:
        self.dump, self.book, self.where = dump, book, where
        self.redirects = redirects_of(dump)
        self.aliases: dict[str, list[str]] = {}
        for alias, target in self.redirects.items():
            self.aliases.setdefault(target, []).append(alias)
        texts = {title_of(page.title): page.text for page in dump.pages if not page.redirect}
        self.readable = [page for page in dump.pages if not page.redirect and page.namespace != TEMPLATE]
        self.titles = {title_of(page.title) for page in self.readable}
        self.templates = Templates(dump.templates, texts, self.redirects)
        self.missing: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.tangled: list[str] = []

    def tell(self, page: WikiPage) -> None:
        """Tells one page to the book."""
        title = title_of(page.title)
        text = without_comments(shown(page.text))
        space, _, name = title.partition(":") if page.namespace != MAIN else ("", "", title)
        kind = next(filter(None, map(kind_of, (*_CATEGORY.findall(text), space, name))), None)
        # A page in the category Glossary is a term; the page called Glossary is a list of them.
        defines = kind == "term" and not is_glossary(name)
        out = self.book.outline(
            name,
            page_name(title),
            key=f"{title} (page)" if defines else title,
            origin=self.where,
            source=self.source(page),
            **({"kind": "faq"} if kind == "faq" else {}),
        )
        walker = Walker(self.book, out, title, self.link)
        if defines:
            out.ask(escape(name), kind="term", key=title)
        if tangled(text):
            self.tangled.append(title)
            self.book.words_in += count_words(text)
            out.paragraph(escape(" ".join(text.split())))
        else:
            walker.tell(self.templates.expand(text, title))
        out.end()
        self.lost += walker.lost

    def source(self, page: WikiPage) -> str:
        """The key of the page's source, with its address where the dump tells it."""
        if not self.dump.base or self.book.options.url:
            return "source"
        key = page_name(page.title)
        document = f"{self.book.document}: {page.title}"
        fields = {"authority": self.book.options.authority, "document": self.book.options.document or document}
        fields |= {"licence": self.book.options.licence} if self.book.options.licence else {}
        fields |= {"date": page.date} if page.date else {}
        self.book.sources[key] = fields | {"url": self.dump.base + page.title.replace(" ", "_")}
        return key

    def link(self, target: str) -> str | None:
        """Where a `[[link]]` leads."""
        name, _, section = target.partition("#")
        title = title_of(name) if name.strip() else ""
        found = self.redirects.get(title, title)
        found, _, default = found.partition("#")
        section = section.replace("_", " ").strip() or default
        if title and found not in self.titles:
            if not re.match(r"(?:file|image|category|user|talk|special|help|wikipedia|w|[a-z]{2})\s*:", target, re.I):
                self.missing[title] += 1
            return None
        return kb_link(f"{found}#{section}" if section else found)

    def with_aliases(self, page: DraftPage) -> DraftPage:
        """The page with its redirects as aliases of the passages that they lead to."""
        blocks = [self.named(block, block.key) for block in page.blocks]
        if blocks and page.key in self.aliases:
            lead = replace(blocks[0], title=blocks[0].title or page.title)
            blocks[0] = self.named(lead, page.key)
        return replace(page, blocks=tuple(blocks))

    def named(self, block: Block, key: str | None) -> Block:
        found = self.aliases.get(key or "", ())
        return replace(block, aliases=tuple(dict.fromkeys((*block.aliases, *found)))) if found else block

    def report(self) -> None:
        """Says what was left out and what could not be written out."""
        note = self.book.note
        if self.dump.skipped:
            names = ", ".join(f"{name} ({n})" for name, n in self.dump.skipped.most_common(8))
            note(f"pages of these namespaces are left out: {names}", self.where, "Export what is rules separately")
        for title in self.dump.too_long:
            note(f"the page {title!r} is longer than a wiki page can be and is left out", self.where, "Split it")
        for title in self.tangled:
            note(
                f"the markup of {title!r} is nested too deep to be read; its source stands as it is",
                self.where,
                "Mend the page in the wiki",
            )
        self.note_counter(self.templates.unknown, "templates that the dump does not define show name and values")
        self.note_counter(
            self.templates.absent, "transcluded pages or sections are not in the dump; a link stands there"
        )
        self.note_counter(self.missing, "links lead to pages that are not in the dump; their words are kept")
        if self.templates.cut:
            note(f"{self.templates.cut} templates nest or grow without end and are cut", self.where, "Mend them")
        for what, words in self.lost.items():
            note(f"{what} are left out", self.where, lost_words=words)

    def note_counter(self, counter: Mapping[str, int], what: str) -> None:
        if counter:
            names = ", ".join(f"{name} ({n})" for name, n in Counter(counter).most_common(6))
            more = f" and {len(counter) - 6} more" if len(counter) > 6 else ""
            self.book.note(f"{what}: {names}{more}", self.where, "Export those too, or leave it")


def redirects_of(dump: Dump) -> dict[str, str]:
    """Title of each redirect -> the title (and `#section`) that it leads to in the end."""
    direct = {title_of(page.title): page.redirect for page in dump.pages if page.redirect}
    final: dict[str, str] = {}
    for title in direct:
        at, seen = title, {title}
        while (page := at.partition("#")[0]) in direct:
            target, _, section = (direct[page] or "").partition("#")
            at = title_of(target) + (f"#{section.replace('_', ' ').strip()}" if section else "")
            if at.partition("#")[0] in seen:
                break
            seen.add(at.partition("#")[0])
        final[title] = at
    return final


def kind_of(name: str) -> str | None:
    if is_faq(name):
        return "faq"
    return "term" if is_glossary(name) else None
