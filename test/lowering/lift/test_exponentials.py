"""Softmax written out with exponentials is the operator's; another denominator is another function."""

import pytest
import torch
from sites import INF, MIN, N, T, causal, inputs, listed, outcome, scores

SINK = torch.randn(N, generator=torch.Generator().manual_seed(4))


def logits(iq, ik, w, q, k, fill=INF):
    at = (scores(iq, ik, w) + causal()).topk(6, -1).indices
    return torch.where((listed(at) + causal()) == 0, q @ k.transpose(-1, -2) * 0.5, fill)


def largest(x):
    return x.amax(-1, keepdim=True)


def after(x, v, shift=largest):
    p = torch.exp(x - shift(x))
    return (p @ v) / p.sum(-1, keepdim=True)


def before(x, v):
    p = torch.exp(x - largest(x))
    return (p / p.sum(-1, keepdim=True)) @ v


def unshifted(x, v):
    p = x.exp()
    return p @ v / p.sum(-1)[..., None]


def sunk(x, v, other=None, sink=SINK):
    shift = torch.maximum(x.amax(-1), sink.view(1, -1, 1))
    p = torch.exp(x - shift.unsqueeze(-1))
    more = torch.exp(sink.view(1, -1, 1) - (shift if other is None else other(shift)))
    return torch.einsum("bhst,bhtd->bhsd", p, v) / (p.sum(-1) + more).unsqueeze(-1)


def sunk_before(x, v):
    shift = torch.maximum(largest(x), SINK.view(1, -1, 1, 1))
    p = torch.exp(x - shift)
    return (p / (torch.exp(SINK.view(1, -1, 1, 1) - shift) + p.sum(-1, keepdim=True))) @ v


def site(how, fill=INF):
    return lambda iq, ik, w, q, k, v: how(logits(iq, ik, w, q, k, fill), v)


@pytest.mark.parametrize("how", [after, before, unshifted, sunk, sunk_before], ids=lambda f: f.__name__)
def test_written_out_softmax_is_attention(how):
    found = outcome(site(how), *inputs())
    assert found["indexer"].fused and found["attention"].fused, found["text"]
    assert ("sinks" in found["attention"].became) == how.__name__.startswith("sunk")


def test_a_finite_fill_with_a_sink():
    assert outcome(site(sunk, MIN), *inputs())["attention"].fused


def sink_of_each_row(x, v, shift):
    p = torch.exp(x - shift)
    return (p @ v) / (p.sum(-1, keepdim=True) + torch.exp(v[..., :5, :1] - shift))


REFUSED = {
    "a finite fill": (site(after, MIN), "fill with a finite minimum"),
    "more in the denominator": (site(lambda x, v: (lambda p: (p @ v) / (p.sum(-1, keepdim=True) + 1e-6))(
        torch.exp(x - largest(x)))), "is not the sum of its exponentials"),
    "half the denominator": (site(lambda x, v: (lambda p: (p @ v) / p[..., :T // 2].sum(-1, keepdim=True))(
        torch.exp(x - largest(x)))), "is not the sum of its exponentials"),
    "another function's sum": (site(lambda x, v: (lambda p: (p @ v) / (p * p).sum(-1, keepdim=True))(
        torch.exp(x - largest(x)))), "is not the sum of its exponentials"),
    "a sink shifted by another number": (site(lambda x, v: sunk(x, v, other=lambda m: m + 1)), "shifted by another"),
    "a sink of each row": (site(lambda x, v: sink_of_each_row(x, v, largest(x))), "no sink with one logit a head"),
    "a sink that is no exponential": (site(lambda x, v: (lambda p: (p @ v) / (p.sum(-1, keepdim=True)
        + SINK.abs().view(1, -1, 1, 1)))(torch.exp(x - largest(x)))), "no exponential of a sink"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_another_quotient_stays_with_its_reason(name):
    function, reason = REFUSED[name]
    found = outcome(function, *inputs())
    assert "attention" in found and reason in found["text"], found["text"]
    assert found["attention"] == [] or not found["attention"].fused


def test_exponentials_of_no_logits_are_no_candidate():
    found = outcome(lambda iq, ik, w: scores(iq, ik, w).topk(3, -1).values.exp() @ ik[:, :3], *inputs()[:3])
    assert found["attention"] == []
