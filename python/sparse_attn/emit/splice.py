"""Splice the lifted ops of a module into the FX graph it was imported from."""

from __future__ import annotations

import copy
import operator
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch_mlir import ir

from ..lowering.analysis.graph import LIST, Graph, Value, snapshot
from ..lowering.analysis.liveness import live
from ..lowering.lift import functions
from ..lowering.replace import NODE, REPLACES
from .operators import call_of
from .views import let_lie_anywhere

PASS_THROUGH = ("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast")


def splice(module: ir.Module, original: GraphModule) -> GraphModule:
    """A copy of `original` in which every live replacement of `module` takes the place of what it replaced."""
    (function,) = functions(module)
    graph, made = snapshot(function), copy.deepcopy(original.graph)
    for old, new in zip(original.graph.nodes, made.nodes, strict=True):
        new.meta = dict(old.meta)
    if _Splicer(graph, made).run():
        made.eliminate_dead_code()
        made.lint()
    return GraphModule(original, made)


class _Splicer:
    """One walk over the live ops in program order; new ones are inserted before the next op that has a node."""

    def __init__(self, graph: Graph, made: torch.fx.Graph) -> None:
        self.graph = graph
        self.made = made
        self.nodes = {node.name: node for node in made.nodes}
        self.alive = live(graph)
        self.values: dict[int, Any] = {}
        self.fake = _fake_mode(made)

    def run(self) -> bool:
        """Splice everything; False when nothing was replaced."""
        ops = self._operations()
        following = self._following(ops)
        for value in self.graph.arguments:
            self.values[value.order] = self.nodes[value.name]
        needed = self._needed(ops)
        replaced = False
        for results, before in zip(ops, following, strict=True):
            first = results[0]
            if first.order not in self.alive:
                continue
            if self._existing(first):
                self._bind(results)
            elif first.order in needed and not self._alias(first):
                self._create(results, before)
            replaced |= self._take_over(first)
        return replaced

    def _needed(self, ops: list[list[Value]]) -> set[int]:
        """Ops without a node that a replacement is computed from; others only spell arguments of nodes."""
        needed: set[int] = set()
        for results in reversed(ops):
            first = results[0]
            if first.order in self.alive and (REPLACES in first.operation.attributes or first.order in needed):
                for operand in (first, *first.operands):
                    needed |= {v.order for v in operand.siblings}
        return needed

    def _operations(self) -> list[list[Value]]:
        return [v.siblings for v in self.graph.values if v.siblings and v.result == 0]

    def _existing(self, value: Value) -> Node | None:
        """The node of an op that came from the graph: its own, or (unpacking a list) one that selects a result."""
        if value.op.startswith("sparse_attn."):
            return None
        attributes = value.operation.attributes
        names = [attributes[NODE].value] if NODE in attributes else []
        return next((self.nodes[n] for n in (*names, *(v.name for v in value.siblings)) if n in self.nodes), None)

    def _following(self, ops: list[list[Value]]) -> list[Node]:
        """For each op, the first node at or after it in the original graph: where a new node may be inserted.

        Replaced ops count although they are dead: their users, still to be redirected, may stand right behind them.
        """
        place = next(node for node in self.made.nodes if node.op == "output")
        out: list[Node] = []
        for results in reversed(ops):
            place = self._existing(results[0]) or place
            out.append(place)
        return out[::-1]

    def _bind(self, results: list[Value]) -> None:
        for value in results:
            if value.name in self.nodes:
                self.values[value.order] = self.nodes[value.name]
            elif value.op == "torch.prim.ListUnpack":
                self.values[value.order] = (self._read(value.operands[0]), value.result)
            elif str(value.mlir.type).startswith("!torch.list"):
                self.values[value.order] = self._existing(value)
            else:
                self.values[value.order] = (self._existing(value), value.result)

    def _alias(self, value: Value) -> bool:
        """Ops that are no node of their own: constants, lists, border crossings."""
        if value.op.startswith("torch.constant."):
            self.values[value.order] = _constant(value)
        elif value.op == LIST:
            self.values[value.order] = [self._read(v) for v in value.operands]
        elif value.op in PASS_THROUGH:
            self.values[value.order] = self.values[value.operands[0].order]
        else:
            return False
        return True

    def _read(self, value: Value) -> Any:
        """The FX argument of a value; a result nothing selected so far gets its getitem."""
        found = self.values[value.order]
        if isinstance(found, tuple):
            producer, index = found
            with self.made.inserting_after(producer):
                found = self._call(operator.getitem, (producer, index), {}, producer)
            self.values[value.order] = found
        return found

    def _create(self, results: list[Value], before: Node) -> None:
        first = results[0]
        source = self.nodes.get(_origin(first), before)
        target, args, kwargs = call_of(first, [self._read(v) for v in first.operands], _device(source))
        with self.made.inserting_before(before):
            node = self._call(target, args, kwargs, source)
            for value in results:
                if len(results) == 1:
                    self.values[value.order] = node
                elif value.order in self.alive and value.uses:
                    self.values[value.order] = self._call(operator.getitem, (node, value.result), {}, source)

    def _call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], source: Node) -> Node:
        node = self.made.call_function(target, args, kwargs)
        for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "original_aten"):
            if key in source.meta:
                node.meta[key] = source.meta[key]
        with self.fake:
            node.meta["val"] = target(*_fake(args), **_fake(kwargs))
        return node

    def _take_over(self, value: Value) -> bool:
        """Give the replaced node's users to the new node."""
        attributes = value.operation.attributes
        if REPLACES not in attributes:
            return False
        name, _, index = attributes[REPLACES].value.rpartition("#")
        old, new = self._replaced(name, int(index)), self._read(value)
        if old is not None and old is not new:
            let_lie_anywhere(old, new)
            old.replace_all_uses_with(new)
        return True

    def _replaced(self, name: str, index: int) -> Node | None:
        node = self.nodes[name]
        if not isinstance(node.meta.get("val"), (tuple, list)):
            return node
        return next((u for u in node.users if u.target is operator.getitem and u.args[1] == index), None)


def _origin(value: Value) -> str:
    attributes = value.operation.attributes
    return attributes["sparse_attn.origin"].value if "sparse_attn.origin" in attributes else ""


def _constant(value: Value) -> Any:
    if value.op == "torch.constant.device":
        return torch.device(value.operation.attributes["value"].value)
    if value.op == "torch.constant.bool":
        return bool(value.constant)
    return value.constant


def _fake_mode(graph: torch.fx.Graph) -> Any:
    for node in graph.nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and hasattr(value, "fake_mode"):
            return value.fake_mode
    raise ValueError("the captured graph holds no fake tensors")


def _fake(arguments: Any) -> Any:
    return torch.fx.node.map_arg(arguments, lambda node: node.meta["val"])


def _device(source: Node) -> torch.device | None:
    value = source.meta.get("val")
    first = value[0] if isinstance(value, (tuple, list)) else value
    return first.device if isinstance(first, torch.Tensor) else None
