"""Integer expressions over loop variables, symbolic sizes and runtime integers, in one canonical form.

An `Int` is `const + sum(coef * atom)`. Atoms are loop variables, symbols, elements of integer tensors and the few
non-linear functions shapes are made of. Two expressions are equal when their canonical forms are, which is how masks,
slices and views of different spellings come to compare equal.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any


@dataclasses.dataclass(frozen=True)
class Int:
    """An affine integer expression; build it with `of`, never by hand."""

    const: int = 0
    terms: tuple[tuple[Any, int], ...] = ()

    def __add__(self, other: Int | int) -> Int:
        other = of(other)
        return _make(self.const + other.const, [*self.terms, *other.terms])

    def __neg__(self) -> Int:
        return self * -1

    def __sub__(self, other: Int | int) -> Int:
        return self + -of(other)

    def __mul__(self, other: Int | int) -> Int:
        other = of(other)
        if other.is_const:
            return _make(self.const * other.const, [(a, c * other.const) for a, c in self.terms])
        if self.is_const:
            return other * self
        if len(self.terms) > 1 or self.const:  # distribute, so that (n - 1) * m and n*m - m compare equal
            parts = [of(self.const)] + [_make(0, [t]) for t in self.terms]
            return functools.reduce(Int.__add__, (p * other for p in parts))
        if len(other.terms) > 1 or other.const:
            return other * self
        (a, ca), (b, cb) = self.terms[0], other.terms[0]
        factors = (a.args if isinstance(a, Fn) and a.name == "mul" else (self._unit(a),)) + (
            b.args if isinstance(b, Fn) and b.name == "mul" else (self._unit(b),)
        )
        return _make(0, [(Fn("mul", tuple(sorted(factors, key=repr))), ca * cb)])

    @staticmethod
    def _unit(atom: Any) -> Int:
        return Int(0, ((atom, 1),))

    @property
    def is_const(self) -> bool:
        return not self.terms

    @property
    def atom(self) -> Any | None:
        """The single atom when the expression is exactly that atom, else None."""
        return self.terms[0][0] if self.const == 0 and len(self.terms) == 1 and self.terms[0][1] == 1 else None

    def coefficient(self, atom: Any) -> int:
        return next((c for a, c in self.terms if a == atom), 0)

    def without(self, atom: Any) -> Int:
        return Int(self.const, tuple(t for t in self.terms if t[0] != atom))

    def __str__(self) -> str:
        parts = [str(a) if c == 1 else f"-{a}" if c == -1 else f"{c}*{a}" for a, c in self.terms]
        if self.const or not parts:
            parts.append(str(self.const))
        return " + ".join(parts).replace("+ -", "- ")


@dataclasses.dataclass(frozen=True)
class Var:
    """A loop variable, 0 <= value < size."""

    name: str
    size: Int

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class Sym:
    """A symbolic size or scalar of the traced graph, with its proven least value (None: unbounded)."""

    name: str
    low: int | None = 0

    def __str__(self) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class Fn:
    """A non-linear function of integers: floordiv, mod, min, max, mul, or lin (mixed-radix number)."""

    name: str
    args: tuple[Int, ...]

    def __str__(self) -> str:
        if self.name == "floordiv":
            return f"({self.args[0]})//{self.args[1]}"
        return f"{self.name}({', '.join(map(str, self.args))})"


def of(value: Any) -> Int:
    """An Int from a Python int, an atom, or an Int."""
    if isinstance(value, Int):
        return value
    if isinstance(value, int):
        return Int(int(value))
    return Int(0, ((value, 1),))


def _make(const: int, terms: Iterable[tuple[Any, int]]) -> Int:
    total: dict[Any, int] = {}
    for atom, coef in terms:
        total[atom] = total.get(atom, 0) + coef
    kept = [(a, c) for a, c in total.items() if c]
    return Int(const, tuple(sorted(kept, key=lambda t: repr(t[0]))) if len(kept) > 1 else tuple(kept))


def floordiv(a: Int, b: Int) -> Int:
    """floor(a / b) for a positive b; the exactly divisible part comes out when the remainder stays below b."""
    if not b.is_const or b.const <= 0:
        return _floordiv_by_size(a, b)
    n = b.const
    quotient = Int(a.const // n, tuple((t, c // n) for t, c in a.terms if c % n == 0))
    rest = Int(a.const % n, tuple((t, c) for t, c in a.terms if c % n))
    if rest.is_const or (non_negative(rest) and non_negative(of(n - 1) - rest)):
        return quotient
    return quotient + of(Fn("floordiv", (rest, b)))


def _floordiv_by_size(a: Int, b: Int) -> Int:
    """floor(a / b) for a divisor that is no constant: multiples of it come out of a remainder proven below it."""
    if a == b:
        return of(1)
    quotient, rest = of(0), a
    for atom, coef in a.terms:
        if isinstance(atom, Fn) and atom.name == "mul" and b in atom.args:
            others = list(atom.args)
            others.remove(b)
            quotient = quotient + product(others) * coef
            rest = rest.without(atom)
    if quotient != of(0) and non_negative(rest) and non_negative(b - 1 - rest):
        return quotient
    return of(Fn("floordiv", (a, b)))


def mod(a: Int, b: Int) -> Int:
    """a - floor(a / b) * b, which has the sign of b."""
    quotient = floordiv(a, b)
    unknown = not b.is_const and any(
        isinstance(x, Fn) and x.name == "floordiv" and x.args[1] == b for x in atoms(quotient)
    )
    return of(Fn("mod", (a, b))) if unknown or (b.is_const and b.const <= 0) else a - quotient * b


def minimum(*args: Int) -> Int:
    return _extreme("min", args)


def maximum(*args: Int) -> Int:
    return _extreme("max", args)


def _extreme(name: str, args: tuple[Int, ...]) -> Int:
    flat: list[Int] = []
    for a in args:
        flat += list(a.atom.args) if isinstance(a.atom, Fn) and a.atom.name == name else [a]
    sign = 1 if name == "min" else -1
    kept = [
        a
        for i, a in enumerate(flat)
        if not any(
            j != i and non_negative((a - b) * sign) and (j < i or not non_negative((b - a) * sign))
            for j, b in enumerate(flat)
        )
    ]
    return kept[0] if len(kept) == 1 else of(Fn(name, tuple(sorted(set(kept), key=repr))))


def product(factors: Iterable[Int]) -> Int:
    return functools.reduce(Int.__mul__, factors, of(1))


def substitute(a: Int, atom: Any, by: Int) -> Int:
    """`a` with every occurrence of `atom`, also inside other atoms, replaced."""
    return rebuild(a, lambda x: by if x == atom else None)


def rebuild(a: Int, replace: Callable[[Any], Int | None]) -> Int:
    """`a` with each atom replaced by `replace(atom)` where that is not None."""
    out = of(a.const)
    for atom, coef in a.terms:
        new = replace(atom)
        if new is None:
            new = _rebuild_atom(atom, replace)
        out = out + new * coef
    return out


def _rebuild_atom(atom: Any, replace: Callable[[Any], Int | None]) -> Int:
    if isinstance(atom, Fn):
        args = tuple(rebuild(x, replace) for x in atom.args)
        if args == atom.args:
            return of(atom)
        maker: dict[str, Callable[..., Int]] = {
            "floordiv": floordiv, "mod": mod, "min": minimum, "max": maximum, "mul": lambda *f: product(f),
        }  # fmt: skip
        return maker.get(atom.name, lambda *xs: of(Fn(atom.name, xs)))(*args)
    if hasattr(atom, "rebuild"):
        return of(atom.rebuild(replace))
    return of(atom)


def atoms(a: Int) -> set[Any]:
    """Every atom in `a`, nested ones included."""
    found: set[Any] = set()
    for atom, _ in a.terms:
        found.add(atom)
        for inner in getattr(atom, "args", ()) if isinstance(atom, Fn) else getattr(atom, "idx", ()):
            found |= atoms(inner)
    return found


def non_negative(a: Int) -> bool:
    """True when `a >= 0` is proven from variable ranges and symbols being non-negative; False means not proven."""
    return _lower_bound(a, 4) >= 0


_UNBOUNDED = -(1 << 62)


def _lower_bound(a: Int, fuel: int) -> int:
    """A proven lower bound of `a`. Extremes give way to their arguments first: variables in them may cancel."""
    for atom, coef in a.terms:
        if fuel and isinstance(atom, Fn) and (atom.name, coef > 0) in (("max", True), ("min", False)):
            return max(_lower_bound(a.without(atom) + x * coef, fuel - 1) for x in atom.args)
    for atom, coef in a.terms:
        if isinstance(atom, Var) and coef < 0:
            return _lower_bound(a.without(atom) + (atom.size - 1) * coef, fuel)
    worst = a.const
    for atom, coef in a.terms:
        if coef > 0:
            low = _atom_low(atom, fuel)
            if low is None:
                return _UNBOUNDED
            worst += coef * low
        else:
            return _through_upper(a, atom, coef, fuel)
    return worst


def _atom_low(atom: Any, fuel: int) -> int | None:
    if isinstance(atom, Var):
        return 0
    if isinstance(atom, Sym):
        return atom.low
    if isinstance(atom, Fn) and fuel:
        lows = [_lower_bound(x, fuel - 1) for x in atom.args]
        if atom.name in ("min", "mul", "lin") and min(lows) >= 0:
            return min(lows) if atom.name == "min" else 0
        if atom.name == "max" and max(lows) > _UNBOUNDED:
            return max(lows)
        if atom.name == "floordiv" and lows[0] >= 0 and lows[1] > 0:
            return lows[0] // atom.args[1].const if atom.args[1].is_const else 0
        if atom.name == "mod" and lows[1] > 0:
            return 0
    bounds = getattr(atom, "bounds", None)
    if bounds is not None and fuel and (low := _lower_bound(bounds[0], fuel - 1)) > _UNBOUNDED:
        return low
    return None


def _through_upper(a: Int, atom: Any, coef: int, fuel: int) -> int:
    """Lower bound of `a` where `atom` has a negative coefficient: use an upper bound of the atom."""
    rest = a.without(atom)
    bounds = getattr(atom, "bounds", None)
    if bounds is not None and fuel:
        return _lower_bound(rest + bounds[1] * coef, fuel - 1)
    if not isinstance(atom, Fn) or not fuel:
        return _UNBOUNDED
    if atom.name in ("min", "max"):  # at most each argument, at most the largest
        lows = [_lower_bound(rest + x * coef, fuel - 1) for x in atom.args]
        return max(lows) if atom.name == "min" else min(lows)
    if atom.name == "floordiv" and atom.args[1].is_const and atom.args[1].const > 0:
        # floor(x / n) <= x / n, so n * a >= n * rest + coef * x
        n = atom.args[1].const
        low = _lower_bound(rest * n + atom.args[0] * coef, fuel - 1)
        return low // n if low > _UNBOUNDED else _UNBOUNDED
    return _UNBOUNDED
