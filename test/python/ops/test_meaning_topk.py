"""torch.ops.sparse_attn.topk: masks, pooling, and the order torch.topk gives equal scores."""

import pytest
import torch
from meaning_cases import FLOATS, NONE, draw, integers, numpy_reference, operator

topk = operator("topk")
pytestmark = pytest.mark.usefixtures("implementation")


def eager(scores, shown, k):
    """What a model writes: mask, torch.topk, -1 for what is not visible."""
    values, indices = torch.topk(scores.float().masked_fill(~shown, NONE), min(k, scores.shape[-1]), dim=-1)
    return indices.int().masked_fill(values == NONE, -1), values


def same(found, wanted):
    for ours, theirs in zip(found, wanted, strict=True):
        assert ours.dtype == theirs.dtype and torch.equal(ours, theirs)


def causal(rows, keys):
    return torch.ones(rows, keys, dtype=torch.bool).tril(keys - rows)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("k", [1, 4, 31, 32, 33])
def test_causal_rows(dtype, k):
    scores = draw(2, 20, 32, dtype=dtype)
    same(topk(scores, k=k, mask_mode="causal"), eager(scores, causal(20, 32), k))


@pytest.mark.parametrize("keys", [1, 7, 64, 130, 200, 700, 5000])
@pytest.mark.parametrize("k", [1, 3, 10, 100, 600])
@pytest.mark.parametrize("levels", [1, 3, 40])
def test_equal_scores_come_in_the_order_of_torch(keys, k, levels):
    """relu makes exact zeros common: which of them are picked, and in which order, is part of the meaning."""
    scores = integers(0, levels, 2, 6, keys, seed=keys + k).float().relu()
    shown = torch.arange(keys) < integers(-1, keys + 2, 2, 6, 1, seed=1)
    visible = shown.sum(-1).int()
    same(topk(scores, k=k, mask_mode="prefix", visible=visible), eager(scores, shown, k))


def test_signed_zeros_and_infinities_are_ordered_like_torch():
    scores = torch.tensor([[[0.0, -0.0, float("inf"), -1.0, -0.0, 0.0, NONE, float("inf")]]])
    same(topk(scores, k=8), eager(scores, torch.ones(8, dtype=torch.bool), 8))


def test_nan_comes_first_as_in_torch():
    scores = draw(1, 3, 40)
    scores[0, 1, 7] = scores[0, 1, 20] = float("nan")
    indices, values = topk(scores, k=5)
    wanted, best = eager(scores, torch.ones(40, dtype=torch.bool), 5)
    assert torch.equal(indices, wanted) and torch.equal(values.isnan(), best.isnan())
    assert set(indices[0, 1, :2].tolist()) == {7, 20}


def test_counts_below_zero_and_beyond_the_keys_are_clamped():
    scores = draw(1, 4, 6)
    indices, values = topk(scores, k=3, mask_mode="prefix", visible=torch.tensor([[-5, 0, 2, 99]], dtype=torch.int32))
    assert indices[0, :2].eq(-1).all() and values[0, :2].eq(NONE).all()
    assert sorted(indices[0, 2].tolist()) == [-1, 0, 1]
    assert torch.equal(indices[0, 3], eager(scores, torch.ones(6, dtype=torch.bool), 3)[0][0, 3])


@pytest.mark.parametrize("shape", [(2, 3, 9), (1, 3, 9), (3, 9), (2, 1, 9), (9,), (2, 3, 1), ()])
def test_masks_broadcast(shape):
    scores, mask = draw(2, 3, 9), draw(*shape, seed=1) > 0
    same(topk(scores, k=4, mask=mask), eager(scores, mask.expand(2, 3, 9), 4))
    added = draw(*shape, seed=2)
    same(topk(scores, k=4, mask=added), eager(scores + added, torch.ones(9, dtype=torch.bool), 4))
    below = torch.where(mask, 0.0, NONE)
    same(topk(scores, k=4, mask=below, mask_mode="causal"), eager(scores, mask & causal(3, 9), 4))


@pytest.mark.parametrize("block", [1, 2, 3, 16])
@pytest.mark.parametrize("local", [0, 1, 2])
def test_blocks_and_forced_local_blocks(block, local):
    scores, visible = draw(2, 5, 13), integers(-1, 15, 2, 5, seed=3)
    call = {"visible": visible, "k": 3, "mask_mode": "prefix", "block": block, "local_blocks": local}
    same(topk(scores, **call), numpy_reference("topk", scores, **call))


def test_a_forced_block_is_picked_whatever_its_scores():
    scores = torch.arange(12.0, 0.0, -1.0).view(1, 1, 12)
    indices, values = topk(scores, k=2, block=3, local_blocks=1, mask_mode="causal")
    assert indices.tolist() == [[[3, 0]]] and values.tolist() == [[[float("inf"), 12.0]]]
    assert topk(scores, k=2, block=3, mask_mode="causal")[0].tolist() == [[[0, 1]]]


@pytest.mark.parametrize("shape", [(0, 3, 5), (2, 0, 5), (2, 3, 0)])
def test_empty_tensors(shape):
    indices, values = topk(torch.zeros(shape), k=4)
    assert indices.shape == values.shape == (*shape[:2], min(4, shape[2]))


def test_strided_scores_and_rows_stand_alone():
    wide = draw(2, 40, 50, seed=9).transpose(1, 2)[:, ::2, 3:30]
    indices, values = topk(wide, k=6)
    same((indices, values), topk(wide.contiguous(), k=6))
    same((indices[:, 4:7], values[:, 4:7]), topk(wide[:, 4:7], k=6))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ({"k": 0}, r"\[c1\].*`k` must be at least 1"),
        ({"k": 2, "mask_mode": "prefix"}, r"\[c5\].*needs the operand `visible`"),
        ({"k": 2, "ratio": 4}, r"\[c6\].*ratio = 4"),
        ({"k": 2, "mask": torch.ones(7)}, r"\[c7\].*\[7\]"),
        ({"k": 2, "local_blocks": 3}, r"\[c8\].*local_blocks = 3"),
        ({"k": 2, "mask_mode": "causal", "visible": torch.zeros(3, 4, dtype=torch.int32)}, r"\[c3\].*visible"),
    ],
)
def test_refusals_name_the_constraint(call, text):
    with pytest.raises(ValueError, match=text):
        topk(draw(2, 4, 5), **call)
