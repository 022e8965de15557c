"""All graphs together fit into the streams of a device."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal

STREAMS = 1984  # of a device: the runtime refuses the next one with 207005
TASKS_PER_STREAM = (
    1024  # a long graph goes on in a further stream; a cautious estimate, the exact number is unpublished
)


def needed(program: Program) -> int:
    """Streams that all graphs of the program hold."""
    return program.graphs * max(program.streams, -(-len(program.tasks) // TASKS_PER_STREAM))


def most_graphs(program: Program) -> int:
    """How many graphs of this program fit."""
    return STREAMS * program.graphs // max(needed(program), 1)


def check(program: Program) -> Iterator[Refusal]:
    """Graphs times streams, predicted before the first capture."""
    if needed(program) > STREAMS:
        yield Refusal(
            "stream_budget",
            program.tasks[0].place,
            f"{program.graphs} graphs need {needed(program)} streams and a device has {STREAMS}",
            f"use at most {most_graphs(program)} buckets",
        )
