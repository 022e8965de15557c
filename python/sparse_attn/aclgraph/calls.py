"""One call, made ready to be repeated into the memory of its first results.

In order of preference: the C function of a host kernel with its arguments laid out, the operator's own form with
`out=`, the operator as it is and a copy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from ..lowering.host import library
from ..ops import meaning_host
from ..ops.meaning_check import DEFINITIONS

Run = Callable[[], Any]
_ERROR_BYTES = 1024


def replayed(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Run:
    """Repeats `target(*args, **kwargs)`, which gave `result`, into the tensors of `result`."""
    if isinstance(target, torch._ops.OpOverload):
        for way in (_kernel, _out):
            if run := way(target, args, kwargs, result):
                return run
    call = functools.partial(getattr(target, "_op", target), *args, **kwargs)
    return functools.partial(_copied, call, result)


def _copied(call: Run, result: Any) -> None:
    _copy(result, call())


def _copy(into: Any, new: Any) -> None:
    if isinstance(into, torch.Tensor):
        into.copy_(new)
    elif isinstance(into, (list, tuple)):
        for old, part in zip(into, new, strict=True):
            _copy(old, part)


class _KernelCall:
    """A call of a host kernel whose C arguments were laid out once."""

    __slots__ = ("_arguments", "_error", "_function", "_name")

    def __init__(self, name: str, arguments: tuple[Any, ...], error: Any) -> None:
        self._name, self._arguments, self._error = name, arguments, error
        self._function = meaning_host._function(name, library.load())

    def __call__(self) -> None:
        if self._function(*self._arguments):
            raise ValueError(f"sparse_attn.{self._name}: {self._error.value.decode(errors='replace')}")


def _kernel(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Run | None:
    """The C function of a meaning-level operator, where one serves these tensors."""
    name = target._opname
    if target.namespace != "sparse_attn" or meaning_host.implementation(name) != "host":
        return None
    definition = DEFINITIONS[name]
    bound = definition.signature().bind(*args, **kwargs)
    bound.apply_defaults()
    names = [field.name for field in definition.operands] + [field.name for field in definition.attributes]
    values = [bound.arguments[name] for name in names]
    made = list(result) if isinstance(result, (tuple, list)) else [result]
    tensors = [value for value in (*values, *made) if isinstance(value, torch.Tensor)]
    on_cpu = all(t.device.type == "cpu" and (name not in meaning_host.CONTIGUOUS or t.is_contiguous()) for t in tensors)
    if not on_cpu or not meaning_host.serves({str(n): tensor for n, tensor in enumerate(tensors)}):
        return None
    error = meaning_host.ctypes.create_string_buffer(_ERROR_BYTES)
    passed = tuple(meaning_host.marshal([*values, *made])[1])
    return _verified(_KernelCall(name, (*passed, torch.get_num_threads(), error), error), made)


def _out(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Run | None:
    """The overload with `out=`, where it exists and gives the same bits as the functional one."""
    made = list(result) if isinstance(result, (tuple, list)) else [result]
    found = _out_overload(target)
    if found is None or not all(isinstance(tensor, torch.Tensor) for tensor in made) or len(found[1]) != len(made):
        return None
    overload, names = found
    outs: dict[str, Any] = dict(zip(names, made, strict=True))
    binding = getattr(torch, target._opname, None)  # half the cost of a call through the overload
    by_place = [argument.name for argument in target._schema.arguments[: len(args)]]
    if target.namespace == "aten" and binding is not None and "alpha" not in by_place:  # torch reads that as another
        together = {"out": made[0] if len(made) == 1 else tuple(made)}
        if run := _verified(functools.partial(binding, *args, **kwargs, **together), made):
            return run
    return _verified(functools.partial(overload._op, *args, **kwargs, **outs), made)


def _verified(run: Run, made: list[torch.Tensor]) -> Run | None:
    """`run` when it gives the bits that are in `made`, in their place; else None, and `made` is as it was."""
    expected = [tensor.clone() for tensor in made]
    looks = [(tensor.data_ptr(), tensor.shape, tensor.stride()) for tensor in made]
    try:
        run()
    except (RuntimeError, ValueError, NotImplementedError, TypeError):
        same = False
    else:
        same = looks == [(t.data_ptr(), t.shape, t.stride()) for t in made] and all(map(_equal, made, expected))
    if not same:
        for tensor, saved in zip(made, expected, strict=True):
            if (tensor.shape, tensor.stride()) == (saved.shape, saved.stride()):
                tensor.copy_(saved)
            else:
                tensor.set_(saved)
        return None
    return run


def _equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bool(torch.equal(one, other) or ((one == other) | (one != one) & (other != other)).all())


@functools.cache
def _out_overload(target: Any) -> tuple[Any, tuple[str, ...]] | None:
    """The overload of the same operator that takes the same arguments and its results besides."""
    wanted = _arguments(target)
    for name in target.overloadpacket.overloads():
        other = getattr(target.overloadpacket, name)
        outs = tuple(a.name for a in other._schema.arguments if a.is_out)
        if outs and _arguments(other) == wanted and len(outs) == len(target._schema.returns):
            return other, outs
    return None


def _arguments(target: Any) -> list[tuple[str, str]]:
    return [(a.name, str(a.type)) for a in target._schema.arguments if not a.is_out]
