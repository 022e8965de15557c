import numpy as np

from sparse_attn.dialect.npu.formats import float4_e2m1, float8_e4m3, mx
from sparse_attn.dialect.npu.reference.indexer_quant_cache import indexer_quant_cache

X = np.random.default_rng(0).standard_normal((5, 128)).astype(np.float16)
SLOTS = np.arange(5)


def _caches(scale_dtype, scales):
    return np.zeros((5, 128), np.uint8), np.zeros((5, scales), scale_dtype)


def test_what_is_written_decodes_close_to_x():
    elements, scales = indexer_quant_cache(*_caches(np.uint8, 4), X, SLOTS, "mxfp8")
    back = mx.dequantise(float8_e4m3.decode(elements), scales.reshape(5, 2, 2))
    assert np.abs(back - X).max() <= np.abs(X).max() / 16
    elements, scales = indexer_quant_cache(*_caches(np.uint8, 4), X, SLOTS, "mxfp4")
    back = mx.dequantise(float4_e2m1.decode(elements[:, :64]), scales.reshape(5, 2, 2))
    assert np.abs(back - X).max() <= np.abs(X).max() / 4
    elements, scales = indexer_quant_cache(*_caches(np.float32, 1), X, SLOTS, "fp8")
    assert np.abs(float8_e4m3.decode(elements) * scales - X).max() <= np.abs(X).max() / 16


def test_row_scales_are_powers_of_two_when_rounded():
    _, rounded = indexer_quant_cache(*_caches(np.float32, 1), X, SLOTS, "fp8", True)
    _, exact = indexer_quant_cache(*_caches(np.float32, 1), X, SLOTS, "fp8", False)
    assert (np.frexp(rounded)[0] == 0.5).all() and not (np.frexp(exact)[0] == 0.5).all()
    assert (rounded >= exact).all() and (rounded < 2 * exact).all()


def test_groups_without_a_magnitude():
    x = np.zeros((2, 64), np.float16)
    x[0, 0], x[1, 40] = np.inf, 6.0
    elements, codes = indexer_quant_cache(np.ones((2, 32), np.uint8), np.ones((2, 2), np.uint8), x, [0, 1], "mxfp4")
    assert codes.tolist() == [[255, 0], [0, 127]]
    assert elements[1, 20] == 0x07 and elements.sum() == 7
