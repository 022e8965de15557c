"""Terms: what one element of a tensor is, as a function of its index.

`Elem(value, idx)` is an element not yet looked into. Rules (`layout`, `arithmetic`, `indexing`) each replace the
element of an op's result by a term over elements of its operands. Views, permutations, broadcasts and casts thereby
turn into plain index substitution, and every spelling of a contraction or a mask ends in the same term.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable
from typing import Any

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var


@dataclasses.dataclass(frozen=True)
class Elem:
    """The element of `value` at `idx`; also an atom of `Int` when the tensor holds integers."""

    value: Value
    idx: tuple[Int, ...]

    def rebuild(self, replace: Callable[[Any], Int | None]) -> Elem:
        return Elem(self.value, tuple(ints.rebuild(i, replace) for i in self.idx))

    @functools.cached_property
    def bounds(self) -> tuple[Int, Int] | None:
        """The least and the greatest number it can be, None where nothing is proven (`normalize.bounds`)."""
        known = BOUNDS.get(self.value.op)
        return known(self) if known else None

    def __repr__(self) -> str:
        return f"Elem({self.value.order:06d}, {self.idx})"

    def __str__(self) -> str:
        return f"{self.value!r}[{', '.join(map(str, self.idx))}]"


@dataclasses.dataclass(frozen=True)
class Lit:
    """A literal number or truth value."""

    value: float | int | bool

    def __str__(self) -> str:
        return str(self.value)


@dataclasses.dataclass(frozen=True)
class Number:
    """An integer-valued term given by an index expression (iota, sizes)."""

    value: Int

    def __str__(self) -> str:
        return str(self.value)


@dataclasses.dataclass(frozen=True)
class Apply:
    """A scalar function of terms: add, sub, mul, div, floordiv, neg, max, min, relu, exp, cast, and, or, not, eq."""

    name: str
    args: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))})"


@dataclasses.dataclass(frozen=True)
class Sum:
    """The sum over `over` of the product of `factors`."""

    over: tuple[Var, ...]
    factors: tuple[Any, ...]

    def __str__(self) -> str:
        return f"sum[{', '.join(v.name for v in self.over)}] {' * '.join(map(str, self.factors))}"


@dataclasses.dataclass(frozen=True)
class Select:
    """`then` where the predicate-valued term `cond` holds, else `other`."""

    cond: Any
    then: Any
    other: Any

    def __str__(self) -> str:
        return f"({self.cond} ? {self.then} : {self.other})"


@dataclasses.dataclass(frozen=True)
class In:
    """True when `key` equals `entry(var)` for some value of `var`: membership in an index list."""

    key: Int
    var: Var
    entry: Any
    weight: Any = Lit(True)  # entries count only where this predicate-valued term holds

    def __str__(self) -> str:
        return f"{self.key} in {{{self.entry} for {self.var.name}}}"


@dataclasses.dataclass(frozen=True)
class Exists:
    """True when the predicate-valued term `cond` holds for some value of `var`."""

    var: Var
    cond: Any

    def __str__(self) -> str:
        return f"some {self.var.name}: {self.cond}"


Term = Elem | Lit | Number | Apply | Sum | Select | In | Exists
Rule = Callable[[Elem], Term | None]
RULES: dict[str, Rule] = {}
BOUNDS: dict[str, Callable[[Elem], tuple[Int, Int] | None]] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for the ops `torch.aten.<name>` (or a full op name when it holds `torch.`)."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name if name.startswith(("torch.", "torch_c.")) else f"torch.aten.{name}"] = function
        return function

    return register


def step(elem: Elem) -> Term | None:
    """One rule application, None when the op is opaque."""
    found = RULES.get(elem.value.op)
    return found(elem) if found else None


def whole(value: Value, names: Iterable[str]) -> Elem:
    """The general element of `value`: one variable per dimension, 0 where the size is one."""
    assert value.dims is not None
    return Elem(value, tuple(variable(n, d) for n, d in zip(names, value.dims, strict=True)))


def variable(name: str, size: Int) -> Int:
    return ints.of(0) if size == ints.of(1) else ints.of(Var(name, size))


def aligned(value: Value, elem: Elem) -> Elem | Lit | Number:
    """The element of a broadcast operand that meets `elem`: dimensions align from the right."""
    if value.dims is None:
        return scalar(value)
    idx = elem.idx[len(elem.idx) - len(value.dims) :]
    one = ints.of(1)
    return Elem(value, tuple(ints.of(0) if d == one else i for i, d in zip(idx, value.dims, strict=True)))


def scalar(value: Value) -> Lit | Number | Elem:
    """A scalar operand: its literal, its expression, or the opaque value itself."""
    if isinstance(value.constant, (int, float, bool)):
        return Lit(value.constant)
    return Number(value.integer) if value.integer is not None else Elem(value, ())


def axis(elem_rank: int, dim: Any) -> int | None:
    """A non-negative dimension number, None when `dim` is not a constant."""
    if not isinstance(dim, int):
        return None
    return dim + elem_rank if dim < 0 else dim
