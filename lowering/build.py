"""Making IR: torch ops with facts, and operands of our ops laid out as they want them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from .analysis import ints
from .analysis.graph import FACT, INTEGER_OPS, LIST, Graph, Value
from .analysis.ints import Fn, Int, Var
from .build_digits import axes_apart, digit_sizes
from .normalize.term import Elem

ZERO, ONE = ints.of(0), ints.of(1)
DTYPE_CODES = {
    "ui8": 0, "si8": 1, "si16": 2, "si32": 3, "si64": 4, "f16": 5, "f32": 6, "f64": 7, "i1": 11, "bf16": 15,
}  # fmt: skip


class CannotBuild(Exception):
    """An operand cannot be laid out from what the graph holds; the text says why."""


def mixed_radix(index: Int) -> Fn | None:
    """The mixed-radix number that `index` is, up to a shift free of loop variables."""
    found = [a for a, c in index.terms if isinstance(a, Fn) and a.name == "lin" and c == 1]
    shifted = found and any(isinstance(a, Var | Elem) for a in ints.atoms(index.without(found[0])))
    return found[0] if len(found) == 1 and not shifted else None


class Builder:
    """Builds before (or right after) one operation of a graph; everything made dominates what follows it."""

    def __init__(self, graph: Graph, before: Value, after: bool = False) -> None:
        self.graph = graph
        self.before = before
        self.point = ir.InsertionPoint.after(before.operation) if after else ir.InsertionPoint(before.operation)
        self.location = before.operation.location

    def torch(self, name: str, operands: Sequence[Value], dims: Sequence[Int], dtype: str) -> Value:
        """One torch op with a single tensor result, carrying its sizes as a fact."""
        sizes = ",".join(str(d.const) if d.is_const else "?" for d in dims)
        kind = ir.Type.parse(f"!torch.vtensor<[{sizes}],{dtype}>", context=self.graph.function.context)
        made = self._make(name, [kind], [v.mlir for v in operands])
        made.attributes[FACT + "dims"] = _strings([", ".join(map(str, dims))], made)
        return self._value(made, operands, tuple(dims), dtype)

    def integer(self, value: Int) -> Value:
        """A !torch.int holding `value`: a constant, one the graph has already, or a size of a tensor it has."""
        if value.is_const:
            return self._constant("int", "i64", value.const)
        for known in self.graph.values[: self.before.order]:
            if known.integer == value and str(known.mlir.type) == "!torch.int":
                return known
        for known in self.graph.values[: self.before.order]:
            if known.dims and value in known.dims and known.is_torch:
                dim = self._constant("int", "i64", known.dims.index(value))
                kind = ir.Type.parse("!torch.int", context=self.graph.function.context)
                made = self._make("torch.aten.size.int", [kind], [known.mlir, dim.mlir])
                return Value("torch.aten.size.int", [known, dim], 0, None, "", integer=value, mlir=made.result)
        return self._computed(value)

    def _computed(self, value: Int) -> Value:
        """An integer put together from ones the graph holds."""
        if value.atom is not None:
            return self._function(value, value.atom)
        parts = [self._product(atom, coefficient) for atom, coefficient in value.terms]
        total = parts[0]
        for part in (*parts[1:], *([self.integer(ints.of(value.const))] if value.const else [])):
            total = self._arithmetic("torch.aten.add.int", total, part)
        return total

    def _product(self, atom: Any, coefficient: int) -> Value:
        if coefficient == 1:
            return self.integer(ints.of(atom))
        return self._arithmetic("torch.aten.mul.int", self.integer(ints.of(atom)), self.integer(ints.of(coefficient)))

    def _function(self, value: Int, atom: Any) -> Value:
        names = {
            "floordiv": "torch.aten.floordiv.int", "mod": "torch.aten.remainder.int",
            "min": "torch.prim.min.int", "max": "torch.prim.max.int", "mul": "torch.aten.mul.int",
        }  # fmt: skip
        if not isinstance(atom, Fn) or atom.name not in names:
            raise CannotBuild(f"no value of the graph holds the size {value}")
        made, *rest = (self.integer(a) for a in atom.args)
        for other in rest:
            made = self._arithmetic(names[atom.name], made, other)
        return made

    def _arithmetic(self, name: str, a: Value, b: Value) -> Value:
        kind = ir.Type.parse("!torch.int", context=self.graph.function.context)
        made = self._make(name, [kind], [a.mlir, b.mlir])
        assert a.integer is not None and b.integer is not None
        return Value(name, [a, b], 0, None, "", integer=INTEGER_OPS[name](a.integer, b.integer), mlir=made.result)

    def boolean(self, value: bool) -> Value:
        return self._constant("bool", "i1", int(value))

    def number(self, value: float) -> Value:
        kind = ir.Type.parse("!torch.float", context=self.graph.function.context)
        made = self._make("torch.constant.float", [kind], [])
        made.attributes["value"] = ir.FloatAttr.get(
            ir.F64Type.get(self.graph.function.context), value, loc=self.location
        )
        return Value("torch.constant.float", [], 0, None, "", constant=value, mlir=made.result)

    def none(self) -> Value:
        kind = ir.Type.parse("!torch.none", context=self.graph.function.context)
        return Value("torch.constant.none", [], 0, None, "", mlir=self._make("torch.constant.none", [kind], []).result)

    def elements(self, values: Sequence[Value]) -> Value:
        kind = ir.Type.parse("!torch.list<int>", context=self.graph.function.context)
        return Value(LIST, list(values), 0, None, "", mlir=self._make(LIST, [kind], [v.mlir for v in values]).result)

    def cast(self, value: Value, dtype: str) -> Value:
        if value.dtype == dtype:
            return value
        rest = [self.none(), self.none(), self.none(), self.boolean(False), self.none()]
        code = self.integer(ints.of(DTYPE_CODES[dtype]))
        assert value.dims is not None
        return self.torch("torch.aten._to_copy", [value, code, *rest], value.dims, dtype)

    def to_builtin(self, value: Value, kind: ir.Type | None = None) -> Any:
        """The builtin tensor of a torch tensor (a builtin one is itself); of type `kind` where its users know less."""
        if isinstance(value.mlir.type, ir.RankedTensorType):
            return value.mlir
        shape, element = _builtin(value)
        kind = kind or ir.Type.parse(f"tensor<{shape}{element}>", context=self.graph.function.context)
        return self._make("torch_c.to_builtin_tensor", [kind], [value.mlir]).result

    def builtin(self, elem: Elem | None, order: Sequence[Int]) -> Any | None:
        """The builtin tensor laid out as `order`; None stays None."""
        return None if elem is None else self.to_builtin(self.widened(self.operand(elem, order)))

    def widened(self, value: Value) -> Value:
        """Eight-bit floats as fp32, which holds them exactly: our ops compute in that."""
        return self.cast(value, "f32") if value.dtype.startswith("f8") else value

    def from_builtin(self, mlir: Any, dims: Sequence[Int], dtype: str) -> Value:
        """The torch tensor of a builtin one."""
        shape = ir.RankedTensorType(mlir.type)
        sizes = ",".join("?" if shape.is_dynamic_dim(i) else str(shape.get_dim_size(i)) for i in range(shape.rank))
        kind = ir.Type.parse(f"!torch.vtensor<[{sizes}],{dtype}>", context=self.graph.function.context)
        made = self._make("torch_c.from_builtin_tensor", [kind], [mlir])
        made.attributes[FACT + "dims"] = _strings([", ".join(map(str, dims))], made)
        return self._value(made, [], tuple(dims), dtype)

    def from_torch_or_builtin(self, value: Value) -> Value:
        """`value` as a torch tensor."""
        if not isinstance(value.mlir.type, ir.RankedTensorType):
            return value
        assert value.dims is not None
        signed = "s" + value.dtype if value.dtype in ("i8", "i16", "i32", "i64") else value.dtype
        return self.from_builtin(value.mlir, value.dims, signed)

    def typed(self, value: Value, kind: ir.Type) -> Value:
        """`value` with the static type its users expect, where torch proved sizes that inference does not see."""
        if value.mlir.type == kind:
            return value
        made = self._make("torch.tensor_static_info_cast", [kind], [value.mlir])
        assert value.dims is not None
        return self._value(made, [value], value.dims, value.dtype)

    def permute(self, value: Value, order: Sequence[int]) -> Value:
        if list(order) == sorted(order):
            return value
        assert value.dims is not None
        return self.torch(
            "torch.aten.permute",
            [value, self.elements([self.integer(ints.of(d)) for d in order])],
            [value.dims[d] for d in order],
            value.dtype,
        )

    def unsqueeze(self, value: Value, dim: int) -> Value:
        assert value.dims is not None
        dims = [*value.dims[:dim], ONE, *value.dims[dim:]]
        return self.torch("torch.aten.unsqueeze", [value, self.integer(ints.of(dim))], dims, value.dtype)

    def select(self, value: Value, dim: int, index: Int) -> Value:
        assert value.dims is not None
        dims = [*value.dims[:dim], *value.dims[dim + 1 :]]
        return self.torch(
            "torch.aten.select.int", [value, self.integer(ints.of(dim)), self.integer(index)], dims, value.dtype
        )

    def slice(self, value: Value, dim: int, start: Int, size: Int) -> Value:
        assert value.dims is not None
        if start == ZERO and value.dims[dim] == size:
            return value
        dims = [*value.dims[:dim], size, *value.dims[dim + 1 :]]
        bounds = [self.integer(ints.of(dim)), self.integer(start), self.integer(start + size), self.integer(ONE)]
        return self.torch("torch.aten.slice.Tensor", [value, *bounds], dims, value.dtype)

    def view(self, value: Value, dims: Sequence[Int]) -> Value:
        sizes = self.elements([self.integer(d) for d in dims])
        return self.torch("torch.aten.view", [value, sizes], dims, value.dtype)

    def reshape(self, value: Value, dims: Sequence[Int]) -> Value:
        """A view where one exists, else a copy."""
        return self.torch(
            "torch.aten.reshape", [value, self.elements([self.integer(d) for d in dims])], dims, value.dtype
        )

    def expand(self, value: Value, dims: Sequence[Int]) -> Value:
        if value.dims == tuple(dims):
            return value
        sizes = self.elements([self.integer(d) for d in dims])
        operands = [value, sizes, self.boolean(False)]
        return self.torch("torch.aten.expand", operands, dims, value.dtype)

    def operand(self, elem: Elem, order: Sequence[Int]) -> Value:
        """The tensor whose element at `order` (variables, or 0 for an axis of size one) is `elem`."""
        whole = tuple(i.atom.size if isinstance(i.atom, Var) else ONE for i in order)
        if elem.idx == tuple(order) and elem.value.dims == whole:  # the whole tensor, not the start of a longer one
            return elem.value
        apart, digits = axes_apart(elem, order)
        if apart != elem:  # the digits of an axis index dimensions of their own
            made = self.operand(apart, [axis for axes in digits for axis in axes])
            sizes = digit_sizes(made.dims or (), digits)
            made = self.expand(made, [size for axes in sizes for size in axes])
            return self.reshape(made, [ints.product(axes) for axes in sizes])
        value, axes = self._split(self.from_torch_or_builtin(elem.value), list(elem.idx))
        for dim in reversed(range(len(axes))):
            if axes[dim].is_const:
                value = self.select(value, dim, axes.pop(dim))
        for dim, index in enumerate(axes):
            value, axes[dim] = self._window(value, dim, index)
        wanted = [i for i in order if i in axes]
        if len(wanted) != len(axes) or len(set(axes)) != len(axes):
            raise CannotBuild(f"{elem} is not a plain arrangement of {', '.join(map(str, order))}")
        value = self.permute(value, [axes.index(i) for i in wanted])
        for dim, index in enumerate(order):
            if index not in axes:
                value = self.unsqueeze(value, dim)
        return value

    def _split(self, value: Value, axes: list[Int]) -> tuple[Value, list[Int]]:
        """Take mixed-radix numbers apart: a view gives every digit a dimension of its own."""
        assert value.dims is not None
        dims: list[Int] = []
        out: list[Int] = []
        for dim, index in enumerate(axes):
            number = mixed_radix(index)
            if number is None:
                out.append(index)
                dims.append(value.dims[dim])
            else:
                value = self.slice(value, dim, index.without(number), ints.product(number.args[1::2]))
                out += number.args[::2]
                dims += number.args[1::2]
            assert value.dims is not None
        return (value, axes) if len(out) == len(axes) else (self.view(value, dims), out)

    def _window(self, value: Value, dim: int, index: Int) -> tuple[Value, Int]:
        """A shifted variable is a slice."""
        found = [a for a, c in index.terms if isinstance(a, Var) and c == 1]
        if len(found) != 1:
            raise CannotBuild(f"index {index} is not one variable")
        rest = index.without(found[0])
        if any(isinstance(a, Var | Elem) for a in ints.atoms(rest)):
            raise CannotBuild(f"index {index} mixes variables")
        return self.slice(value, dim, rest, found[0].size), ints.of(found[0])

    def _constant(self, kind: str, width: str, value: int) -> Value:
        context = self.graph.function.context
        made = self._make(f"torch.constant.{kind}", [ir.Type.parse(f"!torch.{kind}", context=context)], [])
        made.attributes["value"] = ir.IntegerAttr.get(ir.Type.parse(width, context=context), value)
        integer = ints.of(value) if kind == "int" else None
        return Value(f"torch.constant.{kind}", [], 0, None, "", constant=value, integer=integer, mlir=made.result)

    def _make(self, name: str, types: list[Any], operands: list[Any]) -> ir.Operation:
        return ir.Operation.create(name, types, operands, loc=self.location, ip=self.point)

    def _value(self, made: ir.Operation, operands: Sequence[Value], dims: tuple[Int, ...], dtype: str) -> Value:
        return Value(made.name, list(operands), 0, dims, dtype, mlir=made.result, order=self.before.order)


def _strings(texts: list[str], operation: ir.Operation) -> ir.Attribute:
    return ir.ArrayAttr.get([ir.StringAttr.get(t, context=operation.context) for t in texts], context=operation.context)


def _builtin(value: Value) -> tuple[str, str]:
    """Shape text and element type of the builtin tensor of a torch tensor: signed integers become signless."""
    assert value.dims is not None
    shape = "".join(f"{d.const}x" if d.is_const else "?x" for d in value.dims)
    element = "i" + value.dtype[2:] if value.dtype[:2] in ("si", "ui") else value.dtype
    return shape, element
