"""Choose a kernel for every fused op: the first of the target's contracts that takes it.

Every refusal is recorded with its reason, also those of kernels tried before the chosen one. An op that no kernel takes
goes back to the torch ops it came from; what fed only that goes with it.
"""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from .analysis.graph import Value, snapshot
from .analysis.liveness import live
from .kernels import TARGETS, offered
from .kernels.contract import Decision, Use
from .lift import functions
from .passes import PassFailed, register_pass
from .plan.place import KERNEL, place_all
from .quantize.mark import wanted_kernel
from .replace import ORIGIN
from .report import Finding, Report, current
from .returned import keep_lists_valid, key_lists
from .settle import give_back

KINDS = {"sparse_attn.attention": "attention"}


@register_pass(
    "sparse-attn-select",
    "choose a kernel for every fused op, or return it to torch ops with the reason",
    options={"target": "host", "accept_ranking": "exact", "assume": "", "unavailable": ""},
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """`assume` holds promises separated by commas, `unavailable` lines `kernel: why it cannot be called here`."""
    target = options["target"]
    if target not in TARGETS:
        raise PassFailed(f"target `{target}` is none of {', '.join(TARGETS)}")
    promises = tuple(x for x in str(options["assume"]).split(",") if x)
    missing = dict(line.split(": ", 1) for line in str(options["unavailable"]).splitlines() if ": " in line)
    for function in functions(module):
        _Selection(function, Use(None, target, options["accept_ranking"], promises), missing, current()).run()  # type: ignore[arg-type]


class _Selection:
    """The ops of one function, decided in program order on one snapshot, then put in place."""

    def __init__(self, function: ir.Operation, like: Use, missing: dict[str, str], report: Report) -> None:
        self.function = function
        self.like = like
        self.missing = missing
        self.report = report
        self.decided: dict[int, Decision] = {}
        self.refused: list[Value] = []

    def run(self) -> None:
        graph = snapshot(self.function)
        alive = frozenset(live(graph))
        for value in graph.values:
            if value.op.startswith("sparse_attn.") and value.result == 0 and value.order in alive:
                self._decide(value, alive)
        lists = key_lists(graph, alive)
        place_all(graph, list(self.decided.values()))
        for value in self.refused:
            give_back(self.function, value)
        if self.refused:
            self._give_back_rest()
        keep_lists_valid(self.function, lists, self.report)

    def _decide(self, value: Value, alive: frozenset[int]) -> None:
        use = Use(value, self.like.target, self.like.accept_ranking, self.like.assume, alive, self.decided)
        finding = self.report.open(KINDS.get(value.op, "indexer"), value.operation)
        reasons: list[str] = []
        for contract in sorted(offered(use.target, value.op), key=lambda c: c.kernel != wanted_kernel(value)):
            found: Decision | str = self.missing.get(contract.kernel) or contract.decide(use)
            if isinstance(found, Decision):
                self.decided[value.order] = found
                finding.notes += reasons + list(found.draft.notes if found.draft else ())
                if found.draft is not None:
                    self.report.fused(finding, value.operation, f"{contract.kernel} on {use.target}")
                return
            reasons.append(f"{contract.kernel} on {use.target}: {found}")
        self._refuse(value, finding, reasons)

    def _refuse(self, value: Value, finding: Finding, reasons: list[str]) -> None:
        short = value.op.removeprefix("sparse_attn.")
        nothing = f"{self.like.target} offers no kernel for {short}"
        self.report.refused(finding, value.operation, reasons[0] if reasons else nothing)
        finding.notes += reasons[1:]
        if ORIGIN not in value.operation.attributes:
            why = "; ".join(reasons) or nothing
            value.operation.location.emit_error(f"no kernel of {self.like.target} takes this op: {why}")
            raise PassFailed
        self.refused.append(value)

    def _give_back_rest(self) -> None:
        """Ops without a kernel that only matter again because something that came after them was given back."""
        given: set[str] = set()
        while True:
            graph = snapshot(self.function)
            alive = live(graph)
            rest = [v for v in graph.values if _open(v) and v.order in alive and _origin(v) not in given]
            if not rest:
                return
            for value in rest:
                given.add(_origin(value))
                give_back(self.function, value)


def _origin(value: Value) -> str:
    return value.operation.attributes[ORIGIN].value


def _open(value: Value) -> bool:
    """An op of ours without a kernel."""
    return value.op.startswith("sparse_attn.") and value.result == 0 and KERNEL not in value.operation.attributes
