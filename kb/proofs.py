"""Which worked examples exercise which passage, and how they turn out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kb.answer import AnswerStep, Proof
from kb.passage import Passage

if TYPE_CHECKING:
    from kb.engine.check import Outcome
    from kb.engine.kernel import Rules

STATUS = {"cannot-tell": "cannot tell"}
MOST_EXAMPLES = 4
"Worked examples beside an answer."


class Proofs:
    """One game's worked examples, run once under one rule set."""

    def __init__(self, corpus: Path, game: str, passages: Sequence[Passage], as_printed: bool = False) -> None:
        self.folder = corpus / game / "examples"
        self.game = game
        self.passages = passages
        self.as_printed = as_printed

    @cached_property
    def rules(self) -> Rules:
        """The rule set in force."""
        from kb.engine.house import rules_in_force

        return rules_in_force(self.passages, as_printed=self.as_printed)

    @cached_property
    def outcomes(self) -> Mapping[str, Outcome]:
        """Example id -> how it turned out."""
        from kb.engine.check import check
        from kb.engine.examples import load_examples

        if not self.folder.is_dir():
            return {}
        examples = load_examples([self.folder], {p.id for p in self.passages})
        return {outcome.example.id: outcome for outcome in check(examples, self.rules)}

    @cached_property
    def by_passage(self) -> Mapping[str, list[Proof]]:
        """Passage id -> the examples that bear it out or in which its clause acted; those that name it first."""
        found: dict[str, dict[str, Proof]] = defaultdict(dict)
        for named in (True, False):
            for outcome in self.outcomes.values():
                proof = self.proof(outcome)
                steps = outcome.verdict.steps if outcome.verdict else ()
                for passage in outcome.example.bears_out if named else [step.clause for step in steps]:
                    found[passage].setdefault(proof.id, proof)
        return {passage: list(proofs.values()) for passage, proofs in found.items()}

    def proof(self, outcome: Outcome) -> Proof:
        """An outcome as the answer shows it."""
        example = outcome.example
        status = STATUS.get(outcome.status, outcome.status)
        return Proof(f"{self.game}/{example.id}", example.title, status, example.bears_out)

    def of(self, passages: Sequence[str], settling: str | None = None) -> tuple[Proof, ...]:
        """Examples for these passages, the first passage's first, each once.

        The example with the id `settling`, if there is one, comes before them all, with what the engine did in it.
        """
        found: dict[str, Proof] = {}
        if settling is not None and settling in self.outcomes:
            proof = self._with_steps(self.outcomes[settling])
            found[proof.id] = proof
        for passage in passages:
            for proof in self.by_passage.get(passage, [])[:MOST_EXAMPLES]:
                found.setdefault(proof.id, proof)
        return tuple(found.values())[:MOST_EXAMPLES]

    def _with_steps(self, outcome: Outcome) -> Proof:
        titles = {p.id: p.title for p in self.passages}
        steps = outcome.verdict.steps if outcome.verdict else ()
        shown = (AnswerStep(s.clause, titles.get(s.clause, s.clause), s.says, dict(s.values)) for s in steps)
        return replace(self.proof(outcome), steps=tuple(shown))

    @cached_property
    def rulings(self) -> Mapping[str, str]:
        """FAQ or ruling passage -> borne out | contradicted | untested."""
        from kb.engine.check import rulings

        return {r.passage: r.state.replace("-", " ") for r in rulings(self.passages, self.outcomes.values())}
