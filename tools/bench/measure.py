"""Two functions timed in turn, so that what else the machine does meets both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

PAIRS = (3, 15)
"""At least and at most."""


@dataclass(frozen=True)
class Pairs:
    """Seconds of each call, pair by pair."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        """How many times as long the other took, pair by pair, sorted."""
        return sorted(b / a for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median(self.ratios)

    @property
    def spread(self) -> tuple[float, float]:
        """The ratios a quarter from either end; with few pairs the smallest and the largest."""
        cut = len(self.ratios) // 4
        return self.ratios[cut], self.ratios[-1 - cut]


def in_turn(ours: Callable[[], Any], theirs: Callable[[], Any], budget: float) -> Pairs:
    """Call both, alternating who is first, for about `budget` seconds. Both must have been called before."""
    one, other = timed(ours), timed(theirs)
    least, most = PAIRS
    pairs = max(least, min(most, int(budget / max(one + other, 1e-9))))
    found: list[tuple[float, float]] = []
    for number in range(pairs):
        if number % 2:
            second, first = timed(theirs), timed(ours)
        else:
            first, second = timed(ours), timed(theirs)
        found.append((first, second))
    return Pairs(tuple(a for a, _ in found), tuple(b for _, b in found))


def timed(function: Callable[[], Any]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
