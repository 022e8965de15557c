"""An attention whose mask differs between groups of heads becomes one whose groups are batches of their own.

Block-sparse and dynamic masks choose keys for every key head. The operator has one list for all heads of a batch, so
the G key heads move into the batch, each with the N / G query heads that read it:

    query [B, S, G n, D] -> [B G, S, n, D],  keys [B, T, G, D] -> [B G, T, 1, D],  mask [B, G n, S, T] -> [B G, 1, S, T]

Nothing else changes. That the mask is the same for the heads of a group is proven by reading it for a head of the
group and for the group's first head.
"""

from __future__ import annotations

from typing import Any

from ...dialect import sparse_attn
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Fn, Int
from ..build import Builder, CannotBuild
from ..normalize.masks import BOOL, NotUnderstood, Reader
from ..normalize.term import Elem, aligned, variable
from ..replace import keep_facts_of
from ..report import Report
from .operands import attributes, operands

OP = "sparse_attn.attention"
ZERO, ONE = ints.of(0), ints.of(1)
ALONE = ("query", "ori_kv", "ori_value", "mask")  # operands it may have


def fuse(graph: Graph, report: Report, assume: tuple[str, ...] = ()) -> None:
    for value in graph.values:
        if value.op != OP or value.result != 0 or not _differs(value):
            continue
        try:
            _build(graph, value)
        except (NotUnderstood, CannotBuild) as failed:
            report.open("attention", value.operation).notes.append(f"its heads are not taken apart: {failed}")


def _differs(value: Value) -> bool:
    """The mask has an axis of heads, and nothing else stands in the way."""
    mask = operands(value)["mask"]
    given = {name for name, operand in operands(value).items() if operand is not None}
    return given <= set(ALONE) and mask is not None and len(mask.dims or ()) == 4 and (mask.dims or ())[1] != ONE


def _build(graph: Graph, value: Value) -> None:
    given = operands(value)
    query, kv, own, mask = (given[name] for name in ALONE)
    assert query is not None and kv is not None and mask is not None and query.dims and kv.dims and mask.dims
    b, s, heads, _ = query.dims
    groups = kv.dims[2]
    if not heads.is_const or not groups.is_const or groups == ONE:
        raise CannotBuild(f"{heads} query heads read {groups} key heads")
    each = ints.of(heads.const // groups.const)
    _check_same(mask, query, kv, each)
    build = Builder(graph, value)
    folded = b * groups
    kept: dict[str, Any] = dict.fromkeys(given) | {
        "query": build.to_builtin(_queries(build, query, groups, each)),
        "ori_kv": build.to_builtin(_keys(build, kv)),
        "ori_value": build.to_builtin(_keys(build, own)) if own is not None else None,
        "mask": build.to_builtin(_mask(build, mask, b, each)),
    }
    made = sparse_attn.AttentionOp.build(
        **kept, **attributes(value), loc=value.operation.location, ip=build.point
    ).operation
    assert value.dims is not None
    width = value.dims[3]
    keep_facts_of(value.operation, made, [folded, s, each, width])
    out = build.from_builtin(made.results[0], [folded, s, each, width], query.dtype)
    out = build.permute(build.view(out, [b, groups, s, each, width]), [0, 2, 1, 3, 4])
    value.mlir.replace_all_uses_with(build.to_builtin(build.reshape(out, [b, s, heads, width])))
    value.siblings[1].mlir.replace_all_uses_with(made.results[1])
    value.operation.erase()


def _check_same(mask: Value, query: Value, kv: Value, each: Int) -> None:
    """The mask is the same for all heads of a group; raises CannotBuild."""
    assert query.dims is not None and kv.dims is not None
    b, s, j = variable("b", query.dims[0]), variable("s", query.dims[1]), variable("j", kv.dims[1])
    group, member = variable("g", kv.dims[2]), variable("m", each)
    read = []
    for head in (group * each + member, group * each):
        elem = aligned(mask, Elem(mask, (b, head, s, j)))
        reader = Reader()
        read.append(reader.predicate(elem) if mask.dtype == BOOL else reader.bias(elem))
    if read[0] != read[1]:
        raise CannotBuild(f"the mask is not proven the same for the {each} query heads of a key head")


def _queries(build: Builder, query: Value, groups: Int, each: Int) -> Value:
    assert query.dims is not None
    b, s, d = (variable(n, query.dims[i]) for n, i in (("b", 0), ("s", 1), ("d", 3)))
    g, m = variable("g", groups), variable("m", each)
    head = ints.of(Fn("lin", (g, groups, m, each))) if each != ONE else g
    apart = build.operand(Elem(query, (b, s, head, d)), [b, g, s, m, d])
    return build.reshape(apart, [query.dims[0] * groups, query.dims[1], each, query.dims[3]])


def _keys(build: Builder, kv: Value) -> Value:
    assert kv.dims is not None
    b, t, g, d = (variable(n, size) for n, size in zip("btgd", kv.dims, strict=True))
    apart = build.operand(Elem(kv, (b, t, g, d)), [b, g, t, ZERO, d])
    return build.reshape(apart, [kv.dims[0] * kv.dims[2], kv.dims[1], ONE, kv.dims[3]])


def _mask(build: Builder, mask: Value, batch: Int, each: Int) -> Value:
    """[B G, 1, S, T]: the first head of every group speaks for it."""
    given = build.from_torch_or_builtin(mask)
    assert given.dims is not None
    bounds = [build.integer(i) for i in (ONE, ZERO, given.dims[1], each)]
    dims = [given.dims[0], ints.floordiv(given.dims[1], each), *given.dims[2:]]
    first = build.torch("torch.aten.slice.Tensor", [given, *bounds], dims, given.dtype)
    assert first.dims is not None
    whole = build.expand(first, [batch, *first.dims[1:]])
    return build.reshape(whole, [batch * first.dims[1], ONE, *first.dims[2:]])
