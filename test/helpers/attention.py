"""Calls an attention reference and the host kernel of the same name with the same keyword arguments.

Arrays are in raw storage: uint16 is bfloat16, uint8 is whatever one-byte format the operator takes.
"""

import importlib
import inspect
from typing import Any

import numpy as np
from vectors import Vector

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.schema import Param
from sparse_attn.lowering.host import library

Array = np.ndarray


def reference(name: str) -> Any:
    """The function `name` of `dialect/npu/reference/<name>.py`, whose parameters have the names of the schema."""
    return getattr(importlib.import_module(f"sparse_attn.dialect.npu.reference.{name}"), name)


def parameters(name: str) -> list[Param]:
    """The arguments of the operator, in schema order."""
    return list(importlib.import_module(f"sparse_attn.dialect.npu.{name}").SPEC.schema.params)


def recorded(vector: Vector) -> dict[str, Any]:
    """The arguments of a recorded case. Its `metadata` are arguments of another operator."""
    return {**vector.inputs, **{name: value for name, value in vector.attrs.items() if name != "metadata"}}


def as_tensor(value: Any) -> Any:
    """uint16 arrays are bfloat16 to the host library."""
    is_bf16 = isinstance(value, np.ndarray) and value.dtype == np.uint16
    return library.Tensor.of(value, library.Dtype.BF16) if is_bf16 else value


def passed(param: Param, given: dict[str, Any]) -> Any:
    """One argument as the host library takes it; an absent int or bool has its own code."""
    value = given.get(param.name, param.default if param.has_default else None)
    if param.kind == "float":
        return float(value)
    return library.NONE_INT if value is None and param.kind in ("int", "bool") else as_tensor(value)


def host(name: str, given: dict[str, Any], results: list[Array], threads: int = 1) -> list[Array]:
    """Runs the host kernel into `results`. Arguments the schema does not know are dropped."""
    values = [passed(param, given) for param in parameters(name)]
    library.call(name, values, [as_tensor(result) for result in results], threads)
    return results


def run_reference(name: str, given: dict[str, Any]) -> tuple[Array, ...]:
    """Runs the reference; library tensors stand for their arrays, other arguments than its own are dropped."""
    known: Any = inspect.signature(reference(name)).parameters
    if any(each.kind is each.VAR_KEYWORD for each in known.values()):  # it passes the rest on
        known = SPECS[name].schema.by_name
    plain = {p: v.owner if isinstance(v, library.Tensor) else v for p, v in given.items() if p in known}
    return reference(name)(**plain)


def results_like(expected: tuple[Array, ...]) -> list[Array]:
    """Fresh result arrays filled with a pattern no result has, so that an element left out shows."""
    return [np.full(array.shape, 0x7FFF if array.dtype == np.uint16 else -7.0, array.dtype) for array in expected]


def as_float(array: Array) -> Array:
    return (array.astype(np.uint32) << 16).view(np.float32) if array.dtype == np.uint16 else array.astype(np.float32)


def out_of_tolerance(got: Array, expected: Array) -> float:
    """Share of elements further than 1e-4 + 2^-7 * |expected| apart: the published comparison rule allows 0.005."""
    a, b = as_float(got), as_float(expected)
    with np.errstate(invalid="ignore"):
        close = (np.abs(a - b) <= 1e-4 + 2.0**-7 * np.abs(b)) | (a == b) | (np.isnan(a) & np.isnan(b))
    return float(1.0 - close.mean()) if close.size else 0.0


def bits_changed(got: Array, expected: Array) -> float:
    """Share of elements whose stored bits differ."""
    same = got.view(f"u{got.itemsize}") == expected.view(f"u{expected.itemsize}")
    return float(1.0 - same.mean()) if same.size else 0.0
