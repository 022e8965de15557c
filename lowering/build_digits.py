"""Axes that are numbers of two digits: read as quotient and remainder, as of batches that hold groups of heads."""

from __future__ import annotations

from collections.abc import Sequence

from .analysis import ints
from .analysis.ints import Fn, Int, Var
from .normalize.term import Elem


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


def _divisor(elem: Elem, axis: Int) -> Int | None:
    """What `axis` is divided by in an index of `elem`."""
    atoms = {a for i in elem.idx for a in ints.atoms(i) if isinstance(a, Fn) and a.name == "floordiv"}
    found = {a.args[1] for a in atoms if a.args[0] == axis and a.args[1].is_const}
    return found.pop() if isinstance(axis.atom, Var) and len(found) == 1 else None


def _replaced(elem: Elem, axis: Int, by: Int) -> Elem:
    return elem.rebuild(lambda atom: by if atom == axis.atom else None)
