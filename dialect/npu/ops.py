"""The MLIR side of the specs: the dialect's types, one operation class for each spec, its verifier, and a builder.

An operation has the schema's tensors as named operands (`operandSegmentSizes` counts the optional ones), its other
arguments as attributes that may be left out at their default, and `target`, the machine whose limits hold. `args`,
where present, repeats the names of the given operands for the reader. Tensors the operator mutates come back as the
first results, `<name>_out`: the IR is functional, the torch call writes in place. Every operation is pure, so equal
plans are shared by CSE.
"""

import types
from collections.abc import Callable
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import ext

from ..tensors import TensorInfo
from . import SPECS
from .facts import call_of, result_facts, result_problem, structure_problem
from .spec import Spec
from .text import function_text, make_call


class Npu(ext.Dialect, name="npu"):
    """Published kernels of Ascend NPUs, on builtin tensors."""


class Hif8(Npu.Type, name="hif8"):
    """One HIFLOAT8 element: 8 bits of tapered precision."""


class Fp4x2(Npu.Type, name="fp4x2"):
    """Two FP4 e2m1 elements in a byte, the even one in the low half; shapes count bytes."""


class KvRow640(Npu.Type, name="kv_row640"):
    """One row of 640 bytes: 64 bf16 rotary elements, 448 E4M3 elements, 7 E8M0 scales, padding."""


def result_names(spec: Spec) -> tuple[str, ...]:
    """The results of a spec's operation: mutated tensors first, then what the operator returns."""
    return (*(f"{name}_out" for name in spec.schema.mutated), *(result.name for result in spec.results))


def _verifier(spec: Spec) -> Callable[[Any], bool]:
    def verify_invariants(self: Any) -> bool:
        problem = verify(spec, self)
        if problem is not None:
            self.location.emit_error(f"'{spec.op}' op {problem}")
        return problem is None

    return verify_invariants


def verify(spec: Spec, op: Any) -> str | None:
    """The first thing wrong with an operation: its structure, a constraint of its target, or a result type."""
    if problem := structure_problem(spec, op):
        return problem
    call = call_of(spec, op)
    for finding in spec.check(call):
        if not finding.warning:
            return finding.message
    return result_problem(spec, call, op)


def _operation(spec: Spec) -> type:
    fields: dict[str, Any] = {}
    for param in spec.schema.tensors:
        value = ext.Operand[ir.RankedTensorType]
        fields[param.name] = value | None if param.optional else value
    fields["target"] = ir.StringAttr
    for name in result_names(spec):
        fields[name] = ext.Result[ir.RankedTensorType]
    doc = f"{spec.about}\n\n```mlir\n{example(spec)}\n```"
    body = {"__annotations__": fields, "__doc__": doc, "SPEC": spec, "verify_invariants": _verifier(spec)}
    name = "".join(part.capitalize() for part in spec.name.split("_")) + "Op"
    options = {"name": spec.name, "traits": [ext.Pure]}
    return types.new_class(name, (Npu.Operation,), options, lambda namespace: namespace.update(body))


def example(spec: Spec) -> str:
    """The spec's example as MLIR, aimed at the first chip that has the kernel."""
    call = make_call(spec, spec.chips[0], spec.example)
    broken = [finding.message for finding in spec.check(call)]
    assert not broken, f"the example of {spec.name} is refused: {broken}"
    results = [f"tensor<{TensorInfo(*fact)}>" for fact in result_facts(spec, call)]
    return function_text(spec, call, results, name="example")


OPS: list[type] = [_operation(spec) for spec in SPECS.values()]
"""The operation class of every spec, in the order of `SPECS`; `OP.SPEC` is its spec."""
