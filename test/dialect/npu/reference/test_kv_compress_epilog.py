import numpy as np
import pytest

from sparse_attn.dialect.npu.formats import hifloat8, row640
from sparse_attn.dialect.npu.reference.kv_compress_epilog import kv_compress_epilog, power_of_two_above


@pytest.mark.vectors("kv_compress_epilog")
def test_matches_the_golden_vectors(vector):
    expected = vector.outputs["cache"]
    cache = kv_compress_epilog(np.zeros_like(expected), vector.inputs["x"], vector.inputs["slot_mapping"])
    assert np.array_equal(cache, expected)


def test_scales_that_are_powers_of_two_stay():
    assert power_of_two_above(np.array([0.5, 0.75, 1.0, 1.0001], np.float32)).tolist() == [0.5, 1.0, 1.0, 2.0]


def test_where_the_parts_of_a_four_bit_row_lie():
    """64 bytes of rotary HiFloat8, 4-bit elements, bfloat16 scales, zeros up to a multiple of 32."""
    x = np.zeros((1, 128), np.float32)
    x[0, 0], x[0, 1], x[0, 64] = 6.0, -3.0, 2.0
    row = kv_compress_epilog(np.full((1, 128), 9, np.uint8), row640.bf16_bits(x), [0], 64, "hifloat8_fp4", True, 0.5)[0]
    assert row[0] == hifloat8.encode(np.float32(1.0)) and not row[1:64].any()
    assert row[64] == 0xD7, "low nibble 6, high nibble -3"
    assert row[96:98].tolist() == [0x80, 0x3F], "scale 1"
    assert not row[98:128].any()


def test_bfloat16_scales_and_alignment():
    x = np.ones((1, 128), np.float32)
    row = kv_compress_epilog(np.full((1, 224), 9, np.uint8), row640.bf16_bits(x), [0], 64, "fp8_bf16")[0]
    assert row640.bf16_values(row[192:194].copy().view("<u2"))[0] == 2.0**-8
    assert not row[194:224].any()
