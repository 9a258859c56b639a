"""What a procedure takes and yields, described as fields; a plain dict is held against them and nothing is ignored."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from difflib import get_close_matches
from typing import Any

from kb.errors import ExampleError

KINDS = ("integer", "number", "boolean", "choice", "text", "name", "record", "list", "mapping")
BIGGEST = 1_000_000
"No number of a rule or a fact is larger; a larger one is a slip of the hand."
LONGEST = 80
"Characters of a value that a message shows."
MANY = 24
"Of more allowed words than this, only the nearest is shown."


class Required:
    """Stands for "no default": the field must be given."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED = Required()


@dataclass(frozen=True, slots=True)
class Field:
    """One named value. Built with the functions below (`integer`, `choice`, …), which read better."""

    name: str
    kind: str
    "One of KINDS. `number` is an integer or a finite decimal; `name` is a text that refers to something by name."
    default: Any = REQUIRED
    _: KW_ONLY
    low: float | None = None
    high: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()
    "Allowed values of a choice; for a name or a boolean, words that are allowed besides."
    among: tuple[str, ...] = ()
    "For a name: dotted paths in the whole input where the allowed names stand (`models.name`)."
    unique: bool = False
    "For a field of a list's records, or a list's plain item: no two items may share its value."
    unordered: bool = False
    "For a list: its order means nothing, so that examples may name its items in any order."
    nullable: bool = False
    die: int | None = None
    "Sides of the die whose roll this is. A die that is not given leaves the procedure open for `kb odds`."
    fields: tuple[Field, ...] = ()
    "The fields of a record."
    item: Field | None = None
    "What a list holds, or what a mapping maps names to."
    help: str = ""
    "One sentence for a form."
    words: tuple[str, ...] = ()
    "How players say it, for reading it out of a question."

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def allowed(self) -> str:
        """What may stand here, for people: ``1 to 12``, ``one of magic, defensive``."""
        return _allowed(self)


def integer(name: str, default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "integer", default, **more)


def number(name: str, default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "number", default, **more)


def die(name: str, sides: int, **more: Any) -> Field:
    """A roll, 1 to `sides`; null or left out means not rolled yet."""
    return Field(name, "integer", None, low=1, high=sides, die=sides, nullable=True, **more)


def boolean(name: str, default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "boolean", default, **more)


def choice(name: str, choices: Sequence[str], default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "choice", default, choices=tuple(choices), **more)


def text(name: str, default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "text", default, **more)


def named(name: str, default: Any = REQUIRED, **more: Any) -> Field:
    """A name; `among=("models.name",)` says where the allowed names stand in the input."""
    return Field(name, "name", default, **more)


def record(name: str, *fields: Field, **more: Any) -> Field:
    return Field(name, "record", more.pop("default", REQUIRED), fields=fields, **more)


def list_of(name: str, item: Field, default: Any = REQUIRED, **more: Any) -> Field:
    """A list; `low` and `high` bound its length. The item's own name is not used, save in help."""
    return Field(name, "list", default, item=item, **more)


def mapping(name: str, value: Field, default: Any = REQUIRED, **more: Any) -> Field:
    return Field(name, "mapping", default, item=value, **more)


def validate(fields: Sequence[Field], given: Any) -> dict[str, Any]:
    """The input with defaults filled in, as fresh plain dicts and lists.

    Raises ExampleError with the field's path, the value found and what is allowed.
    """
    clean = _record(fields, given, "")
    _check_names(fields, clean, clean, "")
    return clean


def nearest(word: object, allowed: Iterable[str]) -> str:
    """The next step after a word that is not there: the nearest allowed one and, of few, all of them."""
    known = list(dict.fromkeys(allowed))
    if not known:
        return "Nothing may stand here"
    listed = f"allowed: {', '.join(known)}" if len(known) <= MANY else f"{len(known)} are allowed"
    close = get_close_matches(str(word), known, n=1)
    return f'Perhaps "{close[0]}" is meant ({listed})' if close else listed[0].upper() + listed[1:]


def refuse(path: str, value: object, allowed: str, why: str = "is not allowed") -> ExampleError:
    """The error for a value that may not stand in a field; raise it."""
    return ExampleError(f"{path or 'the input'}: {show(value)} {why}", allowed)


def show(value: object) -> str:
    """A value as YAML and JSON write it: `null`, `true`, quoted text; a long one is cut."""
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        written = str(value)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}…"


def paths(fields: Sequence[Field], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Field]]:
    """Every field with its path, records walked into, lists not."""
    for field in fields:
        path = (*above, field.name)
        yield path, field
        yield from paths(field.fields, path)


def _record(fields: Sequence[Field], given: Any, path: str) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise refuse(path, given, f"Give a mapping with {', '.join(f.name for f in fields)}", "is not a mapping")
    names = [field.name for field in fields]
    for key in given:
        if key not in names:
            raise ExampleError(f'{_join(path, str(key))}: unknown key "{key}"', nearest(key, names))
    return {field.name: _one(field, given, path) for field in fields}


def _one(field: Field, given: Mapping[str, Any], path: str) -> Any:
    here = _join(path, field.name)
    if field.name in given:
        return _value(field, given[field.name], here)
    if field.default is REQUIRED:
        raise ExampleError(f"{here}: missing", f"It is required; allowed: {field.allowed}")
    return None if field.default is None else _value(field, field.default, here)


def _value(field: Field, value: Any, path: str) -> Any:
    if value is None and field.nullable:
        return None
    if field.kind == "record":
        return _record(field.fields, value, path)
    if field.kind == "list":
        return _list(field, value, path)
    if field.kind == "mapping":
        return _mapping(field, value, path)
    if _is_number("number", value) and abs(value) > BIGGEST:
        raise ExampleError(f"{path}: this number is too large", f"{BIGGEST:,} at most")
    if not _fits(field, value):
        raise refuse(path, value, f"Allowed: {field.allowed}")
    return value


def _fits(field: Field, value: Any) -> bool:
    if field.kind == "boolean":
        return isinstance(value, bool) or (isinstance(value, str) and value in field.choices)
    if field.kind in ("integer", "number"):
        return _is_number(field.kind, value) and _within(field, value)
    if field.kind == "choice":
        return isinstance(value, str) and value in field.choices
    return isinstance(value, str) and bool(value.strip())


def _is_number(kind: str, value: Any) -> bool:
    """True is an integer to Python, not to a player."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (kind == "number" and isinstance(value, float) and math.isfinite(value))


def _within(field: Field, value: float) -> bool:
    return (field.low is None or value >= field.low) and (field.high is None or value <= field.high)


def _list(field: Field, value: Any, path: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise refuse(path, value, "Give a list", "is not a list")
    if not _within(field, len(value)):
        raise refuse(path, len(value), f"Allowed: {field.allowed}", "entries are not allowed")
    assert field.item is not None
    items = [_value(field.item, each, f"{path}[{place}]") for place, each in enumerate(value)]
    _check_unique(field.item, items, path)
    return items


def _check_unique(item: Field, items: list[Any], path: str) -> None:
    keys = [each.name for each in item.fields if each.unique] or ([""] if item.unique else [])
    for key in keys:
        seen: list[Any] = []
        for place, each in enumerate(items):
            value = each[key] if key else each
            if value in seen:
                raise refuse(_join(f"{path}[{place}]", key), value, "Each may stand only once", "stands twice")
            seen.append(value)


def _mapping(field: Field, value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise refuse(path, value, "Give a mapping", "is not a mapping")
    assert field.item is not None
    for key in value:
        if not isinstance(key, str) or not key.strip():
            raise refuse(path, key, "Keys are names", "is not a name")
    return {key: _value(field.item, each, _join(path, key)) for key, each in value.items()}


def _check_names(fields: Sequence[Field], values: Mapping[str, Any], whole: Mapping[str, Any], path: str) -> None:
    for field in fields:
        _check_name(field, values[field.name], whole, _join(path, field.name))


def _check_name(field: Field, value: Any, whole: Mapping[str, Any], path: str) -> None:
    if value is None:
        return
    if field.kind == "record":
        _check_names(field.fields, value, whole, path)
    elif field.kind == "list" and field.item is not None:
        for place, each in enumerate(value):
            _check_name(field.item, each, whole, f"{path}[{place}]")
    elif field.kind == "name" and (field.among or field.choices):
        known = [*field.choices, *(name for where in field.among for name in _collect(whole, where.split(".")))]
        if value not in known:
            raise refuse(path, value, nearest(value, known), "is not there")


def _collect(value: Any, where: list[str]) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _collect(each, where)
    elif where and isinstance(value, Mapping):
        yield from _collect(value.get(where[0]), where[1:])
    elif isinstance(value, str) and not where:
        yield value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name


def _allowed(field: Field) -> str:
    if field.kind == "boolean":
        what = " or ".join(["true", "false", *field.choices])
    elif field.kind in ("choice", "name") and field.choices:
        what = f"one of {', '.join(field.choices)}"
    elif field.kind in ("integer", "number", "list"):
        what = _range(field)
    else:
        what = {"text": "a text", "name": "a name", "record": "a mapping"}.get(field.kind, f"a {field.kind}")
    return f"{what}, or null" if field.nullable else what


def _range(field: Field) -> str:
    what = {"integer": "whole number", "number": "number", "list": "list"}[field.kind]
    unit = f" {field.unit}" if field.unit else ""
    if field.low is not None and field.high is not None:
        return f"a {what}, {field.low:g} to {field.high:g}{unit}"
    if field.low is not None:
        return f"a {what}, {field.low:g} or more{unit}"
    return f"a {what}, {field.high:g} or less{unit}" if field.high is not None else f"a {what}{unit}"
