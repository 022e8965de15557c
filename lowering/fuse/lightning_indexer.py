"""topk over masked index_scores becomes one `lightning_indexer`, the mask inside.

Inside the operator a pick that is not visible becomes -1, where torch's top-k picks arbitrary masked keys. That is the
same only if every consumer masks such picks again, which is proven here: each attention that uses the list must hide
whatever the selection's mask hides.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...dialect import sparse_attn
from ...dialect.constraints import ConstraintError
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Int, Var
from ..analysis.liveness import live, live_uses
from ..analysis.predicate import FALSE, TRUE, Predicate, and_, implies, not_
from ..analysis.visibility import Visibility, ratio, read
from ..build import Builder, CannotBuild
from ..build_integers import integer_tensor
from ..lift.masks import joined, mask_tensor
from ..lift.scores import Mask, Masked, unmask
from ..normalize.forms import scaled
from ..normalize.masks import NotUnderstood, Reader, leaves
from ..normalize.term import Elem, variable
from ..pattern import NoMatch, no_match
from ..replace import keep_facts
from ..report import Report
from .consumers import consumers
from .operands import attributes, operands

OP, SCORES = "sparse_attn.topk", "sparse_attn.index_scores"
ZERO, ONE = ints.of(0), ints.of(1)
Axes = tuple[Int, Int, Int]


def fuse(graph: Graph, report: Report, assume: tuple[str, ...] = ()) -> None:
    alive = live(graph)
    for value in graph.values:
        if value.op == OP and value.result == 0 and value.order in alive:
            finding = report.open("indexer", value.operation)
            try:
                report.fused(finding, value.operation, _fuse_one(graph, value, alive))
            except (NoMatch, CannotBuild, NotUnderstood, ConstraintError) as failed:
                report.refused(finding, value.operation, str(failed))


def _fuse_one(graph: Graph, value: Value, alive: set[int]) -> str:
    dims = value.operands[0].dims
    assert dims is not None
    axes = variable("b", dims[0]), variable("s", dims[1]), variable("j", dims[2])
    reading = _over_scores(Elem(value.operands[0], axes))
    reader = Reader()
    seen = and_(*(_mask(reader, mask) for mask in reading.masks))
    if seen == FALSE:
        no_match("its mask hides every key")
    indices, values = value.siblings
    if reading.factor != 1.0 and live_uses(values, alive):
        no_match(f"its values are used, and are {reading.factor:g} times the scores")
    if reading.factor != 1.0 and leaves(seen):
        no_match(f"a number is added to scores that are multiplied by {reading.factor:g}")
    if seen != TRUE:
        _check_consumers(indices, seen, axes, alive)
    if live_uses(values, alive) and "min" in reader.fills | {m.fill for m in reading.masks}:
        no_match("its values are used, and a finite fill gives hidden keys a value that the operator does not")
    return _build(graph, value, axes, seen, reading)


def _over_scores(elem: Elem) -> Masked:
    """The ranked tensor as masks over the result of index_scores."""
    for reading in reversed(unmask(elem)):
        score = scaled(reading.score)
        if score.elem.value.op == SCORES and score.coefficient > 0:
            return dataclasses.replace(reading, score=score.elem, factor=reading.factor * score.coefficient)
    return no_match("something between the scores and top-k is no mask")


def _mask(reader: Reader, mask: Mask) -> Predicate:
    if mask.kind == "bias":
        return reader.bias(mask.term)
    found = reader.predicate(mask.term)
    return not_(found) if mask.kind == "drop" else found


def _check_consumers(indices: Value, seen: Predicate, axes: Axes, alive: set[int]) -> None:
    """Every use of the list must hide what the selection hides."""
    for consumer in consumers(indices, alive, axes):
        if isinstance(consumer, str):
            no_match(
                f"{consumer}: where a row sees fewer than k keys, eager hands on arbitrary hidden keys, the operator -1"
            )
        if not implies(consumer.seen, seen):
            no_match(
                f"the attention at {consumer.place} does not hide again what the selection's mask hides: it lets "
                f"through `{consumer.seen}`, the selection `{seen}`, and k may exceed the visible keys"
            )


def _build(graph: Graph, value: Value, axes: Axes, seen: Predicate, reading: Masked) -> str:
    scores, build = reading.score.value, Builder(graph, value)
    changes = _masks(build, axes, seen, reading)
    common = {"k": attributes(value)["k"], "sorted": attributes(value)["sorted"]}
    place: dict[str, Any] = {"loc": value.operation.location, "ip": build.point}
    if scores.order in live(graph, ignoring=value):
        made = sparse_attn.TopkOp.build(scores.mlir, **common, **changes, **place).operation
    else:
        given = {name: v.mlir if v is not None else None for name, v in operands(scores).items()}
        made = sparse_attn.LightningIndexerOp.build(
            **given, **attributes(scores), **common, **changes, **place
        ).operation
    keep_facts(value.operation, made)
    return made.name


def _masks(build: Builder, axes: Axes, seen: Predicate, reading: Masked) -> dict[str, Any]:
    """mask_mode, ratio, and the visible and mask operands that say `seen`."""
    if seen == TRUE:
        return {}
    found = read(seen, axes[2])
    if isinstance(found, str) or found.lower is not None or found.list is not None:
        return {"mask": _whole_mask(build, axes, reading)}
    changes = _range(build, axes, found)
    made: Value | None = None
    for leaf in found.leaves:
        made = joined(build, made, build.operand(leaf.elem, axes))
    return changes | ({"mask": build.to_builtin(made)} if made is not None else {})


def _range(build: Builder, axes: Axes, found: Visibility) -> dict[str, Any]:
    b, s, j = axes
    if found.upper is None:
        return {}
    count = found.upper + 1
    rows, keys = (x.atom.size if isinstance(x.atom, Var) else ONE for x in (s, j))
    if count == keys - rows + s + 1:
        return {"mask_mode": "causal"}
    changes: dict[str, Any] = {"mask_mode": "causal", "visible": build.to_builtin(integer_tensor(build, count, b, s))}
    tokens = ratio(count)
    if tokens is not None:
        changes |= {"mask_mode": "prefix", "ratio": tokens}
    return changes


def _whole_mask(build: Builder, axes: Axes, reading: Masked) -> Any:
    made: Value | None = None
    for mask in reading.masks:
        made = joined(build, made, mask_tensor(build, mask, axes))
    assert made is not None
    return build.to_builtin(made)
