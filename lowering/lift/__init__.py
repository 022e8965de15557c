"""Torch ops become `sparse_attn` ops, one idiom a file; a lifted op leaves the torch op it replaces in place.

Each idiom is `lift(graph, report)`. The replaced op stays in the function, unused, so that `settle` can put it back
when nothing is gained or a target refuses.
"""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from ..analysis.graph import snapshot
from ..passes import register_pass
from ..report import current
from . import attention, indexer

IDIOMS = [indexer, attention]


def functions(module: ir.Module) -> list[ir.Operation]:
    """The function bodies of a module."""
    found = [op.operation for op in module.body.operations if op.operation.name == "func.func"]
    return [f for f in found if len(f.regions[0].blocks) == 1]


@register_pass("sparse-attn-lift", "torch index scores, top-k and attention become sparse_attn operations")
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """Lift every idiom of every function; each reads what the one before it put in place."""
    for function in functions(module):
        for idiom in IDIOMS:
            idiom.lift(snapshot(function), current())
