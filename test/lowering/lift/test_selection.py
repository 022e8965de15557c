"""A sort cut after its first entries is a selection; other sorts stay, each with its reason."""

import pytest
import torch
from sites import K, T, attend, causal, inputs, listed, outcome, scores


def attended(select):
    """Attention to what `select` takes of the scores."""
    return lambda iq, ik, w, q, k, v: attend(q, k, v, listed(select(scores(iq, ik, w))) + causal())


def first(x, k=K, **options):
    return x.sort(dim=-1, descending=True, **options).indices[..., :k]


FIRES = {
    "sort": first,
    "sort, not stable": lambda x: first(x, stable=False),
    "sort by the axis number": lambda x: torch.sort(x, 2, descending=True)[1][:, :, :K],
    "argsort": lambda x: torch.argsort(x, dim=-1, descending=True)[..., :K],
    "narrowed": lambda x: x.sort(-1, descending=True).indices.narrow(-1, 0, K),
    "masked": lambda x: first(x + causal()),
    "in 32 bits": lambda x: first(x).int().long(),
    "all keys": lambda x: first(x, T + 3),
}


@pytest.mark.parametrize("name", FIRES)
def test_a_cut_sort_is_a_selection(name):
    found = outcome(attended(FIRES[name]), *inputs())
    if name == "all keys":
        assert "it is a sort of all keys" in found["text"]
        return
    assert found["indexer"].fused and found["attention"].fused, found["text"]
    assert "they fall as torch.topk breaks ties" in found["text"]


REFUSED = {
    "smallest first": (lambda x: x.sort(-1).indices[..., :K], "puts the smallest scores first"),
    "stable": (lambda x: first(x, stable=True), "a stable sort breaks ties by position"),
    "the last ones": (lambda x: x.sort(-1, descending=True).indices[..., -K:], "not cut after the first ones"),
    "every second one": (lambda x: x.sort(-1, descending=True).indices[..., ::2], "not cut after the first ones"),
    "some rows": (lambda x: x.sort(-1, descending=True).indices[:, :1].expand_as(x), "it is a sort of all keys"),
    "cut twice": (lambda x: (lambda at: torch.cat([at[..., :2], at[..., 3:5]], -1))(x.sort(
        -1, descending=True).indices), "it is a sort of all keys"),
    "smallest top-k": (lambda x: x.topk(K, -1, largest=False).indices, "top-k keeps the smallest scores"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_another_sort_stays_with_its_reason(name):
    select, reason = REFUSED[name]
    found = outcome(attended(select), *inputs())
    assert not found["indexer"].fused and reason in found["text"], found["text"]


def test_sorted_scores_that_are_used_stay():
    def both(iq, ik, w):
        values, indices = scores(iq, ik, w).sort(-1, descending=True)
        return indices[..., :K], values[..., :K]

    assert "its sorted scores are used as well as their positions" in outcome(both, *inputs()[:3])["text"]


@pytest.mark.parametrize("dim", [0, 1])
def test_a_sort_over_another_axis_is_no_candidate(dim):
    found = outcome(lambda iq, ik, w: scores(iq, ik, w).sort(dim, descending=True).indices[:1], *inputs()[:3])
    assert found["indexer"] == []


def test_a_sort_of_other_numbers_is_no_candidate():
    assert outcome(lambda x: x.sort(-1, descending=True).indices[..., :2], torch.randn(2, 5, 9))["indexer"] == []


def test_a_growing_number_of_keys():
    """min(k, keys) is what a cut after k leaves of a dynamic axis."""
    args = inputs()
    torch._dynamo.mark_dynamic(args[1], 1)
    found = outcome(lambda iq, ik, w: first(scores(iq, ik, w), 4), *args[:3])["indexer"]
    assert found.fused, str(found)
