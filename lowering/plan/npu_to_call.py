"""Kernel ops become calls of the host library's C functions, for pipelines that end in an object file or a JIT.

    int sa_<name>(arguments in the order of the schema, results, int32_t num_threads, sa_error *error)

A tensor is passed as a pointer to an `sa_tensor` on the stack, made from its buffer's pointer, sizes and strides; an
absent one is null. Results are buffers allocated in front of the call. What is left needs only upstream passes:
one-shot-bufferize, expand-strided-metadata, convert-scf-to-cf and the conversions to LLVM. The program links against
the host library; a call that the library refuses prints its text and aborts.
"""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from ...dialect.npu import SPECS
from ...dialect.npu.facts import call_of, operands_of, scalars_of
from ...dialect.npu.rows import CARRIERS, FP4X2, HIFLOAT8
from ...dialect.npu.spec import Spec
from ..host.library import NONE_INT, Dtype
from ..lift import functions
from ..passes import PassFailed, register_pass
from .descriptor import Frame, descriptor

PREFIX = "npu."
ERROR = "!llvm.array<1024 x i8>"
PACKED = {HIFLOAT8: Dtype.HIF8, FP4X2: Dtype.FP4X2}


@register_pass(
    "sparse-attn-npu-to-call",
    "kernel ops become calls of the host library's C functions",
    options={"threads": 0},
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """`threads` is passed on: 0 uses as many as OpenMP offers. Results must have static sizes."""
    with module.context:
        for function in functions(module):
            for view in list(function.regions[0].blocks[0].operations):
                if view.operation.name.startswith(PREFIX):
                    _lower(module, view.operation, options["threads"])


def _lower(module: ir.Module, op: ir.Operation, threads: int) -> None:
    spec = SPECS[op.name.removeprefix(PREFIX)]
    _check(op)
    frame = Frame(module, op)
    written = {
        name: _copy(frame, value) for name, value in operands_of(spec, op).items() if name in spec.schema.mutated
    }
    made = [_buffer(frame, result) for result in list(op.results)[len(written) :]]
    arguments = _arguments(frame, spec, op, written) + [descriptor(frame, buffer) for buffer in made]
    error = frame.stack(ERROR)
    status = frame.call(f"sa_{spec.name}", [*arguments, frame.integer(threads, "i32"), error], "i32")
    _check_status(frame, spec, status, error)
    for result, buffer in zip(op.results, [*written.values(), *made], strict=True):
        tensor = frame.op("bufferization.to_tensor", [buffer], [result.type], restrict=ir.UnitAttr.get())
        result.replace_all_uses_with(tensor)
    op.erase()


def _check(op: ir.Operation) -> None:
    for what, value in [("operand", v) for v in op.operands] + [("result", v) for v in op.results]:
        kind = ir.RankedTensorType(value.type)
        if str(kind.element_type).startswith("!"):
            op.location.emit_error(f"{op.name}: {what} {kind} has no buffer: pass its bytes as i8 or ui8")
            raise PassFailed
        if what == "result" and not kind.has_static_shape:
            op.location.emit_error(f"{op.name}: result {kind} has dynamic sizes: compile with static shapes")
            raise PassFailed


def _arguments(frame: Frame, spec: Spec, op: ir.Operation, written: dict[str, ir.Value]) -> list[ir.Value]:
    """In the order of the schema, as the C function takes them."""
    operands, scalars = operands_of(spec, op), scalars_of(spec, op)
    found = []
    for param in spec.schema.params:
        if param.is_tensor:
            value = operands.get(param.name)
            buffer = written.get(param.name) or (frame.buffer_of(value) if value is not None else None)
            packed = _packed_as(spec, op, param.name) if buffer is not None else None
            found.append(descriptor(frame, buffer, packed) if buffer is not None else frame.null())
            continue
        value = scalars.get(param.name)
        value = spec.host_means.get(param.name, {}).get(value, value)
        if param.kind == "str":
            found.append(frame.text(value) if value is not None else frame.null())
        elif param.kind == "float":
            found.append(frame.number(float(value)))
        else:
            found.append(frame.integer(NONE_INT if value is None else int(value), "i64"))
    return found


def _packed_as(spec: Spec, op: ir.Operation, name: str) -> Dtype | None:
    """The packed format that plain bytes carry, where the argument's row says that they may."""
    call = call_of(spec, op)
    if call.tensors[name].dtype not in ("i8", "uint8"):
        return None
    accepted = spec.tensors[name].accepted(call)
    return next((PACKED[dtype] for dtype in accepted if "uint8" in CARRIERS.get(dtype, ())), None)


def _buffer(frame: Frame, result: ir.Value) -> ir.Value:
    kind = ir.RankedTensorType(result.type)
    memref = ir.MemRefType.get(kind.shape, kind.element_type, loc=frame.location)
    return frame.op("memref.alloc", [], [memref], operandSegmentSizes=ir.DenseI32ArrayAttr.get([0, 0]))


def _copy(frame: Frame, value: ir.Value) -> ir.Value:
    """A buffer to write into: the tensor itself stays as it was."""
    made = _buffer(frame, value)
    frame.op("memref.copy", [frame.buffer_of(value), made], [])
    return made


def _check_status(frame: Frame, spec: Spec, status: ir.Value, error: ir.Value) -> None:
    """Print the library's text and stop where the status is not 0."""

    def stop(inside: Frame) -> None:
        inside.call("puts", [inside.text(f"{spec.name} was refused:")], "i32")
        inside.call("puts", [error], "i32")
        inside.call("abort", [])

    frame.when(frame.differs(status, frame.integer(0, "i32")), stop)
