"""Element types between torch's names, the dialect's own types, and MLIR text."""

from .rows import BFLOAT16, E4M3, E5M2, E8M0, FLOAT16, FLOAT32, FP4X2, HIFLOAT8, INT8, INT32, INT64, KV_ROW, UINT8

MLIR_NAMES = {
    FLOAT32: "f32",
    FLOAT16: "f16",
    BFLOAT16: "bf16",
    INT64: "i64",
    INT32: "i32",
    INT8: "si8",
    UINT8: "ui8",
    E4M3: "f8E4M3FN",
    E5M2: "f8E5M2",
    E8M0: "f8E8M0FNU",
    HIFLOAT8: "!npu.hif8",
    FP4X2: "!npu.fp4x2",
    KV_ROW: "!npu.kv_row640",
    "bool": "i1",
    "i8": "i8",
}
"""MLIR's text of a dtype. Builtin tensors carry bytes without a sign as i8, which is either of int8 and uint8."""

NAMES = {text: name for name, text in MLIR_NAMES.items()}
ROW_BYTES = 640


def from_mlir(shape: tuple[int | None, ...], element: str) -> tuple[tuple[int | None, ...], str]:
    """Shape and dtype name of an MLIR tensor; a tensor of whole rows is seen as its bytes."""
    dtype = NAMES.get(element, element)
    return ((*shape, ROW_BYTES), dtype) if dtype == KV_ROW else (shape, dtype)
