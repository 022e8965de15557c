"""Graphs are made importable without changing what they compute, and without touching the original."""

import operator

import pytest
import torch
from torch.fx import Graph, GraphModule, Interpreter
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.graph import CodeGen

from sparse_attn import ingest
from sparse_attn.ingest.cleanup import clean

aten = torch.ops.aten


def plain(module):
    """Results as a tuple, as the backend's graphs give them."""
    module.graph.set_codegen(CodeGen())
    module.recompile()
    return module


def evaluated(module, *inputs):
    """What the graph computes; the copy is made to be imported and has no code of its own."""
    return Interpreter(module).run(*inputs)


def symbolic(target, args):
    """A graph whose size is computed by `target` from a dynamic dimension."""

    def function(x):
        return x.new_zeros(x.shape[0] + 1)

    module = plain(make_fx(function, tracing_mode="symbolic")(torch.zeros(5)))
    node = next(n for n in module.graph.nodes if n.target is operator.add)
    size = node.args[0]
    real = size.meta["val"]
    given = {...: (size, real), list: ([size, 2, size], [real, 2, real])}
    pairs = [given.get(a, (a, a)) for a in args]
    with module.graph.inserting_before(node):
        made = module.graph.call_function(target, tuple(a for a, _ in pairs))
    made.meta["val"] = target(*(value for _, value in pairs))
    node.replace_all_uses_with(made)
    module.graph.erase_node(node)
    module.recompile()
    return module


@pytest.mark.parametrize(
    ("target", "args", "becomes"),
    [
        (torch.sym_min, (..., 3), torch.ops.prim.min.int),
        (torch.sym_max, (..., 3), torch.ops.prim.max.int),
        (operator.mod, (..., 3), aten.remainder.int),
        (torch.sym_sum, (list,), operator.add),
    ],
)
def test_size_arithmetic_becomes_importable(target, args, becomes):
    module = symbolic(target, args)
    before = str(module.graph)
    made = clean(module)
    found = {n.target for n in made.module.graph.nodes if n.op == "call_function"}
    assert becomes in found and target not in found
    assert str(module.graph) == before
    assert ingest.ingest(module).module.operation.verify()
    assert evaluated(made.module, torch.zeros(7))[0].shape == module(torch.zeros(7)).shape


@pytest.mark.parametrize("write", [lambda x, i: x.scatter(-1, i, 1.0), lambda x, i: x.scatter(-2, i, x * 2),
                                   lambda x, i: x.scatter_add(-1, i, x)])  # fmt: skip
def test_a_negative_scatter_dimension_is_named_from_the_front(write):
    x, index = torch.randn(2, 3), torch.zeros(2, 3, dtype=torch.int64)
    module = plain(make_fx(write, tracing_mode="fake")(x, index))
    made = clean(module).module
    dims = [n.args[1] for n in made.graph.nodes if "scatter" in str(n.target)]
    assert dims and all(d >= 0 for d in dims)
    torch.testing.assert_close(evaluated(made, x, index)[0], module(x, index))
    assert next(n.args[1] for n in module.graph.nodes if "scatter" in str(n.target)) < 0


def test_writes_at_the_tail_become_results():
    def function(cache, x, other):
        new = cache + x
        cache.copy_(new)
        other.copy_(x)
        return new * 2

    module = plain(make_fx(function, tracing_mode="fake")(torch.zeros(3), torch.ones(3), torch.zeros(3)))
    made = clean(module)
    assert made.writes == (("cache_1", 1), ("other_1", 2))
    assert not any(n.target is aten.copy_.default for n in made.module.graph.nodes)
    results = evaluated(made.module, torch.ones(3), torch.ones(3), torch.zeros(3))
    assert [r.tolist() for r in results] == [[4.0] * 3, [2.0] * 3, [1.0] * 3]


def test_names_and_meta_stay():
    module = make_fx(lambda x: (x + 1).relu(), tracing_mode="fake")(torch.zeros(3))
    made = clean(module).module
    for old, new in zip(module.graph.nodes, made.graph.nodes, strict=True):
        assert old.name == new.name and (old.op == "output" or new.meta["val"] is old.meta["val"])
        assert new.meta is not old.meta


def test_an_empty_graph_of_one_result():
    graph = Graph()
    graph.output(graph.placeholder("x"))
    assert clean(GraphModule(torch.nn.Module(), graph)).writes == ()
