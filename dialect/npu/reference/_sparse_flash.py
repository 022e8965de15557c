"""The common course of the attention references that take nothing but a list of keys or of blocks of keys."""

from collections.abc import Callable

import numpy as np

from ._rows import Array, KeyCache, query_rows
from ._softmax import Segment, tiled_softmax


def prefix_sums(lengths: Array | None) -> Array | None:
    """The leading 0 the older operators leave out."""
    return None if lengths is None else np.concatenate([[0], lengths])


def block_list(entries: Array, size: int, length: int, visible: int) -> list[int]:
    """Key ids of a list of blocks of `size` keys, ended by a negative entry, cut at `length` and at `visible`."""
    ids: list[int] = []
    for entry in entries.reshape(-1).tolist():
        if entry < 0:
            break
        ids += range(entry * size, min((entry + 1) * size, length, max(visible, 0)))
    return ids


def attend_blocks(
    query: Array,
    cache: KeyCache,
    indices: Array,
    scale: float,
    block: int,
    causal: bool,
    layout: str,
    query_lengths: Array | None,
    sinks: Array | None,
    round_probability: Callable[[Array], Array],
) -> tuple[Array, Array, Array]:
    """query [..., N, 576] float32 -> (out [..., N, 512], maximum and sum [..., N]), float32.

    The value of a key is its first 512 numbers. Rows without keys: output 0, maximum -inf, sum 0; with sinks the
    maximum is the sink and the sum its own term, 1.
    """
    out = np.zeros((*query.shape[:-1], 512), np.float32)
    peaks, totals = np.full(query.shape[:-1], -np.inf, np.float32), np.zeros(query.shape[:-1], np.float32)
    packed = layout == "TND"
    starts, used = (prefix_sums(query_lengths), None) if packed else (None, query_lengths)
    for row in query_rows(query, layout, starts, used):
        length = cache.length(row.batch)
        ids = block_list(indices[row.at], block, length, row.position(length) if causal else length)
        if sinks is not None:
            peaks[row.at], totals[row.at] = sinks, 1
        if not ids:
            continue
        keys = cache.rows(row.batch, ids)
        segment = Segment(keys, keys[:, :512], np.float32(scale))
        weighted, peaks[row.at], totals[row.at] = tiled_softmax(query[row.at], [segment], sinks, round_probability)
        out[row.at] = weighted / totals[row.at][:, None]
    return out, peaks, totals
