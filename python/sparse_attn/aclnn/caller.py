"""A kernel operator on NPU tensors: checked against its chip, its results allocated, its aclnn function called."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import torch

from ..device import target_of_npu
from ..dialect.npu import SPECS
from ..dialect.npu.aclnn import ambiguous_functions
from ..dialect.npu.call import Call
from ..dialect.npu.spec import Spec, Variant
from . import build
from .source import NAMESPACE, kind_of, passed

ACL_TYPES = {"hifloat8": 34, "float8_e5m2": 35, "float8_e4m3fn": 36, "float8_e8m0fnu": 37}
"""The aclDataType of formats that torch may carry as plain bytes."""


@functools.lru_cache(maxsize=1)
def load() -> None:
    """Load the built caller, once a process; raises NpuBuildError when it is not built."""
    path = build.find()
    try:
        torch.ops.load_library(str(path))
    except OSError as error:
        raise build.NpuBuildError(
            f"{path} does not load ({error.__cause__ or error}): remove it and build again"
        ) from error


def on_npu(spec: Spec, variant: Variant, *args: Any, **kwargs: Any) -> Any:
    """The implementation of an operator for NPU tensors.

    Raises ValueError with the number of the broken constraint, NotImplementedError for an operator that has no
    published aclnn function, NpuBuildError when the caller is not built. Nothing is read from the device, so a call may
    be captured.
    """
    from ..ops import kernel_call

    if problem := _uncallable(spec):
        raise NotImplementedError(
            f"{variant.qualified} {problem}: install the package that registers the operator for NPUs"
        )
    load()
    with kernel_call.target(target_of_npu()):
        call, arguments = kernel_call.checked(spec, variant, args, kwargs)
        results = kernel_call.allocate(spec, call, arguments)
    given = [_argument(spec, call, param.name, arguments) for param in passed(spec)]
    types = [_type(spec, call, param.name, arguments) for param in passed(spec) if param.is_tensor]
    getattr(getattr(torch.ops, NAMESPACE), spec.name)(*given, *results, [*types, *[-1] * len(results)])
    return kernel_call.answer(variant, results)


@functools.cache
def _shared() -> set[str]:
    return ambiguous_functions(SPECS.values())


def _uncallable(spec: Spec) -> str | None:
    if spec.aclnn is None:
        return "has no published aclnn function"
    if spec.aclnn.function in _shared():
        return f"needs {spec.aclnn.function}, which two packages publish with different arguments"
    return None


def _argument(spec: Spec, call: Call, name: str, arguments: Mapping[str, Any]) -> Any:
    param = spec.schema[name]
    if param.is_tensor:
        return arguments.get(name)
    value = spec.scalar(param, arguments)
    if value is None:
        raise ValueError(f"{spec.name} on an NPU needs {name}: aclnn functions have no defaults")
    assert spec.aclnn is not None
    value = spec.aclnn.enums.get(name, {}).get(value, value)
    return {"float": float, "bool": bool}.get(kind_of(spec, param), lambda same: same)(value)


def _type(spec: Spec, call: Call, name: str, arguments: Mapping[str, Any]) -> int:
    """The aclDataType of a byte tensor that carries another format; -1 where torch's dtype says it all."""
    tensor = arguments.get(name)
    if tensor is None or tensor.dtype != torch.uint8:
        return -1
    accepted = spec.tensors[name].accepted(call)
    return next((ACL_TYPES[dtype] for dtype in accepted if dtype in ACL_TYPES), -1)
