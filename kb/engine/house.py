"""The rule set in force: as amended or as printed, clauses switched off, house rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.engine.clauses import Clause
from kb.engine.documents import Lined, check_keys, parse, read_mapping
from kb.engine.fields import nearest
from kb.engine.kernel import Rules
from kb.errors import ExampleError, UsageError
from kb.passage import Passage

KEYS = ("name", "off", "numbers")


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What a table plays differently: from a file, and always shown as house rules."""

    name: str
    off: frozenset[str] = frozenset()
    "Clauses that are not carried out, by passage id."
    numbers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    "Changed numbers: passage id -> name -> value."


def rules_in_force(
    passages: Iterable[Passage],
    as_printed: bool = False,
    without: Iterable[str] = (),
    house: HouseRules | None = None,
) -> Rules:
    """The clauses that are off, by what the passages say supersedes what.

    As amended, a superseded passage's clause is off; as printed, the superseding one's. `without` are further passage
    ids, `house` goes on top.
    """
    older: set[str] = set()
    newer: set[str] = set()
    for each in passages:
        if each.superseded_by:
            older.add(each.id)
        newer.update(each.superseded_by)
        if each.supersedes:
            newer.add(each.id)
        older.update(each.supersedes)
    without = tuple(without)
    parts = ["as printed" if as_printed else "as amended", *(f"without {each}" for each in without)]
    off = (newer if as_printed else older) | set(without)
    if house is not None:
        off |= house.off
        parts.append(f"house rules: {house.name}")
    gaps = bool(without) or (house is not None and bool(house.off))
    return Rules(frozenset(off), house.numbers if house else {}, ", ".join(parts), house is not None, gaps)


def find_clauses(wanted: Iterable[str], clauses: Iterable[str]) -> tuple[str, ...]:
    """Full passage ids for clauses named whole or as `page#anchor`; UsageError names the nearest."""
    known = list(clauses)
    found: list[str] = []
    for name in wanted:
        matches = [each for each in known if each == name or each.partition("/")[2] == name]
        if not matches:
            raise UsageError(f'there is no clause "{name}"', nearest(name, known))
        found += matches
    return tuple(found)


def load_house_rules(path: Path, clauses: Mapping[str, tuple[Clause, ...]]) -> HouseRules:
    """A house-rules file: `name`, `off: [clause ids]`, `numbers: {clause id: {name: value}}`.

    Raises ExampleError with file and line, and the nearest that exists, for a clause or number that does not.
    """
    return _house_rules(read_mapping(path, KEYS), clauses, path)


def parse_house_rules(text: str, clauses: Mapping[str, tuple[Clause, ...]], where: str = "house rules") -> HouseRules:
    """House rules from YAML text, as `load_house_rules` has them from a file. `where` names the text in errors."""
    raw = parse(text, where)
    if not isinstance(raw, Lined):
        raise ExampleError("this is no mapping", "Write `key: value` lines", where=where, line=1)
    check_keys(raw, KEYS, where)
    return _house_rules(raw, clauses, where)


def _house_rules(raw: Lined, clauses: Mapping[str, tuple[Clause, ...]], path: Path | str) -> HouseRules:
    off = raw.get("off") or []
    if not isinstance(off, list):
        raise ExampleError("off is no list", "Write off: [clause id, …]", where=path, line=raw.line)
    for clause in off:
        _known(clause, clauses, path, raw.line)
    name = raw.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ExampleError("name is missing", "Name the house rules, so that they can be shown", where=path, line=1)
    return HouseRules(name, frozenset(off), _numbers(raw.get("numbers") or Lined(), clauses, path))


def _numbers(raw: Any, clauses: Mapping[str, tuple[Clause, ...]], path: Path | str) -> dict[str, dict[str, int]]:
    if not isinstance(raw, Lined):
        raise ExampleError("numbers is no mapping", "Write clause id: {name: value}", where=path)
    found: dict[str, dict[str, int]] = {}
    for clause, values in raw.items():
        _known(clause, clauses, path, raw.line)
        if not isinstance(values, Lined):
            raise ExampleError(f"{clause}: no numbers", "Write {name: value}", where=path, line=raw.line)
        allowed = tuple(dict.fromkeys(name for each in clauses[clause] for name in each.numbers))
        check_keys(values, allowed, path, f"{clause}: ")
        found[clause] = {name: _number(value, f"{clause}: {name}", path, values.line) for name, value in values.items()}
    return found


def _known(clause: Any, clauses: Mapping[str, tuple[Clause, ...]], path: Path | str, line: int) -> None:
    if clause not in clauses:
        raise ExampleError(f'there is no clause "{clause}"', nearest(clause, clauses), where=path, line=line)


def _number(value: Any, what: str, path: Path | str, line: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExampleError(f'{what} is "{value}"', "Write a whole number", where=path, line=line)
    return value
