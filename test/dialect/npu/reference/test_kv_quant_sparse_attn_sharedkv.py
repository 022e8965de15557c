import numpy as np
import pytest
from attention import bits_changed, out_of_tolerance, recorded, run_reference

NAME = "kv_quant_sparse_attn_sharedkv"


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    results = run_reference(NAME, recorded(vector))
    expected = vector.outputs["attn_out"]
    assert results[0].shape == expected.shape and results[0].dtype == expected.dtype
    assert out_of_tolerance(results[0], expected) == 0
    assert bits_changed(results[0], expected) < 3e-3
    np.testing.assert_allclose(results[1], vector.outputs["derived_softmax_lse"], rtol=1e-5, atol=1e-5)
