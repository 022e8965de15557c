"""What the indexers share: fp32 products in a fixed order, single-rounding accumulation, visibility and ranking."""

from collections.abc import Callable

import numpy as np

from ._rows import Array, KeyCache, Row, query_rows, visible_groups

Score = Callable[[tuple[int, ...], int, int], Array]
"""(place of a query row, batch, number of visible keys) -> the float32 scores of those keys."""


def products(query: Array, keys: Array) -> Array:
    """[N, D] x [n, D] -> [N, n] float32: products added in order of the element, every step rounded to float32."""
    total = np.zeros((query.shape[0], keys.shape[0]), np.float32)
    for element in range(query.shape[1]):
        total += query[:, element, None] * keys[None, :, element]
    return total


def head_sum(weights: Array, activated: Array) -> Array:
    """[N] x [N, n] -> [n] float32: weighted heads added in order, product and sum each rounded to float32."""
    total = np.zeros(activated.shape[1], np.float32)
    for weight, head in zip(weights.astype(np.float32), activated, strict=True):
        total += weight * head
    return total


def fused(a: Array, b: Array, c: Array) -> Array:
    """a * b + c as float64, rounded to odd: rounding it further to float32 or bfloat16 rounds the exact value once.

    a and b are float32 (their product is exact in float64), c is float32.
    """
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    part = total - product
    lost = (product - (total - part)) + (addend - part)
    even = (total.view(np.int64) & 1) == 0
    return np.where((lost != 0) & even, np.nextafter(total, np.where(lost > 0, np.inf, -np.inf)), total)


def bf16_round(values: Array) -> Array:
    """float32 or float64 -> the nearest bfloat16 (ties to even), as float32; overflow gives infinities."""
    x = np.asarray(values, np.float64)
    step = np.ldexp(1.0, np.maximum(np.frexp(x)[1] - 1, -126) - 7)
    with np.errstate(invalid="ignore"):
        rounded = np.where(np.isfinite(x), np.rint(x / step) * step, x)
    return np.where(np.abs(rounded) >= 2.0**128, np.copysign(np.inf, rounded), rounded).astype(np.float32)


def rank(scores: Array, count: int) -> Array:
    """Places of the `count` largest scores, descending; equal scores keep their order."""
    return np.argsort(-scores.astype(np.float64), kind="stable")[:count]


def visible_keys(row: Row, length: int, mask_mode: int, ratio: int, residual: int) -> int:
    """Mask 0: every key. Mask 3: keys whose tokens all precede or equal the row, by the restored key length."""
    if mask_mode == 0:
        return length
    return visible_groups(row.position(length * ratio + residual), ratio, length)


def select(
    query: Array,
    cache: KeyCache,
    score: Score,
    topk: int,
    *,
    layout: str,
    starts: Array | None = None,
    used: Array | None = None,
    residual: Array | None = None,
    mask_mode: int = 0,
    ratio: int = 1,
    offset: Array | None = None,
) -> tuple[Array, Array]:
    """indices int32 and values float32, [B,S,1,topk] or [T,1,topk]; -1 and -inf where a row has no further key."""
    shape = (*query.shape[:-2], 1, topk)
    indices, values = np.full(shape, -1, np.int32), np.full(shape, -np.inf, np.float32)
    for row in query_rows(query, layout, starts, used):
        length = cache.length(row.batch)
        count = visible_keys(row, length, mask_mode, ratio, 0 if residual is None else int(residual[row.batch]))
        scores = score(row.at, row.batch, count)
        best = rank(scores, topk)
        indices[row.at][0, : best.size] = best + (0 if offset is None else int(offset[row.at].item()))
        values[row.at][0, : best.size] = scores[best]
    return indices, values
