"""Calls the C++ kernels of the meaning-level operators."""

import ctypes
from typing import Any

import torch

from ..lowering.host import library

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


def _describe(tensor: torch.Tensor) -> library.Tensor:
    return library.Tensor(tensor.data_ptr(), _DTYPES[tensor.dtype], tuple(tensor.shape), tensor.stride(), tensor)


def call(name: str, values: dict[str, Any], results: tuple[torch.Tensor, ...]) -> None:
    """Run a kernel over arguments in schema order into allocated results; ValueError when it refuses."""
    if name in _CONTIGUOUS:
        values = {key: value.contiguous() for key, value in values.items()}
    args = [_describe(value) if isinstance(value, torch.Tensor) else value for value in values.values()]
    args = [float(value) if key == "scale" else value for key, value in zip(values, args, strict=True)]
    try:
        library.call(f"meaning_{name}", args, [_describe(result) for result in results], torch.get_num_threads())
    except library.HostKernelError as error:
        raise ValueError(f"sparse_attn.{str(error).removeprefix('meaning_')}") from None
