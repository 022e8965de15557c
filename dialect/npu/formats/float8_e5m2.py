"""E5M2: sign, 5 exponent bits (bias 15), 2 fraction bits; the upper byte of a float16, infinities and NaN included."""

from __future__ import annotations

import numpy as np

LARGEST = 57344.0
TABLE = (np.arange(256, dtype=np.uint16) << 8).view(np.float16).astype(np.float32)


def decode(codes: np.ndarray) -> np.ndarray:
    """uint8 codes of any shape -> float32 values."""
    return TABLE[codes]


def encode(values: np.ndarray) -> np.ndarray:
    """float32 values -> uint8 codes; nearest, ties to the even code, from 61440 on infinite, NaN is 0x7F."""
    x = np.asarray(values, np.float32)
    magnitude = np.minimum(np.abs(x), np.float32(2 * LARGEST))
    with np.errstate(invalid="ignore"):
        # One step is 2^(exponent - 2); below 2^-14 the steps stay at 2^-16 (subnormal codes).
        exponent = np.where(magnitude > 0, np.maximum(np.frexp(magnitude)[1] - 1, -14), -14)
        steps = np.nan_to_num(np.rint(np.ldexp(magnitude, 2 - exponent))).astype(np.int64)
        code = np.minimum(((exponent + 14) << 2) + steps, 0x7C)
    return np.where(np.isnan(x), 0x7F, code | np.where(np.signbit(x), 0x80, 0)).astype(np.uint8)
