"""Fewer, larger `sparse_attn` ops, each fusion proven; one pattern a file, `fuse(graph, report)`."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from ..analysis.graph import snapshot
from ..lift import functions
from ..passes import register_pass
from ..report import current
from . import attention_mask, lightning_indexer

PATTERNS = [attention_mask, lightning_indexer]


@register_pass("sparse-attn-fuse", "masks move into attention, index scores and top-k become lightning_indexer")
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """Apply every pattern once, in order; each sees what the ones before it made."""
    for function in functions(module):
        for pattern in PATTERNS:
            pattern.fuse(snapshot(function), current())
