"""A corpus directory becomes games and passages."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.errors import CorpusError, UsageError
from kb.passage import AUTHORITIES, KINDS, Ask, Passage, Source
from kb.yamlfile import read_text, read_yaml

if TYPE_CHECKING:
    from kb.parse import Block, Page

DEFAULT_PRECEDENCE = ("house", "official-faq", "clarification", "community", "rulebook")
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_SOURCE_KEYS = frozenset("authority document page by via date url licence restated".split())
_GAME_KEYS = frozenset(
    "game title aliases owner note sources default_source precedence missing_pages capitalised_terms licence".split()
)
_FRONT_KEYS = frozenset("title kind source page by via date url note".split())


@dataclass(frozen=True)
class Game:
    """What game.yaml says, with the names of the game's pages."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    owner: str = ""
    note: str = ""
    sources: Mapping[str, Source] = field(default_factory=dict)
    default_source: str = ""
    precedence: tuple[str, ...] = DEFAULT_PRECEDENCE
    "Authorities, strongest first."
    missing_pages: tuple[str, ...] = ()
    "Pages that the texts point to and that the corpus does not contain."
    capitalised_terms: bool = False
    "True where the game writes its terms with capitals, so that a lower-case word is not a mention."
    pages: tuple[tuple[str, str], ...] = ()
    "(page name, title), in reading order."


@dataclass(frozen=True)
class Corpus:
    """All games of a corpus directory."""

    directory: Path
    games: Mapping[str, Game]
    passages: tuple[Passage, ...]
    "Grouped by game, in page order."
    digest: str
    "SHA-256 over every file that was read."
    stray: tuple[tuple[str, int, str], ...] = ()
    "(file, line, text) of text that stands outside of any passage: it is shown on its page, never cited."

    @cached_property
    def by_id(self) -> Mapping[str, Passage]:
        return {p.id: p for p in self.passages}

    def game(self, name: str) -> Game:
        """The game of that name; `UsageError` names the games there are."""
        return find_game(self.games, name)


def find_game(games: Mapping[str, Game], name: str) -> Game:
    """A game by its name, title or alias, whatever the case; `UsageError` names the games there are."""
    wanted = name.strip().casefold()
    for game in games.values():
        if wanted in {game.name.casefold(), game.title.casefold(), *(alias.casefold() for alias in game.aliases)}:
            return game
    known = ", ".join(games) or "none"
    raise UsageError(f"there is no game {name!r} in this corpus", f"The games are: {known}")


def default_corpus_directory() -> Path:
    """KB_CORPUS, else the repository's corpus folder, else the one that was installed with the package."""
    named = os.environ.get("KB_CORPUS")
    if named:
        return Path(named)
    package = Path(__file__).resolve().parent
    beside = package.parent / "corpus"
    return beside if beside.is_dir() else package / "bundled"


def corpus_files(directory: Path) -> list[Path]:
    """The files that passages come from, sorted by path."""
    data = [file for name in ("game", "asks", "concepts", "claims") for file in directory.glob(f"*/{name}.yaml")]
    found = [*data, *directory.glob("*/**/*.md")]
    return sorted(path for path in found if path.is_file())


def corpus_digest(directory: Path) -> str:
    """SHA-256 over names and contents of the corpus's files: cheap enough to ask before every opening."""
    digest = hashlib.sha256()
    for path in corpus_files(directory):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(directory).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"this file can't be read ({error.strerror})", "Name one that exists", where=path) from None


def load_corpus(directory: Path | str | None = None) -> Corpus:
    """Reads every game below the directory. The first fault is a `CorpusError` with file and line."""
    root = Path(directory) if directory is not None else default_corpus_directory()
    if not root.is_dir():
        raise CorpusError("there is no such corpus folder", "Name one with --corpus or KB_CORPUS", where=root)
    folders = sorted(path.parent for path in root.glob("*/game.yaml"))
    if not folders:
        raise CorpusError(
            "no game in this folder", "A game is a folder with a game.yaml; `kb import` makes one", where=root
        )
    games: dict[str, Game] = {}
    passages: list[Passage] = []
    stray: list[tuple[str, int, str]] = []
    for folder in folders:
        game, of_game, outside = _Reader(root, folder).read()
        games[game.name] = game
        passages += of_game
        stray += outside
    return Corpus(root, games, tuple(passages), corpus_digest(root), tuple(stray))


def read_games(directory: Path) -> dict[str, Game]:
    """What every game.yaml says, without reading a page."""
    folders = sorted(path.parent for path in directory.glob("*/game.yaml"))
    return {folder.name: _Reader(directory, folder).game for folder in folders}


def parse_source(raw: Mapping[str, Any], where: Path | str, line: int | None = None) -> Source:
    """A Source from game.yaml's mapping, checked."""
    unknown = set(raw) - _SOURCE_KEYS
    if unknown:
        raise CorpusError(
            f"unknown key {min(unknown)!r} in a source", f"Allowed are: {', '.join(sorted(_SOURCE_KEYS))}", where=where
        )
    authority = raw.get("authority")
    if authority not in AUTHORITIES:
        raise CorpusError(
            f"unknown authority {authority!r}", f"Allowed are: {', '.join(AUTHORITIES)}", where=where, line=line
        )
    texts = {key: str(raw[key]) for key in _SOURCE_KEYS - {"restated"} if raw.get(key) is not None}
    _check_date(texts.get("date"), where, line)
    return Source(restated=bool(raw.get("restated", False)), **{"document": "", **texts})


def parse_asks(key: str, raw: Any, where: Path) -> Iterator[Ask]:
    """The phrasings of one passage: plain texts, or groups `{verdict, example, asks}` whose verdict is known."""
    for entry in raw if isinstance(raw, list) else [raw]:
        group = entry if isinstance(entry, dict) else {"asks": [entry]}
        phrasings, verdict, example = group.get("asks"), group.get("verdict"), group.get("example")
        if (
            set(group) - {"asks", "verdict", "example"}
            or verdict not in (None, "yes", "no")
            or not isinstance(example, str | None)
        ):
            raise CorpusError(
                f"{key!r} has a group that can't be read",
                "Write {verdict: yes|no, example: id, asks: [...]}",
                where=where,
            )
        if not isinstance(phrasings, list) or not all(isinstance(p, str) and p.strip() for p in phrasings):
            raise CorpusError(f"{key!r} has no list of phrasings", 'Write ["…", "…"]', where=where)
        for text in phrasings:
            yield Ask(text, verdict, example)


def _check_date(date: str | None, where: Path | str, line: int | None) -> None:
    if date is not None and not _DATE.fullmatch(date):
        raise CorpusError(f"bad date {date!r}", "Write 2026, 2026-03 or 2026-03-28", where=where, line=line)


class _Reader:
    """Reads one game's folder."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder, self.name = root, folder, folder.name
        self.game = self.read_game()
        self.asks: dict[str, tuple[Ask, ...]] = {}

    def read(self) -> tuple[Game, list[Passage], list[tuple[str, int, str]]]:
        from kb.parse import parse_page  # answering reads the index, no pages, and starts 40 ms sooner

        pages: list[tuple[str, str]] = []
        passages: list[Passage] = []
        stray: list[tuple[str, int, str]] = []
        self.asks = self.read_asks()
        for path in sorted(self.folder.rglob("*.md"), key=self.reading_order):
            file = path.relative_to(self.root).as_posix()
            name = path.relative_to(self.folder).with_suffix("").as_posix()
            page = parse_page(read_text(path), file)
            self.check_front(page, file)
            pages.append((name, page.title))
            passages += [self.passage(block, page, name, file) for block in page.blocks]
            stray += [(file, line, text) for line, text in page.stray]
        game = replace(self.game, pages=tuple(pages))
        return game, _Linker(game, passages, self.asks, self.folder).linked(), stray

    def reading_order(self, path: Path) -> tuple[int, str]:
        """Rules first, then FAQ, rulings, glossary."""
        last = ("faq", "rulings", "glossary")
        return (last.index(path.stem) + 1 if path.stem in last else 0, path.as_posix())

    def read_game(self) -> Game:
        path = self.folder / "game.yaml"
        raw = read_yaml(path)
        if not isinstance(raw, dict):
            raise CorpusError("this file is no mapping", "Write `key: value` lines", where=path)
        unknown = set(raw) - _GAME_KEYS
        if unknown:
            raise CorpusError(
                f"unknown key {min(unknown)!r}", f"Allowed are: {', '.join(sorted(_GAME_KEYS))}", where=path
            )
        if raw.get("game") != self.name:
            raise CorpusError(
                f"game is {raw.get('game')!r} but the folder is {self.name!r}", "Make them the same", where=path
            )
        sources = raw.get("sources") or {}
        if not isinstance(sources, dict) or not sources:
            raise CorpusError("no sources", "Name at least one, with its authority", where=path)
        precedence = tuple(raw.get("precedence") or DEFAULT_PRECEDENCE)
        if set(precedence) - set(AUTHORITIES):
            raise CorpusError("unknown authority in precedence", f"Allowed: {', '.join(AUTHORITIES)}", where=path)
        return Game(
            name=self.name,
            title=str(raw.get("title") or self.name),
            aliases=tuple(map(str, raw.get("aliases") or ())),
            owner=str(raw.get("owner") or ""),
            note=str(raw.get("note") or ""),
            sources={key: parse_source(value, path) for key, value in sources.items()},
            default_source=str(raw.get("default_source") or next(iter(sources))),
            precedence=precedence,
            missing_pages=tuple(map(str, raw.get("missing_pages") or ())),
            capitalised_terms=bool(raw.get("capitalised_terms", False)),
        )

    def read_asks(self) -> dict[str, tuple[Ask, ...]]:
        path = self.folder / "asks.yaml"
        raw = (read_yaml(path) or {}) if path.is_file() else {}
        if not isinstance(raw, dict):
            raise CorpusError("this file is no mapping", "Write `page#anchor: [phrasing, …]`", where=path)
        return {key: tuple(parse_asks(key, value, path)) for key, value in raw.items()}

    def check_front(self, page: Page, file: str) -> None:
        unknown = set(page.front) - _FRONT_KEYS
        if unknown:
            raise CorpusError(
                f"unknown key {min(map(str, unknown))!r} in the front matter",
                f"Allowed are: {', '.join(sorted(_FRONT_KEYS))}",
                where=file,
                line=2,
            )

    def passage(self, block: Block, page: Page, name: str, file: str) -> Passage:
        a, front = block.attrs, page.front
        if not block.texts:
            raise CorpusError(
                f"the passage {a['id']!r} has no text", "Write it below the heading", where=file, line=block.line
            )
        kind = a.get("kind") or str(front.get("kind") or "rule")
        if kind not in KINDS:
            raise CorpusError(f"unknown kind {kind!r}", f"Allowed: {', '.join(KINDS)}", where=file, line=block.line)
        verdict = a.get("verdict")
        if verdict not in (None, "yes", "no"):
            raise CorpusError(f"unknown verdict {verdict!r}", "Write yes or no", where=file, line=block.line)
        path = block.path if block.path[:1] == (page.title,) else (page.title, *block.path)
        term = a.get("term") or (block.title if kind in ("term", "undefined") else None)
        return Passage(
            id=f"{self.name}/{name}#{a['id']}",
            game=self.name,
            page=name,
            anchor=a["id"],
            kind=kind,
            title=block.title,
            path=path,
            text="\n".join(block.texts),
            markdown="\n\n".join(block.sources),
            source=self.source(a, front, file, block.line),
            file=file,
            lines=(block.line, max(block.line, block.last_line)),
            term=term,
            aliases=_split(a.get("aliases"), "|"),
            default=a.get("default"),
            asks=self.asks.get(f"{name}#{a['id']}", ()),
            see=_split(a.get("see"), ","),
            supersedes=_split(a.get("supersedes"), ","),
            superseded_by=_split(a.get("superseded_by"), ","),
            verdict=verdict,
            parent=f"{self.name}/{name}#{block.parent}" if block.parent else None,
            ref=a.get("ref"),
        )

    def source(self, attrs: Mapping[str, str], front: Mapping[str, Any], file: str, line: int) -> Source:
        """The source named by the block, else by the page, else the game's, with its own particulars on top."""
        key = attrs.get("source") or str(front.get("source") or self.game.default_source)
        if key not in self.game.sources:
            raise CorpusError(
                f"unknown source {key!r}",
                f"{self.name}/game.yaml names: {', '.join(self.game.sources)}",
                where=file,
                line=line,
            )
        own = {k: str(front[k]) for k in ("page", "by", "via", "date", "url") if front.get(k) is not None}
        own |= {k: attrs[k] for k in ("page", "by", "via", "date", "url") if k in attrs}
        _check_date(own.get("date"), file, line)
        source = self.game.sources[key]
        return replace(source, **own) if own else source  # type: ignore[arg-type]  # all of these are text


def _split(text: str | None, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(separator) if part.strip())


class _Linker:
    """Resolves a game's references and says which can't be."""

    def __init__(self, game: Game, passages: list[Passage], asks: Mapping[str, tuple[Ask, ...]], folder: Path) -> None:
        self.game, self.passages = game, passages
        self.by_id: dict[str, Passage] = {}
        for p in passages:
            if p.id in self.by_id:
                first = self.by_id[p.id]
                raise CorpusError(
                    f"the id {p.anchor!r} is given twice (first at {first.file}:{first.lines[0]})",
                    "Give one of them another id",
                    where=p.file,
                    line=p.lines[0],
                )
            self.by_id[p.id] = p
        for key in asks:
            if f"{game.name}/{key}" not in self.by_id:
                raise CorpusError(
                    f"asks for {key!r}, which is no passage", "Write page#anchor", where=folder / "asks.yaml"
                )
        self.titles = {title.casefold(): name for name, title in game.pages}

    def linked(self) -> list[Passage]:
        replaced_by: dict[str, list[str]] = {}
        replaces: dict[str, list[str]] = {}
        for p in self.passages:
            for old in (self.full(ref, p) for ref in p.supersedes):
                replaced_by.setdefault(old, []).append(p.id)
                replaces.setdefault(p.id, []).append(old)
            for new in (self.full(ref, p) for ref in p.superseded_by):
                replaced_by.setdefault(p.id, []).append(new)
                replaces.setdefault(new, []).append(p.id)
        return [
            replace(
                p,
                see=tuple(dict.fromkeys(found)),
                missing=tuple(dict.fromkeys(missing)),
                supersedes=tuple(dict.fromkeys(replaces.get(p.id, ()))),
                superseded_by=tuple(dict.fromkeys(replaced_by.get(p.id, ()))),
            )
            if p.see or p.id in replaces or p.id in replaced_by
            else p
            for p in self.passages
            for found, missing in [self.references(p)]
        ]

    def full(self, ref: str, p: Passage) -> str:
        """The full id of a reference to a passage; `CorpusError` where there is none."""
        for candidate in (ref, f"{self.game.name}/{ref}", f"{self.game.name}/{p.page}#{ref.lstrip('#')}"):
            if candidate in self.by_id:
                return candidate
        raise CorpusError(
            f"{p.anchor!r} refers to {ref!r}, which is no passage",
            "Write page#anchor of a passage that exists",
            where=p.file,
            line=p.lines[0],
        )

    def references(self, p: Passage) -> tuple[list[str], list[str]]:
        """What a passage points to by `see`: (ids of passages and pages, names of missing pages)."""
        found: list[str] = []
        missing: list[str] = []
        for ref in p.see:
            if ref.casefold() in {name.casefold() for name in self.game.missing_pages}:
                missing.append(ref)
            elif ref.casefold() in self.titles:
                found.append(f"{self.game.name}/{self.titles[ref.casefold()]}")
            else:
                found.append(self.full(ref, p))
        return found, missing


__all__ = [
    "Corpus",
    "Game",
    "corpus_digest",
    "corpus_files",
    "default_corpus_directory",
    "file_digest",
    "find_game",
    "load_corpus",
    "parse_source",
    "read_games",
]
