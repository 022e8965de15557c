"""Positions that a ranking gives: what they lie between, and that none comes twice."""

import pytest
import torch
from terms import Captured

from sparse_attn.lowering.normalize.bounds import BOUNDS, CHOICES, MOVES, RANKED, is_distinct
from sparse_attn.lowering.normalize.term import RULES, whole

SCORES = torch.randn(2, 3, 7)

BOUNDED = {
    "top-k": lambda x: x.topk(4, -1).indices,
    "top-k of rows": lambda x: x.transpose(1, 2).topk(4, 1).indices,
    "sorted": lambda x: x.sort(-1, descending=True).indices,
    "sorted stably": lambda x: x.sort(dim=-1, descending=True, stable=True).indices[..., :2],
    "in 32 bits and back": lambda x: x.topk(4, -1).indices.int().long(),
    "moved": lambda x: x.topk(4, -1).indices.unsqueeze(1)[:, 0].permute(1, 0, 2)[..., 1:].contiguous(),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_positions_lie_among_the_keys(name):
    elem = whole(Captured(BOUNDED[name], SCORES).graph.results[0], "bsk")
    assert tuple(map(str, elem.bounds)) == ("0", "6")
    assert is_distinct(elem)


UNBOUNDED = {
    "an input": lambda x, at: at + 0,
    "in eight bits": lambda x, at: x.topk(4, -1).indices.to(torch.int8),
    "as a float": lambda x, at: x.topk(4, -1).indices.float(),
    "moved by one": lambda x, at: x.topk(4, -1).indices + 1,
    "halved": lambda x, at: x.topk(4, -1).indices // 2,
    "chosen below zero": lambda x, at: torch.where(at > 0, x.topk(4, -1).indices, -1),
    "the values": lambda x, at: x.topk(4, -1).values,
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_other_tensors_are_not_bounded_nor_distinct(name):
    elem = whole(Captured(UNBOUNDED[name], SCORES, torch.zeros(2, 3, 4, dtype=torch.int64)).graph.results[0], "bsk")
    assert elem.bounds is None
    assert not is_distinct(elem)


def test_every_bounded_op_either_ranks_or_has_a_rule():
    assert set(BOUNDS) == set(MOVES) | set(RANKED) | set(CHOICES)
    assert all(op in RULES for op in (*MOVES, *CHOICES))


CHOSEN = {
    "picks or zero": lambda x, at: torch.where(at > 0, x.topk(4, -1).indices, 0),
    "picks or nothing, clamped": lambda x, at: torch.where(at > 0, x.topk(4, -1).indices, -1).clamp(min=0),
    "at least some pick": lambda x, at: torch.maximum(x.topk(4, -1).indices, torch.arange(4)),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_choices_lie_where_all_they_choose_from_lies(name):
    elem = whole(Captured(CHOSEN[name], SCORES, torch.ones(2, 3, 4, dtype=torch.int64)).graph.results[0], "bsk")
    if name != "at least some pick":
        assert tuple(map(str, elem.bounds)) == ("0", "6")
    assert not is_distinct(elem)
