"""A graph keeps what it addresses: memory that is freed and given to another would be read and written by replays."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .refusal import Refusal


def check(program: Program) -> Iterator[Refusal]:
    """Every buffer is held by the graph as long as it can be replayed."""
    for buffer in program.buffers.values():
        if not buffer.held:
            user = next((t for t in program.tasks if buffer.name in (*t.reads, *t.writes, *t.results)), None)
            yield Refusal(
                "weak_buffer",
                user.place if user else "unknown place",
                f"{buffer.name} may be freed while the graph still addresses it",
                "keep a reference to the tensor as long as the compiled function",
                user.name if user else "",
            )
