"""Attention over gathered keys is attention over all keys by a list; lists that say another thing stay, with why."""

import pytest
import torch
from sites import INF, MIN, D, K, N, S, T, causal, inputs, outcome, scores

B = 2
SINK = torch.randn(N, generator=torch.Generator().manual_seed(4))


def picked(iq, ik, w):
    """Top-k under the causal mask; rows with fewer than k visible keys pick hidden ones."""
    return (scores(iq, ik, w) + causal()).topk(K, -1).indices


def seen(at):
    return (causal() == 0).expand(B, S, T).gather(-1, at)


def rows(kv, at):
    return kv.gather(1, at.reshape(B, -1, 1).expand(-1, -1, D)).reshape(B, S, -1, D)


def advanced(kv, at):
    return kv[torch.arange(B)[:, None, None], at]


def selected(kv, at):
    flat = (at + torch.arange(B).view(B, 1, 1) * T).reshape(-1)
    return kv.reshape(B * T, D).index_select(0, flat).view(B, S, -1, D)


def expanded(kv, at):
    return kv.unsqueeze(1).expand(B, S, T, D).gather(2, at.unsqueeze(-1).expand(*at.shape, D))


def looked_up(kv, at):
    """A plain index into the flattened rows."""
    return kv.reshape(B * T, D)[at + torch.arange(B).view(B, 1, 1) * T]


def attend(q, keys, keep, scale=0.5, fill=INF):
    """q [B, S, N, D] over keys of its row [B, S, k, D]."""
    logits = torch.einsum("bshd,bskd->bshk", q, keys) * scale
    return torch.einsum("bshk,bskd->bshd", logits.masked_fill(~keep.unsqueeze(2), fill).softmax(-1), keys)


def batched(q, keys, keep):
    logits = (q @ keys.transpose(-1, -2)) * 0.5
    return torch.where(keep.unsqueeze(2), logits, INF).softmax(-1) @ keys


def composite(q, keys, keep):
    return torch.nn.functional.scaled_dot_product_attention(q, keys, keys, attn_mask=keep.unsqueeze(2))


def added(q, keys, keep):
    logits = q @ keys.transpose(-1, -2) + torch.where(keep, 0.0, INF).unsqueeze(2)
    return logits.softmax(-1) @ keys


def with_sink(q, keys, keep, fill=INF):
    logits = torch.where(keep.unsqueeze(2), q @ keys.transpose(-1, -2), fill)
    logits = torch.cat([logits, SINK.view(1, 1, -1, 1).expand(*logits.shape[:-1], 1)], -1)
    return logits.softmax(-1)[..., :-1] @ keys


def site(gather=advanced, how=attend, select=picked, keep=seen):
    def function(iq, ik, w, q, k, v):
        at = select(iq, ik, w)
        return how(q.transpose(1, 2), gather(k[:, 0], at), keep(at))

    return function


def fused(found):
    return found["indexer"].fused and found["attention"].fused


GATHERS = [rows, advanced, selected, expanded, looked_up]
MANNERS = [attend, batched, composite, added, with_sink]


@pytest.mark.parametrize("how", MANNERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("gather", GATHERS, ids=lambda f: f.__name__)
def test_a_gather_is_a_list(gather, how):
    found = outcome(site(gather, how), *inputs())
    assert fused(found), found["text"]
    assert "ori_indices" in found["attention"].became and "causal" in found["attention"].became
    assert ("sinks" in found["attention"].became) == (how is with_sink)


def marked(iq, ik, w):
    at = picked(iq, ik, w)
    return torch.where(seen(at), at, -1)


@pytest.mark.parametrize("gather", GATHERS, ids=lambda f: f.__name__)
def test_missing_entries_marked_by_minus_one(gather):
    found = outcome(site(lambda kv, at: gather(kv, at.clamp(min=0)), select=marked, keep=lambda at: at >= 0), *inputs())
    assert fused(found), found["text"]


def test_values_of_their_own():
    def function(iq, ik, w, q, k, v):
        at = picked(iq, ik, w)
        keys, values = advanced(k[:, 0], at), advanced(v[:, 0], at)
        logits = torch.where(seen(at).unsqueeze(2), q.transpose(1, 2) @ keys.transpose(-1, -2), INF)
        return logits.softmax(-1) @ values

    assert fused(outcome(function, *inputs()))


def test_one_row_and_one_batch():
    iq, ik, w, q, k, v = inputs()
    one = iq[:1, -1:], ik[:1], w[:1, -1:], q[:1, :, -1:], k[:1], v[:1]

    def function(iq, ik, w, q, k, v):
        at = scores(iq, ik, w).topk(K, -1).indices
        return attend(q.transpose(1, 2), k[:, 0].gather(1, at.reshape(1, -1, 1).expand(-1, -1, D)).view(1, 1, K, D),
                      torch.ones(1, 1, K, dtype=torch.bool))  # fmt: skip

    found = outcome(function, *one)
    assert fused(found), found["text"]


def test_a_growing_number_of_keys():
    args = inputs()
    for tensor, dim in ((args[1], 1), (args[4], 2), (args[5], 2)):
        torch._dynamo.mark_dynamic(tensor, dim)

    def function(iq, ik, w, q, k, v):
        at = scores(iq, ik, w).topk(4, -1).indices
        keys = k[:, 0].gather(1, at.reshape(B, -1, 1).expand(-1, -1, D)).reshape(B, S, 4, D)
        return composite(q.transpose(1, 2), keys, at >= 0)

    found = outcome(function, *args)
    assert fused(found), found["text"]


def halves(iq, ik, w):
    return picked(iq, ik, w) // 2


def visible_or_first(iq, ik, w):
    at = picked(iq, ik, w)
    return torch.where(seen(at), at, 0)


def everything(at):
    return torch.ones_like(at, dtype=torch.bool)


REFUSED = {
    "entries that may come twice": (site(select=halves), "a key listed twice counts twice"),
    "hidden picks read as key 0": (site(select=visible_or_first, keep=everything), "a key listed twice counts twice"),
    "entries from the end": (
        site(lambda kv, at: (kv + 0)[torch.arange(B)[:, None, None], at - 1]), "counts from the end"),
    "a finite fill": (site(how=lambda *a: attend(*a, fill=MIN)), "which a row without keys averages"),
    "a mask for each head": (site(how=lambda q, k, m: attend(q, k, m) if m is None else torch.where(
        m.unsqueeze(2) & (torch.arange(N) > 0)[:, None], q @ k.transpose(-1, -2), INF).softmax(-1) @ k),
        "differs between heads"),
    "numbers added": (site(how=lambda q, k, m: (q @ k.transpose(-1, -2) + torch.where(m, k.sum(-1), INF).unsqueeze(2))
                           .softmax(-1) @ k), "a number is added"),
    "values of other rows": (site(how=lambda q, k, m: torch.where(m.unsqueeze(2), q @ k.transpose(-1, -2), INF)
                                  .softmax(-1) @ k.flip(2)), "its values are not"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_another_gather_stays_with_its_reason(name):
    function, reason = REFUSED[name]
    found = outcome(function, *inputs())
    assert not found["attention"].fused and reason in found["text"], found["text"]


def test_a_list_from_outside_may_name_a_key_twice():
    at = torch.tensor([[[0, 1, 1]] * S] * B)

    def function(at, q, k):
        return attend(q.transpose(1, 2), rows(k[:, 0], at), at >= 0)

    found = outcome(function, at, *inputs()[3:5])
    assert "a key listed twice counts twice" in found["text"]


def test_picks_that_are_not_hidden_again_keep_the_indexer_apart():
    """Rows with fewer than k visible keys attend to hidden ones in eager."""
    found = outcome(site(keep=everything), *inputs())
    assert not found["indexer"].fused and "does not hide again" in found["text"]


def test_a_sink_absorbs_a_finite_fill():
    assert fused(outcome(site(how=lambda *a: with_sink(*a, fill=MIN)), *inputs()))
