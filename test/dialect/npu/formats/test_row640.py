import numpy as np
import pytest
from storage import values

from sparse_attn.dialect.npu.formats import float8_e4m3, row640


def _vectors(rows=7, seed=0):
    x = np.random.default_rng(seed).standard_normal((rows, row640.LOGICAL)) * 3
    return row640.bf16_values(row640.bf16_bits(x.astype(np.float32)))


def test_bf16_rounds_to_nearest_even():
    x = np.array([1.0, 1 + 2.0**-8, 1 + 3 * 2.0**-8, -(1 + 2.0**-8), 3.4e38, np.inf, np.nan], np.float32)
    assert row640.bf16_bits(x)[:6].tolist() == [0x3F80, 0x3F80, 0x3F82, 0xBF80, 0x7F80, 0x7F80]
    assert np.isnan(row640.bf16_values(row640.bf16_bits(x)))[6]


def test_rope_is_kept_and_nope_stays_within_one_step():
    x = _vectors()
    back = row640.unpack(row640.pack(x))
    assert np.array_equal(back[:, row640.NOPE :], x[:, row640.NOPE :])
    assert np.abs(back - x).max() <= np.abs(x).max() / 16


def test_where_the_parts_lie():
    x = np.zeros((1, row640.LOGICAL), np.float32)
    x[0, 448], x[0, 64] = 1.0, 448.0
    row = row640.pack(x)[0]
    assert row[:2].tolist() == [0x80, 0x3F]
    assert row[128 + 64] == 0x7E and row[577] == 127
    assert row[583:].max() == 0


def test_padding_does_not_matter():
    rows = row640.pack(_vectors())
    dirty = rows.copy()
    dirty[:, row640.USED_BYTES :] = 0xFF
    assert np.array_equal(row640.unpack(dirty), row640.unpack(rows))


def test_dequantised_values_are_rounded_to_bf16():
    rows = row640.pack(_vectors())
    rows[:, 576:583] = 0  # 2^-127: products fall below the normal range
    unpacked = row640.unpack(rows)
    assert np.array_equal(row640.bf16_values(row640.bf16_bits(unpacked)), unpacked)


def test_packing_again_keeps_the_values():
    rows = row640.pack(_vectors(seed=3))
    assert np.array_equal(row640.unpack(row640.pack(row640.unpack(rows))), row640.unpack(rows))
    assert np.isfinite(float8_e4m3.decode(rows[:, 128:576])).all()


def test_other_widths_are_refused():
    with pytest.raises(ValueError, match="must be 512"):
        row640.pack(np.zeros((1, 500), np.float32))
    with pytest.raises(ValueError, match="must be 640"):
        row640.unpack(np.zeros((1, 512), np.uint8))


@pytest.mark.vectors("kv_compress_epilog")
def test_matches_the_golden_vectors(vector):
    rows, slots = row640.pack(values(vector, "x")), vector.inputs["slot_mapping"]
    expected = vector.outputs["cache"][slots[slots >= 0]]
    assert np.array_equal(rows[slots >= 0][:, : row640.USED_BYTES], expected[:, : row640.USED_BYTES])
