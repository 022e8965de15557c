"""The softmax of the attention references: 128 keys at a time, running maximum, rounded probabilities."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

Array = np.ndarray
TILE = 128


class Segment(NamedTuple):
    """Keys [K,D] and values [K,Dv] (float32) that share the factors of their scores and of their output."""

    keys: Array
    values: Array
    score_scale: np.float32
    value_scale: np.float32 = np.float32(1)


def tiled_softmax(
    query: Array, segments: list[Segment], sinks: Array | None, round_probability: Callable[[Array], Array]
) -> tuple[Array, Array, Array]:
    """Attention of one query row [N,D] over its segments in order, before the division by the sum.

    A tile never spans two segments. The running maximum starts at the sink logits, whose own term is the 1 the sum
    starts with; without sinks the first tile wipes that 1. Probabilities are rounded for the second product only.
    Returns (weighted values [N,Dv], maximum [N], sum [N]), all float32.
    """
    heads = len(query)
    peak = np.full(heads, -np.inf, np.float32) if sinks is None else sinks.astype(np.float32)
    total = np.ones(heads, np.float32)
    out = np.zeros((heads, segments[0].values.shape[1]), np.float32)
    for segment in segments:
        for start in range(0, len(segment.keys), TILE):
            tile = slice(start, start + TILE)
            scores = (query @ segment.keys[tile].T) * segment.score_scale
            higher = np.maximum(peak, scores.max(axis=1))
            shrink = np.exp(peak - higher)
            probability = np.exp(scores - higher[:, None])
            total = total * shrink + probability.sum(axis=1, dtype=np.float32)
            weighted = (round_probability(probability) @ segment.values[tile]) * segment.value_scale
            out = out * shrink[:, None] + weighted
            peak = higher
    return out, peak, total
