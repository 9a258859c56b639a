"""Reads the engine's YAML and JSON: duplicate keys refused, `on` and `yes` stay words, every mapping knows its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from kb.engine.fields import nearest
from kb.errors import ExampleError
from kb.yamlfile import read_text

_Base: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Lined(dict[str, Any]):
    """A mapping that knows the line it begins at (1-based)."""

    line: int = 1


class _Loader(_Base):  # type: ignore[misc]  # the base is chosen at run time
    """The safe loader with the plain words of YAML 1.2: only true, false, null and decimal numbers are no text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # as the base has it


for _tag, _pattern, _first in (
    ("bool", r"^(true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(null|Null|NULL|~|)$", ["n", "N", "~", ""]),
    ("int", r"^[-+]?(0|[1-9][0-9]*)$", "-+0123456789"),
    ("float", r"^[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?$", "-+.0123456789"),
    ("merge", r"^<<$", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), list(_first))


def _mapping(loader: Any, node: yaml.MappingNode) -> Lined:
    seen: set[str] = set()
    for key_node, _ in node.value:
        key = key_node.value
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(None, None, "a key must be plain text", key_node.start_mark)
        if key in seen and key != "<<":
            raise yaml.constructor.ConstructorError(None, None, f'"{key}" is given twice', key_node.start_mark)
        seen.add(key)
    loader.flatten_mapping(node)
    built = Lined()
    for key_node, value_node in node.value:
        built[key_node.value] = loader.construct_object(value_node, deep=True)
    built.line = node.start_mark.line + 1
    return built


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def parse(text: str, where: Path | str | None) -> Any:
    """The value of a YAML or JSON text. `where` names it in errors."""
    try:
        if text.lstrip().startswith(("{", "[")):
            return _parse_json(text)
        return yaml.load(text, Loader=_Loader)  # a safe loader
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = mark.line + 1 if mark else None
        raise ExampleError(f"not valid YAML: {fault.problem}", "Mend the line", where=where, line=line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise ExampleError(f"not valid YAML: {fault}", "Mend the file", where=where) from None


def _parse_json(text: str) -> Any:
    """JSON first: YAML reads most of it, but not tabs. What is no JSON may still be YAML's flow style."""
    try:
        return json.loads(text, object_pairs_hook=_no_twice)
    except json.JSONDecodeError:
        return yaml.load(text, Loader=_Loader)  # a safe loader


def _no_twice(pairs: list[tuple[str, Any]]) -> Lined:
    built = Lined()
    for key, value in pairs:
        if key in built:
            raise ValueError(f'"{key}" is given twice')
        built[key] = value
    return built


def read(path: Path) -> Any:
    """The value of a YAML or JSON file."""
    return parse(read_text(path, ExampleError), path)


def read_mapping(path: Path, allowed: tuple[str, ...] = ()) -> Lined:
    """A file that holds one mapping; keys that are not `allowed` are refused (all are, where none is named)."""
    raw = read(path)
    if raw is None:
        return Lined()
    if not isinstance(raw, Lined):
        raise ExampleError("this file is no mapping", "Write `key: value` lines", where=path, line=1)
    if allowed:
        check_keys(raw, allowed, path)
    return raw


def check_keys(raw: Lined, allowed: tuple[str, ...], where: Path | str | None, what: str = "") -> None:
    """Refuses a key that is not allowed, with the nearest that is."""
    for key in raw:
        if key not in allowed:
            raise ExampleError(f'{what}unknown key "{key}"', nearest(key, allowed), where=where, line=raw.line)


def yaml_files(folder: Path) -> Iterator[Path]:
    """The YAML files below a folder, by name."""
    found = [*folder.rglob("*.yaml"), *folder.rglob("*.yml")]
    return iter(sorted(path for path in found if path.is_file()))
