import numpy as np
import pytest
from storage import sparse_bytes

from sparse_attn.dialect.npu.formats import row640
from sparse_attn.dialect.npu.reference.kv_compress_epilog import kv_compress_epilog
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

NAME = "kv_compress_epilog"
MODES = ["fp8_e8m0", "fp8_bf16", "hifloat8_fp4"]


def run(cache, x, slots, mode="fp8_e8m0", group=64, round_scale=True, x_scale=1.0, num_threads=0):
    call(NAME, [cache, Tensor.of(x, Dtype.BF16), slots, group, mode, round_scale, x_scale], [], num_threads)


def rows_of(rng, count, width):
    """bfloat16 rows whose groups differ wildly in size, with zero groups, signs and exact multiples of 448."""
    values = rng.standard_normal((count, width)) * 10.0 ** rng.integers(-6, 4, (count, width // 64)).repeat(64, -1)
    values[0, :64] = 0
    values[-1, 64] = 448 * 2.0**5
    return row640.bf16_bits(values.astype(np.float32))


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    expected = vector.outputs["cache"]
    cache = np.zeros_like(expected)
    run(cache, vector.inputs["x"], vector.inputs["slot_mapping"])
    assert np.array_equal(cache, expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("round_scale", [True, False])
@pytest.mark.parametrize(("width", "slots"), [(512, np.int32), (128, np.int64), (256, np.int32)])
def test_random_rows_equal_the_reference(mode, round_scale, width, slots):
    rng = np.random.default_rng(width)
    x, cache = rows_of(rng, 9, width), rng.integers(0, 256, (3, 16, 1, 700), dtype=np.uint8)
    mapping = rng.permutation(48)[:9].astype(slots)
    mapping[4] = -1
    expected = kv_compress_epilog(cache, x, mapping, 64, mode, round_scale)
    run(cache, x, mapping, mode, round_scale=round_scale)
    assert np.array_equal(cache, expected)


@pytest.mark.parametrize("group", [16, 32, 64])
@pytest.mark.parametrize("x_scale", [1.0, 0.37, 3000.0])
def test_fp4_groups_and_rotary_scales(group, x_scale):
    rng = np.random.default_rng(group)
    x, cache = rows_of(rng, 5, 320), np.zeros((5, 320), np.uint8)
    mapping = np.arange(5, dtype=np.int32)[::-1].copy()
    expected = kv_compress_epilog(cache, x, mapping, group, "hifloat8_fp4", True, x_scale)
    run(cache, x, mapping, "hifloat8_fp4", group, x_scale=x_scale)
    assert np.array_equal(cache, expected)


@pytest.mark.parametrize("mode", MODES)
def test_values_without_a_magnitude(mode):
    """An infinity or a NaN spoils its own group only."""
    values = np.random.default_rng(3).standard_normal((2, 256)).astype(np.float32)
    values[0, 5], values[1, 70] = np.inf, np.nan
    x, mapping, cache = row640.bf16_bits(values), np.arange(2, dtype=np.int32), np.zeros((2, 352), np.uint8)
    with np.errstate(invalid="ignore"):
        expected = kv_compress_epilog(cache, x, mapping, 64, mode)
    run(cache, x, mapping, mode)
    assert np.array_equal(cache, expected)


def test_rows_that_the_attention_reads_decode_close_to_x():
    rng = np.random.default_rng(0)
    x = row640.bf16_bits(rng.standard_normal((4, 512)).astype(np.float32))
    cache = np.zeros((4, 640), np.uint8)
    run(cache, x, np.arange(4, dtype=np.int32))
    values = row640.bf16_values(x)
    assert np.abs(row640.unpack(cache) - values).max() <= np.abs(values).max() / 16


@pytest.mark.parametrize("shape", [(40, 640), (40, 1, 640), (5, 8, 1, 640)])
def test_slots_count_rows_of_every_cache_rank(shape):
    rng = np.random.default_rng(1)
    x, mapping = rows_of(rng, 3, 512), np.array([39, 0, 17], np.int32)
    cache = np.zeros(shape, np.uint8)
    run(cache, x, mapping)
    assert np.array_equal(cache.reshape(40, 640), kv_compress_epilog(np.zeros((40, 640), np.uint8), x, mapping))


def test_blocks_may_lie_apart():
    x, mapping = rows_of(np.random.default_rng(1), 3, 512), np.array([9, 0, 4], np.int32)
    buffer = np.full((3, 2, 4, 1, 640), 9, np.uint8)
    run(buffer[:, 1], x, mapping)
    assert np.array_equal(buffer[:, 1], kv_compress_epilog(np.full((3, 4, 1, 640), 9, np.uint8), x, mapping))
    assert (buffer[:, 0] == 9).all()


def test_offsets_beyond_two_to_the_31():
    """Blocks three gigabytes apart, in memory that is only reserved."""
    x, mapping, gap = rows_of(np.random.default_rng(1), 3, 512), np.array([9, 0, 4], np.int32), 3 << 30
    cache = sparse_bytes(gap * 3).reshape(3, gap)[:, : 4 * 640].reshape(3, 4, 1, 640)
    run(cache, x, mapping)
    assert np.array_equal(cache, kv_compress_epilog(np.zeros((3, 4, 1, 640), np.uint8), x, mapping))


def test_of_equal_slots_the_last_row_stays_for_any_number_of_threads():
    x, mapping = rows_of(np.random.default_rng(2), 64, 512), np.zeros(64, np.int32)
    expected = kv_compress_epilog(np.zeros((1, 640), np.uint8), x[-1:], mapping[-1:])
    for threads in (1, 2, 5):
        cache = np.zeros((1, 640), np.uint8)
        run(cache, x, mapping, num_threads=threads)
        assert np.array_equal(cache, expected)


def test_no_rows_and_only_skipped_rows_change_nothing():
    cache = np.full((4, 640), 3, np.uint8)
    run(cache, np.zeros((0, 512), np.uint16), np.zeros(0, np.int32))
    run(cache, np.zeros((2, 512), np.uint16), np.full(2, -1, np.int32))
    assert (cache == 3).all()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"slots": [0, 8]}, r"slot_mapping at \[1\] is 8, must be in -1\.\.7"),
        ({"slots": [-2, 0]}, r"slot_mapping at \[0\] is -2, must be in -1\.\.7"),
        ({"slots": [0, 1, 2]}, r"slot_mapping has shape \[3\], must be \[2\]"),
        ({"mode": "fp8"}, "quant_mode is fp8, must be fp8_e8m0 or fp8_bf16 or hifloat8_fp4"),
        ({"group": 32}, "quant_group_size is 32, must be 64"),
        ({"mode": "hifloat8_fp4", "group": 48}, "quant_group_size is 48, must be 16 or 32 or 64"),
        ({"width": 64}, "x has 64 columns, must be more than 64"),
        ({"width": 96, "mode": "hifloat8_fp4", "group": 64}, "x has 32 columns before the rotary ones"),
        ({"room": 582}, "cache has rows of 582 bytes, must be >= 583 for 512 columns in mode fp8_e8m0"),
        ({"room": 600, "mode": "fp8_bf16"}, "cache has rows of 600 bytes, must be >= 608"),
        ({"room": 287, "mode": "hifloat8_fp4"}, "cache has rows of 287 bytes, must be >= 320"),
    ],
)
def test_bad_calls_are_refused_and_nothing_is_written(change, text):
    cache = np.full((8, change.get("room", 640)), 3, np.uint8)
    x, slots = np.zeros((2, change.get("width", 512)), np.uint16), np.array(change.get("slots", [0, 1]), np.int32)
    with pytest.raises(HostKernelError, match=text):
        run(cache, x, slots, change.get("mode", "fp8_e8m0"), change.get("group", 64))
    assert (cache == 3).all()
