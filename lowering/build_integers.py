"""Integer expressions as tensors: the `visible` operands of our ops."""

from __future__ import annotations

from .analysis import ints
from .analysis.graph import Value
from .analysis.ints import Fn, Int, Sym, Var
from .build import Builder, CannotBuild
from .normalize.term import Elem

DTYPE = "si64"


def integer_tensor(build: Builder, value: Int, batch: Int, row: Int) -> Value:
    """`value`, an expression over the axes `batch` and `row`, as an si32 tensor [batch or 1, rows]."""
    return build.cast(_sum(build, value, batch, row), "si32")


def _sum(build: Builder, value: Int, batch: Int, row: Int) -> Value:
    tensors, scalar = [], ints.of(value.const)
    for atom, coefficient in value.terms:
        if isinstance(atom, Sym) or not _varies(atom):
            scalar = scalar + ints.of(atom) * coefficient
        else:
            tensors.append(_scaled(build, _atom(build, atom, batch, row), coefficient))
    if not tensors:
        return _filled(build, scalar, row)
    total = tensors[0]
    for other in tensors[1:]:
        total = _binary(build, "torch.aten.add.Tensor", total, other, [build.integer(ints.of(1))])
    if scalar == ints.of(0):
        return total
    assert total.dims is not None
    return build.torch(
        "torch.aten.add.Scalar", [total, build.integer(scalar), build.integer(ints.of(1))], total.dims, DTYPE
    )


def _varies(atom: object) -> bool:
    if isinstance(atom, Fn):
        return any(isinstance(a, Elem | Var) for x in atom.args for a in ints.atoms(x))
    return isinstance(atom, Elem | Var)


def _atom(build: Builder, atom: object, batch: Int, row: Int) -> Value:
    if isinstance(atom, Elem):
        return build.cast(build.operand(atom, [batch, row]), DTYPE)
    if isinstance(atom, Var) and ints.of(atom) == row:
        none = build.none()
        rest = [none, none, none, build.boolean(False)]
        made = build.torch("torch.aten.arange", [build.integer(atom.size), *rest], [atom.size], DTYPE)
        return build.unsqueeze(made, 0)
    if isinstance(atom, Fn) and atom.name == "floordiv":
        inner = _sum(build, atom.args[0], batch, row)
        assert inner.dims is not None
        return build.torch("torch.aten.floor_divide.Scalar", [inner, build.integer(atom.args[1])], inner.dims, DTYPE)
    if isinstance(atom, Fn) and atom.name in ("min", "max"):
        name = "torch.aten.minimum" if atom.name == "min" else "torch.aten.maximum"
        made = _sum(build, atom.args[0], batch, row)
        for argument in atom.args[1:]:
            made = _binary(build, name, made, _sum(build, argument, batch, row), [])
        return made
    raise CannotBuild(f"{atom} is no tensor over batch and row")


def _scaled(build: Builder, value: Value, coefficient: int) -> Value:
    if coefficient == 1:
        return value
    assert value.dims is not None
    return build.torch("torch.aten.mul.Scalar", [value, build.integer(ints.of(coefficient))], value.dims, DTYPE)


def _binary(build: Builder, name: str, a: Value, b: Value, rest: list[Value]) -> Value:
    assert a.dims is not None and b.dims is not None
    dims = [y if x == ints.of(1) else x for x, y in zip(a.dims, b.dims, strict=True)]
    return build.torch(name, [a, b, *rest], dims, DTYPE)


def _filled(build: Builder, value: Int, row: Int) -> Value:
    rows = row.atom.size if isinstance(row.atom, Var) else ints.of(1)
    none = build.none()
    sizes = build.elements([build.integer(ints.of(1)), build.integer(rows)])
    rest = [build.integer(ints.of(4)), none, none, build.boolean(False)]
    return build.torch("torch.aten.full", [sizes, build.integer(value), *rest], [ints.of(1), rows], DTYPE)
