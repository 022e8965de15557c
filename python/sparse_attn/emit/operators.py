"""Which torch operator an MLIR op is, and its arguments in the operator's own form."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .. import ops  # noqa: F401 (registers torch.ops.sparse_attn)
from ..lowering.analysis.graph import Value
from ..lowering.fuse.operands import attributes, operands
from . import npu_operators

DTYPES = {
    0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16, 6: torch.float32,
    7: torch.float64, 11: torch.bool, 15: torch.bfloat16,
}  # fmt: skip
INTEGERS = {  # torch traces size arithmetic as Python operators
    "torch.aten.size.int": torch.ops.aten.sym_size.int,
    "torch.aten.add.int": operator.add,
    "torch.aten.sub.int": operator.sub,
    "torch.aten.mul.int": operator.mul,
    "torch.aten.floordiv.int": operator.floordiv,
    "torch.aten.remainder.int": operator.mod,
    "torch.prim.min.int": torch.sym_min,
    "torch.prim.max.int": torch.sym_max,
}
Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


def call_of(value: Value, arguments: list[Any], device: torch.device | None) -> Call:
    """(overload, args, kwargs) of a new op; `device` is where a factory op without one creates its tensor."""
    if value.op.startswith("sparse_attn."):
        return _ours(value, arguments)
    if value.op.startswith(npu_operators.PREFIX):
        return npu_operators.call_of(value, arguments, device)
    if value.op in INTEGERS:
        return INTEGERS[value.op], tuple(arguments), {}
    target = overload(value.op)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for schema, given in zip(target._schema.arguments, arguments, strict=True):
        argument = _converted(schema, given)
        if schema.name == "device" and given is None and "Tensor" not in str(target._schema.arguments[0].type):
            argument = device
        if not schema.kwarg_only:
            args.append(argument)
        elif argument is not None:
            kwargs[schema.name] = argument
    return target, tuple(args), kwargs


def overload(name: str) -> Any:
    """torch.aten.sum.dim_IntList -> torch.ops.aten.sum.dim_IntList."""
    namespace, op, *rest = name.removeprefix("torch.").split(".")
    return getattr(getattr(getattr(torch.ops, namespace), op), rest[0] if rest else "default")


def _converted(schema: Any, argument: Any) -> Any:
    if schema.name == "dtype" and isinstance(argument, int):
        return DTYPES[argument]
    return argument


def _ours(value: Value, arguments: list[Any]) -> Call:
    """An op of ours: operands by name, attributes that differ from their defaults."""
    name = value.op.removeprefix("sparse_attn.")
    target = getattr(torch.ops.sparse_attn, name).default
    rest = iter(arguments)
    given = {key: next(rest) for key, operand in operands(value).items() if operand is not None}
    given |= attributes(value)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for schema in target._schema.arguments:
        argument = given.get(schema.name)
        if not schema.kwarg_only:
            args.append(argument)
        elif argument is not None and (not schema.has_default_value() or argument != schema.default_value):
            kwargs[schema.name] = argument
    while args and args[-1] is None:
        args.pop()
    return target, tuple(args), kwargs
