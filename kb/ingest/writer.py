"""A draft becomes a corpus folder: all of it or nothing, the same ids each time, no hand edit lost."""

from __future__ import annotations

import difflib
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kb.corpus import load_corpus
from kb.errors import CorpusError, IngestError
from kb.ingest.draft import Draft, Finding, Options
from kb.ingest.escape import count_words
from kb.ingest.gamefile import game_yaml, merged_game
from kb.ingest.linking import Linked, link_pages
from kb.ingest.manifest import MANIFEST, Entry, Manifest, digest, fit_beside
from kb.ingest.markdown_page import render_page
from kb.parse import parse_page, plain
from kb.passage import Passage
from kb.yamlfile import read_text

MOST_BLOCKS = 100_000
"Passages of one import, which bounds time and memory. The longest rules text has four thousand."
_WORK, _OLD = ".kb-import-", ".old"
_STALE = 3600.0
"Seconds after which the work folder of an import is taken for a killed one's."
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
    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    overwritten: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    digests: Mapping[str, Entry] = field(default_factory=dict)
    "Of all files as the import would write them, the kept ones too."
    manifest: Manifest = field(default_factory=lambda: Manifest({}, {}, {}))


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
    since the last import is kept when its source has not changed; otherwise `IngestError` shows the difference, and
    `force` overwrites it. The new folder takes the old one's place by renaming, after the corpus reader has read it.
    """
    folder = game_folder(options.game, to)
    if not any(page.blocks for page in draft.pages):
        raise IngestError("nothing that could be a passage was found", "Check that the right file was named")
    count = sum(len(page.blocks) for page in draft.pages)
    if count > MOST_BLOCKS:
        raise IngestError(f"{count:,} passages; up to {MOST_BLOCKS:,} are imported at a time", "Split the source")
    _recover(folder)
    old = Manifest.read(folder)
    draft, keys = fit_beside(draft, folder, old)
    linked = link_pages(draft, _old_ids(folder, old))
    files = {f"{name}.md": render_page(page, named, linked.link_for(name)) for name, page, named in linked.pages}
    origins = {f"{name}.md": page.origin for name, page, _ in linked.pages}
    game = merged_game(folder / "game.yaml", draft, options, linked.missing_pages, old.fields)
    plan = _plan(folder, {"game.yaml": game_yaml(game), **files}, origins, old, force)
    plan = replace(plan, manifest=old.after(plan.digests, plan.removed, keys, draft.sources))
    before = _ids(folder)
    passages = _commit(folder, plan)
    return _report(draft, options, folder, plan, linked, before, passages)


def _old_ids(folder: Path, old: Manifest) -> dict[str, dict[str, str]]:
    """page -> (text of a passage -> its id), of the pages that an import wrote before."""
    ids: dict[str, dict[str, str]] = {}
    for name in old.files:
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


def _plan(folder: Path, files: Mapping[str, str], origins: Mapping[str, str], old: Manifest, force: bool) -> _Plan:
    written: list[str] = []
    kept: list[str] = []
    overwritten: list[str] = []
    conflicts: list[tuple[str, str]] = []
    for name, text in files.items():
        there = _read(folder / name)
        before = old.files[name].sha256 if name in old.files else None
        if there is None or there == text or digest(there) == before or name == "game.yaml":
            # game.yaml is merged, not replaced: what stood in it is in the new one.
            written.append(name)
        elif before == digest(text):
            kept.append(name)
        elif force:
            overwritten.append(name)
        else:
            conflicts.append((name, _difference(there, text)))
    if conflicts:
        raise _edited(folder, conflicts)
    return _Plan(
        files={name: text for name, text in files.items() if name not in kept},
        written=tuple(written),
        kept=tuple(kept),
        overwritten=tuple(overwritten),
        removed=tuple(old.left_over(folder, files, origins.values())),
        digests={name: Entry(digest(text), origins.get(name, "")) for name, text in files.items()},
    )


def _read(path: Path) -> str | None:
    return read_text(path, IngestError) if path.is_file() else None


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
    work = Path(tempfile.mkdtemp(prefix=_WORK, dir=folder.parent))
    try:
        fresh = work / folder.name
        if folder.is_dir():
            shutil.copytree(folder, fresh, symlinks=True)
        fresh.mkdir(exist_ok=True)
        for name in plan.removed:
            (fresh / name).unlink()
        for name, text in plan.files.items():
            _write(fresh, name, text)
        _write(fresh, MANIFEST, plan.manifest.text())
        passages = _read_back(work)
        _swap(fresh, folder, work / f"{folder.name}{_OLD}")
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


def _recover(folder: Path) -> None:
    """Puts back a folder whose import was killed between the two renames, and clears what killed imports left."""
    for work in folder.parent.glob(f"{_WORK}*"):
        old = work / f"{folder.name}{_OLD}"
        if old.is_dir() and not folder.exists():
            old.rename(folder)
        with suppress(OSError):
            if time.time() - work.stat().st_mtime > _STALE:
                shutil.rmtree(work, ignore_errors=True)


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
