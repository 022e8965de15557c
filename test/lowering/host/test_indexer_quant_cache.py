import numpy as np
import pytest

from sparse_attn.dialect.npu.formats import float8_e5m2, row640
from sparse_attn.dialect.npu.reference.indexer_quant_cache import indexer_quant_cache
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

MODES = {"mxfp8": np.uint8, "fp8": np.float32, "hifloat8": np.float32, "mxfp4": np.uint8}


def keys_of(rng, count, width, dtype):
    """Keys with groups of very different size; bfloat16 as bit patterns."""
    values = rng.standard_normal((count, width)) * 10.0 ** rng.integers(-4, 3, (count, width // 32)).repeat(32, -1)
    values[0, :32] = 0
    values[1] = 0
    return row640.bf16_bits(values.astype(np.float32)) if dtype == "bfloat16" else values.astype(np.float16)


def run(cache, scale, x, slots, mode, round_scale=True, x_scale=1.0, num_threads=0):
    keys = Tensor.of(x, Dtype.BF16) if x.dtype == np.uint16 else x
    call("indexer_quant_cache", [cache, scale, keys, slots, mode, round_scale, x_scale], [], num_threads)


def caches(rng, mode, blocks=3, size=8, columns=130, scales=5):
    scale = rng.integers(0, 200, (blocks, size, 1, scales)).astype(MODES[mode])
    return rng.integers(0, 256, (blocks, size, 1, columns), dtype=np.uint8), scale


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("round_scale", [True, False])
@pytest.mark.parametrize("x_scale", [1.0, 0.3])
def test_random_keys_equal_the_reference(mode, dtype, round_scale, x_scale):
    rng = np.random.default_rng(len(mode))
    cache, scale = caches(rng, mode)
    x, slots = keys_of(rng, 9, 128, dtype), rng.permutation(24)[:9].astype(np.int32)
    slots[3] = -1
    expected = indexer_quant_cache(cache, scale, x, slots, mode, round_scale, x_scale)
    run(cache, scale, x, slots, mode, round_scale, x_scale)
    assert np.array_equal(cache, expected[0])
    assert np.array_equal(scale, expected[1])


@pytest.mark.parametrize("mode", ["fp8", "mxfp8"])
@pytest.mark.parametrize("round_scale", [True, False])
def test_wide_range_fp8(mode, round_scale):
    rng = np.random.default_rng(2)
    cache, scale = caches(rng, mode, columns=128)
    x, slots = keys_of(rng, 9, 128, "bfloat16"), np.arange(9, dtype=np.int32)
    expected = indexer_quant_cache(cache, scale, x, slots, mode, round_scale, codec=float8_e5m2)
    run(Tensor.of(cache, Dtype.FP8_E5M2), scale, x, slots, mode, round_scale)
    assert np.array_equal(cache, expected[0]) and np.array_equal(scale, expected[1])


@pytest.mark.parametrize("mode", ["fp8", "mxfp8", "hifloat8", "mxfp4"])
def test_values_without_a_magnitude(mode):
    x = np.zeros((3, 64), np.float16)
    x[0, 3], x[1, 5], x[2] = -np.inf, np.nan, np.nan
    x[0, 40] = 3
    cache, scale = np.zeros((3, 64), np.uint8), np.zeros((3, 2), MODES[mode])
    slots = np.arange(3, dtype=np.int32)
    expected = indexer_quant_cache(cache, scale, x, slots, mode)
    run(cache, scale, x, slots, mode)
    assert np.array_equal(cache, expected[0])
    assert np.array_equal(scale, expected[1])


def test_static_scale_leaves_the_scale_cache_alone():
    rng = np.random.default_rng(0)
    cache, scale = caches(rng, "hifloat8")
    before = scale.copy()
    run(cache, scale, keys_of(rng, 4, 128, "float16"), np.arange(4, dtype=np.int32), "hifloat8", x_scale=2.0)
    assert np.array_equal(scale, before)


def test_scales_may_have_the_microscaling_layout():
    """[blocks, size, 1, groups / 2, 2], as the indexer reads them."""
    rng = np.random.default_rng(3)
    x, slots = keys_of(rng, 6, 128, "bfloat16"), np.arange(6, dtype=np.int32)
    for mode in ("mxfp8", "mxfp4"):
        cache, scale = np.zeros((2, 4, 1, 128), np.uint8), np.zeros((2, 4, 1, 4), np.uint8)
        expected = indexer_quant_cache(cache, scale, x, slots, mode)
        split = np.zeros((2, 4, 1, 2, 2), np.uint8)
        run(cache, split, x, slots, mode)
        assert np.array_equal(cache, expected[0])
        assert np.array_equal(split.reshape(2, 4, 1, 4), expected[1])


def test_typed_caches():
    rng = np.random.default_rng(4)
    x, slots = keys_of(rng, 3, 64, "float16"), np.arange(3, dtype=np.int32)
    for mode, element, scale_type in (
        ("mxfp8", Dtype.FP8_E4M3, Dtype.FP8_E8M0),
        ("mxfp4", Dtype.FP4X2, Dtype.FP8_E8M0),
        ("hifloat8", Dtype.HIF8, Dtype.FP32),
    ):
        cache, scale = np.zeros((3, 64), np.uint8), np.zeros((3, 2), MODES[mode])
        expected = indexer_quant_cache(cache, scale, x, slots, mode)
        run(Tensor.of(cache, element), Tensor.of(scale, scale_type), x, slots, mode)
        assert np.array_equal(cache, expected[0]) and np.array_equal(scale, expected[1])


@pytest.mark.parametrize("threads", [1, 3])
def test_of_equal_slots_the_last_key_stays(threads):
    rng = np.random.default_rng(5)
    cache, scale = np.zeros((2, 64), np.uint8), np.zeros((2, 1), np.float32)
    x = keys_of(rng, 40, 64, "float16")
    expected = indexer_quant_cache(cache, scale, x[-2:], np.array([0, 1]), "fp8")
    run(cache, scale, x, np.arange(40, dtype=np.int32) % 2, "fp8", num_threads=threads)
    assert np.array_equal(cache, expected[0]) and np.array_equal(scale, expected[1])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"slots": [0, 6]}, r"slot_mapping at \[1\] is 6, must be in -1\.\.5"),
        ({"mode": "fp4"}, "quant_mode is fp4, must be mxfp8 or fp8 or hifloat8 or mxfp4"),
        ({"width": 48}, "x has 48 columns, must be a multiple of 32"),
        ({"cache": (6, 63)}, "cache has rows of 63 bytes, must be >= 64"),
        ({"scale": (6, 1), "mode": "mxfp8"}, "cache_scale is fp32, must be fp8_e8m0 or uint8"),
        ({"scale": (5, 1)}, r"cache_scale has shape \[5,1\], must have the rows of cache"),
        ({"scale": (6, 1, 3)}, r"cache_scale has shape \[6,1,3\], its last two axes must be"),
        ({"scale": (6, 0)}, "cache_scale has rows of 0 scales, must be >= 1"),
    ],
)
def test_bad_calls_are_refused_and_nothing_is_written(change, text):
    cache, scale = (
        np.full(change.get("cache", (6, 64)), 3, np.uint8),
        np.full(change.get("scale", (6, 1)), 3, np.float32),
    )
    x, slots = np.ones((2, change.get("width", 64)), np.float16), np.array(change.get("slots", [0, 1]), np.int32)
    with pytest.raises(HostKernelError, match=text):
        run(cache, scale, x, slots, change.get("mode", "fp8"))
    assert (cache == 3).all() and (scale == 3).all()
