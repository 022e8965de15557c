"""Make a functional ATen graph importable without changing what it computes.

Works on a copy whose node names equal the original's, so that every imported operation leads back to its node.
"""

from __future__ import annotations

import copy
import dataclasses
import operator
from typing import Any

import torch
from torch.fx import GraphModule, Node

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class Clean:
    """An importable copy, and the input mutations taken off its tail.

    `writes` holds (placeholder name, index among the results) of every `copy_` back into an input.
    """

    module: GraphModule
    writes: tuple[tuple[str, int], ...]


class _Imported(GraphModule):
    """A module that is read and never called: no Python code is made of its graph."""

    def recompile(self) -> None:
        """Make nothing."""


def clean(module: GraphModule) -> Clean:
    """Return an importable copy of `module` (an AOTAutograd inference graph)."""
    names = {n.name: n.meta for n in module.graph.nodes}
    made = _Imported(module, copy.deepcopy(module.graph))
    for node in made.graph.nodes:
        node.meta = dict(names.get(node.name, node.meta))
    for node in list(made.graph.nodes):
        if node.op == "call_function":
            _symbolic(made, node)
            _non_negative_dim(node)
    writes = _take_writes(made)
    made.graph.lint()
    return Clean(made, writes)


def _symbolic(module: GraphModule, node: Node) -> None:
    """Spell size arithmetic that the importer does not know in operators it knows."""
    if node.target is torch.sym_min:
        node.target = torch.ops.prim.min.int
    elif node.target is torch.sym_max:
        node.target = torch.ops.prim.max.int
    elif node.target is operator.mod and isinstance(node.meta.get("val"), torch.SymInt):
        node.target = aten.remainder.int
    elif node.target is torch.sym_sum:
        _sum_chain(module, node)


def _sum_chain(module: GraphModule, node: Node) -> None:
    terms: Any = node.args[0]
    total = terms[0]
    with module.graph.inserting_before(node):
        for term in terms[1:]:
            made = module.graph.call_function(operator.add, (total, term))
            made.meta["val"] = _value(total) + _value(term)
            total = made
    node.replace_all_uses_with(total)
    module.graph.erase_node(node)


def _value(arg: Any) -> Any:
    return arg.meta["val"] if isinstance(arg, Node) else arg


_SCATTERS = {aten.scatter.value, aten.scatter.src, aten.scatter_add.default, aten.scatter.reduce}


def _non_negative_dim(node: Node) -> None:
    """A negative dim of scatter crashes a later lowering of torch-mlir; name the dim from the front."""
    if node.target in _SCATTERS and isinstance(node.args[1], int) and node.args[1] < 0:
        rank = _value(node.args[0]).dim()
        node.args = (node.args[0], node.args[1] + rank, *node.args[2:])


def _take_writes(module: GraphModule) -> tuple[tuple[str, int], ...]:
    """Turn the tail `copy_(input, new)` of kept input mutations into extra results."""
    output = next(n for n in module.graph.nodes if n.op == "output")
    results = list(output.args[0]) if isinstance(output.args[0], (list, tuple)) else [output.args[0]]
    writes = []
    for node in list(module.graph.nodes):
        if node.target is aten.copy_.default and node.args[0].op == "placeholder":
            target, new = node.args[:2]
            results = [new if r is node else r for r in results]
            node.replace_all_uses_with(new)
            module.graph.erase_node(node)
            writes.append((target.name, len(results)))
            results.append(new)
    output.args = (tuple(results),)
    return tuple(writes)
