"""sparse_compress_flash_attention in numpy: one softmax over window and list.

Source: the example test of cann-recipes-infer.
"""

import numpy as np

from ._mla import decode_float, encode_like
from ._rows import Array, query_rows

BLOCK = 128


def sparse_compress_flash_attention(
    query_npu: Array,
    q_act_seqs_npu: Array,
    ori_kv_npu: Array,
    cmp_kv_npu: Array,
    ori_block_table_npu: Array,
    cmp_block_table_npu: Array,
    atten_sink_npu: Array,
    seqused_kv_npu: Array,
    cmp_sparse_indices_npu: Array,
    softmax_scale: float,
    win_size: int,
    cmp_ratio: int,
) -> tuple[Array]:
    """query [T*N,512], caches [blocks*128,512], list [T,K] -> out [T*N,512]; N is the number of sinks.

    A row sees the last win_size of its first t tokens and the first entries of its list. Their number steps by one per
    row, length // cmp_ratio for the last row, and not by one per cmp_ratio rows as in the related operators.
    """
    heads = len(atten_sink_npu)
    query = decode_float(query_npu).reshape(-1, heads, query_npu.shape[-1])
    sinks, out = atten_sink_npu.astype(np.float32), np.zeros(query.shape, np.float32)
    for row in query_rows(query, "TND", q_act_seqs_npu):
        length = int(seqused_kv_npu[row.batch])
        seen = max(row.position(length), 0)
        count = min(max(row.position(length // cmp_ratio), 0), cmp_sparse_indices_npu.shape[-1])
        window = range(max(seen - win_size, 0), seen)
        keys = np.concatenate(
            [
                _paged(ori_kv_npu, ori_block_table_npu[row.batch], np.arange(window.start, window.stop)),
                _paged(cmp_kv_npu, cmp_block_table_npu[row.batch], cmp_sparse_indices_npu[row.at][:count]),
            ]
        )
        if not len(keys):
            continue
        scores = (query[row.at] @ keys.T) * np.float32(softmax_scale)
        peak = scores.max(axis=1)
        probability = np.exp(scores - peak[:, None])
        total = probability.sum(axis=1) + np.exp(sinks - peak)
        out[row.at] = decode_float(encode_like(probability / total[:, None], query_npu)) @ keys
    return (encode_like(out.reshape(query_npu.shape), query_npu),)


def _paged(cache: Array, table: Array, ids: Array) -> Array:
    return decode_float(cache[table[ids // BLOCK].astype(np.int64) * BLOCK + ids % BLOCK])
