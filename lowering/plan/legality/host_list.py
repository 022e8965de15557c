"""No lists of host numbers that describe data, unless their operator can be updated between replays."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Lengths given as a list are frozen into the captured task; the schema of the operator tells which they are."""
    return of_tasks(
        "host_list",
        program,
        lambda task: bool(task.host_lists) and not task.updatable,
        lambda task: (
            f"{task.operator} takes {', '.join(task.host_lists)} as a list of host numbers, which capture freezes, "
            "and there is no way to update it"
        ),
        "use an operator that takes lengths as a device tensor",
    )
