"""Attention over keys expanded from a latent becomes attention over the latent itself.

With `key = latent * key_weight` and `value = latent * value_weight` (see `expanded`), sums may take another order:

    <query[s, h, :], key[t, h, :]>  = <absorbed[s, h, :], latent[t, :]>,  absorbed = query * key_weight
    sum_t p[s, h, t] value[t, h, :] = (sum_t p[s, h, t] latent[t, :]) * value_weight

All heads then read one row a token, latent channels before the shared (rotary) ones, and the row is also its value.
Nothing is expanded any more; the weights are read through views, never copied. This is the form that the chips'
kernels take. Row sums, masks, lists and sinks see the same logits, so nothing else of the attention changes.

Sums are reordered: fp32 results move by rounding only (tests hold 1e-5 relative on whole models), and in bf16, where
the absorbed query is rounded once instead of every key, the error against fp64 stays below twice eager's own. It is
therefore reported, and an option: "auto" goes by cost on the host (see `absorb_cost`) and absorbs for chips, whose
kernels know no expanded keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialect import sparse_attn
from ...dialect.constraints import ConstraintError
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Int
from ..analysis.liveness import live
from ..build import Builder, CannotBuild
from ..build_lists import cat, einsum
from ..normalize.forms import peel
from ..normalize.term import Elem, variable
from ..passes import remark
from ..pattern import NoMatch, no_match
from ..replace import keep_facts_of, size
from ..report import Report
from . import absorb_cost, expanded
from .absorb_cost import Sizes, known
from .expanded import Expanded, Expansion
from .operands import attributes, operands

OP = "sparse_attn.attention"
CHOICES = ("auto", "on", "off")
ZERO = ints.of(0)


def fuse(graph: Graph, report: Report, choice: str = "auto", target: str = "host") -> None:
    """Absorb the projections of every live attention where `choice` and, for "auto", the cost on `target` say so."""
    alive = live(graph)
    for value in graph.values:
        if value.op != OP or value.result != 0 or value.order not in alive or choice == "off":
            continue
        finding = report.open("attention", value.operation)
        try:
            note = _absorb(graph, value, choice, target)
        except NoMatch as failed:
            if failed.distance == 0 and choice == "auto":
                continue  # no latent attention at all
            note = f"projections are not absorbed: {failed.reason}"
        except (CannotBuild, ConstraintError) as failed:
            note = f"projections are not absorbed: {failed}"
        finding.notes.append(note)
        remark(value.operation.location, note)


def _absorb(graph: Graph, value: Value, choice: str, target: str) -> str:
    """Absorb, or raise NoMatch; the note says what was decided and from which numbers."""
    given = operands(value)
    key, values = given["ori_kv"], given["ori_value"]
    if key is None or values is None or given["cmp_kv"] is not None:
        no_match("its values are no tensor of their own")
    query = given["query"]
    assert query is not None and query.dims is not None and key.dims is not None
    if key.dims[2] != query.dims[2]:
        no_match(f"{query.dims[2]} query heads share {key.dims[2]} key heads")
    found = expanded.match(key, values)
    _check_types(query, found)
    sizes = _sizes(graph, value, found)
    own, less = absorb_cost.expanded(sizes), absorb_cost.absorbed(sizes)
    numbers = f"{less:.3g} multiply-adds absorbed, {own:.3g} expanded, sizes not known counted as {absorb_cost.UNKNOWN}"
    if choice == "auto" and target == "host" and less >= own:
        no_match(f"it costs more ({numbers})", 4)
    _build(graph, value, found)
    why = "as asked for" if choice == "on" else "for a kernel of the chip" if target != "host" else "it costs less"
    return f"projections are absorbed, {why} ({numbers}); sums are reordered"


def _check_types(query: Value, found: Expanded) -> None:
    for side in (found.key, found.value):
        if side.root.dtype != query.dtype or side.latent.value.dtype != query.dtype:
            no_match(
                f"queries are {query.dtype}, the latent {side.latent.value.dtype} and its products {side.root.dtype}", 3
            )


def _sizes(graph: Graph, value: Value, found: Expanded) -> Sizes:
    given = operands(value)
    query, key, values, listed = given["query"], given["ori_kv"], given["ori_value"], given["ori_indices"]
    assert query is not None and key is not None and values is not None
    assert query.dims is not None and key.dims is not None and values.dims is not None
    b, s, h, d = map(known, query.dims)
    tokens = known(key.dims[1])
    attended = known(listed.dims[2]) if listed is not None and listed.dims is not None else tokens
    if attributes(value)["ori_mask"] == "band" and attributes(value)["ori_left"] >= 0:
        attended = min(attended, attributes(value)["ori_left"] + 1)
    elsewhere = found.key.root.order in live(graph, ignoring=value)
    return Sizes(
        b, s, tokens, min(attended, tokens), h, found.latent_width, d, d - found.part.size, known(values.dims[3]),
        expands=not elsewhere,
    )  # fmt: skip


def _build(graph: Graph, value: Value, found: Expanded) -> None:
    build = Builder(graph, value)
    given, attrs = operands(value), attributes(value)
    query, kv = given["query"], given["ori_kv"]
    assert query is not None and query.dims is not None and kv is not None and kv.dims is not None
    b, s, h = (variable(n, d) for n, d in zip("bsh", query.dims[:3], strict=True))
    changes = {
        "query": build.to_builtin(_query(build, query, found, [b, s, h])),
        "ori_kv": build.to_builtin(_rows(build, found, kv.dims)),
        "ori_value": None, "value_width": found.latent_width if found.shared else -1,
    }  # fmt: skip
    kept: dict[str, Any] = {name: v.mlir if v is not None else None for name, v in given.items()}
    made = sparse_attn.AttentionOp.build(
        **{**kept, **attrs, **changes}, loc=value.operation.location, ip=build.point
    ).operation
    width = ints.of(found.latent_width)
    keep_facts_of(value.operation, made, [size(b), size(s), size(h), width])
    attended = build.from_builtin(made.results[0], [size(b), size(s), size(h), width], query.dtype)
    e = variable("e", value.dims[3]) if value.dims is not None else ZERO
    weight = _weight(build, found.value, [h, e, found.value.latent_channel])
    out = _product(build, "bshc,hec->bshe", attended, weight, [size(b), size(s), size(h), size(e)], found.value)
    value.mlir.replace_all_uses_with(build.to_builtin(out))
    value.siblings[1].mlir.replace_all_uses_with(made.results[1])


def _query(build: Builder, query: Value, found: Expanded, axes: list[Int]) -> Value:
    """[B, S, N, C + R]: the queries of the expanded channels through the key weights, then the others."""
    part, shape = found.part, [size(a) for a in axes]
    own = _channels(build, query, axes, part.channel, part.start)
    weight = _weight(build, found.key, [axes[2], part.channel, found.key.latent_channel])
    width = ints.of(found.latent_width)
    pieces = [_product(build, "bshd,hdc->bshc", own, weight, [*shape, width], found.key)]
    pieces += [_channels(build, query, axes, other.channel, other.start) for other in found.shared]
    return cat(build, pieces, 3)


def _channels(build: Builder, query: Value, axes: list[Int], channel: Int, start: int) -> Value:
    elem = peel(Elem(query, (*axes, channel + start)))
    return build.cast(build.from_torch_or_builtin(build.operand(elem, [*axes, channel])), query.dtype)


def _rows(build: Builder, found: Expanded, dims: Sequence[Int]) -> Value:
    """[B, T, 1, C + R]: the latent, then the channels that all heads share."""
    b, t = variable("b", dims[0]), variable("t", dims[1])
    latent = found.key.latent
    pieces = [build.operand(latent, [b, t, ZERO, found.key.latent_channel])]
    pieces += [
        build.cast(build.operand(part.elem, [b, t, ZERO, part.channel]), latent.value.dtype) for part in found.shared
    ]
    pieces = [build.expand(piece, [dims[0], *(piece.dims or ())[1:]]) for piece in pieces]  # rows shared by the batch
    return cat(build, pieces, 3)


def _weight(build: Builder, side: Expansion, order: list[Int]) -> Value:
    """A view of the weights, in the dtype of the products they were used in."""
    return build.cast(build.from_torch_or_builtin(build.operand(side.weight, order)), side.root.dtype)


def _product(build: Builder, equation: str, x: Value, y: Value, dims: list[Int], side: Expansion) -> Value:
    made = einsum(build, equation, [x, y], dims, x.dtype)
    if side.coefficient == 1.0:
        return made
    return build.torch("torch.aten.mul.Scalar", [made, build.number(side.coefficient)], dims, made.dtype)
