"""Integer expressions as tensors: the `visible` operands of our ops."""

from __future__ import annotations

from .analysis import ints
from .analysis.graph import Value
from .analysis.ints import Fn, Int, Sym, Var
from .build import Builder, CannotBuild
from .normalize.term import Elem

DTYPE = "si64"
Axes = tuple[Int, ...]


def integer_tensor(build: Builder, value: Int, *axes: Int) -> Value:
    """`value`, an expression over the axes (batch, row and perhaps more), as an si32 tensor [batch or 1, rows, ...]."""
    return build.cast(_sum(build, value, axes), "si32")


def _sum(build: Builder, value: Int, axes: Axes) -> Value:
    tensors, scalar = [], ints.of(value.const)
    for atom, coefficient in value.terms:
        if isinstance(atom, Sym) or not _varies(atom):
            scalar = scalar + ints.of(atom) * coefficient
        else:
            tensors.append(_scaled(build, _atom(build, atom, axes), coefficient))
    if not tensors:
        return _filled(build, scalar, axes)
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


def _atom(build: Builder, atom: object, axes: Axes) -> Value:
    if isinstance(atom, Elem):
        return build.cast(build.from_torch_or_builtin(build.operand(atom, axes)), DTYPE)
    if isinstance(atom, Var) and ints.of(atom) in axes[1:]:
        return _positions(build, atom, axes)
    if isinstance(atom, Fn) and atom.name == "floordiv":
        inner = _sum(build, atom.args[0], axes)
        assert inner.dims is not None
        return build.torch("torch.aten.floor_divide.Scalar", [inner, build.integer(atom.args[1])], inner.dims, DTYPE)
    if isinstance(atom, Fn) and atom.name in ("min", "max"):
        name = "torch.aten.minimum" if atom.name == "min" else "torch.aten.maximum"
        made = _sum(build, atom.args[0], axes)
        for argument in atom.args[1:]:
            made = _binary(build, name, made, _sum(build, argument, axes), [])
        return made
    raise CannotBuild(f"{atom} is no tensor over {', '.join(map(str, axes))}")


def _scaled(build: Builder, value: Value, coefficient: int) -> Value:
    if coefficient == 1:
        return value
    assert value.dims is not None
    return build.torch("torch.aten.mul.Scalar", [value, build.integer(ints.of(coefficient))], value.dims, DTYPE)


def _binary(build: Builder, name: str, a: Value, b: Value, rest: list[Value]) -> Value:
    assert a.dims is not None and b.dims is not None
    dims = [y if x == ints.of(1) else x for x, y in zip(a.dims, b.dims, strict=True)]
    return build.torch(name, [a, b, *rest], dims, DTYPE)


def _positions(build: Builder, axis: Var, axes: Axes) -> Value:
    """The positions along one axis, the others of size one."""
    none = build.none()
    rest = [none, none, none, build.boolean(False)]
    made = build.torch("torch.aten.arange", [build.integer(axis.size), *rest], [axis.size], DTYPE)
    for n, other in enumerate(axes):
        if other != ints.of(axis):
            made = build.unsqueeze(made, n)
    return made


def _filled(build: Builder, value: Int, axes: Axes) -> Value:
    """One number for all batches, along the other axes."""
    none = build.none()
    dims = [ints.of(1), *(x.atom.size if isinstance(x.atom, Var) else ints.of(1) for x in axes[1:])]
    sizes = build.elements([build.integer(d) for d in dims])
    rest = [build.integer(ints.of(4)), none, none, build.boolean(False)]
    return build.torch("torch.aten.full", [sizes, build.integer(value), *rest], dims, DTYPE)
