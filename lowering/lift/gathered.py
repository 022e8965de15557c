"""Attention over gathered keys: each row's keys are rows of a longer tensor, picked by a list.

    keys[b, s, k] = kv[b, list[b, s, k]]

Such a site becomes one over all of `kv` with the list as `ori_indices`; entries that the graph masks become -1.
"""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var
from ..analysis.predicate import FALSE, TRUE, and_, not_
from ..build import Builder
from ..build_integers import integer_tensor
from ..normalize.distinct import repeated
from ..normalize.masks import BOOL, Cases, NotUnderstood, Reader, leaves
from ..normalize.term import Elem, Number
from ..pattern import no_match
from ..replace import size
from .masks import mask_tensor
from .roles import Site
from .scores import Mask

ZERO = ints.of(0)
GATHERS = ("torch.aten.index.Tensor", "torch.aten.gather", "torch.aten.index_select")


@dataclasses.dataclass(frozen=True)
class Listed:
    """A site over all keys, and the list that was gathered by: `entry` over (batch, row, `position`)."""

    site: Site
    entry: Int
    position: Int
    masks: tuple[Mask, ...]


def gathered(site: Site) -> Listed | None:
    """The site without its gather, None where its keys are not gathered; raises NoMatch."""
    at = _entries(site.key, site.key_axis)
    if at is None:
        if site.key.value.op in GATHERS and site.key_axis in site.key.idx:
            no_match("its keys are gathered by entries that may be negative: such an entry counts from the end", 6)
        return None
    entry = site.key.idx[at]
    value_at = _entries(site.value, site.key_axis)
    if value_at is None or site.value.idx[value_at] != entry:
        no_match(f"its keys are gathered by {entry}, its values are not", 6)
    assert site.key.value.dims is not None and site.value.value.dims is not None
    keys = site.key.value.dims[at]
    if site.value.value.dims[value_at] != keys:
        no_match("its keys and values are gathered from tensors of different lengths", 6)
    axis = ints.of(Var("t", keys))
    outer = _names(*(i for d, i in enumerate(site.key.idx) if d != at))
    batch, row, head = _roles(site, _names(entry), outer)
    _check(site, entry, head)
    whole = dataclasses.replace(
        site, key=_at(site.key, at, axis), value=_at(site.value, value_at, axis), key_axis=axis, masks=(),
        batch=batch, row=row, head=head, is_causal=False,
    )  # fmt: skip
    return Listed(whole, entry, site.key_axis, site.masks)


def list_operand(build: Builder, listed: Listed) -> Value:
    """The list as a tensor over (batch, row, position); -1 where a mask hides the entry."""
    site = listed.site
    made = integer_tensor(build, listed.entry, site.batch, site.row, listed.position)
    for mask in listed.masks:
        keep = _keep(build, mask, [site.batch, ZERO, site.row, listed.position])
        assert keep.dims is not None and made.dims is not None
        keep = build.select(keep, 1, ZERO)
        assert keep.dims is not None
        dims = [y if x == ints.of(1) else x for x, y in zip(made.dims, keep.dims, strict=True)]
        made = build.torch("torch.aten.where.ScalarOther", [keep, made, build.integer(ints.of(-1))], dims, made.dtype)
    assert made.dims is not None
    return build.expand(made, [made.dims[0], size(site.row), size(listed.position)])


def _keep(build: Builder, mask: Mask, axes: list[Int]) -> Value:
    """True where the mask keeps an entry; an added one keeps it where it is zero."""
    tensor = mask_tensor(build, mask, axes)
    if mask.kind != "bias":
        return tensor
    assert tensor.dims is not None
    return build.torch("torch.aten.eq.Scalar", [tensor, build.number(0.0)], tensor.dims, BOOL)


def _entries(elem: Elem, position: Int) -> int | None:
    """The dimension that a list indexes: the only one that moves with the position, and not by itself."""
    moving = [d for d, i in enumerate(elem.idx) if not position.is_const and position.atom in ints.atoms(i)]
    if len(moving) != 1 or not any(isinstance(a, Elem) for a in ints.atoms(elem.idx[moving[0]])):
        return None
    return moving[0]


def _at(elem: Elem, dim: int, index: Int) -> Elem:
    return Elem(elem.value, (*elem.idx[:dim], index, *elem.idx[dim + 1 :]))


def _names(*indices: Int) -> frozenset[str]:
    return frozenset(a.name for i in indices for a in ints.atoms(i) if isinstance(a, Var))


def _roles(site: Site, entry: frozenset[str], outer: frozenset[str]) -> tuple[Int, Int, Int]:
    """(batch, row, head): the row is what the list depends on and the keys apart from it do not."""
    axes = [site.batch, site.head, site.row]
    name = {axis: axis.atom.name if isinstance(axis.atom, Var) else "" for axis in axes}
    rows = [x for x in axes if name[x] in entry - outer]
    if len(rows) > 1 and site.batch in rows:
        rows.remove(site.batch)
    if len(rows) > 1:
        no_match("its index list differs between heads", 6)
    if not rows:
        return site.batch, site.row, site.head
    axes.remove(rows[0])
    first, second = axes
    if name[second] in entry or (first.is_const is False and name[first] not in entry | outer and second.is_const):
        first, second = second, first
    return first, rows[0], second


def _check(site: Site, entry: Int, head: Int) -> None:
    """The list and its masks are those of an operator that counts every listed key once; raises NoMatch."""
    position = site.key_axis.atom
    assert isinstance(position, Var)
    reader = Reader()
    if site.is_causal:
        no_match("is_causal over gathered keys compares positions in the list, not keys", 6)
    kept = _masked(reader, reader.integer(Number(entry)) or [(TRUE, entry)], site, head)
    problem = repeated(kept, position)
    if problem is not None:
        no_match(f"its keys are gathered by a list: {problem}, and a key listed twice counts twice", 6)
    if any(not ints.non_negative(value) for _, value in kept):
        no_match(f"its keys are gathered by {entry}, which may be negative and then counts from the end", 6)
    if "min" in reader.fills and site.sink is None:
        no_match("its mask over gathered keys fills with a finite minimum, which a row without keys averages", 6)


def _masked(reader: Reader, cases: Cases, site: Site, head: Int) -> Cases:
    """The entries that the masks keep."""
    for mask in site.masks:
        if not isinstance(mask.term, Elem) or _names(*mask.term.idx) & _names(head):
            no_match("the mask over its gathered keys differs between heads", 6)
        if mask.fill == "min":
            reader.fills.add("min")
        try:
            seen = reader.bias(mask.term) if mask.kind == "bias" else reader.predicate(mask.term)
        except NotUnderstood:
            no_match(f"the mask {mask.term} over its gathered keys is not understood", 6)
        if leaves(seen):
            no_match("a number is added to the logits of its gathered keys", 6)
        seen = not_(seen) if mask.kind == "drop" else seen
        cases = [(both, value) for guard, value in cases if (both := and_(guard, seen)) != FALSE]
    return cases
