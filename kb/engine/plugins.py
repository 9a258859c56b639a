"""Finds the games that can be run: the bundled modules, and installed packages with an entry point `kb.games`.

An entry point is named as its game and points to a module (or object) with `PROCEDURES`:
``[project.entry-points."kb.games"]  mygame = "my_package.rules"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from kb.engine.clauses import Clause, Each
from kb.engine.fields import nearest
from kb.engine.kernel import Procedure
from kb.errors import UsageError

GROUP = "kb.games"
BUNDLED = {name: f"kb.engine.{name}" for name in ("betrayal", "eldfall", "ordeals")}


def games() -> tuple[str, ...]:
    """Names of the games that have procedures, bundled ones first; none of their modules is loaded."""
    return tuple(dict.fromkeys([*BUNDLED, *(point.name for point in _plugins())]))


def procedures(game: str | None = None) -> dict[str, Procedure]:
    """All procedures, or a game's, by name. A game without procedures has none."""
    names = games() if game is None else (game,)
    return {name: each for wanted in names for name, each in _load(wanted).items()}


def procedure(name: str) -> Procedure:
    """The procedure of that name; `UsageError` names the nearest."""
    game = name.partition(".")[0]
    known = procedures(game) if game in games() else {}
    if name not in known:
        raise UsageError(f'there is no procedure "{name}"', nearest(name, known or procedures()))
    return known[name]


def clauses_of(procedures: Iterable[Procedure]) -> dict[str, tuple[Clause, ...]]:
    """Every clause function of the procedures by the id of its passage, in the order they are carried out."""
    found: dict[str, dict[Clause, None]] = {}
    for each in procedures:
        for clause in walk(each.clauses):
            found.setdefault(clause.id, {})[clause] = None
    return {passage: tuple(functions) for passage, functions in found.items()}


def walk(clauses: Iterable[Clause | Each]) -> Iterator[Clause]:
    """The clauses of a list, those of the lists in it included."""
    for each in clauses:
        if isinstance(each, Each):
            yield from walk(each.clauses)
        else:
            yield each


@cache
def _plugins() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@cache
def _load(game: str) -> Mapping[str, Procedure]:
    found: dict[str, Procedure] = {}
    if game in BUNDLED:
        _add(found, import_module(BUNDLED[game]), game, BUNDLED[game])
    for point in _plugins():
        if point.name == game:
            _add(found, _plugin(point), game, point.value)
    return found


def _plugin(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as fault:  # somebody else's package: whatever it raises, say which one it was
        raise UsageError(
            f'the plug-in "{point.name}" ({point.value}) can\'t be loaded: {fault}', "Mend or uninstall it"
        ) from fault


def _add(found: dict[str, Procedure], module: Any, game: str, where: str) -> None:
    for each in getattr(module, "PROCEDURES", None) or _nothing(where):
        if not isinstance(each, Procedure) or each.game != game or each.name in found:
            raise UsageError(
                f'{where} offers "{getattr(each, "name", each)}" for the game "{game}"',
                f"Name each Procedure {game}.something, and each only once",
            )
        found[each.name] = each


def _nothing(where: str) -> Any:
    raise UsageError(f"{where} has no PROCEDURES", "Give it a tuple of Procedure of that name")


def forget() -> None:
    """Forgets what was found, so that a plug-in installed since is seen."""
    _plugins.cache_clear()
    _load.cache_clear()
