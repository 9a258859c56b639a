"""Reads YAML files: safe types only, duplicate keys refused, errors with file and line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from kb.errors import CorpusError, KBError

_Base: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]  # the base is chosen at run time
    """The safe loader, except that a key given twice is an error and a date stays text."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: dict[Any, int] = {}
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        line = key_node.start_mark.line + 1
        if not isinstance(key, (str, int, float, bool)) and key is not None:
            raise yaml.constructor.ConstructorError(None, None, "a key must be plain text", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key!r} is given twice (first at line {seen[key]})", key_node.start_mark
            )
        seen[key] = line
    built: dict[Any, Any] = loader.construct_mapping(node, deep=True)
    return built


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
# YAML 1.1 reads `yes`, `no` and `on` as booleans; here they are words, as in YAML 1.2.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|false|False)$"), list("tTfF"))
_Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))


def read_text(path: Path, error: type[KBError] = CorpusError) -> str:
    """The file as text. Not UTF-8, or unreadable: `error` with the file and the next step."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as exc:
        line = path.read_bytes()[: exc.start].count(b"\n") + 1
        raise error("this file is not UTF-8", "Save it as UTF-8 and try again", where=path, line=line) from None
    except OSError as exc:
        raise error(
            f"this file can't be read ({exc.strerror})", "Check that it exists and its rights", where=path
        ) from None


def parse_yaml(text: str, where: Path | str, first_line: int = 1, error: type[KBError] = CorpusError) -> Any:
    """The value of a YAML text that starts at line `first_line` of the file `where`."""
    try:
        return yaml.load(text, Loader=_Loader)  # a safe loader
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        line = mark.line + first_line if mark else first_line
        raise error(f"this is not valid YAML: {exc.problem}", "Mend the line", where=where, line=line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as exc:
        raise error(f"this is not valid YAML: {exc}", "Mend the file", where=where, line=first_line) from None


def read_yaml(path: Path, error: type[KBError] = CorpusError) -> Any:
    """The value of a YAML file."""
    return parse_yaml(read_text(path, error), path, error=error)
