"""A capture holds no capture."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal, of_tasks


def check(program: Program) -> Iterator[Refusal]:
    """The program is no part of a running capture, and none of its tasks begins one."""
    if program.inside_capture:
        yield Refusal(
            "nested_capture",
            program.tasks[0].place if program.tasks else "unknown place",
            "a capture is running already, and this function would begin another inside it",
            "capture the outer function only",
        )
    yield from of_tasks(
        "nested_capture",
        program,
        lambda task: task.captures,
        lambda task: f"{task.operator} captures or replays a graph of its own",
        "call what it captured plainly",
    )
