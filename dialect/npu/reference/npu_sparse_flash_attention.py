"""npu_sparse_flash_attention in numpy: a list of keys, rotary parts stored apart. Source: op-plugin's document.

The document gives no arithmetic; it is the related kernels': probabilities in the query's type, 128 keys at a time.
"""

import numpy as np

from ._mla import decode_float, encode_like, with_key_axis
from ._rows import Array, KeyCache
from ._sparse_flash import attend_blocks, prefix_sums

OPEN = 2**63 - 1


def npu_sparse_flash_attention(
    query: Array,
    key: Array,
    value: Array,
    sparse_indices: Array,
    scale_value: float,
    block_table: Array | None = None,
    actual_seq_lengths_query: Array | None = None,
    actual_seq_lengths_kv: Array | None = None,
    query_rope: Array | None = None,
    key_rope: Array | None = None,
    sparse_block_size: int = 1,
    layout_query: str = "BSND",
    layout_kv: str = "BSND",
    sparse_mode: int = 3,
    pre_tokens: int = OPEN,
    next_tokens: int = OPEN,
    attention_mode: int = 0,
    return_softmax_lse: bool = False,
    sinks: Array | None = None,
) -> tuple[Array, Array, Array]:
    """query [B,S,N,512] or [T,N,512] -> (out like query, softmax_max and softmax_sum [B,1,S,N] or [1,T,N] float32)."""
    packed = layout_kv == "TND"
    starts, used = (prefix_sums(actual_seq_lengths_kv), None) if packed else (None, actual_seq_lengths_kv)
    keys = KeyCache(np.concatenate([key, key_rope], axis=-1), decode_float, starts, used, block_table)
    queries = decode_float(np.concatenate([query, query_rope], axis=-1))
    out, peak, total = attend_blocks(
        queries, keys, sparse_indices, scale_value, sparse_block_size, sparse_mode == 3, layout_query,
        actual_seq_lengths_query, sinks, lambda p: decode_float(encode_like(p, query)),
    )  # fmt: skip
    return encode_like(out, query), with_key_axis(peak), with_key_axis(total)
