"""Runs the steps of a pipeline on a module: passes written in Python from our table, all others by MLIR."""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from torch_mlir import ir, passmanager

from sparse_attn.lowering.passes import Pass, PassFailed, all_passes, listening

from .diagnostics import Sink
from .pipeline_text import ROOT, PipelineError, Step, parse_options

Watch = Callable[[str, str, ir.Module], None]  # ("before" or "after", pass name, module)


@dataclass(frozen=True)
class Runnable:
    """A checked step; `run` answers whether it succeeded, and leaves its errors in the sink."""

    step: Step
    run: Callable[[ir.Module, Sink], bool]


def prepare(steps: Iterable[Step], context: ir.Context, with_traceback: bool = False) -> list[Runnable]:
    """Check every step before any runs; PipelineError at the first that names no pass or gives it wrong options."""
    return [_prepare(step, context, with_traceback) for step in steps]


def run_all(runnables: Iterable[Runnable], module: ir.Module, sink: Sink, watch: Watch) -> bool:
    """Run steps in order until one fails; `watch` is called around each."""
    with listening(lambda location, text: sink.add("remark", location, text)):
        for runnable in runnables:
            watch("before", runnable.step.name, module)
            if not runnable.run(module, sink):
                return False
            watch("after", runnable.step.name, module)
    return True


def _prepare(step: Step, context: ir.Context, with_traceback: bool) -> Runnable:
    ours = all_passes().get(step.name)
    if ours is None:
        return Runnable(step, _foreign(step, context))
    if step.anchors != (ROOT,):
        raise PipelineError(f"{step.name} runs on {ROOT}, not on {step.anchors[-1]}", step.column)
    try:
        options = parse_options(step.options, ours.options)
    except ValueError as error:
        raise PipelineError(f"{step.name}: {error}", step.column) from error
    return Runnable(step, lambda module, sink: _run_ours(ours, options, module, sink, with_traceback))


def _foreign(step: Step, context: ir.Context) -> Callable[[ir.Module, Sink], bool]:
    try:
        manager = passmanager.PassManager.parse(step.text, context)
    except ValueError as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "not accepted by MLIR")
        reason = reason.rpartition("error: ")[2]
        raise PipelineError(reason if step.name in reason else f"{step.name}: {reason}", step.column) from error

    def run(module: ir.Module, sink: Sink) -> bool:
        try:
            manager.run(module.operation)
        except ir.MLIRError as error:
            if not sink.failed:
                sink.add("error", None, f"{step.name}: {error}")
            return False
        return True

    return run


def _run_ours(ours: Pass, options: dict[str, Any], module: ir.Module, sink: Sink, with_traceback: bool) -> bool:
    before = len(sink.found)
    problem = None
    try:
        ours.run(module, dict(options))
        module.operation.verify()
    except PassFailed as error:
        problem = str(error) or "failed"
    except ir.MLIRError as error:
        problem = str(error)
    except Exception as error:
        problem = f"internal error, {type(error).__name__}: {error}"
        if with_traceback:
            traceback.print_exc()
    emitted = any(diagnostic.severity == "error" for diagnostic in sink.found[before:])
    if problem and (not emitted or problem.startswith("internal error")):
        sink.add("error", None, f"{ours.name}: {problem}")
    return problem is None and not emitted
