"""Fewer, larger `sparse_attn` ops, each fusion proven; one pattern a file, `fuse(graph, report)`."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from ..analysis.graph import snapshot
from ..lift import functions
from ..passes import PassFailed, register_pass
from ..report import current
from . import absorb_mla, attention_mask, head_groups, lightning_indexer

PATTERNS = [head_groups, attention_mask, lightning_indexer]


@register_pass(
    "sparse-attn-fuse",
    "masks move into attention, index scores and top-k become lightning_indexer",
    options={"assume": ""},
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """Apply every pattern once, in order; each sees what the ones before it made.

    `assume` holds promises, separated by commas.
    """
    promises = tuple(x for x in str(options["assume"]).split(",") if x)
    for function in functions(module):
        for pattern in PATTERNS:
            pattern.fuse(snapshot(function), current(), promises)


@register_pass(
    "sparse-attn-absorb",
    "attention over keys expanded from a latent becomes attention over the latent",
    options={"absorb": "auto", "target": "host"},
)
def absorb(module: ir.Module, options: dict[str, Any]) -> None:
    """Runs behind settle: only attentions that stay lifted are worth it."""
    choice = options["absorb"]
    if choice not in absorb_mla.CHOICES:
        raise PassFailed(f"absorb is `{choice}`; it can be {', '.join(absorb_mla.CHOICES)}")
    for function in functions(module):
        absorb_mla.fuse(snapshot(function), current(), choice, options["target"])
