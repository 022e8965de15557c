import numpy as np
from vectors import Vector

from sparse_attn.dialect.npu.formats import float8_e8m0

CODES = np.arange(256, dtype=np.uint8)


def test_codes_are_powers_of_two_and_255_is_nan():
    assert np.array_equal(float8_e8m0.TABLE[:255].astype(np.float64), 2.0 ** (np.arange(255.0) - 127))
    assert np.isnan(float8_e8m0.TABLE[255])


def test_every_code_encodes_to_itself():
    assert np.array_equal(float8_e8m0.encode(float8_e8m0.decode(CODES)), CODES)


def test_scales_round_up_to_a_power_of_two():
    x = float8_e8m0.TABLE[1:254]
    above = np.nextafter(x, np.float32(np.inf))
    assert np.array_equal(float8_e8m0.encode(above), np.arange(2, 255))


def test_edges():
    x = np.array([0.0, 1e-45, np.inf, 3e38, -1.0, np.nan], np.float32)
    assert float8_e8m0.encode(x).tolist() == [0, 0, 254, 254, 255, 255]


def test_matches_the_golden_vectors(vectors):
    vector = Vector.load(vectors / "codec" / "float8_e8m0.npz")
    decoded = float8_e8m0.decode(vector.inputs["codes"])
    assert np.array_equal(decoded, vector.outputs["values"], equal_nan=True)
