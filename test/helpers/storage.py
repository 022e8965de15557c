"""Raw storage of recorded vectors as numbers, and as the tensors host kernels take."""

import mmap

import numpy as np
from vectors import Vector

from sparse_attn.dialect.npu.formats import float4_e2m1, float8_e4m3, float8_e8m0, hifloat8, row640
from sparse_attn.lowering.host.library import Dtype, Tensor

# dtype tag of a recorded array -> the host library's name of the storage, and its decoder
FORMATS = {
    "bfloat16": (Dtype.BF16, row640.bf16_values),
    "float8_e4m3fn": (Dtype.FP8_E4M3, float8_e4m3.decode),
    "float8_e8m0fnu": (Dtype.FP8_E8M0, float8_e8m0.decode),
    "float4_e2m1fn_x2": (Dtype.FP4X2, float4_e2m1.decode),
    "hifloat8": (Dtype.HIF8, hifloat8.decode),
}


def tagged(array: np.ndarray | None, tag: str) -> np.ndarray | Tensor | None:
    """An array of raw storage as a host kernel takes it; numpy's own formats and None pass through."""
    if array is None or tag not in FORMATS:
        return array
    return Tensor.of(array, FORMATS[tag][0])


def decoded(array: np.ndarray, tag: str) -> np.ndarray:
    """The numbers that raw storage stands for: float32 for the formats numpy lacks."""
    return FORMATS[tag][1](array) if tag in FORMATS else array


def sparse_bytes(count: int) -> np.ndarray:
    """Zero bytes of which only the touched pages take memory."""
    no_reserve = getattr(mmap, "MAP_NORESERVE", 0x4000)  # Python names it from 3.13 on; the number is Linux's
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve
    return np.frombuffer(mmap.mmap(-1, count, flags=flags), np.uint8)


def tensor(vector: Vector, name: str) -> np.ndarray | Tensor | None:
    """An input of a case as a host kernel takes it; None when the case does not give it."""
    return tagged(vector.inputs.get(name), vector.dtypes.get(f"in.{name}", ""))


def values(vector: Vector, name: str, side: str = "in") -> np.ndarray:
    """An input (side "in") or an output ("out") of a case as numbers."""
    arrays = vector.inputs if side == "in" else vector.outputs
    return decoded(arrays[name], vector.dtypes[f"{side}.{name}"])
