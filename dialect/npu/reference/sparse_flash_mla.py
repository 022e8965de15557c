"""sparse_flash_mla in numpy: bfloat16 or float16. Source: the CPU reference of ops-transformer."""

from ._mla import Choice, Scales, attend, decode_float, encode_like, rows_of, with_key_axis
from ._rows import Array, KeyCache


def sparse_flash_mla(
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
    seqused_ori_kv: Array | None = None,
    seqused_cmp_kv: Array | None = None,
    cmp_residual_kv: Array | None = None,
    ori_topk_length: Array | None = None,
    cmp_topk_length: Array | None = None,
    sinks: Array | None = None,
    metadata: Array | None = None,
    softmax_scale: float = 1.0,
    cmp_ratio: int = 1,
    ori_mask_mode: int = 0,
    cmp_mask_mode: int = 0,
    ori_win_left: int = -1,
    ori_win_right: int = -1,
    layout_q: str = "BSND",
    layout_kv: str = "BSND",
    topk_value_mode: int = 1,
    return_softmax_lse: bool = False,
) -> tuple[Array, Array]:
    """q [B,S,N,512] or [T,N,512] -> (attn_out like q, softmax_lse [B,1,S,N] or [1,T,N] float32).

    Compressed keys become visible by compressed length * ratio + residual, as the document says; without a residual by
    the original length, as the reference does. Consistent lengths make the two the same.
    """
    ori = KeyCache(ori_kv, decode_float, cu_seqlens_ori_kv, seqused_ori_kv, ori_block_table)
    cmp = KeyCache.of(cmp_kv, decode_float, cu_seqlens_cmp_kv, seqused_cmp_kv, cmp_block_table)

    def restored(batch: int, count: int) -> int:
        if cmp_residual_kv is None:
            return ori.length(batch)
        return count * cmp_ratio + int(cmp_residual_kv[batch])

    masks, band = (ori_mask_mode, cmp_mask_mode), (ori_win_left, ori_win_right)
    choice = Choice(
        ori, cmp, masks, band, cmp_ratio, restored,
        ori_sparse_indices, cmp_sparse_indices, ori_topk_length, cmp_topk_length,
    )  # fmt: skip
    rows = rows_of(q, layout_q, cu_seqlens_q, seqused_q)
    scales = (Scales(softmax_scale), Scales(softmax_scale))
    out, lse = attend(decode_float(q), rows, choice, scales, sinks, lambda p: decode_float(encode_like(p, q)))
    return encode_like(out, q), with_key_axis(lse)
