"""A linear layer in 8 bits, on scales that are fixed when a model is exported.

Weights have a scale per output, inputs one for all tokens of all texts: what a text's vector is depends on that text
alone, in whatever batch it runs, and nothing is measured while it runs. One scale wastes most of its steps where a few
channels are far beyond the others. Either each channel is halved or doubled as often as makes them alike, and its
weights the other way round (powers of two: not a digit is lost), or the largest channels are left out and multiplied
exactly. The first mostly fits what a layer norm gives, the second what a GELU gives; the error on probe texts decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

OUTLIERS = 4
"Channels that are left out where that is better: those with the largest values."
EVENED = 0.7
"How much of the channels' differences is taken from the inputs; the weights get it."
WORTH = 1.5
"A way that costs more time must have a squared error this many times smaller."
ROOM = 1.1
"Values may be this many times as large as the largest seen before they are cut."
STEPS = 254
"Steps of a weight, from -127 to 127."

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """How the inputs of a linear layer are brought into 8 bits."""

    scale: float
    "The size of a step."
    zero: int
    "The step that stands for 0, from 0 to 255."
    halved: tuple[int, ...] = ()
    "How often each channel is halved before; empty for not at all."
    apart: tuple[int, ...] = ()
    "The channels that are left out."


def fit(inputs: Floats, weights: Floats) -> Fit:
    """What fits inputs of shape (tokens, channels) best, for weights of shape (outputs, channels).

    Layers that share their inputs are to share the fit: their weights are given one below the other.
    """
    largest = np.abs(inputs).max(axis=0)
    apart = np.sort(np.argsort(-largest, kind="stable")[:OUTLIERS]).tolist()
    ways = [_fit(inputs), _fit(inputs, halved=_evened(largest)), _fit(inputs, apart=tuple(apart))]  # the fastest first
    errors = [_error(inputs, weights, way) for way in ways]
    return next(way for way, error in zip(ways, errors, strict=True) if error <= WORTH * min(errors))


def weights_in_8_bits(weights: Floats, halved: Sequence[int], apart: Sequence[int]) -> tuple[NDArray[np.int8], Floats]:
    """A layer's weights, shape (outputs, inputs), as steps of shape (inputs, outputs), and each output's step size."""
    turned = np.array(weights.T, dtype=np.float32)
    if halved:
        turned /= shares(halved)[:, None]
    turned[list(apart)] = 0  # whatever their inputs are cut to, it counts for nothing
    largest = np.maximum(np.abs(turned).max(axis=0), np.finfo(np.float32).tiny)
    size = np.asarray(largest.astype(np.float64) * 2 / STEPS).astype(np.float32)
    return np.clip(np.round(turned / size), -(STEPS // 2), STEPS // 2).astype(np.int8), size


def rows_in_8_bits(table: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Each row of a table in whole steps of its own, shape (n, dim), and the size of its steps, shape (n, 1)."""
    sizes = np.maximum(np.abs(table).max(axis=1, keepdims=True) / np.float32(127), np.float32(1e-12))
    return np.rint(table / sizes).astype(np.int8), sizes.astype(np.float32)


def shares(halved: Sequence[int]) -> Floats:
    """What each channel is multiplied by."""
    return np.exp2(-np.array(halved, dtype=np.float32))


def _evened(largest: Floats) -> tuple[int, ...]:
    usual = max(float(np.median(largest)), 1e-6)
    often = np.round(EVENED * np.log2(np.maximum(largest, 1e-3 * usual) / usual))
    return tuple(int(n) for n in often) if often.any() else ()


def _fit(inputs: Floats, halved: tuple[int, ...] = (), apart: tuple[int, ...] = ()) -> Fit:
    """A step size, and the step of 0, for these inputs and some larger ones."""
    values = np.delete(inputs * shares(halved) if halved else inputs, list(apart), axis=1)
    low, high = min(float(values.min()), 0.0) * ROOM, max(float(values.max()), 1e-6) * ROOM
    size = (high - low) / 255
    return Fit(size, round(-low / size), halved, apart)


def _error(inputs: Floats, weights: Floats, way: Fit) -> float:
    """The squared error of the outputs."""
    steps, sizes = weights_in_8_bits(weights, way.halved, way.apart)
    alike = inputs * shares(way.halved) if way.halved else inputs
    seen = (np.clip(np.round(alike / way.scale) + way.zero, 0, 255) - way.zero) * way.scale
    kept = list(way.apart)
    made = (seen @ steps.astype(np.float32)) * sizes + inputs[:, kept] @ weights[:, kept].T
    return float(np.square(made - inputs @ weights.T).sum())
