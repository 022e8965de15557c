"""A compiled graph that is captured at its first call and replayed at the others."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Collection, Sequence
from typing import Any

import torch
from torch.fx import GraphModule

from ..lowering.plan.capture_plan import CapturePlan
from . import npu, session
from .buffers import Buffers
from .order import plans_first
from .program import describe, written
from .record import HostGraph
from .statistics import Statistics

GRAPH_LIMIT = 64
_all: weakref.WeakSet[Captured] = weakref.WeakSet()


class Captured:
    """Callable with the arguments of `module`, a functional or written-in-place ATen graph of an inference.

    One graph is kept for each combination of its integer arguments. A graph reads parameters, buffers and caches (the
    placeholders numbered in `static`, and all that are written) where they lie; a call with other memory captures anew.
    Other inputs are copied in. Results are copies, or with `clone_outputs=False` the graph's own memory, which the
    next call overwrites. After `limit` captures every other call runs eagerly. Calls of several threads take turns.
    """

    def __init__(
        self, module: GraphModule, static: Collection[int] = (), clone_outputs: bool = True, limit: int = GRAPH_LIMIT
    ) -> None:
        plans_first(module)
        self.module = module
        self.statistics = Statistics()
        placeholders = module.graph.find_nodes(op="placeholder")
        self._names = [node.name for node in placeholders]
        mutated = written(module)
        self._mutated = [n for n, node in enumerate(placeholders) if node in mutated]
        self._stays = frozenset(static) | frozenset(self._mutated)
        numbers = [n for n, node in enumerate(placeholders) if not _is_tensor(node)]
        self._numbers = numbers
        self._sized = [n for n, node in enumerate(placeholders) if _is_tensor(node) and _has_symbols(node)]
        self.plan = CapturePlan.of(describe(module, self._stays), tuple(self._names[n] for n in numbers))
        self._clone, self._limit = clone_outputs, limit
        self._graphs: dict[tuple[Any, ...], tuple[Any, Buffers]] = {}
        self._lock = threading.RLock()
        _all.add(self)

    def __call__(self, *args: Any) -> Any:
        if session.capturing():
            return self._eager(args, "another capture is running: inlined into it")
        with self._lock:
            saved = [args[n].clone() for n in self._mutated] if session.is_warming() else ()
            result = self._run(args)
            for number, old in zip(self._mutated, saved, strict=False):
                args[number].copy_(old)
            return result

    def reset(self) -> None:
        """Forget all graphs and give their memory back; the next call captures anew."""
        with self._lock:
            self._graphs.clear()

    def _run(self, args: Sequence[Any]) -> Any:
        key = (*(args[n] for n in self._numbers), *(tuple(args[n].shape) for n in self._sized))
        graph, buffers = self._graphs.get(key, (None, None))
        if buffers is not None and (number := buffers.moved(args)) is not None:
            del self._graphs[key]
            self.statistics.recaptures[f"{self._names[number]} is other memory than before"] += 1
            graph = None
        if graph is None:
            if reason := self._obstacle(args):
                return self._eager(args, reason)
            graph, buffers = self._graphs[key] = self._capture(args)
            self.statistics.captures += 1
        else:
            assert buffers is not None
            buffers.load(args)
            graph.replay()
            self.statistics.replays += 1
        return self._results(graph.outputs, buffers, args)

    def _obstacle(self, args: Sequence[Any]) -> str | None:
        if self.plan.refused:
            return str(self.plan.refused[0])
        if self.statistics.captures >= self._limit:
            return f"{self._limit} graphs were captured: pad to fewer sizes, and keep caches where they are"
        kinds = {arg.device.type for arg in args if isinstance(arg, torch.Tensor)}
        if kinds == {"npu"}:
            return npu.obstacle()
        return None if kinds <= {"cpu"} else f"there are no graphs for tensors on {', '.join(sorted(kinds))}"

    def _capture(self, args: Sequence[Any]) -> tuple[Any, Buffers]:
        buffers = Buffers(args, self._stays)
        with session.capture():
            if any(isinstance(arg, torch.Tensor) and arg.device.type == "npu" for arg in args):
                return npu.NpuGraph(self.module, buffers.values, [args[n] for n in self._mutated]), buffers
            return HostGraph(self.module, buffers.values), buffers

    def _results(self, outputs: Sequence[Any], buffers: Buffers, args: Sequence[Any]) -> tuple[Any, ...]:
        """Flat results; an argument that is returned, and a view of a cache, is the caller's own again."""
        theirs = {id(value): number for number, value in enumerate(buffers.values) if isinstance(value, torch.Tensor)}
        results = []
        for output in outputs:
            if id(output) in theirs:
                results.append(args[theirs[id(output)]])
            elif not isinstance(output, torch.Tensor) or not self._clone or buffers.stays(output):
                results.append(output)
            else:
                results.append(output.clone())
        return tuple(results)

    def _eager(self, args: Sequence[Any], reason: str) -> Any:
        self.statistics.fallbacks[reason] += 1
        return self.module(*args)


def _is_tensor(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), torch.Tensor)


def _has_symbols(node: torch.fx.Node) -> bool:
    return any(isinstance(size, torch.SymInt) for size in node.meta["val"].shape)


def all_captured() -> list[Captured]:
    """Every captured function that is alive."""
    return list(_all)


def statistics() -> Statistics:
    """The counts of all captured functions together."""
    total = Statistics()
    for captured in all_captured():
        total.add(captured.statistics)
    return total


def reset() -> None:
    """Forget the graphs of all captured functions, and their counts."""
    for captured in all_captured():
        captured.reset()
        captured.statistics = Statistics()
