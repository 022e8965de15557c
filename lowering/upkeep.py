"""Passes that look after the IR itself."""

from typing import Any

from torch_mlir import ir

from .passes import PassFailed, register_pass

FACT_PREFIX = "sparse_attn."
_PER_VALUE = ("arg_attrs", "res_attrs")


@register_pass("sparse-attn-verify", "check every operation against the constraints of its dialect")
def verify(module: ir.Module, options: dict[str, Any]) -> None:
    """Errors appear at the operations that break a constraint."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise PassFailed from error


@register_pass("sparse-attn-strip-facts", "remove what was proven about values: attributes named sparse_attn.*")
def strip_facts(module: ir.Module, options: dict[str, Any]) -> None:
    """Facts of operations, of function arguments and of function results go; all other attributes stay."""

    def strip(operation: ir.Operation) -> ir.WalkResult:
        attributes = operation.attributes
        for name in [name for name in attributes if name.startswith(FACT_PREFIX)]:
            del attributes[name]
        for name in _PER_VALUE:
            if isinstance(attributes.get(name), ir.ArrayAttr):
                attributes[name] = ir.ArrayAttr.get([_without_facts(each) for each in attributes[name]])
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(strip)


def _without_facts(facts: ir.Attribute) -> ir.Attribute:
    if not isinstance(facts, ir.DictAttr):
        return facts
    return ir.DictAttr.get({each.name: each.attr for each in facts if not each.name.startswith(FACT_PREFIX)})
