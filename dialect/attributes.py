"""Attributes between MLIR and Python: int as i64, float as f64, bool as i1, str as string."""

from collections.abc import Iterable, Mapping
from typing import Any

from torch_mlir import ir

from .fields import AttrField, Symbol

SEGMENTS = "operandSegmentSizes"  # which operand is which: see `segments`

# what the IRDL form of a dialect asks of a required attribute
MLIR_KINDS = {
    int: ir.IntegerAttr,
    float: ir.FloatAttr,
    bool: ir.IntegerAttr,
    str: ir.StringAttr,
    Symbol: ir.FlatSymbolRefAttr,
}


class Malformed:
    """An attribute that is not of the declared kind; it prints as its MLIR text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def read(fields: Iterable[AttrField], attrs: Any) -> dict[str, Any]:
    """The attributes of an operation as Python values; undeclared and malformed ones are kept for c1 to refuse."""
    found: dict[str, Any] = {name: Malformed("undeclared") for name in attrs if name != SEGMENTS}
    declared = [field for field in fields if field.name in found]
    return found | {field.name: _read_one(field.type, get(attrs, field.name)) for field in declared}


def get(attrs: Any, name: str) -> ir.Attribute | None:
    """One attribute of an operation, None when absent or of a kind the bindings have no class for (array<i24: 1>)."""
    try:
        return attrs.get(name)
    except TypeError:
        return None


def _read_one(kind: type, attribute: ir.Attribute | None) -> Any:
    if kind is bool and isinstance(attribute, ir.BoolAttr):
        return attribute.value
    if kind is int and isinstance(attribute, ir.IntegerAttr) and str(attribute.type) == "i64":
        return attribute.value
    if kind is float and isinstance(attribute, ir.FloatAttr) and str(attribute.type) == "f64":
        return attribute.value
    if kind is str and isinstance(attribute, ir.StringAttr):
        return attribute.value
    if kind is Symbol and isinstance(attribute, ir.FlatSymbolRefAttr):
        return Symbol(attribute.value)
    return Malformed("an attribute of unknown kind" if attribute is None else str(attribute))


def write(fields: Iterable[AttrField], values: Mapping[str, Any], context: ir.Context) -> dict[str, ir.Attribute]:
    """Python values as MLIR attributes, without those equal to their default."""
    kept = [field for field in fields if field.required or values[field.name] != field.default]
    return {field.name: _write_one(field.type, values[field.name], context) for field in kept}


def _write_one(kind: type, value: Any, context: ir.Context) -> ir.Attribute:
    if kind is bool:
        return ir.BoolAttr.get(value, context=context)
    if kind is int:
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context), value)
    if kind is float:
        return ir.FloatAttr.get_f64(float(value), context=context)
    if kind is Symbol:
        return ir.FlatSymbolRefAttr.get(value, context=context)
    return ir.StringAttr.get(value, context=context)
