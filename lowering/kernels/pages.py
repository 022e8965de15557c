"""Keys that lie in order, as the pages a kernel wants: [B, T, 1, D] is [blocks, block, 1, D] with a trivial table."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..analysis import ints
from ..analysis.ints import Int
from ..build import Builder
from .pieces import Piece, counting, torch_value

STEP, USUAL, MOST = 16, 128, 1024  # a block has a multiple of 16 rows and at most 1024; caches usually have 128


@dataclasses.dataclass(frozen=True)
class Pages:
    """The keys as blocks, the table [B, blocks of a batch], and what it costs."""

    keys: Piece
    table: Piece
    block: int
    note: str | None


def paged(name: str, keys: Piece, block: int | None = None) -> Pages:
    """Pages over `keys` [B, T, 1, D]: a view where T is (a dynamic T: is proven to be) whole blocks, else a copy.

    `block` is the size the kernel insists on. The note names a copy, for the report.
    """
    batches, length = keys.dims[0], keys.dims[1]
    size = block or _block(length)
    columns = ints.floordiv(length + size - 1, ints.of(size))
    padded = columns * size
    dims = (batches * columns, ints.of(size), *keys.dims[2:])

    def make(build: Builder) -> Any:
        value = torch_value(build, keys)
        if padded != length:
            grown = (batches, padded, *keys.dims[2:])
            amounts = build.elements([build.integer(ints.of(n)) for n in (0, 0, 0, 0, 0, padded - length)])
            value = build.torch(
                "torch.aten.constant_pad_nd", [value, amounts, build.integer(ints.of(0))], grown, keys.dtype
            )
        return build.to_builtin(build.view(value, dims))

    short = "no" if length.is_const else "not proven to be"
    note = f"{name} is copied to pages: {length} rows are {short} whole blocks of {size}" if padded != length else None
    return Pages(Piece(dims, keys.dtype, make), counting(batches, columns), size, note)


def _block(length: Int) -> int:
    """A block size that divides `length`, else one that wastes little."""
    if _divides(USUAL, length):
        return USUAL
    whole = next((size for size in range(MOST, 0, -STEP) if _divides(size, length)), None)
    if whole is not None:
        return whole
    return min(-(-length.const // STEP) * STEP, USUAL) if length.is_const else USUAL


def _divides(size: int, length: Int) -> bool:
    return ints.mod(length, ints.of(size)) == ints.of(0)


def flat(pages: Pages) -> Piece:
    """The blocks as rows [blocks * block, D]."""
    blocks, size, _, width = pages.keys.dims
    dims = (blocks * size, width)

    def make(build: Builder) -> Any:
        return build.to_builtin(build.view(torch_value(build, pages.keys), dims))

    return Piece(dims, pages.keys.dtype, make)
