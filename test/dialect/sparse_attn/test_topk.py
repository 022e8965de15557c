"""The reference against a sort of each row's visible keys."""

import numpy as np
import pytest
import torch

from sparse_attn.dialect.sparse_attn import TopkOp

B, S, T = 2, 4, 12
# a permutation in every row: no ties, so any correct method agrees
SCORES = np.random.default_rng(0).permuted(np.tile(np.arange(T, dtype=np.float32), (B, S, 1)), axis=-1)
INF = float("inf")


def sorted_row(row, allowed, k):
    """Indices and values of a row by sorting what is allowed, filled up with -1."""
    best = sorted((j for j in range(len(row)) if allowed(j)), key=lambda j: -row[j])[:k]
    width = min(k, len(row))
    return best + [-1] * (width - len(best)), [row[j] for j in best] + [-INF] * (width - len(best))


def compare(found, allowed, k, scores=SCORES):
    indices, values = found
    assert indices.dtype == np.int32 and values.dtype == np.float32
    assert indices.shape == values.shape == (*scores.shape[:2], min(k, scores.shape[2]))
    for b, s in np.ndindex(scores.shape[:2]):
        wanted = sorted_row(scores[b, s], lambda j, b=b, s=s: allowed(b, s, j), k)
        assert (indices[b, s].tolist(), values[b, s].tolist()) == wanted, (b, s)


@pytest.mark.parametrize("k", [1, 5, T, T + 7])
def test_without_mask(k):
    compare(TopkOp.reference(SCORES, k=k), lambda b, s, j: True, k)


def test_causal_rows_end_at_the_last_key():
    compare(TopkOp.reference(SCORES, k=10, mask_mode="causal"), lambda b, s, j: j <= T - S + s, 10)


def test_more_queries_than_keys_leave_the_first_rows_empty():
    scores = SCORES[:, :, :2]
    indices, values = TopkOp.reference(scores, k=2, mask_mode="causal")
    assert (indices[:, :2] == -1).all() and (values[:, :2] == -INF).all()
    compare((indices, values), lambda b, s, j: j <= 2 - S + s, 2, scores)


@pytest.mark.parametrize("mode", ["causal", "prefix"])
def test_counts_are_clamped(mode):
    visible = np.array([[-3, 0, 5, T + 9]], np.int32)
    found = TopkOp.reference(SCORES, visible=visible, k=6, mask_mode=mode)
    compare(found, lambda b, s, j: j < visible[0, s], 6)
    assert (found[0][:, :2] == -1).all()


def test_bool_mask_applies_on_top():
    mask = np.arange(T) % 3 != 0
    found = TopkOp.reference(SCORES, mask=mask, k=9, mask_mode="causal")
    compare(found, lambda b, s, j: j <= T - S + s and j % 3 != 0, 9)


def test_float_mask_is_added():
    bias = np.where(np.arange(T) == 4, 100.0, 0.0).astype(np.float32)
    indices, values = TopkOp.reference(SCORES, mask=bias, k=1)
    assert (indices == 4).all()
    np.testing.assert_array_equal(values[..., 0], SCORES[..., 4] + 100)


def test_finite_minimum_stays_a_pick():
    lowest = np.full((1, 1, 3), np.finfo(np.float32).min, np.float32)
    assert TopkOp.reference(lowest, k=3)[0].min() >= 0
    assert (TopkOp.reference(np.full_like(lowest, -np.inf), k=3)[0] == -1).all()


@pytest.mark.parametrize(("width", "k"), [(40, 8), (1000, 4), (1000, 700)])
def test_ties_are_broken_as_torch_breaks_them(width, k):
    scores = np.random.default_rng(width).integers(0, 3, (1, 2, width)).astype(np.float32)
    indices, _ = TopkOp.reference(scores, k=k)
    assert indices.tolist() == torch.topk(torch.from_numpy(scores), k).indices.tolist()


def test_masked_keys_hold_their_place_among_ties():
    scores = np.zeros((1, 1, 6), np.float32)
    indices, _ = TopkOp.reference(scores, visible=np.array([[3]], np.int32), k=3, mask_mode="prefix")
    padded = torch.tensor([0.0, 0.0, 0.0, -INF, -INF, -INF])
    assert indices[0, 0].tolist() == torch.topk(padded, 3).indices.tolist()


def test_blocks_are_as_good_as_their_best_key():
    indices, values = TopkOp.reference(SCORES[:, :, :11], k=9, block=4)
    for b, s in np.ndindex(B, S):
        row = SCORES[b, s, :11]
        best = [max(row[start : start + 4]) for start in (0, 4, 8)]
        order = sorted(range(3), key=lambda j: -best[j])
        assert indices[b, s].tolist() == order
        assert values[b, s].tolist() == [best[j] for j in order]


def test_local_blocks_are_the_last_a_row_sees():
    visible = np.array([[0, 3, 5, 12]], np.int32)
    indices, values = TopkOp.reference(SCORES, visible=visible, k=2, mask_mode="prefix", block=4, local_blocks=1)
    assert (indices[:, 0] == -1).all()
    assert indices[:, 1:, 0].tolist() == [[0, 1, 2]] * B
    assert (values[:, 1:, 0] == INF).all() and (values[:, 1:, 1] != INF).all()


def test_unsorted_is_the_same_set():
    best, _ = TopkOp.reference(SCORES, k=5)
    loose, _ = TopkOp.reference(SCORES, k=5, sorted=False)
    assert np.array_equal(np.sort(best), np.sort(loose))


def test_no_keys_and_no_rows():
    assert TopkOp.reference(SCORES[:, :, :0], k=3)[0].shape == (B, S, 0)
    assert TopkOp.reference(SCORES[:, :0], k=3)[0].shape == (B, 0, 3)
