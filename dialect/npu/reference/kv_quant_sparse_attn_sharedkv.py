"""kv_quant_sparse_attn_sharedkv in numpy: sparse_attn_sharedkv with key rows of 640 packed bytes.

No CPU reference is published; the arithmetic is its kernel family's: bfloat16 probabilities, 128 keys at a time.
"""

from typing import Any

from ..formats import row640
from ._rows import Array
from .sparse_attn_sharedkv import sparse_attn_sharedkv


def kv_quant_sparse_attn_sharedkv(
    q: Array, *, kv_quant_mode: int = 1, tile_size: int = 0, rope_head_dim: int = 0, **shared: Any
) -> tuple[Array, Array]:
    """The arguments of sparse_attn_sharedkv -> (attn_out like q, softmax_lse [B,1,S,N] or [1,T,N] float32)."""
    return sparse_attn_sharedkv(q, **shared, decode=row640.unpack)
