"""Facts about the MLIR bindings which the compiler relies on and which another release could change.

Each fact is a function that answers what is wrong, or None.
"""

from __future__ import annotations

from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering import passes

GOOD = """
func.func @f(%i: tensor<1x2x3xi32>) -> tensor<1x2x8xi1> {
  %0 = "sparse_attn.selection"(%i) {extent = 8 : i64} : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
  return %0 : tensor<1x2x8xi1>
}
"""


def dialects_load() -> str | None:
    """Our dialects load into a context, beside torch's."""
    context = registry.new_context()
    module = ir.Module.parse('module { %0 = "torch.constant.int"() {value = 1 : i64} : () -> !torch.int }', context)
    return None if module.operation.verify() else "the torch dialect is not there"


def operations_are_ours() -> str | None:
    """Parsed operations are seen as our classes."""
    module = ir.Module.parse(GOOD, registry.new_context())
    kinds = [type(op).__name__ for op in _body(module)]
    return None if kinds[0] == "SelectionOp" else f"a sparse_attn.selection is seen as {kinds[0]}"


def verifiers_run() -> str | None:
    """A broken constraint is an error with its number, not a crash."""
    try:
        ir.Module.parse(GOOD.replace("2x8xi1", "2x9xi1"), registry.new_context()).operation.verify()
    except ir.MLIRError as error:
        return None if "[c" in str(error) else f"the error names no constraint: {error}"
    return "a result of the wrong size was accepted"


def operations_build() -> str | None:
    """Operations built in Python verify."""
    module = ir.Module.parse(GOOD, registry.new_context())
    first = _body(module)[0].operation
    with module.context, ir.InsertionPoint(first), ir.Location.unknown():
        types, attributes = [r.type for r in first.results], {"extent": first.attributes["extent"]}
        made = ir.Operation.create("sparse_attn.selection", types, list(first.operands), attributes)
    first.results[0].replace_all_uses_with(made.results[0])
    first.erase()
    return None if module.operation.verify() and len(_body(module)) == 2 else "the rebuilt module does not verify"


def passes_fail_properly() -> str | None:
    """A pass that fails raises, and says why."""
    try:
        passes.all_passes()["sparse-attn-select"].run(ir.Module.parse(GOOD, registry.new_context()), {"target": "none"})
    except passes.PassFailed as failed:
        return None if "none" in str(failed) else f"its text is {failed}"
    return "an unknown target was accepted"


def _body(module: ir.Module) -> list[ir.OpView]:
    return list(module.body.operations[0].regions[0].blocks[0].operations)


FACTS = (dialects_load, operations_are_ours, verifiers_run, operations_build, passes_fail_properly)
