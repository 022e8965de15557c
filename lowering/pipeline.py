"""The compiler on one page: the steps in order, and which of our ops may exist after each."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from torch_mlir import ir

from .analysis.graph import FACT, KEEPS_DIMS
from .passes import PASSES, PassFailed, all_passes
from .replace import DIMS
from .report import Report, reporting

SYMBOLS = FACT + "symbols"
LIFTED = frozenset({"index_scores", "topk", "selection", "attention", "compress", "paged_write"})
MEANING = LIFTED | {"lightning_indexer"}


@dataclasses.dataclass(frozen=True)
class Step:
    """One pass and the `sparse_attn` ops that may be in the module after it."""

    name: str
    leaves: frozenset[str]


STEPS = (
    Step("sparse-attn-lift", LIFTED),
    Step("sparse-attn-fuse", MEANING),
    Step("sparse-attn-settle", MEANING),
    Step("sparse-attn-absorb", MEANING),
    Step("sparse-attn-quantize", MEANING),
    Step("sparse-attn-select", MEANING),
    Step("sparse-attn-plan", MEANING),
)


def run(
    module: ir.Module,
    options: dict[str, Any],
    report: Report,
    steps: Sequence[Step] = STEPS,
    on_step: Callable[[str, float], None] | None = None,
) -> None:
    """Run the steps on `module`, findings into `report`; after each its leftovers are checked and the IR verified."""
    all_passes()
    with module.context, reporting(report):
        for step in steps:
            start = time.perf_counter()
            chosen = PASSES[step.name]
            chosen.run(module, {**chosen.options, **{k: v for k, v in options.items() if k in chosen.options}})
            _check(module, step)
            if on_step is not None:
                on_step(step.name, time.perf_counter() - start)


def _check(module: ir.Module, step: Step) -> None:
    for function in module.body.operations:
        has_facts = SYMBOLS in function.operation.attributes
        for view in function.operation.regions[0].blocks[0].operations:
            operation = view.operation
            dialect, _, name = operation.name.partition(".")
            if dialect == "sparse_attn" and name not in step.leaves:
                raise PassFailed(f"{step.name} left a {operation.name}, which may not exist after it")
            if has_facts and dialect == "torch" and _lost_sizes(operation):
                raise PassFailed(f"{step.name} made a {operation.name} of dynamic size without saying which size")


def _lost_sizes(operation: ir.Operation) -> bool:
    """A dynamic tensor whose symbolic sizes no fact names: later proofs would take them for unknown."""
    if operation.name in KEEPS_DIMS or DIMS in operation.attributes:
        return False
    return any("?" in str(result.type) for result in operation.results)
