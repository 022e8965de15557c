"""lightning_indexer in numpy: bfloat16 or float16 operands. Source: the CPU reference of ops-transformer."""

import numpy as np

from ..formats import row640
from ._indexer import Score, head_sum, products, select
from ._rows import Array, KeyCache


def decode(array: Array) -> Array:
    """bfloat16 bit patterns (uint16) or float16 -> float32."""
    return row640.bf16_values(array) if array.dtype == np.uint16 else array.astype(np.float32)


def full_precision(query: Array, weights: Array, keys: KeyCache) -> Score:
    """Scores in float32, never rounded below that."""

    def score(at, batch, count):
        activated = np.maximum(products(decode(query[at]), keys.rows(batch, range(count))), 0)
        return head_sum(decode(weights[at]), activated)

    return score


def lightning_indexer(
    q: Array,
    k: Array,
    w: Array,
    topk: int,
    cu_seqlens_q: Array | None = None,
    cu_seqlens_k: Array | None = None,
    seqused_q: Array | None = None,
    seqused_k: Array | None = None,
    cmp_residual_k: Array | None = None,
    block_table: Array | None = None,
    output_idx_offset: Array | None = None,
    metadata: Array | None = None,
    max_seqlen_q: int = -1,
    layout_q: str = "BSND",
    layout_k: str = "BSND",
    mask_mode: int = 0,
    cmp_ratio: int = 1,
    return_value: int = 0,
) -> tuple[Array, Array]:
    """q [B,S,N,128] or [T,N,128] -> indices int32 and values float32, [B,S,1,topk] or [T,1,topk]."""
    keys = KeyCache(k, decode, cu_seqlens_k, seqused_k, block_table)
    indices, values = select(
        q, keys, full_precision(q, w, keys), topk, layout=layout_q, starts=cu_seqlens_q, used=seqused_q,
        residual=cmp_residual_k, mask_mode=mask_mode, ratio=cmp_ratio, offset=output_idx_offset,
    )  # fmt: skip
    return indices, values if return_value else np.zeros(0, np.float32)
