import numpy as np
import pytest

from sparse_attn.dialect.npu.formats import row640
from sparse_attn.dialect.npu.reference.indexer_compress_epilog_v2 import indexer_compress_epilog_v2
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call


def keys_of(rng, count, width, dtype):
    values = rng.standard_normal((count, width)) * 10.0 ** rng.integers(-4, 3, (count, width))
    values[0] = 0
    values[1, 3], values[1, 4] = np.inf, np.nan
    return row640.bf16_bits(values.astype(np.float32)) if dtype == "bfloat16" else values.astype(np.float16)


def run(cache, x, slots, layout=2, num_threads=0):
    call(
        "indexer_compress_epilog_v2",
        [cache, Tensor.of(x, Dtype.BF16) if x.dtype == np.uint16 else x, slots, layout],
        [],
        num_threads,
    )


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("width", [128, 100, 320])
def test_random_keys_equal_the_reference(dtype, width):
    rng = np.random.default_rng(width)
    cache = rng.integers(0, 256, (3, 8, 1, width + 12), dtype=np.uint8)
    x, slots = keys_of(rng, 9, width, dtype), rng.permutation(24)[:9].astype(np.int32)
    slots[3], slots[5] = -1, slots[6]
    expected = indexer_compress_epilog_v2(cache, x, slots)
    run(cache, x, slots)
    assert np.array_equal(cache, expected)


def test_blocks_may_lie_apart():
    rng = np.random.default_rng(0)
    whole = np.full((3, 2, 4, 1, 132), 7, np.uint8)
    cache, x, slots = whole[:, 1], keys_of(rng, 5, 128, "float16"), np.array([0, 11, 3, 4, 7], np.int32)
    expected = indexer_compress_epilog_v2(cache, x, slots)
    run(cache, x, slots)
    assert np.array_equal(cache, expected) and (whole[:, 0] == 7).all()


def test_errors_come_before_anything_is_written():
    x, slots = np.ones((2, 128), np.float16), np.array([0, 1], np.int32)
    cache = np.zeros((1, 2, 1, 132), np.uint8)
    with pytest.raises(HostKernelError, match="layout is 1, must be 2"):
        run(cache, x, slots, layout=1)
    with pytest.raises(HostKernelError, match="has rows of 131 bytes, must be >= 132"):
        run(np.zeros((1, 2, 1, 131), np.uint8), x, slots)
    with pytest.raises(HostKernelError, match=r"slot_mapping at \[1\] is 2"):
        run(cache, x, np.array([0, 2], np.int32))
    with pytest.raises(HostKernelError, match="must be contiguous on all axes but the first"):
        run(np.zeros((1, 2, 2, 1, 132), np.uint8)[:, :, 0], x, slots)
    assert not cache.any()
