import numpy as np

from sparse_attn.dialect.npu.formats import float8_e5m2

CODES = np.arange(256, dtype=np.uint8)
NUMBERS = CODES[~np.isnan(float8_e5m2.TABLE)]


def test_decodes_known_codes():
    known = {
        0x00: 0.0,
        0x01: 2.0**-16,
        0x04: 2.0**-14,
        0x3C: 1.0,
        0x3D: 1.25,
        0x7B: 57344.0,
        0x7C: np.inf,
        0xFC: -np.inf,
    }
    assert {code: float(float8_e5m2.TABLE[code]) for code in known} == known
    assert len(NUMBERS) == 250


def test_every_number_encodes_to_itself():
    assert np.array_equal(float8_e5m2.encode(float8_e5m2.decode(NUMBERS)), NUMBERS)


def test_ties_go_to_the_even_code():
    finite = float8_e5m2.TABLE[:124].astype(np.float64)
    middle, lower = ((finite[:-1] + finite[1:]) / 2).astype(np.float32), np.arange(123)
    assert np.array_equal(float8_e5m2.encode(middle), lower + lower % 2)
    assert np.array_equal(float8_e5m2.encode(np.nextafter(middle, np.float32(np.inf))), lower + 1)
    assert np.array_equal(float8_e5m2.encode(np.nextafter(middle, np.float32(-1))), lower)


def test_out_of_range_becomes_infinite_and_nan_stays():
    last = np.nextafter(np.float32(61440), np.float32(0))
    x = np.array([61440.0, last, 1e30, np.inf, -np.inf, np.nan, 1e-30, -1e-30], np.float32)
    assert float8_e5m2.encode(x).tolist() == [0x7C, 0x7B, 0x7C, 0x7C, 0xFC, 0x7F, 0x00, 0x80]
