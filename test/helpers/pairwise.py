"""Samples of a grid in which every pair of values of two factors meets."""

import itertools
from collections.abc import Sequence
from typing import Any


def pairwise(*factors: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Points of the product of `factors`, chosen greedily and without chance, until every pair has met."""
    open_pairs = {
        (i, a, j, b)
        for i, j in itertools.combinations(range(len(factors)), 2)
        for a in range(len(factors[i]))
        for b in range(len(factors[j]))
    }
    points = []
    while open_pairs:
        i, a, j, b = min(open_pairs)
        point: dict[int, int] = {i: a, j: b}
        for n in range(len(factors)):
            if n not in point:
                point[n] = max(range(len(factors[n])), key=lambda v: (_met(open_pairs, point, n, v), -v))
        at = tuple(point[n] for n in range(len(factors)))
        open_pairs -= {(x, at[x], y, at[y]) for x, y in itertools.combinations(range(len(at)), 2)}
        points.append(tuple(factors[n][v] for n, v in enumerate(at)))
    return points


def _met(open_pairs: set[tuple[int, int, int, int]], point: dict[int, int], n: int, value: int) -> int:
    """How many open pairs a value of factor `n` closes with what is chosen already."""
    return sum(((n, value, m, chosen) if n < m else (m, chosen, n, value)) in open_pairs for m, chosen in point.items())
