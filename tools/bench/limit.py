"""The limit: how fast this machine multiplies large matrices and reads memory now."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from .measure import timed

SIZES = {"quick": (256, 1024, 2048), "standard": (256, 1024, 2048), "full": (256, 1024, 2048, 4096)}
TRIES, SECONDS = 6, 1.0
"""Calls of each size, and the longest one that is worth making."""
FLOATS = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
READ_BYTES = 1 << 28
"""Far more than any cache holds."""


@dataclass(frozen=True)
class Machine:
    """products: the best rate of a large matrix product by dtype, in operations a second. bandwidth: bytes a second."""

    products: dict[str, float]
    bandwidth: float

    def rate(self, name: str) -> float:
        """The best rate for inputs of a float format; widening them to fp32 first is allowed."""
        return max(self.products["fp32"], self.products[name])

    def least(self, flops: float, nbytes: float, name: str) -> tuple[float, str]:
        """Seconds that the work takes at least, and what binds: `arithmetic` or `bandwidth`."""
        multiply, read = flops / self.rate(name), nbytes / self.bandwidth
        return (multiply, "arithmetic") if multiply >= read else (read, "bandwidth")


def machine(level: str) -> Machine:
    """Measure everything once."""
    products = {name: rate(dtype, level) for name, dtype in FLOATS.items()}
    return Machine(products | {"int8": rate(torch.int8, level)}, bandwidth())


def rate(dtype: torch.dtype, level: str) -> float:
    """The best rate of torch.mm over some square sizes, in operations a second; int8 products are summed in int32."""
    best = 0.0
    for size in SIZES[level]:
        if best and 2.0 * size**3 / best > SECONDS:
            break  # bf16 without hardware for it: a larger product tells nothing new
        multiply, left, right = _product(dtype, size)
        seconds = min(timed(functools.partial(multiply, left, right)) for _ in range(TRIES))
        best = max(best, 2.0 * size**3 / seconds)
    return best


def _product(dtype: torch.dtype, size: int) -> tuple[Callable[..., Any], torch.Tensor, torch.Tensor]:
    if dtype == torch.int8:
        left, right = (torch.randint(-127, 128, (size, size), dtype=dtype) for _ in range(2))
        return torch._int_mm, left, right
    left, right = (torch.randn(size, size).to(dtype) for _ in range(2))
    return torch.mm, left, right


def bandwidth() -> float:
    """Bytes a second at which all threads together read memory that is in no cache."""
    numbers = torch.ones(READ_BYTES // 4)
    return numbers.nbytes / min(timed(numbers.sum) for _ in range(TRIES))
