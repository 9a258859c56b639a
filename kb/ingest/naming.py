"""Page names and ids: from what the source calls a thing, the same each time, and never twice."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from kb.ingest.draft import Block, DraftPage
from kb.parse import plain

_SMALL_WORDS = frozenset(
    "a an and any are as at be been but by can could do does each for from has have how if in into is it its may must "
    "of on or shall should that the their then there these they this those to was were what when which while who will "
    "with you your".split()
)
_INVISIBLE = re.compile(r"!\[\]\([^)]*\)|\]\([^)]*\)|^ {0,3}\[[^\]]+\]:.*$|&#?\w+;|^(?:\s*>)+", re.M)
"What is in Markdown and not seen, or may not be seen."
_SHOWN = re.compile(r"[^\W_]|\A[^`~|]*[.,;:?\"'…–—]")
"What is seen wherever it stands, but for tables and code fences; of anything else the reader is asked."
WORDS_OF_TEXT = 5
"Words of a text that its id is made from."
LONGEST = 60
"Characters of an id or of one part of a page's name."


def slug(text: str, most_words: int = 8) -> str:
    """Lower-case words joined by hyphens; letters of any script are kept, accents are not. May be empty."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", unicodedata.normalize("NFC", plain)))[:most_words]
    name = "-".join(words)
    if len(name) <= LONGEST:
        return name
    return name[:LONGEST].rsplit("-", 1)[0] if "-" in name[:LONGEST] else name[:LONGEST]


def text_slug(text: str) -> str:
    """A slug of the first words of a text that mean something."""
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", re.sub(r"\]\([^)]*\)", "]", text)[:600])
    telling = [word for word in words if word.casefold() not in _SMALL_WORDS] or words
    return slug(" ".join(telling[:WORDS_OF_TEXT]))


def anchor_of(name: str) -> str:
    """A name of the source (`702.19b`, `cr:100.1`) as an id: what would not stand in braces or lists is replaced."""
    return re.sub(r"[^\w.:-]+", "-", name.strip()).strip("-")


def name_pages(pages: Iterable[DraftPage]) -> list[str]:
    """A file name per page, unique whatever the case, without any way out of the folder."""
    taken: dict[str, int] = {}
    names: list[str] = []
    for page in pages:
        parts = [slug(part) for part in re.split(r"[/\\]+", page.name)]
        wanted = "/".join(filter(None, parts)) or slug(page.title) or "page"
        names.append(_free(wanted, taken))
    return names


def name_blocks(page: DraftPage, kept: Mapping[int, str] = {}) -> list[str | None]:
    """An id per block, None for blocks that have none. `kept` are ids by block number that must stay as they are."""
    taken = {anchor.casefold(): 1 for anchor in kept.values()}
    # What the source names itself gets its name before anything else can take it.
    given = {n: anchor_of(b.anchor or b.ref or "") for n, b in enumerate(page.blocks) if b.anchor or b.ref}
    names: list[str | None] = []
    scopes: list[tuple[int, str]] = []
    for n, block in enumerate(page.blocks):
        wanted = kept.get(n) or given.get(n) or _made_up(block, scopes)
        has_id = bears_id(page.blocks, n)
        name = kept.get(n) or (
            _free(wanted, taken, () if n in given else [s for s in scopes if s[0] < _depth(block)])
            if has_id
            else wanted
        )
        names.append(name if has_id else None)
        _enter(scopes, block, name)
    return names


def bears_id(blocks: Sequence[Block], n: int) -> bool:
    """Whether a block becomes a passage: it has text of its own, or text follows that belongs to it."""
    block = blocks[n]
    if block.form == "more" or (block.form == "paragraph" and block.level > 0):
        return False
    follows = n + 1 < len(blocks) and blocks[n + 1].form == "more" and shows_text(blocks[n + 1].text)
    return shows_text(block.text) or (block.form == "heading" and follows)


def shows_text(markdown: str) -> bool:
    """Whether a reader sees anything of it: a picture without description, say, is nothing to quote."""
    if not markdown.strip():
        return False
    words = _INVISIBLE.sub("", markdown)
    return bool(_SHOWN.search(words)) or bool(plain(markdown).strip())


def _made_up(block: Block, scopes: Sequence[tuple[int, str]]) -> str:
    """A heading is called by its words, a numbered item by its number below its section, a text by its first words."""
    depth = _depth(block)
    above = next((name for level, name in reversed(scopes) if level < depth), "")
    if block.number is not None:
        return f"{above}-{block.number}" if above else f"item-{block.number}"
    if block.title.endswith("?"):
        return text_slug(block.title) or "question"
    return slug(block.title) or text_slug(block.text) or "text"


def _depth(block: Block) -> int:
    """Headings stand at their level, list items below all headings."""
    return block.level if block.form == "heading" else 10 + block.level


def _enter(scopes: list[tuple[int, str]], block: Block, name: str) -> None:
    if block.form not in ("heading", "item"):
        return
    depth = _depth(block)
    while scopes and scopes[-1][0] >= depth:
        scopes.pop()
    scopes.append((depth, name))


def _free(wanted: str, taken: dict[str, int], scopes: Sequence[tuple[int, str]] = ()) -> str:
    """The wanted name; where it is taken with the section's name before it, and then with a number behind it.

    `taken` has the last number tried for each name: ten thousand items of one name are no hang.
    """
    choices = [wanted, *(f"{name}-{wanted}" for _, name in scopes[-1:] if not wanted.startswith(f"{name}-"))]
    for choice in choices:
        if choice.casefold() not in taken:
            taken[choice.casefold()] = 1
            return choice
    n = taken.get(wanted.casefold(), 1) + 1
    while f"{wanted}-{n}".casefold() in taken:
        n += 1
    taken[wanted.casefold()] = n
    taken[f"{wanted}-{n}".casefold()] = 1
    return f"{wanted}-{n}"
