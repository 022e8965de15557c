"""A selection over index scores (top-k, or a sort cut after its first entries) becomes `sparse_attn.topk` over
`sparse_attn.index_scores`.

The lifted topk still ranks the masked scores and still picks arbitrary masked keys where a row sees fewer than k, as
torch does; moving the mask into the operator, where such picks become -1, is for `fuse.lightning_indexer` to prove.
"""

from __future__ import annotations

from typing import Any

from ...dialect import sparse_attn
from ...dialect.constraints import ConstraintError
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Int, Var
from ..build import Builder, CannotBuild
from ..normalize.forms import activation, contraction, variables
from ..normalize.term import Apply, Elem, step, variable
from ..pattern import NoMatch, no_match
from ..replace import replace, size
from ..report import Report
from .scores import Scores, match_masked, unmask
from .selection import ANCHORS, TOPK, Selection, amount, ranked, selection


def lift(graph: Graph, report: Report) -> None:
    """Lift every top-k whose input is an index score."""
    for value in graph.values:
        if value.op in ANCHORS and value.result == 0:
            _lift_one(graph, report, value)


def _lift_one(graph: Graph, report: Report, value: Value) -> None:
    try:
        elem, t = _general(ranked(value))
        _check_per_head(elem)
        scores, _ = match_masked(elem, t)
    except NoMatch as failed:
        if failed.distance:  # nearer than "no contraction": a candidate the user will want to hear about
            report.refused(report.open("indexer", value.operation), value.operation, failed.reason)
        return None
    finding = report.open("indexer", value.operation, (*scores.pieces, amount(value)))
    try:
        chosen = selection(value)
        _check_keys(scores)
        _build(graph, chosen, scores)
    except (NoMatch, CannotBuild, ConstraintError) as failed:
        return report.refused(finding, value.operation, str(failed))
    if chosen.anchor.op != TOPK:
        finding.notes.append("a sort leaves the order of equal scores open: they fall as torch.topk breaks ties")
    return None


def _general(ranked: Value) -> tuple[Elem, Int]:
    """The general element of the ranked tensor, and its key variable."""
    assert ranked.dims is not None
    names = [*(f"h{i}" for i in range(len(ranked.dims) - 3)), "b", "s", "t"][-len(ranked.dims) :]
    if len(ranked.dims) == 4:
        names = ["b", "h", "s", "t"]
    idx = tuple(variable(n, d) for n, d in zip(names, ranked.dims, strict=True))
    if not isinstance(idx[-1].atom, Var):
        no_match("there is a single key to choose from")
    return Elem(ranked, idx), idx[-1]


def _check_per_head(elem: Elem) -> None:
    """Ranking activated dot products that still have a head axis is another operation."""
    if any(name.startswith("h") for name in variables(elem)) and any(_dots(r.score, 4) for r in unmask(elem)):
        no_match("top-k is taken per head, not over the scores summed over heads", 5)


def _dots(elem: Elem, fuel: int) -> bool:
    """A dot product lies under the factors and the activation of `elem`."""
    act = activation(elem)
    if contraction(act.elem) is not None:
        return True
    made = step(act.elem)
    factors = made.args if isinstance(made, Apply) and made.name == "mul" else ()
    return fuel > 0 and any(isinstance(x, Elem) and _dots(x, fuel - 1) for x in factors)


def _check_keys(scores: Scores) -> None:
    if isinstance(scores.head.atom, Var) and scores.head.atom.name in variables(scores.key):
        no_match("the heads have keys of their own", 5)


def _build(graph: Graph, chosen: Selection, scores: Scores) -> None:
    """Insert index_scores in place of the score tensor, and topk in place of torch's."""
    k = chosen.k
    build = Builder(graph, scores.root.value)
    axes = b, s, t = _axes(chosen.ranked)
    if [i for i in scores.root.idx if not i.is_const] != [a for a in axes if not a.is_const]:
        raise CannotBuild(f"the scores are laid out as {scores.root}, not over (batch, query, key)")
    made = sparse_attn.IndexScoresOp.build(
        _whole(build, scores.query, [b, s, scores.head, scores.channel]),
        _whole(build, scores.key, [b, t, scores.channel]),
        _whole(build, scores.weights, [b, s, scores.head]),
        key_scale=_whole(build, scores.key_scale, [b, t]),
        scale=scores.scale,
        activation=scores.activation,
        reduce="weighted" if scores.weights else "sum",
        loc=build.location,
        ip=build.point,
    )
    _build_topk(graph, chosen, k, axes)  # first: it uses the score tensor, which is replaced next
    replace(build, made.operation, 0, scores.root, axes, chosen.anchor)


def _whole(build: Builder, elem: Elem | None, order: list[Int]) -> Any | None:
    """The builtin tensor over `order`, repeated along axes that the element does not depend on."""
    if elem is None:
        return None
    return build.to_builtin(build.widened(build.expand(build.operand(elem, order), [size(axis) for axis in order])))


def _build_topk(graph: Graph, chosen: Selection, k: int, axes: tuple[Int, Int, Int]) -> None:
    b, s, t = axes
    build = Builder(graph, chosen.anchor)
    elem, _ = _general(chosen.ranked)
    made = sparse_attn.TopkOp.build(
        build.builtin(elem, [b, s, t]), k=k, sorted=chosen.order, loc=build.location, ip=build.point
    )
    for result, old in ((0, chosen.indices), (1, chosen.values)):
        if old is not None and old.dims is not None:
            out = ints.of(Var("k", old.dims[-1]))
            replace(build, made.operation, result, Elem(old, (*elem.idx[:-1], out)), (b, s, out), chosen.anchor)


def _axes(ranked: Value) -> tuple[Int, Int, Int]:
    elem, t = _general(ranked)
    by_name = {i.atom.name: i for i in elem.idx if isinstance(i.atom, Var)}
    return by_name.get("b", ints.of(0)), by_name.get("s", ints.of(0)), t
