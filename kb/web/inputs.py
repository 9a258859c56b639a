"""A procedure's input as a form needs it: values to begin with, names to choose from, what is no default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.engine.fields import Field, paths

SCALARS = ("integer", "number", "boolean", "choice", "text", "name")


def label(field: Field) -> str:
    """The field's name for people, with its unit where the name does not say it."""
    name = (field.name or "each").replace("_", " ")
    unit = f" ({field.unit})" if field.unit and field.unit not in name else ""
    return name[:1].upper() + name[1:] + unit


def blank(field: Field) -> Any:
    """What a field holds before anybody fills it in."""
    if not field.required:
        return _plain(field.default) if field.kind != "record" or field.default is None else _record(field)
    if field.nullable:
        return None
    if field.kind == "record":
        return _record(field)
    if field.kind == "list":
        assert field.item is not None
        return [blank(field.item) for _ in range(int(field.low or 0))]
    if field.kind == "choice":
        return field.choices[0]
    empty: dict[str, Any] = {"mapping": {}, "boolean": False, "text": "", "name": ""}
    return empty[field.kind] if field.kind in empty else _nought(field)


def _record(field: Field) -> dict[str, Any]:
    given = field.default if isinstance(field.default, Mapping) else {}
    return {each.name: given.get(each.name, blank(each)) for each in field.fields}


def _nought(field: Field) -> int:
    """0, or the nearest number that is allowed."""
    low = field.low if field.low is not None else 0
    high = field.high if field.high is not None else low
    return int(min(max(0, low), high)) if field.high is not None else int(max(0, low))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def beginning(fields: Sequence[Field], given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The whole input to begin with: what is given, the rest blank. Keys that are no fields are left out."""
    given = given or {}
    return {field.name: fitted(field, given[field.name]) if field.name in given else blank(field) for field in fields}


def fitted(field: Field, value: Any) -> Any:
    """A given value with what it leaves out filled in; what is not of the field's kind gives way to the blank."""
    if value is None:
        return None if field.nullable or field.default is None else blank(field)
    if field.kind == "record":
        return beginning(field.fields, value) if isinstance(value, Mapping) else blank(field)
    if field.kind == "list":
        assert field.item is not None
        return [fitted(field.item, each) for each in value] if isinstance(value, list | tuple) else blank(field)
    if field.kind == "mapping":
        assert field.item is not None
        return {str(k): fitted(field.item, v) for k, v in value.items()} if isinstance(value, Mapping) else blank(field)
    return value if _is_kind(field, value) else blank(field)


def _is_kind(field: Field, value: Any) -> bool:
    if field.kind == "boolean":
        return isinstance(value, bool) or value in field.choices
    if field.kind in ("integer", "number"):
        wanted = int if field.kind == "integer" else (int, float)
        in_range = isinstance(value, int | float) and (field.low is None or value >= field.low)
        return isinstance(value, wanted) and not isinstance(value, bool) and in_range and _not_above(field, value)
    return value in field.choices if field.kind == "choice" else isinstance(value, str)


def _not_above(field: Field, value: float) -> bool:
    return field.high is None or value <= field.high


def without_defaults(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, Any]:
    """The input without what stands there anyway: short enough to read and to put into an address."""
    kept: dict[str, Any] = {}
    for field in fields:
        if field.name not in given:
            continue
        value = shortened(field, given[field.name])
        if field.required or value != _plain(field.default):
            kept[field.name] = value
    return kept


def shortened(field: Field, value: Any) -> Any:
    """A value without the defaults in it."""
    if field.kind == "record" and isinstance(value, Mapping):
        return without_defaults(field.fields, value)
    if field.kind == "list" and field.item is not None and isinstance(value, list | tuple):
        return [shortened(field.item, each) for each in value]
    return value


def names_at(whole: Any, path: str) -> Iterator[str]:
    """The texts that stand at a dotted path of the input, lists walked through (`models.name`)."""
    first, _, rest = path.partition(".")
    if isinstance(whole, list | tuple):
        for each in whole:
            yield from names_at(each, path)
    elif isinstance(whole, Mapping):
        inner = whole.get(first)
        if rest:
            yield from names_at(inner, rest)
        elif isinstance(inner, str) and inner:
            yield inner


def known_names(field: Field, whole: Mapping[str, Any]) -> list[str]:
    """The names that a name field may hold, as far as the form knows them."""
    return list(dict.fromkeys([*field.choices, *(name for path in field.among for name in names_at(whole, path))]))


def variable(fields: Sequence[Field]) -> dict[str, Field]:
    """The single values that a what-if table can vary, by dotted path."""
    kinds = ("integer", "boolean", "choice")
    return {".".join(path): field for path, field in paths(fields) if field.kind in kinds}


def span(field: Field, now: Any, most: int = 13) -> list[Any]:
    """The values that a field is varied over: all of few, else a stretch about the one it has."""
    if field.kind == "boolean":
        return [False, True, *field.choices]
    if field.kind == "choice":
        return list(field.choices)
    if field.low is not None and field.high is not None and field.high - field.low < most:
        return list(range(int(field.low), int(field.high) + 1))
    middle = now if isinstance(now, int) else 0
    first = middle - most // 2 if field.low is None else max(int(field.low), middle - most // 2)
    last = first + most - 1 if field.high is None else min(int(field.high), first + most - 1)
    return list(range(first, last + 1))


def at(values: Any, path: str) -> Any:
    """The value at a dotted path; None where a record on the way is absent."""
    for name in path.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def put(values: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of the input with another value at a dotted path. A record that is absent stays so."""
    first, _, rest = path.partition(".")
    if not rest:
        return {**values, first: value}
    inner = values.get(first)
    return {**values, first: put(inner, rest, value)} if isinstance(inner, Mapping) else dict(values)
