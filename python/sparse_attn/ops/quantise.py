"""Registers the operators that quantise: `torch.ops.sparse_attn.quantise` and `.write_codes`.

They are made of torch operations, so they run on every device and can be captured; CPU tensors go through the host's
cache writers where these have the format. What the codes mean is defined by the formats of the dialect `npu`, which the
tests compare with bit by bit. The compiler puts them into a graph only when asked to (`options={"quantize": ...}`).
"""

import functools
from collections.abc import Callable

import torch

from ..lowering.quantize.formats import FORMATS, Format
from . import kernel_autograd, quantise_formats, quantise_hifloat8, quantise_host

__all__ = ["ENCODERS", "SCHEMAS", "register"]

NAMESPACE = "sparse_attn"
SCHEMAS = {
    "quantise": "quantise(Tensor values, *, str format) -> (Tensor codes, Tensor scale)",
    "write_codes": "write_codes(Tensor codes, int dim, Tensor index, Tensor rows) -> Tensor",
}

Encoder = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
ENCODERS: dict[str, Encoder] = {
    "int8": quantise_formats.int8,
    "fp8": quantise_formats.fp8,
    "mxfp8": quantise_formats.mxfp8,
    "mxfp4": quantise_formats.mxfp4,
    "hif8": quantise_hifloat8.hif8,
    "kv_fp8": quantise_formats.kv_fp8,
}
"""Format -> float32 values [..., D] to codes and scales, shaped as `lowering.quantize.formats` says."""


def _format(values: torch.Tensor, format: str) -> Format:
    """The named format; ValueError when there is none, or `values` cannot be brought into it."""
    if format not in FORMATS:
        raise ValueError(f'sparse_attn.quantise: format is "{format}"; the formats are {", ".join(FORMATS)}')
    if not values.is_floating_point() or values.dtype.itemsize == 1:
        raise ValueError(f"sparse_attn.quantise: values are {values.dtype}; give float32, bfloat16 or float16")
    if values.dim() == 0:
        raise ValueError("sparse_attn.quantise: values are a scalar; give rows [..., D]")
    problem = FORMATS[format].problem(int(values.shape[-1]))
    if problem:
        raise ValueError(f"sparse_attn.quantise: {problem}")
    return FORMATS[format]


def quantise(values: torch.Tensor, *, format: str) -> tuple[torch.Tensor, torch.Tensor]:
    """values [..., D] in any float dtype -> codes and scales in a format of `lowering.quantize.formats.FORMATS`."""
    made = _format(values, format)
    codes, scale = ENCODERS[format](values.detach().float().contiguous())
    return codes.reshape(made.codes_shape(values.shape)), scale.reshape(made.scale_shape(values.shape))


def quantise_on_cpu(values: torch.Tensor, *, format: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The same, by a host kernel where there is one."""
    made = _format(values, format)
    return (
        quantise_host.quantise(values, made) if quantise_host.serves(values, made) else quantise(values, format=format)
    )


def quantise_fake(values: torch.Tensor, *, format: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Empty codes and scales of the right shapes."""
    made = _format(values, format)
    codes = values.new_empty(made.codes_shape(values.shape), dtype=getattr(torch, made.codes))
    return codes, values.new_empty(made.scale_shape(values.shape), dtype=getattr(torch, made.scale))


def write_codes(codes: torch.Tensor, dim: int, index: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """`torch.index_copy` for codes and scales of every dtype: rows go, as they are, to the places `index` of `dim`."""
    _check_rows(codes, rows)
    if codes.dtype.itemsize > 1:
        return torch.index_copy(codes, dim, index, rows)
    written = torch.index_copy(codes.view(torch.uint8), dim, index, rows.view(torch.uint8))
    return written.view(codes.dtype)


def write_codes_fake(codes: torch.Tensor, dim: int, index: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """An empty tensor like the codes."""
    _check_rows(codes, rows)
    return codes.new_empty(codes.shape)


def _check_rows(codes: torch.Tensor, rows: torch.Tensor) -> None:
    if codes.dtype != rows.dtype:
        raise ValueError(f"sparse_attn.write_codes: codes are {codes.dtype} and rows {rows.dtype}; quantise both alike")


@functools.lru_cache(maxsize=1)
def register() -> torch.library.Library:
    """Define the operators once per process; the answer keeps them alive."""
    library = torch.library.Library(NAMESPACE, "FRAGMENT")
    for name, run, fake in (
        ("quantise", quantise, quantise_fake),
        ("write_codes", write_codes, write_codes_fake),
    ):
        library.define(SCHEMAS[name], tags=(torch.Tag.pt2_compliant_tag,))
        library.impl(name, run, "CompositeExplicitAutograd")
        library.impl(name, kernel_autograd.refusing(f"{NAMESPACE}::{name}"), "Autograd", with_keyset=True)
        torch.library.register_fake(f"{NAMESPACE}::{name}", fake, lib=library)
    library.impl("quantise", quantise_on_cpu, "CPU")
    return library
