import numpy as np

from sparse_attn.dialect.npu.reference.lightning_indexer import lightning_indexer
from sparse_attn.dialect.npu.reference.npu_lightning_indexer import npu_lightning_indexer


def test_prefix_sums_without_a_leading_zero():
    rng = np.random.default_rng(0)
    q, k = rng.standard_normal((7, 2, 128)).astype(np.float16), rng.standard_normal((20, 1, 128)).astype(np.float16)
    w = rng.standard_normal((7, 2)).astype(np.float32)
    ends_q, ends_k = np.array([3, 7], np.int32), np.array([8, 20], np.int32)
    older = npu_lightning_indexer(q, k, w, ends_q, ends_k, None, "TND", "TND", 5, 3, return_value=True)
    starts = {"cu_seqlens_q": np.array([0, 3, 7]), "cu_seqlens_k": np.array([0, 8, 20])}
    newer = lightning_indexer(q, k, w, 5, **starts, layout_q="TND", layout_k="TND", mask_mode=3, return_value=1)
    assert np.array_equal(older[0], newer[0]) and np.array_equal(older[1], newer[1])
    assert older[0][:3].max() < 8 and older[0][3:].max() >= 8


def test_plain_lengths_with_a_dense_layout():
    q, k = np.ones((2, 3, 1, 128), np.float16), np.ones((2, 9, 1, 128), np.float16)
    used_q, used_k = np.array([3, 1], np.int32), np.array([4, 0], np.int32)
    indices, values = npu_lightning_indexer(q, k, np.ones((2, 3, 1), np.float16), used_q, used_k, sparse_count=4)
    assert indices[0, :, 0].tolist() == [[0, 1, -1, -1], [0, 1, 2, -1], [0, 1, 2, 3]]
    assert (indices[1] == -1).all() and values.shape == (0,)
