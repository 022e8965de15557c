"""sparse_flash_mla in numpy: bfloat16 or float16. Source: the CPU reference of ops-transformer."""

from collections.abc import Callable
from typing import NamedTuple

from ._mla import Choice, Scales, attend, decode_float, encode_like, rows_of, with_key_axis
from ._rows import Array, KeyCache


class Numbers(NamedTuple):
    """How an operator of the family stores and rounds."""

    decode: Callable[[Array], Array]
    scales: tuple[Scales, Scales]
    rounded: Callable[[Array], Array]
    """Probabilities as they meet the values."""
    encode: Callable[[Array], Array]
    original_length: bool
    """Without a residual the original length tells how many compressed keys are visible."""


def of_floats(q: Array, scale: float) -> Numbers:
    """bfloat16 and float16, probabilities rounded to the type of the query."""

    def rounded(probability: Array) -> Array:
        return decode_float(encode_like(probability, q))

    return Numbers(decode_float, (Scales(scale), Scales(scale)), rounded, lambda out: encode_like(out, q), True)


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
    numbers: Numbers | None = None,
) -> tuple[Array, Array]:
    """q [B,S,N,512] or [T,N,512] -> (attn_out like q, softmax_lse [B,1,S,N] or [1,T,N] float32).

    Compressed keys become visible by compressed length * ratio + residual, as the document says; without a residual by
    the original length, as the reference does. Consistent lengths make the two the same. `numbers`: the formats of the
    quantised operator.
    """
    numbers = numbers or of_floats(q, softmax_scale)
    ori = KeyCache(ori_kv, numbers.decode, cu_seqlens_ori_kv, seqused_ori_kv, ori_block_table)
    cmp = KeyCache.of(cmp_kv, numbers.decode, cu_seqlens_cmp_kv, seqused_cmp_kv, cmp_block_table)

    def restored(batch: int, count: int) -> int:
        if cmp_residual_kv is None and numbers.original_length:
            return ori.length(batch)
        return count * cmp_ratio + (0 if cmp_residual_kv is None else int(cmp_residual_kv[batch]))

    masks, band = (ori_mask_mode, cmp_mask_mode), (ori_win_left, ori_win_right)
    choice = Choice(
        ori, cmp, masks, band, cmp_ratio, restored,
        ori_sparse_indices, cmp_sparse_indices, ori_topk_length, cmp_topk_length,
    )  # fmt: skip
    rows = rows_of(q, layout_q, cu_seqlens_q, seqused_q)
    out, lse = attend(numbers.decode(q), rows, choice, numbers.scales, sinks, numbers.rounded)
    return numbers.encode(out), with_key_axis(lse)
