"""Torch ops over lists of tensors: einsum and cat."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from torch_mlir import ir

from .analysis import ints
from .analysis.graph import LIST, Value
from .analysis.ints import Int
from .build import Builder


def einsum(build: Builder, equation: str, tensors: Sequence[Value], dims: Sequence[Int], dtype: str) -> Value:
    """`torch.einsum(equation, *tensors)`, a tensor of sizes `dims`."""
    return build.torch(
        "torch.aten.einsum", [_text(build, equation), _listed(build, tensors), build.none()], dims, dtype
    )


def cat(build: Builder, tensors: Sequence[Value], dim: int) -> Value:
    """Tensors of one dtype joined along `dim`; a single one is itself."""
    first = tensors[0]
    if len(tensors) == 1:
        return first
    sizes = [t.dims for t in tensors if t.dims is not None]
    total = functools.reduce(Int.__add__, (each[dim] for each in sizes))
    dims = (*sizes[0][:dim], total, *sizes[0][dim + 1 :])
    return build.torch("torch.aten.cat", [_listed(build, tensors), build.integer(ints.of(dim))], dims, first.dtype)


def _listed(build: Builder, tensors: Sequence[Value]) -> Value:
    kind = ir.Type.parse("!torch.list<vtensor>", context=build.graph.function.context)
    made = ir.Operation.create(LIST, [kind], [t.mlir for t in tensors], loc=build.location, ip=build.point)
    return Value(LIST, list(tensors), 0, None, "", mlir=made.result)


def _text(build: Builder, value: str) -> Value:
    context = build.graph.function.context
    kind = ir.Type.parse("!torch.str", context=context)
    made = ir.Operation.create("torch.constant.str", [kind], [], loc=build.location, ip=build.point)
    made.attributes["value"] = ir.StringAttr.get(value, context)
    return Value("torch.constant.str", [], 0, None, "", constant=value, mlir=made.result)
