"""What stays lifted: sites with a proven sparse structure. Everything else goes back to the torch ops it came from."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from .analysis.graph import Graph, Value, snapshot
from .analysis.liveness import live
from .fuse.operands import attributes, operands
from .lift import functions
from .passes import register_pass
from .replace import ORIGIN, hand_over, restore
from .report import Report, current

ATTENTION, TOPK, SCORES = "sparse_attn.attention", "sparse_attn.topk", "sparse_attn.index_scores"


@register_pass(
    "sparse-attn-settle", "lifted ops without a proven sparse structure return to the torch ops they replaced"
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    for function in functions(module):
        _indexers(function, current(), _attentions(function, current()))


def _attentions(function: ir.Operation, report: Report) -> Graph:
    """Give dense attentions back; the graph after that."""
    graph, changed = snapshot(function), False
    alive = live(graph)
    for value in graph.values:
        if value.op != ATTENTION or value.result != 0 or value.order not in alive:
            continue
        finding = report.open("attention", value.operation)
        if sparse(value):
            report.fused(finding, value.operation, ATTENTION + _summary(value))
        else:
            reason = finding.notes.pop(0) if finding.notes else "dense attention: its mask selects no keys"
            report.refused(finding, value.operation, reason)
            give_back(function, value)
            changed = True
    return snapshot(function) if changed else graph


def sparse(value: Value) -> bool:
    """The op says more than dense attention: a list, a window, compressed keys or sinks."""
    given = operands(value)
    extras = ("ori_indices", "cmp_indices", "cmp_kv", "sinks")
    return any(given[name] is not None for name in extras) or attributes(value)["ori_mask"] == "band"


def _summary(value: Value) -> str:
    given, attrs = operands(value), attributes(value)
    said = [name for name in ("ori_indices", "cmp_indices", "sinks", "mask") if given[name] is not None]
    if attrs["ori_mask"] == "band":
        said.append(f"window {attrs['ori_left'] + 1}")
    elif attrs["ori_mask"] != "none":
        said.append(attrs["ori_mask"])
    if given["cmp_kv"] is not None:
        said.append(
            f"compressed keys, ratio {attrs['cmp_ratio']}" if attrs["cmp_mask"] == "prefix" else "compressed keys"
        )
    return f" ({', '.join(said)})" if said else ""


def _indexers(function: ir.Operation, report: Report, graph: Graph) -> None:
    """A topk that fusion left behind, and the scores only it uses, go back."""
    alive, changed = live(graph), False
    for value in graph.values:
        if value.op == TOPK and value.result == 0 and value.order in alive and not _over_scores(value):
            finding = report.open("indexer", value.operation)
            report.refused(finding, value.operation, "top-k could not be joined with its scores")
            give_back(function, value)
            changed = True
    graph = snapshot(function) if changed else graph
    alive = live(graph)
    for value in graph.values:
        if value.op == SCORES and value.order in alive and not _ranked(value, graph, alive):
            give_back(function, value)


def _over_scores(value: Value) -> bool:
    return value.operands[0].op == SCORES


def _ranked(value: Value, graph: Graph, alive: set[int]) -> bool:
    return any(user is not None and user.op == TOPK and user.order in alive for user, _ in value.uses)


def give_back(function: ir.Operation, value: Value) -> None:
    """Restore the torch values that this lifted op stood in for, also where another lifted op reads it directly."""
    origin = value.operation.attributes[ORIGIN].value
    for lifted in value.siblings:
        readers = [use for use in lifted.mlir.uses if use.owner.name.startswith("sparse_attn.")]
        if readers:
            hand_over(function, lifted, origin, readers)
    restore(function, origin)
