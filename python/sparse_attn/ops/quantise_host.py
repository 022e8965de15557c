"""Quantising CPU tensors with the host's cache writers: all rows go, in order, to a cache of their own."""

import torch

from ..lowering.host import library
from ..lowering.quantize.formats import Format

MODES = {"fp8": "fp8", "mxfp8": "mxfp8", "mxfp4": "mxfp4", "hif8": "hifloat8"}
"""Format -> quant_mode of indexer_quant_cache."""
PACKED = {"hif8": library.Dtype.HIF8, "mxfp4": library.Dtype.FP4X2}
DTYPES = {
    torch.bfloat16: library.Dtype.BF16,
    torch.float16: library.Dtype.FP16,
    torch.float32: library.Dtype.FP32,
    torch.int32: library.Dtype.INT32,
    torch.float8_e4m3fn: library.Dtype.FP8_E4M3,
    torch.float8_e8m0fnu: library.Dtype.FP8_E8M0,
}
KEYS, ROWS = "indexer_quant_cache", "kv_compress_epilog"
WRITERS = dict.fromkeys(MODES, (KEYS, (torch.bfloat16, torch.float16))) | {"kv_fp8": (ROWS, (torch.bfloat16,))}
"""Format -> the kernel that writes it, and from which dtypes."""
ROUND, FACTOR, GROUP = 1, 1.0, 64


def serves(values: torch.Tensor, format: Format) -> bool:
    """Whether a host kernel writes this format from values of this dtype."""
    kernel, dtypes = WRITERS.get(format.name, ("", ()))
    if values.dtype not in dtypes or values.numel() == 0 or values.shape[-1] % 32:
        return False
    try:
        return library.has(kernel)
    except library.HostLibraryError:
        return False


def quantise(values: torch.Tensor, format: Format) -> tuple[torch.Tensor, torch.Tensor]:
    """values [..., D] -> codes and scales, shaped as `format` says; NaN and infinities as the writers have them."""
    rows = values.detach().reshape(-1, values.shape[-1]).contiguous()
    codes = torch.zeros(format.codes_shape(rows.shape), dtype=getattr(torch, format.codes))
    slots = torch.arange(len(rows), dtype=torch.int32)
    view = _view(codes, PACKED.get(format.name))
    if format.name == "kv_fp8":
        scale = torch.empty(0)
        _call(ROWS, view, _view(rows), _view(slots), GROUP, "fp8_e8m0")
    else:
        scale = _scales(rows, format)
        _call(KEYS, view, _view(scale), _view(rows), _view(slots), MODES[format.name])
    scale = torch.ones(1) if format.layout == "tensor" else scale
    return codes.reshape(format.codes_shape(values.shape)), scale.reshape(format.scale_shape(values.shape))


def _scales(rows: torch.Tensor, format: Format) -> torch.Tensor:
    """Room for the scales, one row of them for each row of values (the fixed scale of hif8 is not written)."""
    count, width = rows.shape
    columns = width // 32 if format.layout == "group" else 1
    return torch.zeros((count, columns), dtype=getattr(torch, format.scale))


def _call(kernel: str, *arguments: library.Tensor | int | str) -> None:
    library.call(kernel, [*arguments, ROUND, FACTOR], [], torch.get_num_threads())


def _view(tensor: torch.Tensor, code: library.Dtype | None = None) -> library.Tensor:
    dtype = code if code is not None else DTYPES[tensor.dtype]
    return library.Tensor(tensor.data_ptr(), dtype, tuple(tensor.shape), tensor.stride(), tensor)
