"""Reading an MLIR operation of the dialect as a `Call`, and the structural rules s1 to s6 every operation obeys.

s1 operands are counted by operandSegmentSizes. s2 `args`, if present, names the given operands in order. s3
attributes are arguments of the schema, target, args, or contain a dot. s4 attributes have the type of their
argument (i64, f64, bool, string). s5 arguments without default are given. s6 results have the types that follow.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from torch_mlir import ir

from .. import attributes
from ..attributes import SEGMENTS
from ..constraints import ConstraintError
from ..fields import KINDS, AttrField, TensorField, attr
from ..segments import split_operands
from ..tensors import TensorInfo
from .call import Call, TensorFact
from .dtypes import MLIR_NAMES, from_mlir
from .schema import Param
from .spec import Spec

RESERVED = ("target", "args", SEGMENTS)
PYTHON = {"int": int, "float": float, "bool": bool, "str": str}


@cache
def attribute_fields(spec: Spec) -> tuple[AttrField, ...]:
    """The attributes of an operation but target and args, as the dialects declare theirs."""
    return tuple(_field(param) for param in spec.schema.scalars)


def _field(param: Param) -> AttrField:
    declared = attr("", param.default) if param.has_default else attr("")
    return replace(declared, name=param.name, type=PYTHON[param.kind])


@cache
def operand_fields(spec: Spec) -> tuple[TensorField, ...]:
    """The operands of an operation as the dialects declare theirs; shapes and dtypes are rules of the spec."""
    return tuple(TensorField("...", (), "", param.name, param.optional) for param in spec.schema.tensors)


def operands_of(spec: Spec, op: Any) -> dict[str, ir.Value]:
    """The given operands of an operation by the names of the schema."""
    values = split_operands(op, operand_fields(spec))
    return {name: value for name, value in values.items() if value is not None}


def scalars_of(spec: Spec, op: Any) -> dict[str, Any]:
    """The attributes of a structurally sound operation as Python values, defaults filled in."""
    given = attributes.read(attribute_fields(spec), op.attributes)
    return spec.scalars(given)


def call_of(spec: Spec, op: Any) -> Call:
    """A structurally sound operation as its constraints see it."""
    tensors = {name: tensor_fact(value.type) for name, value in operands_of(spec, op).items()}
    return Call(op.attributes["target"].value, tensors, scalars_of(spec, op))


def tensor_fact(type_: ir.Type) -> TensorFact:
    info = TensorInfo.of(type_)
    assert info is not None, f"{type_} is no ranked tensor"
    return TensorFact(*from_mlir(info.shape, info.dtype))


def structure_problem(spec: Spec, op: Any) -> str | None:
    """The first of s1 to s5 that does not hold."""
    return _operands_problem(spec, op) or _attributes_problem(spec, op) or _missing_problem(spec, op)


def _operands_problem(spec: Spec, op: Any) -> str | None:
    try:
        given = operands_of(spec, op)
    except ConstraintError as error:
        return str(error).replace("[c2]", "[s1]")  # the meaning dialect counts this rule as its c2
    for name, value in given.items():
        if TensorInfo.of(value.type) is None:
            return f"[s1] operand {name} is {value.type}, not a ranked tensor"
    args = attributes.get(op.attributes, "args")
    if "args" in op.attributes and str(args) != str(_names(given, op.context)):
        return f"[s2] args is {args}, the operands are {_names(given, op.context)}: correct it or leave it out"
    return None


def _names(given: dict[str, ir.Value], context: ir.Context) -> ir.Attribute:
    return ir.ArrayAttr.get([ir.StringAttr.get(name, context=context) for name in given], context=context)


def _attributes_problem(spec: Spec, op: Any) -> str | None:
    fields = {field.name: field for field in attribute_fields(spec)}
    for name, value in attributes.read(fields.values(), op.attributes).items():
        if name in RESERVED or "." in name:
            continue
        if name not in fields:
            return f"[s3] has no argument {name}: its attributes are {', '.join((*fields, 'target'))}"
        if isinstance(value, attributes.Malformed):
            return f"[s4] {name} is {value}: write it as {KINDS[fields[name].type][1]}"
    if not isinstance(attributes.get(op.attributes, "target"), ir.StringAttr):
        return '[s5] has no target: name the machine, as in target = "host"'
    return None


def _missing_problem(spec: Spec, op: Any) -> str | None:
    for param in spec.schema.scalars:
        if param.must_be_given and param.name not in op.attributes:
            return f"[s5] has no {param.name}: it has no default, write it as {KINDS[PYTHON[param.kind]][1]}"
    return None


def result_facts(spec: Spec, call: Call) -> list[tuple[tuple[int | None, ...], str]]:
    """Shape and MLIR element text of every result of a checked call, mutated tensors first."""
    mutated = [(call.tensors[name].shape, call.tensors[name].dtype) for name in spec.schema.mutated]
    return [(shape, MLIR_NAMES[dtype]) for shape, dtype in (*mutated, *spec.result_facts(call))]


def result_problem(spec: Spec, call: Call, op: Any) -> str | None:
    """s6: the results have the types that follow from operands and attributes (a static size may stay dynamic)."""
    wanted = result_facts(spec, call)
    if len(op.results) != len(wanted):
        return f"[s6] has {len(op.results)} results, not {len(wanted)}"
    for number, ((shape, element), value) in enumerate(zip(wanted, op.results, strict=True)):
        info, expected = TensorInfo.of(value.type), TensorInfo(shape, element)
        if info is None or info.dtype != element or not _fits(info.shape, shape):
            return f"[s6] result {number} is {value.type}: it follows as tensor<{expected}>"
    return None


def _fits(actual: tuple, wanted: tuple) -> bool:
    pairs = zip(actual, wanted, strict=False)
    return len(actual) == len(wanted) and all(a is None or w is None or a == w for a, w in pairs)
