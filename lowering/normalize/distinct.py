"""Is a key named twice by a list? Attention by list counts such a key twice, attention under a mask once."""

from __future__ import annotations

from ..analysis import ints
from ..analysis.ints import Int, Var
from ..analysis.predicate import FALSE, Ge, Predicate, conjuncts, rebuild
from .bounds import is_distinct
from .masks import Cases
from .term import Elem


def repeated(cases: Cases, var: Var) -> str | None:
    """Why entries, as `cases` over the position `var`, may name a key (a number from 0) twice; None: proven not."""
    other_var = Var(var.name + "'", var.size)  # two entries stand at positions of their own
    kept = [(guard, value) for guard, value in cases if not _none(guard, value)]
    for _, value in kept:
        if not _injective(value, var):
            return f"its entries {value} are not proven to name every key once"
    for n, (guard, value) in enumerate(kept):
        for other_guard, other in kept[:n]:
            elsewhere = rebuild(other_guard, lambda i: _renamed(i, var, other_var)), _renamed(other, var, other_var)
            if value != other and not _apart(guard, value, *elsewhere):
                return f"its entries {other} and {value} are not proven to name different keys"
    return None


def _renamed(value: Int, var: Var, other: Var) -> Int:
    return ints.substitute(value, var, ints.of(other))


def _none(guard: Predicate, value: Int) -> bool:
    return guard == FALSE or ints.non_negative(-value - 1)


def _injective(value: Int, var: Var) -> bool:
    """Different positions hold different numbers: the position times a number, or a ranking's picks, plus the rest."""
    if var.size == ints.of(1):
        return True
    moving = [(atom, factor) for atom, factor in value.terms if var in ints.atoms(ints.of(atom))]
    if len(moving) != 1:
        return False
    atom, _ = moving[0]
    return atom == var or (isinstance(atom, Elem) and is_distinct(atom) and sum(_moves(i, var) for i in atom.idx) == 1)


def _moves(index: Int, var: Var) -> bool:
    """The index runs along with the position, one entry each."""
    return abs(index.coefficient(var)) == 1 and var not in ints.atoms(index.without(var))


def _apart(guard: Predicate, value: Int, other_guard: Predicate, other: Int) -> bool:
    """The one lies below the other in every row, whatever the positions."""
    lows, highs = _bounds(guard, value)
    other_lows, other_highs = _bounds(other_guard, other)
    return _below(highs, other_lows) or _below(other_highs, lows)


def _below(highs: list[Int], lows: list[Int]) -> bool:
    return any(ints.non_negative(low - high - 1) for low in lows for high in highs)


def _bounds(guard: Predicate, value: Int) -> tuple[list[Int], list[Int]]:
    """Numbers that `value` does not fall below, and that it does not exceed, where `guard` holds."""
    slack = [part.expr for part in conjuncts(guard) if isinstance(part, Ge)]  # each is proven not to be negative
    return [value, *(value - x for x in slack)], [value, *(value + x for x in slack)]
