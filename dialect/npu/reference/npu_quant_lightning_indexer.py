"""npu_quant_lightning_indexer in numpy: one scale per token and head; int8, e4m3 or HiFloat8 elements.

Source: the published document for operands and lengths. It does not state rounding steps; these are the ones of the
same storage in quant_lightning_indexer.
"""

import numpy as np

from ._indexer import Score, bf16_round, head_sum, products, select
from ._rows import Array, KeyCache
from .lightning_indexer import decode as decode_float
from .npu_lightning_indexer import UNBOUNDED, older_lengths
from .quant_lightning_indexer import DECODE, per_token_int8

STORAGE_MODES = {"int8": 2, "fp8_e4m3": 1, "hif8": 4}


def scaled(storage: str, query: Array, weights: Array, query_scale: Array, keys: KeyCache, scales: KeyCache) -> Score:
    """Scores of one storage ("int8", "fp8_e4m3", "hif8")."""
    if storage == "int8":
        return per_token_int8(query, decode_float(weights), query_scale, keys, scales)
    decode = DECODE[STORAGE_MODES[storage]]

    def score(at, batch, count):
        ids = range(count)
        activated = np.maximum(products(decode(query[at]), keys.rows(batch, ids)), 0)
        return bf16_round(head_sum(decode_float(weights[at]) * query_scale[at], activated) * scales.rows(batch, ids))

    return score


def npu_quant_lightning_indexer(
    query: Array,
    key: Array,
    weights: Array,
    query_dequant_scale: Array,
    key_dequant_scale: Array,
    query_quant_mode: int = 0,
    key_quant_mode: int = 0,
    actual_seq_lengths_query: Array | None = None,
    actual_seq_lengths_key: Array | None = None,
    block_table: Array | None = None,
    layout_query: str = "BSND",
    layout_key: str = "BSND",
    sparse_count: int = 2048,
    sparse_mode: int = 3,
    pre_tokens: int = UNBOUNDED,
    next_tokens: int = UNBOUNDED,
    *,
    storage: str = "int8",
    cmp_ratio: int = 1,
) -> tuple[Array, Array]:
    """query [B,S,N,128] or [T,N,128] -> indices int32 and values float32, [B,S,1,k] or [T,1,k].

    `cmp_ratio` belongs to the relatives for compressed keys (npu_vllm_quant_lightning_indexer): the key lengths then
    count uncompressed tokens, of which `cmp_ratio` make one stored key.
    """
    key_starts, key_tokens = older_lengths(layout_key, actual_seq_lengths_key)
    starts, used = older_lengths(layout_query, actual_seq_lengths_query)
    stored = None if key_tokens is None else key_tokens // cmp_ratio
    residual = None if key_tokens is None else key_tokens % cmp_ratio
    decode = DECODE[STORAGE_MODES[storage]] if storage != "int8" else lambda codes: codes
    keys = KeyCache(key, decode, key_starts, stored, block_table)
    scales = KeyCache(key_dequant_scale, lambda codes: codes, key_starts, stored, block_table)
    score = scaled(storage, query, weights, query_dequant_scale, keys, scales)
    return select(
        query, keys, score, sparse_count, layout=layout_query, starts=starts, used=used, residual=residual,
        mask_mode=sparse_mode, ratio=cmp_ratio,
    )  # fmt: skip
