"""Making the C interface's values in LLVM and memref ops: tensor descriptors, texts, numbers, calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch_mlir import ir

from ..host.library import MAX_RANK, Dtype

TENSOR = f"!llvm.struct<(ptr, i32, i32, array<{MAX_RANK} x i64>, array<{MAX_RANK} x i64>)>"
DTYPES = {
    "f32": Dtype.FP32, "bf16": Dtype.BF16, "f16": Dtype.FP16, "f64": Dtype.FP64, "si8": Dtype.INT8, "i8": Dtype.INT8,
    "ui8": Dtype.UINT8, "i16": Dtype.INT16, "i32": Dtype.INT32, "i64": Dtype.INT64, "i1": Dtype.BOOL,
    "f8E4M3FN": Dtype.FP8_E4M3, "f8E5M2": Dtype.FP8_E5M2, "f8E8M0FNU": Dtype.FP8_E8M0,
}  # fmt: skip
NOT_EQUAL = 1  # arith.cmpi's code


class Frame:
    """Ops in front of one op, and the module's declarations and texts they need."""

    def __init__(self, module: ir.Module, before: ir.Operation, point: ir.InsertionPoint | None = None) -> None:
        self.module = module
        self.before = before
        self.location = before.location
        self.point = point or ir.InsertionPoint(before)

    def type(self, text: str) -> ir.Type:
        return ir.Type.parse(text, self.module.context)

    def op(self, name: str, operands: Sequence[ir.Value], types: Sequence[ir.Type], **attributes: Any) -> Any:
        """One op; its result, a list of several, None without any."""
        made = ir.Operation.create(name, list(types), list(operands), attributes, loc=self.location, ip=self.point)
        results = list(made.results)
        return results[0] if len(results) == 1 else results or None

    def integer(self, value: int, kind: str) -> ir.Value:
        type_ = self.type(kind)
        return self.op("arith.constant", [], [type_], value=ir.IntegerAttr.get(type_, value))

    def number(self, value: float) -> ir.Value:
        written = ir.FloatAttr.get(self.type("f64"), value, loc=self.location)
        return self.op("arith.constant", [], [self.type("f64")], value=written)

    def null(self) -> ir.Value:
        return self.op("llvm.mlir.zero", [], [self.type("!llvm.ptr")])

    def differs(self, a: ir.Value, b: ir.Value) -> ir.Value:
        code = ir.IntegerAttr.get(self.type("i64"), NOT_EQUAL)
        return self.op("arith.cmpi", [a, b], [self.type("i1")], predicate=code)

    def stack(self, kind: str) -> ir.Value:
        """A pointer to fresh memory for one value of a type."""
        one = self.integer(1, "i64")
        return self.op("llvm.alloca", [one], [self.type("!llvm.ptr")], elem_type=ir.TypeAttr.get(self.type(kind)))

    def text(self, value: str) -> ir.Value:
        """A pointer to a constant text, which the module holds once."""
        symbol = f"sa_text_{value}"
        if not self._has(symbol):
            whole = value + "\0"
            kind = self.type(f"!llvm.array<{len(whole)} x i8>")
            self._top(
                "llvm.mlir.global",
                sym_name=ir.StringAttr.get(symbol), value=ir.StringAttr.get(whole), constant=ir.UnitAttr.get(),
                global_type=ir.TypeAttr.get(kind), linkage=ir.Attribute.parse("#llvm.linkage<internal>"),
                addr_space=ir.IntegerAttr.get(self.type("i32"), 0),
            )  # fmt: skip
        reference = ir.FlatSymbolRefAttr.get(symbol)
        return self.op("llvm.mlir.addressof", [], [self.type("!llvm.ptr")], global_name=reference)

    def call(self, name: str, arguments: Sequence[ir.Value], result: str = "") -> Any:
        """Call a C function, which the module declares once."""
        if not self._has(name):
            signature = f"({', '.join(str(a.type) for a in arguments)}) -> {result or '()'}"
            self._top(
                "func.func", sym_name=ir.StringAttr.get(name), sym_visibility=ir.StringAttr.get("private"),
                function_type=ir.TypeAttr.get(self.type(signature)),
            )  # fmt: skip
        types = [self.type(result)] if result else []
        return self.op("func.call", arguments, types, callee=ir.FlatSymbolRefAttr.get(name))

    def when(self, condition: ir.Value, body: Callable[[Frame], Any]) -> None:
        """Run `body` where the condition holds."""
        branch = ir.Operation.create("scf.if", [], [condition], regions=2, loc=self.location, ip=self.point)
        block = branch.regions[0].blocks.append()
        inside = Frame(self.module, self.before, ir.InsertionPoint(block))
        body(inside)
        inside.op("scf.yield", [], [])

    def buffer_of(self, tensor: ir.Value) -> ir.Value:
        """The buffer of a tensor, in whatever layout it has; only read."""
        kind = ir.RankedTensorType(tensor.type)
        sizes = "".join("?x" if kind.is_dynamic_dim(d) else f"{kind.get_dim_size(d)}x" for d in range(kind.rank))
        layout = f"strided<[{', '.join('?' * kind.rank)}], offset: ?>"
        memref = self.type(f"memref<{sizes}{kind.element_type}, {layout}>")
        return self.op("bufferization.to_buffer", [tensor], [memref], read_only=ir.UnitAttr.get())

    def _has(self, symbol: str) -> bool:
        return any(
            "sym_name" in v.operation.attributes and v.operation.attributes["sym_name"].value == symbol
            for v in self.module.body.operations
        )

    def _top(self, name: str, **attributes: Any) -> None:
        point = ir.InsertionPoint.at_block_begin(self.module.body)
        ir.Operation.create(name, [], [], attributes, regions=1, loc=self.location, ip=point)


def descriptor(frame: Frame, buffer: ir.Value, code: Dtype | None = None) -> ir.Value:
    """A pointer to an `sa_tensor` on the stack that describes a buffer; `code` is what its bytes are packed as."""
    kind = ir.MemRefType(buffer.type)
    element, index = kind.element_type, frame.type("index")
    base = ir.MemRefType.get([], element, loc=frame.location)
    parts = frame.op("memref.extract_strided_metadata", [buffer], [base, *[index] * (1 + 2 * kind.rank)])
    first, offset, lengths = parts[0], parts[1], parts[2:]
    fields: list[tuple[ir.Value, tuple[int, ...]]] = [(_pointer(frame, first, offset, element), (0,))]
    fields += [(frame.integer(code or DTYPES[str(element)], "i32"), (1,)), (frame.integer(kind.rank, "i32"), (2,))]
    for number, length in enumerate(lengths):
        field = 3 + number // kind.rank  # sizes, then strides
        fields.append((frame.op("arith.index_cast", [length], [frame.type("i64")]), (field, number % kind.rank)))
    whole = frame.op("llvm.mlir.zero", [], [frame.type(TENSOR)])
    for value, place in fields:
        position = ir.DenseI64ArrayAttr.get(list(place))
        whole = frame.op("llvm.insertvalue", [whole, value], [frame.type(TENSOR)], position=position)
    made = frame.stack(TENSOR)
    frame.op("llvm.store", [whole, made], [])
    return made


def _pointer(frame: Frame, base: ir.Value, offset: ir.Value, element: ir.Type) -> ir.Value:
    """The address of element `offset` of a buffer."""
    pointer, i64 = frame.type("!llvm.ptr"), frame.type("i64")
    address = frame.op("memref.extract_aligned_pointer_as_index", [base], [frame.type("index")])
    start = frame.op("llvm.inttoptr", [frame.op("arith.index_cast", [address], [i64])], [pointer])
    moved = frame.op("arith.index_cast", [offset], [i64])
    dynamic = ir.DenseI32ArrayAttr.get([-(2**31)])
    width = ir.TypeAttr.get(frame.type(f"i{8 * max(1, _bits(element) // 8)}"))
    return frame.op("llvm.getelementptr", [start, moved], [pointer], rawConstantIndices=dynamic, elem_type=width)


def _bits(element: ir.Type) -> int:
    text = str(element)
    if text.startswith("f8"):
        return 8
    return int(text.lstrip("bfsui"))
