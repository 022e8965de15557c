"""Running a module of torch ops and ours on tensors, op by op, through the operators that emission calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch_mlir import ir

from sparse_attn.emit.operators import call_of
from sparse_attn.lowering.analysis.graph import LIST, Value, snapshot
from sparse_attn.lowering.analysis.liveness import live
from sparse_attn.lowering.lift import functions

SAME = ("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast")
DTYPES = {
    "bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32, "si64": torch.int64, "i32": torch.int32,
    "si32": torch.int32, "i1": torch.bool, "i64": torch.int64,
}  # fmt: skip


def run(module: ir.Module, inputs: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
    """The results of the module's function; inputs by argument number, `arg0`."""
    graph = snapshot(functions(module)[0])
    known: dict[int, Any] = {a.order: inputs[f"arg{n}"] for n, a in enumerate(graph.arguments)}
    alive = live(graph)
    for value in graph.values:
        if value.op and value.order in alive and value.order not in known:
            results = _results(value, [known[v.order] for v in value.operands])
            known |= {v.order: r for v, r in zip(value.siblings, results, strict=True)}
    return [known[v.order] for v in graph.results]


def _results(value: Value, arguments: list[Any]) -> list[Any]:
    if value.op.startswith("torch.constant."):
        return [bool(value.constant) if value.op.endswith(".bool") else value.constant]
    if value.op == LIST:
        return [arguments]
    if value.op in SAME:
        return [arguments[0]]
    target, args, kwargs = call_of(value, arguments, torch.device("cpu"))
    made = target(*args, **kwargs)
    return list(made) if isinstance(made, (tuple, list)) else [made]


def inputs(module: ir.Module, seed: int = 0, **given: torch.Tensor) -> dict[str, torch.Tensor]:
    """Random floats for every argument but those given by their number, `arg3`."""
    generator = torch.Generator().manual_seed(seed)
    graph = snapshot(functions(module)[0])
    found = {}
    for number, argument in enumerate(graph.arguments):
        name = f"arg{number}"
        assert argument.dims is not None
        shape = [d.const for d in argument.dims]
        found[name] = (
            given[name] if name in given else torch.randn(shape, generator=generator).to(DTYPES[argument.dtype])
        )
    return found
