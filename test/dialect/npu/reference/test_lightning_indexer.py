import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.lightning_indexer import lightning_indexer


@pytest.mark.vectors("lightning_indexer")
def test_matches_the_golden_vectors(vector):
    attrs = {name: value for name, value in vector.attrs.items() if name != "metadata"}
    indices, values = lightning_indexer(**vector.inputs, **attrs)
    assert np.array_equal(indices, vector.outputs["sparse_indices"])
    np.testing.assert_allclose(values, vector.outputs["sparse_values"], rtol=1e-4, atol=1e-5)


def test_without_return_value_the_second_result_is_empty():
    rng = np.random.default_rng(0)
    q, k = (rng.standard_normal(shape).astype(np.float16) for shape in ((1, 2, 3, 128), (1, 9, 1, 128)))
    indices, values = lightning_indexer(q, k, np.ones((1, 2, 3), np.float32), 4, mask_mode=3)
    assert values.shape == (0,) and indices.shape == (1, 2, 1, 4)
    assert indices.max() < 9 and (indices[0, 0] < 8).all(), "the first of two rows sees all keys but the last"
