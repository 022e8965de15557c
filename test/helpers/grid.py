"""One point of the grid of spellings, compiled at one level and compared with eager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import zoo
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func

from sparse_attn import backend
from sparse_attn.lowering.report import Report
from sparse_attn.options import Options

LEVELS = ("kept", "default")  # composites kept whole, or taken apart as AOTAutograd does by default
SHAPES = ("static", "dynamic")


def _default(module: Any, example: Any) -> Callable[..., Any]:
    def compile_inference(graph: Any, _inputs: Any) -> Any:
        return make_boxed_func(backend.optimize(graph, Options()).forward)

    return aot_module_simplified(module, example, fw_compiler=compile_inference, inference_compiler=compile_inference)


def outcome(function: Callable[..., Any], level: str, shapes: str) -> list[Report]:
    """Compile `function` on the zoo's inputs, compare with eager, and return the reports."""
    args = zoo.inputs()
    if shapes == "dynamic":
        for tensor in (args[1], args[4]):
            torch._dynamo.maybe_mark_dynamic(tensor, 1)  # one_hot takes its number of classes as a constant
    torch._dynamo.reset()
    with torch.no_grad(), backend.collecting() as reports:
        wanted = function(*zoo.inputs())
        chosen = backend.sparse_attn if level == "kept" else _default
        compiled = torch.compile(
            function, backend=chosen, fullgraph=True, dynamic=False if shapes == "static" else None
        )
        got = compiled(*args)
    for one, other in zip(*((x,) if isinstance(x, torch.Tensor) else x for x in (got, wanted)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)
    return reports


def text(reports: list[Report]) -> str:
    return "\n".join(report.text() for report in reports)


def problem(parts: tuple[Any, ...], level: str, shapes: str) -> str | None:
    """Why a right point did not become two operators."""
    reports = outcome(zoo.model(*parts), level, shapes)
    found = [(f.kind, f.fused) for report in reports for f in report]
    return None if sorted(found) == [("attention", True), ("indexer", True)] else text(reports)


def not_refused(defect: Any, parts: tuple[Any, ...], level: str, shapes: str) -> str | None:
    """Why an almost right point is not refused with its own reason."""
    reports = outcome(defect(*parts), level, shapes)
    indexers = [f for report in reports for f in report if f.kind == "indexer"]
    said = [r for f in indexers if not f.fused for r in (f.reason, *f.notes)]
    return None if any(reason in r for r in said for reason in zoo.DEFECTS[defect]) else text(reports)
