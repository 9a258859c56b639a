"""How sure is sure enough: the logistic models that weigh what a search finds, as a corpus keeps them.

They are fitted by `kb eval --calibrate` (`kb.calibrate`) and kept in the corpus's `calibration.yaml`; without one, and
for a game without players' phrasings, as a fresh import, PLAIN judges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.errors import CorpusError
from kb.yamlfile import read_yaml

FOUND = (
    "ask", "ask_best", "ask_gap", "ask_mean", "gaps_of_5", "near", "score", "score_gap", "lead", "covered", "words",
    "claim", "yes_no", "elsewhere",
)  # fmt: skip
"""What is weighed: the cosine of the best passage's nearest phrasing, of any passage's, of any gap's, the mean of the
nearest three, the share of gaps among the nearest five, the cosine of the best passage's text, the fused scores of the
best passage and the best gap, the lead over the second, the share of the question's words that the best is found
by, length, whether a claim is met, whether yes or no is asked for, how much nearer
another game's text is than any of its own game's phrasings."""


VERDICT = ("claim", "leaning", "second", "nearest")
"""What says yes (above 0) or no (below 0): the claim that is met, 1 or -1; what the best passage's phrasings lean to,
and the second best's; how much nearer a phrasing put the same way round and answered yes is than one answered no."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """chance = 1 / (1 + exp(-(bias + weights · signals)))."""

    weights: Mapping[str, float]
    bias: float

    def chance(self, signals: Mapping[str, float]) -> float:
        logit = self.bias + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a corpus is judged."""

    answerable: Logistic
    right: Logistic
    threshold: float
    "Below this chance of being answerable the answer is silence."
    verdict: Logistic
    "The chance that yes is right."
    sure: float
    "Below this chance that a verdict is right there is none."
    source: str = ""
    "What it was fitted on."


PLAIN = Calibration(
    Logistic({"near": 6.24, "lead": -4.95, "covered": 2.49, "words": 7.98}, -4.27),
    Logistic({"near": 5.34, "lead": 2.05, "covered": 2.91, "words": 2.66}, -4.24),
    0.33,
    Logistic({"claim": 2.4, "leaning": 4.0}, 0.0),
    0.8,
    "benchmarks/questions on the bundled games without their asks, gaps and concepts",
)


def load_calibration(directory: Path) -> Calibration:
    """The corpus's own calibration, else PLAIN."""
    path = directory / "calibration.yaml"
    if not path.is_file():
        return PLAIN
    raw = read_yaml(path)
    try:
        return Calibration(
            _model(raw["answerable"], FOUND),
            _model(raw["right"], FOUND),
            float(raw["threshold"]),
            _model(raw["verdict"], VERDICT) if "verdict" in raw else PLAIN.verdict,
            float(raw.get("sure", PLAIN.sure)),
            str(raw.get("source", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError(
            f"this is no calibration ({error!r})", "Make it again: kb eval QUESTIONS --calibrate", where=path
        ) from None


def _model(raw: Mapping[str, Any], signals: tuple[str, ...]) -> Logistic:
    unknown = set(raw["weights"]) - set(signals)
    if unknown:
        raise KeyError(min(unknown))
    return Logistic({name: float(weight) for name, weight in raw["weights"].items()}, float(raw["bias"]))
