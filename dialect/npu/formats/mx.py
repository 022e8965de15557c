"""Microscaling: one E8M0 scale for every 32 elements along the last axis.

The scale tensor replaces the last axis D by two axes (D / 64, 2); read in order they are the D / 32 scales, scale j
belonging to elements 32j .. 32j + 31.
"""

from __future__ import annotations

import numpy as np

from . import float8_e8m0

GROUP = 32


def scale_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Shape of the scales of values of this (logical) shape."""
    if shape[-1] % (2 * GROUP):
        raise ValueError(f"the last axis is {shape[-1]}, must be a multiple of {2 * GROUP} (scales are (D/64, 2))")
    return (*shape[:-1], shape[-1] // (2 * GROUP), 2)


def expand_scales(scales: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """E8M0 codes in the scale layout -> float32 factor of every element of ``shape``."""
    if scales.shape != scale_shape(shape):
        raise ValueError(f"scales have shape {scales.shape}, must be {scale_shape(shape)} for values of shape {shape}")
    flat = float8_e8m0.decode(scales).reshape(*shape[:-1], shape[-1] // GROUP)
    return np.repeat(flat, GROUP, axis=-1)


def dequantise(elements: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Decoded elements (float32, logical shape) times their group's scale, in float32."""
    with np.errstate(over="ignore"):
        return elements * expand_scales(scales, elements.shape)


def group_scales(values: np.ndarray, largest: float) -> np.ndarray:
    """E8M0 codes, in the scale layout, that bring every group of ``values`` into [-largest, largest].

    The scale is the smallest power of two not below ``amax / largest``; a group's amax counts as at least 1e-4, so an
    all-zero group has a finite scale.
    """
    x = np.asarray(values, np.float32)
    amax = np.maximum(np.abs(x).reshape(*x.shape[:-1], x.shape[-1] // GROUP, GROUP).max(-1), np.float32(1e-4))
    return float8_e8m0.encode(amax * np.float32(1.0 / largest)).reshape(scale_shape(x.shape))
