"""Markdown files and folders of them: headings, lists and tables become passages, links between the files are kept."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from kb.errors import IngestError
from kb.ingest.book import SUBSTANTIAL, Book, Item, Outline, plain_title
from kb.ingest.draft import Draft, Options
from kb.ingest.escape import clean, count_words
from kb.ingest.reading import LONGEST_TEXT_LINE, read_text
from kb.parse import plain, reader

MAX_FILES = 20_000
_ENDINGS = (".md", ".markdown", ".mdown")
_TAG = re.compile(
    r"</?(?:a|abbr|aside|b|big|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|"
    r"footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|main|mark|nav|ol|p|picture|pre|q|s|samp|section|small|source|"
    r"span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr)"
    r"(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.I | re.S,
)
_SCRIPT = re.compile(r"<(script|style|iframe|object)\b.*?(?:</\1\s*>|\Z)", re.I | re.S)
_BREAK = re.compile(r"<br\s*/?>", re.I)
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"(?<!\\)(?<!!)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*<?([^()<>]*(?:\([^()]*\)[^()<>]*)*)>?\s*\)")
_REFERENCE = re.compile(r"(?<![\\!\]])\[([^\[\]\n]+)\](?:\[([^\[\]\n]*)\])?(?![\[(:])")
_LINK_TITLE = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*')$")
_WIKI = re.compile(r"\[\[([^\[\]|#]*)(?:#([^\[\]|]*))?(?:\|([^\[\]]*))?\]\]")
_CAPTION = re.compile(r"^(?:\*\*|__)?\s*(?:table|tab\.?)\b.*$|^(?:\*\*|__)[^*_\n]{2,100}(?:\*\*|__)$", re.I)
_RUN_IN = re.compile(r"^(?:\*{2,3}|_{2,3})(?P<title>[^*_\n]{2,80}?)[.:]?(?:\*{2,3}|_{2,3})[.:]?\s+(?=\S)")
_FIELD = re.compile(r"^\*\*[^*\n]{2,40}\*\*(?=[:\s])|^\*\*[^*\n]{2,40}:\*\*")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1[`~]*\s*$", re.M | re.S)


def looks_like_markdown(path: Path, head: str) -> bool:
    """A Markdown file, or a folder that holds one."""
    if path.is_dir():
        return next(_files(path), None) is not None
    return path.suffix.lower() in _ENDINGS


def import_markdown(source: Path | str, options: Options) -> Draft:
    """Imports a Markdown file, a folder of them (recursively), or the text itself: one page per file."""
    if isinstance(source, str):
        files = {"page.md": clean(source, keep_tabs=True)}
        name = "text"
    elif source.is_dir():
        paths = sorted(_files(source), key=lambda path: path.relative_to(source).as_posix())
        if not paths:
            raise IngestError("no Markdown file in this folder", "Name the folder that holds them", where=source)
        files = {
            p.relative_to(source).as_posix(): clean(read_text(p, options, LONGEST_TEXT_LINE), keep_tabs=True)
            for p in paths
        }
        name = source.resolve().name
    else:
        files = {source.name: clean(read_text(source, options, LONGEST_TEXT_LINE), keep_tabs=True)}
        name = source.name
    book = Book(options, options.document or Path(name).stem)
    folder = _Folder(files)
    for n, (path, text) in enumerate(files.items()):
        _Page(book, folder, path, text).read()
        options.progress(n + 1, len(files))
    return book.draft()


def _files(folder: Path) -> Iterator[Path]:
    count = 0
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in _ENDINGS and path.is_file() and not path.is_symlink() and not hidden:
            count += 1
            if count > MAX_FILES:
                raise IngestError(f"more than {MAX_FILES:,} Markdown files", "Import a part of it", where=folder)
            yield path


class _Folder:
    """The files' names, for links between them."""

    def __init__(self, files: dict[str, str]) -> None:
        self.paths = {path.casefold(): path for path in files}
        stems = Counter(posixpath.splitext(posixpath.basename(path))[0].casefold() for path in files)
        self.stems = {
            stem: path
            for path in files
            if stems[stem := posixpath.splitext(posixpath.basename(path))[0].casefold()] == 1
        }

    def key(self, source: str, target: str, heading: str = "") -> str | None:
        """The key of what a link in file `source` points to; None where it is in none of the files."""
        name = posixpath.normpath(posixpath.join(posixpath.dirname(source), target)) if target else source
        path = self.paths.get(name.casefold()) or self.paths.get(f"{name}.md".casefold())
        path = path or (self.stems.get(target.casefold()) if "/" not in target else None)
        return (f"{path}#{heading}" if heading else path) if path else None


class _Page:
    """Tells one file to the book."""

    def __init__(self, book: Book, folder: _Folder, path: str, text: str) -> None:
        self.book, self.folder, self.path = book, folder, path
        front, self.text = split_front_matter(text)
        self.book.words_in += count_words(plain(_without_tags(_WIKI.sub(wiki_words, self.text))))
        self.tags = len(_TAG.findall(_FENCE.sub("", self.text)))
        env: dict[str, dict[str, dict[str, str]]] = {}
        reader().parse(self.text, env)
        self.targets = env.get("references", {})
        self.text = _outside_fences(self.text, self.settle_inline)
        self.tokens = reader().parse(self.text)
        self.at = {id(token): n for n, token in enumerate(self.tokens)}
        self.lines = self.text.split("\n")
        self.front = front
        self.slugs: Counter[str] = Counter()

    def read(self) -> None:
        title, skip = self.title()
        stem = posixpath.splitext(self.path)[0]
        out = self.book.outline(title, stem, key=self.path, origin=self.path)
        self.headings_down = self.shift(skip)
        self.slug(title)
        self.blocks(out, skip)
        out.end()
        if self.tags:
            self.book.note(f"{self.tags} HTML tags were dropped, their text kept", self.path)
        if self.front:
            self.book.note(f"front matter was left out: {', '.join(self.front)}", self.path)

    def title(self) -> tuple[str, int]:
        """The page's title and how many tokens it takes: the first heading where nothing stands before it."""
        if self.tokens and self.tokens[0].type == "heading_open":
            return plain_title(self.tokens[1].content) or self.path, 3
        name = posixpath.splitext(posixpath.basename(self.path))[0]
        return re.sub(r"^[#\s]+", "", name) or name, 0

    def shift(self, skip: int) -> int:
        """Levels to add so that the highest heading below the title stands at 2."""
        levels = [int(token.tag[1:]) for token in self.tokens[skip:] if token.type == "heading_open"]
        return 2 - min(levels, default=2)

    def slug(self, title: str) -> str:
        """The heading's id as forges make it, for links to it."""
        base = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        self.slugs[base] += 1
        return base if self.slugs[base] == 1 else f"{base}-{self.slugs[base] - 1}"

    # -- blocks ---------------------------------------------------------------------------------------------------

    def blocks(self, out: Outline, skip: int) -> None:
        top = [token for token in self.tokens[skip:] if token.level == 0 and token.nesting >= 0]
        caption = ""
        for n, token in enumerate(top):
            follows = top[n + 1] if n + 1 < len(top) else None
            source = self.source(token)
            if token.type == "heading_open":
                inline = self.tokens[self.at[id(token)] + 1]
                title = plain_title(inline.content)
                key = f"{self.path}#{self.slug(title)}"
                out.heading(int(token.tag[1:]) + self.headings_down, inline.content, key=key)
            elif token.type == "paragraph_open":
                is_caption = follows is not None and follows.type == "table_open" and _CAPTION.match(source)
                caption = source if is_caption else self.paragraph(out, source)
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                out.listing(list(self.items(token)))
            elif token.type == "table_open":
                out.table(source, caption)
                caption = ""
            elif token.type != "hr":
                out.attach(source)

    def paragraph(self, out: Outline, source: str) -> str:
        """A paragraph; one that begins with a bold name is a passage of that name. Returns no caption."""
        run_in = _RUN_IN.match(source)
        if run_in and out.question is None and count_words(source[run_in.end() :]) >= SUBSTANTIAL:
            out.add("paragraph", source, title=plain_title(run_in["title"]))
        elif out.blocks and out.question is None and (self.is_field(source) or out.blocks[-1].text.endswith(":")):
            out.attach(source)
        elif out.blocks and out.blocks[-1].form == "item" and out.question is None:
            # Behind a list it belongs to none of its items, however short it is.
            out.add("paragraph", source)
        else:
            out.paragraph(source)
        return ""

    @staticmethod
    def is_field(source: str) -> bool:
        """`**Range:** 150 feet`: a value with its name, no sentence."""
        return bool(_FIELD.match(source)) and not re.search(r"[.!?][*_)\"”’]*$", source)

    def source(self, token: Any) -> str:
        first, last = token.map or (0, 0)
        return "\n".join(self.lines[first:last]).strip("\n")

    def items(self, opening: Any) -> Iterator[Item]:
        """The items of a list in reading order, nested ones with their level."""
        at = self.at[id(opening)]
        lists: list[list[Any]] = []
        for token in self.tokens[at:]:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                start = int(token.attrGet("start") or 1)
                lists.append([token.type.startswith("ordered"), start - 1])
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                lists.pop()
                if not lists:
                    return
            elif token.type == "list_item_open":
                lists[-1][1] += 1
                numbered, number = lists[-1]
                yield Item(self.item_text(token), len(lists) - 1, number if numbered else None)

    def item_text(self, item: Any) -> str:
        """What stands in an item except the lists in it."""
        at = self.at[id(item)]
        parts: list[str] = []
        for token in self.tokens[at + 1 :]:
            if token.type == "list_item_close" and token.level == item.level:
                break
            inside = token.level == item.level + 1 and token.nesting >= 0 and token.map
            if inside and token.type not in ("bullet_list_open", "ordered_list_open"):
                parts.append(self.dedented(token))
        return "\n\n".join(filter(None, parts))

    def dedented(self, token: Any) -> str:
        lines = self.source(token).split("\n")
        lines[0] = re.sub(r"^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)+", "", lines[0])
        if token.type == "paragraph_open":
            return "\n".join(line.strip() for line in lines)
        indent = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
        return "\n".join([lines[0], *(line[indent:] for line in lines[1:])])

    # -- inline ---------------------------------------------------------------------------------------------------

    def settle_inline(self, text: str) -> str:
        """Links and tags of a piece of the file settled."""
        text = _IMAGE.sub(lambda match: match[1], text)
        text = _REFERENCE.sub(self.reference, text) if self.targets else text
        text = _LINK.sub(self.link, text)
        return _without_tags(_WIKI.sub(self.wiki_link, text))

    def link(self, match: re.Match[str]) -> str:
        words, target = match[1], _LINK_TITLE.sub("", match[2]).strip()
        if re.match(r"https?://", target, re.I):
            return match[0]
        if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
            return words
        path, _, heading = unquote(target).partition("#")
        return self.to(words, self.folder.key(self.path, path, heading), target)

    def reference(self, match: re.Match[str]) -> str:
        """`[words][label]` as `[words](target)`."""
        found = self.targets.get(" ".join((match[2] or match[1]).split()).lower().upper())
        return f"[{match[1]}]({found['href']})" if found else match[0]

    def wiki_link(self, match: re.Match[str]) -> str:
        page, heading = match[1].strip(), (match[2] or "").strip()
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        return self.to(wiki_words(match), self.folder.key(self.path, page, slug), page)

    def to(self, words: str, key: str | None, target: str) -> str:
        if key is None:
            self.book.note(
                f"a link points to {target!r}, which is not among the files", self.path, "Its words were kept"
            )
            return words
        return f"[{words}](kb:{quote(key, safe='/.#')})"


def wiki_words(match: re.Match[str]) -> str:
    """The words that a `[[wiki link]]` shows."""
    return (match[3] or match[2] or match[1]).strip()


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Applies a change to everything but fenced code."""
    parts: list[str] = []
    at = 0
    for fence in _FENCE.finditer(text):
        parts += [change(text[at : fence.start()]), fence.group()]
        at = fence.end()
    return "".join([*parts, change(text[at:])])


def _without_tags(text: str) -> str:
    text = _SCRIPT.sub(" ", text) if "<" in text else text
    return _TAG.sub("", _BREAK.sub(" ", text))


def split_front_matter(text: str) -> tuple[Sequence[str], str]:
    """The names of a page's front matter and the text below it."""
    match = re.match(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*\n", text, re.M | re.S)
    if not match or not all(re.match(r"[\w-]+\s*:|\s|#|-|$", line) for line in match[1].split("\n")):
        return (), text
    return re.findall(r"^([\w-]+)\s*:", match[1], re.M), text[match.end() :]
