"""Keys that a token sees, by position alone."""

import torch

from sparse_attn.cache import masks
from sparse_attn.cache.requests import Requests


def step(tokens, *lengths):
    requests = Requests(len(lengths), 32, torch.device("cpu"))
    requests.lengths.copy_(torch.tensor(lengths))
    return requests.begin(tokens, None)


def test_tokens_see_up_to_their_own_position():
    assert masks.of_tokens(step(2, 0, 2), 5).int().tolist() == [
        [[[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]],
        [[[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]]],
    ]


def test_a_single_token_sees_what_of_the_ring_is_filled():
    assert masks.of_window(step(1, 0, 2, 9), 3).int().tolist() == [[[[1, 0, 0]]], [[[1, 1, 1]]], [[[1, 1, 1]]]]


def test_several_tokens_see_a_band():
    assert masks.of_window(step(2, 1, 9), 3).int().tolist() == [
        [[[1, 1, 0, 0], [1, 1, 1, 0]]],
        [[[1, 1, 1, 0], [0, 1, 1, 1]]],
    ]


def test_entries_are_seen_from_the_last_token_of_their_window():
    entries = torch.zeros(1, 3, 2, dtype=torch.bfloat16)
    bias = masks.of_entries(torch.tensor([[2, 3, 7]]), 4, entries)
    assert bias.dtype == entries.dtype
    assert bias.isinf().int().tolist() == [[[[1, 1, 1], [0, 1, 1], [0, 0, 1]]]]


def test_an_additive_mask_is_finite():
    made = masks.additive(torch.tensor([True, False]), torch.float16)
    assert made.dtype == torch.float16 and made.tolist() == [0, torch.finfo(torch.float16).min]
