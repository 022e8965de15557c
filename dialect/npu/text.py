"""A call written as text: tensors as `"bfloat16 2 3 64 512"`, and the whole call as an MLIR function.

Specs hold their example in this form; documentation and tests read it.
"""

from collections.abc import Mapping
from typing import Any

from .call import Call, TensorFact
from .dtypes import MLIR_NAMES
from .rows import KV_ROW
from .spec import Spec


def parse_tensor(text: str) -> TensorFact:
    """A tensor fact from `"dtype size size ..."`; `?` is an unknown size."""
    dtype, *sizes = text.split()
    return TensorFact(tuple(None if size == "?" else int(size) for size in sizes), dtype)


def make_call(spec: Spec, target: str, arguments: Mapping[str, Any]) -> Call:
    """A call from arguments by name, tensors as text or facts, None or missing where left out.

    Raises TypeError for a name the schema does not have.
    """
    unknown = set(arguments) - set(spec.schema.by_name)
    if unknown:
        raise TypeError(f"{spec.op} has no argument {', '.join(sorted(unknown))}")
    tensors = {param.name: arguments.get(param.name) for param in spec.schema.tensors}
    facts = {name: parse_tensor(t) if isinstance(t, str) else t for name, t in tensors.items() if t is not None}
    scalars = {param.name: arguments.get(param.name) for param in spec.schema.scalars}
    return Call(target, facts, spec.scalars(scalars))


def function_text(spec: Spec, call: Call, results: list[str], name: str = "f", all_attributes: bool = False) -> str:
    """The call as `func.func`, with the operation on its second line; attributes at their default are left out."""
    types = {tensor: mlir_type(fact.shape, fact.dtype) for tensor, fact in call.tensors.items()}
    attributes = [f'target = "{call.target}"', *_attributes(spec, call, all_attributes)]
    if any(param.optional for param in spec.schema.tensors):
        counts = ", ".join(str(int(call.has(param.name))) for param in spec.schema.tensors)
        attributes.append(f"operandSegmentSizes = array<i32: {counts}>")
    values = ", ".join(f"%{tensor}" for tensor in types)
    signature = f"({', '.join(types.values())}) -> ({', '.join(results)})"
    arguments = ", ".join(f"%{tensor}: {text}" for tensor, text in types.items())
    body = f'%r:{len(results)} = "{spec.op}"({values}) {{{", ".join(attributes)}}} : {signature}'
    return f"func.func @{name}({arguments}) {{\n  {body}\n  return\n}}"


def mlir_type(shape: tuple, dtype: str) -> str:
    """The MLIR text of a tensor type."""
    shown = shape[:-1] if dtype == KV_ROW else shape
    return "tensor<" + "".join("?x" if size is None else f"{size}x" for size in shown) + MLIR_NAMES[dtype] + ">"


def _attributes(spec: Spec, call: Call, all_attributes: bool) -> list[str]:
    shown = [param for param in spec.schema.scalars if call.scalars[param.name] is not None]
    if not all_attributes:
        shown = [
            p
            for p in shown
            if not p.has_default or call.scalars[p.name] not in (p.default, spec.none_means.get(p.name))
        ]
    return [f"{param.name} = {_literal(param.kind, call.scalars[param.name])}" for param in shown]


def _literal(kind: str, value: Any) -> str:
    if kind == "str":
        return f'"{value}"'
    if kind == "bool":
        return str(bool(value)).lower()
    if kind == "int":
        return f"{value} : i64"
    return f"{value:.17e} : f64" if value - value == 0 else "0x7FF0000000000000 : f64"
