"""Layouts: ranks, named sizes, broadcasting."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect.tensors import (
    TensorInfo,
    bind,
    broadcasts,
    ceil_div,
    layout_shape,
    rank_problem,
    show,
    smaller,
)

TYPES = ["tensor<2x?x8xbf16>", "tensor<f32>", "tensor<0xi1>"]


@pytest.mark.parametrize("text", TYPES)
def test_a_type_and_its_description_are_one(text):
    with ir.Context() as context:
        info = TensorInfo.of(ir.Type.parse(text))
        assert info is not None and f"tensor<{info}>" == text
        assert info.mlir_type(context) == ir.Type.parse(text)
        assert info.rank == len(info.shape)


def test_only_ranked_tensors_have_a_description():
    with ir.Context():
        for text in ("tensor<*xf32>", "i32", "memref<2xf32>", "vector<2xf32>"):
            assert TensorInfo.of(ir.Type.parse(text)) is None


def test_rank():
    assert rank_problem("B S", (2, 3)) is None
    assert rank_problem("B S", (2,)) == "must have rank 2 ([B, S]), has rank 1"
    assert rank_problem("B rest...", (2,)) is None
    assert rank_problem("B S rest...", (2,)) == "must have rank 2 or more ([B, S, rest...]), has rank 1"
    assert rank_problem("...", ()) is None


def test_a_name_is_one_size():
    dims = {}
    assert bind("B S", (2, 3), dims) is None
    assert bind("S d", (3, 8), dims) is None
    assert dims == {"B": 2, "S": 3, "d": 8}
    assert bind("S B", (3, 4), dims) == "dimension B is 4, expected 2"


def test_a_dynamic_size_agrees_and_is_learnt_later():
    dims = {}
    assert bind("B", (None,), dims) is None and dims == {"B": None}
    assert bind("B", (5,), dims) is None and dims == {"B": 5}
    assert bind("B", (None,), dims) is None and dims == {"B": 5}


def test_one_or_the_size():
    dims = {}
    assert bind("B|1", (1,), dims) is None and dims == {"B": None}
    assert bind("B|1", (3,), dims) is None and dims == {"B": 3}
    assert bind("B|1", (2,), dims) == "dimension B is 2, expected 3 or 1"


def test_a_number_is_itself():
    assert bind("4", (4,), {}) is None
    assert bind("4", (5,), {}) == "dimension 4 is 5, expected 4"


def test_further_dimensions():
    dims = {}
    assert bind("n rest...", (2, 3, None), dims) is None
    assert bind("m rest...", (9, None, 4), dims) is None
    assert dims["rest..."] == (3, 4)
    assert bind("m rest...", (9, 3), dims) == "dimensions rest... are [3], expected [3, 4]"
    assert bind("m rest...", (9, 1, 4), dims) == "dimensions rest... are [1, 4], expected [3, 4]"
    assert layout_shape("m 7 x rest...", dims) == (9, 7, None, 3, 4)


@pytest.mark.parametrize("shape", [(), (1,), (4,), (3, 1), (2, 3, 4), (None, 4), (1, 1, 1)])
def test_broadcasts(shape):
    assert broadcasts(shape, (2, 3, 4))


@pytest.mark.parametrize("shape", [(3,), (2, 4), (1, 2, 3, 4), (0,)])
def test_does_not_broadcast(shape):
    assert not broadcasts(shape, (2, 3, 4))


def test_exact_shapes_do_not_broadcast():
    assert broadcasts((2, None), (2, 3), exactly=True)
    assert not broadcasts((2, 1), (2, 3), exactly=True)
    assert not broadcasts((3,), (2, 3), exactly=True)


def test_sizes():
    assert (ceil_div(9, 4), ceil_div(8, 4), ceil_div(0, 4), ceil_div(None, 4)) == (3, 2, 0, None)
    assert (smaller(4, 9), smaller(4, 3), smaller(4, None)) == (4, 3, None)
    assert show((2, None)) == "[2, ?]"
