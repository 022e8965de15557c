import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.compressor import compressor


def _identity(coff, ratio, tokens):
    """One hidden element: keys are the tokens, gates are the bias alone."""
    x = np.array(tokens, np.float32).reshape(1, -1, 1)
    return {"x": x, "wkv": np.ones((coff, 1), np.float32), "wgate": np.zeros((coff, 1), np.float32), "coff": coff,
            "ape": np.zeros((ratio, coff), np.float32), "cmp_ratio": ratio}  # fmt: skip


def test_equal_gates_give_the_mean_of_a_group():
    rows, _ = compressor(
        **_identity(1, 4, [1, 2, 3, 4, 10, 10, 10, 10, 7]), state_cache=np.zeros((1, 4, 2), np.float32)
    )
    assert rows[0, :, 0].tolist() == [2.5, 10.0, 0.0]


def test_overlap_adds_the_previous_group_but_not_before_the_first():
    rows, _ = compressor(**_identity(2, 2, [1, 3, 5, 7]), state_cache=np.zeros((1, 2, 4), np.float32))
    assert rows[0, :, 0].tolist() == [2.0, 4.0]


def test_a_large_bias_picks_one_position():
    case = _identity(1, 2, [1, 3, 5, 7])
    case["ape"][1] = 100
    rows, _ = compressor(**case, state_cache=np.zeros((1, 2, 2), np.float32))
    np.testing.assert_allclose(rows[0, :, 0], [3, 7])


@pytest.mark.parametrize(("mode", "kept"), [(1, [0, 1, 2, 3, 4]), (2, [2, 3, 4])])
def test_a_ring_keeps_what_later_groups_need(mode, kept):
    """Tokens 0..4, ratio 2, overlap: the next group needs positions 2 and 3 besides its own."""
    table = np.array([[1, 2, 3]]) if mode == 1 else np.array([1])
    size = 2 if mode == 1 else 4
    case = _identity(2, 2, [10, 11, 12, 13, 14])
    _, state = compressor(
        **case, state_cache=np.zeros((4, size, 4), np.float32), state_block_table=table, cache_mode=mode
    )
    place = (lambda p: (1 + p // 2, p % 2)) if mode == 1 else (lambda p: (1, p % 4))
    for position in kept:
        assert state[place(position)].tolist() == [10 + position, 10 + position, 0, 0]
    assert np.count_nonzero(state[..., 0]) == len(kept)
