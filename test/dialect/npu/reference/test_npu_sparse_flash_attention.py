import numpy as np
import pytest
from attention import run_reference

NAME = "npu_sparse_flash_attention"


def uniform(tokens, **changes):
    """One row of one head with equal scores: the mean of the keys it sees, key t holding t."""
    key = np.repeat(np.arange(tokens, dtype=np.float16), 512).reshape(1, tokens, 1, 512)
    call = {"query": np.zeros((1, 2, 1, 512), np.float16), "query_rope": np.zeros((1, 2, 1, 64), np.float16)}
    call |= {"key": key, "value": key, "key_rope": np.zeros((1, tokens, 1, 64), np.float16), "scale_value": 1.0}
    return run_reference(NAME, call | changes)


@pytest.mark.parametrize(("mode", "first"), [(0, (1 + 5 + 7) / 3), (3, (1 + 5) / 2)])
def test_a_causal_row_skips_the_keys_behind_it(mode, first):
    lists = np.array([[[[1, 7, 5, -1, 3]]], [[[1, 7, 5, -1, 3]]]], np.int32).reshape(1, 2, 1, 5)
    out, peak, total = uniform(8, sparse_indices=lists, sparse_mode=mode)
    assert (out[0, 0] == np.float16(first)).all()
    assert (out[0, 1] == np.float16(13 / 3)).all(), "the last row sees all keys"
    assert (peak == 0).all() and total[0, 0, 1] == 3


def test_blocks_are_cut_at_the_length_and_at_the_row():
    lists = np.array([[1, -1], [1, -1]], np.int32).reshape(1, 2, 1, 2)
    out, _, total = uniform(7, sparse_indices=lists, sparse_block_size=4)
    assert total[0, 0].ravel().tolist() == [2, 3], "keys 4, 5 for the first row; 4, 5, 6 for the last"
    assert out[0, :, 0, 0].tolist() == [4.5, 5.0]


def test_the_rotary_part_only_scores():
    lists = np.array([[0, 1], [0, 1]], np.int32).reshape(1, 2, 1, 2)
    rope = np.zeros((1, 2, 1, 64), np.float16)
    rope[0, 1, 0, 0] = 100  # key 1 wins by its rotary part
    query_rope = np.zeros((1, 2, 1, 64), np.float16)
    query_rope[..., 0] = 1
    out, _, _ = uniform(2, sparse_indices=lists, key_rope=rope, query_rope=query_rope)
    assert (out[0, 1] == 1).all() and (out[0, 0] == 0).all(), "the first row does not see key 1"
