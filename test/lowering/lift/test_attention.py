"""Attention in any spelling becomes one operator; what the operator would not compute stays torch's."""

import pytest
import torch
from sites import INF, B, K, N, S, T, attend, causal, inputs, listed, outcome, scores


def over_list(body):
    """An attention under a selected list, so that what is lifted stays lifted."""
    return lambda iq, ik, w, q, k, v: body(q, k, v, listed(scores(iq, ik, w).topk(K, -1)[1]))


def matmuls(q, k, v, m):
    return torch.softmax(torch.matmul(q, k.transpose(2, 3)) / 2.0 + m, -1) @ v


def einsums(q, k, v, m):
    return torch.einsum("bhst,bhte->bhse", (torch.einsum("bhsd,bhtd->bhst", q, k) * 0.5 + m).softmax(-1), v)


def scaled_query(q, k, v, m):
    return torch.softmax((q * 0.25) @ k.transpose(-1, -2) * 2 + m, -1) @ v


def maximum_taken_off(q, k, v, m):
    logits = q @ k.transpose(-1, -2) + m
    return torch.softmax(logits - logits.amax(-1, keepdim=True), -1) @ v


def shared_keys(q, k, v, m):
    return attend(q, k[:, :1].expand_as(k), v[:, :1].expand(B, N, T, 6), m)


def grouped(q, k, v, m):
    return attend(q, k[:, :2].repeat_interleave(2, 1), v[:, :2].repeat_interleave(2, 1), m)


def grouped_by_expand(q, k, v, m):
    def repeat(x):
        return x[:, :2, None].expand(B, 2, 2, T, x.shape[-1]).reshape(B, N, T, x.shape[-1])

    return attend(q, repeat(k), repeat(v), m)


def narrow_value(q, k, v, m):
    return attend(q, k, k[..., :5], m)


def scaled_value(q, k, v, m):
    return attend(q, k, v * 2.0, m)


def negated_value(q, k, v, m):
    return attend(q, k, -v, m)


def composite(q, k, v, m):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=m, scale=0.3)


def composite_grouped(q, k, v, m):
    return torch.nn.functional.scaled_dot_product_attention(q, k[:, :2], v[:, :2], attn_mask=m, enable_gqa=True)


def negative_scale(q, k, v, m):
    return attend(q, k, v, m, -0.5)


FIRES = [matmuls, einsums, scaled_query, maximum_taken_off, shared_keys, grouped, grouped_by_expand, narrow_value,
         scaled_value, negated_value, composite, composite_grouped, negative_scale]  # fmt: skip


@pytest.mark.parametrize("body", FIRES, ids=lambda f: f.__name__)
def test_spellings_become_the_operator(body):
    found = outcome(over_list(body), *inputs())["attention"]
    assert found.fused and "sparse_attn.attention (ori_indices" in found.became, str(found)


def probabilities_multiplied(q, k, v, m):
    return (torch.softmax(q @ k.transpose(-1, -2) + m, -1) * k[:, :, None, :, 0]) @ v


def softcapped(q, k, v, m):
    return torch.softmax(torch.tanh(q @ k.transpose(-1, -2)) + m, -1) @ v


def truncated(q, k, v, m):
    return torch.softmax((q @ k.transpose(-1, -2) * 2).long().float() + m, -1) @ v


def value_heads_apart(q, k, v, m):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v[:, :1], attn_mask=m)


def factor_after_the_softmax(q, k, v, m):
    probabilities = torch.softmax(q @ k.transpose(-1, -2) + m, -1)
    return (probabilities.unsqueeze(-1) * v.unsqueeze(2) * 3.0).sum(-2)


def softmax_over_rows(q, k, v, m):
    return torch.softmax(q @ k.transpose(-1, -2), -2) @ v


def mask_inside_the_scale(q, k, v, m):
    return torch.softmax((q @ k.transpose(-1, -2) + m * 0.5) * 0.5, -1) @ v


STAYS = [probabilities_multiplied, softcapped, truncated, value_heads_apart, factor_after_the_softmax,
         softmax_over_rows, mask_inside_the_scale]  # fmt: skip


@pytest.mark.parametrize("body", STAYS, ids=lambda f: f.__name__)
def test_what_is_another_computation_stays(body):
    found = outcome(over_list(body), *inputs())["attention"]
    assert found == [] or not found.fused, str(found)


def test_heads_that_do_not_match_say_so():
    found = outcome(over_list(value_heads_apart), *inputs())["attention"]
    assert "4 key heads meet 1 value heads" in found.reason


def test_dense_attention_is_given_back_with_its_reason():
    found = outcome(lambda q, k, v: attend(q, k, v, causal()), *inputs()[3:])["attention"]
    assert not found.fused and "dense attention: its mask selects no keys" in found.reason


@pytest.mark.parametrize("first", [False, True], ids=["sink last", "sink first"])
def test_a_sink_column(first):
    def function(q, k, v, sinks):
        logits = q @ k.transpose(-1, -2) + causal()
        column = sinks.view(1, N, 1, 1).expand(B, N, S, 1)
        joined = torch.cat([column, logits] if first else [logits, column], -1).softmax(-1)
        return (joined[..., 1:] if first else joined[..., :-1]) @ v

    found = outcome(function, *inputs()[3:], torch.randn(N))["attention"]
    assert first or (found.fused and "sinks" in found.became)


def test_a_sink_of_each_row_is_no_sink_of_a_head():
    def function(q, k, v, sinks):
        logits = q @ k.transpose(-1, -2) + causal()
        return torch.cat([logits, sinks.view(1, 1, S, 1).expand(B, N, S, 1)], -1).softmax(-1)[..., :-1] @ v

    outcome(function, *inputs()[3:], torch.randn(S))


def test_fully_masked_rows_of_an_infinite_fill():
    outcome(lambda q, k, v: attend(q, k, v, torch.full((S, T), INF)), *inputs()[3:])


def test_the_start_of_a_longer_tensor_is_not_the_tensor():
    def function(iq, ik, w, q, k, v):
        shown = listed(scores(iq, ik[:, :7], w).topk(K, -1)[1], 7)
        return attend(q[:, :1], k[:, :1, :7], v[:, :1, :7], shown)

    assert outcome(function, *inputs())["attention"].fused
