"""A mask moves into the indexer only when every consumer hides again what it hides."""

import pytest
import torch
from sites import INF, MIN, K, S, T, attend, causal, inputs, listed, outcome, positions, scores


def selected(mask, after, shown=attend):
    """Scores under `mask`, top-k, attention under the list and `after`."""

    def function(iq, ik, w, q, k, v):
        indices = mask(scores(iq, ik, w)).topk(K, -1)[1]
        return shown(q, k, v, listed(indices) + after())

    return function


def window(width, shift=0):
    return torch.where(torch.arange(T) > positions() + shift - width, 0.0, INF)


def blocks(shift=0):
    """Whole blocks of four keys."""
    return torch.where(torch.arange(T) < (positions() + 1 + shift) // 4 * 4, 0.0, INF)


def add(mask):
    return lambda x: x + mask()


FIRES = {
    "causal": (add(causal), causal),
    "causal filled": (lambda x: x.masked_fill(torch.arange(T) > positions(), INF), causal),
    "causal filled with the minimum": (lambda x: x.masked_fill(torch.arange(T) > positions(), MIN), causal),
    "causal by where": (lambda x: torch.where(torch.arange(T) <= positions(), x, INF), causal),
    "causal by triu": (lambda x: x + torch.full((S, T), INF).triu(T - S + 1), causal),
    "strictly causal consumer": (add(causal), lambda: causal(-1)),
    "window": (add(lambda: causal() + window(4)), lambda: causal() + window(4)),
    "narrower window consumer": (add(lambda: causal() + window(4)), lambda: causal() + window(3)),
    "blocks": (add(blocks), blocks),
    "no mask": (lambda x: x, lambda: torch.zeros(S, T)),
    "no mask, causal consumer": (lambda x: x, causal),
}


@pytest.mark.parametrize("name", FIRES)
def test_a_mask_that_is_applied_again_moves_in(name):
    found = outcome(selected(*FIRES[name]), *inputs())
    assert found["indexer"].fused and found["indexer"].became == "sparse_attn.lightning_indexer", found["text"]


REFUSED = {
    "no mask after": (add(causal), lambda: torch.zeros(S, T)),
    "off by one": (add(lambda: causal(-1)), causal),
    "off by one the other way": (add(causal), lambda: causal(1)),
    "window off by one": (add(lambda: causal() + window(4)), lambda: causal() + window(5)),
    "window only before": (add(lambda: causal() + window(4)), causal),
    "threshold off by one": (add(lambda: blocks(-1)), blocks),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_mask_that_is_not_applied_again_stays_outside(name):
    found = outcome(selected(*REFUSED[name]), *inputs())
    assert not found["indexer"].fused
    assert "does not hide again what the selection's mask hides" in found["indexer"].reason, found["text"]


def test_indices_returned_under_a_mask_stay_as_torch_picks_them():
    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal()).topk(K, -1)[1]
        return indices, attend(q, k, v, listed(indices) + causal())

    found = outcome(function, *inputs())["indexer"]
    assert not found.fused and "its indices are returned" in found.reason and "arbitrary hidden keys" in found.reason


def test_indices_returned_without_a_mask_are_the_operators():
    found = outcome(lambda iq, ik, w: scores(iq, ik, w).topk(K, -1)[1], *inputs()[:3])["indexer"]
    assert found.fused


def test_indices_used_elsewhere_under_a_mask_stay():
    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal()).topk(K, -1)[1]
        return attend(q, k, v, listed(indices) + causal()), indices.sum()

    found = outcome(function, *inputs())["indexer"]
    assert not found.fused and "its indices are used by torch.aten.sum" in found.reason


def test_two_attentions_share_one_list():
    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal()).topk(K, -1)[1]
        mask = listed(indices) + causal()
        return attend(q, k, v, mask), attend(q * 2, k, v, mask)

    found = outcome(function, *inputs())
    assert found["indexer"].fused and [f.fused for f in found["attention"]] == [True, True]


def test_one_of_two_attentions_does_not_hide_again():
    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal()).topk(K, -1)[1]
        return attend(q, k, v, listed(indices) + causal()), attend(q * 2, k, v, listed(indices))

    found = outcome(function, *inputs())
    assert not found["indexer"].fused and "it lets through `true`" in found["indexer"].reason


def values_of(mask, factor=1.0):
    def function(iq, ik, w, q, k, v):
        values, indices = (mask(scores(iq, ik, w)) * factor).topk(K, -1)
        return values, attend(q, k, v, listed(indices) + causal())

    return function


@pytest.mark.parametrize("factor", [1.0, 0.5, 4.0])
@pytest.mark.parametrize("fill", [INF, MIN], ids=["infinite", "finite"])
def test_values_used_are_eagers(factor, fill):
    found = outcome(values_of(lambda x: x.masked_fill(torch.arange(T) > positions(), fill), factor), *inputs())
    if fill == MIN:
        reason = "a finite fill gives hidden keys a value" if factor == 1.0 else f"are {factor:g} times the scores"
        assert not found["indexer"].fused and reason in found["indexer"].reason


@pytest.mark.parametrize("factor", [1.0, 0.5])
def test_values_without_a_mask_are_eagers(factor):
    found = outcome(values_of(lambda x: x, factor), *inputs())["indexer"]
    assert found.fused == (factor == 1.0) and (found.fused or "are 0.5 times the scores" in found.reason)


def test_a_factor_on_the_scores_leaves_the_order():
    assert outcome(selected(lambda x: x * 0.5 + causal(), causal), *inputs())["indexer"].fused
    assert outcome(selected(lambda x: (x + causal()) * 3, causal), *inputs())["indexer"].fused


@pytest.mark.parametrize("order", [lambda x, bias: x * 0.1 + bias, lambda x, bias: (x + causal()) * 3 + bias])
def test_a_number_added_to_multiplied_scores_is_another_order(order):
    def function(iq, ik, w, q, k, v, bias):
        return attend(q, k, v, listed(order(scores(iq, ik, w), bias).topk(K, -1)[1]) + causal())

    found = outcome(function, *inputs(), torch.randn(S, T))["indexer"]
    assert not found.fused and "a number is added to scores that are multiplied by" in found.reason


def test_scores_returned_are_computed_once():
    def function(iq, ik, w, q, k, v):
        made = scores(iq, ik, w)
        indices = (made + causal()).topk(K, -1)[1]
        return made, attend(q, k, v, listed(indices) + causal())

    assert outcome(function, *inputs())["indexer"].became == "sparse_attn.topk"


def test_everything_hidden_is_no_selection():
    found = outcome(selected(lambda x: x + torch.full((S, T), INF), causal), *inputs())
    assert not found["indexer"].fused and "its mask hides every key" in found["indexer"].reason


def test_top_k_of_everything_and_more_keys_than_visible():
    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal(-3)).topk(min(T, 2048), -1)[1]
        return attend(q, k, v, listed(indices) + causal(-3))

    assert outcome(function, *inputs())["indexer"].fused


def padded_keys(extra, shown):
    """Indexer keys and attention keys of two caches: the attention holds `extra` more; `shown` is what it shows."""

    def function(iq, ik, w, q, k, v):
        indices = (scores(iq, ik, w) + causal()).topk(K, -1)[1]
        later = torch.where(torch.arange(T + extra) <= positions() + shown, 0.0, INF)
        return attend(q, k, v, listed(indices, T + extra) + later)

    iq, ik, w, q, k, v = inputs()
    k, v = (torch.nn.functional.pad(x, (0, 0, 0, extra), value=0.5) for x in (k, v))
    return outcome(function, iq, ik, w, q, k, v)


def test_an_attention_over_more_keys_than_the_scores_takes_the_list():
    found = padded_keys(3, shown=0)
    assert found["indexer"].fused and found["attention"].fused, found["text"]


def test_an_attention_over_more_keys_must_hide_them_all_the_same():
    found = padded_keys(3, shown=1)
    assert not found["indexer"].fused
    assert "does not hide again what the selection's mask hides" in found["indexer"].reason, found["text"]
