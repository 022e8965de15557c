"""From terms to index predicates and integer cases."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ..analysis import ints
from ..analysis.ints import Int
from ..analysis.predicate import (
    FALSE,
    TRUE,
    And,
    Leaf,
    Or,
    Predicate,
    and_,
    compare,
    not_,
    or_,
)  # fmt: skip
from .counts import EMPTY, conditions, counted_by, truth
from .forms import FLOATS, exact
from .membership import solve
from .term import Apply, Elem, Exists, In, Lit, Number, Select, Term, step

Cases = list[tuple[Predicate, Int]]
COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}
HUGE = -1e30  # a literal at or below this added to scores removes a key; -inf and every float's minimum are below
MOST_CASES = 16
BOOL, INTEGERS = "i1", ("si64", "si32", "i64", "i32")  # arithmetic of narrower ones wraps around
NARROW = ("si16", "si8", "ui8", "i16", "i8")


class Reader:
    """Reads masks of one graph, remembering what it saw.

    `fills` collects the literals that removed keys ("-inf" or "min"), which decides what a fully masked row yields.
    """

    def __init__(self) -> None:
        self.fills: set[str] = set()
        self._known: dict[tuple[str, Elem], Any] = {}

    def predicate(self, term: Term) -> Predicate:
        """The predicate a truth-valued term stands for; raises NotUnderstood where it is no tensor of its own."""
        match term:
            case Elem() if term.value.dtype == BOOL:
                return self._remember("predicate", term, self._boolean)
            case Lit(value):
                return TRUE if value else FALSE
            case Apply("and", args):
                return and_(*map(self.predicate, args))
            case Apply("or", args):
                return or_(*map(self.predicate, args))
            case Apply("not", (inner,)):
                return not_(self.predicate(inner))
            case Apply("cast", (inner, *_)) if _is_bool(inner):
                return self.predicate(inner)
            case Apply(name, (a, b)) if name in COMPARISONS:
                return self._comparison(name, a, b)
            case Select(cond, then, other):
                c = self.predicate(cond)
                return or_(and_(c, self.predicate(then)), and_(not_(c), self.predicate(other)))
            case In():
                return self._member(term)
            case Exists():
                return self._exists(term)
            case Apply("cast", (Elem() as inner, *_)):
                return self._truth(inner)
        raise NotUnderstood(term)

    def bias(self, term: Term) -> Predicate:
        """The predicate an additive mask stands for: true where it adds nothing, false where it removes the key."""
        match term:
            case Elem():
                return self._remember("bias", term, self._number)
            case Lit(value) if value == 0:
                return TRUE
            case Lit(value) if isinstance(value, float) and value <= HUGE:
                self.fills.add("-inf" if value == float("-inf") else "min")
                return FALSE
            case Apply("add", (a, b)):
                return self._added(self.bias(a), self.bias(b))
            case Apply("cast", (Elem() as inner, *_)) if inner.value.dtype in FLOATS:
                return self.bias(inner)
            case Select(cond, then, other):
                c = self.predicate(cond)
                return or_(and_(c, self.bias(then)), and_(not_(c), self.bias(other)))
        raise NotUnderstood(term)

    def _added(self, p: Predicate, q: Predicate) -> Predicate:
        """Two biases at once. A number added twice is not the number added once, and minimum + minimum is -inf."""
        if leaves(p) & leaves(q):
            raise NotUnderstood
        if TRUE not in (p, q) and "min" in self.fills:
            self.fills.add("-inf")
        return and_(p, q)

    def integer(self, term: Term) -> Cases | None:
        """An integer-valued term as guarded expressions, None when it is not understood."""
        match term:
            case Elem():
                return self._remember("integer", term, self._integral)
            case Lit(value) if not isinstance(value, float) or value.is_integer():
                return [(TRUE, ints.of(int(value)))]
            case Number(value):
                return self._spread(value)
            case Select(cond, then, other):
                c = self.predicate(cond)
                return self._joined([(c, self.integer(then)), (not_(c), self.integer(other))])
            case Apply("cast", (inner, *_)):
                return self._truth_number(inner) if _is_bool(inner) else self.integer(inner)
            case Apply("cumsum", (inner, _)):
                cases = self._truth_number(inner) if _is_bool(inner) else self.integer(inner)
                return cases if cases is not None and all(v == ints.of(0) for _, v in cases) else None
            case Apply(name, args) if name in _INTEGER_FUNCTIONS:
                return self._mapped(_INTEGER_FUNCTIONS[name], [self.integer(a) for a in args])
        return None

    def _remember(self, kind: str, elem: Elem, compute: Callable[[Elem], Any]) -> Any:
        key = (kind, elem)
        if key not in self._known:
            self._known[key] = compute(elem.rebuild(self._resolved))
        return self._known[key]

    def _resolved(self, atom: Any) -> Int | None:
        """An element used as an index, as the expression it holds."""
        cases = self.integer(atom) if isinstance(atom, Elem) else None
        return cases[0][1] if cases is not None and len(cases) == 1 and cases[0][0] == TRUE else None

    def _spread(self, value: Int) -> Cases:
        """An expression over elements, one case for every combination of what they hold."""
        out: Cases = [(TRUE, value)]
        for atom in [a for a in ints.atoms(value) if isinstance(a, Elem)]:
            held = self.integer(atom) or [(TRUE, ints.of(atom))]
            out = [
                (both, ints.substitute(v, atom, by))
                for guard, v in out
                for case, by in held
                if (both := and_(guard, case)) != FALSE
            ]
        return out if len(out) <= MOST_CASES else [(TRUE, value)]

    def _boolean(self, elem: Elem) -> Predicate:
        try:
            made = step(elem)
            return self.predicate(made) if made is not None else Leaf(elem)
        except NotUnderstood:
            return Leaf(elem)

    def _number(self, elem: Elem) -> Predicate:
        try:
            made = step(elem)
            found = self.bias(made) if made is not None else Leaf(elem, bias=True)
        except NotUnderstood:
            return Leaf(elem, bias=True)
        cast = made.args[0] if isinstance(made, Apply) and made.name == "cast" else elem
        rounds = not exact(cast.value.dtype, elem.value.dtype)
        if rounds and "min" in self.fills:
            self.fills.add("-inf")  # the minimum of a wider float
        return Leaf(elem, bias=True) if rounds and leaves(found) else found

    def _integral(self, elem: Elem) -> Cases | None:
        itself: Cases = [(TRUE, ints.of(elem))]
        if elem.value.dtype not in INTEGERS and elem.value.dims is not None:
            return itself if elem.value.dtype in NARROW else None
        try:
            made = step(elem)
            return (self.integer(made) if made is not None else None) or itself
        except NotUnderstood:
            return itself

    def _truth_number(self, term: Term) -> Cases:
        p = self.predicate(term)
        return [(g, ints.of(v)) for g, v in ((p, 1), (not_(p), 0)) if g != FALSE]

    def _joined(self, branches: list[tuple[Predicate, Cases | None]]) -> Cases | None:
        out: Cases = []
        for guard, cases in branches:
            if cases is None:
                return None
            out += [(g, v) for g, v in ((and_(guard, inner), value) for inner, value in cases) if g != FALSE]
        return out if 0 < len(out) <= MOST_CASES else None

    def _mapped(self, function: Callable[..., Int], args: list[Cases | None]) -> Cases | None:
        if any(a is None for a in args):
            return None
        out = []
        for combination in itertools.product(*(a for a in args if a is not None)):
            guard = and_(*(g for g, _ in combination))
            if guard != FALSE:
                out.append((guard, function(*(v for _, v in combination))))
        return out if 0 < len(out) <= MOST_CASES else None

    def _adds_nothing(self, term: Elem) -> Predicate:
        """An additive mask is zero, where it is known to be zero or a fill."""
        found = Reader().bias(term)
        if leaves(found):
            raise NotUnderstood
        return found

    def _truth(self, term: Elem) -> Predicate:
        """A number as a truth. An element that only the running graph knows, as of a padding mask, stays a tensor."""
        cases = self.integer(term) or []
        if counted_by(term) is None and any(isinstance(v.atom, Elem) for _, v in cases):
            raise NotUnderstood
        return not_(self._zero(term))

    def _zero(self, term: Elem) -> Predicate:
        """A number is zero: no entry of a count, or the integer 0."""
        counted = counted_by(term)
        if counted is not None:
            return not_(self.predicate(counted))
        cases = self.integer(term)
        if cases is None:
            raise NotUnderstood
        return or_(*(and_(g, compare("eq", v, ints.of(0))) for g, v in cases))

    def _comparison(self, name: str, a: Term, b: Term) -> Predicate:
        if isinstance(a, Elem) and isinstance(b, Lit) and counted_by(a) is not None:
            empty = EMPTY.get((name, b.value))
            if empty is None:
                raise NotUnderstood  # how often an entry comes is not known
            return self._zero(a) if empty else not_(self._zero(a))
        if name in ("eq", "ne") and _is_bool(a) and (_is_bool(b) or b in (Lit(0), Lit(1))):
            p, q = self.predicate(a), self.predicate(b)
            same = or_(and_(p, q), and_(not_(p), not_(q)))
            return same if name == "eq" else not_(same)
        if name in ("eq", "ne") and b == Lit(0) and (marked := truth(a)) is not None:
            return not_(self.predicate(marked)) if name == "eq" else self.predicate(marked)
        if name in ("eq", "ne") and isinstance(a, Elem) and b == Lit(0) and a.value.dtype in FLOATS:
            return self._adds_nothing(a) if name == "eq" else not_(self._adds_nothing(a))
        left, right = self.integer(a), self.integer(b)
        if left is None or right is None:
            raise NotUnderstood
        return or_(*(and_(g, h, compare(name, x, y)) for g, x in left for h, y in right))

    def _member(self, term: In) -> Predicate:
        """Solve `exists k: entry(k) == key and weight(k)`; what cannot be solved raises NotUnderstood."""
        cases = self.integer(term.entry)
        if cases is None:
            raise NotUnderstood
        weight = self.predicate(term.weight)
        found = [solve(term.var, and_(guard, weight), value, term.key) for guard, value in cases]
        if None in found:
            raise NotUnderstood
        return or_(*(p for p in found if p is not None))

    def _exists(self, term: Exists) -> Predicate:
        """Solve for the one equation that fixes the position; the other conditions weigh the entries."""
        parts = conditions(term.cond)
        for n, part in enumerate(parts):
            if isinstance(part, Apply) and part.name == "eq":
                for entry, key in (part.args, part.args[::-1]):
                    cases = self.integer(key)
                    if cases is None or len(cases) != 1 or cases[0][0] != TRUE or term.var in ints.atoms(cases[0][1]):
                        continue
                    rest = parts[:n] + parts[n + 1 :]
                    return self._member(In(cases[0][1], term.var, entry, Apply("and", tuple(rest))))
        raise NotUnderstood


_INTEGER_FUNCTIONS: dict[str, Callable[..., Int]] = {
    "add": Int.__add__, "sub": Int.__sub__, "mul": Int.__mul__, "neg": Int.__neg__,
    "floordiv": ints.floordiv, "mod": ints.mod, "max": ints.maximum, "min": ints.minimum,
}  # fmt: skip


class NotUnderstood(Exception):
    """A term could not be understood: the tensor it is an element of stays opaque."""


def leaves(p: Predicate) -> frozenset[Leaf]:
    """The opaque numbers that `p` adds."""
    match p:
        case Leaf(_, True):
            return frozenset({p})
        case And(parts) | Or(parts):
            return frozenset().union(*map(leaves, parts))
    return frozenset()


def _is_bool(term: Term) -> bool:
    if isinstance(term, Elem):
        return term.value.dtype == BOOL
    if isinstance(term, Lit):
        return isinstance(term.value, bool)
    if isinstance(term, Apply):
        return term.name in COMPARISONS | {"and", "or", "not"}
    return isinstance(term, In | Exists) or (isinstance(term, Select) and _is_bool(term.then))
