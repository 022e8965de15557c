"""Plans and lengths made once: equal pure ops become one, at the place of the first."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir, passmanager

from ..lift import functions
from ..passes import register_pass
from ..replace import NODE

FACTORIES = ("torch.aten.full", "torch.aten.arange")  # alike each time they run; the dialect does not call them pure


@register_pass("sparse-attn-plan", "plans and lengths that kernels share are made once, where they are needed first")
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """Kernel ops, plans and the torch ops that compute lengths are pure. Ops that stand for a node stay as they are."""
    with module.context:
        share = passmanager.PassManager.parse("builtin.module(cse)")
        share.run(module.operation)
        for function in functions(module):
            _share_factories(function)
        share.run(module.operation)


def _share_factories(function: ir.Operation) -> None:
    """Made tensors of equal arguments become one; nothing writes into a tensor in this form."""
    first: dict[Any, ir.Operation] = {}
    for view in list(function.regions[0].blocks[0].operations):
        op = view.operation
        if op.name not in FACTORIES or NODE in op.attributes:
            continue
        kinds = tuple(str(result.type) for result in op.results)
        known = first.setdefault((op.name, tuple(op.operands), kinds), op)
        if known is not op:
            op.results[0].replace_all_uses_with(known.results[0])
            op.erase()
