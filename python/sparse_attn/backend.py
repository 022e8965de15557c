"""`torch.compile(model, backend="sparse_attn")`: capture, lift, fuse, choose kernels, hand back a torch graph."""

from __future__ import annotations

import contextlib
import gc
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func
from torch._guards import TracingContext
from torch.fx import GraphModule

from . import emit, ingest, versions
from .capture import composites_kept
from .errors import ImportRefused, NotFused
from .lowering import pipeline
from .lowering.report import Report
from .options import Options

LOCK = threading.RLock()  # composites_kept changes process-wide dispatch, and MLIR contexts are not thread-safe
ANCHORS = (
    torch.ops.aten.topk, torch.ops.aten.sort, torch.ops.aten._softmax, torch.ops.aten._safe_softmax,
    torch.ops.aten.softmax, torch.ops.aten.scaled_dot_product_attention,
)  # fmt: skip
Compiled = Callable[..., Any]
_collectors: list[list[Report]] = []
_warned_grad = False


def sparse_attn(
    module: GraphModule, example_inputs: Sequence[Any], *, options: Mapping[str, Any] | None = None, **rest: Any
) -> Compiled:
    """The backend entry point. `options` are documented in `sparse_attn.options.Options`.

    Raises UnsupportedVersion, BadOption, and under `strict` NotFused; any other obstacle leaves the graph to the inner
    backend, with the reason in the report.
    """
    chosen = Options.of({**rest, **(options or {})})
    versions.check()
    if torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in example_inputs):
        return _unfused_training(module, example_inputs, chosen)

    def compile_inference(graph: GraphModule, inputs: Sequence[Any]) -> Compiled:
        return _inner(optimize(graph, chosen), inputs, chosen)

    with LOCK, composites_kept():
        return aot_module_simplified(
            module,
            list(example_inputs),
            fw_compiler=compile_inference,
            inference_compiler=compile_inference,
            keep_inference_input_mutations=True,
        )


def optimize(graph: GraphModule, options: Options) -> GraphModule:
    """The fused graph of a functional ATen graph; `graph` itself when it holds no anchor or cannot be imported."""
    if not options.lift or not any(_packet(node.target) in ANCHORS for node in graph.graph.nodes):
        return graph
    report = Report()
    start = time.perf_counter()
    with LOCK, _collector_paused():
        made = _fused(graph, options, report)
    report.seconds["total"] = time.perf_counter() - start
    _publish(report, options)
    return made


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """No cyclic garbage collection meanwhile.

    A snapshot of a graph is tens of thousands of young objects, enough to set off full collections over everything a
    process with a model holds; each takes about as long as a pass.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _fused(graph: GraphModule, options: Options, report: Report) -> GraphModule:
    try:
        start = time.perf_counter()
        imported = ingest.ingest(graph, _static_inputs())
        report.seconds["ingest"] = time.perf_counter() - start
    except ImportRefused as refused:
        report.whole_graph = f"the graph could not be imported: {refused}"
        return graph
    settings = {
        "target": _target(graph, options),
        "accept_ranking": options.accept_ranking,
        "absorb": options.absorb,
        "assume": ",".join(options.assume),
        "quantize": ",".join(f"{kind}={name}" for kind, name in options.quantize),
    }
    if settings["target"] != "host":
        settings["unavailable"] = emit.unavailable()
    pipeline.run(imported.module, settings, report, on_step=report.seconds.__setitem__)
    start = time.perf_counter()
    made = emit.splice(imported.module, graph)
    report.seconds["emit"] = time.perf_counter() - start
    return made


def _inner(graph: GraphModule, inputs: Sequence[Any], options: Options) -> Compiled:
    if options.inner == "inductor":
        from torch._inductor.compile_fx import compile_fx

        return make_boxed_func(compile_fx(graph, list(inputs)))
    emit.write_in_place(graph)
    if options.aclgraph:
        from .aclgraph.compile import captured

        return make_boxed_func(captured(graph, _static_inputs(), options))
    return make_boxed_func(graph.forward)


def _unfused_training(module: GraphModule, inputs: Sequence[Any], options: Options) -> Compiled:
    global _warned_grad
    message = (
        "sparse_attn fuses inference graphs only and this call records gradients: it runs unfused. "
        "Call the model under torch.no_grad() or torch.inference_mode()."
    )
    if options.strict:
        raise NotFused(message)
    if not _warned_grad:
        _warned_grad = True
        warnings.warn(message, stacklevel=2)
    if options.inner == "inductor":
        from torch._inductor.compile_fx import compile_fx

        return compile_fx(module, list(inputs))
    return module.forward


def _packet(target: Any) -> Any:
    return target.overloadpacket if isinstance(target, torch._ops.OpOverload) else target


def _static_inputs() -> frozenset[int]:
    context = TracingContext.try_get()
    metadata = getattr(context, "fw_metadata", None)
    return frozenset(getattr(metadata, "static_input_indices", None) or ())


def _target(graph: GraphModule, options: Options) -> str:
    if options.target != "auto":
        return options.target
    devices = {
        node.meta["val"].device.type
        for node in graph.graph.nodes
        if node.op == "placeholder" and isinstance(node.meta.get("val"), torch.Tensor)
    }
    if "npu" in devices:
        from .device import target_of_npu

        return target_of_npu()
    return "host"


def _publish(report: Report, options: Options) -> None:
    report.assumed = options.assume
    for collector in _collectors:
        collector.append(report)
    if options.explain is True:
        print(report.text())
    elif options.explain:
        with open(options.explain, "a", encoding="utf-8") as file:
            file.write(report.text() + "\n")
    unfused = [f for f in report if not f.fused]
    if options.strict and (unfused or report.whole_graph):
        raise NotFused("\n".join([report.whole_graph, *map(str, unfused)]).strip())


@contextlib.contextmanager
def collecting() -> Iterator[list[Report]]:
    """The reports of every graph compiled inside, in order."""
    found: list[Report] = []
    _collectors.append(found)
    try:
        yield found
    finally:
        _collectors.remove(found)
