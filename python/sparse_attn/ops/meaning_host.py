"""Calls the C++ kernels of the meaning-level operators."""

import ctypes
import functools
import struct
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

_CONTIGUOUS = {"paged_write"}
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
_DESCRIPTOR = struct.Struct(f"Pii{2 * library.MAX_RANK}q")
"""One `sa_tensor`: address, dtype, rank, sizes, strides. A call packs one for every tensor."""


@functools.lru_cache(maxsize=32)
def _function(name: str, loaded: ctypes.CDLL) -> Any:
    """The kernel with its C signature: the operator's arguments, its results, the number of threads, the error."""
    definition = DEFINITIONS[name]
    function = loaded[f"sa_meaning_{name}"]
    pointer: Any = ctypes.c_char_p
    tensors, results = [pointer] * len(definition.operands), [pointer] * len(definition.results)
    scalars: list[Any] = [_C_TYPES[field.type] for field in definition.attributes]
    function.argtypes = [*tensors, *scalars, *results, ctypes.c_int32, ctypes.c_char_p]
    function.restype = ctypes.c_int
    return function


def _describe(tensor: torch.Tensor) -> bytes:
    rank = tensor.dim()
    if rank > library.MAX_RANK:
        raise ValueError(f"a tensor of rank {rank} does not fit: at most {library.MAX_RANK} axes")
    pad = (0,) * (library.MAX_RANK - rank)
    return _DESCRIPTOR.pack(tensor.data_ptr(), _DTYPES[tensor.dtype], rank, *tensor.shape, *pad, *tensor.stride(), *pad)


def _marshal(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return _describe(value)
    return value.encode() if isinstance(value, str) else value


def call(name: str, values: dict[str, Any], results: tuple[torch.Tensor, ...]) -> None:
    """Run a kernel over arguments in schema order into allocated results; ValueError when it refuses."""
    if name in _CONTIGUOUS:
        values = {key: value.contiguous() for key, value in values.items()}
    error = ctypes.create_string_buffer(_ERROR_BYTES)
    passed = [_marshal(value) for value in (*values.values(), *results)]
    if _function(name, library.load())(*passed, torch.get_num_threads(), error):
        raise ValueError(f"sparse_attn.{name}: {error.value.decode(errors='replace')}")
