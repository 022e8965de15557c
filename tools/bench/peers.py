"""What a peer is: another way to compute an operator's result, with what it is expected to cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MOST_SECONDS, MOST_BYTES = 30.0, 8e9
BANDWIDTH = 4e9
"""Bytes a second that large temporary tensors move at; a cautious number for a laptop's cores."""


@dataclass(frozen=True)
class Cost:
    """Multiplications and additions, and bytes of the temporary tensors that live at once."""

    flops: float
    nbytes: float

    def seconds(self, rate: float) -> float:
        """Expected time when products run at `rate` flops a second; temporaries are written once and read once."""
        return self.flops / rate + 2 * self.nbytes / BANDWIDTH

    def too_much(self, rate: float) -> str:
        """Why a call must not be tried; "" when it may."""
        if self.nbytes > MOST_BYTES:
            return f"needs about {self.nbytes / 1e9:.0f} GB at once, more than {MOST_BYTES / 1e9:.0f} GB"
        if self.seconds(rate) > MOST_SECONDS:
            return f"would take about {self.seconds(rate):.0f} s, more than {MOST_SECONDS:.0f} s"
        return ""


@dataclass(frozen=True)
class Peer:
    """`make(shape, inputs)` gives a function of no arguments; `cost(shape, bytes per element)` its cost."""

    name: str
    make: Callable[[Any, dict[str, Any]], Callable[[], Any]]
    cost: Callable[[Any, int], Cost]


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function through torch.compile with its standard backend, for this shape alone."""
    import torch

    return torch.compile(function, dynamic=False, fullgraph=True)
