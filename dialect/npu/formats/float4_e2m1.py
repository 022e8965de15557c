"""E2M1: 0, .5, 1, 1.5, 2, 3, 4, 6 and their negatives; two to a byte, the even element in the low nibble."""

from __future__ import annotations

import numpy as np

LARGEST = 6.0
_POSITIVE = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
TABLE = np.array([*_POSITIVE, *(-value for value in _POSITIVE)], np.float32)
_MIDPOINTS = (TABLE[:7] + TABLE[1:8]) / 2


def pack(codes: np.ndarray) -> np.ndarray:
    """4-bit codes [..., 2n] -> bytes [..., n]."""
    if codes.shape[-1] % 2:
        raise ValueError(f"the last axis holds {codes.shape[-1]} codes, must be even: two go into a byte")
    return (codes[..., 0::2] | codes[..., 1::2] << 4).astype(np.uint8)


def unpack(packed: np.ndarray) -> np.ndarray:
    """bytes [..., n] -> 4-bit codes [..., 2n]."""
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], 2 * packed.shape[-1])


def decode(packed: np.ndarray) -> np.ndarray:
    """bytes [..., n] -> float32 values [..., 2n]."""
    return TABLE[unpack(packed)]


def encode(values: np.ndarray) -> np.ndarray:
    """float32 values [..., 2n] -> bytes [..., n]; nearest, ties to the even code, beyond +-6 clipped, NaN becomes 0."""
    x = np.asarray(values, np.float32)
    magnitude = np.abs(x)
    below, up_to = np.searchsorted(_MIDPOINTS, magnitude, "left"), np.searchsorted(_MIDPOINTS, magnitude, "right")
    code = np.where(below % 2 == 0, below, up_to)
    code = np.where(np.isnan(x), 0, np.minimum(code, 7) | np.where(np.signbit(x), 8, 0))
    return pack(code.astype(np.uint8))
