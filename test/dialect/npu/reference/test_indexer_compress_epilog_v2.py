import numpy as np

from sparse_attn.dialect.npu.reference.indexer_compress_epilog_v2 import indexer_compress_epilog_v2


def test_elements_of_a_block_come_before_its_scales():
    x = np.zeros((2, 160), np.float32)
    x[0, 0], x[0, 150], x[1, 7] = 448, 44.8, -4.48
    cache = np.zeros((2, 3, 1, 168), np.uint8)
    after = indexer_compress_epilog_v2(cache, x, np.array([4, -1]))
    assert not after[0].any() and not cache.any()
    block = after[1].reshape(-1)
    assert block[160] == 0x7E and block[160 + 150] == 0x7E, "row 1 of the block; the largest of a group is 448"
    scales = block[3 * 160 :].view(np.float32).reshape(3, 2)
    np.testing.assert_allclose(scales, [[0, 0], [1, 0.1], [0, 0]], rtol=1e-6)


def test_the_last_of_equal_slots_stays():
    x = np.array([[1.0] * 128, [-1.0] * 128], np.float32)
    after = indexer_compress_epilog_v2(np.zeros((1, 1, 1, 132), np.uint8), x, np.array([0, 0]))
    assert (after[0, 0, 0, :128] == 0xFE).all()
