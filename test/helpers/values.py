"""What integer expressions, predicates and terms of `lowering` evaluate to, by brute force.

An environment maps atoms (loop variables, symbols) and tensors (graph values) to what they hold.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from sparse_attn.lowering.analysis.ints import Fn, Int, Sym, Var
from sparse_attn.lowering.analysis.predicate import And, Ge, Leaf, Member, Not, Or
from sparse_attn.lowering.normalize.term import Apply, Elem, Exists, In, Lit, Number, Select, Sum, step

Env = Mapping[Any, Any]


def integer(value: Int, env: Env) -> int:
    """The number an expression is."""
    return value.const + sum(c * atom(a, env) for a, c in value.terms)


def atom(it: Any, env: Env) -> int:
    if isinstance(it, Fn):
        return function(it.name, [integer(a, env) for a in it.args])
    if isinstance(it, Elem):
        return int(term(it, env))
    return env[it] if it in env else env[it.name]


def function(name: str, args: list[int]) -> int:
    """The non-linear functions by their definition."""
    if name == "lin":
        total = 0
        for digit, radix in pairs(args):
            total = total * radix + digit
        return total
    return {
        "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "min": lambda *x: min(x),
        "max": lambda *x: max(x), "mul": lambda *x: math.prod(x),
    }[name](*args)  # fmt: skip


def pairs(args: list[int]) -> Iterator[tuple[int, int]]:
    return zip(args[::2], args[1::2], strict=True)


def holds(p: Any, env: Env) -> bool:
    """Whether a predicate is true."""
    match p:
        case Ge(expr):
            return integer(expr, env) >= 0
        case And(parts):
            return all(holds(x, env) for x in parts)
        case Or(parts):
            return any(holds(x, env) for x in parts)
        case Not(inner):
            return not holds(inner, env)
        case Leaf(elem, False):
            return bool(term(elem, env))
        case Member(key, entries):
            free = [a for i in entries.idx for a, _ in i.terms if isinstance(a, Var) and a.name == "k"]
            at = integer(key, env)
            return any(term(entries, env.at(k=k) if free else env) == at for k in range(size(free, env)))
    raise TypeError(p)


def size(free: list[Var], env: Env) -> int:
    return integer(free[0].size, env) if free else 1


def assignments(*variables: Var | Sym, most: int = 5) -> Iterator[dict[Any, int]]:
    """Every value of the variables (below their constant size) and symbols (from their least value, `most` values)."""
    ranges = [
        range(v.size.const) if isinstance(v, Var) else range(-2 if v.low is None else v.low, most) for v in variables
    ]
    for values in itertools.product(*ranges):
        yield dict(zip(variables, values, strict=True))


class Opaque(Exception):
    """An element that no rule looks into and `env` does not hold."""


BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "max": max, "min": min, "and": lambda a, b: a and b,
    "or": lambda a, b: a or b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
UNARY = {"neg": lambda a: -a, "relu": lambda a: max(a, 0), "exp": math.exp, "not": lambda a: not a}


def term(it: Any, env: Env) -> Any:
    """What a term is: rules are applied down to the tensors that `env` holds by graph value."""
    match it:
        case Elem(value, idx):
            if value in env:
                at = tuple(integer(i, env) for i in idx)
                assert all(0 <= i < n for i, n in zip(at, env[value].shape, strict=True)), f"{it} is outside at {at}"
                return env[value][at].item()
            made = step(it)
            if made is None:
                raise Opaque(f"{it}: {value.op}")
            return cast(term(made, env), value.dtype)
        case Lit(value):
            return value
        case Number(value):
            return integer(value, env)
        case Select(cond, then, other):
            return term(then if term(cond, env) else other, env)
        case Sum(over, factors):
            ranges = [range(integer(v.size, env)) for v in over]
            points = (dict(zip(over, at, strict=True)) for at in itertools.product(*ranges))
            return sum(math.prod(term(f, {**env, **at}) for f in factors) for at in points)
        case In(key, var, entry, weight):
            at = integer(key, env)
            points = ({**env, var: k} for k in range(integer(var.size, env)))
            return any(term(entry, point) == at and term(weight, point) for point in points)
        case Exists(var, cond):
            return any(term(cond, {**env, var: k}) for k in range(integer(var.size, env)))
        case Apply("cast", (inner, *_)):
            return term(inner, env)
        case Apply("cumsum", (inner, _)):
            raise NotImplementedError(inner)
        case Apply(name, (a,)):
            return UNARY[name](term(a, env))
        case Apply(name, (a, b)):
            return BINARY[name](term(a, env), term(b, env))
    raise TypeError(it)


def cast(number: Any, dtype: str) -> Any:
    """A number as an element type holds it (integers truncate, truth values are truth values)."""
    if dtype == "i1":
        return bool(number)
    return int(number) if dtype.startswith(("si", "ui")) and math.isfinite(number) else number
