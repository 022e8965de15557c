"""Erase ops that nothing uses: the torch ops that lifting replaced, and helpers that fusion made unnecessary."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from .lift import functions
from .passes import register_pass


@register_pass("sparse-attn-prune", "erase operations without users that only compute")
def run(module: ir.Module, options: dict[str, Any]) -> None:
    for function in functions(module):
        operations = [view.operation for view in function.regions[0].blocks[0].operations]
        for op in reversed(operations):
            if op.results and not any(list(result.uses) for result in op.results) and not _acts(op):
                op.erase()


def _acts(op: ir.Operation) -> bool:
    """In-place torch ops end in an underscore before their overload; they act although nothing uses their result."""
    name = op.attributes["name"].value if op.name == "torch.operator" else op.name
    return any(part.endswith("_") and not part.startswith("_") for part in name.split("."))
