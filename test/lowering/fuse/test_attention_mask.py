"""Which masks become part of the operator, and what is not proven stays a number, an operand, or unfused."""

import pytest
import torch
from sites import INF, MIN, B, K, N, S, T, attend, causal, inputs, listed, outcome, positions, scores

PAD = torch.rand(B, 1, 1, T, generator=torch.Generator().manual_seed(1)) > 0.3
BIAS = torch.randn(B, 1, S, T, generator=torch.Generator().manual_seed(2))


def keys():
    return torch.arange(T)  # made inside, so that it is no input


RANGE, MIXED = "is neither a range of keys nor an index list", "mixes finite and infinite fills"


def picks(iq, ik, w):
    return scores(iq, ik, w).topk(K, -1)[1]


def masked(make):
    """Attention under the list's mask and more."""
    return lambda iq, ik, w, q, k, v, *more: attend(q, k, v, make(listed(picks(iq, ik, w)), *more))


BECOMES = {
    "the list alone": (lambda m: m, (), "(ori_indices)"),
    "and causal": (lambda m: m + causal(), (), "(ori_indices, causal)"),
    "and a window": (lambda m: m + causal() + torch.where(positions() - 3 < keys(), 0.0, INF), (), "window 3"),
    "and padding": (lambda m, pad: m.masked_fill(~pad, INF), (PAD,), "(ori_indices, mask)"),
    "and padding told by integers": (
        lambda m, n: m.masked_fill(~n.bool(), INF), (PAD.long() * 3,), "(ori_indices, mask)"),
    "and a bias": (lambda m, bias: m + bias, (BIAS,), "(ori_indices, mask)"),
    "and truth as a number": (lambda m, pad: m + pad.float(), (PAD,), "(ori_indices, mask)"),
    "and integers as a number": (lambda m, n: m + n.float(), (PAD.long() * 3,), "(ori_indices, mask)"),
    "and another list": (lambda m: m + m.flip(1), (), "(ori_indices, mask)"),
    "and a slice before the start": (lambda m: m.masked_fill(keys()[-50:] > 4, INF), (), "(ori_indices, causal)"),
}  # fmt: skip


@pytest.mark.parametrize("name", BECOMES)
def test_a_proven_mask_moves_into_the_operator(name):
    make, more, became = BECOMES[name]
    found = outcome(masked(make), *inputs(), *more)["attention"]
    assert found.fused and became in found.became, str(found)


STAYS = {
    "a bias twice": (lambda m, bias: m + bias + bias, (BIAS,), "is not proven and stays an operand"),
    "a bias around the list twice": (lambda m, bias: (m + bias) + bias, (BIAS,), "is not proven and stays an operand"),
    "every second key": (lambda m: m.masked_fill(keys() * 2 > 9, INF), (), RANGE),
    "a padding's complement": (lambda m, pad: m.masked_fill(pad, INF), (PAD,), RANGE),
    "narrow integers": (lambda m: m.masked_fill(keys().to(torch.uint8) - 4 > 5, INF), (), RANGE),
    "an index from the end": (lambda m: m.masked_fill(keys()[keys() - 1] > 4, INF), (), RANGE),
    "a comparison with infinity": (lambda m: torch.zeros(B, 1, S, T).masked_fill(m == INF, INF), (), RANGE),
    "a sum of a row": (lambda m: m.masked_fill(
        (torch.cat([keys() * 0 + 1, keys() * 0]).cumsum(0)[T:] == 0), INF), (), RANGE),
    "rounded minima": (lambda m: torch.where(keys() < 1, m, MIN).bfloat16().float(), (), MIXED),
}  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_an_unproven_mask_leaves_the_attention_dense(name):
    make, more, reason = STAYS[name]
    found = outcome(masked(make), *inputs(), *more)["attention"]
    assert not found.fused and reason in str(found), str(found)


@pytest.mark.parametrize("fill", [INF, MIN], ids=["infinite", "finite"])
def test_rows_that_see_no_key_are_what_eager_makes_them(fill):
    def function(iq, ik, w, q, k, v):
        mask = torch.full((B, S, T), fill).scatter(-1, picks(iq, ik, w), 0.0).unsqueeze(1)
        return attend(q, k, v, mask.masked_fill(keys() > 1, fill))

    assert outcome(function, *inputs())["attention"].fused


def test_minimum_plus_minimum_is_minus_infinity():
    def function(iq, ik, w, q, k, v):
        mask = torch.full((B, S, T), MIN).scatter(-1, picks(iq, ik, w), 0.0).unsqueeze(1)
        return attend(q, k, v, mask + torch.where(keys() < 1, 0.0, MIN))

    found = outcome(function, *inputs())["attention"]
    assert not found.fused and MIXED in str(found)


@pytest.mark.parametrize("entries", [[0, 1, 1, 3], [8, 8, 8, 8]])
def test_a_list_that_repeats_a_key_counts_it_once(entries):
    def function(q, k, v, at):
        return attend(q, k, v, listed(at))

    outcome(function, *inputs()[3:], torch.tensor(entries).expand(B, S, 4).contiguous())


@pytest.mark.parametrize("mask", ["bool", "infinite"])
def test_scaled_dot_product_attention_with_empty_rows(mask):
    def function(iq, ik, w, q, k, v):
        shown = torch.zeros(B, S, T, dtype=torch.bool).scatter(-1, picks(iq, ik, w), True)[:, None] & (keys() < 1)
        given = shown if mask == "bool" else torch.where(shown, 0.0, INF)
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=given)

    assert outcome(function, *inputs())["attention"].fused


def test_compressed_keys_beside_a_window():
    def function(q, kv, ckv):
        rows, c = torch.arange(T)[:, None], torch.arange(3)
        near = (torch.arange(T) <= rows) & (torch.arange(T) > rows - 4)
        far = c < (rows + 1) // 3
        both = torch.cat([kv, ckv], 1)[:, None].expand(2, N, T + 3, 8)
        mask = torch.where(torch.cat([near, far], -1), 0.0, INF)
        return torch.softmax(q @ both.transpose(-1, -2) + mask, -1) @ both

    made = [torch.randn(2, N, T, 8), torch.randn(2, T, 8), torch.randn(2, 3, 8)]
    found = outcome(function, *made)["attention"]
    assert found.fused and "compressed keys, ratio 3" in found.became and "window 4" in found.became


@pytest.mark.parametrize("shift", [-1, 1])
def test_compressed_keys_off_by_one_are_still_right(shift):
    def function(q, kv, ckv):
        rows, c = torch.arange(T)[:, None], torch.arange(3)
        far = c < (rows + 1 + shift) // 3
        both = torch.cat([kv, ckv], 1)[:, None].expand(2, N, T + 3, 8)
        mask = torch.where(torch.cat([torch.arange(T) <= rows, far], -1), 0.0, INF)
        return torch.softmax(q @ both.transpose(-1, -2) + mask, -1) @ both

    outcome(function, torch.randn(2, N, T, 8), torch.randn(2, T, 8), torch.randn(2, 3, 8))


def by_threshold(iq, ik, w, q, k, v):
    ranked = scores(iq, ik, w)
    kept = ranked >= ranked.topk(K, -1).values[..., -1:]
    return attend(q, k, v, torch.where(kept, 0.0, INF).unsqueeze(1) + causal())


def test_a_threshold_is_no_list():
    found = outcome(by_threshold, *inputs())["attention"]
    assert not found.fused and "where scores tie that is more than k keys" in found.reason


def from_outside(at, q, k, v):
    return attend(q, k, v, listed(at) + causal())


AT = torch.tensor([0, 3, 2]).expand(B, S, 3).contiguous()


def test_a_list_from_outside_may_name_a_key_twice():
    found = outcome(from_outside, AT, *inputs()[3:])["attention"]
    assert not found.fused and "may name a key twice" in found.reason and '"distinct_indices"' in found.reason


def test_a_list_that_is_promised_to_be_distinct():
    found = outcome(from_outside, AT, *inputs()[3:], assume=("distinct_indices",))["attention"]
    assert found.fused and "ori_indices" in found.became


def test_a_single_entry_cannot_come_twice():
    assert outcome(from_outside, AT[..., :1], *inputs()[3:])["attention"].fused


def window_and_picks(iq, ik, w, q, k, v):
    """One list: a window's positions, then picks among compressed keys that follow the tokens."""
    rows = torch.arange(S)[:, None]
    ids = (rows - 3 + 1).clamp(0) + torch.arange(3)
    window = torch.where(ids > rows, -1, ids).expand(B, S, 3)
    compressed = ik.shape[1]
    hidden = torch.arange(compressed) >= (rows + 1) // 2
    at = scores(iq, ik, w).masked_fill(hidden, INF).topk(4, -1).indices
    at = torch.where(at >= (rows + 1) // 2, -1, at + S)
    at = torch.cat([window, at], -1)
    kv = torch.cat([k[:, 0, :S], v[:, 0, :, :1].expand(B, T, 8)], 1)
    keys = kv.gather(1, at.clamp(min=0).reshape(B, -1, 1).expand(-1, -1, 8)).view(B, S, 7, 8)
    logits = (q.transpose(1, 2) @ keys.transpose(-1, -2)).masked_fill((at < 0).unsqueeze(2), INF)
    return logits.softmax(-1) @ keys


def test_a_window_and_picks_in_one_list_are_two_segments():
    found = outcome(window_and_picks, *inputs())
    assert found["indexer"].fused and found["attention"].fused, found["text"]
    assert "cmp_indices" in found["attention"].became and "window 3" in found["attention"].became
