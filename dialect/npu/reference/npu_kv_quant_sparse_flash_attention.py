"""npu_kv_quant_sparse_flash_attention in numpy: packed key rows of 656 bytes. Source: op-plugin's document.

| bytes | content |
|---|---|
| 0..511 | 512 elements, int8, float8 e4m3 or (key_dtype given) HIFLOAT8 |
| 512..639 | 64 rotary elements in the query's type |
| 640..655 | 4 float32 scales, scale j for elements 128j .. 128j + 127 |

Scaled elements are rounded to the query's type, as the kernel multiplies matrices of that type.
"""

import numpy as np

from ..formats import float8_e4m3, hifloat8
from ._mla import decode_float, encode_like
from ._rows import Array, KeyCache
from ._sparse_flash import attend_blocks, prefix_sums

OPEN = 2**63 - 1


def unpack(rows: Array, like: Array, is_hifloat8: bool) -> Array:
    """[..., 656] int8, or uint8 holding HIFLOAT8 or e4m3 codes -> [..., 576] float32."""
    decode = hifloat8.decode if is_hifloat8 else float8_e4m3.decode
    codes, raw = rows[..., :512], np.ascontiguousarray(rows[..., 512:]).view(np.uint8)
    values = decode(codes) if rows.dtype == np.uint8 else codes.astype(np.float32)
    scales = np.repeat(np.ascontiguousarray(raw[..., 128:]).view("<f4"), 128, axis=-1)
    rope = np.ascontiguousarray(raw[..., :128]).view(like.dtype)
    return np.concatenate([decode_float(encode_like(values * scales, like)), decode_float(rope)], axis=-1)


def npu_kv_quant_sparse_flash_attention(
    query: Array,
    key: Array,
    value: Array,
    sparse_indices: Array,
    scale_value: float,
    key_quant_mode: int,
    value_quant_mode: int,
    key_dequant_scale: Array | None = None,
    value_dequant_scale: Array | None = None,
    block_table: Array | None = None,
    actual_seq_lengths_query: Array | None = None,
    actual_seq_lengths_kv: Array | None = None,
    sparse_block_size: int = 1,
    layout_query: str = "BSND",
    layout_kv: str = "BSND",
    sparse_mode: int = 3,
    pre_tokens: int = OPEN,
    next_tokens: int = OPEN,
    attention_mode: int = 0,
    quant_scale_repo_mode: int = 1,
    tile_size: int = 128,
    rope_head_dim: int = 64,
    key_dtype: int | None = None,
    value_dtype: int | None = None,
) -> tuple[Array]:
    """query [B,S,N,576] or [T,N,576] -> out [B,S,N,512] or [T,N,512] in its type."""
    packed = layout_kv == "TND"
    starts, used = (prefix_sums(actual_seq_lengths_kv), None) if packed else (None, actual_seq_lengths_kv)
    keys = KeyCache(key, lambda rows: unpack(rows, query, key_dtype is not None), starts, used, block_table)
    out, _, _ = attend_blocks(
        decode_float(query), keys, sparse_indices, scale_value, sparse_block_size, sparse_mode == 3, layout_query,
        actual_seq_lengths_query, None, lambda p: decode_float(encode_like(p, query)),
    )  # fmt: skip
    return (encode_like(out, query),)
