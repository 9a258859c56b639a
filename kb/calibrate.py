"""Fits a corpus's calibration on question sets: logistic regression, its threshold chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.calibration import FOUND, PLAIN, VERDICT, Calibration, Logistic

FOLDS = 10
RIDGE = 1.0
FALSE_SILENCE = 0.015
"Share of answerable questions that may be met with silence."
WRONG_VERDICT = 0.02
"Share of yes/no questions that may be given the wrong verdict."
Floats = NDArray[np.float64]
Fitting = Callable[[Floats, Floats, tuple[str, ...]], Logistic]
"From a table of signals, what each row comes to, and the signals' names."


@dataclass(frozen=True, slots=True)
class Sample:
    """One question as the search sees it, with what is known of it."""

    signals: Mapping[str, float]
    answerable: bool
    right: bool
    "The first citation settles it."
    weighed: Mapping[str, float] | None = None
    "What speaks for yes and for no, where the question has a verdict and asks for one."
    yes: bool = False
    "The verdict, then."


@dataclass(frozen=True, slots=True)
class Fit:
    """A calibration with what cross-validation says of it."""

    calibration: Calibration
    silence: float
    "Share of unanswerable questions met with silence, each judged by a model that has not seen it."
    false_silence: float
    verdict: float
    "Share of yes/no questions that are given the right verdict, each judged by a model that has not seen it."
    wrong_verdict: float


def fit(samples: Sequence[Sample], source: str, seed: int = 0) -> Fit:
    """Fits all models and chooses the thresholds that keep FALSE_SILENCE and WRONG_VERDICT on held-out questions."""
    table = np.array([[sample.signals[name] for name in FOUND] for sample in samples])
    answerable = np.array([sample.answerable for sample in samples], dtype=float)
    right = np.array([sample.right for sample in samples], dtype=float)
    held_out = _held_out(_logistic, table, answerable, FOUND, seed)
    threshold = float(np.quantile(held_out[answerable == 1], FALSE_SILENCE))
    judged = [sample for sample in samples if sample.weighed is not None]
    verdict, chances, yes = _verdicts(judged, seed)
    sure = _surely(chances, yes)
    given = np.maximum(chances, 1 - chances) >= sure
    calibration = Calibration(
        _logistic(table, answerable, FOUND),
        _logistic(table, right, FOUND),
        round(threshold, 4),
        verdict,
        round(sure, 4),
        source,
    )
    return Fit(
        calibration,
        float((held_out[answerable == 0] < threshold).mean()),
        float((held_out[answerable == 1] < threshold).mean()),
        _share(given & ((chances > 0.5) == yes)),
        _share(given & ((chances > 0.5) != yes)),
    )


def _share(held: NDArray[np.bool_]) -> float:
    return float(held.mean()) if held.size else 0.0


def _held_out(fitted: Fitting, table: Floats, target: Floats, names: tuple[str, ...], seed: int) -> Floats:
    """The chance of each row by a model that was fitted without its fold."""
    folds = np.random.default_rng(seed).permutation(len(table)) % FOLDS
    chances = np.zeros(len(table))
    for fold in range(FOLDS):
        model = fitted(table[folds != fold], target[folds != fold], names)
        chances[folds == fold] = _chances(model, table[folds == fold], names)
    return chances


def _verdicts(judged: Sequence[Sample], seed: int) -> tuple[Logistic, Floats, NDArray[np.bool_]]:
    """The model of yes, the held-out chance of yes for each question, and for which of them yes is right."""
    if len(judged) < FOLDS:
        return PLAIN.verdict, np.zeros(0), np.zeros(0, dtype=bool)
    table = np.array([[sample.weighed[name] for name in VERDICT] for sample in judged if sample.weighed])
    yes = np.array([sample.yes for sample in judged])
    chances = _held_out(_mirrored, table, yes.astype(float), VERDICT, seed)
    return _mirrored(table, yes.astype(float), VERDICT), chances, yes


def _mirrored(table: Floats, target: Floats, names: tuple[str, ...]) -> Logistic:
    """A model without bias: what speaks for yes speaks as much for no with its sign turned."""
    found = _logistic(np.r_[table, -table], np.r_[target, 1 - target], names)
    return Logistic(found.weights, 0.0)


def _surely(chances: Floats, yes: NDArray[np.bool_]) -> float:
    """The lowest chance from which no more than WRONG_VERDICT of all yes/no questions are answered wrongly."""
    if not chances.size:
        return PLAIN.sure
    chance = np.maximum(chances, 1 - chances)
    order = np.argsort(-chance)
    wrong = np.cumsum(((chances > 0.5) != yes)[order]) / len(chances)
    kept = np.flatnonzero(wrong <= WRONG_VERDICT)
    return float(chance[order[kept[-1]]]) if kept.size else 1.0


def _logistic(table: Floats, target: Floats, names: tuple[str, ...]) -> Logistic:
    """Ridge logistic regression by Newton's method on standardised signals (Hastie et al., 4.4)."""
    mean, spread = table.mean(0), table.std(0) + 1e-9
    design = np.c_[np.ones(len(table)), (table - mean) / spread]
    penalty = RIDGE * np.eye(design.shape[1])
    penalty[0, 0] = 0.0
    weights = np.zeros(design.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (target - chance) - penalty @ weights
        curvature = (design * (chance * (1 - chance))[:, None]).T @ design + penalty
        step = np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), gradient)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    plain = weights[1:] / spread
    bias = float(weights[0] - plain @ mean)
    return Logistic({name: round(float(w), 4) for name, w in zip(names, plain, strict=True)}, round(bias, 4))


def _chances(model: Logistic, table: Floats, names: tuple[str, ...]) -> Floats:
    weights = np.array([model.weights[name] for name in names])
    return np.asarray(1 / (1 + np.exp(-(table @ weights + model.bias))))


def to_yaml(found: Fit) -> str:
    """The calibration as calibration.yaml holds it."""
    import yaml

    calibration = found.calibration
    content: dict[str, Any] = {
        "source": calibration.source,
        "cross_validated": {
            "silence": round(found.silence, 3),
            "false_silence": round(found.false_silence, 3),
            "verdict": round(found.verdict, 3),
            "wrong_verdict": round(found.wrong_verdict, 3),
        },
        "threshold": calibration.threshold,
        "answerable": {"bias": calibration.answerable.bias, "weights": dict(calibration.answerable.weights)},
        "right": {"bias": calibration.right.bias, "weights": dict(calibration.right.weights)},
        "sure": calibration.sure,
        "verdict": {"bias": calibration.verdict.bias, "weights": dict(calibration.verdict.weights)},
    }
    head = (
        "# Made by `kb eval QUESTIONS --calibrate`: when this corpus answers and how sure it is. Do not edit by hand.\n"
    )
    return head + str(yaml.safe_dump(content, sort_keys=False))
