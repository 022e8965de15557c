"""Checks a call against the constraints of the dialect's operation, the same ones its verifier runs."""

import functools
from collections.abc import Mapping
from typing import Any

import torch

from ..dialect.call import Call
from ..dialect.constraints import ConstraintError
from ..dialect.definition import Definition
from ..dialect.sparse_attn import OPS
from ..dialect.tensors import TensorInfo

DEFINITIONS: dict[str, Definition] = {operation.DEFINITION.name: operation.DEFINITION for operation in OPS}
"""Operator name -> what the dialect says about it."""

_ELEMENTS = {
    torch.float32: "f32",
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.bool: "i1",
}


@functools.cache
def _names(name: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The positional argument names in schema order, and every argument's default."""
    parameters = DEFINITIONS[name].signature().parameters
    return tuple(parameters), {key: None if p.default is p.empty else p.default for key, p in parameters.items()}


def arguments(name: str, args: tuple, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Every argument of a call by name, in schema order, defaults filled in."""
    names, defaults = _names(name)
    return {**defaults, **dict(zip(names, args, strict=False)), **kwargs}


def _describe(value: Any) -> Any:
    """What the constraints need to know of a value, hashable: a size that is a symbol may be anything."""
    if not isinstance(value, torch.Tensor):
        return value
    shape = tuple(size if type(size) is int else None for size in value.shape)
    return TensorInfo(shape, _ELEMENTS.get(value.dtype) or str(value.dtype).removeprefix("torch."))


@functools.lru_cache(maxsize=1024)
def _problem(name: str, described: tuple) -> str | None:
    definition = DEFINITIONS[name]
    values = dict(zip(_names(name)[0], described, strict=True))
    operands = {field.name: values.pop(field.name) for field in definition.operands}
    try:
        definition.check(Call(operands, values))
    except ConstraintError as error:
        return str(error)
    return None


def check(name: str, values: dict[str, Any]) -> None:
    """Raise ValueError with the number and the text of the first broken constraint."""
    problem = _problem(name, tuple(_describe(value) for value in values.values()))
    if problem:
        raise ValueError(f"sparse_attn.{name}: {problem}")
