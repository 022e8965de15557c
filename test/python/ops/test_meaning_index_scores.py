"""torch.ops.sparse_attn.index_scores against the einsum a model writes and the dialect's reference."""

import pytest
import torch
from meaning_cases import FLOATS, close, draw, numpy_reference, operator, torch_reference

index_scores = operator("index_scores")
pytestmark = pytest.mark.usefixtures("implementation")


def inputs(batch=2, rows=5, heads=3, width=8, keys=7, dtype=torch.float32):
    return (
        draw(batch, rows, heads, width, dtype=dtype),
        draw(batch, keys, width, dtype=dtype, seed=1),
        draw(batch, rows, heads, seed=2),
    )


def tight(found, wanted):
    """Sums of fp32 products in another order: relative to the largest score."""
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5 * max(1.0, float(wanted.abs().max())))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("sizes", [(2, 5, 3, 8, 7), (1, 1, 64, 128, 33), (1, 40, 5, 24, 100), (1, 3, 1, 3, 16)])
def test_weighted_scores_are_those_of_a_model(dtype, sizes):
    query, key, weights = inputs(*sizes, dtype=dtype)
    products = torch.einsum("bshd,btd->bsht", query.float(), key.float()) * 0.3
    tight(index_scores(query, key, weights, scale=0.3), torch.einsum("bsht,bsh->bst", products.relu(), weights))


@pytest.mark.parametrize("activation", ["relu", "none"])
@pytest.mark.parametrize("reduce", ["weighted", "sum", "none"])
@pytest.mark.parametrize("scaled", [False, True])
def test_every_form_agrees_with_the_dialect(activation, reduce, scaled):
    query, key, weights = inputs(keys=35)
    call = {"scale": -0.7, "activation": activation, "reduce": reduce}
    if scaled:
        call |= {"query_scale": draw(2, 5, 3, seed=3), "key_scale": draw(2, 35, seed=4)}
    tensors = (query, key, weights) if reduce == "weighted" else (query, key)
    (wanted,) = numpy_reference("index_scores", *tensors, **call)
    tight(index_scores(*tensors, **call), wanted)


def test_factors_may_be_16_bit_and_strided():
    query, key, _ = inputs()
    query, key = query[:, :, :, ::2], key.transpose(1, 2).contiguous().transpose(1, 2)[..., ::2]
    weights, scale = draw(2, 3, 5, dtype=torch.bfloat16).transpose(1, 2), draw(2, 14, dtype=torch.float16)[:, ::2]
    wanted = torch_reference("index_scores", query, key, weights, key_scale=scale)
    tight(index_scores(query, key, weights, key_scale=scale), wanted)


def test_equal_keys_have_equal_scores_wherever_they_lie(implementation):
    """Ties must stay ties: in the kernels a score does not depend on its place in a tile (in a torch.mm it may)."""
    if implementation == "torch":
        return
    query, key, weights = inputs(1, 9, 8, 64, 1)
    scores = index_scores(query, key.expand(1, 53, 64), weights)
    assert torch.equal(scores, scores[..., :1].expand_as(scores))


def test_a_relu_that_closes_every_head_gives_exact_zeros():
    query, key, weights = inputs(1, 4, 6, 16, 20)
    scores = index_scores(query.abs(), -key.abs(), weights)
    assert torch.equal(scores, torch.zeros(1, 4, 20))


def test_nan_reaches_its_own_scores_only():
    query, key, weights = inputs(1, 2, 3, 8, 20)
    key[0, 5] = float("nan")
    scores = index_scores(query, key, weights)
    assert scores[..., 5].isnan().all() and scores.isnan().sum() == 2


@pytest.mark.parametrize("sizes", [(0, 5, 3, 8, 7), (2, 0, 3, 8, 7), (2, 5, 3, 8, 0), (2, 5, 0, 8, 7)])
@pytest.mark.parametrize("reduce", ["sum", "none"])
def test_empty_tensors(sizes, reduce):
    query, key, _ = inputs(*sizes)
    scores = index_scores(query, key, reduce=reduce)
    batch, rows, heads, _, keys = sizes
    assert scores.shape == ((batch, rows, keys) if reduce == "sum" else (batch, rows, heads, keys))
    assert not scores.any()


def test_rows_stand_alone():
    query, key, weights = inputs(1, 70, 4, 16, 50)
    whole = index_scores(query, key, weights)
    close(index_scores(query[:, 33:38], key, weights[:, 33:38]), whole[:, 33:38])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"activation": "gelu"}, r"\[c1\].*relu"),
        ({"query": torch.zeros(2, 5, 8)}, r"\[c2\].*`query` must have rank 4"),
        ({"key": torch.zeros(2, 7, 9)}, r"\[c3\].*`key`.*dimension d is 9, expected 8"),
        ({"weights": None}, r"\[c5\].*needs the operand `weights`"),
        ({"reduce": "sum"}, r"\[c5\].*takes no `weights`"),
        ({"query": torch.zeros(2, 5, 3, 8, dtype=torch.int32)}, r"\[c2\].*has i32"),
    ],
)
def test_refusals_name_the_constraint(change, text):
    call = dict(zip(("query", "key", "weights"), inputs(), strict=True)) | change
    with pytest.raises(ValueError, match=text):
        index_scores(**call)
