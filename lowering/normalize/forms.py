"""The few canonical forms the matchers ask for: a peeled element, a scaled element, a contraction, an activation."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.ints import Var
from .term import Apply, Elem, Lit, Select, Sum, Term, step

EXACT = {  # a cast from the key type to these keeps every value
    "f16": {"f32", "f64"}, "bf16": {"f32", "f64"}, "f32": {"f64"},
    "f8E4M3FN": {"bf16", "f16", "f32", "f64"}, "si8": {"f32", "f64", "si32", "si64"}, "si32": {"si64", "f64"},
}  # fmt: skip
FLOATS = {"f16", "bf16", "f32", "f64"}  # casts between these only round


def look(elem: Elem, lossy: bool = False) -> Term | None:
    """What `elem` is without layout and exact casts (all casts when `lossy`): an Elem of an opaque op, or a term."""
    while True:
        made = step(elem)
        if isinstance(made, Apply) and made.name == "cast" and isinstance(made.args[0], Elem):
            source = made.args[0]
            if not _dropped(source.value.dtype, elem.value.dtype, lossy):
                return elem
            made = source
        if not isinstance(made, Elem):
            return made if made is not None else elem
        elem = made


def _dropped(source: str, target: str, lossy: bool) -> bool:
    return exact(source, target) or (lossy and {source, target} <= FLOATS)


def exact(source: str, target: str) -> bool:
    return source == target or target in EXACT.get(source, ())


def peel(elem: Elem, lossy: bool = False) -> Elem:
    """`elem` without layout ops and exact casts (all casts when `lossy`)."""
    while True:
        made = step(elem)
        source = made.args[0] if isinstance(made, Apply) and made.name == "cast" else None
        if isinstance(source, Elem) and _dropped(source.value.dtype, elem.value.dtype, lossy):
            made = source
        if not isinstance(made, Elem):
            return elem
        elem = made


@dataclasses.dataclass(frozen=True)
class Scaled:
    """coefficient * elem, where `elem` is not itself a constant multiple."""

    coefficient: float
    elem: Elem


def scaled(elem: Elem, lossy: bool = True) -> Scaled:
    """Collect constant factors, divisors and signs through layout and casts."""
    coefficient = 1.0
    while True:
        elem = peel(elem, lossy)
        match step(elem):
            case Apply("mul", (Elem() as inner, Lit(value))) | Apply("mul", (Lit(value), Elem() as inner)):
                coefficient *= float(value)
            case Apply("div", (Elem() as inner, Lit(value))) if value:
                coefficient /= float(value)
            case Apply("neg", (Elem() as inner,)):
                coefficient = -coefficient
            case _:
                return Scaled(coefficient, elem)
        elem = inner


@dataclasses.dataclass(frozen=True)
class Contraction:
    """coefficient * sum over `over` of the product of `factors`, the one form of matmul, einsum, linear, mul + sum."""

    coefficient: float
    over: tuple[Var, ...]
    factors: tuple[Elem, ...]
    root: Elem

    def __str__(self) -> str:
        return f"{self.coefficient:g} * {Sum(self.over, self.factors)}"


def contraction(elem: Elem, lossy: bool = True) -> Contraction | None:
    """The contraction `elem` is, None when it is none."""
    found = scaled(elem, lossy)
    made = step(found.elem)
    if not isinstance(made, Sum):
        return None
    coefficient, factors = found.coefficient, list(made.factors)
    if len(factors) == 1:  # a sum of an elementwise product is the same contraction
        inner = scaled(factors[0], lossy)
        product = step(inner.elem)
        coefficient *= inner.coefficient
        factors = [inner.elem]
        if isinstance(product, Apply) and product.name == "mul" and all(isinstance(x, Elem) for x in product.args):
            factors = list(product.args)
    if not all(isinstance(f, Elem) for f in factors):
        return None  # a count of list entries
    return Contraction(coefficient, made.over, tuple(factors), found.elem)


@dataclasses.dataclass(frozen=True)
class Activation:
    """outer * act(inner element); act is "relu" or "none"."""

    coefficient: float
    name: str
    elem: Elem
    root: Elem


def activation(elem: Elem) -> Activation:
    """relu in any spelling (relu, clamp at zero, maximum with zero), or no activation."""
    outer = scaled(elem)
    inner = _rectified(step(outer.elem))
    if inner is not None:
        return Activation(outer.coefficient, "relu", inner, outer.elem)
    return Activation(outer.coefficient, "none", outer.elem, outer.elem)


def _rectified(term: Term | None) -> Elem | None:
    """What a term is the relu of."""
    match term:
        case Apply("relu", (Elem() as inner,)):
            return inner
        case Apply("max", (a, b)):
            return a if isinstance(a, Elem) and _zero(b) else b if isinstance(b, Elem) and _zero(a) else None
        case Select(Elem() as cond, Elem() as inner, other) if _zero(other):
            match look(cond):
                case Apply("gt" | "ge", (Elem() as tested, bound)) if _zero(bound) and peel(tested) == peel(inner):
                    return inner
    return None


def _zero(term: Term) -> bool:
    return (look(term) if isinstance(term, Elem) else term) == Lit(0)


def variables(elem: Elem) -> frozenset[str]:
    """Names of the loop variables `elem` depends on."""
    return frozenset(a.name for i in elem.idx for a in ints.atoms(i) if isinstance(a, Var))
