"""Reading operands, attributes and sizes of one use of an operation."""

import copy

import pytest

from sparse_attn.dialect.call import Call
from sparse_attn.dialect.tensors import TensorInfo


def test_names_reach_operands_and_attributes():
    query = TensorInfo((2, None), "f32")
    call = Call({"query": query, "mask": None}, {"scale": 0.5}, dims={"B": 2, "S": None, "row...": (3,)})
    assert call.query is query and call.mask is None and call.scale == 0.5
    assert (call.size("B"), call.size("S"), call.size("T"), call.size("row...")) == (2, None, None, None)


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match="no operand or attribute `key`"):
        _ = Call({}, {}).key


def test_it_can_be_copied():
    assert copy.copy(Call({}, {"k": 4})).k == 4
