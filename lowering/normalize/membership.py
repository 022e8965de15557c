"""Solving `exists position: guard and entry == key`: what a list of keys lets through."""

from __future__ import annotations

from ..analysis import ints
from ..analysis.ints import Int, Var
from ..analysis.predicate import FALSE, Member, Predicate, and_, atoms, compare, ge, rebuild
from .term import Elem

ONE = ints.of(1)


def solve(var: Var, guard: Predicate, entry: Int, key: Int) -> Predicate | None:
    """`exists var: guard and entry == key` as a predicate without `var`; None where it cannot be solved.

    `entry` is affine in `var`, or an element of one list that `var` runs through from end to end, plus a number.
    """
    single = var.size == ONE  # the only entry stands at position 0, no variable in sight
    lists = [a for a, _ in entry.terms if isinstance(a, Elem) and (single or _depends(ints.of(a), var))]
    if not lists:
        return _affine(var, guard, entry, key)
    listed = lists[0]
    rest = entry.without(listed)
    if len(lists) > 1 or entry.coefficient(listed) != 1 or _depends(rest, var):
        return None
    return _listed(var, guard, listed, key - rest)


def _affine(var: Var, guard: Predicate, entry: Int, key: Int) -> Predicate | None:
    pace = entry.coefficient(var)
    rest = entry.without(var)
    if _depends(rest, var) or abs(pace) > 1:
        return None
    if pace:
        position = (key - rest) * pace
        inside = and_(ge(position), ge(var.size - 1 - position))
        return and_(inside, rebuild(guard, lambda i: ints.substitute(i, var, position)))
    equal = compare("eq", key, rest)
    if equal == FALSE or guard == FALSE:
        return FALSE
    return None if var in atoms(guard) or not ints.non_negative(var.size - 1) else and_(guard, equal)


def _listed(var: Var, guard: Predicate, listed: Elem, key: Int) -> Predicate | None:
    """Membership in a list, or in the part of it that `var` reaches, under a guard on its entries."""
    guard = rebuild(guard, lambda i: ints.substitute(i, listed, key))
    at = [d for d, i in enumerate(listed.idx) if _depends(i, var)]
    if not at:
        return None if var in atoms(guard) else and_(member(key, listed), guard)
    dim, index = at[0], listed.idx[at[0]]
    shift = index.without(var)
    if len(at) > 1 or index.coefficient(var) != 1 or _depends(shift, var) or listed.value.dims is None:
        return None
    inner = Var("k", listed.value.dims[dim])
    position = ints.of(inner) - shift
    reached = and_(ge(position), ge(var.size - 1 - position))
    everywhere = and_(reached, rebuild(guard, lambda i: ints.substitute(i, var, position)))
    if inner not in atoms(everywhere):
        return and_(member(key, _at(listed, dim, ints.of(inner))), everywhere)
    part = Var("k", var.size)
    return None if var in atoms(guard) else and_(member(key, _at(listed, dim, ints.of(part) + shift)), guard)


def _at(listed: Elem, dim: int, index: Int) -> Elem:
    return Elem(listed.value, (*listed.idx[:dim], index, *listed.idx[dim + 1 :]))


def member(key: Int, listed: Elem) -> Predicate:
    """`key` is in the list, decided where the entries' range excludes it."""
    if listed.bounds is not None:
        low, high = listed.bounds
        if ints.non_negative(low - key - 1) or ints.non_negative(key - high - 1):
            return FALSE
    return Member(key, listed)


def _depends(value: Int, var: Var) -> bool:
    return var in ints.atoms(value)
