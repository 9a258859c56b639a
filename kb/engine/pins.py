"""Each clause is pinned to the text that it was written from, so that a changed passage names the clause to re-read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.engine import plugins
from kb.engine.documents import read_mapping
from kb.errors import ExampleError, StoreError
from kb.passage import Passage

FILE = "pins.yaml"
HEAD = """\
# The text that each clause of the engine was written from, as a SHA-256 of the passage. `kb lint` names the clauses
# whose passage has changed since; read the clause again, mend it, then `kb pin` renews its line.
"""


@dataclass(frozen=True, slots=True)
class StalePin:
    """A clause that has to be read again."""

    clause: str
    why: str
    "changed | unpinned | no passage | no clause"
    functions: tuple[str, ...]
    "Where the clause is written: `module.function`."

    def __str__(self) -> str:
        where = f" ({', '.join(self.functions)})" if self.functions else ""
        return f"{self.clause}: {SENTENCES[self.why]}{where}"


SENTENCES = {
    "changed": "the passage has changed since the clause was written; read it again, then `kb pin`",
    "unpinned": "the clause is not pinned to its passage; `kb pin` does it",
    "no passage": "the clause carries out a passage that the corpus does not have",
    "no clause": "pinned, but no clause carries it out any more; `kb pin` removes it",
}


def stale_pins(passages: Iterable[Passage], directory: Path) -> tuple[StalePin, ...]:
    """The clauses of the corpus's games whose pin does not fit, in the games' order. `directory` is the corpus."""
    by_game: dict[str, dict[str, Passage]] = {}
    for each in passages:
        by_game.setdefault(each.game, {})[each.id] = each
    return tuple(
        stale for game, known in by_game.items() for stale in _stale(game, known, load_pins(directory / game / FILE))
    )


def _stale(game: str, passages: Mapping[str, Passage], pins: Mapping[str, str]) -> list[StalePin]:
    clauses = _clauses(game)
    found: list[StalePin] = []
    for clause, functions in clauses.items():
        if clause not in passages:
            found.append(StalePin(clause, "no passage", functions))
        elif clause not in pins:
            found.append(StalePin(clause, "unpinned", functions))
        elif pins[clause] != passages[clause].digest:
            found.append(StalePin(clause, "changed", functions))
    return found + [StalePin(clause, "no clause", ()) for clause in pins if clause not in clauses]


def load_pins(file: Path) -> dict[str, str]:
    """Clause -> digest; none where the file is not there."""
    if not file.is_file():
        return {}
    raw = read_mapping(file)
    for clause, digest in raw.items():
        if not isinstance(digest, str):
            raise ExampleError(f'the pin of "{clause}" is no text', "Renew it with `kb pin`", where=file)
    return dict(raw)


def pin(game: str, passages: Iterable[Passage], directory: Path, only: Iterable[str] = ()) -> tuple[str, ...]:
    """Pins a game's clauses, or `only` these, to their passages as they are now; the clauses whose pin changed.

    Pins of clauses that are no more are dropped. A game without procedures gets no file.
    """
    known = {each.id: each for each in passages if each.game == game}
    file = directory / game / FILE
    before = load_pins(file)
    clauses = [each for each in _clauses(game) if each in known]
    wanted = set(only) or set(clauses)
    after = {
        each: known[each].digest if each in wanted else before[each]
        for each in clauses
        if each in wanted or each in before
    }
    if after != before:
        _write(file, after)
    return tuple(each for each in {**before, **after} if before.get(each) != after.get(each))


def _write(file: Path, pins: Mapping[str, str]) -> None:
    lines = "".join(f'"{clause}": {digest}\n' for clause, digest in sorted(pins.items()))
    try:
        file.write_text(HEAD + lines, encoding="utf-8")
    except OSError as fault:
        raise StoreError(
            f"can't be written ({fault.strerror})", "Check the folder and its rights", where=file
        ) from None


def _clauses(game: str) -> dict[str, tuple[str, ...]]:
    if game not in plugins.games():
        return {}
    clauses = plugins.clauses_of(plugins.procedures(game).values())
    return {
        passage: tuple(f"{each.function.__module__}.{each.function.__name__}" for each in functions)
        for passage, functions in clauses.items()
    }
