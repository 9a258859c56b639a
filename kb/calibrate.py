"""Fits a corpus's calibration on question sets: logistic regression, its threshold chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.silence import SIGNALS, Calibration, Logistic

FOLDS = 10
RIDGE = 1.0
FALSE_SILENCE = 0.025
"Share of answerable questions that may be met with silence."
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """One question as the search sees it, with what is known of it."""

    signals: Mapping[str, float]
    answerable: bool
    right: bool
    "The first citation settles it."


@dataclass(frozen=True, slots=True)
class Fit:
    """A calibration with what cross-validation says of it."""

    calibration: Calibration
    silence: float
    "Share of unanswerable questions met with silence, each judged by a model that has not seen it."
    false_silence: float


def fit(samples: Sequence[Sample], source: str, seed: int = 0) -> Fit:
    """Fits both models and chooses the threshold that keeps FALSE_SILENCE on held-out questions."""
    table = np.array([[sample.signals[name] for name in SIGNALS] for sample in samples])
    answerable = np.array([sample.answerable for sample in samples], dtype=float)
    right = np.array([sample.right for sample in samples], dtype=float)
    folds = np.random.default_rng(seed).permutation(len(samples)) % FOLDS
    held_out = np.zeros(len(samples))
    for fold in range(FOLDS):
        model = _logistic(table[folds != fold], answerable[folds != fold])
        held_out[folds == fold] = _chances(model, table[folds == fold])
    threshold = float(np.quantile(held_out[answerable == 1], FALSE_SILENCE))
    calibration = Calibration(_logistic(table, answerable), _logistic(table, right), round(threshold, 4), source)
    return Fit(
        calibration,
        float((held_out[answerable == 0] < threshold).mean()),
        float((held_out[answerable == 1] < threshold).mean()),
    )


def _logistic(table: Floats, target: Floats) -> Logistic:
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
    return Logistic({name: round(float(w), 4) for name, w in zip(SIGNALS, plain, strict=True)}, round(bias, 4))


def _chances(model: Logistic, table: Floats) -> Floats:
    weights = np.array([model.weights[name] for name in SIGNALS])
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
        },
        "threshold": calibration.threshold,
        "answerable": {"bias": calibration.answerable.bias, "weights": dict(calibration.answerable.weights)},
        "right": {"bias": calibration.right.bias, "weights": dict(calibration.right.weights)},
    }
    head = (
        "# Made by `kb eval QUESTIONS --calibrate`: when this corpus answers and how sure it is. Do not edit by hand.\n"
    )
    return head + str(yaml.safe_dump(content, sort_keys=False))
