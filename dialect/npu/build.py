"""Building an operation of the dialect from names: constraints are checked first, result types follow."""

from collections.abc import Mapping
from typing import Any

from torch_mlir import ir

from .. import attributes
from ..attributes import SEGMENTS
from ..constraints import ConstraintError
from ..tensors import TensorInfo
from .call import Call
from .constraint import Finding
from .facts import attribute_fields, result_facts, tensor_fact
from .spec import Spec


def describe(spec: Spec, target: str, operands: Mapping[str, ir.Value], scalars: Mapping[str, Any]) -> Call:
    """The call an operation with these operands and attributes would be."""
    given = {param.name: operands[param.name] for param in spec.schema.tensors if operands.get(param.name) is not None}
    return Call(target, {name: tensor_fact(value.type) for name, value in given.items()}, spec.scalars(scalars))


def refusals(spec: Spec, target: str, operands: Mapping[str, ir.Value], scalars: Mapping[str, Any]) -> list[Finding]:
    """Everything the target would refuse (or warn of) in such an operation; nothing is built."""
    return spec.check(describe(spec, target, operands, scalars))


def build_op(
    spec: Spec,
    target: str,
    operands: Mapping[str, ir.Value],
    scalars: Mapping[str, Any],
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.OpView:
    """Build `npu.<spec.name>`; operands and scalars by the schema's names, None where left out.

    Raises ConstraintError with the number of the first broken constraint, and TypeError for a name the schema does
    not have or a required tensor that is missing, before anything is made.
    """
    _check_names(spec, operands, scalars)
    call = describe(spec, target, operands, scalars)
    broken = next((finding for finding in spec.check(call) if not finding.warning), None)
    if broken is not None:
        raise ConstraintError(f"{spec.op} {broken.message}")
    present = [operands.get(param.name) for param in spec.schema.tensors]
    values = [value for value in present if value is not None]
    context = (loc or ir.Location.current).context
    names = [param.name for param, value in zip(spec.schema.tensors, present, strict=True) if value is not None]
    written = _attributes(spec, scalars, context) | {
        "target": ir.StringAttr.get(target, context=context),
        "args": ir.ArrayAttr.get([ir.StringAttr.get(name, context=context) for name in names], context=context),
    }
    if any(param.optional for param in spec.schema.tensors):
        counts = [int(value is not None) for value in present]
        written[SEGMENTS] = ir.DenseI32ArrayAttr.get(counts, context=context)
    types = [value.type for value in (operands[name] for name in spec.schema.mutated)]
    types += [TensorInfo(*fact).mlir_type(context) for fact in result_facts(spec, call)[len(types) :]]
    return ir.Operation.create(spec.op, types, values, written, loc=loc, ip=ip).opview


def _check_names(spec: Spec, operands: Mapping[str, ir.Value], scalars: Mapping[str, Any]) -> None:
    tensors = {param.name: param for param in spec.schema.tensors}
    attributes = {param.name: param for param in spec.schema.scalars}
    unknown = [name for name in operands if name not in tensors] + [name for name in scalars if name not in attributes]
    if unknown:
        raise TypeError(f"{spec.op} has no argument {', '.join(unknown)}: it has {', '.join(spec.schema.by_name)}")
    missing = [name for name, param in tensors.items() if not param.optional and operands.get(name) is None]
    missing += [name for name, param in attributes.items() if param.must_be_given and scalars.get(name) is None]
    if missing:
        raise TypeError(f"{spec.op} needs {', '.join(missing)}")


def _attributes(spec: Spec, scalars: Mapping[str, Any], context: ir.Context) -> dict[str, ir.Attribute]:
    """Attributes that differ from their default: equal operations are spelled equally."""
    given = [field for field in attribute_fields(spec) if scalars.get(field.name) is not None]
    return attributes.write(given, scalars, context)
