"""Axes that are numbers of two digits: read as quotient and remainder, as of batches that hold groups of heads."""

from __future__ import annotations

from collections.abc import Sequence

from .analysis import ints
from .analysis.ints import Fn, Int, Var
from .normalize.term import Elem

ONE = ints.of(1)


def axes_apart(elem: Elem, order: Sequence[Int]) -> tuple[Elem, list[list[Int]]]:
    """`elem`, and `order` with two axes for each one of which `elem` reads quotient and remainder."""
    digits: list[list[Int]] = []
    for axis in order:
        by = _divisor(elem, axis)
        if by is None or not isinstance(axis.atom, Var):
            digits.append([axis])
            continue
        sizes = (ints.floordiv(axis.atom.size, by), by)
        high, low = (ints.of(Var(f"{axis.atom.name}{n}", size)) for n, size in enumerate(sizes))
        elem = _replaced(elem, axis, high * by + low)
        digits.append([high, low])
    return elem, digits


def digit_sizes(dims: Sequence[Int], digits: Sequence[Sequence[Int]]) -> list[list[Int]]:
    """The sizes of a tensor over `digits`, of size 1 along what it does not depend on, as they must be to join digits.

    An axis that only one of its digits tells anything about has that for every value of the other.
    """
    left, sizes = list(dims), []
    for axes in digits:
        own, left = left[: len(axes)], left[len(axes) :]
        told = len(axes) > 1 and any(size != ONE for size in own)
        sizes.append([a.atom.size if told and isinstance(a.atom, Var) else d for a, d in zip(axes, own, strict=True)])
    return sizes


def _divisor(elem: Elem, axis: Int) -> Int | None:
    """What `axis` is divided by in an index of `elem`."""
    atoms = {a for i in elem.idx for a in ints.atoms(i) if isinstance(a, Fn) and a.name == "floordiv"}
    found = {a.args[1] for a in atoms if a.args[0] == axis and a.args[1].is_const}
    return found.pop() if isinstance(axis.atom, Var) and len(found) == 1 else None


def _replaced(elem: Elem, axis: Int, by: Int) -> Elem:
    return elem.rebuild(lambda atom: by if atom == axis.atom else None)
