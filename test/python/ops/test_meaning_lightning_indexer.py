"""torch.ops.sparse_attn.lightning_indexer: the picks of eager scoring and torch.topk, ties included."""

import pytest
import torch
from meaning_cases import FLOATS, NONE, draw, integers, numpy_reference, operator

indexer = operator("lightning_indexer")
pytestmark = pytest.mark.usefixtures("implementation")


def inputs(batch=1, rows=40, heads=4, width=16, keys=40, dtype=torch.float32):
    return (
        draw(batch, rows, heads, width, dtype=dtype),
        draw(batch, keys, width, dtype=dtype, seed=1),
        draw(batch, rows, heads, seed=2),
    )


def eager(query, key, weights, shown, k, scale=1.0):
    scores = torch.einsum("bshd,btd->bsht", query.float(), key.float()) * scale
    scores = (scores.relu() * weights.float().unsqueeze(-1)).sum(2).masked_fill(~shown, NONE)
    values, indices = torch.topk(scores, min(k, key.shape[1]), dim=-1)
    return indices.int().masked_fill(values == NONE, -1), values, scores


def agrees(found, wanted, scores):
    """Equal picks; where rounding swaps two near-equal scores, both picks have the same score within 1e-5."""
    indices, values = found
    torch.testing.assert_close(values, wanted[1], rtol=1e-5, atol=1e-4)
    assert torch.equal(indices < 0, wanted[0] < 0)
    picked = scores.gather(-1, indices.clamp(min=0).long()).masked_fill(indices < 0, NONE)
    torch.testing.assert_close(picked, wanted[1], rtol=1e-5, atol=1e-4)
    for row in indices.flatten(0, 1):
        named = row[row >= 0]
        assert named.unique().numel() == named.numel()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("k", [1, 8, 39, 40, 41, 99])
def test_causal_picks_are_those_of_eager(dtype, k):
    query, key, weights = inputs(dtype=dtype)
    shown = torch.ones(40, 40, dtype=torch.bool).tril()
    *wanted, scores = eager(query, key, weights, shown, k, 0.25)
    agrees(indexer(query, key, weights, k=k, scale=0.25, mask_mode="causal"), wanted, scores)


@pytest.mark.parametrize("sizes", [(2, 1, 8, 32, 3000), (1, 3, 8, 32, 2500), (3, 50, 2, 8, 300), (1, 33, 64, 128, 50)])
@pytest.mark.parametrize("k", [16, 512])
def test_decode_and_prefill_shapes(sizes, k):
    """Few rows over many keys are computed in parts, many rows row block by row block."""
    query, key, weights = inputs(*sizes)
    batch, rows, keys = sizes[0], sizes[1], sizes[4]
    visible = integers(0, keys + 3, batch, rows, seed=3)
    shown = torch.arange(keys) < visible[..., None]
    *wanted, scores = eager(query, key, weights, shown, k, 0.1)
    agrees(indexer(query, key, weights, k=k, scale=0.1, mask_mode="prefix", visible=visible, ratio=4), wanted, scores)


@pytest.mark.parametrize("keys", [30, 130, 2100])
@pytest.mark.parametrize("k", [2, 25, 512])
def test_exact_ties_are_broken_as_eager_breaks_them(keys, k):
    """Small whole numbers: every sum is exact, so all implementations see the same, heavily tied, scores."""
    query, weights = integers(-1, 2, 1, 20, 3, 8).float(), integers(0, 3, 1, 20, 3, seed=2).float()
    key = integers(-1, 2, 1, keys, 8, seed=1).float()
    shown = torch.ones(20, keys, dtype=torch.bool).tril(keys - 20)
    indices, values, _ = eager(query, key, weights, shown, k)
    found = indexer(query, key, weights, k=k, mask_mode="causal")
    assert torch.equal(found[1], values) and torch.equal(found[0], indices)


@pytest.mark.parametrize("rows", [3, 40])
def test_masks_scales_and_unweighted_sums(rows):
    query, key, _ = inputs(2, rows, 4, 16, 70)
    for mask in (draw(2, rows, 70, seed=5) > 0, draw(rows, 70, seed=6), draw(2, 1, 70, seed=7) > 0.5):
        call = {"key_scale": draw(2, 70, seed=8), "query_scale": draw(2, rows, 4, seed=9), "mask": mask}
        call |= {"k": 9, "reduce": "sum", "activation": "none", "mask_mode": "causal", "scale": 0.3}
        indices, values = indexer(query, key, **call)
        wanted, best = numpy_reference("lightning_indexer", query, key, **call)
        torch.testing.assert_close(values, best, rtol=1e-5, atol=1e-4)
        assert (indices == wanted).float().mean() > 0.99 and torch.equal(indices < 0, wanted < 0)


def test_a_row_that_sees_nothing_picks_nothing():
    query, key, weights = inputs()
    mask = torch.ones(40, 40, dtype=torch.bool)
    mask[3] = False
    indices, values = indexer(query, key, weights, k=5, mask=mask)
    assert indices[0, 3].eq(-1).all() and values[0, 3].eq(NONE).all()
    assert indices[0, :3].ge(0).all() and indices[0, 4:].ge(0).all()


def test_nan_scores_are_picked_first_as_in_torch():
    query, key, weights = inputs()
    key[0, 11] = float("nan")
    indices, values = indexer(query, key, weights, k=5)
    assert indices[..., 0].eq(11).all() and values[..., 0].isnan().all()


@pytest.mark.parametrize("sizes", [(0, 5, 2, 8, 7), (2, 0, 2, 8, 7), (2, 5, 2, 8, 0), (2, 50, 2, 8, 0)])
def test_empty_tensors(sizes):
    indices, values = indexer(*inputs(*sizes), k=4, mask_mode="causal")
    assert indices.shape == values.shape == (sizes[0], sizes[1], min(4, sizes[4]))


def test_rows_stand_alone():
    query, key, weights = inputs()
    visible = torch.arange(1, 41, dtype=torch.int32)[None]
    whole = indexer(query, key, weights, k=6, mask_mode="prefix", visible=visible)
    part = indexer(query[:, 7:9], key, weights[:, 7:9], k=6, mask_mode="prefix", visible=visible[:, 7:9])
    assert torch.equal(part[0], whole[0][:, 7:9])
    torch.testing.assert_close(part[1], whole[1][:, 7:9], rtol=1e-5, atol=1e-5)


def test_unsorted_picks_are_the_same_set():
    query, key, weights = inputs()
    ordered = indexer(query, key, weights, k=6)[0].sort(-1).values
    assert torch.equal(indexer(query, key, weights, k=6, sorted=False)[0].sort(-1).values, ordered)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"k": 0}, r"\[c1\]"),
        ({"weights": None}, r"\[c5\].*weights"),
        ({"reduce": "none"}, r"\[c1\].*reduce"),
        ({"mask_mode": "prefix"}, r"\[c6\].*visible"),
        ({"ratio": 4}, r"\[c7\].*ratio"),
        ({"mask": torch.ones(3, 40)}, r"\[c8\].*\[3, 40\]"),
    ],
)
def test_refusals_name_the_constraint(change, text):
    call = dict(zip(("query", "key", "weights"), inputs(), strict=True)) | {"k": 4} | change
    with pytest.raises(ValueError, match=text):
        indexer(**call)
