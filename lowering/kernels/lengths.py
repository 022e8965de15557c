"""How many keys the rows of a segment see, in the kernels' way of saying it.

Kernels count from the end: with S query tokens and n keys, row s stands at n - S + s and sees the first
floor((n - S + s + 1) / ratio) keys. A graph says the count of each row; here that becomes n, which is exact when the
rows count on by one, and needs the user's promise where positions are only known at run time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Fn, Int, Var
from ..analysis.predicate import TRUE
from ..normalize.masks import Reader
from ..normalize.term import Elem

ZERO, ONE = ints.of(0), ints.of(1)
NOT_CONSECUTIVE = (
    "the visible keys of several query tokens are read from positions known at run time; the kernel needs "
    'them to be consecutive: pass options={"assume": ("contiguous_positions",)} if they are'
)


@dataclasses.dataclass(frozen=True)
class Rows:
    """Row s of S sees the first floor((length - S + s + 1) / ratio) keys; `length` may depend on the batch.

    `promised`: that the rows count on by one is what the user assumed, not what the graph shows.
    """

    length: Int
    ratio: int = 1
    promised: bool = False

    @property
    def compressed(self) -> Int:
        return ints.floordiv(self.length, ints.of(self.ratio))

    @property
    def residual(self) -> Int:
        return ints.mod(self.length, ints.of(self.ratio))


def counted(operand: Value, batch: Int, row: Int) -> Int | None:
    """A `visible` operand as an expression over batch and row, None when it has cases."""
    assert operand.dims is not None
    cases = Reader().integer(Elem(operand, (batch if operand.dims[0] != ONE else ZERO, row)))
    return cases[0][1] if cases is not None and len(cases) == 1 and cases[0][0] == TRUE else None


def rows(count: Int, row: Int, tokens: Int, ratio: int, promised: bool, likely: Sequence[Int] = ()) -> Rows | str:
    """The rule that gives row `row` of `tokens` the count `count`, or why there is none.

    Several lengths may give the same counts; those in `likely` are preferred.
    """
    for length in likely:
        if ints.floordiv(length - tokens + row + ONE, ints.of(ratio)) == count:
            return Rows(length, ratio)
    if not is_one(row) and row.atom not in ints.atoms(count) and ints.non_negative(ints.of(ratio) - tokens):
        return Rows(count * ratio + tokens - ONE, ratio)  # the rows all stand inside the same compressed key
    numerator = _numerator(count, ratio)
    length = numerator - row - ONE + tokens
    if row.is_const or row.atom not in ints.atoms(length):
        return Rows(length, ratio)
    length = _anchored(numerator, row, tokens) - row - ONE + tokens
    if row.atom in ints.atoms(length):
        return f"the visible keys of the rows, {count}, do not count on by one"
    return Rows(length, ratio, promised=True) if promised else NOT_CONSECUTIVE


def _numerator(count: Int, ratio: int) -> Int:
    """p with floor(p / ratio) = count."""
    by = ints.of(ratio)
    for atom, coefficient in count.terms:
        if isinstance(atom, Fn) and atom.name == "floordiv" and atom.args[1] == by and coefficient == 1:
            return atom.args[0] + count.without(atom) * ratio
    return count * ratio


def _anchored(value: Int, row: Int, tokens: Int) -> Int:
    """`value` with each runtime element of a row said by the last row's, as consecutive positions allow."""
    last = tokens - ONE

    def moved(atom: Any) -> Int | None:
        if not isinstance(atom, Elem) or row.atom not in ints.atoms(ints.of(atom)):
            return None
        at_last = tuple(ints.substitute(i, row.atom, last) for i in atom.idx)
        return ints.of(Elem(atom.value, at_last)) - last + row

    return ints.rebuild(value, moved)


def within(length: Int, keys: Int) -> bool:
    """0 <= length <= keys is proven."""
    return ints.non_negative(length) and ints.non_negative(keys - length)


def clamped(length: Int, keys: Int) -> Int:
    """`length` brought into 0..keys."""
    return ints.minimum(ints.maximum(length, ZERO), keys)


def is_one(axis: Int) -> bool:
    """The axis has a single row."""
    return not isinstance(axis.atom, Var)
