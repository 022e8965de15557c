"""Every result has one size and one place: addresses and shapes are frozen at capture."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Sizes that depend on values, such as those of `nonzero` and of indexing with a bool mask, and what reads them."""
    return of_tasks(
        "unstable_output",
        program,
        lambda task: task.sized_by_data,
        lambda task: f"a size of {task.operator} depends on values",
        "use a fixed size: a mask with torch.where, or top-k with a fixed k",
    )
