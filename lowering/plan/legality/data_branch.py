"""No branches on data: the branch of the capture would be taken at every replay."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Conditions and loops whose predicate is a tensor."""
    return of_tasks(
        "data_branch",
        program,
        lambda task: task.branches,
        lambda task: f"{task.operator} chooses on the host by a tensor's value",
        "compute both sides and choose with torch.where, or call the branches from outside the compiled function",
    )
