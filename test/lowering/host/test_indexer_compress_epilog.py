import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.indexer_quant_cache import indexer_quant_cache
from sparse_attn.lowering.host.library import HostKernelError, call

NAMES = {0: "mxfp8", 1: "fp8", 2: "hifloat8"}


def run(cache, scale, x, slots, mode, round_scale=True, factor=1.0):
    call("indexer_compress_epilog", [cache, scale, x, slots, mode, round_scale, factor], [])


@pytest.mark.parametrize("mode", NAMES)
@pytest.mark.parametrize("slot_dtype", [np.int32, np.int64])
def test_modes_are_those_of_the_later_operator(mode, slot_dtype):
    rng = np.random.default_rng(mode)
    x, slots = rng.standard_normal((4, 128)).astype(np.float16), np.array([5, -1, 0, 2], slot_dtype)
    cache, scale = np.zeros((6, 128), np.uint8), np.zeros((6, 4), np.uint8 if mode == 0 else np.float32)
    expected = indexer_quant_cache(cache, scale, x, slots, NAMES[mode], True, 0.5)
    run(cache, scale, x, slots, mode, True, 0.5)
    assert np.array_equal(cache, expected[0]) and np.array_equal(scale, expected[1])
    assert cache.any()


def test_errors_use_the_names_of_this_operator():
    x, slots = np.zeros((1, 64), np.float16), np.zeros(1, np.int32)
    with pytest.raises(HostKernelError, match="quant_mode is 3, must be 0 or 1 or 2"):
        run(np.zeros((1, 64), np.uint8), np.zeros((1, 1), np.float32), x, slots, 3)
    with pytest.raises(HostKernelError, match="indexer_compress_cache has rows of 32 bytes"):
        run(np.zeros((1, 32), np.uint8), np.zeros((1, 1), np.float32), x, slots, 1)
    with pytest.raises(HostKernelError, match="indexer_compress_scale is uint8, must be fp32"):
        run(np.zeros((1, 64), np.uint8), np.zeros((1, 1), np.uint8), x, slots, 1)
