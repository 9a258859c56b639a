"""A question that tells a situation is read and run."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from kb.engine.kernel import UNDETERMINED, Rules, Verdict, run
from kb.engine.plugins import procedure
from kb.errors import ExampleError
from kb.reading import read
from kb.reading.situation import Found


@dataclass(frozen=True, slots=True)
class Computed:
    """A reading that the engine has run."""

    procedure: str
    says: str
    verdict: Verdict
    found: Found

    @property
    def clauses(self) -> list[str]:
        """Passages of the clauses that acted, the deciding one first, then from the last to the first."""
        acted = [step.clause for step in reversed(self.verdict.steps)]
        first = self.found.deciding or self.verdict.forbidden_by
        return list(dict.fromkeys(([first] if first else []) + acted))

    @property
    def text(self) -> str:
        """What came out, in the words of the steps that led to it."""
        return " ".join(step.says for step in self.verdict.steps)


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A situation that the question does not tell whole: what would have to be known."""

    says: str
    missing: tuple[str, ...]


def compute(text: str, game: str, rules: Rules) -> Computed | Incomplete | None:
    """The situation of a question, run; None where none is told or the engine can't tell."""
    try:
        situation = read(text, game)
    except Exception:
        # A reader that stumbles over a text has understood nothing: the answer quotes passages instead.
        logging.getLogger(__name__).debug("reading failed: %r", text, exc_info=True)
        return None
    if situation is None:
        return None
    if situation.missing:
        return Incomplete(situation.says, situation.missing)
    try:
        verdict = run(procedure(situation.procedure), situation.given, rules)
    except ExampleError:
        # The reading gave something impossible (a 13 on a D12): it was no reading.
        return None
    if verdict.status == UNDETERMINED and not verdict.result:
        return None
    found = situation.find(verdict)
    if found.value is None and found.verdict is None:
        return None
    return Computed(situation.procedure, situation.says, verdict, found)
