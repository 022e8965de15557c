"""Every result has one size and one place: addresses and shapes are frozen at capture."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Results whose size depends on values, such as those of `nonzero` and of indexing with a bool mask."""
    return of_tasks(
        "unstable_output",
        program,
        lambda task: task.sized_by_data,
        lambda task: f"the size of the result of {task.operator} depends on values",
        "give it a fixed size: a mask with torch.where, or top-k with a fixed k",
    )
