"""Index scores in any spelling: the pieces found are the whole score."""

import pytest
import torch
from terms import Captured, captured_whole

from sparse_attn.lowering.lift.scores import match, match_masked, unmask
from sparse_attn.lowering.normalize.term import whole
from sparse_attn.lowering.pattern import NoMatch

B, S, H, T, d = 2, 5, 3, 9, 4
Q, K, W = torch.randn(B, S, H, d), torch.randn(B, T, d), torch.randn(B, S, H)


def dots(q, k):
    return torch.einsum("bshd,btd->bsht", q, k)


def found(function, *more, matcher=match):
    it = Captured(function, Q, K, W, *more, capture=captured_whole)
    elem = whole(it.graph.results[0], "bst")
    return matcher(elem, elem.idx[-1]) if matcher is not unmask else unmask(elem)


SAME = {
    "einsum": lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w),
    "mul and sum": lambda q, k, w: (dots(q, k).relu() * w[..., None]).sum(2),
    "matmul": lambda q, k, w: (w.unsqueeze(2) @ torch.relu(q @ k.transpose(1, 2).unsqueeze(1))).squeeze(2),
    "scaled weights": lambda q, k, w: (dots(q, k).relu() * (w * 0.5)[..., None]).sum(2) ,
    "scaled inside": lambda q, k, w: torch.einsum("bsht,bsh->bst", (dots(q, k) * 0.5).relu(), w),
    "scaled query": lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q * 0.5, k).relu(), w),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_spellings_have_the_same_pieces(name):
    made = found(SAME[name])
    assert made.activation == "relu" and made.key_scale is None
    assert made.scale == (0.5 if "scaled" in name else 1.0)
    shapes = [tuple(x.const for x in e.value.dims) for e in (made.query, made.key, made.weights)]
    assert shapes == [(B, S, H, d), (B, T, d), (B, S, H)]


@pytest.mark.parametrize("cast", [torch.bfloat16, torch.int32])
def test_rounded_or_truncated_weights_are_weights_of_their_own(cast):
    made = found(lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w.to(cast).float()))
    assert made.weights.value.op == "torch.aten._to_copy"


def test_no_weights_and_no_relu():
    made = found(lambda q, k, w: dots(q, k).sum(2))
    assert made.weights is None and made.activation == "none"


def test_a_scale_of_each_key():
    made = found(lambda q, k, w, s: torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w) * s[:, None], torch.rand(B, T))
    assert made.key_scale is not None and [str(i) for i in made.key_scale.idx if i.terms] == ["b", "t"]


REFUSED = {
    "negative scale": (lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q * -1, k).relu(), w), "the score scale -1"),
    "negative weights": (lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q, k).relu(), -w), "the weight scale -1"),
    "negative result": (lambda q, k, w: -torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w), "multiplied by -1"),
    "scale of each row": (lambda q, k, w: torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w) * w[:, :, :1],
                          "no scale per key"),
    "no contraction": (lambda q, k, w: k[:, None, :, 0] + w[:, :, :1], "no contraction of a query with keys feeds it"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_ranks_otherwise_is_refused(name):
    function, reason = REFUSED[name]
    with pytest.raises(NoMatch) as raised:
        found(function)
    assert reason in raised.value.reason


def test_masks_and_factors_on_the_way_are_kept_apart():
    def function(q, k, w, bias):
        made = torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w)
        return ((made + bias) * 0.5).masked_fill(bias > 1, float("-inf"))

    scores, reading = found(function, torch.randn(B, S, T), matcher=match_masked)
    assert [m.kind for m in reading.masks] == ["drop", "bias"] and reading.factor == 0.5
    assert scores.activation == "relu"


def test_a_fill_that_scores_can_reach_is_no_mask():
    def function(q, k, w, bias):
        return torch.einsum("bsht,bsh->bst", dots(q, k).relu(), w).masked_fill(bias > 1, -1e4)

    assert [r.masks for r in found(function, torch.randn(B, S, T), matcher=unmask)] == [()]
