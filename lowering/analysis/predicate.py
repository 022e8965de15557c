"""Index predicates: which (batch, query, key) a mask lets through, in a form that can be compared.

Predicates are built only through `and_`, `or_`, `not_`, `ge`, which simplify by the proven ranges of the variables.
Equality of the results is equality of meaning as far as it is proven; a value that could not be understood stays a
`Leaf` that names the tensor, so nothing is ever guessed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from . import ints
from .ints import Int


@dataclasses.dataclass(frozen=True)
class Ge:
    """expr >= 0."""

    expr: Int

    def __str__(self) -> str:
        negative = Int(0, tuple((a, -c) for a, c in self.expr.terms if c < 0))
        positive = Int(self.expr.const, tuple((a, c) for a, c in self.expr.terms if c > 0))
        return f"{negative} <= {positive}"


@dataclasses.dataclass(frozen=True)
class Member:
    """`key` is an entry of the index list `list` (an element whose list position is the variable `k`)."""

    key: Int
    list: Any  # normalize.term.Elem

    def __str__(self) -> str:
        return f"{self.key} in {self.list}"


@dataclasses.dataclass(frozen=True)
class Leaf:
    """A tensor element not understood: a truth value, or with `bias` a number added to the scores."""

    elem: Any
    bias: bool = False

    def __str__(self) -> str:
        return str(self.elem)


@dataclasses.dataclass(frozen=True)
class Not:
    of: Member | Leaf

    def __str__(self) -> str:
        return f"not {self.of}"


@dataclasses.dataclass(frozen=True)
class And:
    parts: frozenset[Any]

    def __str__(self) -> str:
        return " and ".join(sorted(map(str, self.parts))) or "true"


@dataclasses.dataclass(frozen=True)
class Or:
    parts: frozenset[Any]

    def __str__(self) -> str:
        return "(" + " or ".join(sorted(map(str, self.parts))) + ")" if self.parts else "false"


Predicate = Ge | Member | Leaf | Not | And | Or
TRUE: Predicate = And(frozenset())
FALSE: Predicate = Or(frozenset())


def ge(expr: Int) -> Predicate:
    """expr >= 0, decided where the ranges prove it."""
    if ints.non_negative(expr):
        return TRUE
    expr = _without_proven(expr)
    return FALSE if ints.non_negative(-expr - 1) else Ge(expr)


def _without_proven(expr: Int) -> Int:
    """`x >= max(a, b)` is `x >= a` where `x >= b` is proven; `x <= min(a, b)` likewise."""
    for atom, coefficient in expr.terms:
        if not isinstance(atom, ints.Fn) or (atom.name, coefficient > 0) not in (("max", False), ("min", True)):
            continue
        rest = expr.without(atom)
        open_ones = [x for x in atom.args if not ints.non_negative(rest + x * coefficient)]
        if len(open_ones) < len(atom.args):
            made = ints.maximum(*open_ones) if atom.name == "max" else ints.minimum(*open_ones)
            return _without_proven(rest + made * coefficient)
    return expr


def compare(name: str, a: Int, b: Int) -> Predicate:
    """lt, le, gt, ge, eq or ne between integers."""
    if name in ("lt", "gt"):
        a, b, name = (a, b, name) if name == "gt" else (b, a, "gt")
        return ge(a - b - 1)
    if name in ("le", "ge"):
        return ge(a - b) if name == "ge" else ge(b - a)
    equal = and_(ge(a - b), ge(b - a))
    return equal if name == "eq" else not_(equal)


def conjuncts(p: Predicate) -> frozenset[Any]:
    return p.parts if isinstance(p, And) else frozenset({p})


def and_(*given: Predicate) -> Predicate:
    parts: set[Any] = set()
    for p in given:
        parts |= conjuncts(p)
    parts = {_narrowed(p, parts) for p in parts}
    if any(isinstance(p, And) for p in parts):
        return and_(*parts)
    if FALSE in parts or any(_contradict(p, q) for p in parts for q in parts if p is not q):
        return FALSE
    kept = {p for p in parts if not any(q is not p and _implies(q, p) and not _implies(p, q) for q in parts)}
    return next(iter(kept)) if len(kept) == 1 else And(frozenset(kept))


def _narrowed(p: Any, others: set[Any]) -> Any:
    """A disjunction without the alternatives that contradict the other conjuncts; true where they imply one."""
    if not isinstance(p, Or):
        return p
    rest = [o for o in others if o is not p]
    if any(all(any(_implies(o, c) for o in rest) for c in conjuncts(a)) for a in p.parts):
        return TRUE
    alive = [a for a in p.parts if not any(_contradict(c, o) for c in conjuncts(a) for o in others if o is not p)]
    return p if len(alive) == len(p.parts) else or_(*alive)


def or_(*given: Predicate) -> Predicate:
    parts: set[Any] = set()
    for p in given:
        parts |= p.parts if isinstance(p, Or) else {p}
    if TRUE in parts or any(not_(p) == q for p in parts if isinstance(p, Ge | Member | Leaf) for q in parts):
        return TRUE
    kept = {p for p in parts if not any(q is not p and conjuncts(q) < conjuncts(p) for q in parts)}
    return next(iter(kept)) if len(kept) == 1 else Or(frozenset(kept))


def not_(p: Predicate) -> Predicate:
    match p:
        case Ge(expr):
            return ge(-expr - 1)
        case And(parts):
            return or_(*map(not_, parts))
        case Or(parts):
            return and_(*map(not_, parts))
        case Not(inner):
            return inner
    return Not(p)


def _contradict(p: Any, q: Any) -> bool:
    if isinstance(p, Ge) and isinstance(q, Ge):
        return ints.non_negative(-(p.expr + q.expr) - 1)
    return isinstance(p, Not) and p.of == q


def _implies(p: Any, q: Any) -> bool:
    return p == q or (isinstance(p, Ge) and isinstance(q, Ge) and ints.non_negative(q.expr - p.expr))


def implies(p: Predicate, q: Predicate) -> bool:
    """True when `p` is proven to imply `q` conjunct by conjunct."""
    if isinstance(p, Or):
        return p == q or all(implies(a, q) for a in p.parts)
    return all(_entails(p, b) for b in conjuncts(q))


def _entails(p: Predicate, q: Any) -> bool:
    """One conjunct of `p` implies `q`, or `p` implies one of the alternatives of `q`."""
    if any(_implies(a, q) for a in conjuncts(p)):
        return True
    return isinstance(q, Or) and any(implies(p, alternative) for alternative in q.parts)


def rebuild(p: Predicate, change: Callable[[Int], Int]) -> Predicate:
    """`p` with every integer expression changed, simplified again."""
    match p:
        case Ge(expr):
            return ge(change(expr))
        case And(parts):
            return and_(*(rebuild(x, change) for x in parts))
        case Or(parts):
            return or_(*(rebuild(x, change) for x in parts))
        case Not(inner):
            return not_(rebuild(inner, change))
        case Member(key, entries):
            return Member(change(key), _moved(entries, change))
        case Leaf(elem, bias):
            return Leaf(_moved(elem, change), bias)
    raise TypeError(p)


def _moved(elem: Any, change: Callable[[Int], Int]) -> Any:
    return type(elem)(elem.value, tuple(change(i) for i in elem.idx))


def atoms(p: Predicate) -> set[Any]:
    """Every integer atom that occurs in `p`."""
    match p:
        case Ge(expr):
            return ints.atoms(expr)
        case And(parts) | Or(parts):
            return set().union(*map(atoms, parts)) if parts else set()
        case Not(inner):
            return atoms(inner)
        case Member(key, entries):
            return ints.atoms(key).union(*map(ints.atoms, entries.idx))
        case Leaf(elem, _):
            return set().union(*map(ints.atoms, elem.idx)) if elem.idx else set()
    raise TypeError(p)
