"""quant_lightning_indexer in numpy. Source: the CPU reference of ops-transformer, which defines the rounding steps."""

import numpy as np

from ..formats import float4_e2m1, float8_e4m3, hifloat8, mx
from ._indexer import Score, bf16_round, fused, head_sum, products, select
from ._rows import Array, KeyCache

DECODE = {
    1: float8_e4m3.decode,
    2: lambda codes: codes.astype(np.float32),
    3: float8_e4m3.decode,
    4: hifloat8.decode,
    5: float4_e2m1.decode,
}


def _raw(codes: Array) -> Array:
    return codes


def per_token(query: Array, weights: Array, query_scale: Array, keys: KeyCache, key_scales: KeyCache) -> Score:
    """Mode 1, e4m3: relu of the raw product; the query scale joins the weight; the key scale comes last; bfloat16."""

    def score(at, batch, count):
        ids = range(count)
        activated = np.maximum(products(DECODE[1](query[at]), keys.rows(batch, ids)), 0)
        return bf16_round(head_sum(weights[at] * query_scale[at], activated) * key_scales.rows(batch, ids))

    return score


def per_token_int8(query: Array, weights: Array, query_scale: Array, keys: KeyCache, key_scales: KeyCache) -> Score:
    """Mode 2, int8: the exact product / 1024 and the weight are float16; scores are float32 and stay so."""

    def score(at, batch, count):
        ids = range(count)
        dots = query[at].astype(np.int64) @ keys.rows(batch, ids).astype(np.int64).T
        activated = np.maximum(dots.astype(np.float32) / np.float32(1024), 0).astype(np.float16)
        weight = (weights[at].astype(np.float32) * query_scale[at].astype(np.float32)).astype(np.float16)
        return head_sum(weight, activated.astype(np.float32)) * key_scales.rows(batch, ids).astype(np.float32)

    return score


def per_tensor(query: Array, weights: Array, query_scale: Array, keys: KeyCache, key_scale: Array) -> Score:
    """Mode 4, HiFloat8: as mode 1 with one scale for all queries and one for all keys."""

    def score(at, batch, count):
        activated = np.maximum(products(DECODE[4](query[at]), keys.rows(batch, range(count))), 0)
        return bf16_round(head_sum(weights[at] * query_scale[0], activated) * key_scale[0])

    return score


def microscaled(mode: int, query: Array, weights: Array, query_scale: Array, keys: KeyCache, scales: KeyCache) -> Score:
    """Modes 3 and 5: relu of the dequantised product; heads accumulate by fused multiply-add.

    Mode 3 keeps a float32 sum; mode 5 rounds relu and weight to bfloat16 and keeps a bfloat16 sum.
    """
    decode = DECODE[mode]
    narrow = bf16_round if mode == 5 else lambda x: x
    step = bf16_round if mode == 5 else lambda x: x.astype(np.float32)

    def score(at, batch, count):
        ids = range(count)
        q = mx.dequantise(decode(query[at]), query_scale[at])
        k = mx.dequantise(keys.rows(batch, ids), scales.rows(batch, ids))
        activated, total = narrow(np.maximum(products(q, k), 0)), np.zeros(count, np.float32)
        for weight, head in zip(narrow(weights[at]), activated, strict=True):
            total = step(fused(np.full_like(head, weight), head, total))
        return bf16_round(total)

    return score


def quant_lightning_indexer(
    query: Array,
    key: Array,
    weights: Array,
    query_dequant_scale: Array,
    key_dequant_scale: Array,
    topk: int,
    quant_mode: int,
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
    """query [B,S,N,128] or [T,N,128] -> indices int32 and values float32, [B,S,1,topk] or [T,1,topk].

    Raw storage: e4m3, HiFloat8 and E8M0 as uint8 codes, FP4 as packed uint8. The values are bfloat16 numbers except in
    mode 2; without `return_value` the second result is empty.
    """
    keys = KeyCache(key, _raw if quant_mode == 2 else DECODE[quant_mode], cu_seqlens_k, seqused_k, block_table)
    scales = KeyCache(key_dequant_scale, _raw, cu_seqlens_k, seqused_k, block_table)
    operands = (query, weights, query_dequant_scale, keys)
    if quant_mode == 4:
        score = per_tensor(*operands, key_dequant_scale)
    elif quant_mode in (3, 5):
        score = microscaled(quant_mode, *operands, scales)
    else:
        score = (per_token if quant_mode == 1 else per_token_int8)(*operands, scales)
    indices, values = select(
        query, keys, score, topk, layout=layout_q, starts=cu_seqlens_q, used=seqused_q, residual=cmp_residual_k,
        mask_mode=mask_mode, ratio=cmp_ratio, offset=output_idx_offset,
    )  # fmt: skip
    return indices, values if return_value else np.zeros(0, np.float32)
