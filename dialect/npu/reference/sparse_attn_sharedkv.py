"""sparse_attn_sharedkv in numpy: bfloat16 or float16 queries and paged keys, uncompressed lengths."""

from collections.abc import Callable

from ._mla import Choice, Scales, attend, decode_float, encode_like, rows_of, with_key_axis
from ._rows import Array, KeyCache


def sparse_attn_sharedkv(
    q: Array,
    *,
    ori_kv: Array,
    cmp_kv: Array | None = None,
    ori_sparse_indices: Array | None = None,
    cmp_sparse_indices: Array | None = None,
    ori_block_table: Array | None = None,
    cmp_block_table: Array | None = None,
    cu_seqlens_q: Array | None = None,
    cu_seqlens_ori_kv: Array | None = None,
    cu_seqlens_cmp_kv: Array | None = None,
    seqused_q: Array | None = None,
    seqused_kv: Array,
    sinks: Array | None = None,
    metadata: Array | None = None,
    softmax_scale: float = 0,
    cmp_ratio: int = 0,
    ori_mask_mode: int = 4,
    cmp_mask_mode: int = 3,
    ori_win_left: int = 127,
    ori_win_right: int = 0,
    layout_q: str = "BSND",
    layout_kv: str = "PA_ND",
    return_softmax_lse: bool = False,
    decode: Callable[[Array], Array] = decode_float,
) -> tuple[Array, Array]:
    """q [B,S,N,512] or [T,N,512] -> (attn_out like q, softmax_lse [B,1,S,N] or [1,T,N] float32).

    seqused_kv counts original tokens; the compressed cache holds one row for every cmp_ratio complete ones.
    ori_sparse_indices, seqused_q, cu_seqlens_ori_kv and cu_seqlens_cmp_kv are reserved and have no effect.
    `decode`: stored key rows to float32, for the operator with packed rows.
    """
    ori = KeyCache(ori_kv, decode, None, seqused_kv, ori_block_table)
    cmp = KeyCache.of(cmp_kv, decode, None, seqused_kv // max(cmp_ratio, 1), cmp_block_table)
    masks, band = (ori_mask_mode, cmp_mask_mode), (ori_win_left, ori_win_right)
    choice = Choice(ori, cmp, masks, band, cmp_ratio, lambda batch, _: ori.length(batch), None, cmp_sparse_indices)
    rows = rows_of(q, layout_q, cu_seqlens_q, None)
    scales = (Scales(softmax_scale), Scales(softmax_scale))
    out, lse = attend(decode_float(q), rows, choice, scales, sinks, lambda p: decode_float(encode_like(p, q)))
    return encode_like(out, q), with_key_axis(lse)
