"""Attention in any spelling: softmax or scaled_dot_product_attention becomes `sparse_attn.attention`.

The lifted op keeps the graph's mask as its `mask` operand; what the mask means is for `fuse.attention_mask` to prove.
"""

from __future__ import annotations

from ...dialect import sparse_attn
from ...dialect.constraints import ConstraintError
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Fn, Int, Var
from ..build import Builder, CannotBuild, mixed_radix
from ..normalize.forms import peel
from ..normalize.term import Elem
from ..pattern import NoMatch, no_match
from ..replace import replace, size
from ..report import Report
from . import exponentials, sdpa, softmax
from .gathered import Listed, gathered, list_operand
from .masks import mask_operand
from .roles import Site

ZERO = ints.of(0)
ANCHORS = {op: matcher for matcher in (sdpa, softmax, exponentials) for op in matcher.ANCHORS}


def lift(graph: Graph, report: Report) -> None:
    """Lift every attention whose structure is understood."""
    for value in graph.values:
        if value.op in ANCHORS and value.result == 0:
            _lift_one(graph, report, value)


def _lift_one(graph: Graph, report: Report, anchor: Value) -> None:
    try:
        site = ANCHORS[anchor.op].match(anchor)
        listed = gathered(site)
    except NoMatch as failed:
        if failed.distance:
            report.refused(report.open("attention", anchor.operation), anchor.operation, failed.reason)
        return
    finding = report.open("attention", anchor.operation, site.pieces)
    try:
        _build(graph, anchor, listed.site if listed else site, listed)
    except (NoMatch, CannotBuild, ConstraintError) as failed:
        report.refused(finding, anchor.operation, str(failed))


def _build(graph: Graph, anchor: Value, site: Site, listed: Listed | None) -> None:
    build = Builder(graph, site.root.value)
    b, s, h, d = site.batch, site.row, site.head, site.channel
    group, key, value = _grouped(site)
    shared = _shared_width(key, value, d, site.value_channel)
    heads = size(h)
    made = sparse_attn.AttentionOp.build(
        build.builtin(site.query, [b, s, h, d]),
        ori_kv=build.to_builtin(_laid_out(build, key, [b, site.key_axis, group, d])),
        ori_value=None
        if shared is not None
        else build.to_builtin(_laid_out(build, value, [b, site.key_axis, group, site.value_channel])),
        ori_indices=build.to_builtin(list_operand(build, listed)) if listed else None,
        sinks=build.to_builtin(_sinks(build, site.sink, h, heads)) if site.sink else None,
        mask=mask_operand(build, site),
        scale=site.scale,
        value_width=shared if shared is not None else -1,
        ori_mask="causal" if site.is_causal else "none",
        empty_rows=site.empty_rows,
        loc=anchor.operation.location,
        ip=build.point,
    )
    replace(build, made.operation, 0, site.root, [b, s, h, site.value_channel], anchor)


def _grouped(site: Site) -> tuple[Int, Elem, Elem]:
    """The key/value head axis, and key and value elements over it: query head h reads head h // (N / G)."""
    h, key, value = site.head, site.key, site.value
    found = {_head_index(key, h), _head_index(value, h)} - {None}
    if not found:
        return ZERO, key, value
    if len(found) > 1:
        no_match(f"keys and values are shared over different groups of heads, {key} and {value}", 6)
    (index,) = found
    assert index is not None
    if index == h:
        return h, key, value
    atom = index.atom
    if not isinstance(atom, Fn) or atom.name != "floordiv" or atom.args[0] != h:
        no_match(f"the key head {index} is no function of query head // group size", 6)
    group = ints.of(Var("g", ints.floordiv(size(h), atom.args[1])))

    def regroup(elem: Elem) -> Elem:
        return elem.rebuild(lambda a: group if a == atom else None)

    return group, regroup(key), regroup(value)


def _head_index(elem: Elem, h: Int) -> Int | None:
    """The index expression of `elem` that depends on the head, taken out of a mixed-radix number."""
    found = [i for i in elem.idx if not h.is_const and h.atom in ints.atoms(i)]
    while found and (number := mixed_radix(found[0])) is not None:
        found = [i for i in number.args[::2] if h.atom in ints.atoms(i)]
    return found[0] if found else None


def _shared_width(key: Elem, value: Elem, d: Int, value_channel: Int) -> int | None:
    """-1 or a width when the value is the first channels of the key row; None when values are of their own."""
    if value_channel.is_const or d.is_const:
        return None
    same = value.rebuild(lambda a: d if a == value_channel.atom else None)
    if (key.value, key.idx) != (same.value, same.idx):
        return None
    if size(d) == size(value_channel):
        return -1
    return size(value_channel).const if size(value_channel).is_const else None


def _laid_out(build: Builder, elem: Elem, order: list[Int]) -> Value:
    """An operand over `order`; axes the element does not depend on but the operand must have are expanded."""
    made = build.operand(elem, order)
    assert made.dims is not None
    return build.expand(
        made, [size(i) if n == 0 else known for n, (i, known) in enumerate(zip(order, made.dims, strict=True))]
    )


def _sinks(build: Builder, sink: Elem, h: Int, heads: Int) -> Value:
    return build.expand(build.operand(peel(sink), [h]), [heads])
