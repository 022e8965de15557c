"""Selections of the best keys: top-k, or a sort cut after its first entries."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Fn, Int
from ..pattern import no_match

TOPK = "torch.aten.topk"
SORTS = ("torch.aten.sort", "torch.aten.sort.stable")
ANCHORS = (TOPK, *SORTS)
CUTS = ("torch.aten.slice.Tensor", "torch.aten.narrow")


@dataclasses.dataclass(frozen=True)
class Selection:
    """The largest elements of the last axis of `ranked`: `indices` holds their positions, `values` the elements.

    `amount` is how many, `order` whether best first. `anchor` is the op it is reported under.
    """

    anchor: Value
    ranked: Value
    indices: Value
    values: Value | None
    amount: Int | None
    order: bool

    @property
    def k(self) -> int:
        """The constant amount, also where the graph takes min(k, keys); raises NoMatch."""
        assert self.ranked.dims is not None
        amount, keys = self.amount, self.ranked.dims[-1]
        if amount is not None and amount.is_const and amount.const > 0:
            return amount.const
        atom = amount.atom if amount is not None else None
        if isinstance(atom, Fn) and atom.name == "min" and keys in atom.args and len(atom.args) == 2:
            other = atom.args[1] if atom.args[0] == keys else atom.args[0]
            if other.is_const:
                return other.const
        return no_match(f"the number of kept keys, {amount}, is neither a constant nor min(constant, keys)", 5)


def ranked(anchor: Value) -> Value:
    """The tensor whose last axis `anchor` ranks; raises NoMatch where it ranks another."""
    source, axis = anchor.operands[0], anchor.const(1 if anchor.op == SORTS[0] else 2, -1)
    if not source.dims or axis not in (-1, len(source.dims) - 1):
        no_match("top-k does not run over the last axis")
    return source


def amount(anchor: Value) -> str:
    """What is selected, in words."""
    if anchor.op != TOPK:
        return "a sort"
    number = anchor.int(1)
    return f"top-k of {number if number is not None else 'an unknown number'}"


def selection(anchor: Value) -> Selection:
    """The selection anchored at the first result of `anchor`; raises NoMatch."""
    _check_direction(anchor)
    values, indices = anchor.siblings
    if anchor.op == TOPK:
        return Selection(anchor, ranked(anchor), indices, values, anchor.int(1), anchor.const(4, True) is True)
    cut = _cut(indices)
    return Selection(anchor, ranked(anchor), cut, None, cut.dims[-1] if cut.dims else None, True)


def _cut(indices: Value) -> Value:
    """The one slice that keeps the first entries of a sorted axis."""
    users = [user for user, _ in indices.uses]
    cut = users[0] if len(users) == 1 else None
    rank = len(indices.dims or ())
    if cut is None or cut.op not in CUTS or cut.const(1) not in (-1, rank - 1):
        no_match("it is a sort of all keys, not a selection of the first ones", 5)
    if (cut.int(2) or ints.of(0)) != ints.of(0) or (cut.op == CUTS[0] and (cut.int(4) or ints.of(1)) != ints.of(1)):
        no_match("the sorted keys are not cut after the first ones", 5)
    return cut


def _check_direction(anchor: Value) -> None:
    """Only the largest are selected, with ties as torch leaves them open; raises NoMatch."""
    if anchor.op == TOPK:
        if anchor.const(3, True) is not True:
            no_match("top-k keeps the smallest scores, not the largest", 5)
        return
    if anchor.const(2 if anchor.op == SORTS[0] else 3, False) is not True:
        no_match("the sort puts the smallest scores first, not the largest", 5)
    if anchor.op == SORTS[1] and anchor.const(1) is True:
        no_match("a stable sort breaks ties by position, top-k leaves them open: sort without stable=True", 5)
    if anchor.siblings[0].uses:
        no_match("its sorted scores are used as well as their positions", 5)
