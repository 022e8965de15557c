"""No random numbers: the state of the generator would be frozen with the task."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Operators that draw from a generator."""
    return of_tasks(
        "random_numbers",
        program,
        lambda task: task.random,
        lambda task: f"{task.operator} draws random numbers, and the generator's state would be frozen",
        "sample outside the compiled function, or pass the random numbers in",
    )
