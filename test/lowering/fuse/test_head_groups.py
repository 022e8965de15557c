"""Lists of their own for every key head: the heads become batches where the mask is the same inside a group."""

import pytest
import torch
from models import decode, prefill
from sites import INF, outcome
from torch.nn.functional import scaled_dot_product_attention

from sparse_attn.tools.tiny_families import doge

B, S, T, N, G, D, K = 2, 5, 12, 6, 3, 8, 4
EACH = N // G


def inputs(batch=B, groups=G, seed=0):
    made = torch.Generator().manual_seed(seed)
    shapes = ((batch, N, S, D), (batch, groups, T, D), (batch, groups, T, D), (batch, groups, S, T))
    return [torch.randn(shape, generator=made) for shape in shapes]


def chosen(bias):
    """0 for the K best keys of every row of every group, -inf for the others."""
    return torch.full(bias.shape, INF).scatter(-1, bias.topk(K, -1)[1], 0.0)


def by_interleaving(x):
    return x.repeat_interleave(N // x.shape[1], 1)


def by_expanding(x):
    return x[:, :, None].expand(-1, -1, N // x.shape[1], -1, -1).reshape(x.shape[0], N, *x.shape[2:])


def attend(q, k, v, mask, spread=by_interleaving):
    return scaled_dot_product_attention(q, spread(k), spread(v), attn_mask=mask)


FIRES = {
    "interleaved": lambda q, k, v, bias: attend(q, k, v, by_interleaving(chosen(bias))),
    "expanded": lambda q, k, v, bias: attend(q, k, v, by_expanding(chosen(bias)), by_expanding),
    "with the numbers chosen by": lambda q, k, v, bias: attend(q, k, v, by_interleaving(bias + chosen(bias))),
    "marked with ones": lambda q, k, v, bias: attend(q, k, v, by_interleaving(bias.masked_fill(
        torch.zeros_like(bias).scatter(-1, bias.topk(K, -1)[1], 1.0) == 0, INF))),
    "softmax and matmul": lambda q, k, v, bias: torch.softmax(
        q @ by_interleaving(k).mT + by_interleaving(chosen(bias)), -1) @ by_interleaving(v),
    "and causal": lambda q, k, v, bias: attend(q, k, v, by_interleaving(
        chosen(bias.masked_fill(torch.arange(T) > torch.arange(T - S, T)[:, None], INF))
        + torch.full((S, T), INF).triu(T - S + 1))),
}  # fmt: skip


@pytest.mark.parametrize("batch", [1, B])
@pytest.mark.parametrize("name", FIRES)
def test_lists_of_key_heads_are_attended(name, batch):
    found = outcome(FIRES[name], *inputs(batch))["attention"]
    assert found.fused and "ori_indices" in found.became, str(found)


def test_a_list_for_each_of_as_many_key_heads_as_query_heads():
    def function(q, k, v, bias):
        return scaled_dot_product_attention(q, k, v, attn_mask=chosen(bias))

    assert outcome(function, *inputs(groups=N))["attention"].fused


def test_queries_of_their_own_lists_within_a_group_stay():
    def function(q, k, v, bias, other):
        each = torch.stack([chosen(bias), chosen(other)], 2).reshape(bias.shape[0], N, S, T)
        return attend(q, k, v, each)

    given = inputs()
    found = outcome(function, *given, inputs(seed=1)[3])["attention"]
    assert not found.fused and f"the same for the {EACH} query heads of a key head" in str(found), str(found)


def test_lists_shifted_by_a_head_stay():
    def function(q, k, v, bias):
        return attend(q, k, v, by_interleaving(chosen(bias)).roll(1, 1))

    assert not outcome(function, *inputs())["attention"].fused


def test_one_key_head_has_no_groups():
    def function(q, k, v, bias):
        return attend(q, k[:, :1], v[:, :1], by_interleaving(chosen(bias)))

    found = outcome(function, *inputs())["attention"]
    assert not found.fused and f"{N} query heads read 1 key heads" in str(found), str(found)


def test_sinks_differ_between_the_heads_of_a_batch():
    def function(q, k, v, bias, sinks):
        logits = q @ by_interleaving(k).mT + by_interleaving(chosen(bias))
        column = sinks.view(1, N, 1, 1).expand(B, N, S, 1)
        return torch.softmax(torch.cat([logits, column], -1), -1)[..., :-1] @ by_interleaving(v)

    found = outcome(function, *inputs(), torch.randn(N))["attention"]
    assert "it differs between heads" in str(found) and "ori_indices" not in found.became


def test_a_mask_without_lists_is_dense_and_as_it_was():
    found = outcome(lambda q, k, v, bias: attend(q, k, v, by_interleaving(bias)), *inputs())["attention"]
    assert not found.fused


def test_a_chip_has_no_kernel_for_it_and_the_graph_is_torchs():
    given = [x.bfloat16() for x in inputs()]
    found = outcome(
        lambda q, k, v, bias: attend(q, k, v, by_interleaving(chosen(bias).bfloat16())), *given, target="a3"
    )
    assert not found["attention"].fused, found["text"]


def test_doge_decodes_with_a_list_for_each_key_head():
    decode(doge(num_hidden_layers=1), lambda: None, 40, 2).check(0, 3)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"batch": 2}, {"dynamic": True}])
def test_doge(options):
    prefill(doge(), **options).check(0, 2)


def test_blocks_of_keys_chosen_for_every_key_head_stay_a_mask_of_their_size():
    """A list of blocks is no list of keys yet: the mask is spread over the keys of its blocks."""

    def function(q, k, v, bias):
        blocks = bias.unflatten(-1, (T // 3, 3)).amax(-1)
        shown = torch.full(blocks.shape, INF).scatter(-1, blocks.topk(2, -1)[1], 0.0)
        return attend(q, k, v, by_interleaving(shown.repeat_interleave(3, -1)))

    found = outcome(function, *inputs())["attention"]
    assert "broadcast" not in str(found), str(found)
