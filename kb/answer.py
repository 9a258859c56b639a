"""The answer to a question: quotations, computed steps and what is missing, as one frozen record."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from kb.passage import Citation

ANSWERED, COMPUTED, SILENT, WHICH_GAME = "answered", "computed", "silent", "which-game"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question was read, so that a wrong reading shows."""

    says: str
    "`attacker 9 + Might 2, defender 5, Ward 1`, or the editor's phrasing that the question was taken for."
    procedure: str | None = None
    given: dict[str, Any] = field(default_factory=dict)
    "The procedure's input as it was read: what the bench opens with."


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """One clause that acted in a computed answer."""

    clause: str
    title: str
    says: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Proof:
    """A worked example that exercises a cited clause."""

    id: str
    "`game/example-id`"
    title: str
    status: str
    "holds | differs | cannot tell"
    bears_out: tuple[str, ...] = ()
    steps: tuple[AnswerStep, ...] = ()
    "What the engine did in it, where the example bears out the very statement that gave the verdict."


@dataclass(frozen=True, slots=True)
class GameChoice:
    """One game's best passages, where the question fits several games."""

    game: str
    title: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What `ask` returns. Every sentence of it is a quotation, or a value computed from cited clauses."""

    question: str
    game: str | None
    status: str
    "answered | computed | silent | which-game"
    text: str
    "The answer in a line or two: the deciding sentence quoted, or what was computed."
    citations: tuple[Citation, ...] = ()
    "The passages that settle it, the deciding one first."
    nearest: tuple[Citation, ...] = ()
    "Silent: the nearest passages, which are not an answer."
    verdict: str | None = None
    value: float | int | str | None = None
    unit: str = ""
    confidence: float = 0.0
    "Chance that the first citation settles the question, calibrated on question sets."
    reading: Reading | None = None
    steps: tuple[AnswerStep, ...] = ()
    examples: tuple[Proof, ...] = ()
    games: tuple[GameChoice, ...] = ()
    missing: tuple[str, ...] = ()
    undefined: str = ""
    "What to know of the question's own words: the rules leave one undefined, or do not have what it names."
    did_you_mean: str | None = None
    borne_out: dict[str, str] = field(default_factory=dict)
    "Ruling or FAQ passage -> borne out | contradicted | untested."
    id: str | None = None
    explain: dict[str, Any] | None = None
    "How the ranking came about, where that was asked for."

    def to_json(self) -> dict[str, Any]:
        """The contract's dict: the same in the terminal, the browser and a program."""
        out = asdict(self)
        if out["explain"] is None:
            del out["explain"]
        return out
