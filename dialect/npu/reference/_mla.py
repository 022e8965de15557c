"""The common course of the attention references with a window of original keys and a segment of compressed keys."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..formats.row640 import bf16_bits, bf16_values
from ._rows import Array, KeyCache, Row, listed, query_rows, visible_groups, window
from ._softmax import Segment, tiled_softmax


def decode_float(stored: Array) -> Array:
    """float16, float32 or bfloat16 (as uint16 bit patterns) -> float32."""
    return bf16_values(stored) if stored.dtype == np.uint16 else stored.astype(np.float32)


def encode_like(values: Array, like: Array) -> Array:
    """float32 -> the storage of `like`: bfloat16 bit patterns for uint16, else its own dtype."""
    return bf16_bits(values) if like.dtype == np.uint16 else values.astype(like.dtype)


class Scales(NamedTuple):
    """Factors of a segment's raw products and of its weighted values."""

    score: float
    value: float = 1.0


@dataclass(frozen=True)
class Choice:
    """Which keys every row meets.

    `restored(batch, count)` is the original length of a batch as its `count` compressed keys tell it.
    """

    ori: KeyCache
    cmp: KeyCache | None
    masks: tuple[int, int]
    window: tuple[int, int]
    ratio: int
    restored: Callable[[int, int], int]
    ori_list: Array | None = None
    cmp_list: Array | None = None
    ori_counts: Array | None = None
    cmp_counts: Array | None = None

    def original(self, row: Row) -> Sequence[int]:
        """Window, or the entries of the list inside the window."""
        length = self.ori.length(row.batch)
        seen = window(row.position(length), length, self.masks[0], *self.window)
        return seen if self.ori_list is None else listed(self.ori_list[row.at], self.ori_counts, row.at, seen)

    def compressed(self, row: Row) -> Sequence[int]:
        """The visible prefix, or the entries of the list inside it."""
        if self.cmp is None:
            return []
        count = self.cmp.length(row.batch)
        if self.masks[1] == 3:
            count = visible_groups(row.position(self.restored(row.batch, count)), self.ratio, count)
        seen = range(count)
        return seen if self.cmp_list is None else listed(self.cmp_list[row.at], self.cmp_counts, row.at, seen)


def attend(
    query: Array,
    rows: list[Row],
    choice: Choice,
    scales: tuple[Scales, Scales],
    sinks: Array | None,
    round_probability: Callable[[Array], Array],
) -> tuple[Array, Array]:
    """query [..., N, D] float32 -> (output [..., N, D], log-sum-exp [..., N]), float32, 0 for rows without keys."""
    out, lse = np.zeros(query.shape, np.float32), np.zeros(query.shape[:-1], np.float32)
    for row in rows:
        chosen = (choice.original(row), choice.compressed(row))
        segments = []
        for cache, ids, scale in zip((choice.ori, choice.cmp), chosen, scales, strict=True):
            if cache is not None and len(ids):
                keys = cache.rows(row.batch, ids)
                segments.append(Segment(keys, keys, np.float32(scale.score), np.float32(scale.value)))
        if not segments:
            continue
        weighted, peak, total = tiled_softmax(query[row.at], segments, sinks, round_probability)
        out[row.at] = weighted / total[:, None]
        lse[row.at] = peak + np.log(total + np.float32(1e-10))
    return out, lse


def with_key_axis(lse: Array) -> Array:
    """[B,S,N] -> [B,1,S,N] and [T,N] -> [1,T,N], the published shapes."""
    return np.expand_dims(lse, -3)


def rows_of(query: Array, layout: str, starts: Array | None, used: Array | None) -> list[Row]:
    """The live query rows, see `query_rows`."""
    return list(query_rows(query, layout, starts, used))
