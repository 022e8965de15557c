"""Building the operators that quantise: torch operators of ours, as torch-mlir spells operators it does not know."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from ...dialect.npu.dtypes import MLIR_NAMES
from ..analysis import ints
from ..analysis.graph import FACT, LIST, Value
from ..analysis.ints import Int
from ..build import Builder
from .formats import Format

QUANTISE, WRITE = "torch.sparse_attn.quantise", "torch.sparse_attn.write_codes"
WHOLE = ("tensor", "inside")  # layouts whose scale does not grow with the rows
ROWS = ints.of(1)  # the dimension along which rows are put together
Parts = tuple[Value, Value]  # codes and scale


def codes_dims(dims: Sequence[Int], format: Format) -> tuple[Int, ...]:
    """Sizes of the codes of a tensor; its last size is a number."""
    return (*dims[:-1], ints.of(format.codes_shape([dims[-1].const])[0]))


def scale_dims(dims: Sequence[Int], format: Format) -> tuple[Int, ...]:
    """Sizes of the scales of a tensor."""
    own = tuple(ints.of(d) for d in format.scale_shape([dims[-1].const]))
    return own if format.layout in WHOLE else (*dims[:-1], *own)


def quantise(build: Builder, values: Value, format: Format) -> Parts:
    """`sparse_attn.quantise` of a torch tensor."""
    assert values.dims is not None
    dims = codes_dims(values.dims, format), scale_dims(values.dims, format)
    codes, scale = _operator(build, QUANTISE, [values, _text(build, format.name)], dims, (format.codes, format.scale))
    return codes, scale


def joined(build: Builder, parts: Sequence[Parts], format: Format) -> Parts:
    """Codes and scales of rows one after the other along dimension 1."""
    codes, scales = zip(*parts, strict=True)
    return _cat(build, codes), scales[0] if format.layout in WHOLE else _cat(build, scales)


def written(build: Builder, old: Parts, index: Value, new: Parts, format: Format) -> Parts:
    """Codes and scales with new rows at the places `index` of dimension 1."""
    codes = _write(build, old[0], index, new[0], format.codes)
    return codes, old[1] if format.layout in WHOLE else _write(build, old[1], index, new[1], format.scale)


def _write(build: Builder, codes: Value, index: Value, rows: Value, dtype: str) -> Value:
    assert codes.dims is not None
    return _operator(build, WRITE, [codes, build.integer(ROWS), index, rows], [codes.dims], [dtype])[0]


def _cat(build: Builder, parts: Sequence[Value]) -> Value:
    all_dims = [part.dims for part in parts if part.dims is not None]
    total = functools.reduce(Int.__add__, (dims[1] for dims in all_dims))
    first = parts[0]
    kind = ir.Type.parse("!torch.list<vtensor>", context=build.graph.function.context)
    made = ir.Operation.create(LIST, [kind], [p.mlir for p in parts], loc=build.location, ip=build.point)
    listed = Value(LIST, list(parts), 0, None, "", mlir=made.result)
    dims = (all_dims[0][0], total, *all_dims[0][2:])
    return build.torch("torch.aten.cat", [listed, build.integer(ROWS)], dims, first.dtype)


def _operator(
    build: Builder, name: str, operands: list[Value], dims: Sequence[Sequence[Int]], dtypes: Sequence[str]
) -> list[Value]:
    context = build.graph.function.context
    kinds = [_vtensor(d, t, context) for d, t in zip(dims, dtypes, strict=True)]
    made = ir.Operation.create("torch.operator", kinds, [v.mlir for v in operands], loc=build.location, ip=build.point)
    made.attributes["name"] = ir.StringAttr.get(name, context)
    texts = [ir.StringAttr.get(", ".join(map(str, d)), context) for d in dims]
    made.attributes[FACT + "dims"] = ir.ArrayAttr.get(texts, context)
    return [
        Value(name, operands, i, tuple(d), MLIR_NAMES[t], mlir=made.results[i], order=build.before.order)
        for i, (d, t) in enumerate(zip(dims, dtypes, strict=True))
    ]


def _vtensor(dims: Sequence[Int], dtype: str, context: ir.Context) -> ir.Type:
    sizes = ",".join(str(d.const) if d.is_const else "?" for d in dims)
    return ir.Type.parse(f"!torch.vtensor<[{sizes}],{MLIR_NAMES[dtype]}>", context=context)


def _text(build: Builder, value: str) -> Value:
    context = build.graph.function.context
    kind: Any = ir.Type.parse("!torch.str", context=context)
    made = ir.Operation.create("torch.constant.str", [kind], [], loc=build.location, ip=build.point)
    made.attributes["value"] = ir.StringAttr.get(value, context)
    return Value("torch.constant.str", [], 0, None, "", constant=value, mlir=made.result)
