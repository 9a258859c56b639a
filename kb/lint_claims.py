"""Checks of a game's claims against the rules: its worked examples, run by the engine, must bear them out."""

from __future__ import annotations

from collections.abc import Iterator

from kb.claims import Claim, load_claims
from kb.concepts import load_lexicon
from kb.engine.check import Outcome
from kb.engine.kernel import ILLEGAL, LEGAL
from kb.errors import CorpusError, ExampleError
from kb.lint_record import Fault, Subject
from kb.proofs import Proofs


def claims(subject: Subject) -> Iterator[Fault]:
    """Claims that can't be read, or that the worked example they name does not bear out."""
    folder = subject.corpus.directory / subject.game.name
    path = folder / "claims.yaml"
    if not path.is_file():
        return
    name = subject.game.name
    file = path.relative_to(subject.corpus.directory).as_posix()
    try:
        found = load_claims(path, name, load_lexicon(folder / "concepts.yaml"), (p.id for p in subject.passages))
        outcomes = Proofs(subject.corpus.directory, name, subject.passages).outcomes
    except (CorpusError, ExampleError) as error:
        yield Fault("claim", file, error.line or 1, error.found, error.mend)
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    for claim in found:
        wrong = _contradiction(claim, outcomes.get(claim.example)) if claim.example else None
        if wrong:
            line = next((n for n, text in enumerate(lines, 1) if claim.text in text), 1)
            mend = "Name an example that shows it, or mend the claim"
            yield Fault("claim", file, line, f"“{claim.text}”: the example {claim.example!r} {wrong}", mend)


def _contradiction(claim: Claim, outcome: Outcome | None) -> str | None:
    """What speaks against the claim in the example that it names; None where it is borne out."""
    if outcome is None:
        return "does not exist"
    acted = [step.clause for step in outcome.verdict.steps] if outcome.verdict else []
    if claim.passage not in (*outcome.example.bears_out, *acted):
        return f"has nothing to do with {claim.passage}"
    status = outcome.verdict.status if outcome.verdict else None
    if claim.kind == "may" and claim.holds is not None and status in (LEGAL, ILLEGAL):
        return None if (status == LEGAL) is claim.holds else f"is {status}"
    return None
