"""Every forked stream is waited for before the capture ends (107025 on the device otherwise)."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal


def check(program: Program) -> Iterator[Refusal]:
    """The last task of each side stream must be waited for, through other streams or at once, by the main stream."""
    last = {task.stream: task for task in program.tasks if task.stream != 0}
    joined = _joined(program)
    for stream, task in last.items():
        if task.name not in joined:
            yield Refusal(
                "unjoined_stream",
                task.place,
                f"{task.operator} ends stream {stream}, and nothing on the capturing stream waits for it",
                "record an event after it and wait for that on the main stream before returning",
                task.name,
            )


def _joined(program: Program) -> set[str]:
    """Tasks that end before the last task of the main stream does."""
    joined: set[str] = set()
    streams: set[int] = {0}
    for task in reversed(program.tasks):  # a wait reaches everything in front of the awaited task on its stream
        if task.name in joined:
            streams.add(task.stream)
        if task.stream in streams:
            joined |= {task.name, *task.waits}
    return joined
