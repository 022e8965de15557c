"""The 640-byte key/value row of the fp8 attention kernels.

| bytes | content |
|---|---|
| 0..127 | 64 rope elements, bfloat16, little endian |
| 128..575 | 448 other ("nope") elements, E4M3 |
| 576..582 | 7 E8M0 scales, scale j for nope elements 64j .. 64j + 63 |
| 583..639 | padding, any content |

The logical vector of 512 is [448 nope, 64 rope]. A nope element is bf16(E4M3 value * 2^(scale - 127)).
Source: the document of kv_quant_sparse_attn_sharedkv and the golden of its row writer.
"""

from __future__ import annotations

import numpy as np

from . import float8_e4m3, float8_e8m0

ROW_BYTES, LOGICAL, ROPE, NOPE, GROUP = 640, 512, 64, 448, 64
SCALES = NOPE // GROUP
USED_BYTES = 2 * ROPE + NOPE + SCALES


def bf16_bits(values: np.ndarray) -> np.ndarray:
    """float32 -> bfloat16 bit patterns (uint16), nearest, ties to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0) | (bits >> 16).astype(np.uint16), rounded)


def bf16_values(bits: np.ndarray) -> np.ndarray:
    """bfloat16 bit patterns (uint16) -> float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def scale_codes(nope: np.ndarray) -> np.ndarray:
    """[..., 448] float32 -> [..., 7] E8M0 codes: the power of two not below amax / 448, amax at least 1e-4."""
    amax = np.abs(nope).reshape(*nope.shape[:-1], SCALES, GROUP).max(-1)
    return float8_e8m0.encode(np.maximum(amax, np.float32(1e-4)) * np.float32(1.0 / 448.0))


def pack(vectors: np.ndarray) -> np.ndarray:
    """[..., 512] float32 (bfloat16 values) -> [..., 640] bytes, padding zero."""
    if vectors.shape[-1] != LOGICAL:
        raise ValueError(f"the last axis is {vectors.shape[-1]}, must be {LOGICAL} ({NOPE} nope, {ROPE} rope)")
    nope, rope = vectors[..., :NOPE].astype(np.float32), vectors[..., NOPE:]
    rows = np.zeros((*vectors.shape[:-1], ROW_BYTES), np.uint8)
    scales = scale_codes(nope)
    factors = np.repeat(float8_e8m0.decode(scales), GROUP, axis=-1)
    rows[..., : 2 * ROPE] = np.ascontiguousarray(bf16_bits(rope), "<u2").view(np.uint8)
    rows[..., 2 * ROPE : 2 * ROPE + NOPE] = float8_e4m3.encode(nope / factors)
    rows[..., 2 * ROPE + NOPE : USED_BYTES] = scales
    return rows


def unpack(rows: np.ndarray) -> np.ndarray:
    """[..., 640] bytes -> [..., 512] float32 holding bfloat16 values."""
    if rows.shape[-1] != ROW_BYTES:
        raise ValueError(f"the last axis is {rows.shape[-1]} bytes, must be {ROW_BYTES}")
    rope = bf16_values(np.ascontiguousarray(rows[..., : 2 * ROPE]).view("<u2"))
    codes, scales = rows[..., 2 * ROPE : 2 * ROPE + NOPE], rows[..., 2 * ROPE + NOPE : USED_BYTES]
    factors = np.repeat(float8_e8m0.decode(scales), GROUP, axis=-1)
    nope = bf16_values(bf16_bits(float8_e4m3.decode(codes) * factors))
    return np.concatenate([nope, rope], axis=-1)
