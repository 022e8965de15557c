"""Nothing that waits for the device: a stream that is being captured cannot be waited for."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """Copies between devices; host reads have a rule of their own."""
    return of_tasks(
        "synchronise",
        program,
        lambda task: task.crosses_devices and not task.reads_host,
        lambda task: f"{task.operator} copies between devices, which synchronises",
        "move the tensor before the call, or make it on the device",
    )
