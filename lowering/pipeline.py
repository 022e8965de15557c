"""The compiler on one page: the steps in order, and which of our ops may exist after each."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from torch_mlir import ir

from .passes import PASSES, PassFailed, all_passes
from .report import Report, reporting

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
        for view in function.operation.regions[0].blocks[0].operations:
            dialect, _, name = view.operation.name.partition(".")
            if dialect == "sparse_attn" and name not in step.leaves:
                raise PassFailed(f"{step.name} left a {view.operation.name}, which may not exist after it")
