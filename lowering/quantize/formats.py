"""The number formats a tensor can be quantised to, as data: shapes and dtypes of codes and scales, and who reads them.

A tensor [..., D] becomes codes and a scale. `layout` says what shares one scale:

| layout | scale shape | meaning |
|---|---|---|
| row | [...] | one for the D elements of a row |
| group | [..., D/64, 2] | one for 32 elements; read in order, scale j belongs to elements 32j .. 32j + 31 |
| tensor | [1] | one for the whole tensor, always 1: the format itself has the range |
| inside | [0] | the scales are part of the codes |
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

ALL, NEWEST = ("ascend950", "a3", "a2"), ("ascend950",)
GROUP = 32


@dataclasses.dataclass(frozen=True)
class Format:
    """One format. `codes` and `scale` are torch dtypes, `multiple` is what D must be a multiple of."""

    name: str
    codes: str
    scale: str
    layout: str
    multiple: int = 1
    codes_per_element: float = 1.0
    row_bytes: int = 0  # of a row whose scales are inside; its D is then `multiple` exactly

    def problem(self, width: int) -> str | None:
        """Why rows of `width` elements cannot be quantised, None if they can."""
        if self.row_bytes and width != self.multiple:
            return f"its rows have {width} elements; {self.name} rows are made of {self.multiple}"
        if width % self.multiple or not width:
            return f"its rows have {width} elements; {self.name} takes multiples of {self.multiple}"
        return None

    def codes_shape(self, shape: Sequence[Any]) -> tuple[Any, ...]:
        """Shape of the codes of values of this shape."""
        return (*shape[:-1], self.row_bytes or int(shape[-1] * self.codes_per_element))

    def scale_shape(self, shape: Sequence[Any]) -> tuple[Any, ...]:
        """Shape of the scales of values of this shape."""
        if self.layout == "group":
            return (*shape[:-1], shape[-1] // (2 * GROUP), 2)
        return tuple(shape[:-1]) if self.layout == "row" else (int(self.layout == "tensor"),)


FORMATS = {
    made.name: made
    for made in (
        Format("int8", "int8", "float16", "row"),
        Format("fp8", "float8_e4m3fn", "float32", "row"),
        Format("mxfp8", "float8_e4m3fn", "float8_e8m0fnu", "group", multiple=64),
        Format("mxfp4", "uint8", "float8_e8m0fnu", "group", multiple=64, codes_per_element=0.5),
        Format("hif8", "uint8", "float32", "tensor"),
        Format("kv_fp8", "float8_e4m3fn", "float32", "inside", multiple=512, row_bytes=640),
    )
}


@dataclasses.dataclass(frozen=True)
class Reader:
    """A kernel that reads a format: its published name, its `mode` argument, the row width it takes, its chips."""

    kernel: str
    mode: int
    width: int
    chips: tuple[str, ...]


INDEXER_KERNEL = "cann_ops_transformer::quant_lightning_indexer"
READERS = {
    "indexer": {
        "int8": Reader(INDEXER_KERNEL, 2, 128, ALL),
        "fp8": Reader(INDEXER_KERNEL, 1, 128, NEWEST),
        "hif8": Reader(INDEXER_KERNEL, 4, 128, NEWEST),
        "mxfp8": Reader(INDEXER_KERNEL, 3, 128, NEWEST),
        "mxfp4": Reader(INDEXER_KERNEL, 5, 128, NEWEST),
    },
    "attention": {
        "hif8": Reader("cann_ops_transformer::quant_sparse_flash_mla", 1, 512, NEWEST),
        "kv_fp8": Reader("custom::npu_kv_quant_sparse_attn_sharedkv", 1, 512, NEWEST),
    },
}
"""Kind of op -> format -> who reads it: the values the option `quantize` can have."""
