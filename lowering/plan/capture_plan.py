"""What will be captured, as an object one can print."""

from __future__ import annotations

import dataclasses

from .legality import refusals
from .legality.refusal import Refusal
from .legality.stream_budget import STREAMS, needed
from .program import LIVES, Program

WORDS = {"init_once": "initialised once", "rewritten": "rewritten each step", "scratch": "scratch"}


@dataclasses.dataclass(frozen=True)
class CapturePlan:
    """A program with what stands against its capture and how its graphs are told apart.

    `key` names the host integers that tell graphs apart; empty for a program of static sizes, which has one graph.
    """

    program: Program
    key: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @staticmethod
    def of(program: Program, key: tuple[str, ...] = ()) -> CapturePlan:
        """The plan of a program, legality included."""
        return CapturePlan(program, key, tuple(refusals(program)))

    @property
    def legal(self) -> bool:
        return not self.refused

    @property
    def updates(self) -> dict[str, tuple[str, ...]]:
        """Host lists to be updated between replays, by task: nothing where lengths are device tensors."""
        return {task.name: task.host_lists for task in self.program.tasks if task.host_lists and task.updatable}

    @property
    def plans(self) -> int:
        """Metadata tasks, each shared by all kernels with its arguments."""
        return sum(task.plans for task in self.program.tasks)

    def text(self) -> str:
        """Everything above for a reader."""
        program = self.program
        lines = [
            f"graph of {len(program.tasks)} tasks, {self.plans} of them plans, on {program.streams} stream(s)",
            f"  key: {', '.join(self.key) or 'none, sizes are static'}",
            f"  streams: {needed(program)} of {STREAMS} for {program.graphs} graph(s)",
        ]
        for life in LIVES:
            found = list(program.of_life(life))
            lines.append(f"  {WORDS[life]}: {len(found)} buffer(s)")
            lines += [f"    {buffer}" for buffer in found if life != "scratch" and (buffer.mutated or life != LIVES[0])]
        rows = [f"{b.name}={b.dummy}" for b in program.of_life("rewritten")]
        lines.append(f"  dummy rows: {', '.join(rows) or 'none'}")
        updates = [f"{task}: {', '.join(names)}" for task, names in self.updates.items()]
        lines.append(f"  updates between replays: {'; '.join(updates) or 'none'}")
        return "\n".join([*lines, *(f"  {refusal}" for refusal in self.refused)])
