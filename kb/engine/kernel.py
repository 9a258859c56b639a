"""Runs a procedure: an ordered list of clauses over one state. Knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kb.engine.clauses import Clause, Each, Says, lacks
from kb.engine.fields import validate
from kb.engine.records import ILLEGAL, LEGAL, RESOLVED, UNDETERMINED, Procedure, Rules, Step, Verdict
from kb.errors import UsageError

__all__ = ["ILLEGAL", "LEGAL", "RESOLVED", "UNDETERMINED", "Procedure", "Rules", "Run", "Step", "Verdict", "run"]


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
        except Exception as fault:  # whatever a clause stumbles over
            if self.rules.gaps:
                return lacks(
                    "Cannot be carried out without a clause that is switched off", f"{each.id}: its basis is off"
                )
            where = f"{each.function.__module__}.{each.function.__name__}"
            raise UsageError(
                f"{where} failed on this input: {fault!r}", "That is a fault of the game's module"
            ) from fault
