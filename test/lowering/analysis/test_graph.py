"""A function as values: sizes from types and facts, integers as expressions, constants, uses."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import snapshot
from sparse_attn.lowering.analysis.ints import Sym, of
from sparse_attn.lowering.lift import functions

FACTS = """
module {
  func.func @f(%x: !torch.vtensor<[2,?,8],f32> {sparse_attn.dims = "2, s0, 8", sparse_attn.node = "x"},
               %n: !torch.int {sparse_attn.sym = "s1", sparse_attn.node = "n"}, %m: !torch.int)
      -> !torch.vtensor<[2,?,8],f32> attributes {sparse_attn.symbols = ["s0>=2", "s1"]} {
    %one = torch.constant.int 1
    %minus = torch.constant.int -1
    %none = torch.constant.none
    %yes = torch.constant.bool true
    %half = torch.constant.float 5.000000e-01
    %size = torch.aten.size.int %x, %one : !torch.vtensor<[2,?,8],f32>, !torch.int -> !torch.int
    %more = torch.aten.add.int %size, %n : !torch.int, !torch.int -> !torch.int
    %half_of = torch.aten.floordiv.int %more, %one : !torch.int, !torch.int -> !torch.int
    %list = torch.prim.ListConstruct %one, %size : (!torch.int, !torch.int) -> !torch.list<int>
    %y = torch.aten.add.Tensor %x, %x, %one {sparse_attn.node = "add", sparse_attn.results = ["add"],
      sparse_attn.dims = ["2, s0, 8"]}
      : !torch.vtensor<[2,?,8],f32>, !torch.vtensor<[2,?,8],f32>, !torch.int -> !torch.vtensor<[2,?,8],f32>
    return %y : !torch.vtensor<[2,?,8],f32>
  }
}
"""


@pytest.fixture
def graph():
    context = registry.new_context()
    module = ir.Module.parse(FACTS, context)
    (function,) = functions(module)
    yield snapshot(function)


def value(graph, op, at=0):
    return [v for v in graph.values if v.op == f"torch.{op}"][at]


def test_sizes_come_from_types_and_facts(graph):
    x, _, _ = graph.arguments
    assert x.dims == (of(2), of(Sym("s0", 2)), of(8)) and x.dtype == "f32" and x.name == "x"
    assert graph.results[0].dims == x.dims and graph.results[0].name == "add"


def test_integers_are_expressions(graph):
    x, n, m = graph.arguments
    assert n.integer == of(Sym("s1", None)) and n.dims is None
    assert m.integer is not None and not ints.non_negative(m.integer), "an integer without a fact may be negative"
    assert value(graph, "aten.size.int").integer == x.dims[1]
    assert value(graph, "aten.add.int").integer == x.dims[1] + n.integer
    assert value(graph, "aten.floordiv.int").integer == x.dims[1] + n.integer


def test_constants_are_python_values(graph):
    assert [value(graph, "constant.int", i).constant for i in range(2)] == [1, -1]
    assert value(graph, "constant.int", 1).integer == of(-1)
    assert value(graph, "constant.bool").constant in (True, 1) and value(graph, "constant.float").constant == 0.5
    assert value(graph, "constant.none").constant is None


def test_lists_and_operands(graph):
    y = graph.results[0]
    assert y.const(2) == 1 and y.const(7, "absent") == "absent" and y.const(0, "no constant") == "no constant"
    assert y.int(2) == of(1) and y.int(9) is None and y.listed(0) == []
    made = value(graph, "prim.ListConstruct")
    assert made.operands == [value(graph, "constant.int"), value(graph, "aten.size.int")]


def test_uses_count_every_operand_and_result(graph):
    x = graph.arguments[0]
    y = graph.results[0]
    assert [(u.op if u else None, i) for u, i in x.uses] == [
        ("torch.aten.size.int", 0), ("torch.aten.add.Tensor", 0), ("torch.aten.add.Tensor", 1),
    ]  # fmt: skip
    assert y.uses == [(None, 0)]


def test_sizes_without_facts_are_all_different():
    text = FACTS.replace('sparse_attn.dims = "2, s0, 8", ', "").replace('sparse_attn.dims = ["2, s0, 8"]', "a")
    context = registry.new_context()
    module = ir.Module.parse(text, context)
    (function,) = functions(module)
    graph = snapshot(function)
    x, y = graph.arguments[0].dims, graph.results[0].dims
    assert x[0] == of(2) == y[0] and x[1] != y[1] and ints.non_negative(x[1])


def test_facts_of_another_rank_are_not_believed():
    context = registry.new_context()
    module = ir.Module.parse(
        FACTS.replace('"2, s0, 8", sparse_attn.node = "x"', '"2, s0", sparse_attn.node = "x"'), context
    )
    (function,) = functions(module)
    dims = snapshot(function).arguments[0].dims
    assert len(dims) == 3 and dims[1].atom.name.startswith("unknown")
