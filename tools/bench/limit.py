"""The limit: how fast this machine multiplies large matrices now."""

from __future__ import annotations

import functools

import torch

from .measure import timed

SIZES = {"quick": (1024, 2048), "standard": (1024, 2048), "full": (1024, 2048, 4096)}
TRIES, SECONDS = 6, 1.0
"""Calls of each size, and the longest one that is worth making."""


def rate(dtype: torch.dtype, level: str) -> float:
    """The best rate of torch.mm over some square sizes, in flops a second."""
    best = 0.0
    for size in SIZES[level]:
        left, right = (torch.randn(size, size).to(dtype) for _ in range(2))
        if best and 2.0 * size**3 / best > SECONDS:
            break  # bf16 without hardware for it: a larger product tells nothing new
        multiply = functools.partial(torch.mm, left, right)
        seconds = min(timed(multiply) for _ in range(TRIES))
        best = max(best, 2.0 * size**3 / seconds)
    return best
