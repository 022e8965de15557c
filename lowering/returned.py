"""Key lists that go to torch ops: torch has no -1.

An indexer op marks a pick that is not visible with -1, where torch's top-k picks some masked key. When an attention is
given back to torch after its indexer was fused, torch would index with -1. The last key can stand for it: a row has
a -1 only where it sees fewer keys than there are, so under a mask `key < visible` the last key is hidden from that row
too; and the indexer was fused because its consumers hide again whatever its mask hides. So `remainder(index, keys)`,
which moves -1 to the last key and nothing else, changes no result.
"""

from __future__ import annotations

import dataclasses

from torch_mlir import ir

from .analysis.graph import Graph, Value, snapshot
from .analysis.ints import Int
from .analysis.liveness import live, live_uses
from .build import Builder
from .fuse.consumers import CARRIES
from .fuse.operands import attributes, operands
from .replace import ORIGIN, REPLACES
from .report import Report
from .settle import give_back

INDEXERS = ("sparse_attn.lightning_indexer", "sparse_attn.topk")
INDICES = "#1"  # torch's top-k gives values, then indices
OURS = ("sparse_attn.", "npu.")


@dataclasses.dataclass(frozen=True)
class KeyList:
    """A list that may hold -1: the op that makes it, the node it stands for, its keys, and if its mask is a range."""

    value: Value
    origin: str
    keys: Int
    is_range: bool


def key_lists(graph: Graph, alive: frozenset[int]) -> list[KeyList]:
    """The lists of all live indexers under a mask. Without a mask every pick is a key."""
    found = []
    for value in graph.values:
        if value.op not in INDEXERS or value.result != 0 or value.order not in alive:
            continue
        given, mode = operands(value), attributes(value)["mask_mode"]
        keys = given["scores"] if value.op == "sparse_attn.topk" else given["key"]
        if (mode == "none" and given["mask"] is None) or ORIGIN not in value.operation.attributes:
            continue
        assert keys is not None and keys.dims is not None
        size = keys.dims[-1] if value.op == "sparse_attn.topk" else keys.dims[1]
        found.append(KeyList(value, value.operation.attributes[ORIGIN].value, size, given["mask"] is None))
    return found


def keep_lists_valid(function: ir.Operation, lists: list[KeyList], report: Report) -> None:
    """Let torch ops that read a list find a key where it holds -1, or give the whole indexer back."""
    graph: Graph | None = None
    for each in lists:
        graph = graph or snapshot(function)
        alive = live(graph)
        carrier = next((v for v in graph.values if _carries(v, each.origin)), None)
        readers = [(u, i) for u, i in live_uses(carrier, alive) if _ends_in_torch(u, alive)] if carrier else []
        if not readers:
            continue
        last, graph = graph, None  # read again after the change below
        if each.is_range and all(user is not None for user, _ in readers):
            _move_to_last_key(last, carrier, [(u, i) for u, i in readers if u is not None], each.keys)
            continue
        finding = report.open("indexer", each.value.operation)
        report.refused(finding, each.value.operation, "a torch op reads its list and is not proven to stand a -1 there")
        give_back(function, each.value)


def _carries(value: Value, origin: str) -> bool:
    """The torch value that took the place of the list."""
    attributes = value.operation.attributes if value.op else {}
    if REPLACES not in attributes or ORIGIN not in attributes:
        return False
    return attributes[ORIGIN].value == origin and attributes[REPLACES].value.endswith(INDICES)


def _ends_in_torch(user: Value | None, alive: set[int]) -> bool:
    """Some live op behind this use is not one of ours."""
    if user is None:
        return True
    if user.op.startswith(OURS):
        return False
    if user.op not in CARRIES:
        return True
    return any(_ends_in_torch(u, alive) for u, _ in live_uses(user, alive))


def _move_to_last_key(graph: Graph, carrier: Value | None, readers: list[tuple[Value, int]], keys: Int) -> None:
    """Let torch ops read `remainder(list, keys)`, which now is what took the place of torch's own list."""
    assert carrier is not None and carrier.dims is not None
    first = min((user for user, _ in readers), key=lambda user: user.order)
    build = Builder(graph, first)
    moved = build.torch("torch.aten.remainder.Scalar", [carrier, build.integer(keys)], carrier.dims, carrier.dtype)
    moved = build.typed(moved, carrier.mlir.type)
    for user, index in readers:
        user.operation.operands[index] = moved.mlir
    for name in (ORIGIN, REPLACES):
        moved.operation.attributes[name] = carrier.operation.attributes[name]
    del carrier.operation.attributes[REPLACES]
