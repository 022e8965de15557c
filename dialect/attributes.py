"""Attributes between MLIR and Python: int as i64, float as f64, bool as i1, str as string."""

from collections.abc import Iterable, Mapping
from typing import Any

from torch_mlir import ir

from .fields import AttrField
from .segments import SEGMENTS

# what the IRDL form of a dialect asks of a required attribute
MLIR_KINDS = {int: ir.IntegerAttr, float: ir.FloatAttr, bool: ir.IntegerAttr, str: ir.StringAttr}


class Malformed:
    """An attribute that is not of the declared kind; it prints as its MLIR text."""

    def __init__(self, attribute: ir.Attribute) -> None:
        self.text = str(attribute)

    def __repr__(self) -> str:
        return self.text


def read(fields: Iterable[AttrField], attrs: Any) -> dict[str, Any]:
    """The attributes of an operation as Python values; undeclared and malformed ones are kept for c1 to refuse."""
    kinds = {field.name: field.type for field in fields}
    names = [name for name in attrs if name != SEGMENTS]
    return {name: _read_one(kinds.get(name), attrs[name]) for name in names}


def _read_one(kind: type | None, attribute: ir.Attribute) -> Any:
    if kind is bool and isinstance(attribute, ir.BoolAttr):
        return attribute.value
    if kind is int and isinstance(attribute, ir.IntegerAttr) and str(attribute.type) == "i64":
        return attribute.value
    if kind is float and isinstance(attribute, ir.FloatAttr) and str(attribute.type) == "f64":
        return attribute.value
    if kind is str and isinstance(attribute, ir.StringAttr):
        return attribute.value
    return Malformed(attribute)


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
    return ir.StringAttr.get(value, context=context)
