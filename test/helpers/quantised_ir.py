"""Modules quantised and selected, their emitted ops, and their results on tensors."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
from run_ir import run
from torch_mlir import ir

from sparse_attn.dialect.registry import new_context
from sparse_attn.lowering.analysis.graph import Value, snapshot
from sparse_attn.lowering.analysis.liveness import live
from sparse_attn.lowering.lift import functions
from sparse_attn.lowering.passes import PASSES, all_passes
from sparse_attn.lowering.quantize.mark import KINDS, marked
from sparse_attn.lowering.report import Report, reporting


@dataclasses.dataclass
class Lowered:
    """A module after some passes and what was reported."""

    module: ir.Module
    report: Report

    @property
    def notes(self) -> list[str]:
        return [note for finding in self.report for note in finding.notes]

    @property
    def became(self) -> list[str]:
        return [finding.became for finding in self.report]

    @property
    def marks(self) -> list[str | None]:
        """The marks of the fused ops in order."""
        graph = snapshot(functions(self.module)[0])
        return [marked(v) for v in graph.values if v.op in KINDS and v.result == 0]

    def values(self, op: str) -> list[Value]:
        """The first results of the live ops of a name."""
        graph = snapshot(functions(self.module)[0])
        alive = live(graph)
        return [v for v in graph.values if v.op == op and v.result == 0 and v.order in alive]

    def results(self, inputs: dict[str, torch.Tensor]) -> list[torch.Tensor]:
        return run(self.module, inputs)


def lowered(text: str, steps: str = "quantize,select", **options: Any) -> Lowered:
    """`text` after the steps; every option goes to the passes that have it."""
    module = ir.Module.parse(text, new_context())
    report = Report()
    all_passes()
    with module.context, reporting(report):
        for step in steps.split(","):
            chosen = PASSES[f"sparse-attn-{step}"]
            chosen.run(module, {**chosen.options, **{k: v for k, v in options.items() if k in chosen.options}})
            module.operation.verify()
    return Lowered(module, report)
