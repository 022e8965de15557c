"""Who uses an index list, and which keys each use lets through."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var
from ..analysis.liveness import live_uses
from ..analysis.predicate import TRUE, Predicate, and_, ge
from ..normalize.forms import peel
from ..normalize.masks import BOOL, NotUnderstood, Reader
from ..normalize.term import Elem, aligned, variable
from ..report import place
from .operands import attributes, operands

ATTENTION = "sparse_attn.attention"
CARRIES = (  # ops that only rename or convert a list
    "torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast",
    "torch.aten._to_copy", "torch.aten.view", "torch.aten.unsqueeze", "torch.aten.squeeze.dim", "torch.aten.select.int",
    "torch.aten.permute",
)  # fmt: skip
ONE = ints.of(1)


@dataclasses.dataclass(frozen=True)
class Consumer:
    """An attention that takes the list for one of its segments, and what its own masks let through there.

    The attention may count its keys by another size than the scores (two caches, two symbols): hiding is compared key
    by key, and a pick beyond the attention's keys is an error with and without the fusion.
    """

    place: str
    seen: Predicate


def consumers(indices: Value, alive: set[int], axes: tuple[Int, Int, Int]) -> Iterator[Consumer | str]:
    """Every live use of `indices`: a consumer, or a sentence about a use that is none. `axes` are batch, row, key."""
    stack = [indices]
    while stack:
        value = stack.pop()
        for user, at in live_uses(value, alive):
            if user is None:
                yield "its indices are returned"
            elif user.op in CARRIES:
                stack.append(user)
            elif user.op == ATTENTION:
                yield _attention(user, at, indices, axes)
            else:
                yield f"its indices are used by {user.op} at {place(user.operation.location)}"


def _attention(user: Value, at: int, indices: Value, axes: tuple[Int, Int, Int]) -> Consumer | str:
    given = operands(user)
    name = next(n for n, v in given.items() if v is user.operands[at] and n.endswith("indices"))
    listed = given[name]
    assert listed is not None and listed.dims is not None
    where = place(user.operation.location)
    entry = peel(Elem(listed, (axes[0], axes[1], variable("k", listed.dims[2]))))
    if entry.value is not indices or entry.idx[:2] != axes[:2]:
        return f"its indices reach the attention at {where} rearranged"
    segment = name.split("_")[0]
    return Consumer(where, seen_by(user, segment, axes))


def size(axis: Int) -> Int:
    return axis.atom.size if isinstance(axis.atom, Var) else ONE


def seen_by(user: Value, segment: str, axes: tuple[Int, Int, Int]) -> Predicate:
    """What an attention's attributes and operands let through of one segment, apart from its index list."""
    given, attrs = operands(user), attributes(user)
    b, s, key = axes
    count = _count(given["visible"], b, s)
    if count is None and given["visible"] is None and given["ori_kv"] is not None and given["ori_kv"].dims:
        count = given["ori_kv"].dims[1] - size(s) + s + 1
    parts = [_masked(given, segment, axes)]
    if segment == "ori" and count is not None:
        left, right = (-1, 0) if attrs["ori_mask"] == "causal" else (attrs["ori_left"], attrs["ori_right"])
        if attrs["ori_mask"] != "none":
            parts.append(ge(count - 1 + right - key) if right >= 0 else TRUE)
            parts.append(ge(key - count + 1 + left) if left >= 0 else TRUE)
    if segment == "cmp" and attrs["cmp_mask"] == "prefix":
        prefix = _count(given["cmp_visible"], b, s)
        if given["cmp_visible"] is None and count is not None:
            prefix = ints.floordiv(count, ints.of(attrs["cmp_ratio"]))
        parts.append(ge(prefix - 1 - key) if prefix is not None else TRUE)
    return and_(*parts)


def _count(operand: Value | None, b: Int, s: Int) -> Int | None:
    """A `visible` operand as an expression."""
    if operand is None or operand.dims is None:
        return None
    cases = Reader().integer(Elem(operand, (b if operand.dims[0] != ONE else ints.of(0), s)))
    return cases[0][1] if cases is not None and len(cases) == 1 else None


def _masked(given: dict[str, Value | None], segment: str, axes: tuple[Int, Int, Int]) -> Predicate:
    mask, ori = given["mask"], given["ori_kv"]
    if mask is None:
        return TRUE
    offset = ori.dims[1] if segment == "cmp" and ori is not None and ori.dims else ints.of(0)
    reader = Reader()
    b, s, key = axes
    try:
        elem = aligned(mask, Elem(mask, (b, ints.of(0), s, key + offset)))
        return reader.predicate(elem) if mask.dtype == BOOL else reader.bias(elem)
    except NotUnderstood:
        return TRUE
