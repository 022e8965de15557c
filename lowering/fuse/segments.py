"""The segments of an attention's keys, and what its mask and its index list let a row see of each."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var
from ..analysis.predicate import TRUE, And, Leaf, Not, Or, Predicate, and_
from ..analysis.visibility import Visibility, read
from ..build import CannotBuild
from ..normalize.forms import peel
from ..normalize.masks import BOOL, Reader
from ..normalize.term import Apply, Elem, In, aligned, step, variable
from ..replace import size
from .operands import operands

ZERO, ONE = ints.of(0), ints.of(1)


@dataclasses.dataclass(frozen=True)
class Axes:
    """The axes of an attention, as variables shared by every analysis: batch, head, row, key."""

    b: Int
    h: Int
    s: Int
    j: Int

    @property
    def keys(self) -> Int:
        return size(self.j)


def axes_of(value: Value) -> Axes:
    query, kv = operands(value)["query"], operands(value)["ori_kv"]
    assert query is not None and query.dims is not None and kv is not None and kv.dims is not None
    b, s, h, _ = query.dims
    return Axes(variable("b", b), variable("h", h), variable("s", s), variable("j", kv.dims[1]))


def visibility(reader: Reader, given: dict[str, Value | None], axes: Axes, key: Int, at: Int) -> Visibility | str:
    """What the mask and the list let a row see among the keys `key`, which stand at `at` among all keys."""
    return read(predicate(reader, given, axes, at), key)


def predicate(reader: Reader, given: dict[str, Value | None], axes: Axes, at: Int) -> Predicate:
    """True where mask and list let a row see the key at `at`; raises NotUnderstood, CannotBuild."""
    mask, listed = given["mask"], given["ori_indices"]
    found = TRUE
    if mask is not None:
        assert mask.dims is not None
        if len(mask.dims) == 4 and mask.dims[1] != ONE:
            raise CannotBuild("it differs between heads")
        elem = aligned(mask, Elem(mask, (axes.b, axes.h, axes.s, at)))
        found = reader.predicate(elem) if mask.dtype == BOOL else reader.bias(elem)
    if listed is not None:
        assert listed.dims is not None
        position = Var("k", listed.dims[2])
        k = ints.of(position) if listed.dims[2] != ONE else ZERO
        batch = axes.b if listed.dims[0] != ONE else ZERO
        found = and_(found, reader.predicate(In(at, position, Elem(listed, (batch, axes.s, k)))))
    return found


RANKS = {  # op: the result that holds ranked scores
    "torch.aten.topk": 0, "torch.aten.sort": 0, "torch.aten.kthvalue": 0,
    "sparse_attn.topk": 1, "sparse_attn.lightning_indexer": 1,
}  # fmt: skip


def by_threshold(p: Predicate) -> bool:
    """Some part compares scores with one of their ranked values."""
    match p:
        case And(parts) | Or(parts):
            return any(map(by_threshold, parts))
        case Not(inner):
            return by_threshold(inner)
        case Leaf(elem, False):
            made = step(elem)
            sides = made.args if isinstance(made, Apply) and made.name in ("ge", "gt", "le", "lt") else ()
            found = [peel(x, lossy=True).value for x in sides if isinstance(x, Elem)]
            return any(RANKS.get(value.op) == value.result for value in found)
    return False


@dataclasses.dataclass(frozen=True)
class Parts:
    """The two tensors a key tensor is concatenated from, as elements over (batch, key, head, channel)."""

    ori: Elem
    cmp: Elem
    ori_key: Int
    cmp_key: Int


def parts_of(given: dict[str, Value | None], axes: Axes) -> Parts | None:
    """The concatenation along the key axis that makes up keys which are their own values."""
    kv = given["ori_kv"]
    if given["ori_value"] is not None or kv is None or kv.dims is None:
        return None
    g, d = variable("g", kv.dims[2]), variable("d", kv.dims[3])
    found = peel(Elem(kv, (axes.b, axes.j, g, d)))
    pieces = found.value.listed(0) if found.value.op == "torch.aten.cat" else []
    if len(pieces) != 2 or found.value.const(1) is None or axes.j not in found.idx:
        return None
    dim = found.idx.index(axes.j)
    if found.value.const(1) % len(found.idx) != dim:
        return None
    first, second = pieces
    assert first.dims is not None and second.dims is not None
    ori_key, cmp_key = variable("j", first.dims[dim]), variable("c", second.dims[dim])

    def at(piece: Value, key: Int) -> Elem:
        return Elem(piece, (*found.idx[:dim], key, *found.idx[dim + 1 :]))

    return Parts(at(first, ori_key), at(second, cmp_key), ori_key, cmp_key)
