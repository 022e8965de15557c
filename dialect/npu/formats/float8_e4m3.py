"""E4M3, the finite variant: sign, 4 exponent bits (bias 7), 3 fraction bits; largest 448, 0x7F and 0xFF are NaN."""

from __future__ import annotations

import numpy as np

LARGEST = 448.0


def _value(code: int) -> float:
    sign, exponent, fraction = (-1.0 if code & 0x80 else 1.0), (code >> 3) & 15, code & 7
    if exponent == 15 and fraction == 7:
        return float("nan")
    if exponent == 0:
        return sign * fraction * 2.0**-9
    return sign * (1 + fraction / 8) * 2.0 ** (exponent - 7)


TABLE = np.array([_value(code) for code in range(256)], np.float32)


def decode(codes: np.ndarray) -> np.ndarray:
    """uint8 codes of any shape -> float32 values."""
    return TABLE[codes]


def encode(values: np.ndarray) -> np.ndarray:
    """float32 values -> uint8 codes; nearest, ties to the even code, beyond +-448 clipped, NaN is 0x7F."""
    x = np.asarray(values, np.float32)
    magnitude = np.minimum(np.abs(x), np.float32(LARGEST))
    with np.errstate(invalid="ignore"):
        # One step is 2^(exponent - 3); below 2^-6 the steps stay at 2^-9 (subnormal codes).
        exponent = np.where(magnitude > 0, np.maximum(np.frexp(magnitude)[1] - 1, -6), -6)
        steps = np.rint(np.ldexp(magnitude, 3 - exponent))
        code = ((exponent + 6) << 3) + np.nan_to_num(steps).astype(np.int64)
    return np.where(np.isnan(x), 0x7F, code | np.where(np.signbit(x), 0x80, 0)).astype(np.uint8)
