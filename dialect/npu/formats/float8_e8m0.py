"""E8M0, the format of shared scales: code c is 2^(c - 127); 255 is NaN. There is no sign and no zero."""

from __future__ import annotations

import numpy as np

BIAS, NAN = 127, 255
TABLE = np.concatenate([np.ldexp(np.float32(1), np.arange(255) - BIAS), [np.nan]]).astype(np.float32)


def decode(codes: np.ndarray) -> np.ndarray:
    """uint8 codes of any shape -> float32 values (2^-127 is a float32 subnormal)."""
    return TABLE[codes]


def encode(values: np.ndarray) -> np.ndarray:
    """float32 scales -> uint8 codes of the smallest power of two that is not below them.

    Rounding up keeps ``x / scale`` inside the range that ``scale`` was chosen for. Zero and anything below 2^-127 give
    code 0; anything above 2^127, infinities included, gives 254. Negative scales and NaN give NaN.
    """
    x = np.asarray(values, np.float32)
    fraction, exponent = np.frexp(np.where(np.isfinite(x), x, 1).astype(np.float32))
    code = np.where(x > 0, exponent - (fraction == 0.5) + BIAS, 0)
    code = np.where(np.isposinf(x), 254, np.clip(code, 0, 254))
    return np.where(np.isnan(x) | (x < 0), NAN, code).astype(np.uint8)
