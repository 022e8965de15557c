"""Random inputs of the two compressors, bfloat16 as bit patterns."""

import numpy as np

from sparse_attn.dialect.npu.formats import row640

LENGTHS = ("state_block_table", "cu_seqlens", "seqused", "start_pos")


def weights(rng, ratio, coff, width=16, hidden=24):
    wkv, wgate = (
        row640.bf16_bits(rng.standard_normal((coff * width, hidden)).astype(np.float32) / 4) for _ in range(2)
    )
    return {"wkv": wkv, "wgate": wgate, "ape": rng.standard_normal((ratio, coff * width)).astype(np.float32)}


def tokens(rng, *shape):
    return row640.bf16_bits(rng.standard_normal(shape).astype(np.float32))


def linear_table(batches, positions, size):
    """A table whose blocks hold every position; block 0 is nobody's."""
    per_batch = -(-positions // size)
    return (np.arange(batches * per_batch, dtype=np.int32) + 1).reshape(batches, per_batch)[::-1].copy()
