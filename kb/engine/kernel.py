"""Runs a procedure: an ordered list of clauses over one state. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from kb.engine.clauses import Clause, Each, Says, lacks
from kb.engine.fields import Field, paths, validate

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

    def without(self, passage: str) -> Rules:
        """The same rules with one more clause off."""
        return Rules(self.off | {passage}, self.numbers, f"{self.label}, without {passage}", self.house)


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


def run(procedure: Procedure, given: Mapping[str, Any], rules: Rules) -> Verdict:
    """Validates the input and carries out the clauses. Raises ExampleError for input that is not well formed."""
    clean = validate(procedure.given, given)
    open_rolls = [f"{'.'.join(path)} (a D{sides})" for path, sides in procedure.rolls if not _at(clean, path)]
    if open_rolls or not procedure.clauses:
        missing = tuple(open_rolls) or ("the rolls: this procedure is for odds",)
        return Verdict(procedure.name, clean, UNDETERMINED, {}, None, missing, (), rules.label, rules.house)
    return Run(procedure, rules).verdict(clean)


def _at(values: Any, path: Sequence[str]) -> Any:
    for name in path:
        values = values and values[name]
    return values


class Run:
    """A procedure under a rule set, ready to be run many times on validated input."""

    def __init__(self, procedure: Procedure, rules: Rules) -> None:
        self.procedure = procedure
        self.rules = rules
        self.program = self._compile(procedure.clauses)
        self.acts: list[tuple[Clause, Says]] = []

    def _compile(self, clauses: Sequence[Clause | Each]) -> list[tuple[Clause | Each, Any]]:
        """Clauses in force with their numbers; lists of clauses with their own program."""
        program: list[tuple[Clause | Each, Any]] = []
        for each in clauses:
            if isinstance(each, Each):
                program.append((each, self._compile(each.clauses)))
            elif each.id not in self.rules.off:
                program.append((each, {**each.numbers, **self._changed(each)}))
        return program

    def _changed(self, each: Clause) -> dict[str, int]:
        return {name: value for name, value in self.rules.numbers.get(each.id, {}).items() if name in each.numbers}

    def state(self, clean: dict[str, Any]) -> Any:
        """Carries out the clauses on validated input and returns the state: the fast path of odds."""
        self.acts = []
        state = self.procedure.make_state(clean)
        self._carry_out(self.program, state)
        return state

    def verdict(self, clean: dict[str, Any]) -> Verdict:
        state = self.state(clean)
        forbidden_by = next((each.id for each, said in self.acts if said.forbids), None)
        missing = tuple(dict.fromkeys(what for _, said in self.acts for what in said.missing))
        done = LEGAL if self.procedure.judges else RESOLVED
        return Verdict(
            procedure=self.procedure.name,
            given=clean,
            status=ILLEGAL if forbidden_by else UNDETERMINED if missing else done,
            result={name: getattr(state, name) for name in self.settled()},
            forbidden_by=forbidden_by,
            missing=missing,
            steps=tuple(Step(each.id, said.text, said.values) for each, said in self.acts),
            rules=self.rules.label,
            house=self.rules.house,
        )

    def settled(self) -> tuple[str, ...]:
        """Names of the results that the last run could tell."""
        names = tuple(each.name for each in self.procedure.result)
        left_open = {name for _, said in self.acts if said.missing for name in said.leaves_open or names}
        return tuple(name for name in names if name not in left_open)

    def _carry_out(self, program: list[tuple[Clause | Each, Any]], state: Any) -> str | None:
        """Returns the id of the clause that forbade, which ends the list, or None."""
        for each, more in program:
            if isinstance(each, Each):
                self._carry_out_each(each, more, state)
                continue
            said = self._call(each, state, more)
            if said is None:
                continue
            self.acts.append((each, said))
            if said.ends:
                return each.id if said.forbids else None
        return None

    def _carry_out_each(self, each: Each, program: list[tuple[Clause | Each, Any]], state: Any) -> None:
        items = each.over(state)
        try:
            next(items)
            while True:
                items.send(self._carry_out(program, state))
        except StopIteration:
            return

    def _call(self, each: Clause, state: Any, numbers: dict[str, int]) -> Says | None:
        try:
            return each.function(state, **numbers)
        except (TypeError, AttributeError, LookupError):
            # With a clause off, a later one may find nothing to work on; with all of them on, that is a fault of ours.
            if not self.rules.off:
                raise
            return lacks("Cannot be carried out without a clause that is switched off", f"{each.id}: its basis is off")
