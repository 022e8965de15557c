"""quant_sparse_flash_mla in numpy: HIFLOAT8 in, bfloat16 out. Source: the CPU reference of ops-transformer.

Where the device differs, this follows the CPU reference: a batch without original keys still attends its compressed
ones, and a list ends at its first negative entry (undefined on the device). Where the reference falls back to the whole
window, for a row whose list of original keys is empty, this attends no original key.
"""

import numpy as np

from ..formats import hifloat8
from ..formats.row640 import bf16_bits
from ._mla import Choice, Scales, attend, rows_of, with_key_axis
from ._rows import Array, KeyCache

GAIN = np.float32(16)
"""Probabilities are at most 1; times 16 they use more of the format."""


def round_probability(probability: Array) -> Array:
    """Probabilities times 16 as HIFLOAT8, ties away from zero."""
    return hifloat8.decode(hifloat8.encode(probability * GAIN))


def quant_sparse_flash_mla(
    q: Array,
    *,
    ori_kv: Array,
    cmp_kv: Array | None = None,
    q_descale: Array,
    ori_kv_descale: Array,
    cmp_kv_descale: Array | None = None,
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
    quant_mode: int = 1,
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
    """q [B,S,N,512] or [T,N,512] -> (attn_out like q as bfloat16 bits, softmax_lse [B,1,S,N] or [1,T,N] float32)."""
    ori = KeyCache(ori_kv, hifloat8.decode, cu_seqlens_ori_kv, seqused_ori_kv, ori_block_table)
    cmp = KeyCache.of(cmp_kv, hifloat8.decode, cu_seqlens_cmp_kv, seqused_cmp_kv, cmp_block_table)

    def restored(batch: int, count: int) -> int:
        residual = 0 if cmp_residual_kv is None else int(cmp_residual_kv[batch])
        return count * cmp_ratio + residual

    def scales(descale: Array | None) -> Scales:
        factor = 1.0 if descale is None else float(descale[0])
        return Scales(softmax_scale * float(q_descale[0]) * factor, factor)

    masks, band = (ori_mask_mode, cmp_mask_mode), (ori_win_left, ori_win_right)
    choice = Choice(
        ori, cmp, masks, band, cmp_ratio, restored,
        ori_sparse_indices, cmp_sparse_indices, ori_topk_length, cmp_topk_length,
    )  # fmt: skip
    rows = rows_of(q, layout_q, cu_seqlens_q, seqused_q)
    both = (scales(ori_kv_descale), scales(cmp_kv_descale))
    out, lse = attend(hifloat8.decode(q), rows, choice, both, sinks, round_probability)
    return bf16_bits(out / GAIN), with_key_axis(lse)
