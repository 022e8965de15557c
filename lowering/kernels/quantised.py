"""Operands for the kernels that read codes and scales, where the user asked for quantisation."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence

from ...dialect.npu.dtypes import MLIR_NAMES
from ..analysis.ints import Int
from ..build import Builder
from ..quantize import operators
from ..quantize.formats import FORMATS, Format
from ..quantize.mark import marked
from ..quantize.operators import Parts
from .contract import Requirement, Use
from .pieces import Piece, torch_value

NOT_QUANTISED = "the graph is not quantised: pass options={'quantize': ...}"


def quantised_as(*names: str) -> Requirement:
    """The op is to be quantised, to one of these formats."""

    def check(use: Use) -> str | None:
        found = marked(use.value)
        if found is None:
            return NOT_QUANTISED
        return None if found in names else f"it is to be quantised to {found}; the kernel reads {', '.join(names)}"

    return check


def format_of(use: Use) -> Format:
    """The format an op is to be quantised to."""
    name = marked(use.value)
    assert name is not None
    return FORMATS[name]


@dataclasses.dataclass(frozen=True)
class Quantised:
    """Codes and scale of a tensor that is [.., D] unquantised; `note` says where it is quantised."""

    codes: Piece
    scale: Piece
    note: str = ""


def quantised(piece: Piece, format: Format, note: str = "") -> Quantised:
    """All of a tensor, at each call."""
    return put_together(
        piece.dims, format, lambda build: operators.quantise(build, torch_value(build, piece), format), note
    )


def put_together(dims: Sequence[Int], format: Format, make: Callable[[Builder], Parts], note: str) -> Quantised:
    """What `make` builds once, as two operands."""
    both = functools.cache(make)
    codes, scale = operators.codes_dims(dims, format), operators.scale_dims(dims, format)
    return Quantised(
        Piece(codes, _builtin(format.codes), lambda build: build.to_builtin(both(build)[0])),
        Piece(scale, _builtin(format.scale), lambda build: build.to_builtin(both(build)[1])),
        note,
    )


def _builtin(dtype: str) -> str:
    """Builtin tensors carry bytes without a sign."""
    return "i8" if dtype in ("int8", "uint8") else MLIR_NAMES[dtype]
