"""No host reads: a replay repeats the device's work only, so a number read at capture would stay what it was."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """`.item()`, `int(tensor)` and whatever else turns a tensor into a number of the host."""
    return of_tasks(
        "host_read",
        program,
        lambda task: task.reads_host,
        lambda task: f"{task.operator} reads a device value on the host, where each replay would see the captured one",
        "keep the value in a tensor, and use the largest size of the bucket where a bound is wanted",
    )
