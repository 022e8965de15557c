"""indexer_quant_cache in numpy. Source: the operator document and CPU reference of ops-transformer."""

from types import ModuleType

import numpy as np

from ..formats import float4_e2m1, float8_e4m3, float8_e8m0, hifloat8
from ._rows import Array
from ._slots import scatter
from .kv_compress_epilog import power_of_two_above
from .lightning_indexer import decode

GROUP = 32


def elements_of(x: Array, codec: ModuleType) -> Array:
    """Codes of float8_e4m3 or float8_e5m2. An infinity has no E4M3 code; it becomes NaN."""
    if codec is float8_e4m3:
        x = np.where(np.isinf(x), np.float32(np.nan), x)
    return codec.encode(x)


def mxfp8(x: Array, codec: ModuleType) -> tuple[Array, Array]:
    """Elements and E8M0 scales of 32: amax / largest value rounded up, amax at least 1e-4; NaN for an infinite amax."""
    groups = x.reshape(len(x), -1, GROUP)
    amax = np.maximum(np.abs(groups).max(-1), np.float32(1e-4)) * np.float32(1 / codec.LARGEST)
    scales = np.where(np.isinf(amax), float8_e8m0.NAN, float8_e8m0.encode(amax)).astype(np.uint8)
    elements = elements_of(groups / float8_e8m0.decode(scales)[..., None], codec)
    return elements.reshape(x.shape), scales


def fp8(x: Array, round_scale: bool, codec: ModuleType) -> tuple[Array, Array]:
    """Elements and one float32 scale a row, amax / largest value over its finite elements (0 for a row of zeros)."""
    finite = np.isfinite(x)
    amax = np.where(finite, np.abs(x), 0).max(-1, keepdims=True).astype(np.float32)
    scales = amax * np.float32(1 / codec.LARGEST)
    if round_scale:
        scales = np.where(amax > 0, power_of_two_above(np.where(amax > 0, scales, 1)), 0).astype(np.float32)
    with np.errstate(invalid="ignore"):
        scaled = np.where(finite & (amax > 0), x / np.where(amax > 0, scales, 1), x)
    return elements_of(scaled, codec), scales


def mxfp4(x: Array) -> tuple[Array, Array]:
    """FP4 elements and E8M0 scales of 32: the largest exponent of the group less 2.

    A group of zeros has code 0; one with an infinity or NaN has code 255 and zero elements.
    """
    groups = x.reshape(len(x), -1, GROUP)
    exponent = ((groups.view(np.uint32) >> 23) & 0xFF).astype(np.int64).max(-1)
    codes = np.where(exponent == 255, 255, np.maximum(exponent - 2, 0))
    inverse = np.where((exponent == 0) | (exponent == 255), 0, np.exp2(127.0 - codes)).astype(np.float32)
    with np.errstate(invalid="ignore"):
        scaled = np.where(exponent[..., None] == 255, 0, groups * inverse[..., None]).astype(np.float32)
    return float4_e2m1.encode(scaled.reshape(x.shape)), codes.astype(np.uint8)


def indexer_quant_cache(
    cache: Array,
    cache_scale: Array,
    x: Array,
    slot_mapping: Array,
    quant_mode: str = "fp8",
    round_scale: bool = True,
    x_scale: float = 1.0,
    *,
    codec: ModuleType = float8_e4m3,
) -> tuple[Array, Array]:
    """cache uint8 [..., bytes], cache_scale [..., scales] (E8M0 codes or float32), x [n, d] -> both after the call.

    The static scale of mode hifloat8 is x_scale; it leaves cache_scale as it is. `codec`: what an fp8 cache holds.
    """
    values = decode(x)
    if quant_mode == "hifloat8":
        return scatter(cache, hifloat8.encode(values * np.float32(x_scale), saturate=True), slot_mapping), cache_scale
    if quant_mode == "mxfp4":
        elements, scales = mxfp4(values)
    else:
        elements, scales = mxfp8(values, codec) if quant_mode == "mxfp8" else fp8(values, round_scale, codec)
    return scatter(cache, elements, slot_mapping), scatter(cache_scale, scales, slot_mapping)
