"""A read-only snapshot of one `func.func`: values with their defining op, constants, sizes and facts.

The rules of `normalize` read this snapshot instead of the MLIR objects: it is hashable, cheap to walk, and cannot
outlive an erased operation by accident. `Value.mlir` leads back to the live IR for the rewrites.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any

from torch_mlir import ir

from . import int_text, ints
from .ints import Int

FACT = "sparse_attn."
LIST = "torch.prim.ListConstruct"


@dataclasses.dataclass(eq=False)
class Value:
    """One SSA value. `op` is the defining operation's name ("" for a block argument)."""

    op: str
    operands: list[Value]
    result: int
    dims: tuple[Int, ...] | None  # None: not a tensor
    dtype: str  # MLIR element type text, "" when unknown
    constant: Any = None  # Python value of a torch.constant.*
    integer: Int | None = None  # a !torch.int as an expression
    mlir: Any = None
    uses: list[tuple[Value | None, int]] = dataclasses.field(default_factory=list)  # (None = function result, index)
    name: str = ""
    order: int = 0
    siblings: list[Value] = dataclasses.field(default_factory=list)

    @property
    def operation(self) -> ir.Operation:
        """The defining operation; for a block argument the function."""
        return self.mlir.owner if isinstance(self.mlir.owner, ir.Operation) else self.mlir.owner.operation

    @property
    def is_torch(self) -> bool:
        """A value of the torch dialect, not a builtin tensor."""
        return str(self.mlir.type).startswith("!torch")

    def __repr__(self) -> str:
        return f"%{self.name or self.order}"

    def listed(self, index: int) -> list[Value]:
        """The elements of a list operand."""
        operand = self.operands[index]
        return operand.operands if operand.op == LIST else []

    def const(self, index: int, default: Any = None) -> Any:
        """The Python constant given as operand `index`, `default` when it is not a constant."""
        return self.operands[index].constant if index < len(self.operands) and self.operands[index].op else default

    def int(self, index: int) -> Int | None:
        """The integer expression given as operand `index`, None when it is none."""
        return self.operands[index].integer if index < len(self.operands) else None


@dataclasses.dataclass
class Graph:
    """All values of a function in program order."""

    function: ir.Operation
    arguments: list[Value]
    values: list[Value]
    results: list[Value]
    effects: list[list[Value]] = dataclasses.field(default_factory=list)  # operands of ops kept for what they do


_VTENSOR = re.compile(r"!torch\.v?tensor<\[(.*?)\],\s*(.*?)>$|^tensor<(.*)>$")
INTEGER_OPS = {
    "torch.aten.add.int": Int.__add__,
    "torch.aten.sub.int": Int.__sub__,
    "torch.aten.mul.int": Int.__mul__,
    "torch.aten.floordiv.int": ints.floordiv,
    "torch.aten.remainder.int": ints.mod,
    "torch.prim.min.int": ints.minimum,
    "torch.prim.max.int": ints.maximum,
}
KEEPS_DIMS = {"torch_c.to_builtin_tensor", "torch.tensor_static_info_cast"}
_SAME_SCALAR = {
    "torch.aten.Int.bool": int, "torch.aten.Int.Scalar": int, "torch.aten.Float.Scalar": float,
    "torch.aten.Int.float": int, "torch.aten.Bool.int": bool, "torch.aten.Bool.float": bool,
}  # fmt: skip


@functools.lru_cache(maxsize=8192)
def _split_type(text: str) -> tuple[tuple[int | None, ...] | None, str]:
    """Static sizes (None = dynamic) and element type of a ranked tensor type; (None, "") for any other type."""
    match = _VTENSOR.match(text)
    if not match:
        return None, ""
    if match.group(3) is not None:
        *sizes, dtype = match.group(3).split("x")
    else:
        sizes, dtype = [s for s in match.group(1).split(",") if s], match.group(2)
    return tuple(None if s == "?" else int(s) for s in sizes), dtype


class _Builder:
    def __init__(self, function: ir.Operation, lows: tuple[tuple[str, int | None], ...]) -> None:
        self.function = function
        self.lows = lows
        self.by_mlir: dict[Any, Value] = {}
        self.shapes: dict[tuple[ir.Type, str | None], tuple[tuple[Int, ...] | None, str]] = {}
        self.values: list[Value] = []
        self.effects: list[list[Value]] = []

    def dims(self, kind: ir.Type, fact: str | None, key: str) -> tuple[tuple[Int, ...] | None, str]:
        """Sizes and element type; most of a graph's values share a few, which are read once."""
        known = self.shapes.get((kind, fact))
        if known is not None:
            return known
        sizes, dtype = _split_type(str(kind))
        if sizes is None:
            return self.shapes.setdefault((kind, fact), (None, dtype))
        named = [x.strip() for x in _commas(fact)] if fact else []
        told = len(named) == len(sizes)
        names = named if told else [f"{key}_{i}" for i in range(len(sizes))]
        dims = tuple(
            ints.of(s) if s is not None else int_text.parse(n, self.lows) for s, n in zip(sizes, names, strict=True)
        )
        if told or None not in sizes:
            self.shapes[kind, fact] = dims, dtype
        return dims, dtype

    def value(self, mlir: Any, op: str, operands: list[Value], result: int, fact: str | None, name: str) -> Value:
        order = len(self.values)
        dims, dtype = self.dims(mlir.type, fact, f"unknown{order}")
        made = Value(op, operands, result, dims, dtype, mlir=mlir, name=name, order=order)
        self.by_mlir[mlir] = made
        self.values.append(made)
        return made

    def argument(self, index: int, mlir: Any, attrs: Any) -> Value:
        made = self.value(mlir, "", [], index, _text(attrs, "dims"), _text(attrs, "node") or f"arg{index}")
        symbol = _text(attrs, "sym")
        if symbol:
            made.integer = int_text.parse(symbol, self.lows)
        elif str(mlir.type) == "!torch.int":
            made.integer = ints.of(ints.Sym(f"int_{index}", None))
        return made

    def operation(self, op: ir.Operation) -> None:
        name = op.attributes["name"].value if op.name == "torch.operator" else op.name
        operands = [self.by_mlir[x] for x in op.operands]
        attrs = op.attributes
        names, dims = _texts(attrs, "results"), _texts(attrs, "dims")
        made: list[Value] = []
        for i, result in enumerate(op.results):
            fact = dims[i] if i < len(dims) else None
            made.append(self.value(result, name, operands, i, fact, names[i] if i < len(names) else ""))
        if op.name in KEEPS_DIMS and made:
            made[0].dims = operands[0].dims
        for value in made:
            value.siblings = made
            self._scalar(value, attrs)
        if not made:
            self.effects.append(operands)
        for i, operand in enumerate(operands):
            operand.uses.append((made[0] if made else None, i))

    def _scalar(self, value: Value, attrs: Any) -> None:
        if value.op.startswith("torch.constant."):
            value.constant = attrs["value"].value if "value" in attrs else None
            if value.op.endswith(".int"):
                value.constant = _signed(value.constant)
                value.integer = ints.of(value.constant)
            return
        if value.op in _SAME_SCALAR and value.operands[0].constant is not None:
            value.constant = _SAME_SCALAR[value.op](value.operands[0].constant)
            value.integer = ints.of(value.constant) if isinstance(value.constant, int) else None
            return
        if value.dims is not None or str(value.mlir.type) != "!torch.int":
            return
        symbol = _texts(attrs, "sym")
        if symbol:
            value.integer = int_text.parse(symbol[0], self.lows)
        elif value.op == "torch.aten.size.int" and value.operands[0].dims and value.int(1) is not None:
            value.integer = value.operands[0].dims[value.operands[1].constant]
        elif value.op in INTEGER_OPS and None not in (given := [x.integer for x in value.operands]):
            value.integer = INTEGER_OPS[value.op](*(x for x in given if x is not None))
        else:
            value.integer = ints.of(ints.Sym(f"int_v{value.order}", None))


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _commas(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    out, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            out.append(text[start:i])
            start = i + 1
    return [*out, text[start:]] if text[start:].strip() else out


def _text(attrs: Any, key: str) -> str | None:
    return attrs[FACT + key].value if FACT + key in attrs else None


def _texts(attrs: Any, key: str) -> list[str]:
    return [x.value for x in attrs[FACT + key]] if FACT + key in attrs else []


def snapshot(function: ir.Operation) -> Graph:
    """Read one `func.func` with a single block."""
    attributes = function.attributes
    lows = tuple((k, v) for k, v in map(_low, _texts(attributes, "symbols")))
    builder = _Builder(function, lows)
    block = function.regions[0].blocks[0]
    arg_attrs = list(attributes["arg_attrs"]) if "arg_attrs" in attributes else [{}] * len(block.arguments)
    arguments = [builder.argument(i, a, arg_attrs[i]) for i, a in enumerate(block.arguments)]
    results: list[Value] = []
    for view in block.operations:
        op = view.operation
        if op.name == "func.return":
            results = [builder.by_mlir[x] for x in op.operands]
            for i, value in enumerate(results):
                value.uses.append((None, i))
        else:
            builder.operation(op)
    return Graph(function, arguments, builder.values, results, builder.effects)


def _low(text: str) -> tuple[str, int | None]:
    """`s50>=2` -> ("s50", 2); `s3` alone -> unbounded."""
    name, _, low = text.partition(">=")
    return name.strip(), int(low) if low else None
