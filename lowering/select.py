"""Choose a kernel for every fused op: the first contract of the target whose requirements hold.

A refusal is recorded with its reason, and the op goes back to the torch ops it came from.
"""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from .analysis.graph import snapshot
from .analysis.liveness import live
from .kernels import CONTRACTS, TARGETS
from .kernels.contract import Use
from .lift import functions
from .passes import PassFailed, register_pass
from .report import Report, current
from .settle import give_back

KINDS = {"sparse_attn.attention": "attention"}


@register_pass(
    "sparse-attn-select",
    "choose a kernel for every fused op, or return it to torch ops with the reason",
    options={"target": "host", "accept_ranking": "exact", "assume": ""},
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    target = options["target"]
    if target not in TARGETS:
        raise PassFailed(f"target `{target}` is none of {', '.join(TARGETS)}")
    for function in functions(module):
        graph = snapshot(function)
        alive = live(graph)
        for value in graph.values:
            if value.op.startswith("sparse_attn.") and value.result == 0 and value.order in alive:
                assume = tuple(x for x in str(options["assume"]).split(",") if x)
                _select(function, Use(value, options["accept_ranking"], assume), target, current())


def _select(function: ir.Operation, use: Use, target: str, report: Report) -> None:
    operation = use.value.operation
    finding = report.open(KINDS.get(use.value.op, "indexer"), operation)
    reasons = []
    for contract in CONTRACTS:
        if target in contract.targets and contract.implements == use.value.op:
            reason = contract.refusal(use)
            if reason is None:
                operation.attributes["sparse_attn.kernel"] = ir.StringAttr.get(contract.kernel, operation.context)
                return
            reasons.append(f"{contract.kernel} on {target}: {reason}")
    short = use.value.op.removeprefix("sparse_attn.")
    report.refused(finding, operation, reasons[0] if reasons else f"{target} offers no kernel for {short} yet")
    for more in reasons[1:]:
        finding.notes.append(more)
    give_back(function, use.value)
