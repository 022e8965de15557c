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


@functools.lru_cache(maxsize=4096)
def _problem(name: str, described: tuple) -> str | None:
    """The first broken constraint of a call in which every tensor is its (dtype, sizes)."""
    definition = DEFINITIONS[name]
    values = dict(zip(_names(name)[0], described, strict=True))
    operands: dict[str, Any] = {field.name: _info(values.pop(field.name)) for field in definition.operands}
    try:
        definition.check(Call(operands, values))
    except ConstraintError as error:
        return str(error)
    return None


def _info(described: tuple[torch.dtype, tuple] | None) -> TensorInfo | None:
    if described is None:
        return None
    dtype, sizes = described
    return TensorInfo(tuple(sizes), _ELEMENTS.get(dtype) or str(dtype).removeprefix("torch."))


def require(name: str, call: tuple) -> None:
    """Raise ValueError with the number and the text of the first broken constraint of a call.

    call: every argument in schema order, of a tensor (dtype, sizes), where a size may be None for any.
    """
    problem = _problem(name, call)
    if problem:
        raise ValueError(f"sparse_attn.{name}: {problem}")


def check(name: str, values: dict[str, Any], symbolic: bool = False) -> None:
    """Raise ValueError with the number and the text of the first broken constraint.

    symbolic: sizes may be symbols, which may be anything; no guard is installed for them.
    """
    sizes = _known_sizes if symbolic else _sizes
    require(name, tuple([(v.dtype, sizes(v)) if isinstance(v, torch.Tensor) else v for v in values.values()]))


def _sizes(tensor: torch.Tensor) -> tuple:
    return tensor.shape


def _known_sizes(tensor: torch.Tensor) -> tuple:
    return tuple(size if type(size) is int else None for size in tensor.shape)
