import numpy as np
import pytest
from vectors import Vector

from sparse_attn.dialect.npu.formats import hifloat8

PUBLISHED = {0x08: 1.0, 0x0F: 1.875, 0x10: 2.0, 0x18: 0.5, 0x20: 4.0, 0x2F: 15.0, 0x30: 0.25, 0x40: 16.0}
PUBLISHED |= {0x4F: 224.0, 0x50: 0.0625, 0x5F: 0.013671875, 0x60: 256.0, 0x6E: 32768.0, 0x70: 0.00390625}
PUBLISHED |= {0x7F: 3 * 2.0**-16, 0x07: 2.0**-16, 0x01: 2.0**-22, 0x88: -1.0, 0x6F: np.inf, 0xEF: -np.inf}
FINITE = np.array([c for c in range(256) if np.isfinite(hifloat8.TABLE[c])], np.uint8)
POSITIVE = np.sort(hifloat8.TABLE[FINITE][hifloat8.TABLE[FINITE] > 0])


@pytest.mark.parametrize(("code", "value"), PUBLISHED.items())
def test_decodes_the_published_codes(code, value):
    assert hifloat8.TABLE[code] == value


def test_every_finite_code_encodes_to_itself_half_away():
    assert np.array_equal(hifloat8.encode(hifloat8.decode(FINITE)), FINITE)


def test_values_are_distinct_and_symmetric():
    assert len(np.unique(hifloat8.TABLE[FINITE])) == len(FINITE)
    assert np.array_equal(np.sort(-hifloat8.TABLE[FINITE][hifloat8.TABLE[FINITE] < 0]), POSITIVE)


def test_nearest_value_wins_and_ties_go_away_from_zero():
    """Neighbours across a change of width: the tie point is inside the lower value's own exponent format."""
    low, high = POSITIVE[:-1].astype(np.float64), POSITIVE[1:].astype(np.float64)
    middle = ((low + high) / 2).astype(np.float32)
    below, above = np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.float32(np.inf))
    assert np.array_equal(hifloat8.decode(hifloat8.encode(middle)), POSITIVE[1:])
    assert np.array_equal(hifloat8.decode(hifloat8.encode(-middle)), -POSITIVE[1:])
    assert np.array_equal(hifloat8.decode(hifloat8.encode(above)), POSITIVE[1:])
    assert np.array_equal(hifloat8.decode(hifloat8.encode(below)), POSITIVE[:-1])


def test_specials_and_the_edges_of_the_range():
    last = np.nextafter(np.float32(40960), np.float32(0))
    x = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 40960.0, last, -40960.0], np.float32)
    assert hifloat8.encode(x).tolist() == [0x00, 0x00, 0x80, 0x6F, 0xEF, 0x6F, 0x6E, 0xEF]
    assert hifloat8.encode(x, saturate=True).tolist() == [0x00, 0x00, 0x00, 0x6E, 0xEE, 0x6E, 0x6E, 0xEE]
    tiny = np.array([2.0**-23, np.nextafter(np.float32(2.0**-23), 0), -(2.0**-23), -1e-30, 1e-42], np.float32)
    assert hifloat8.encode(tiny).tolist() == [0x01, 0x00, 0x81, 0x00, 0x00]


def test_hybrid_equals_half_away_near_one_only():
    x = np.linspace(0.126, 15.0, 4000, dtype=np.float32)
    assert np.array_equal(hifloat8.encode(x, "hybrid"), hifloat8.encode(x))
    wide = np.linspace(300, 30000, 4000, dtype=np.float32)
    assert not np.array_equal(hifloat8.encode(wide, "hybrid"), hifloat8.encode(wide))


def test_an_unknown_rounding_is_refused():
    with pytest.raises(ValueError, match="'half_away' or 'hybrid'"):
        hifloat8.encode(np.zeros(1, np.float32), "up")


def test_matches_the_golden_vectors(vectors):
    vector = Vector.load(vectors / "codec" / "hifloat8.npz")
    x = vector.inputs["x"]
    assert np.array_equal(hifloat8.decode(vector.inputs["codes"]), vector.outputs["decoded"], equal_nan=True)
    assert np.array_equal(hifloat8.encode(x), vector.outputs["enc_half_away"])
    assert np.array_equal(hifloat8.encode(x, saturate=True), vector.outputs["enc_half_away_saturating"])
    assert np.array_equal(hifloat8.encode(x, "hybrid"), vector.outputs["enc_hybrid"])
