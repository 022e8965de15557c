"""Arithmetic rules: element-wise functions and contractions, one term whatever the spelling."""

from __future__ import annotations

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int, Var
from .term import Apply, Elem, Lit, Rule, Sum, Term, aligned, axis, rule, variable

ZERO, ONE = ints.of(0), ints.of(1)


def _binary(name: str) -> Rule:
    def apply(elem: Elem) -> Term:
        return Apply(name, (aligned(elem.value.operands[0], elem), aligned(elem.value.operands[1], elem)))

    return apply


for _op, _name in {
    "mul": "mul", "div": "div", "bitwise_and": "and", "bitwise_or": "or", "logical_and": "and", "logical_or": "or",
    "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "maximum": "max", "minimum": "min",
    "floor_divide": "floordiv", "bitwise_xor": "ne", "logical_xor": "ne", "remainder": "mod",
}.items():  # fmt: skip
    rule(_op, f"{_op}.Tensor", f"{_op}.Scalar", f"{_op}.Scalar_Tensor")(_binary(_name))
rule("max.other")(_binary("max"))
rule("min.other")(_binary("min"))


def _scaled_binary(name: str, swapped: bool = False) -> Rule:
    """add, sub and rsub, whose second operand carries a factor alpha."""

    def apply(elem: Elem) -> Term | None:
        left, right = (aligned(v, elem) for v in elem.value.operands[:2])
        alpha = elem.value.const(2, 1)
        if not isinstance(alpha, (int, float)):
            return None
        if swapped:
            left, right = right, left
        return Apply(name, (left, right if alpha == 1 else Apply("mul", (Lit(alpha), right))))

    return apply


rule("add.Tensor", "add.Scalar")(_scaled_binary("add"))
rule("sub.Tensor", "sub.Scalar")(_scaled_binary("sub"))
rule("rsub.Scalar", "rsub.Tensor")(_scaled_binary("sub", swapped=True))


def _unary(name: str) -> Rule:
    return lambda elem: Apply(name, (Elem(elem.value.operands[0], elem.idx),))


for _op, _name in {
    "relu": "relu", "exp": "exp", "neg": "neg", "bitwise_not": "not", "logical_not": "not",
    "_to_copy": "cast", "to.dtype": "cast", "to.device": "cast", "torch.prims.convert_element_type": "cast",
}.items():  # fmt: skip
    rule(_op)(_unary(_name))


@rule("div.Tensor_mode", "div.Scalar_mode")
def div_mode(elem: Elem) -> Term | None:
    if elem.value.const(2) != "floor":
        return None
    return Apply("floordiv", tuple(aligned(v, elem) for v in elem.value.operands[:2]))


@rule("clamp", "clamp_min", "clamp_max", "clamp.Tensor", "clamp_min.Tensor", "hardtanh")
def clamp(elem: Elem) -> Term | None:
    value = elem.value
    low = value.operands[1] if not value.op.endswith("clamp_max") else None
    high = value.operands[2] if len(value.operands) > 2 else value.operands[1] if low is None else None
    made: Term = Elem(value.operands[0], elem.idx)
    if low is not None and low.op != "torch.constant.none":
        made = Apply("max", (made, aligned(low, elem)))
    if high is not None and high.op != "torch.constant.none":
        made = Apply("min", (made, aligned(high, elem)))
    return made


@rule("matmul", "mm", "bmm")
def matmul(elem: Elem) -> Term | None:
    left, right = elem.value.operands[:2]
    if left.dims is None or right.dims is None:
        return None
    idx = list(elem.idx)
    column = idx.pop() if len(right.dims) > 1 else None
    row = idx.pop() if len(left.dims) > 1 else None
    k = variable(f"k{elem.value.order}", left.dims[-1])
    a = _batched(left, idx, [x for x in (row, k) if x is not None])
    b = _batched(right, idx, [x for x in (k, column) if x is not None])
    return contraction(k, a, b)


def _batched(value: Value, batch: list[Int], tail: list[Int]) -> Elem:
    """An operand's element: its own batch dimensions, aligned from the right, then `tail`."""
    assert value.dims is not None
    own = value.dims[: len(value.dims) - len(tail)]
    lead = batch[len(batch) - len(own) :]
    return Elem(value, (*(ZERO if d == ONE else i for i, d in zip(lead, own, strict=True)), *tail))


def contraction(k: Int, *factors: Term) -> Sum:
    return Sum(tuple(bound(k)), factors)


def bound(index: Int) -> list[Var]:
    """The variable a sum over `index` binds; none where the size is one."""
    return [index.atom] if isinstance(index.atom, Var) else []


@rule("linear")
def linear(elem: Elem) -> Term | None:
    x, weight = elem.value.operands[:2]
    if x.dims is None or weight.dims is None or len(weight.dims) != 2:
        return None
    if len(elem.value.operands) > 2 and elem.value.operands[2].op != "torch.constant.none":
        return None
    k = variable(f"k{elem.value.order}", x.dims[-1])
    return contraction(k, Elem(x, (*elem.idx[:-1], k)), Elem(weight, (elem.idx[-1], k)))


@rule("einsum")
def einsum(elem: Elem) -> Term | None:
    equation, operands = elem.value.const(0), elem.value.listed(1)
    if not isinstance(equation, str) or "." in equation or any(v.dims is None for v in operands):
        return None
    inputs, _, output = equation.replace(" ", "").partition("->")
    if not output and "->" not in equation:
        letters = inputs.replace(",", "")
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    named = list(zip(inputs.split(","), operands, strict=True))
    if any(len(spec) != len(value.dims or ()) for spec, value in named):
        return None
    sizes = {c: d for spec, value in named for c, d in zip(spec, value.dims or (), strict=True) if d != ONE}
    index = dict(zip(output, elem.idx, strict=True))
    summed = {c: variable(f"k{elem.value.order}{c}", sizes.get(c, ONE)) for c in inputs if c not in output + ","}
    index |= summed
    factors = [
        Elem(value, tuple(ZERO if d == ONE else index[c] for c, d in zip(spec, value.dims or (), strict=True)))
        for spec, value in named
    ]
    return Sum(tuple(v for i in summed.values() for v in bound(i)), tuple(factors))


@rule("sum.dim_IntList")
def sum_dims(elem: Elem) -> Term | None:
    source, keep = elem.value.operands[0], elem.value.const(2)
    dims = [v.constant for v in elem.value.listed(1)]
    return _reduced(elem, source, dims, bool(keep))


@rule("sum")
def sum_all(elem: Elem) -> Term | None:
    source = elem.value.operands[0]
    return _reduced(elem, source, list(range(len(source.dims or ()))), False)


def _reduced(elem: Elem, source: Value, dims: list[int], keep: bool) -> Term | None:
    if source.dims is None or not dims:
        return None
    rank = len(source.dims)
    reduced = {axis(rank, d) for d in dims}
    kept = [i for d, i in enumerate(elem.idx) if d not in reduced] if keep else list(elem.idx)
    idx, over = [], []
    for d in range(rank):
        if d in reduced:
            k = variable(f"k{elem.value.order}_{d}", source.dims[d])
            over += bound(k)
            idx.append(k)
        else:
            idx.append(kept.pop(0))
    return Sum(tuple(over), (Elem(source, tuple(idx)),))


def is_relu(name: str, other: Term) -> bool:
    """max(x, 0) is relu."""
    return name == "max" and isinstance(other, Lit) and other.value == 0
