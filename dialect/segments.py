"""Which operand is which when some are optional: the attribute `operandSegmentSizes` counts each in order."""

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from .attributes import SEGMENTS, get
from .constraints import ConstraintError
from .fields import TensorField


def split_operands(op: Any, fields: Sequence[TensorField]) -> dict[str, ir.Value | None]:
    """The operands of an operation by name, None where absent; ConstraintError [c2] when the counts do not fit."""
    values = list(op.operands)
    if not any(field.optional for field in fields):
        if len(values) != len(fields):
            raise ConstraintError(f"[c2] has {len(values)} operands, expected {len(fields)}")
        return {field.name: value for field, value in zip(fields, values, strict=True)}
    counts = _counts(op, fields)
    if sum(counts) != len(values):
        raise ConstraintError(f"[c2] has {len(values)} operands, {SEGMENTS} counts {sum(counts)}")
    remaining = iter(values)
    return {field.name: next(remaining) if count else None for field, count in zip(fields, counts, strict=True)}


def _counts(op: Any, fields: Sequence[TensorField]) -> list[int]:
    attribute = get(op.attributes, SEGMENTS)
    if not isinstance(attribute, ir.DenseI32ArrayAttr):
        raise ConstraintError(f"[c2] needs {SEGMENTS} = array<i32: ...> with a count for each operand")
    counts = list(attribute)
    if len(counts) != len(fields):
        raise ConstraintError(f"[c2] {SEGMENTS} has {len(counts)} entries, expected {len(fields)}")
    for field, count in zip(fields, counts, strict=True):
        if count not in ((0, 1) if field.optional else (1,)):
            wanted = "0 or 1" if field.optional else "1"
            raise ConstraintError(f"[c2] {SEGMENTS} counts {count} for `{field.name}`, expected {wanted}")
    return counts
