"""top-k over index scores: what is ranked, over which axis, how many, and of which scores."""

import pytest
import torch
from sites import B, H, K, T, d, inputs, outcome, scores

FIRES = {
    "the last axis": lambda iq, ik, w: scores(iq, ik, w).topk(K, -1)[1],
    "by its number": lambda iq, ik, w: scores(iq, ik, w).topk(K, 2)[1],
    "unsorted": lambda iq, ik, w: scores(iq, ik, w).topk(K, -1, sorted=False)[1].sort(-1).values,
    "min of k and keys": lambda iq, ik, w: scores(iq, ik, w).topk(min(2048, ik.shape[1]), -1)[1],
    "all keys": lambda iq, ik, w: scores(iq, ik, w).topk(T, -1)[1],
    "one head": lambda iq, ik, w: scores(iq[:, :, :1], ik, w[:, :, :1]).topk(K, -1)[1],
    "the first two heads": lambda iq, ik, w: scores(iq[:, :, :2], ik, w[:, :, :2]).topk(K, -1)[1],
    "the first keys": lambda iq, ik, w: scores(iq, ik[:, :7], w).topk(K, -1)[1],
    "one weight for all heads": lambda iq, ik, w: scores(iq, ik, w[:, :, :1].expand_as(w)).topk(K, -1)[1],
    "a row at a time": lambda iq, ik, w: scores(iq, ik, w)[:, 0].topk(K, -1)[1],
}


@pytest.mark.parametrize("name", FIRES)
def test_a_selection_is_the_operators(name):
    found = outcome(FIRES[name], *inputs()[:3])["indexer"]
    if name != "a row at a time":
        assert found.fused, str(found)


def test_einsum_repeats_a_single_weight_and_a_single_channel():
    outcome(lambda iq, ik, w: scores(iq, ik, w[:, :, :1]).topk(K, -1)[1], *inputs()[:3])
    outcome(lambda iq, ik, w: scores(iq[..., :1], ik, w).topk(K, -1)[1], *inputs()[:3])


def per_head(iq, ik, w):
    return torch.relu(torch.einsum("bshd,btd->bsht", iq, ik)).topk(K, -1)[1]


def keys_of_each_head(iq, ik, w):
    keys = ik.view(B, T, 1, d) * torch.arange(1, H + 1).view(1, 1, H, 1)
    return (torch.einsum("bshd,bthd->bsht", iq, keys).relu() * w[..., None]).sum(2).topk(K, -1)[1]


REFUSED = {
    "smallest": (lambda iq, ik, w: scores(iq, ik, w).topk(K, -1, largest=False)[1], "keeps the smallest scores"),
    "per head": (per_head, "top-k is taken per head, not over the scores summed over heads"),
    "keys per head": (keys_of_each_head, "keys"),
    "negated": (lambda iq, ik, w: (-scores(iq, ik, w)).topk(K, -1)[1], "it turns the order of the keys around"),
    "negative weights": (lambda iq, ik, w: scores(iq, ik, w * -2).topk(K, -1)[1], "the weight scale -2 is negative"),
    "negative scale": (lambda iq, ik, w: scores(iq * -0.5, ik, w).topk(K, -1)[1], "the score scale -0.5 is negative"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_another_selection_is_refused_with_its_reason(name):
    function, reason = REFUSED[name]
    found = outcome(function, *inputs()[:3])["indexer"]
    assert not found.fused and reason in str(found), str(found)


UNTOUCHED = {
    "another axis": lambda iq, ik, w: scores(iq, ik, w).topk(3, 1)[1],
    "truncated": lambda iq, ik, w: scores(iq, ik, w).long().float().topk(K, -1)[1],
    "no contraction": lambda iq, ik, w: ik.topk(3, -1)[1],
    "softmaxed": lambda iq, ik, w: scores(iq, ik, w).softmax(-1).topk(K, -1)[1],
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_no_index_score_is_left(name):
    found = outcome(UNTOUCHED[name], *inputs()[:3])["indexer"]
    assert found == [] or not found.fused
