"""The reference against sets."""

import numpy as np

from sparse_attn.dialect.sparse_attn import SelectionOp


def test_true_where_listed():
    indices = np.random.default_rng(1).integers(-2, 12, (2, 3, 5))
    selected = SelectionOp.reference(indices, extent=9)
    assert selected.shape == (2, 3, 9) and selected.dtype == bool
    for b, s in np.ndindex(2, 3):
        assert set(np.flatnonzero(selected[b, s])) == {j for j in indices[b, s] if 0 <= j < 9}


def test_nothing_listed():
    assert not SelectionOp.reference(np.full((1, 2, 4), -1), extent=3).any()
    assert SelectionOp.reference(np.zeros((1, 2, 0), np.int32), extent=3).shape == (1, 2, 3)
    assert SelectionOp.reference(np.zeros((1, 2, 4), np.int32), extent=0).shape == (1, 2, 0)


def test_order_and_repeats_do_not_matter():
    once = SelectionOp.reference(np.array([[[4, 1]]]), extent=6)
    often = SelectionOp.reference(np.array([[[1, 4, 1]]]), extent=6)
    assert (once == often).all()
