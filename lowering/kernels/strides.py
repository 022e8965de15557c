"""Whether a tensor lies contiguous in memory, and making it so where that is not known."""

from __future__ import annotations

from typing import Any

from ..analysis import ints
from ..analysis.graph import FACT, LIST, Value
from ..analysis.int_text import parse
from ..analysis.ints import Int
from ..build import Builder

ONE = ints.of(1)
CONTIGUOUS_FORMAT = 0
CROSSINGS = ("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast")
FRESH = (  # results in memory of their own, in order
    "torch.aten.full", "torch.aten.arange", "torch.aten.contiguous", "torch.aten.repeat", "torch.aten.cat",
    "torch.aten.floor_divide.Scalar", "torch.aten.mul.Scalar", "torch.aten.add.Tensor", "torch.aten.add.Scalar",
    "torch.aten.constant_pad_nd",
)  # fmt: skip
Strides = tuple[Int, ...]


def dense(build: Builder, value: Value) -> Any:
    """`value` as a contiguous builtin tensor."""
    if contiguous(value):
        return build.to_builtin(value)
    torch = build.from_torch_or_builtin(value)
    assert torch.dims is not None
    order = build.integer(ints.of(CONTIGUOUS_FORMAT))
    return build.to_builtin(build.torch("torch.aten.contiguous", [torch, order], torch.dims, torch.dtype))


def contiguous(value: Value) -> bool:
    """The strides are proven to be those of a contiguous tensor."""
    found = strides(value)
    if found is None or value.dims is None:
        return False
    expected = ONE
    for size, step in zip(reversed(value.dims), reversed(found), strict=True):
        if size != ONE and step != expected:
            return False
        expected = expected * size
    return True


def strides(value: Value) -> Strides | None:
    """Elements between neighbours along each dimension, from torch's own record or through layout ops."""
    noted = _noted(value)
    if noted is not None or value.dims is None:
        return noted
    if not value.op:
        return None if value.is_torch else _packed(value.dims)  # a builtin tensor has no layout but the usual one
    if value.op.startswith(("sparse_attn.", "npu.")) or value.op in FRESH:
        return _packed(value.dims)
    if value.op == "torch.aten.view":
        return _packed(value.dims) if contiguous(value.operands[0]) else None
    source = strides(value.operands[0]) if value.operands and value.operands[0].dims is not None else None
    return _moved(value, list(source)) if source is not None else None


def _moved(value: Value, source: list[Int]) -> Strides | None:
    """Strides after a layout op over a tensor with strides `source`."""
    assert value.dims is not None
    match value.op:
        case op if op in CROSSINGS:
            return tuple(source)
        case "torch.aten.permute":
            order = [v.constant for v in (value.operands[1].operands if value.operands[1].op == LIST else ())]
            return tuple(source[d] for d in order) if len(order) == len(source) else None
        case "torch.aten.unsqueeze":
            dim = value.operands[1].constant
            return (*source[:dim], ints.of(0), *source[dim:]) if isinstance(dim, int) and dim >= 0 else None
        case "torch.aten.select.int":
            dim = value.operands[1].constant
            return (*source[:dim], *source[dim + 1 :]) if isinstance(dim, int) and dim >= 0 else None
        case "torch.aten.slice.Tensor" if value.int(4) == ONE:
            return tuple(source)
        case "torch.aten._to_copy":  # keeps the order of a tensor without holes
            return tuple(source) if _packed(value.dims) == tuple(source) else None
    return None


def _packed(dims: tuple[Int, ...]) -> Strides:
    steps, step = [], ONE
    for size in reversed(dims):
        steps.append(step)
        step = step * size
    return tuple(reversed(steps))


def _noted(value: Value) -> Strides | None:
    """The strides torch recorded for a value of the graph."""
    text = None
    if value.op:
        attributes = value.operation.attributes
        if FACT + "strides" in attributes and value.result < len(attributes[FACT + "strides"]):
            text = attributes[FACT + "strides"][value.result].value
    else:
        attributes = value.mlir.owner.owner.attributes
        facts = list(attributes["arg_attrs"]) if "arg_attrs" in attributes else []
        if value.result < len(facts) and FACT + "strides" in facts[value.result]:
            text = facts[value.result][FACT + "strides"].value
    if not text or value.dims is None:
        return None
    found = tuple(parse(part) for part in text.split(","))
    return found if len(found) == len(value.dims) else None
