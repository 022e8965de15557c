"""Crossing between torch's tensors and builtin ones moves nothing."""

import pytest
import torch
from terms import Captured
from torch_mlir import ir

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import snapshot
from sparse_attn.lowering.build import Builder
from sparse_attn.lowering.lift import functions
from sparse_attn.lowering.normalize.term import Elem, step


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bool])
def test_there_and_back_is_the_same_element(dtype):
    it = Captured(lambda x: x.clone(), torch.zeros(2, 3).to(dtype))
    with it.imported.module.context, ir.Location.unknown():
        argument, last = it.graph.arguments[0], it.graph.results[0]
        build = Builder(it.graph, last)
        back = build.from_torch_or_builtin(argument)
        assert back is argument
        made = build.from_builtin(build.to_builtin(argument), argument.dims, argument.dtype)
        last.mlir.replace_all_uses_with(made.mlir)
        (function,) = functions(it.imported.module)
        graph = snapshot(function)
    at = (ints.of(1), ints.of(2))
    found = step(Elem(graph.results[0], at))
    assert found.idx == at and found.value.op == "torch_c.to_builtin_tensor"
    assert step(found) == Elem(graph.arguments[0], at)
    assert graph.results[0].dtype == graph.arguments[0].dtype
