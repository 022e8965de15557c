"""One call of a kernel operator: its arguments as facts, its constraints, its results, and the host kernel.

The CPU implementation and the fake implementation are the same three steps; only the last differs.
"""

import contextlib
import contextvars
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from ..dialect.npu.call import Call, TensorFact
from ..dialect.npu.rows import CARRIERS
from ..dialect.npu.spec import Spec, Variant
from ..dialect.npu.target import HOST, problem_with_target
from ..lowering.host import library

_TARGET = contextvars.ContextVar("target", default=HOST)

_DTYPES = {
    torch.float32: library.Dtype.FP32,
    torch.bfloat16: library.Dtype.BF16,
    torch.float16: library.Dtype.FP16,
    torch.int8: library.Dtype.INT8,
    torch.uint8: library.Dtype.UINT8,
    torch.int32: library.Dtype.INT32,
    torch.int64: library.Dtype.INT64,
    torch.bool: library.Dtype.BOOL,
    torch.float8_e4m3fn: library.Dtype.FP8_E4M3,
    torch.float8_e5m2: library.Dtype.FP8_E5M2,
    torch.float8_e8m0fnu: library.Dtype.FP8_E8M0,
    torch.float4_e2m1fn_x2: library.Dtype.FP4X2,
}
_PACKED = {"hifloat8": library.Dtype.HIF8, "float4_e2m1fn_x2": library.Dtype.FP4X2}


@contextlib.contextmanager
def target(name: str) -> Iterator[None]:
    """Within the block, calls on CPU tensors obey the limits of a chip: what it would refuse raises the same error.

    The computation stays that of the host. `host`, the default, checks what the mathematics needs.
    """
    if problem := problem_with_target(name):
        raise ValueError(problem)
    token = _TARGET.set(name)
    try:
        yield
    finally:
        _TARGET.reset(token)


def on_cpu(spec: Spec, variant: Variant, *args: Any, **kwargs: Any) -> Any:
    """Check and compute a call on CPU tensors.

    Raises ValueError with the number of the broken constraint, or what the kernel refused, before anything is written.
    """
    arguments = _by_name(spec, variant, args, kwargs)
    call = _checked(spec, variant, arguments, values=True)
    results = allocate(spec, call, arguments)
    _compute(spec, call, arguments, results)
    return answer(variant, results)


def fake(spec: Spec, variant: Variant, *args: Any, **kwargs: Any) -> Any:
    """Check a call whose values are not there, and make results of its shapes and dtypes."""
    call, arguments = checked(spec, variant, args, kwargs)
    return answer(variant, allocate(spec, call, arguments))


def checked(
    spec: Spec, variant: Variant, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Call, dict[str, Any]]:
    """A call by the spec's names, held against every constraint that needs no values of tensors."""
    arguments = _by_name(spec, variant, args, kwargs)
    return _checked(spec, variant, arguments, values=False), arguments


def without_device(spec: Spec, variant: Variant, *args: Any, **kwargs: Any) -> Any:
    """Make a plan from numbers alone on the CPU; tensors of other devices need the package that has the kernel."""
    arguments = _by_name(spec, variant, args, kwargs)
    devices = {str(value.device) for value in arguments.values() if isinstance(value, torch.Tensor)}
    if devices - {"cpu"}:
        raise NotImplementedError(
            f"{variant.qualified} has no implementation for {', '.join(sorted(devices))}: install the package with it"
        )
    return on_cpu(spec, variant, *args, **kwargs)


def _by_name(spec: Spec, variant: Variant, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the spec's names, the defaults of this namespace filled in (the dispatcher drops them)."""
    params = variant.schema.params
    theirs = {param.name: param.default for param in params if param.has_default}
    theirs |= {param.name: value for param, value in zip(params, args, strict=False)} | dict(kwargs)
    return spec.from_variant(variant, theirs)


def _checked(spec: Spec, variant: Variant, arguments: Mapping[str, Any], values: bool) -> Call:
    tensors = {
        name: _fact(value, values)
        for param in spec.schema.tensors
        if isinstance(value := arguments.get(name := param.name), torch.Tensor)
    }
    call = Call(_TARGET.get(), tensors, spec.scalars(arguments), minimum=torch.sym_min)
    for finding in spec.check(call):
        if not finding.warning:
            raise ValueError(f"{variant.qualified} {finding.message}")
        warnings.warn(f"{variant.qualified} {finding.message}", stacklevel=4)
    return call


def _fact(tensor: torch.Tensor, values: bool) -> TensorFact:
    dtype = str(tensor.dtype).removeprefix("torch.")
    if not values:
        return TensorFact(tuple(tensor.shape), dtype)
    numbers: Any = tensor.detach().numpy if tensor.dtype in (torch.int32, torch.int64) else None
    return TensorFact(tuple(tensor.shape), dtype, tensor.stride(), tensor.storage_offset(), numbers)


def allocate(spec: Spec, call: Call, arguments: Mapping[str, Any]) -> list[torch.Tensor]:
    """Tensors for the results of a checked call, on the device of its tensors, on the CPU without any."""
    first = next((value for value in arguments.values() if isinstance(value, torch.Tensor)), None)
    device = torch.device("cpu") if first is None else first.device
    return [torch.empty(shape, dtype=getattr(torch, dtype), device=device) for shape, dtype in spec.result_facts(call)]


def _compute(spec: Spec, call: Call, arguments: Mapping[str, Any], results: list[torch.Tensor]) -> None:
    if _is_plan(spec) and not _has_kernel(spec.name):
        results[0].zero_()  # the host kernels need no plan, so any will do
        return
    passed = [_argument(spec, call, param.name, arguments) for param in spec.schema.params]
    library.call(spec.name, passed, [_describe(result) for result in results], torch.get_num_threads())


def _argument(spec: Spec, call: Call, name: str, arguments: Mapping[str, Any]) -> Any:
    param, value = spec.schema[name], arguments.get(name)
    if param.is_tensor:
        return None if value is None else _describe(value, _packed_as(spec, call, name, value))
    if value is None and param.has_default:
        value = param.default
    if value is None:
        return None if param.kind == "str" else library.NONE_INT
    value = spec.host_means.get(name, {}).get(value, value)
    return float(value) if param.kind == "float" else value


def _packed_as(spec: Spec, call: Call, name: str, value: torch.Tensor) -> library.Dtype | None:
    """The packed format a plain byte tensor carries, where the argument's row says that it may."""
    accepted = spec.tensors[name].accepted(call) if value.dtype == torch.uint8 else ()
    return next((_PACKED[dtype] for dtype in accepted if "uint8" in CARRIERS.get(dtype, ())), None)


def _describe(tensor: torch.Tensor, code: library.Dtype | None = None) -> library.Tensor:
    dtype = code or _DTYPES.get(tensor.dtype)
    if dtype is None:
        raise ValueError(f"host kernels have no format for {tensor.dtype}: convert the tensor")
    return library.Tensor(tensor.data_ptr(), dtype, tuple(tensor.shape), tensor.stride(), tensor)


def _is_plan(spec: Spec) -> bool:
    return [result.name for result in spec.results] == ["metadata"]


def _has_kernel(name: str) -> bool:
    try:
        return library.has(name)
    except library.HostLibraryError:
        return False


def answer(variant: Variant, results: list[torch.Tensor]) -> Any:
    """What a namespace returns of the results."""
    chosen = results if variant.results is None else [results[number] for number in variant.results]
    if not chosen:
        return None
    return chosen[0] if len(chosen) == 1 else tuple(chosen)
