"""Worked examples from YAML: each a sentence, an input, what must come out, and the passages that it bears out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.engine import plugins
from kb.engine.documents import Lined, check_keys, read, yaml_files
from kb.engine.fields import nearest
from kb.engine.kernel import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure
from kb.errors import ExampleError, UsageError

KEYS = ("id", "title", "procedure", "given", "expect", "bears_out", "from")
ORIGINS = ("own", "rulebook", "faq", "ruling")
STATUSES = (RESOLVED, LEGAL, ILLEGAL, UNDETERMINED)
VERDICT_KEYS = ("status", "forbidden_by", "missing", "error")


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example."""

    id: str
    "Unique within the game."
    title: str
    procedure: str
    given: Mapping[str, Any]
    expect: Mapping[str, Any]
    "Any subset of the result, `status`, `forbidden_by`, `missing` (a part of what is); or `error` (of the refusal)."
    bears_out: tuple[str, ...]
    "Ids of the passages that it supports."
    origin: str
    "One of ORIGINS (`from` in the file)."
    file: str
    line: int

    @property
    def game(self) -> str:
        return self.procedure.partition(".")[0]


def load_examples(paths: Iterable[Path], passages: Collection[str]) -> tuple[Example, ...]:
    """The examples of files and of folders, in file order. `passages` are the ids that `bears_out` may name.

    Raises ExampleError, with file and line, for the first one that is not well formed.
    """
    found: dict[tuple[str, str], Example] = {}
    for file in _files(paths):
        for raw in _entries(file):
            example = _example(raw, file, passages)
            first = found.setdefault((example.game, example.id), example)
            if first is not example:
                raise _bad(raw, file, f'the id "{example.id}" stands twice (first at {first.file}:{first.line})')
    return tuple(found.values())


def _files(paths: Iterable[Path]) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}", "Name a YAML file of examples, or a folder of them")
        for file in yaml_files(path) if path.is_dir() else [path]:
            files[file] = None
    return list(files)


def _entries(file: Path) -> list[Lined]:
    raw = read(file)
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise ExampleError("this file is no list of examples", "Begin each one with `- id: …`", where=file, line=1)
    for place, each in enumerate(raw):
        if not isinstance(each, Lined):
            raise ExampleError(f"entry {place + 1} is no example", "Begin each one with `- id: …`", where=file)
    return raw


def _example(raw: Lined, file: Path, passages: Collection[str]) -> Example:
    check_keys(raw, KEYS, file, f'example "{raw.get("id", "?")}": ')
    for key in ("id", "title", "procedure"):
        if not isinstance(raw.get(key), str) or not raw[key].strip():
            raise _bad(raw, file, f"{key} is missing or no text", f"Every example has: {', '.join(KEYS[:5])}")
    for key in ("given", "expect"):
        if not isinstance(raw.get(key), dict):
            raise _bad(raw, file, f"{key} is missing or no mapping", f"Write {key}: {{…}}")
    origin = raw.get("from", "own")
    if origin not in ORIGINS:
        raise _bad(raw, file, f'from is "{origin}"', nearest(origin, ORIGINS))
    _check_expect(raw, file, passages)
    return Example(
        id=raw["id"],
        title=raw["title"],
        procedure=raw["procedure"],
        given=raw["given"],
        expect=raw["expect"],
        bears_out=_bears_out(raw, file, passages),
        origin=origin,
        file=str(file),
        line=raw.line,
    )


def _check_expect(raw: Lined, file: Path, passages: Collection[str]) -> None:
    expect = raw["expect"]
    procedure = _procedure(raw, file)
    allowed = (*(each.name for each in procedure.result), *VERDICT_KEYS)
    for key in expect:
        if key not in allowed:
            raise _bad(raw, file, f'expect: unknown key "{key}"', nearest(key, allowed))
    if not expect:
        raise _bad(raw, file, "expect is empty, so nothing is tested", nearest("", allowed))
    if "error" in expect and (len(expect) > 1 or not expect["error"] or not isinstance(expect["error"], str)):
        raise _bad(raw, file, "expect: error stands alone, with a part of the message", "Refused input has no result")
    if not isinstance(expect.get("missing", ""), str):
        raise _bad(raw, file, "expect: missing is no text", "Give a part of what must be reported as missing")
    if "status" in expect and expect["status"] not in STATUSES:
        raise _bad(raw, file, f'expect: status "{expect["status"]}"', nearest(expect["status"], STATUSES))
    forbidden_by = expect.get("forbidden_by")
    known = {*plugins.clauses_of([procedure]), *passages}
    if forbidden_by is not None and forbidden_by not in known:
        raise _bad(raw, file, f'expect: forbidden_by "{forbidden_by}" is no clause', nearest(forbidden_by, known))


def _procedure(raw: Lined, file: Path) -> Procedure:
    try:
        return plugins.procedure(raw["procedure"])
    except UsageError as fault:
        raise _bad(raw, file, fault.found, fault.mend) from None


def _bears_out(raw: Lined, file: Path, passages: Collection[str]) -> tuple[str, ...]:
    ids = raw.get("bears_out") or []
    if not isinstance(ids, list):
        raise _bad(raw, file, "bears_out is no list", "Write bears_out: [passage id, …]")
    for each in ids:
        if each not in passages:
            raise _bad(raw, file, f'bears_out: there is no passage "{each}"', nearest(each, passages))
    return tuple(ids)


def _bad(raw: Lined, file: Path, found: str, mend: str = "") -> ExampleError:
    return ExampleError(f'example "{raw.get("id", "?")}": {found}', mend, where=file, line=raw.line)
