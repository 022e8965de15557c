"""Counts of list entries, in whatever spelling: one_hot and sum, scatter_add of ones, a comparison and any.

Where something is counted matters only as "at all or never": a count is zero exactly where no entry exists.
"""

from __future__ import annotations

from ..analysis import ints
from ..analysis.ints import Var
from .forms import look, peel
from .term import Apply, Elem, Exists, Lit, Select, Sum, Term, step

WRAPS = ("si8", "ui8", "i8", "si16", "i16")  # counts of these may come round to zero
EMPTY: dict[tuple[str, float | int | bool], bool] = {  # asking whether a count is zero: True, is not: False
    ("eq", 0): True, ("le", 0): True, ("lt", 1): True,
    ("ne", 0): False, ("gt", 0): False, ("ge", 1): False,
}  # fmt: skip


def counted_by(elem: Elem) -> Exists | None:
    """What must exist for the count `elem` not to be zero; None where `elem` is no count."""
    found = look(elem)
    if not isinstance(found, Sum) or len(found.over) > 1 or peel(elem).value.dtype in WRAPS:
        return None
    factors = [truth(f) for f in found.factors]
    if None in factors:
        return None
    only = Var(f"k{elem.value.order}", ints.of(1))  # a single entry: no variable is bound
    return Exists(found.over[0] if found.over else only, Apply("and", tuple(factors)))


def truth(term: Term) -> Term | None:
    """The truth-valued term whose 0 or 1 the number `term` is; None where it may be any other number."""
    if isinstance(term, Elem):
        if term.value.dtype == "i1":
            return term
        return _truth_of(step(term))
    return _truth_of(term)


def _truth_of(term: Term | None) -> Term | None:
    match term:
        case Lit(value) if value in (0, 1):
            return Lit(bool(value))
        case Apply("eq" | "ne" | "lt" | "le" | "gt" | "ge" | "and" | "or" | "not", _):
            return term
        case Elem():
            return truth(term)
        case Apply("cast", (Elem() as inner, *_)):
            return truth(inner)
        case Apply("mul", (a, b)):
            both = truth(a), truth(b)
            return Apply("and", both) if None not in both else None
        case Select(cond, then, other):
            chosen = truth(then), truth(other)
            return Select(cond, *chosen) if None not in chosen else None
    return None


def conditions(term: Term) -> list[Term]:
    """The conjuncts of a truth-valued term, layout taken off."""
    if isinstance(term, Elem):
        made = step(term)
        if made is None or (isinstance(made, Apply) and made.name == "cast" and not _is_truth(made.args[0])):
            return [term]
        return conditions(made.args[0] if isinstance(made, Apply) and made.name == "cast" else made)
    if isinstance(term, Apply) and term.name == "and":
        return [x for part in term.args for x in conditions(part)]
    return [term]


def _is_truth(term: Term) -> bool:
    return isinstance(term, Elem) and term.value.dtype == "i1"
