import numpy as np

from sparse_attn.dialect.npu.reference.npu_quant_lightning_indexer import npu_quant_lightning_indexer
from sparse_attn.dialect.npu.reference.quant_lightning_indexer import quant_lightning_indexer


def _operands(rows=3, keys=12, heads=2):
    rng = np.random.default_rng(1)
    q = rng.integers(-128, 128, (1, rows, heads, 128)).astype(np.int8)
    k = rng.integers(-128, 128, (1, keys, 1, 128)).astype(np.int8)
    scales = (rng.random(shape).astype(np.float16) for shape in ((1, rows, heads), (1, rows, heads), (1, keys, 1)))
    return q, k, *scales


def test_int8_takes_the_steps_of_the_newer_operator():
    operands = _operands()
    older = npu_quant_lightning_indexer(*operands, sparse_count=6)
    newer = quant_lightning_indexer(*operands, 6, 2, mask_mode=3, return_value=1)
    assert np.array_equal(older[0], newer[0]) and np.array_equal(older[1], newer[1])


def test_key_lengths_count_uncompressed_tokens_when_keys_are_compressed():
    operands = _operands(rows=3, keys=12)
    tokens = np.array([9], np.int32)  # two stored keys of four tokens and one token more
    indices, _ = npu_quant_lightning_indexer(*operands, 0, 0, None, tokens, sparse_count=4, cmp_ratio=4)
    assert [(row >= 0).sum() for row in indices[0, :, 0]] == [1, 2, 2], "rows at positions 6, 7 and 8"
