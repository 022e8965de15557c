"""A graph that may not be captured as a whole, cut at what stands against it.

Each stretch of legal tasks is captured on its own; the illegal ones between them run eagerly at every call.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from torch.fx import GraphModule, Node
from torch.fx.passes.split_module import split_module

from ..lowering.plan.capture_plan import CapturePlan
from .captured import Captured
from .program import describe, roots, written

CUTS = ("host_read", "host_list", "data_branch", "unstable_output", "synchronise", "random_numbers")


def cut(module: GraphModule, static: Collection[int], **settings: Any) -> GraphModule | None:
    """`module` with its legal stretches captured; None where there is nothing to cut at, or cutting does not help.

    Rules about the graph as a whole (streams, a capture around it) cannot be met by cutting.
    """
    refused = CapturePlan.of(describe(module, static)).refused
    if not refused or any(refusal.rule not in CUTS for refusal in refused):
        return None
    illegal = {refusal.task for refusal in refused}
    parts = _numbered(module, illegal)
    stays = _staying(module, static)
    made = split_module(module, None, parts.__getitem__, keep_original_order=True)
    for node in list(made.graph.find_nodes(op="call_module")):
        piece = getattr(made, str(node.target))
        inputs = piece.graph.find_nodes(op="placeholder")
        fixed = {n for n, source in enumerate(inputs) if source.name in stays}
        if int(str(node.target).rpartition("_")[2]) % 2 or not describe(piece, fixed).tasks or not inputs:
            continue
        setattr(made, str(node.target), _Piece(piece, fixed, settings))
    return made


def _staying(module: GraphModule, static: Collection[int]) -> set[str]:
    """Values that lie in memory of the caller, views included: pieces hand them on and copy none of them."""
    memory = {node for n, node in enumerate(module.graph.find_nodes(op="placeholder")) if n in static} | written(module)
    return {node.name for node in module.graph.nodes if (found := set(roots(node))) and found <= memory}


def _numbered(module: GraphModule, illegal: Collection[str]) -> dict[Node, int]:
    """A part for every node: even for stretches that may be captured, odd for what may not."""
    parts: dict[Node, int] = {}
    now = 0
    for node in module.graph.nodes:
        if (node.name in illegal) != bool(now % 2):
            now += 1
        parts[node] = now
    return parts


class _Piece(GraphModule):
    """A captured stretch in the place of the submodule it came from."""

    def __init__(self, piece: GraphModule, static: Collection[int], settings: dict[str, Any]) -> None:
        super().__init__(piece, piece.graph)
        (output,) = piece.graph.find_nodes(op="output")
        self._single = not isinstance(output.args[0], (tuple, list))
        self.captured = Captured(piece, static, **settings)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.captured(*args)
        return result[0] if self._single and isinstance(result, tuple) else result
