"""npu_lightning_indexer in numpy: the uncompressed indexer of the older operator package, fp32 scores.

Source: its published document. Lengths differ from lightning_indexer's: with TND they are prefix sums of length B
without a leading 0, otherwise (also for a paged key) plain lengths.
"""

import numpy as np

from ._indexer import select
from ._rows import Array, KeyCache
from .lightning_indexer import decode, full_precision

UNBOUNDED = 2**63 - 1


def with_zero(sums: Array | None) -> Array | None:
    """Prefix sums with the leading 0 that the newer operators have."""
    return None if sums is None else np.concatenate([[0], sums])


def older_lengths(layout: str, lengths: Array | None) -> tuple[Array | None, Array | None]:
    """(prefix sums, used lengths) that `actual_seq_lengths_*` stands for in a layout."""
    return (with_zero(lengths), None) if layout == "TND" else (None, lengths)


def npu_lightning_indexer(
    query: Array,
    key: Array,
    weights: Array,
    actual_seq_lengths_query: Array | None = None,
    actual_seq_lengths_key: Array | None = None,
    block_table: Array | None = None,
    layout_query: str = "BSND",
    layout_key: str = "BSND",
    sparse_count: int = 2048,
    sparse_mode: int = 3,
    pre_tokens: int = UNBOUNDED,
    next_tokens: int = UNBOUNDED,
    return_value: bool = False,
) -> tuple[Array, Array]:
    """query [B,S,N,128] or [T,N,128] -> indices int32 and values float32, [B,S,1,k] or [T,1,k]."""
    key_starts, key_used = older_lengths(layout_key, actual_seq_lengths_key)
    starts, used = older_lengths(layout_query, actual_seq_lengths_query)
    keys = KeyCache(key, decode, key_starts, key_used, block_table)
    indices, values = select(
        query, keys, full_precision(query, weights, keys), sparse_count, layout=layout_query, starts=starts, used=used,
        mask_mode=sparse_mode,
    )  # fmt: skip
    return indices, values if return_value else np.zeros(0, np.float32)
