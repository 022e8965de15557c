import numpy as np

from sparse_attn.dialect.npu.formats import float8_e4m3

CODES = np.arange(256, dtype=np.uint8)
FINITE = CODES[np.isfinite(float8_e4m3.TABLE)]


def test_decodes_known_codes():
    known = {0x00: 0.0, 0x01: 2.0**-9, 0x07: 7 * 2.0**-9, 0x08: 2.0**-6, 0x38: 1.0, 0x7E: 448.0, 0xFE: -448.0}
    assert {code: float(float8_e4m3.TABLE[code]) for code in known} == known
    assert np.isnan(float8_e4m3.TABLE[[0x7F, 0xFF]]).all()
    assert len(FINITE) == 254


def test_every_finite_code_encodes_to_itself():
    assert np.array_equal(float8_e4m3.encode(float8_e4m3.decode(FINITE)), FINITE)


def test_ties_go_to_the_even_code():
    positive = float8_e4m3.TABLE[:127].astype(np.float64)
    middle = ((positive[:-1] + positive[1:]) / 2).astype(np.float32)
    lower = np.arange(126)
    assert np.array_equal(float8_e4m3.encode(middle), lower + lower % 2)
    assert np.array_equal(float8_e4m3.encode(np.nextafter(middle, np.float32(np.inf))), lower + 1)
    assert np.array_equal(float8_e4m3.encode(np.nextafter(middle, np.float32(-1))), lower)


def test_out_of_range_clips_and_nan_stays():
    x = np.array([449.0, 1e30, np.inf, -np.inf, np.nan, 1e-30, -1e-30], np.float32)
    assert float8_e4m3.encode(x).tolist() == [0x7E, 0x7E, 0x7E, 0xFE, 0x7F, 0x00, 0x80]
