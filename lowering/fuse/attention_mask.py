"""What an attention's `mask` and `ori_indices` mean: a list, a causal or banded range, a compressed segment.

Both are read as one index predicate. What is proven moves into the op; tensors it could not read stay its `mask`; when
nothing is proven the op keeps the graph's mask and list, and the reason is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialect.constraints import ConstraintError
from ..analysis import ints
from ..analysis.graph import Graph, Value
from ..analysis.ints import Int, Var
from ..analysis.predicate import Leaf
from ..analysis.visibility import Visibility, ratio, read
from ..build import Builder, CannotBuild
from ..build_integers import integer_tensor
from ..lift.masks import joined
from ..normalize.bounds import is_distinct
from ..normalize.forms import peel
from ..normalize.masks import NotUnderstood, Reader
from ..normalize.term import Elem, variable
from ..replace import size
from ..report import Finding, Report, place
from .operands import attributes, operands, rebuilt
from .segments import Axes, Parts, axes_of, by_threshold, parts_of, predicate, visibility

OP = "sparse_attn.attention"
PROMISE = "distinct_indices"
THRESHOLD = (
    "its mask keeps every score from the k-th largest up: where scores tie that is more than k keys, which no list of "
    "k says; scatter or gather by the indices of top-k instead"
)
ZERO = ints.of(0)


def fuse(graph: Graph, report: Report, assume: tuple[str, ...] = ()) -> None:
    """`assume` are the user's promises."""
    for value in graph.values:
        if value.op == OP and value.result == 0:
            given = operands(value)
            if (given["mask"] or given["ori_indices"]) and not given["cmp_kv"]:
                _fuse_one(graph, report, value, PROMISE in assume)


def _fuse_one(graph: Graph, report: Report, value: Value, promised: bool) -> None:
    finding = report.open("attention", value.operation)
    reader = Reader()
    axes = axes_of(value)
    given = operands(value)
    named = "mask" if given["mask"] else "index list"
    try:
        whole = predicate(reader, given, axes, axes.j)
        if by_threshold(whole):
            finding.notes.insert(0, THRESHOLD)
        seen = read(whole, axes.j)
        parts = parts_of(given, axes)
        if parts and _worth_splitting(seen, parts, axes):
            split = _split(reader, given, axes, parts)
            if split is not None:
                _check_lists(split, promised)
                _build_split(graph, value, reader, axes, parts, split)
                return _note_leaves(finding, split[0])
        if isinstance(seen, str):
            finding.notes.append(f"{named} at {place(value.operation.location)} is not proven: {seen}")
            return None
        _check_lists((seen,), promised)
        _build_whole(graph, value, reader, axes, seen)
        _note_leaves(finding, seen)
    except (NotUnderstood, CannotBuild, ConstraintError) as failed:
        finding.notes.append(f"{named} at {place(value.operation.location)} stays an operand: {failed}")
    return None


def _check_lists(seen: Sequence[Visibility], promised: bool) -> None:
    """The operator counts every entry of a list, a mask every key: they agree where no key is listed twice."""
    for one in seen:
        listed = one.list.list if one.list is not None else None
        if listed is not None and not is_distinct(listed) and _several(listed) and not promised:
            raise CannotBuild(
                f"the index list {listed.value!r} may name a key twice, and the operator would count it twice: pass "
                f'options={{"assume": ("{PROMISE}",)}} if no key comes twice in it'
            )


def _several(listed: Elem) -> bool:
    return any(isinstance(a, Var) and a.name == "k" for i in listed.idx for a in ints.atoms(i))


def _note_leaves(finding: Finding, seen: Visibility) -> None:
    for leaf in seen.leaves:
        origin = leaf.elem.value.op or "an input"
        finding.notes.append(f"mask part `{leaf}` ({origin}) is not proven and stays an operand")


def _worth_splitting(seen: Visibility | str, parts: Parts, axes: Axes) -> bool:
    """Two segments say more than one mask: always where one cannot be read as a whole.

    A concatenation that is visible as a whole is split where its first part is one itself: a window (cached tokens,
    then new ones) before compressed keys. Cached and new tokens alone are one segment.
    """
    if isinstance(seen, str) or not seen.proven:
        return True
    window = peel(parts.ori)
    return seen == Visibility() and window.value.op == "torch.aten.cat" and parts.ori_key in window.idx


def _split(
    reader: Reader, given: dict[str, Value | None], axes: Axes, parts: Parts
) -> tuple[Visibility, Visibility] | None:
    """What is seen on each side of the seam; None when one side cannot be read (tensors may mask the tokens' side)."""
    ori = visibility(reader, given, axes, parts.ori_key, parts.ori_key)
    cmp = visibility(reader, given, axes, parts.cmp_key, parts.cmp_key + size(parts.ori_key))
    if isinstance(ori, str) or isinstance(cmp, str) or not cmp.proven or cmp.lower is not None:
        return None
    if any(leaf.bias for leaf in ori.leaves):
        return None
    return ori, cmp


def _build_whole(graph: Graph, value: Value, reader: Reader, axes: Axes, seen: Visibility) -> None:
    build = Builder(graph, value)
    changes = _ori(build, axes, seen, axes.keys)
    changes["mask"] = _leaves(build, axes, seen)
    changes["empty_rows"] = _empty_rows(value, reader, [seen], axes)
    rebuilt(value, build, changes)


def _build_split(
    graph: Graph, value: Value, reader: Reader, axes: Axes, parts: Parts, split: tuple[Visibility, Visibility]
) -> None:
    build = Builder(graph, value)
    ori, cmp = split
    kv = operands(value)["ori_kv"]
    assert kv is not None and kv.dims is not None
    g, d = variable("g", kv.dims[2]), variable("d", kv.dims[3])
    changes = _ori(build, axes, ori, size(parts.ori_key))
    changes["ori_kv"] = build.builtin(parts.ori, [axes.b, parts.ori_key, g, d])
    changes["cmp_kv"] = build.builtin(parts.cmp, [axes.b, parts.cmp_key, g, d])
    changes["mask"] = _padded(build, axes, ori, parts)
    changes["cmp_indices"] = _indices(build, axes, cmp)
    if cmp.upper is not None:
        count = cmp.upper + 1
        changes["cmp_mask"] = "prefix"
        changes["cmp_ratio"] = ratio(count) or 1
        changes["cmp_visible"] = build.to_builtin(integer_tensor(build, count, axes.b, axes.s))
    changes["empty_rows"] = _empty_rows(value, reader, [ori, cmp], axes)
    rebuilt(value, build, changes)


def _ori(build: Builder, axes: Axes, seen: Visibility, keys: Int) -> dict[str, Any]:
    """Indices, causal or band attributes and the `visible` operand of the token segment."""
    changes: dict[str, Any] = {"ori_indices": _indices(build, axes, seen)}
    count = None
    if seen.upper is not None:
        count = seen.upper + 1
        changes["ori_mask"] = "causal"
        if seen.lower is not None:
            left = seen.upper - seen.lower
            if not left.is_const or left.const < 0:
                raise CannotBuild(f"the window from {seen.lower} to {seen.upper} has no constant width")
            changes |= {"ori_mask": "band", "ori_left": left.const, "ori_right": 0}
    elif seen.lower is not None:
        count = seen.lower + 1
        changes |= {"ori_mask": "band", "ori_left": 0, "ori_right": -1}
    if count is not None and count != keys - size(axes.s) + axes.s + 1:
        changes["visible"] = build.to_builtin(integer_tensor(build, count, axes.b, axes.s))
    return changes


def _indices(build: Builder, axes: Axes, seen: Visibility) -> Any | None:
    if seen.list is None:
        return None
    entries = seen.list.list
    k = next((ints.of(a) for i in entries.idx for a in ints.atoms(i) if isinstance(a, Var) and a.name == "k"), ZERO)
    return build.builtin(entries, [axes.b, axes.s, k])


def _leaves(build: Builder, axes: Axes, seen: Visibility) -> Any | None:
    """The unread parts of the mask as one operand."""
    made: Value | None = None
    for leaf in seen.leaves:
        made = joined(build, made, _leaf(build, axes, leaf))
    return build.to_builtin(made) if made is not None else None


def _padded(build: Builder, axes: Axes, ori: Visibility, parts: Parts) -> Any | None:
    """The unread masks of the tokens, let through for the compressed keys that follow."""
    made: Value | None = None
    for leaf in ori.leaves:
        made = joined(build, made, build.operand(leaf.elem, [axes.b, ZERO, axes.s, parts.ori_key]))
    if made is None or made.dims is None:
        return None
    more = size(parts.cmp_key)
    amounts = build.elements([build.integer(ZERO), build.integer(more)])
    dims = [*made.dims[:-1], made.dims[-1] + more]
    return build.to_builtin(build.torch("torch.aten.constant_pad_nd", [made, amounts, build.number(1.0)], dims, "i1"))


def _leaf(build: Builder, axes: Axes, leaf: Leaf) -> Value:
    return build.operand(leaf.elem, [axes.b, ZERO, axes.s, axes.j])


def _empty_rows(value: Value, reader: Reader, seen: list[Visibility], axes: Axes) -> str:
    """What the graph's softmax gives for a row that sees no key: finite fills average, infinite ones do not."""
    own = attributes(value)["empty_rows"]
    if operands(value)["sinks"] is not None or _never_empty(seen):
        return own if operands(value)["sinks"] is None else "zero"
    if reader.fills == {"min"}:
        return "mean"
    if "min" in reader.fills:
        raise CannotBuild("it mixes finite and infinite fills, which differ on rows that see no key")
    return own


def _never_empty(seen: list[Visibility]) -> bool:
    """The range of some segment always holds a key, and no list or unread part can take it away."""
    return any(
        v.list is None and v.proven and (v.upper is None or ints.non_negative(v.upper)) and v.lower is None
        for v in seen
    )
