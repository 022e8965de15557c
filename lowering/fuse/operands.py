"""Reading our ops in a graph snapshot: operands and attributes by name."""

from __future__ import annotations

from typing import Any

from ...dialect import sparse_attn
from ...dialect.segments import SEGMENTS
from ..analysis.graph import Value
from ..replace import keep_facts

CLASSES = {op.OPERATION_NAME: op for op in sparse_attn.OPS}


def operands(value: Value) -> dict[str, Value | None]:
    """The operands of one of our ops by name, None where absent."""
    fields = CLASSES[value.op].DEFINITION.operands
    attributes = value.operation.attributes
    sizes = list(attributes[SEGMENTS]) if SEGMENTS in attributes else [1] * len(fields)
    rest = iter(value.operands)
    return {field.name: next(rest) if size else None for field, size in zip(fields, sizes, strict=True)}


def attributes(value: Value) -> dict[str, Any]:
    """The attributes of one of our ops as Python values, defaults filled in."""
    view = value.operation.opview
    return {field.name: getattr(view, field.name) for field in CLASSES[value.op].DEFINITION.attributes}


def rebuilt(value: Value, build: Any, changes: dict[str, Any]) -> Any:
    """The same op built again with some operands (MLIR values) and attributes changed; the new operation."""
    given: dict[str, Any] = {name: v.mlir if v is not None else None for name, v in operands(value).items()}
    given |= attributes(value) | changes
    made = CLASSES[value.op].build(**given, loc=value.operation.location, ip=build.point).operation
    keep_facts(value.operation, made)
    return made
