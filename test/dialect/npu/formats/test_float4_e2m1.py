import numpy as np
import pytest
from vectors import Vector

from sparse_attn.dialect.npu.formats import float4_e2m1

ALL_BYTES = np.arange(256, dtype=np.uint8)[:, None]


def test_even_element_is_the_low_nibble():
    assert float4_e2m1.decode(np.array([0x71], np.uint8)).tolist() == [0.5, 6.0]
    assert float4_e2m1.pack(np.array([1, 7], np.uint8)).tolist() == [0x71]


def test_every_byte_unpacks_and_packs_to_itself():
    assert np.array_equal(float4_e2m1.pack(float4_e2m1.unpack(ALL_BYTES)), ALL_BYTES)


def test_every_byte_encodes_to_itself():
    assert np.array_equal(float4_e2m1.encode(float4_e2m1.decode(ALL_BYTES)), ALL_BYTES)


def test_ties_go_to_the_even_code_and_others_to_the_nearest():
    middle = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -0.25], np.float32)
    assert float4_e2m1.unpack(float4_e2m1.encode(middle)).tolist() == [0, 2, 2, 4, 4, 6, 6, 8]
    above = np.nextafter(middle, np.float32(10))
    assert float4_e2m1.unpack(float4_e2m1.encode(above)).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    below = np.nextafter(middle, np.float32(-10))
    assert float4_e2m1.unpack(float4_e2m1.encode(below)).tolist() == [0, 1, 2, 3, 4, 5, 6, 9]


def test_out_of_range_clips_and_nan_becomes_zero():
    x = np.array([7.0, -1e30, np.inf, np.nan], np.float32)
    assert float4_e2m1.decode(float4_e2m1.encode(x)).tolist() == [6.0, -6.0, 6.0, 0.0]


def test_an_odd_number_of_codes_is_refused():
    with pytest.raises(ValueError, match="3 codes, must be even"):
        float4_e2m1.pack(np.zeros(3, np.uint8))


def test_matches_the_golden_vectors(vectors):
    vector = Vector.load(vectors / "codec" / "float4_e2m1.npz")
    assert np.array_equal(float4_e2m1.decode(vector.inputs["packed"]), vector.outputs["values"])
