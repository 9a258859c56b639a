"""Which passages no clause carries out, which excuses are stale, and which clauses no example would miss."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kb.engine import plugins
from kb.engine.check import BORNE_OUT, HOLDS, Outcome, exercised, outcome, rulings
from kb.engine.documents import read_mapping
from kb.engine.examples import Example
from kb.engine.fields import nearest
from kb.engine.kernel import Rules
from kb.errors import ExampleError
from kb.passage import Passage

KINDS = ("rule", "clarification", "faq", "ruling")
"The kinds of passage that a clause must carry out, or an excuse must name."


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a game's clauses and examples leave out."""

    game: str
    uncovered: tuple[str, ...]
    "Passages that no clause carries out and no excuse names."
    excused: Mapping[str, str]
    "Passages that are not mechanical, with the reason."
    stale_excuses: tuple[str, ...]
    "Passages that are excused although a clause carries them out."
    without_passage: tuple[str, ...]
    "Clauses whose passage the corpus does not have."
    unexercised: tuple[str, ...]
    "Clauses that produced a step in no example."
    unproved: tuple[str, ...]
    "FAQ entries and rulings that no example bears out and no excuse names."

    @property
    def complete(self) -> bool:
        """True where nothing is left out."""
        left_out = (self.uncovered, self.stale_excuses, self.without_passage, self.unexercised, self.unproved)
        return not any(left_out)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "complete": self.complete}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One clause switched off, and the examples that notice."""

    clause: str
    noticed_by: tuple[str, ...]

    @property
    def survived(self) -> bool:
        return not self.noticed_by

    def to_json(self) -> dict[str, Any]:
        return {"clause": self.clause, "survived": self.survived, "noticed_by": list(self.noticed_by)}


def load_excuses(file: Path, passages: Collection[str], game: str) -> dict[str, str]:
    """The reasons of a `coverage.yaml` by full passage id; none where the file is not there.

    Raises ExampleError for a passage that does not exist, and for an excuse without a sentence.
    """
    if not file.is_file():
        return {}
    raw = read_mapping(file, ("not_mechanical",)).get("not_mechanical") or {}
    if not isinstance(raw, Mapping):
        raise ExampleError("not_mechanical is no mapping", "Write page#anchor: reason", where=file, line=1)
    excuses: dict[str, str] = {}
    for key, reason in raw.items():
        passage = key if key in passages else f"{game}/{key}"
        if passage not in passages:
            raise ExampleError(f'there is no passage "{key}"', nearest(passage, passages), where=file)
        if not isinstance(reason, str) or not reason.strip():
            raise ExampleError(f'"{key}" is excused without a reason', "Give it in a sentence", where=file)
        excuses[passage] = reason.strip()
    return excuses


def coverage(
    game: str,
    passages: Iterable[Passage],
    excuses: Mapping[str, str],
    amended: Iterable[Outcome],
    printed: Iterable[Outcome] = (),
) -> Coverage:
    """Holds a game's passages, clauses and examples against one another.

    `amended` and `printed` are the outcomes under either; a clause that an amendment replaces acts in the latter.
    """
    of_game = [each for each in passages if each.game == game]
    known = {each.id for each in of_game}
    clauses = plugins.clauses_of(plugins.procedures(game).values())
    amended = tuple(amended)
    used = exercised(each for each in (*amended, *printed) if each.example.game == game)
    wanted = [each.id for each in of_game if each.kind in KINDS]
    return Coverage(
        game=game,
        uncovered=tuple(each for each in wanted if each not in clauses and each not in excuses),
        excused={each: reason for each, reason in excuses.items() if each not in clauses},
        stale_excuses=tuple(each for each in excuses if each in clauses),
        without_passage=tuple(each for each in clauses if each not in known),
        unexercised=tuple(each for each in clauses if each not in used),
        unproved=tuple(
            each.passage
            for each in rulings(of_game, amended)
            if each.state != BORNE_OUT and each.passage not in excuses
        ),
    )


def mutate(examples: Iterable[Example], amended: Rules, printed: Rules) -> tuple[Mutation, ...]:
    """Switches each clause of the examples' games off in turn and runs the examples whose procedures have it.

    A clause is noticed when an example no longer comes out as it did. One that an amendment replaces is off already;
    it is switched off in the printed rules.
    """
    every = tuple(examples)
    games = dict.fromkeys(each.game for each in every)
    baselines = {id(rules): {_key(each): outcome(each, rules) for each in every} for rules in (amended, printed)}
    found: list[Mutation] = []
    for game in games:
        for clause in plugins.clauses_of(plugins.procedures(game).values()):
            rules = printed if clause in amended.off else amended
            having = [each for each in every if clause in _clauses(each.procedure)]
            noticed = [each.id for each in having if _notices(each, clause, rules, baselines[id(rules)][_key(each)])]
            found.append(Mutation(clause, tuple(noticed)))
    return tuple(found)


def _key(example: Example) -> tuple[str, str]:
    return example.game, example.id


def _clauses(procedure: str) -> Collection[str]:
    return plugins.clauses_of([plugins.procedure(procedure)])


def _notices(example: Example, clause: str, rules: Rules, before: Outcome) -> bool:
    """An example that holds must fail; one that does not hold under these rules must at least come out differently."""
    after = outcome(example, rules.without(clause))
    return after.status != HOLDS if before.status == HOLDS else after.differences != before.differences
