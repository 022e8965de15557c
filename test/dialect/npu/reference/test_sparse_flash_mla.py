import numpy as np
import pytest
from attention import bits_changed, out_of_tolerance, recorded, run_reference

NAME = "sparse_flash_mla"


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    results = run_reference(NAME, recorded(vector))
    expected = vector.outputs["attn_out"]
    assert results[0].shape == expected.shape and results[0].dtype == expected.dtype
    assert out_of_tolerance(results[0], expected) == 0
    assert bits_changed(results[0], expected) < 1e-3
    if vector.attrs["return_softmax_lse"]:
        np.testing.assert_allclose(results[1], vector.outputs["softmax_lse"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_a_uniform_row_averages_window_and_groups(kind):
    """Four tokens, row 3 sees the last two (window 1) and the two groups of two."""
    keys, groups = (np.repeat(np.array(v, kind), 512).reshape(1, -1, 1, 512) for v in ([1, 2, 4, 8], [16, 32]))
    call = {"q": np.zeros((1, 1, 1, 512), kind), "ori_kv": keys, "cmp_kv": groups, "cmp_ratio": 2, "cmp_mask_mode": 3}
    out, lse = run_reference(NAME, call | {"ori_mask_mode": 4, "ori_win_left": 1, "ori_win_right": 0})
    assert (out == (4 + 8 + 16 + 32) / 4).all()
    np.testing.assert_allclose(lse, np.log(4), rtol=1e-6)
    out, _ = run_reference(NAME, call | {"ori_mask_mode": 4, "ori_win_left": 0, "ori_win_right": 0, "cmp_mask_mode": 0})
    assert (out == kind((8 + 16 + 32) / 3)).all()
