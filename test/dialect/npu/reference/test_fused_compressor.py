import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.fused_compressor import fused_compressor, rotated


def test_neighbours_and_halves_turn():
    values, quarter = np.array([[1.0, 0, 0, 2]]), np.ones((1, 4))
    assert rotated(values, quarter, 0 * quarter, 2).tolist() == [[0, 1, -2, 0]]
    assert rotated(values, quarter, 0 * quarter, 1).tolist() == [[0, -2, 1, 0]]
    assert rotated(values, 0 * quarter, quarter, 2).tolist() == values.tolist()


@pytest.mark.parametrize("mode", [1, 2])
def test_rows_are_normalised_then_rotated_at_their_end(mode):
    """Equal keys: a row of mean square 1 before the factors; rows that no group fills are zero."""
    given = {
        "x": np.full((1, 3, 1), 5, np.float32),
        "wkv": np.ones((4, 1), np.float32), "wgate": np.zeros((4, 1), np.float32),
        "ape": np.zeros((2, 4), np.float32), "cmp_ratio": 2, "state_cache": np.zeros((1, 2, 8), np.float32),
    }  # fmt: skip
    rows, _ = fused_compressor(
        **given, norm_weight=np.array([3, 1, 1, 2], np.float32), rope_head_dim=2, norm_eps=0.0, rotary_mode=mode,
        rope_sin=np.ones((1, 2, 2), np.float32), rope_cos=np.zeros((1, 2, 2), np.float32),
    )  # fmt: skip
    assert rows.tolist() == [[[3, 1, -2, 1], [0, 0, 0, 0]]]
