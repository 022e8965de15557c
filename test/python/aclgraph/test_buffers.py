"""The inputs of a graph."""

import pytest
import torch

from sparse_attn.aclgraph.buffers import Buffers


def test_what_stays_is_used_and_the_rest_is_copied():
    cache, x = torch.zeros(4), torch.arange(3.0)
    buffers = Buffers([cache, x, 7], stays=[0])
    assert buffers.values[0] is cache and buffers.values[2] == 7
    assert buffers.values[1] is not x and torch.equal(buffers.values[1], x)
    buffers.load([cache, x + 5, 7])
    assert buffers.values[1].tolist() == [5.0, 6.0, 7.0]


def test_strides_are_kept():
    x = torch.randn(3, 4).t()
    (mine,) = Buffers([x], stays=[]).values
    assert mine.stride() == x.stride() and torch.equal(mine, x)


def test_moved_names_the_first_input_elsewhere():
    a, b = torch.zeros(4), torch.zeros(4)
    buffers = Buffers([a, 1, b], stays=[0, 2])
    assert buffers.moved([a, 1, b]) is None
    assert buffers.moved([a, 1, b.clone()]) == 2 and buffers.moved([b, 1, a]) == 0
    assert buffers.moved([a.view(2, 2), 1, b]) is None, "the same memory under another tensor is no move"
    assert buffers.moved([a, 1, b[1:]]) == 2, "another place in the same storage is one"


@pytest.mark.parametrize("other", [torch.zeros(4), torch.zeros(3, dtype=torch.int64)])
def test_another_shape_or_type_is_refused_before_any_copy(other):
    first = torch.ones(2)
    buffers = Buffers([first, torch.zeros(3)], stays=[])
    with pytest.raises(ValueError, match="input 1 is .* compile the function for this size"):  # noqa: RUF043
        buffers.load([torch.zeros(2), other])
    assert torch.equal(buffers.values[0], first)
