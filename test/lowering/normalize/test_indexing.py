"""Masks and index tensors: each rule against torch, element by element."""

import pytest
import torch
from terms import Captured, check

from sparse_attn.lowering.analysis.ints import of
from sparse_attn.lowering.analysis.predicate import TRUE
from sparse_attn.lowering.normalize.masks import Reader
from sparse_attn.lowering.normalize.term import Elem, step, whole

X = torch.arange(100, 115).reshape(3, 5)
KEEP = torch.tensor([[1, 0, 1, 1, 0], [0, 0, 1, 0, 1], [1, 1, 1, 0, 0]]).bool()
LIST = torch.tensor([[4, 0], [1, 1], [2, 3]])

MADE = {
    "arange": lambda x: torch.arange(5) + x,
    "arange from": lambda x: torch.arange(2, 7) + x,
    "arange stepped": lambda x: torch.arange(9, -1, -2) + x,
    "full": lambda x: torch.full((3, 5), 7) + x,
    "full_like": lambda x: torch.full_like(x, -2),
    "new_full": lambda x: x.new_full((2, 2), 3) + x[:2, :2],
    "zeros and ones": lambda x: torch.zeros_like(x) + torch.ones(3, 5, dtype=torch.int64) - x,
    "new_zeros": lambda x: x.new_zeros(3, 5) + x.new_ones(3, 5),
    "fill": lambda x: torch.fill(x, 4),
    "scalar tensor": lambda x: torch.scalar_tensor(5, dtype=torch.int64) + x,
    "full truth": lambda x: torch.full((3, 5), True) & (x > 105),
    "full of a number as truth": lambda x: torch.full((3, 5), 2, dtype=torch.bool) == (x > 105),
    "tril": lambda x: x.tril(),
    "tril shifted": lambda x: x.tril(1),
    "triu": lambda x: x.triu(1),
    "triu shifted": lambda x: x.triu(-2),
    "triu batched": lambda x: x.expand(2, 3, 5).triu(2),
    "triu of truth": lambda x: torch.ones(4, 4, dtype=torch.bool).triu(1),
    "index rows": lambda x: x[torch.arange(2)],
    "index pairs": lambda x: x[torch.arange(3)[:, None], torch.arange(1, 4)],
    "index of a table": lambda x: (torch.arange(20) * 3)[torch.arange(5) + 2],
    "index second": lambda x: x[:, torch.arange(4, -1, -1)],
}


@pytest.mark.parametrize("name", MADE)
def test_made_from_positions(name):
    check(MADE[name], X)


MASKED = {
    "where": lambda x, keep: torch.where(keep, x, -x),
    "where number": lambda x, keep: torch.where(keep, x, 0),
    "where number first": lambda x, keep: torch.where(keep, 0, x),
    "where broadcast": lambda x, keep: torch.where(keep[:, :1], x[0], -1),
    "masked_fill": lambda x, keep: x.masked_fill(keep, -9),
    "masked_fill broadcast": lambda x, keep: x.masked_fill(keep[0], -9),
    "masked_fill tensor": lambda x, keep: x.masked_fill(keep, torch.tensor(5)),
    "masked_fill of truth": lambda x, keep: keep.masked_fill(x > 107, True),
}


@pytest.mark.parametrize("name", MASKED)
def test_chosen_by_a_mask(name):
    check(MASKED[name], X, KEEP)


LISTED = {
    "scatter value": lambda x, at: x.scatter(1, at, -1),
    "scatter value negative dim": lambda x, at: torch.zeros_like(x).scatter(-1, at, 1),
    "scatter rows": lambda x, at: x[:, :2].scatter(0, at % 3, 8),
    "scatter truth": lambda x, at: torch.ones(3, 5, dtype=torch.bool).scatter(1, at, False),
    "scatter one": lambda x, at: x.scatter(1, at[:, :1], 3),
    "scatter source": lambda x, at: x.scatter(1, at, torch.zeros_like(at)),
    "scatter source of ones": lambda x, at: x.scatter(1, at, torch.full((3, 2), 6)),
    "gather": lambda x, at: x.gather(1, at),
    "gather rows": lambda x, at: x[:, :2].gather(0, at % 3),
    "index by a list": lambda x, at: x[:, at],
    "index by two lists": lambda x, at: x[at % 3, at],
}


@pytest.mark.parametrize("name", LISTED)
def test_by_a_list_of_indices(name):
    check(LISTED[name], X, LIST)


def test_an_index_that_counts_from_the_end_of_what_is_understood_has_no_term():
    shifted = Captured(lambda x: (torch.arange(5) + x[0] * 0)[torch.arange(5) - 1], X).graph.results[0]
    assert step(whole(shifted, "i")) is None
    assert step(Elem(shifted, (of(0),))) is None
    assert step(Elem(shifted, (of(1),))).idx == (of(0),)
    check(lambda x: torch.cat([x, x])[x[0] - 103], X, opaque=True)


def test_a_running_sum_is_zero_only_where_its_whole_row_is():
    reader = Reader()
    zero = Captured(lambda x: torch.zeros(3, 5, dtype=torch.int64).cumsum(1) + x, X).graph.results[0]
    assert reader.integer(step(whole(zero, "ij")).args[0]) == [(TRUE, of(0))]
    late = Captured(lambda x: torch.cat([x * 0 + 1, x - x], 1).cumsum(1)[:, 5:] + x, X).graph.results[0]
    assert reader.integer(step(whole(late, "ij")).args[0])[0][1] != of(0)


NO_TERM = {
    "scatter of fewer rows": lambda x, at: x.scatter(1, at[:2], -1),
    "scatter of a tensor": lambda x, at: x.scatter(1, at, at),
    "scatter that adds": lambda x, at: x.scatter_add(1, at, at),
    "scatter that reduces": lambda x, at: x.scatter_reduce(1, at, at, "amax"),
    "index apart": lambda x, at: x.view(3, 5, 1)[at % 3, :, at * 0],
    "sort": lambda x, at: x.sort(1).values,
    "running maximum": lambda x, at: x.cummax(1).values,
}


@pytest.mark.parametrize("name", NO_TERM)
def test_what_has_no_rule_stays_opaque(name):
    check(NO_TERM[name], X, LIST, opaque=True)


def test_float_ranges_have_no_term():
    check(lambda x: torch.arange(0.0, 1.0, 0.25) + x[0, :4], X, opaque=True)
