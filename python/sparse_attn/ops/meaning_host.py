"""Calls the C++ kernels of the meaning-level operators."""

import ctypes
import functools
import struct
from collections.abc import Iterable
from typing import Any

import torch

from ..lowering.host import library
from .meaning_check import DEFINITIONS

_DTYPES = {
    torch.float32: library.Dtype.FP32,
    torch.bfloat16: library.Dtype.BF16,
    torch.float16: library.Dtype.FP16,
    torch.int32: library.Dtype.INT32,
    torch.int64: library.Dtype.INT64,
    torch.bool: library.Dtype.BOOL,
}

_CODES = {dtype: int(code) for dtype, code in _DTYPES.items()}

CONTIGUOUS = {"paged_write"}
"""Kernels that move whole rows and take contiguous tensors only."""


def implementation(name: str) -> str:
    """Who computes `torch.ops.sparse_attn.<name>` on CPU tensors: "host" (C++ kernels) or "torch" (the reference)."""
    try:
        return "host" if library.has(f"meaning_{name}") else "torch"
    except library.HostLibraryError:
        return "torch"


def instruction_sets() -> tuple[str, ...]:
    """The instruction sets this machine has kernels for, the fastest, which runs, first.

    The environment variable SPARSE_ATTN_ISA makes another of them run.
    """
    names = library.load().sa_meaning_instruction_sets
    names.restype = ctypes.c_char_p
    return tuple(names().decode().split(","))


def serves(values: dict[str, Any]) -> bool:
    """Whether the kernels have a format for every tensor."""
    return all(value.dtype in _DTYPES for value in values.values() if isinstance(value, torch.Tensor))


_ERROR_BYTES = 1024
_C_TYPES = {int: ctypes.c_int64, bool: ctypes.c_int64, float: ctypes.c_double, str: ctypes.c_char_p}
_PACK = [
    struct.Struct(f"Pii{rank}q{8 * (library.MAX_RANK - rank)}x{rank}q{8 * (library.MAX_RANK - rank)}x").pack
    for rank in range(library.MAX_RANK + 1)
]
"""By rank, packs one `sa_tensor`: address, dtype, rank, sizes, strides; the rest is zero."""


def signature(name: str) -> list[Any]:
    """The C types of a kernel's arguments: the operator's own, its results, the number of threads, the error."""
    definition = DEFINITIONS[name]
    pointer: Any = ctypes.c_char_p
    tensors, results = [pointer] * len(definition.operands), [pointer] * len(definition.results)
    scalars: list[Any] = [_C_TYPES[field.type] for field in definition.attributes]
    return [*tensors, *scalars, *results, ctypes.c_int32, ctypes.c_char_p]


@functools.lru_cache(maxsize=32)
def _function(name: str, loaded: ctypes.CDLL) -> Any:
    function = loaded[f"sa_meaning_{name}"]
    function.argtypes = signature(name)
    function.restype = ctypes.c_int
    return function


def marshal(values: Iterable[Any]) -> tuple[tuple, list[Any]]:
    """What a call looks like without its data (`meaning_check.require`), and the values as ctypes takes them.

    One pass for both: this is most of what a call of a small kernel costs.
    """
    looks: list[Any] = []
    passed: list[Any] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            dtype, sizes = value.dtype, value.shape
            rank = len(sizes)
            if rank > library.MAX_RANK:
                raise ValueError(f"a tensor of rank {rank} does not fit: at most {library.MAX_RANK} axes")
            code = _CODES.get(dtype, 0)  # 0 is never called: `serves` says no
            looks.append((dtype, sizes))
            passed.append(_PACK[rank](value.data_ptr(), code, rank, *sizes, *value.stride()))
        else:
            looks.append(value)
            passed.append(value.encode() if type(value) is str else value)
    return tuple(looks), passed


def call(name: str, passed: list[Any], results: list[torch.Tensor]) -> None:
    """Run a kernel over marshalled arguments in schema order into allocated results; ValueError when it refuses."""
    error = ctypes.create_string_buffer(_ERROR_BYTES)
    passed += marshal(results)[1]
    if _function(name, library.load())(*passed, torch.get_num_threads(), error):
        raise ValueError(f"sparse_attn.{name}: {error.value.decode(errors='replace')}")
