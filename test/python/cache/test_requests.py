"""Where the tokens of a call go: lengths, positions, order; room for them, and no trace of a call that is refused."""

import pytest
import torch

from sparse_attn.cache.requests import Requests
from sparse_attn.errors import CacheRefused


def requests(*lengths, capacity=10):
    made = Requests(len(lengths), capacity, torch.device("cpu"))
    made.lengths.copy_(torch.tensor(lengths))
    return made


def test_all_columns_are_tokens():
    step = requests(0, 4).begin(3, None)
    assert step.positions.tolist() == [[0, 1, 2], [4, 5, 6]]
    assert step.order.tolist() == [[0, 1, 2], [0, 1, 2]] and step.added.tolist() == [3, 3]


@pytest.mark.parametrize(
    ("mask", "positions", "order"),
    [
        ([0, 0, 1, 1], [4, 4, 4, 5], [2, 3, 0, 1]),
        ([1, 1, 0, 0], [4, 5, 5, 5], [0, 1, 2, 3]),
        ([1, 0, 1, 0], [4, 4, 5, 5], [0, 2, 1, 3]),
        ([0, 0, 0, 0], [4, 4, 4, 4], [0, 1, 2, 3]),
    ],
    ids=["left", "right", "between", "idle"],
)
def test_padding_stands_after_the_tokens_and_is_not_counted(mask, positions, order):
    kept = requests(4)
    step = kept.begin(4, torch.tensor([mask]).bool())
    assert step.positions.tolist() == [positions] and step.order.tolist() == [order]
    kept.end()
    assert kept.lengths.tolist() == [4 + sum(mask)] and kept.columns.item() == 4


def test_one_token_or_none():
    kept = requests(3, 7)
    step = kept.begin(1, torch.tensor([[True], [False]]))
    assert step.positions.tolist() == [[3], [7]] and step.order.tolist() == [[0], [0]]
    kept.end()
    assert kept.lengths.tolist() == [4, 7]


def test_the_last_token_fits_and_one_more_is_refused():
    kept = requests(7, 2)
    kept.begin(3, None)
    kept.end()
    assert kept.lengths.tolist() == [10, 5]
    with pytest.raises(CacheRefused, match=r"more than max_cache_len=10 tokens\. Nothing was stored"):
        kept.begin(1, None)
    assert kept.lengths.tolist() == [10, 5] and kept.step is None
    kept.begin(1, torch.tensor([[False], [True]]))  # padding of the full request needs no room


def test_room_is_checked_ahead():
    kept = requests(7, 2)
    kept.check_room(3)
    kept.check_room(torch.tensor([[0, 1, 1, 1], [1, 1, 1, 1]]))
    for tokens in (4, torch.ones(2, 4)):
        with pytest.raises(CacheRefused, match="outgrows"):
            kept.check_room(tokens)


def test_without_a_call_there_is_no_step():
    with pytest.raises(CacheRefused, match="a model it was not made for"):
        requests(0).current()


def test_requests_are_forgotten_one_by_one_or_all():
    kept = requests(5, 6)
    kept.begin(1, None)
    kept.end()
    kept.reset(torch.tensor([False, True]))
    assert kept.lengths.tolist() == [6, 0] and kept.columns.item() == 1
    kept.reset()
    assert kept.lengths.tolist() == [0, 0] and kept.columns.item() == 0
