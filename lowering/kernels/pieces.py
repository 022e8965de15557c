"""Operands of a kernel call before they exist: what they will be, and how to make them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from ...dialect.npu.call import TensorFact
from ...dialect.npu.dtypes import NAMES
from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var
from ..build import Builder
from ..build_integers import integer_tensor
from ..normalize.forms import peel
from ..normalize.term import Elem
from .strides import dense

ZERO, ONE = ints.of(0), ints.of(1)
INT32 = 3


@dataclasses.dataclass(frozen=True)
class Piece:
    """A builtin tensor to be: sizes, MLIR element type, and `make`, which builds it."""

    dims: tuple[Int, ...]
    dtype: str
    make: Callable[[Builder], Any]

    @property
    def fact(self) -> TensorFact:
        """As the spec's constraints see it."""
        sizes = tuple(d.const if d.is_const else None for d in self.dims)
        return TensorFact(sizes, NAMES.get(self.dtype, self.dtype))


def arranged(value: Value, at: Sequence[Int], order: Sequence[Int], dtype: str | None = None) -> Piece:
    """Element `at` of `value` laid out as `order`, contiguous, in `dtype` (its own unless given)."""
    wanted, dims = dtype or value.dtype, tuple(_size(i) for i in order)

    def make(build: Builder) -> Any:
        elem = peel(Elem(value, tuple(at)))
        whole = elem.idx == tuple(order) and elem.value.dims == dims
        if whole and elem.value.dtype == wanted and not elem.value.is_torch:
            return dense(build, elem.value)
        made = build.from_torch_or_builtin(build.operand(elem, order))
        return dense(build, build.cast(made, wanted))

    return Piece(dims, wanted, make)


def _size(index: Int) -> Int:
    return index.atom.size if isinstance(index.atom, Var) else ONE


def scaled(piece: Piece, factor: float) -> Piece:
    """Every element times a constant."""
    if factor == 1.0:
        return piece

    def make(build: Builder) -> Any:
        value = torch_value(build, piece)
        return build.to_builtin(
            build.torch("torch.aten.mul.Scalar", [value, build.number(factor)], piece.dims, piece.dtype)
        )

    return Piece(piece.dims, piece.dtype, make)


def torch_value(build: Builder, piece: Piece) -> Value:
    """A piece as a torch tensor."""
    element = "s" + piece.dtype if piece.dtype in ("i32", "i64") else piece.dtype
    return build.from_builtin(piece.make(build), piece.dims, element)


def filled(dims: Sequence[Int | int], value: Int) -> Piece:
    """An int32 tensor of one number."""
    sizes = tuple(ints.of(d) for d in dims)

    def make(build: Builder) -> Any:
        none = build.none()
        shape = build.elements([build.integer(d) for d in sizes])
        rest = [build.integer(ints.of(INT32)), none, none, build.boolean(False)]
        return build.to_builtin(build.torch("torch.aten.full", [shape, build.integer(value), *rest], sizes, "si32"))

    return Piece(sizes, "i32", make)


def per_batch(value: Int, batch: Int, batches: Int | int) -> Piece:
    """An int32 tensor [B] of an expression over the axis `batch`."""
    if value.is_const:
        return filled([batches], value)
    dims = (ints.of(batches),)

    def make(build: Builder) -> Any:
        made = build.select(integer_tensor(build, value, batch, ZERO), 1, ZERO)
        return dense(build, repeated(build, made, dims))

    return Piece(dims, "i32", make)


def per_row(value: Int, batch: Int, row: Int, dims: Sequence[Int]) -> Piece:
    """An int32 tensor [B, S, 1] of an expression over the axes `batch` and `row`, of sizes `dims`."""
    wanted = (*dims, ONE)

    def make(build: Builder) -> Any:
        made = build.unsqueeze(integer_tensor(build, value, batch, row), 2)
        return dense(build, repeated(build, made, wanted))

    return Piece(wanted, "i32", make)


def repeated(build: Builder, value: Value, dims: Sequence[Int]) -> Value:
    """Copies along the axes of size one that `dims` wants larger."""
    assert value.dims is not None
    if value.dims == tuple(dims):
        return value
    times = [ONE if old == new else new for old, new in zip(value.dims, dims, strict=True)]
    return build.torch(
        "torch.aten.repeat", [value, build.elements([build.integer(n) for n in times])], dims, value.dtype
    )


def viewed(piece: Piece, dims: Sequence[Int]) -> Piece:
    """The same elements in order under other sizes."""

    def make(build: Builder) -> Any:
        return build.to_builtin(build.view(torch_value(build, piece), dims))

    return Piece(tuple(dims), piece.dtype, make)


def joined(piece: Piece) -> Piece:
    """The first two axes as one: [B, S, ...] is [B * S, ...]."""
    first, second, *rest = piece.dims
    return viewed(piece, (first * second, *rest))


def starts(batches: Int, size: Int) -> Piece:
    """The int32 sums 0, size, 2 * size, ..., batches * size: where each of equal batches begins, and the end."""
    dims = (batches + 1,)

    def make(build: Builder) -> Any:
        value = build.view(torch_value(build, counting(1, batches + 1)), dims)
        if size != ONE:
            value = build.torch("torch.aten.mul.Scalar", [value, build.integer(size)], dims, "si32")
        return build.to_builtin(value)

    return Piece(dims, "i32", make)


def counting(rows: Int | int, columns: Int | int) -> Piece:
    """The int32 table [rows, columns] of 0, 1, 2, ...: blocks of caches that lie one after the other."""
    dims = (ints.of(rows), ints.of(columns))

    def make(build: Builder) -> Any:
        none = build.none()
        total = dims[0] * dims[1]
        rest = [build.integer(ints.of(INT32)), none, none, build.boolean(False)]
        made = build.torch("torch.aten.arange", [build.integer(total), *rest], [total], "si32")
        return build.to_builtin(build.view(made, dims))

    return Piece(dims, "i32", make)
