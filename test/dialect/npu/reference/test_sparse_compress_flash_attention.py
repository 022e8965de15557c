import pytest
from attention import bits_changed, out_of_tolerance, recorded, run_reference

NAME = "sparse_compress_flash_attention"


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    results = run_reference(NAME, recorded(vector))
    expected = vector.outputs["attention_out"]
    assert results[0].shape == expected.shape and results[0].dtype == expected.dtype
    assert out_of_tolerance(results[0], expected) == 0
    assert bits_changed(results[0], expected) < 6e-3
