"""What is run, under which rules, and what comes out: Procedure, Rules, Step, Verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from kb.engine.clauses import Clause, Each
from kb.engine.fields import Field, paths

RESOLVED, LEGAL, ILLEGAL, UNDETERMINED = "resolved", "legal", "illegal", "undetermined"


@dataclass(frozen=True, slots=True)
class Procedure:
    """Something that can be run: what it takes, the clauses in their order, what it yields."""

    name: str
    "`game.verb`"
    title: str
    given: tuple[Field, ...]
    result: tuple[Field, ...]
    "Read from the state's attributes of these names when the clauses are through."
    make_state: Callable[[dict[str, Any]], Any]
    "From the validated input to a fresh state."
    clauses: tuple[Clause | Each, ...]
    judges: bool = False
    "True where the question is whether something is allowed: `legal` instead of `resolved`."
    odds: Callable[[dict[str, Any], Rules], Mapping[tuple[Any, ...], Any]] | None = None
    "Own way to the chance of each result tuple, for what is more than one run over all rolls."
    words: tuple[str, ...] = ()
    "How players ask for it."

    @property
    def game(self) -> str:
        return self.name.partition(".")[0]

    @property
    def rolls(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """The dice: path in the input, and sides."""
        return tuple((path, each.die) for path, each in paths(self.given) if each.die)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule set in force: made by `rules_in_force`."""

    off: frozenset[str] = frozenset()
    "Ids of the passages whose clauses are not carried out."
    numbers: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)
    "Changed numbers: passage id -> name -> value."
    label: str = "as amended"
    house: bool = False
    gaps: bool = False
    "True where clauses are off that no other replaces, so that a later one may find nothing to work on."

    def without(self, passage: str) -> Rules:
        """The same rules with one more clause off."""
        return Rules(self.off | {passage}, self.numbers, f"{self.label}, without {passage}", self.house, gaps=True)


@dataclass(frozen=True, slots=True)
class Step:
    """One clause that did something."""

    clause: str
    says: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out, with a step per clause that acted."""

    procedure: str
    given: Mapping[str, Any]
    "The input, defaults filled in."
    status: str
    "resolved | legal | illegal | undetermined"
    result: Mapping[str, Any]
    "What can be told: nothing stands here that a missing rule or fact leaves open."
    forbidden_by: str | None
    "The first clause that forbade it."
    missing: tuple[str, ...]
    "Facts not given and rules that no passage states."
    steps: tuple[Step, ...]
    rules: str
    "The rule set's label."
    house: bool = False

    def to_json(self) -> dict[str, Any]:
        """A plain dict for `--json`."""
        return {**asdict(self), "missing": list(self.missing), "steps": [asdict(step) for step in self.steps]}
