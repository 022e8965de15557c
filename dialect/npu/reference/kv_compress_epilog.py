"""kv_compress_epilog in numpy. Source: the operator document and kernel of ops-transformer.

Every mode writes rotary columns, then the other ("nope") columns, then their scales; the last 64 columns of a row are
the rotary ones.
"""

import numpy as np

from ..formats import float4_e2m1, float8_e4m3, hifloat8
from ..formats.row640 import bf16_bits, bf16_values
from ._rows import Array
from ._slots import scatter

ROPE = 64


def power_of_two_above(scales: Array) -> Array:
    """The smallest power of two that is not below each positive scale, float32; infinity and NaN stay."""
    fraction, exponent = np.frexp(scales)
    powers = np.ldexp(np.float32(1), exponent - (fraction == 0.5)).astype(np.float32)
    return np.where(np.isfinite(scales), powers, scales)


def _bytes_of(values: Array) -> Array:
    return np.ascontiguousarray(bf16_bits(values), "<u2").view(np.uint8)


def _groups(values: Array, size: int) -> Array:
    return values.reshape(*values.shape[:-1], -1, size)


def _padded(parts: list[Array], alignment: int) -> Array:
    row = np.concatenate(parts, axis=-1)
    return np.pad(row, [(0, 0), (0, -row.shape[-1] % alignment)])


def fp8_rows(x: Array, e8m0: bool, round_scale: bool) -> Array:
    """bf16 rotary, E4M3 elements, one scale for 64 of them: amax / 448, amax at least 1e-4."""
    nope = _groups(x[:, :-ROPE], 64)
    amax = np.maximum(np.abs(nope).max(-1), np.float32(1e-4))
    scales = amax * np.float32(1 / 448)
    if round_scale:
        scales = power_of_two_above(scales)
    elements = float8_e4m3.encode(nope / scales[..., None]).reshape(x.shape[0], -1)
    if e8m0:  # the exponent alone is stored, rounded or not
        return _padded([_bytes_of(x[:, -ROPE:]), elements, (scales.view(np.uint32) >> 23).astype(np.uint8)], 1)
    return _padded([_bytes_of(x[:, -ROPE:]), elements, _bytes_of(scales)], 32)


def fp4_rows(x: Array, group: int, x_scale: float) -> Array:
    """HiFloat8 rotary (after x_scale), FP4 elements: times 6 / amax, with the factor and the product in bf16."""
    nope = _groups(x[:, :-ROPE], group)
    amax = np.abs(nope).max(-1)
    with np.errstate(divide="ignore"):
        inverse = np.where(amax > 0, bf16_values(bf16_bits(np.float32(6) / amax)), 0).astype(np.float32)
    elements = float4_e2m1.encode(bf16_values(bf16_bits(nope * inverse[..., None])).reshape(x.shape[0], -1))
    rope = hifloat8.encode(x[:, -ROPE:] * np.float32(x_scale), saturate=True)
    return _padded([rope, elements, _bytes_of(amax * np.float32(1 / 6))], 32)


def kv_compress_epilog(
    cache: Array,
    x: Array,
    slot_mapping: Array,
    quant_group_size: int = 64,
    quant_mode: str = "fp8_e8m0",
    round_scale: bool = True,
    x_scale: float = 1.0,
) -> Array:
    """cache uint8 [..., bytes], x [n, d] bfloat16 bit patterns -> the cache after the call."""
    values = bf16_values(x)
    if quant_mode == "hifloat8_fp4":
        rows = fp4_rows(values, quant_group_size, x_scale)
    else:
        rows = fp8_rows(values, quant_mode == "fp8_e8m0", round_scale)
    return scatter(cache, rows, slot_mapping)
