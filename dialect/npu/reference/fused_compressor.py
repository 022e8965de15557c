"""fused_compressor in numpy, in float64: the compressor's rows, normalised, the last columns rotated."""

from typing import Any

import numpy as np

from ._rows import Array
from .compressor import compressor
from .lightning_indexer import decode


def rotated(values: Array, sin: Array, cos: Array, mode: int) -> Array:
    """Mode 1 turns column i with i + half, mode 2 column 2i with 2i + 1: a cos - b sin, b cos + a sin."""
    width = values.shape[-1]
    pairs = np.arange(width).reshape(2, -1) if mode == 1 else np.arange(width).reshape(-1, 2).T
    partner = np.empty_like(values)
    partner[..., pairs[0]], partner[..., pairs[1]] = -values[..., pairs[1]], values[..., pairs[0]]
    return values * cos + partner * sin


def fused_compressor(
    *,
    norm_weight: Array,
    rope_sin: Array,
    rope_cos: Array,
    rope_head_dim: int,
    norm_eps: float = 1e-6,
    rotary_mode: int = 1,
    **plain: Any,
) -> tuple[Array, Array]:
    """The arguments of `compressor`, norm_weight [D], rope_sin and rope_cos [..., rope_head_dim] -> (cmp_kv, state).

    Rows that no group fills stay zero.
    """
    rows, state = compressor(**plain)
    weight, sin, cos = (decode(x).astype(np.float64) for x in (norm_weight, rope_sin, rope_cos))
    normed = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + norm_eps) * weight
    turned = rotated(normed[..., -rope_head_dim:], sin, cos, rotary_mode)
    result = np.concatenate([normed[..., :-rope_head_dim], turned], -1)
    return np.where((rows != 0).any(-1, keepdims=True), result, 0), state
