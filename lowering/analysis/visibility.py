"""What an index predicate says about one segment of keys: a list, a range per row, and what is left unproven."""

from __future__ import annotations

import dataclasses

from . import ints
from .ints import Fn, Int, Var
from .predicate import FALSE, TRUE, Ge, Leaf, Member, Predicate, and_, conjuncts, ge


@dataclasses.dataclass(frozen=True)
class Visibility:
    """Keys a row attends to: entries of `list`, with `lower <= key <= upper`, where every leaf lets them through."""

    list: Member | None = None
    lower: Int | None = None
    upper: Int | None = None
    leaves: tuple[Leaf, ...] = ()

    @property
    def proven(self) -> bool:
        return not self.leaves

    def predicate(self, key: Int) -> Predicate:
        """The range part as a predicate over `key`."""
        return and_(
            ge(key - self.lower) if self.lower is not None else TRUE,
            ge(self.upper - key) if self.upper is not None else TRUE,
        )


def read(p: Predicate, key: Int) -> Visibility | str:
    """Sort the conjuncts of `p` by what they bound; a sentence when one fits nowhere."""
    if p == FALSE:
        return "it hides every key"
    member: Member | None = None
    uppers: list[Int] = []
    lowers: list[Int] = []
    leaves: list[Leaf] = []
    for part in conjuncts(p):
        match part:
            case Member(at, _) if at == key and member is None:
                member = part
            case Ge(expr) if key.is_const:  # a single key: a condition on the row is a bound on key 0
                uppers.append(expr)
            case Ge(expr) if expr.coefficient(key.atom) == -1 and not _inside(expr, key):
                uppers.append(expr.without(key.atom))
            case Ge(expr) if expr.coefficient(key.atom) == 1 and not _inside(expr, key):
                lowers.append(-expr.without(key.atom))
            case Leaf():
                leaves.append(part)
            case _:
                return f"its term `{part}` is neither a range of keys nor an index list"
    upper, lower = _tightest(uppers, -1), _tightest(lowers, 1)
    if isinstance(upper, str) or isinstance(lower, str):
        return upper if isinstance(upper, str) else str(lower)
    return Visibility(member, lower, upper, tuple(sorted(leaves, key=str)))


def ratio(count: Int) -> int | None:
    """The tokens a key stands for: r where `count` is floor(x / r) plus what no row changes; None for single tokens."""
    found = [atom for atom, factor in count.terms if factor == 1 and isinstance(atom, Fn) and atom.name == "floordiv"]
    moving = [atom for atom, _ in count.terms if any(isinstance(a, Var) for a in ints.atoms(ints.of(atom)))]
    found = [atom for atom in found if atom in moving] or found
    if len(found) != 1 or any(atom != found[0] for atom in moving) or not found[0].args[1].is_const:
        return None
    return found[0].args[1].const


def _inside(expr: Int, key: Int) -> bool:
    """The key also occurs inside another atom."""
    return key.atom in ints.atoms(expr.without(key.atom))


def _tightest(bounds: list[Int], sign: int) -> Int | str | None:
    """The one bound that implies the others (`sign` 1: the largest, -1: the smallest)."""
    for one in bounds:
        if all(ints.non_negative((one - other) * sign) for other in bounds):
            return one
    return f"its bounds {' and '.join(map(str, bounds))} cannot be ordered" if bounds else None
