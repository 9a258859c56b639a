"""A draft becomes a corpus folder: all of it or nothing, the same ids each time, no hand edit lost."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kb.corpus import load_corpus
from kb.errors import CorpusError, IngestError
from kb.ingest.draft import Draft, DraftPage, Finding, Options
from kb.ingest.escape import count_words
from kb.ingest.gamefile import game_yaml, merged_game
from kb.ingest.linking import Linked, link_pages
from kb.ingest.markdown_page import render_page
from kb.parse import parse_page, plain
from kb.passage import Passage
from kb.yamlfile import read_text

MANIFEST = ".import.json"
"Beside game.yaml: the digest of each file as the import wrote it, so that hand edits are seen."
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Report:
    """What an import made."""

    game: str
    folder: Path
    pages: int
    passages: Mapping[str, int]
    "Number of passages per kind."
    words_in: int
    "Words of the source; 0 where the importer did not count."
    words_out: int
    "Words of the pages written."
    words_left_out: int
    "Words of the source that a finding accounts for."
    findings: tuple[Finding, ...]
    written: tuple[str, ...]
    kept: tuple[str, ...] = ()
    "Files with edits by hand that were left as they are, since their source has not changed."
    overwritten: tuple[str, ...] = ()
    "Files whose edits by hand were overwritten, as was asked."
    gone: tuple[str, ...] = ()
    "Ids of an earlier import that are no more."

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`."""
        from dataclasses import asdict

        return asdict(self) | {"folder": str(self.folder)}


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done to the folder."""

    files: Mapping[str, str]
    origins: Mapping[str, str]
    "File -> the source that it was made from."
    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    overwritten: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict)


def game_folder(game: str, to: Path) -> Path:
    """The folder of the game in the corpus folder `to`; `to` itself where it is that game's folder already."""
    if not _NAME.fullmatch(game):
        mend = "Use small letters, digits and hyphens, such as `--game my-game`"
        raise IngestError(f"{game!r} can't be the name of a game", mend)
    folder = to if to.name == game and (to / "game.yaml").is_file() else to / game
    if folder.is_symlink() or not folder.resolve().is_relative_to(to.resolve()):
        raise IngestError("the game's folder leads out of the corpus folder", "Remove the link", where=folder)
    if folder.exists() and not folder.is_dir():
        raise IngestError("there is a file where the game's folder would be", "Move it away", where=folder)
    return folder


def write_draft(draft: Draft, options: Options, to: Path, *, force: bool = False) -> Report:
    """Writes the draft as the game's folder in the corpus folder `to` and reports what became of it.

    Whatever else the folder holds (examples, asks, pages from other sources) stays. A file that was edited by hand
    since the last import is kept when its source has not changed; otherwise `IngestError` shows the difference, and `force`
    overwrites it. The new folder takes the old one's place in one rename, after the corpus reader has read it.
    """
    folder = game_folder(options.game, to)
    if not any(page.blocks for page in draft.pages):
        raise IngestError("nothing that could be a passage was found", "Check that the right file was named")
    old = _manifest(folder)
    draft = _fit_beside(draft, folder, old)
    linked = link_pages(draft, _old_ids(folder, old))
    files = {f"{name}.md": render_page(page, named, linked.link_for(name)) for name, page, named in linked.pages}
    origins = {f"{name}.md": page.origin for name, page, _ in linked.pages}
    game = merged_game(folder / "game.yaml", draft, options, linked.missing_pages)
    plan = _plan(folder, {"game.yaml": game_yaml(game), **files}, origins, old, force)
    before = _ids(folder)
    passages = _commit(folder, plan)
    return _report(draft, options, folder, plan, linked, before, passages)


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    with suppress(OSError, ValueError):
        read = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(read, dict) and isinstance(read.get("files"), dict):
            return read
    return {"files": {}}


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _fit_beside(draft: Draft, folder: Path, old: Mapping[str, Any]) -> Draft:
    """Renames pages that another source's pages stand in the way of (`glossary` → `glossary-<document>`)."""
    origins = {page.origin for page in draft.pages}
    foreign = {
        name.removesuffix(".md")
        for name, entry in old["files"].items()
        if entry.get("origin") not in origins and (folder / name).is_file()
    }
    pages = [
        replace(page, name=f"{page.name}-{Path(page.origin).stem or 'more'}") if page.name in foreign else page
        for page in draft.pages
    ]
    return replace(draft, pages=tuple(pages))


def _old_ids(folder: Path, old: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """page -> (text of a passage -> its id), of the pages that an import wrote before."""
    ids: dict[str, dict[str, str]] = {}
    for name in old["files"]:
        path = folder / name
        if path.suffix == ".md" and path.is_file():
            with suppress(CorpusError):
                page = parse_page(read_text(path), str(path))
                texts = Counter(_key(block.texts) for block in page.blocks)
                ids[name.removesuffix(".md")] = {
                    _key(block.texts): block.attrs["id"] for block in page.blocks if texts[_key(block.texts)] == 1
                }
    return ids


def _key(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split())


def _plan(
    folder: Path, files: Mapping[str, str], origins: Mapping[str, str], old: Mapping[str, Any], force: bool
) -> _Plan:
    known: Mapping[str, Any] = old["files"]
    written: list[str] = []
    kept: list[str] = []
    overwritten: list[str] = []
    conflicts: list[tuple[str, str]] = []
    for name, text in files.items():
        there = _read(folder / name)
        before = known.get(name, {}).get("sha256")
        if there is None or there == text or _sha(there) == before or name == "game.yaml":
            # game.yaml is merged, not replaced: what stood in it is in the new one.
            written.append(name)
        elif before == _sha(text):
            kept.append(name)
        elif force:
            overwritten.append(name)
        else:
            conflicts.append((name, _difference(there, text)))
    if conflicts:
        raise _edited(folder, conflicts)
    removed = _left_over(folder, files, origins, known)
    manifest = {name: entry for name, entry in known.items() if name not in removed}
    manifest |= {name: {"sha256": _sha(text), "origin": origins.get(name, "")} for name, text in files.items()}
    new = {name: text for name, text in files.items() if name not in kept}
    return _Plan(new, origins, tuple(written), tuple(kept), tuple(overwritten), tuple(removed), {"files": manifest})


def _read(path: Path) -> str | None:
    return read_text(path, IngestError) if path.is_file() else None


def _left_over(
    folder: Path, files: Mapping[str, str], origins: Mapping[str, str], known: Mapping[str, Any]
) -> list[str]:
    """Files that an earlier import of the same source wrote, that nobody has edited and that are no more part of it."""
    mine = set(origins.values())
    gone = [name for name, entry in known.items() if name not in files and entry.get("origin") in mine]
    return [name for name in gone if (text := _read(folder / name)) is not None and _sha(text) == known[name]["sha256"]]


def _difference(old: str, new: str) -> str:
    """The first lines that differ, as a diff shows them."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "yours", "from the source", lineterm="", n=0)
    changed = [line for line in lines if not line.startswith(("---", "+++"))]
    shown = "\n".join(f"    {line[:200]}" for line in changed[:8])
    return f"{shown}\n    … and {len(changed) - 8} more lines" if len(changed) > 8 else shown


def _edited(folder: Path, conflicts: Sequence[tuple[str, str]]) -> IngestError:
    names = ", ".join(name for name, _ in conflicts)
    details = "\n".join(f"  {name}\n{difference}" for name, difference in conflicts[:5])
    return IngestError(
        f"edited by hand since the last import, and the source has other text there: {names}\n{details}\n",
        "Nothing was written. Import with --force to overwrite your edits, or into another folder with --to",
        where=folder,
    )


def _ids(folder: Path) -> set[str]:
    ids: set[str] = set()
    for path in folder.rglob("*.md") if folder.is_dir() else ():
        with suppress(CorpusError):
            page = path.relative_to(folder).with_suffix("").as_posix()
            ids |= {f"{page}#{block.attrs['id']}" for block in parse_page(read_text(path), str(path)).blocks}
    return ids


def _commit(folder: Path, plan: _Plan) -> tuple[Passage, ...]:
    """Builds the folder anew beside the old one, has it read, and swaps it in. Returns what was read."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".kb-import-", dir=folder.parent))
    try:
        fresh = work / folder.name
        if folder.is_dir():
            shutil.copytree(folder, fresh, symlinks=True)
        fresh.mkdir(exist_ok=True)
        for name in plan.removed:
            (fresh / name).unlink()
        for name, text in plan.files.items():
            _write(fresh, name, text)
        _write(fresh, MANIFEST, json.dumps(plan.manifest, indent=1, sort_keys=True) + "\n")
        passages = _read_back(work)
        _swap(fresh, folder, work / "old")
        return passages
    except OSError as error:
        reason = error.strerror or str(error)
        raise IngestError(
            f"the corpus folder can't be written: {reason.lower()}", "Free space or change rights", where=folder
        ) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    if not path.resolve().is_relative_to(root.resolve()):
        raise IngestError(f"the page {name!r} would be written outside of the game's folder", "Rename the source")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _read_back(work: Path) -> tuple[Passage, ...]:
    try:
        return load_corpus(work).passages
    except CorpusError as error:
        shown = str(error).replace(f"{work}/", "")
        raise IngestError(
            f"the pages can't be read back ({shown})", "Mend what was edited by hand, or --force"
        ) from error


def _swap(fresh: Path, folder: Path, old: Path) -> None:
    if folder.exists():
        folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise


def _report(
    draft: Draft,
    options: Options,
    folder: Path,
    plan: _Plan,
    linked: Linked,
    before: Iterable[str],
    passages: Sequence[Passage],
) -> Report:
    after = {f"{p.page}#{p.anchor}" for p in passages}
    names = {name for name, _, _ in linked.pages}
    findings = (*draft.findings, *linked.findings)
    return Report(
        game=options.game,
        folder=folder,
        pages=len(names),
        passages=dict(Counter(p.kind for p in passages if p.page in names)),
        words_in=draft.words_in,
        words_out=sum(_words_of(text) for name, text in plan.files.items() if name.endswith(".md")),
        words_left_out=sum(finding.lost_words for finding in findings),
        findings=findings,
        written=tuple(name for name in plan.written if name != "game.yaml"),
        kept=plan.kept,
        overwritten=plan.overwritten,
        gone=tuple(sorted(set(before) - after)),
    )


def _words_of(page: str) -> int:
    body = page.split("\n---\n", 1)[-1]
    said = re.findall(r'\b(?:via|by|see|default|aliases)=(?:"([^"]*)"|([^\s}]+))', body)
    return count_words(plain(body)) + sum(count_words("".join(pair)) for pair in said)


def merge_drafts(drafts: Sequence[Draft]) -> Draft:
    """Several sources as one draft. Their glossaries become one, and so do their FAQs and rulings."""
    if len(drafts) == 1:
        return drafts[0]
    sources: dict[str, Mapping[str, str]] = {}
    pages: list[DraftPage] = []
    for draft in drafts:
        keys = _fresh_keys(sources, draft.sources)
        sources |= {keys[key]: value for key, value in draft.sources.items()}
        pages += [_with_sources(page, keys) for page in draft.pages]
    return Draft(
        pages=tuple(_joined(pages)),
        sources=sources,
        findings=tuple(finding for draft in drafts for finding in draft.findings),
        title=next((draft.title for draft in drafts if draft.title), ""),
        missing_pages=tuple(dict.fromkeys(name for draft in drafts for name in draft.missing_pages)),
        words_in=sum(draft.words_in for draft in drafts) if all(draft.words_in for draft in drafts) else 0,
    )


def _fresh_keys(taken: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for key, value in new.items():
        name, n = key, 1
        while name in taken and taken[name] != value:
            n += 1
            name = f"{key}-{n}"
        keys[key] = name
    return keys


def _with_sources(page: DraftPage, keys: Mapping[str, str]) -> DraftPage:
    blocks = tuple(
        replace(block, source=keys.get(block.source, block.source)) if block.source else block for block in page.blocks
    )
    return replace(page, source=keys.get(page.source, page.source), blocks=blocks)


def _joined(pages: Iterable[DraftPage]) -> list[DraftPage]:
    """Pages in order; glossary, faq and rulings of all sources on one page each, every block with its source."""
    joined: dict[str, DraftPage] = {}
    others: list[DraftPage] = []
    for page in pages:
        if page.name not in ("glossary", "faq", "rulings"):
            others.append(page)
            continue
        blocks = tuple(block if block.source else replace(block, source=page.source) for block in page.blocks)
        first = joined.get(page.name, replace(page, blocks=()))
        joined[page.name] = replace(first, blocks=(*first.blocks, *blocks))
    return [*others, *joined.values()]
