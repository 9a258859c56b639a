"""Linear layers in 8 bits: what fits their inputs, and that nothing but rounding is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kb.eight_bits import OUTLIERS, STEPS, Fit, fit, shares, weights_in_8_bits

TOKENS, CHANNELS, OUTPUTS = 300, 64, 48
Floats = NDArray[np.float32]


def normal(*shape: int) -> Floats:
    return np.random.default_rng(7).normal(size=shape).astype(np.float32)


def outputs(inputs: Floats, weights: Floats, way: Fit) -> Floats:
    """What the exported graph computes."""
    steps, sizes = weights_in_8_bits(weights, way.halved, way.apart)
    alike = inputs * shares(way.halved) if way.halved else inputs
    seen = np.clip(np.rint(alike / np.float32(way.scale)) + way.zero, 0, 255).astype(np.int32) - way.zero
    product = (seen @ steps.astype(np.int32)).astype(np.float32) * np.float32(way.scale) * sizes
    kept = list(way.apart)
    return np.asarray(product + inputs[:, kept] @ weights[:, kept].T, dtype=np.float32)


def error(inputs: Floats, weights: Floats, way: Fit) -> float:
    exact = inputs @ weights.T
    return float(np.linalg.norm(outputs(inputs, weights, way) - exact) / np.linalg.norm(exact))


def test_fit__channels_that_are_alike_are_left_as_they_are() -> None:
    way = fit(normal(TOKENS, CHANNELS), normal(OUTPUTS, CHANNELS))
    assert (way.halved, way.apart) == ((), ())
    assert error(normal(TOKENS, CHANNELS), normal(OUTPUTS, CHANNELS), way) < 0.02


def test_fit__channels_that_are_large_for_all_tokens() -> None:
    inputs, weights = normal(TOKENS, CHANNELS), normal(OUTPUTS, CHANNELS)
    inputs[:, ::8] *= 32
    weights[:, ::8] /= 32
    way = fit(inputs, weights)
    assert min(way.halved[::8]) >= 3
    as_it_is = replace(way, scale=2 * float(np.abs(inputs).max()) / 255, zero=128, halved=())
    assert error(inputs, weights, way) < 0.03 < error(inputs, weights, as_it_is)


def test_fit__a_channel_that_is_large_for_a_few_tokens() -> None:
    inputs, weights = normal(TOKENS, CHANNELS), normal(OUTPUTS, CHANNELS)
    inputs[:3, 9] = 400
    way = fit(inputs, weights)
    assert len(way.apart) == OUTLIERS
    assert 9 in way.apart
    assert error(inputs[3:], weights, way) < 0.02


def test_fit__nothing_but_zeros_and_nothing_below_zero() -> None:
    nothing = np.zeros((TOKENS, CHANNELS), dtype=np.float32)
    assert fit(nothing, normal(OUTPUTS, CHANNELS)).scale > 0
    assert fit(np.abs(normal(TOKENS, CHANNELS)), normal(OUTPUTS, CHANNELS)).zero == 0


def test_weights__all_that_is_lost_is_rounding() -> None:
    weights = normal(OUTPUTS, CHANNELS)
    weights[3] = 0
    halved = tuple(range(-2, CHANNELS - 2))
    steps, sizes = weights_in_8_bits(weights, halved[:8] * (CHANNELS // 8), (1, 2))
    assert np.abs(steps).max() == STEPS // 2
    assert not steps[[1, 2]].any()
    assert not steps[:, 3].any()
    turned = weights.T / shares(halved[:8] * (CHANNELS // 8))[:, None]
    turned[[1, 2]] = 0
    assert np.all(np.abs(steps * sizes - turned) <= sizes * 0.5001)
